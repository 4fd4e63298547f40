"""What hypothesis draws for kata 19 where ranks run."""

from __future__ import annotations

import functools
import math

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import Shape, pick
from .described import Adam, Mlp, Parallel

SIZES = (2, 3, 4, 2, 3, 1)
"""How many ranks there are."""

RANKS = {
    "one rank": lambda case: case.size == 1,
    "two ranks": lambda case: case.size == 2,
    "three ranks or more": lambda case: case.size > 2,
}

SETTINGS = {
    "lr": (0.5, 0.25, 0.125, 0.0),
    "betas": ((0.5, 0.75), (0.0, 0.0), (0.75, 0.5)),
    "eps": (0.5, 1e-8, 0.0, 0.0),
}


def _column(case: Adam, index: int) -> list[bool]:
    return [step[index] for step in case.steps]


@functools.cache
@classes(
    RANKS
    | {
        "padded": lambda case: any(math.prod(shape) % case.size for shape in case.shapes),
        "fewer elements than ranks": lambda case: any(0 < math.prod(shape) < case.size for shape in case.shapes),
        "a single number": lambda case: () in case.shapes,
        "a parameter of no elements": lambda case: any(0 in shape for shape in case.shapes),
        "rows that do not go up in ranks": lambda case: any(s and s[0] % case.size for s in case.shapes),
        "two of one shape": lambda case: len(set(case.shapes)) < len(case.shapes),
        "several optimizers": lambda case: case.apart and len(case.shapes) > 1,
        "several steps": lambda case: len(case.steps) > 1,
        "more than ten steps": lambda case: len(case.steps) > 10,
        "a first gradient at step 2": lambda case: any(
            _column(case, index)[:2] == [False, True] for index in range(len(case.shapes))
        ),
        "none after a first one": lambda case: any(
            True in _column(case, index) and not all(_column(case, index)[_column(case, index).index(True) :])
            for index in range(len(case.shapes))
        ),
        "none between two": lambda case: any(
            _column(case, index) == [True, False, True] for index in range(len(case.shapes))
        ),
        "betas of 0": lambda case: case.settings.get("betas") == (0.0, 0.0),
        "gradients of zeros": lambda case: case.last == 0 and any(case.again),
        "gradients of zeros on one of several ranks": lambda case: (
            case.last == 0 and any(case.again) and case.of < case.size
        ),
        "gradients of NaN": lambda case: case.last is not None and math.isnan(case.last) and any(case.again),
        "a rate of 0": lambda case: case.settings.get("lr") == 0,
        "the usual rate": lambda case: "lr" not in case.settings,
        "the usual betas": lambda case: "betas" not in case.settings,
        "the usual eps": lambda case: "eps" not in case.settings,
        "an eps of 0": lambda case: case.settings.get("eps") == 0,
    }
)
def adams() -> SearchStrategy[Adam]:
    """Small parameters, and steps in which some have a gradient."""
    return _adams()


@st.composite
def _adams(draw: DrawFn) -> Adam:
    many = pick(draw, (False, False, False, True))
    shapes: list[Shape] = [
        pick(draw, ((3,), (2, 3), (5,), (), (3, 3), (2,), (0,), (0, 2), (2, 2, 2)))
        for _ in range(pick(draw, (1, 2, 3, 2, 2) if not many else (1,)))
    ]
    several = pick(draw, ("", "alike", "apart", "alike", "apart", "alike")) if len(shapes) > 1 else ""
    if several:
        shapes[-1] = pick(draw, ((3,), (2, 3), (5,), ()))
    if several == "alike":
        shapes[0] = shapes[-1]
    # A first gradient that comes at once, later, or twice with a step between them.
    again = True, False, True
    patterns = ((True, True, True), (False, True, True), again, again, (True, True, False), (False, True, False))
    columns = [pick(draw, patterns) for _ in shapes]
    steps = [list(step) for step in zip(*columns, strict=True)][: pick(draw, (2, 1, 3, 3, 2))]
    settings = {name: pick(draw, values) for name, values in SETTINGS.items() if pick(draw, (True, True, False))}
    last, size = pick(draw, (None, 0.0, 0.0, 0.0, math.nan)), pick(draw, SIZES)
    if many:
        steps, size = 11 * [[True]], 2
    if settings.get("eps") == 0 and (
        settings.get("betas") == (0.0, 0.0) or any(math.prod(shape) % size for shape in shapes)
    ):
        settings["eps"] = 0.5  # there may be 0 / 0, where torch and Python differ
    seed, of = draw(st.integers(1, 99)), pick(draw, (size, 1))
    return Adam(size, shapes, steps, seed, settings, last, of, several == "apart")


@functools.cache
@classes(
    {
        "two ranks": lambda case: case.size == 2,
        "three ranks or more": lambda case: case.size > 2,
        "many steps": lambda case: len(case.steps) > 9,
    }
)
def large_adams() -> SearchStrategy[Adam]:
    """Parameters of which a copy takes more than settings do."""
    return _large_adams()


@st.composite
def _large_adams(draw: DrawFn) -> Adam:
    shapes: list[Shape] = [pick(draw, ((7, 9), (64,), (5, 4, 3), (2, 30))) for _ in range(pick(draw, (1, 2)))]
    steps = [[True] * len(shapes)] * pick(draw, (2, 12))
    return Adam(pick(draw, (2, 3, 4)), shapes, steps, draw(st.integers(1, 99)), {"lr": 0.5})


@functools.cache
@classes(
    RANKS
    | {
        "one layer": lambda case: len(case.dims) == 2,
        "three layers or more": lambda case: len(case.dims) > 3,
        "rows that do not go up in ranks": lambda case: any(d % case.size for d in case.dims[1:]),
        "a rank without rows": lambda case: any(-(-d // case.size) * (case.size - 1) >= d for d in case.dims[1:]),
        "a rank without any rows at all": lambda case: all(
            -(-d // case.size) * (case.size - 1) >= d for d in case.dims[1:]
        ),
        "several samples": lambda case: case.rows > 1,
        "a rate of 0": lambda case: case.lr == 0,
        "arguments with a .grad": lambda case: case.graded,
        "none has a .grad": lambda case: not case.graded,
    }
)
def mlps() -> SearchStrategy[Mlp]:
    """Small ones."""
    return _mlps()


@st.composite
def _mlps(draw: DrawFn) -> Mlp:
    dims = tuple(pick(draw, (2, 3, 5, 1)) for _ in range(pick(draw, (3, 2, 4, 4))))
    size, rows, seed = pick(draw, SIZES), pick(draw, (1, 2, 3)), draw(st.integers(1, 99))
    return Mlp(size, dims, rows, seed, pick(draw, (0.5, 0.25, 1.0, 0.0)), pick(draw, (False, True)))


@functools.cache
@classes({"one or two digits": lambda seed: seed < 100, "three digits": lambda seed: seed > 99})
def deep_seeds() -> SearchStrategy[int]:
    """Seeds of deep ones."""
    return st.integers(1, 999)


@functools.cache
@classes(
    RANKS
    | {
        "one hidden feature on each": lambda case: case.width == 1,
        "several samples": lambda case: case.batch > 1,
        "as many features in as out": lambda case: case.d_in == case.d_out,
        "x is used elsewhere too": lambda case: case.is_shared,
        "x is no leaf and is used elsewhere too": lambda case: case.is_shared and not case.again and case.size > 1,
        "the sum of two calls": lambda case: case.again == "summed",
        "two calls, each with a backward": lambda case: case.again == "in turn",
        "no gradient of x from the first of several ranks": lambda case: case.idle and case.size > 1,
    }
)
def parallels() -> SearchStrategy[Parallel]:
    """Split MLPs."""
    return _parallels()


@st.composite
def _parallels(draw: DrawFn) -> Parallel:
    size, width = pick(draw, SIZES), pick(draw, (2, 1, 3))
    batch, d_in, d_out = pick(draw, (2, 1, 3)), pick(draw, (3, 2, 1)), pick(draw, (2, 3, 1))
    shared, again = pick(draw, (False, True)), pick(draw, ("", "", "summed", "in turn"))
    seed, idle = draw(st.integers(1, 99)), pick(draw, (False, False, True))
    return Parallel(size, width, batch, d_in, d_out, seed, shared, again, idle)
