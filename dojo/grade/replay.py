"""A property's examples, drawn once and asked of many: where the seed is the same, hypothesis draws the same again.

Drawing is half of what a right submission costs. Only that a property holds is learned this way; where an example
fails, hypothesis runs the property from its beginning, and shrinks.
"""

from __future__ import annotations

import contextlib
import copy
import functools
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

Example = tuple[dict[str, Any], list[Any]]
"""What an example is given, by name, and what it draws on the way."""

MOST = 1000
"""Properties that are kept. Another seed makes all of them useless."""

_kept: dict[tuple[Any, ...], list[Example]] = {}


class _Data:
    """Stands for hypothesis' own: draws what was drawn before; where there is a real one, notes what that draws."""

    def __init__(self, drawn: list[Any], real: Any = None):
        self.drawn = drawn
        self.real = real

    def draw(self, strategy: Any, label: Any = None) -> Any:
        if self.real is None:
            return copy.deepcopy(self.drawn.pop(0))
        value = self.real.draw(strategy, label)
        self.drawn.append(copy.deepcopy(value))
        return value


def holds(test: Any, origin: object, fixtures: dict[str, Any]) -> bool | None:
    """Whether a property holds for the examples that it held for before; None where none are known.

    origin: what they come from: the seed, and how many are drawn.
    """
    examples = _kept.get(_key(test, origin, fixtures))
    if examples is None:
        return None
    try:
        for arguments, drawn in examples:
            copied = {name: copy.deepcopy(value) for name, value in arguments.items()}
            data = {name: _Data(list(drawn)) for name, value in arguments.items() if value is _Data}
            test.hypothesis.inner_test(**fixtures, **copied | data)
    except Exception:
        return False
    return True


@contextlib.contextmanager
def noting(test: Any, origin: object, fixtures: dict[str, Any]) -> Iterator[Callable[[], None]]:
    """Note the examples that hypothesis runs inside; what this gives is called where the property held."""
    handle = getattr(test, "hypothesis", None)
    if handle is None:  # a state machine, which draws by what it has done
        yield lambda: None
        return
    real = handle.inner_test
    examples: list[Example] = []

    @functools.wraps(real)
    def noted(**given: Any) -> None:
        drawn: list[Any] = []
        data = {name: value for name, value in given.items() if isinstance(value, st.DataObject)}
        kept = {name: value for name, value in given.items() if name not in fixtures and name not in data}
        kept = copy.deepcopy(kept) | dict.fromkeys(data, _Data)
        real(**given | {name: _Data(drawn, value) for name, value in data.items()})
        examples.append((kept, drawn))

    def keep() -> None:
        if len(_kept) >= MOST:
            _kept.clear()
        _kept[_key(test, origin, fixtures)] = examples

    handle.inner_test = noted
    try:
        yield keep
    finally:
        handle.inner_test = real


def _key(test: Any, origin: object, fixtures: dict[str, Any]) -> tuple[Any, ...]:
    return test, origin, fixtures.get("device")
