"""What hypothesis draws for kata 08 of tensors: as code that makes them, with patterns that rearrange them."""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import Shape, pick
from .patterns import DOTS, Pattern, has_dots, names_of
from .strategies_patterns import GAINS, KEEPS, LOSES, OF_DOTS, OF_THE_LEFT, OF_THE_RIGHT, patterns

STEPS = (1, 7, 11, 5)
CONTIGUOUS = ("contiguous", "contiguous", "contiguous", "behind others")
LAYOUTS = ("contiguous", "contiguous", "permuted", "sliced", "sliced", "behind others")

LARGE = " + 2**25 + 0.5"
"""What makes numbers of others that neither float32 nor an int holds."""


def typed(
    draw: DrawFn, shape: Shape, negative: bool = False, layouts: tuple[str, ...] = LAYOUTS, large: str = ""
) -> str:
    """A tensor of different whole numbers in float64, in order or shuffled, contiguous or not: sums of them are exact.

    negative: about half of them are, and one is 0; otherwise they begin with 1. large: what is added to each.
    """
    layout = pick(draw, layouts if shape else CONTIGUOUS)
    count = math.prod(shape) * (2 if layout in ("sliced", "behind others") else 1)
    first = -(count // 2) if negative else 1
    step = pick(draw, STEPS)
    numbers = f"torch.arange({first}, {first + count}, dtype=torch.float64)"
    if step > 1 and count > 1 and math.gcd(step, count) == 1:  # then each remainder comes once
        numbers = f"(torch.arange({count}, dtype=torch.float64) * {step} % {count} {'+-'[first < 0]} {abs(first)})"
    if large:
        numbers = f"{numbers[:-1] if numbers.startswith('(') else f'({numbers}'}{large})"
    if layout == "sliced":
        return f"{_reshaped(numbers, (*shape, 2))}[..., {pick(draw, (0, 1))}]"
    if layout == "behind others":
        return f"{_reshaped(numbers, (2, *shape))}[1]"
    if layout == "permuted" and len(shape) > 1:
        return f"{_reshaped(numbers, shape[::-1])}.permute({', '.join(map(str, range(len(shape))[::-1]))})"
    return numbers if len(shape) == 1 else _reshaped(numbers, shape)


def _reshaped(numbers: str, shape: Shape) -> str:
    return f"{numbers}.reshape({', '.join(map(str, shape)) or '()'})"


Case = tuple[Pattern, str]


OF_TENSORS = {
    "permuted": lambda case: ".permute(" in case[1],
    "sliced": lambda case: "[..., " in case[1],
    "sliced behind the start": lambda case: "[..., 1]" in case[1],
    "contiguous behind others": lambda case: case[1].endswith(")[1]"),
    "shuffled": lambda case: " % " in case[1],
    "contiguous": lambda case: "permute" not in case[1] and "[" not in case[1],
    "neither float32 nor ints hold the numbers": lambda case: "2**" in case[1],
}


@functools.cache
@classes(OF_THE_LEFT | OF_DOTS | OF_THE_RIGHT | OF_TENSORS)
@st.composite
def rearrangements(draw: DrawFn) -> Case:
    """A pattern of rearrange, and x."""
    pattern = draw(patterns(KEEPS))
    return pattern, typed(draw, pattern.shape, large=pick(draw, ("", "", "", "", LARGE)))


@functools.cache
@classes(
    OF_THE_LEFT
    | OF_DOTS
    | OF_THE_RIGHT
    | OF_TENSORS
    | {
        "one name is new": lambda case: len(case[0].new) == 1,
        "several names are new": lambda case: len(case[0].new) > 1,
        "no name is new": lambda case: not case[0].new,
        "a new name behind an old one in a group": lambda case: _in_a_group(case[0], (False, True)),
        "a new name before an old one in a group": lambda case: _in_a_group(case[0], (True, False)),
        "a new name of size 1": lambda case: any(case[0].sizes[name] == 1 for name in case[0].new),
    }
)
@st.composite
def repetitions(draw: DrawFn) -> Case:
    """A pattern of repeat, and x."""
    pattern = draw(patterns(GAINS))
    return pattern, typed(draw, pattern.shape, large=pick(draw, ("", "", "", "", LARGE)))


def _in_a_group(pattern: Pattern, news: tuple[bool, bool]) -> bool:
    """Whether two neighbours in a group on the right are new, or not, as this says."""
    groups = [names_of([dim]) for dim in pattern.right]
    return any(news == (a in pattern.new, b in pattern.new) for names in groups for a, b in itertools.pairwise(names))


OPS = ("sum", "max", "mean", "min")

FAR = {"sum": LARGE, "max": " - 2**40 - 0.5", "mean": LARGE, "min": " + 2**40 + 0.5"}
"""The same for each op: the largest number is far below 0, and the smallest one far above."""


def _is_op(op: str, case: tuple[Pattern, str, str]) -> bool:
    return case[2] == op


@functools.cache
@classes(
    OF_THE_LEFT
    | OF_DOTS
    | OF_THE_RIGHT
    | {
        **{op: functools.partial(_is_op, op) for op in OPS},
        "one name is reduced away": lambda case: len(case[0].lost) == 1,
        "several names are reduced away": lambda case: len(case[0].lost) > 1,
        "nothing is reduced away": lambda case: not case[0].lost,
        "the dots are reduced away": lambda case: DOTS in case[0].left and not has_dots(case[0].right),
        "all is reduced away": lambda case: not names_of(case[0].right) and case[0].lost,
        "no dimension is left": lambda case: case[0].left and not case[0].right,
        "all numbers are far below 0": lambda case: FAR["max"] in case[1],
        "all numbers are far above 0": lambda case: FAR["min"] in case[1],
        "the mean of no numbers": lambda case: case[2] == "mean" and reduces_nothing(case[0]),
        "the sum of no numbers": lambda case: case[2] == "sum" and reduces_nothing(case[0]),
    }
)
@st.composite
def reductions(draw: DrawFn) -> tuple[Pattern, str, str]:
    """A pattern of reduce, x, and how it is reduced."""
    pattern = draw(patterns(LOSES))
    if draw(st.integers(0, 6)) == 6:
        pattern = replace(pattern, right=())
    op = pick(draw, ("sum", "mean") if reduces_nothing(pattern) else OPS)  # max and min of no numbers are not asked
    large = pick(draw, ("", "", FAR[op]))
    return pattern, typed(draw, pattern.shape, negative=True, large=large), op


def reduces_nothing(pattern: Pattern) -> bool:
    """Whether a dimension of size 0 is reduced away."""
    dots = () if has_dots(pattern.right) else pattern.dots
    return 0 in (*(pattern.size_of[name] for name in pattern.lost), *dots)


KNOWN_TO_EINOPS = "prod"
"""Which the stub leaves out."""

OTHER_OPS = ("median", "SUM", "average", "sum ", "amax", "", "Mean", "first", "avg", KNOWN_TO_EINOPS)


@functools.cache
@classes({"one that is nearly there": lambda ops: ops[0].lower().strip() in OPS, "no text": lambda ops: not ops[0]})
def other_ops() -> SearchStrategy[list[str]]:
    """All that is no way to reduce, in any order."""
    return st.permutations(OTHER_OPS)
