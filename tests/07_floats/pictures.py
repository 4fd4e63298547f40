"""What a report draws beside a failing example of kata 07: the fields of a pattern, and a result step by step."""

from __future__ import annotations

from collections.abc import Sequence

from dojo.judging.pictures import Terms
from dojo.seam.data import shown

from ..shared.sums import Ask, asked
from . import truth
from .formats import Format, fields, magnitudes, name_of

FIELDS = ("sign", "exponent", "mantissa")
LONGEST = 10
"""Values of a running total that are drawn one after the other."""


def of_bits(answer: object, bits: int, fmt: Format, right: float) -> Terms | None:
    """A pattern field by field, and what it means."""
    if not 0 <= bits < 2 * magnitudes(fmt):
        return None
    rows = [(name, "", field) for name, field in zip(FIELDS, fields(bits, fmt), strict=True)]
    return Terms(rows, ("means", shown(answer), shown(right)), f"Written as {name_of(fmt)}.", "bit by bit")


def of_two(answer: object, bits: int, fmt: Format) -> Terms | None:
    """Two patterns field by field, the learner's and torch's, and what they mean."""
    if type(answer) is not int or not 0 <= answer < 2 * magnitudes(fmt):
        return None
    rows = list(zip(FIELDS, fields(answer, fmt), fields(bits, fmt), strict=True))
    means = [shown(value) for value in truth.numbers([answer, bits], fmt)]
    return Terms(rows, ("means", means[0], means[1]), f"Written as {name_of(fmt)}.", "bit by bit")


def neighbours(answer: object, x: float, fmt: Format, right: float) -> Terms:
    """A gap, between its two ends."""
    below, above = truth.around(abs(x), fmt)
    rows = [("|x|", "", shown(abs(x))), ("not above it", "", shown(below)), ("the next one", "", shown(above))]
    return Terms(rows, ("gap", shown(answer), shown(right)), f"Numbers of {name_of(fmt)}.", "step by step")


def totals(answer: object, kata: object, values: Sequence[float], fmt: Format) -> Terms | None:
    """A running total, value by value. None where there are too many to draw, or too few."""
    if not 1 < len(values) <= LONGEST:
        return None

    def ask(count: int) -> Ask:
        return lambda: kata.accumulate(list(values[:count]), fmt)  # type: ignore[attr-defined]

    rows = [
        (f"with {shown(values[count - 1])}", asked(ask(count)), shown(truth.accumulated(values[:count], fmt)))
        for count in range(1, len(values))
    ]
    total = (f"with {shown(values[-1])}", shown(answer), shown(truth.accumulated(values, fmt)))
    return Terms(rows, total, f"Totals in {name_of(fmt)}, from 0.0 on.", "step by step")


def update(answer: object, p: float, fmt: Format, right: float) -> Terms | None:
    """p with the learner's update and with the right one, before rounding and after."""
    if type(answer) is not float or not 0 <= answer <= truth.largest(fmt):
        return None
    rows = [("p + u", shown(p + answer), shown(p + right))]
    sums = [shown(truth.added(p, u, fmt)) for u in (answer, right)]
    return Terms(rows, ("rounded", sums[0], sums[1]), f"p is {shown(p)}, in {name_of(fmt)}.", "step by step")


def chance(answer: object, x: float, fmt: Format, u: float, right: float) -> Terms | None:
    """The two neighbours of x, and how far x is on the way from one to the other. None where the format has x."""
    if right == x:
        return None
    below, above = truth.around(x, fmt)
    share = (x - below) / (above - below)
    rows = [("below", "", shown(below)), ("above", "", shown(above)), ("share of the way", "", shown(share))]
    rows.append(("u", "", f"{shown(u)}, {'less' if u < share else 'not less'}"))
    return Terms(rows, ("result", shown(answer), shown(right)), f"Numbers of {name_of(fmt)}.", "step by step")


def scale(answer: object, values: Sequence[float], fmt: Format, right: tuple[int, list[int]]) -> Terms | None:
    """How the scale of a block comes about, and its elements."""
    if type(answer) is not tuple or len(answer) != 2:
        return None
    most, largest = max(map(abs, values)), truth.largest(fmt)
    rows = [
        (f"floor(log2({shown(most)}))", "", shown(truth.exponent(most))),
        (f"floor(log2({shown(largest)}))", "", shown(truth.exponent(largest))),
        ("scale", shown(answer[0]), shown(right[0])),
    ]
    note = f"The largest number of {name_of(fmt)} is {shown(largest)}."
    return Terms(rows, ("elements", shown(answer[1]), shown(right[1])), note, "step by step")
