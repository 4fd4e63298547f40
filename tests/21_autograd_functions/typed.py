"""Programs of kata 21 and the lines that several strategies need."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ..shared.described import Lines
from ..shared.shapes import Shape, pick

MEASURES = "from tests.shared.own_functions import *"
PEAKS = "from tests.shared.peak import *"
OPERATORS = "from tests.shared.operators import checked, fresh, registered"
KEEPING = "with keeping() as kept:"
WATCHING = "with watching() as seen:"


class Case(NamedTuple):
    """A program: its lines, the expressions that are watched after them, and the most that others may be.

    A most of None is what torch's own function comes to.
    """

    lines: Lines
    watched: Lines
    most: Mapping[str, int | None] = {}


def gives(*texts: str) -> Callable[[Any], bool]:
    """Whether a line of a case has one of these in it."""
    return lambda case: any(text in line for text in texts for line in case.lines)


def lacks(*texts: str) -> Callable[[Any], bool]:
    """Whether no line of a case has any of these in it."""
    return lambda case: not gives(*texts)(case)


FIRST = (1.0, -0.5, 1.5, 2.0, -1.0, 0.5, -1.5, 0.75, -2.0, 1.25, -0.25, 1.75)
"""The simplest numbers."""


def values(draw: DrawFn, count: int) -> list[float]:
    """So many quarters from -2 to 2, none of them 0, and half of them above it."""
    seed = draw(st.integers(0, 999))
    if not seed:
        return list(itertools.islice(itertools.cycle(FIRST), count))
    dice = random.Random(seed)
    return [dice.choice((-1, 1)) * dice.randint(1, 8) / 4 for _ in range(count)]


def tensor(numbers: list[Any], shape: Shape, dtype: str = "float64", grad: bool = False) -> str:
    """The code of a tensor of these numbers."""
    asks = ", requires_grad=True" if grad else ""
    if 0 in shape:
        return f"torch.zeros({shape}, dtype=torch.{dtype}{asks})"
    return f"torch.tensor({_nested(shape, iter(numbers))}, dtype=torch.{dtype}{asks})"


def drawn(draw: DrawFn, shape: Shape, dtype: str = "float64", grad: bool = False) -> str:
    """The code of a tensor of small numbers."""
    return tensor(values(draw, math.prod(shape)), shape, dtype, grad)


def _nested(shape: Shape, numbers: Iterator[Any]) -> str:
    if not shape:
        number = next(numbers)
        return repr(number) if abs(number) < math.inf else f"float('{number}')"
    return f"[{', '.join(_nested(shape[1:], numbers) for _ in range(shape[0]))}]"


def backward(
    draw: DrawFn, result: str, shape: Shape, leaves: Sequence[str], dtype: str = "float64", call: str = ""
) -> Lines:
    """Lines that go backward from a result, with numbers of their own, or with ones that are expanded.

    Some go back twice: the second gradient is added to the first, which an expanded one gave, so that none is added to
    the memory of k. Or the first ones, of the leaves, are kept apart. With a call, some go back through two calls with
    the same arguments, whose gradients autograd adds up. In half of them the numbers are tenths, which no float holds.
    """
    kind = pick(draw, ("given", "given", "summed", "again", "earlier", "columns", *["both"] * bool(call)))
    if kind == "summed":
        return [f"{result}.sum().backward()"]
    if kind == "columns" and shape:
        return [f"k = {_tenths(draw, shape[1:], dtype)}", f"{result}.sum(0).backward(k)"]
    k = f"k = {_tenths(draw, shape, dtype)}"
    if kind == "again":
        return [k, f"{result}.sum().backward(retain_graph=True)", f"{result}.backward(k)"]
    if kind == "earlier":
        return [k, earlier(f"{result}.sum()", leaves), f"{result}.backward(k)"]
    if kind == "both":
        return [k, *both(result, call, "k")]
    return [k, f"{result}.backward(k)"]


def earlier(result: str, leaves: Sequence[str]) -> str:
    """A line that keeps the gradients of a first pass backward."""
    return f"earlier = torch.autograd.grad({result}, [{', '.join(leaves)}], retain_graph=True)"


def both(result: str, call: str, k: str = "") -> Lines:
    """Lines that call once more with the same arguments, and go backward through both calls."""
    return [f"again = {call}", f"({result} - 3 * again).backward({k})"]


BOTH_CALLS = gives("again = ")
"""Whether a case goes backward through two calls with the same arguments."""


def _tenths(draw: DrawFn, shape: Shape, dtype: str) -> str:
    """The code of a tensor of small numbers, or of tenths of them."""
    by = pick(draw, (1, 10))
    return tensor([number / by for number in values(draw, math.prod(shape))], shape, dtype)


def has_tenths(case: Case) -> bool:
    """Whether the gradient of a case is one of tenths: those are below a quarter."""
    return any(re.match(r"k = torch\.tensor\(\[*-?0\.(0|1|2\b)", line) for line in case.lines)


EXPANDED = gives("sum().backward()", "sum(0).backward(")
"""Whether the gradient of a case is expanded."""

AGAIN = gives("retain_graph=True")
"""Whether a case goes back twice."""


EARLIER = gives("earlier = ")
"""Whether a case keeps the gradients of a first pass backward, which the second one leaves as they are."""


def between(draw: DrawFn, *calls: str) -> Lines:
    """Lines with another call before the way back, which has to remember its own."""
    return [f"other = {pick(draw, calls)}"] if pick(draw, (False, False, False, True)) else []


BETWEEN = gives("other = ")
"""Whether a case has another call before the way back."""


def after(lines: Lines, *names: str) -> Lines:
    """The names, and gradients kept apart; of these and of k only what a line makes."""
    made = {line.partition(" = ")[0] for line in lines}
    return [name for name in (*names, "earlier") if name not in ("k", "earlier") or name in made]


TWICE = ["second", "leaves"]


def twice(call: str, *leaves: str) -> Lines:
    """Lines that ask for the second gradients of a call: both are watched, since no gradient is one of zeros."""
    return [f"leaves = [{', '.join(leaves)}]", f"second = twice(lambda: {call}, leaves, k)"]


BY_K = gives("also_k = ")
"""Whether a case asks for second gradients by k as well."""


def twice_by_k(draw: DrawFn, made: Lines, call: str, *leaves: str) -> Case:
    """A program that asks for the second gradients of a call, and in half of the examples for those by k as well.

    Those are asked only where the others are not refused: what takes all but k for numbers may do so.
    """
    lines = [*made, *twice(call, *leaves)]
    by_k: bool = pick(draw, (False, True))
    if not by_k:
        return Case(lines, TWICE)
    also = f"twice(lambda: {call}, [*leaves, k.requires_grad_()], k)"
    return Case([*lines, f"also_k = second if second == 'refused' else {also}"], [*TWICE, "also_k"])


def wants(count: int) -> list[tuple[bool, ...]]:
    """Which of so many tensors require grad: all, then some, and not none."""
    return [flags for flags in itertools.product((True, False), repeat=count) if any(flags)]
