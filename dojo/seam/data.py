"""What may cross the seam: plain data, compared by exact type and shown without running the learner's code."""

from __future__ import annotations

import copy
import math
from collections import OrderedDict
from dataclasses import dataclass
from types import ModuleType
from typing import Any

SCALARS = (type(None), bool, int, float, str)
DEPTH = 20
"""How deeply a result may be nested; a list that contains itself never ends."""
WIDTH = 400
"""How many characters of a value are shown."""
MANY = 8
"""A list of more equal items than this is shown as one item and a count."""
ROUNDING = 1e-12
"""How far two ways to compute the same float may differ; tensors of narrower floats get more room."""


@dataclass(frozen=True)
class Foreign:
    """Stands for a result that is not plain data. It never equals what torch says."""

    type_name: str


@dataclass(frozen=True)
class Words:
    """Words in place of a value, which describe it: shown as they are, without quotes."""

    text: str


@dataclass(frozen=True)
class Error:
    """An exception as data: its name, the names of its base classes, its message, and the line that raised it."""

    name: str
    bases: tuple[str, ...]
    message: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.name}: {self.message}" if self.message else self.name


def plain(value: object, depth: int = DEPTH) -> object:
    """Return a copy of value with a Foreign in place of whatever is not plain data.

    Plain data is exactly None, bool, int, float, str, tuple, list, dict, torch.dtype or a dense torch.Tensor, whose
    elements are kept and whose strides are not. A subclass of float, tuple, list or dict, such as a numpy.float64, a
    named tuple or a torch.Size, becomes a plain one of the same value. The judge looks at nothing else, so it never
    runs an `__eq__`, `__iter__`, `__float__` or `__repr__` of the learner's.
    """
    kind = type(value)
    if kind in SCALARS:
        return value
    if tensors := tensors_for(value):
        return tensors.plain(value)
    if depth == 0:
        return Foreign("value nested without end")
    held: Any = value
    if issubclass(kind, float):
        return float.__float__(held)
    if issubclass(kind, tuple):
        return tuple(plain(item, depth - 1) for item in tuple.__iter__(held))
    if issubclass(kind, list):
        return [plain(item, depth - 1) for item in list.__iter__(held)]
    if issubclass(kind, dict):
        return {plain(key, depth - 1): plain(item, depth - 1) for key, item in dict.items(held)}
    module = getattr(kind, "__module__", "builtins")
    return Foreign(kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}")


def copied(value: Any) -> Any:
    """Return a copy of a scenario's argument as it would reach another process: it shares nothing with the value.

    A tensor keeps its elements, but not its strides.
    """
    kind = type(value)
    if kind in SCALARS:
        return value
    if tensors := tensors_for(value):
        return tensors.plain(value)
    if kind is tuple or kind is list:
        return kind(map(copied, value))
    if kind is dict or kind is OrderedDict:
        return kind((key, copied(item)) for key, item in value.items())
    return copy.deepcopy(value)


def tensors_for(value: object) -> ModuleType | None:
    """Return dojo.seam.tensors if it handles this value."""
    if type(value).__module__ != "torch":
        return None
    from dojo.seam import tensors  # imports torch, which is loaded if there is such a value

    return tensors if tensors.is_data(value) else None


def same(got: object, want: object, rel: float = 0.0, *, bits: bool = False) -> bool:
    """Return whether got equals want, by exact type: `24.0` and `True` are not `24`.

    Floats may differ by `rel` of the larger one. NaN equals NaN, in a tensor too. If a float is wanted, an int of the
    same value is accepted, as in Python's own annotations. With `bits`, -0.0 does not equal 0.0, and an int 0 is 0.0.
    Tensors must also agree in dtype, shape and kind of device; a `rel` above 0 is widened to suit their dtype.
    """
    if type(want) is float and type(got) in (int, float):
        assert isinstance(got, int | float)
        if want != want:
            return got != got
        if bits and got == want == 0:
            return math.copysign(1, got) == math.copysign(1, want)
        try:
            return got == want or math.isclose(got, want, rel_tol=rel, abs_tol=0.0)
        except OverflowError:  # an int too large for a float
            return False
    if type(got) is not type(want):
        return False
    if tensors := tensors_for(want):
        return bool(tensors.same(got, want, rel))
    if isinstance(want, tuple | list):
        assert isinstance(got, tuple | list)
        return len(got) == len(want) and all(same(g, w, rel, bits=bits) for g, w in zip(got, want, strict=True))
    if isinstance(want, dict):
        assert isinstance(got, dict)
        return got.keys() == want.keys() and all(same(got[key], want[key], rel, bits=bits) for key in want)
    return got == want


def unlike(got: Any, want: Any, rel: float = 0.0) -> tuple[str, Any, Any]:
    """Return where two values differ, as `[2][0]`, and each value there; "" and both values if they can be shown whole.

    The values must differ. Lists, tuples and tensors that are alike except for their items are taken apart until the
    rest is short and shows the difference.
    """
    place = ""
    while kind_of(got) == kind_of(want) and (isinstance(want, tuple | list) or getattr(want, "ndim", 0) > 0):
        texts = {shown(got), shown(want)}
        if (len(texts) == 2 and max(map(len, texts)) <= WIDTH) or len(got) != len(want):
            break
        wrong = (at for at, (one, other) in enumerate(zip(got, want, strict=True)) if not same(one, other, rel))
        if (at := next(wrong, None)) is None:  # the whole differs in something that no item shows
            break
        place, got, want = f"{place}[{at}]", got[at], want[at]
    return place, got, want


def is_number(value: object) -> bool:
    """Return whether a value is a float, or an int small enough to compute with as a float."""
    return type(value) is float or (type(value) is int and abs(value) < 10**200)


def kind_of(value: object) -> str:
    """Return the type in words, such as `an int` or `a tuple of int and float`, of at most WIDTH characters."""
    if isinstance(value, Foreign):
        return f"{_article(value.type_name)} {value.type_name}"[:WIDTH]
    if value is None:
        return "None"
    if tensors := tensors_for(value):
        return str(tensors.kind_of(value))
    name = type(value).__name__
    if isinstance(value, tuple | list) and value:
        kinds = sorted({_item_kind(item) for item in value})
        return f"{_article(name)} {name} of {kinds[0] + 's' if len(kinds) == 1 else ' and '.join(kinds)}"[:WIDTH]
    return f"{_article(name)} {name}"


def _item_kind(item: object) -> str:
    if isinstance(item, Foreign):
        return item.type_name
    return "None" if item is None else type(item).__name__


def _article(word: str) -> str:
    return "an" if word[:1].lower() in tuple("aeiou") else "a"  # the name of a class may be empty


def shown(value: object) -> str:
    """Return a value as Python would write it, shortened if it is long."""
    try:
        text = kind_of(value) if isinstance(value, Foreign) else _written(value, size(value))
    except ValueError:  # Python refuses to write integers of over 4,300 digits
        return f"an integer of {value.bit_length():,} bits" if isinstance(value, int) else "numbers too long to write"
    return text if len(text) <= WIDTH else f"{text[:WIDTH]}… ({len(text):,} characters)"


def size(value: object) -> int:
    """Return how many elements all tensors in a value have together."""
    if isinstance(value, tuple | list):
        return sum(map(size, value))
    if isinstance(value, dict):
        return size([*value, *value.values()])
    tensors = tensors_for(value)
    return tensors.size(value) if tensors else 0


def _written(value: object, size: int) -> str:
    """Return a value as Python would write it; `size` is the number of elements of all tensors in the whole value."""
    if isinstance(value, tuple | list):
        items = [_written(item, size) for item in value]
        inside = ", ".join(items)
        if isinstance(value, list):
            return f"[{items[0]}] * {len(items)}" if len(items) > MANY and len({*items}) == 1 else f"[{inside}]"
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_written(key, size)}: {_written(item, size)}' for key, item in value.items())}}}"
    if isinstance(value, Words):
        return value.text
    if isinstance(value, Foreign):
        return f"<{kind_of(value)}>"
    if tensors := tensors_for(value):
        return str(tensors.shown(value, tensors.MOST if size <= tensors.MOST else 0))
    if isinstance(value, float) and value - value != 0:
        return f"float('{value}')"  # nan and inf are not names in Python
    return repr(value)
