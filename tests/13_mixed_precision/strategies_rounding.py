"""What hypothesis draws for kata 13 of stochastic rounding: numbers between neighbours of bfloat16, rounded often."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import pick
from .typed import typed, typed_tensor

ROUNDS = 4096
SEED = "g = torch.Generator().manual_seed({})"
ROUND = "rounded = stochastic_round(x, g)"
MOST = torch.finfo(torch.bfloat16).max
STEP = 2.0**-7
"""From 1 to 2, two neighbours are so far apart."""
LEAST = 2.0**-133
"""The least subnormal number of bfloat16, and the distance of all subnormal ones."""

BETWEEN = ("ordinary", "below a power of two", "above a power of two", "subnormal", "below the least", "tiny", "huge")
EXACT = ("0.0", "-0.0", "inf", "-inf", "a power of two", "the largest", "a number that bfloat16 holds", "the least")
WHERE = (0.25, 0.5, 0.75, 0.9, 0.1)
"""The chance to go away from 0; of these, all but two are no chance of a fair coin."""


def _between(draw: DrawFn, kind: str, chance: float) -> float:
    """A number of that kind that lies so far on the way between its neighbours."""
    place = {"below a power of two": 127, "above a power of two": 0}.get(kind, draw(st.integers(0, 127)))
    if kind == "huge":  # up to bfloat16's largest number, of place 127
        return (1 + (min(place, 126) + chance) * STEP) * 2.0 ** pick(draw, (126, 127))
    if kind == "below the least":
        return LEAST * chance
    if kind == "subnormal":
        return LEAST * (1 + place % 100 + chance)
    exponent = -120 if kind == "tiny" else pick(draw, (0, -3, 5, -20, 11))
    return (1 + (place + chance) * STEP) * 2.0**exponent


def _exact(draw: DrawFn, kind: str) -> float:
    return {
        "a power of two": 2.0 ** draw(st.integers(-30, 30)),
        "the largest": MOST,
        "the least": LEAST,
        "a number that bfloat16 holds": 1 + draw(st.integers(1, 127)) * STEP,
    }.get(kind) or float(kind)


class Rounded(NamedTuple):
    """A program that rounds once, the kinds of its numbers, and its layout."""

    lines: Lines
    kinds: tuple[str, ...]
    numbers: tuple[float, ...]
    layout: str


def _holds(kind: str) -> Callable[[Rounded], bool]:
    return lambda case: kind in case.kinds


@functools.cache
@classes(
    {
        **{kind: _holds(kind) for kind in (*BETWEEN, *EXACT)},
        "negative": lambda case: any(number < 0 for number in case.numbers),
        "between 2**127 and the largest": lambda case: any(2.0**127 < abs(number) < MOST for number in case.numbers),
        "one number": lambda case: case.layout == "number",
        "nothing": lambda case: case.layout == "empty",
        "transposed": lambda case: case.layout == "transposed",
        "every second of others": lambda case: case.layout == "sliced",
        "four dimensions": lambda case: case.layout == "deep",
    }
)
def rounded() -> SearchStrategy[Rounded]:
    """Programs that round eight numbers of all kinds, in any layout."""
    return _rounded()


@st.composite
def _rounded(draw: DrawFn) -> Rounded:
    layout = pick(draw, ("flat", "rows", "transposed", "sliced", "flat", "deep", "number", "empty"))
    count = {"number": 1, "empty": 0}.get(layout, 8)
    kinds = tuple(pick(draw, EXACT if place % 2 else BETWEEN) for place in range(count))
    signs = draw(st.integers(0, 2**count - 1))
    numbers = tuple(
        _exact(draw, kind)
        if kind in EXACT
        else _between(draw, kind, pick(draw, (*WHERE, 2.0**-16))) * (-1) ** (signs >> place)
        for place, kind in enumerate(kinds)
    )
    made = pick(draw, ("torch.zeros(0, 3)", "torch.tensor([])")) if layout == "empty" else typed_tensor(numbers, layout)
    return Rounded([f"x = {made}", SEED.format(draw(st.integers(0, 9999))), ROUND], kinds, numbers, layout)


class Repeated(NamedTuple):
    """A program that rounds numbers many times, each in a part of x: the numbers, and their counts."""

    lines: Lines
    numbers: tuple[float, ...]
    kinds: tuple[str, ...]
    rounds: tuple[int, ...]


def _typed_parts(draw: DrawFn, numbers: tuple[float, ...], rounds: tuple[int, ...]) -> Lines:
    parts = [f"torch.full(({count},), {typed(number)})" for number, count in zip(numbers, rounds, strict=True)]
    lines = [f"parts = [{parts[0]}]", *(f"parts.append({part})" for part in parts[1:])]
    return [*lines, "x = torch.cat(parts)", SEED.format(draw(st.integers(0, 9999))), ROUND]


def _repeats(kind: str) -> Callable[[Repeated], bool]:
    return lambda case: kind in case.kinds


def _with(chance: float) -> Callable[[Repeated], bool]:
    return lambda case: chance in _chances(case)


@functools.cache
@classes(
    {
        **{kind: _repeats(kind) for kind in BETWEEN},
        "negative": lambda case: any(number < 0 for number in case.numbers),
        "beyond 2**127": lambda case: any(abs(number) > 2.0**127 for number in case.numbers),
        **{f"a chance of {chance}": _with(chance) for chance in WHERE},
    }
)
def repeated() -> SearchStrategy[Repeated]:
    """Programs that round three numbers 4096 times each."""
    return _repeated()


def _chances(case: Repeated) -> list[float]:
    """The chances of ordinary numbers, as they were drawn."""
    found = [(math.frexp(abs(number))[0] * 256) % 1 for number in case.numbers]
    return [min(WHERE, key=lambda chance: abs(chance - one)) for one in found]


@st.composite
def _repeated(draw: DrawFn) -> Repeated:
    kinds = tuple(pick(draw, BETWEEN) for _ in range(3))
    numbers = tuple(_float32(_between(draw, kind, pick(draw, WHERE)) * pick(draw, (1, -1))) for kind in kinds)
    rounds = (ROUNDS,) * 3
    return Repeated(_typed_parts(draw, numbers, rounds), numbers, kinds, rounds)


def _float32(number: float) -> float:
    """The float32 nearest to it: chances such as 0.9 are none that it holds."""
    return torch.tensor(number).item()


SELDOM, NEARLY = 2.0**-16, 0.00048
"""A chance of which random numbers of fewer than 16 bits make nothing, or more; and one that shows fewer than 12."""
AT_ONCE, CALLED = 2**18, 8
"""How many numbers of the first chance are rounded at once, and how often: all of them stay once in 10**13 times."""


class Seldom(NamedTuple):
    """A program that rounds numbers of the second chance and of 0, each in a part of x, and counts ups of the first."""

    lines: Lines
    numbers: tuple[float, ...]
    rounds: tuple[int, ...]
    number: float


@functools.cache
@classes(
    {
        "negative": lambda case: case.number < 0,
        "positive": lambda case: case.number > 0,
        "below 1": lambda case: abs(case.number) < 1,
    }
)
def seldom_rounded() -> SearchStrategy[Seldom]:
    """Programs that round two numbers which hardly ever go up, and one that never does, very often."""
    return _seldom_rounded()


@st.composite
def _seldom_rounded(draw: DrawFn) -> Seldom:
    places = [draw(st.integers(0, 126)) for _ in range(3)]
    chances = SELDOM, NEARLY, 0.0
    unit = pick(draw, (1.0, 0.25)) * pick(draw, (1, -1))
    number, *numbers = (
        _float32((1 + (place + chance) * STEP) * unit) for place, chance in zip(places, chances, strict=True)
    )
    rounds = 2**18, 2**19
    lines = _typed_parts(draw, tuple(numbers), rounds)
    lines += [f"seldom = torch.full(({AT_ONCE},), {typed(number)})"]
    lines += [f"many = [stochastic_round(seldom, g) for _ in range({CALLED})]"]
    lines += [f"ups = sum((one.float().abs() > {typed(abs(number))}).sum().item() for one in many)"]
    return Seldom(lines, tuple(numbers), rounds, number)


HALF_WAY, COINS, CALLS = 1 + STEP / 2, 64, 16
"""A number that goes up as often as not, so many of it that are rounded at once, and how many times."""


class Seeded(NamedTuple):
    """A program that rounds with one generator twice, with the same seed again, with another one, and in many calls.

    The number is the one that is rounded 4096 times.
    """

    lines: Lines
    last: int
    number: float


@functools.cache
@classes(
    {
        "two dimensions": lambda case: "64, 64" in "".join(case.lines),
        "one dimension": lambda case: "4096" in "".join(case.lines),
        "three dimensions": lambda case: "16, 16, 16" in "".join(case.lines),
        "a seed of 0": lambda case: any(line == SEED.format(0) for line in case.lines),
    }
)
def seeded_rounds() -> SearchStrategy[Seeded]:
    """Programs that round 4096 equal numbers four times, and 64 others sixteen times."""
    return _seeded_rounds()


@st.composite
def _seeded_rounds(draw: DrawFn) -> Seeded:
    number = _between(draw, pick(draw, BETWEEN[:3]), pick(draw, (0.5, 0.375, 0.625)))
    shape = pick(draw, ("(64, 64)", "(4096,)", "(16, 16, 16)"))
    seed = pick(draw, (draw(st.integers(1, 9999)), 0))
    first, last = draw(st.integers(10_000, 10_999)), draw(st.integers(11_000, 11_999))  # none of a generator's
    lines = [f"x = torch.full({shape}, {typed(number)})", f"torch.manual_seed({first})", SEED.format(seed)]
    lines += ["rounded, second = stochastic_round(x, g), stochastic_round(x, g)", f"torch.manual_seed({last})"]
    lines.append(f"again = stochastic_round(x, torch.Generator().manual_seed({seed}))")
    lines.append(f"other = stochastic_round(x, torch.Generator().manual_seed({seed + 1}))")
    lines.append(f"tossed = torch.full(({COINS},), {typed(HALF_WAY)})")
    lines.append(f"tosses = [stochastic_round(tossed, g) for _ in range({CALLS})]")
    return Seeded(lines, last, number)
