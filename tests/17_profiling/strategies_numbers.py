"""What hypothesis draws for kata 17 of numbers that are made of times: percentiles, the MFU of runs, speedups."""

from __future__ import annotations

import functools
import itertools
import math
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.rates import not_positives, positives
from ..shared.shapes import integers, pick

# percentile


class Sample(NamedTuple):
    """Times, and which percentile of them."""

    times: list[float]
    q: float


def _place(case: Sample) -> float:
    return (len(case.times) - 1) * case.q / 100


@functools.cache
@classes(
    {
        "one time": lambda case: len(case.times) == 1,
        "two times": lambda case: len(case.times) == 2,
        "many": lambda case: len(case.times) > 16,
        "zeros alone": lambda case: not any(case.times),
        "times far below a millisecond": lambda case: 0 < max(case.times) < 1e-3,
        "numbers of several lengths, not in order": lambda case: (
            sorted(case.times) != sorted(case.times, key=str) and case.times != sorted(case.times)
        ),
        "times above 10**9": lambda case: max(case.times) > 10**9,
        "0": lambda case: case.q == 0,
        "100 of several": lambda case: case.q == 100 and len(case.times) > 1,
        "between two places": lambda case: _place(case) % 1,
        "nearer to the upper place": lambda case: _place(case) % 1 > 0.5,
        "halfway": lambda case: _place(case) % 1 == 0.5,
        "at a place": lambda case: 0 < case.q < 100 and not _place(case) % 1,
        "not in order": lambda case: case.times != sorted(case.times),
        "in order": lambda case: case.times == sorted(case.times) and len(case.times) > 1,
        "equal times": lambda case: len({*case.times}) < len(case.times),
        "the median of an even number": lambda case: case.q == 50 and len(case.times) % 2 == 0,
        "the median of an even number of ints, between two ints": lambda case: (
            case.q == 50
            and len(case.times) % 2 == 0
            and all(type(time) is int for time in case.times)
            and sum(sorted(case.times)[len(case.times) // 2 - 1 : len(case.times) // 2 + 1]) % 2
        ),
        "near 100": lambda case: 90 < case.q < 100,
        "above 99": lambda case: 99 < case.q < 100,
        "a fraction": lambda case: case.q % 1,
        "1 or less, and no 0": lambda case: 0 < case.q <= 1 and len({*case.times}) > 1,
        "ints": lambda case: all(type(time) is int for time in case.times),
    }
)
def samples() -> SearchStrategy[Sample]:
    """Times of any size, and any percentile."""
    return _samples()


@st.composite
def _samples(draw: DrawFn) -> Sample:
    count = pick(draw, (draw(integers(4, 9)),) * 9 + (24,))
    kinds: tuple[SearchStrategy[float], ...] = (
        integers(3, 40, 0),
        integers(3, 40, 0),
        st.floats(0, 1e3),
        st.floats(1e-6, 1e6),
        st.sampled_from((2.5, 4.0, 11.0)),
        st.floats(1e-7, 1e-4),
        st.integers(10**9, 10**10),
    )
    kind, median = pick(draw, kinds), pick(draw, (*[False] * 6, True))
    if median:
        count, kind = 2 * draw(integers(2, 4, 1)), kinds[0]
    times: list[float] = [draw(kind) for _ in range(count)]
    if pick(draw, (*[False] * 11, True)):
        times = [0 * time for time in times]
    if pick(draw, (False, False, False, True)):
        times.sort()
    place = 100 * draw(st.integers(0, max(count - 1, 0))) / max(count - 1, 1)
    half = 100 * (2 * draw(st.integers(0, max(count - 2, 0))) + 1) / max(2 * count - 2, 2)
    return Sample(
        times,
        50
        if median
        else pick(
            draw,
            (
                50,
                50,
                90,
                99,
                1,
                0,
                100,
                place,
                half,
                0.5,
                draw(st.integers(0, 100)),
                draw(st.floats(0, 100)),
                99.9,
                99.9,
            ),
        ),
    )


@functools.cache
@classes(
    {
        "no times": lambda case: not case.times,
        "below 0": lambda case: case.times and case.q < 0,
        "above 100": lambda case: case.times and case.q > 100,
        "a little below or above": lambda case: case.times and (-1 < case.q < 0 or 100 < case.q < 101),
        "hardly below or above": lambda case: case.times and (-0.01 < case.q < 0 or 100 < case.q < 100.01),
        "below or above by a rounding": lambda case: case.times and (-1e-9 < case.q < 0 or 100 < case.q < 100 + 1e-9),
        "times not in order": lambda case: case.times != sorted(case.times),
    }
)
def no_samples() -> SearchStrategy[Sample]:
    """Nothing to take a percentile of, or no percentile."""
    return _no_samples()


@st.composite
def _no_samples(draw: DrawFn) -> Sample:
    times: list[float] = [draw(integers(3 + place, 9)) for place in range(draw(integers(1, 4)))]
    above, below = draw(st.floats(100.001, 1e9)), draw(st.floats(-1e9, -0.001))
    near = (100.0001, -0.0001, 100.0001, -1e-12, 100 + 1e-12, 100 + 1e-12, -1e-12)
    q = pick(draw, (-1, 101, -0.5, 100.5, 150, -50, *near, above, below))
    return pick(draw, (Sample(times, q), Sample(times[::-1], q), Sample([], draw(integers(50, 100, 0)))))


# run_mfu

Span = tuple[float, float]


class Run(NamedTuple):
    """The steps of a run, and what is asked of them."""

    steps: list[Span]
    skip: int
    flops_per_step: float
    peak_flops: float


@functools.cache
@classes(
    {
        "none skipped": lambda run: run.skip == 0,
        "some skipped": lambda run: 0 < run.skip < len(run.steps) - 1,
        "all but one skipped": lambda run: run.skip == len(run.steps) - 1,
        "gaps between steps that count": lambda run: _gaps(run) and any(_gaps(run)),
        "no gaps": lambda run: _gaps(run) and not any(_gaps(run)),
        "a gap before the first that counts": lambda run: (
            run.skip and run.steps[run.skip - 1][1] < run.steps[run.skip][0]
        ),
        "a start that is not 0": lambda run: run.steps[0][0] > 0,
        "a start of many seconds": lambda run: run.steps[0][0] > 10**9,
        "many steps": lambda run: len(run.steps) > 8,
        "parts of a millisecond": lambda run: any(end * 1024 % 8 for _, end in run.steps),
        "less than a millisecond": lambda run: run.steps[-1][1] - run.steps[run.skip][0] < 1e-3,
    }
)
def measured_runs() -> SearchStrategy[Run]:
    """Runs of a few steps, at times whose differences are exact however they are taken."""
    return _runs()


def _gaps(run: Run) -> list[float]:
    kept = run.steps[run.skip :]
    return [after[0] - before[1] for before, after in itertools.pairwise(kept)]


@st.composite
def _runs(draw: DrawFn) -> Run:
    count, gaps = pick(draw, (draw(integers(3, 6)),) * 9 + (12,)), draw(st.booleans())
    now, steps = pick(draw, (0.0, 2.5, 1000.25, 1_700_000_000.5)), []
    unit = pick(draw, (1 / 8, 1 / 8, 1 / 8, 1 / 1024, 2**-20))
    for place in range(count):
        end = now + draw(integers(16 if place else 40, 64)) * unit
        steps.append((now, end))
        now = end + (draw(integers(4, 16, 0)) * unit if gaps else 0.0)
    return Run(steps, pick(draw, (1, 0, 2, count - 1)) % count, draw(positives(3)), draw(positives(5)))


@functools.cache
@classes(
    {
        "no steps": lambda run: not run.steps,
        "as many skipped as there are": lambda run: run.steps and run.skip == len(run.steps),
        "more skipped than there are": lambda run: run.steps and run.skip > len(run.steps),
        "a negative skip": lambda run: run.skip < 0,
        "a peak of 0": lambda run: run.peak_flops == 0,
        "a peak below 0": lambda run: run.peak_flops < 0,
    }
)
def no_runs() -> SearchStrategy[Run]:
    """Runs of which no step is left, or that have no peak."""
    return _no_runs()


@st.composite
def _no_runs(draw: DrawFn) -> Run:
    run: Run = draw(measured_runs())
    count = len(run.steps)
    return pick(
        draw,
        (
            run._replace(skip=count),
            run._replace(skip=-draw(st.integers(1, count + 1))),
            run._replace(peak_flops=draw(not_positives())),
            run._replace(peak_flops=pick(draw, (0, 0.0))),
            run._replace(skip=count + draw(st.integers(1, 3))),
            run._replace(steps=[], skip=draw(st.integers(0, 2))),
        ),
    )


# speedup


class Change(NamedTuple):
    """The parts of a step, and which of them becomes how much faster."""

    times: dict[str, float]
    name: str
    factor: float


PARTS = ("load", "forward", "backward", "update", "communicate", "log", "save")


@functools.cache
@classes(
    {
        "one part": lambda case: len(case.times) == 1,
        "several parts": lambda case: len(case.times) > 2,
        "many parts": lambda case: len(case.times) > 5,
        "infinitely fast": lambda case: case.factor == math.inf,
        "all of it, infinitely fast": lambda case: case.factor == math.inf and len(case.times) == 1,
        "a thousand times as fast or more": lambda case: 1000 <= case.factor < math.inf,
        "a hundredth as fast or less": lambda case: case.factor <= 0.01,
        "slower": lambda case: case.factor < 1,
        "as fast as before": lambda case: case.factor == 1,
        "a fraction above 1": lambda case: 1 < case.factor < math.inf and case.factor % 1,
        "not the first part": lambda case: case.name != next(iter(case.times)),
        "ints": lambda case: all(type(time) is int for time in case.times.values()),
        "parts of a second": lambda case: any(time % 1 for time in case.times.values()),
        "tiny": lambda case: max(case.times.values()) < 2e-9,
    }
)
def changes() -> SearchStrategy[Change]:
    """Parts whose sums are exact in any order, and of which none is lost beside another."""
    return _changes()


@st.composite
def _times(draw: DrawFn) -> dict[str, float]:
    count = pick(draw, (2, 3, 1, 4, 5, 1, 7))
    unit = pick(draw, (1, 0.25, 2**-35, 1, 0.25, 2**-35, 1, 0.25))
    return {name: draw(integers(3 + place, 40)) * unit for place, name in enumerate(PARTS[:count])}


@st.composite
def _changes(draw: DrawFn) -> Change:
    times = draw(_times())
    factors: tuple[float, ...] = (
        2.0,
        math.inf,
        4,
        1.5,
        0.5,
        1,
        math.inf,
        draw(st.floats(0.125, 64)),
        draw(st.floats(0.125, 1)),
        pick(
            draw, (1000, 1e9 if len(times) > 1 else 1000)
        ),  # where nothing else is left, what is saved cancels the whole
        1,
        pick(draw, (0.01, 1e-7)),
    )
    if len(times) == 1:
        factors = (*factors, *[math.inf] * 5)
    return Change(times, pick(draw, tuple(times)), pick(draw, factors))


@functools.cache
@classes(
    {
        "no such part": lambda case: case.name not in case.times,
        "no such part, as fast as before": lambda case: case.name not in case.times and case.factor == 1,
        "no part at all": lambda case: not case.times,
        "a factor of 0": lambda case: case.factor == 0,
        "a factor below 0": lambda case: case.factor < 0,
    }
)
def no_changes() -> SearchStrategy[Change]:
    """A part that is not there, or a factor that is none."""
    return _no_changes()


@st.composite
def _no_changes(draw: DrawFn) -> Change:
    case: Change = draw(changes())
    return pick(
        draw,
        (
            case._replace(name=pick(draw, ("loss", "", "Forward"))),
            case._replace(factor=pick(draw, (0, 0.0))),
            case._replace(factor=pick(draw, (-2.0, -1, -0.5, -math.inf))),
            case._replace(name="loss", factor=1),
            case._replace(times={}),
        ),
    )
