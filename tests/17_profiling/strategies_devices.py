"""What hypothesis draws for kata 17 of benchmarks, and of devices that are busy."""

from __future__ import annotations

import functools
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import integers, pick


class Bench(NamedTuple):
    """What a device has to do, and what is asked of a benchmark."""

    work: list[float]
    launch: int
    busy: int
    warmup: int
    trials: int
    now: int = 0
    again: bool = False


BENCHES = {
    "no warm-up": lambda case: case.warmup == 0,
    "no warm-up of a busy device": lambda case: case.warmup == 0 and case.busy,
    "one run to warm up": lambda case: case.warmup == 1,
    "several runs to warm up": lambda case: case.warmup > 1,
    "one trial": lambda case: case.trials == 1,
    "several trials of different work": lambda case: len({*case.work[case.warmup :]}) > 1,
    "an idle device": lambda case: not case.busy,
    "many trials": lambda case: case.trials > 8,
    "a long warm-up": lambda case: case.warmup > 5,
    "a trial that takes long": lambda case: max(case.work[case.warmup :], default=0) > 1000,
    "a trial without work": lambda case: 0 in case.work[case.warmup :],
    "runs that take equally long to warm up": lambda case: 0 < len({*case.work[: case.warmup]}) < case.warmup,
    "after another benchmark of the same runs": lambda case: case.again and case.warmup,
}


@functools.cache
@classes(
    BENCHES
    | {
        "launching takes time": lambda case: case.launch,
        "launching takes none": lambda case: not case.launch,
        "a clock beyond what a float holds": lambda case: case.now > 2**53,
    }
)
def benches() -> SearchStrategy[Bench]:
    """Devices whose launches take 3 ticks, or none."""
    return _benches(True)


@functools.cache
@classes(
    BENCHES
    | {
        "parts of a microsecond": lambda case: any(ticks * 1024 % 1 for ticks in case.work[case.warmup :]),
        "parts of a millisecond": lambda case: any(ticks % 1 for ticks in case.work[case.warmup :]),
    }
)
def event_benches() -> SearchStrategy[Bench]:
    """Devices whose launches take no time: where they do, waiting between trials puts them between the events."""
    return _benches(False)


PARTS = ((0,) * 15, (0,) * 15, (0.5, 0.125, 0.25, 0.125, 0.375) * 3, (2**-14,) * 15)
"""Of a millisecond, what a run takes besides."""


@st.composite
def _benches(draw: DrawFn, launches: bool) -> Bench:
    warmup, trials = draw(integers(1, 3, 0)), draw(integers(2, 4))
    warmup, trials = pick(draw, ((warmup, trials),) * 9 + ((6, 9),))
    work: list[float] = [pick(draw, (draw(integers(7 + place, 50)),) * 9 + (0,)) for place in range(warmup + trials)]
    work[:warmup] = [5 * ticks for ticks in work[:warmup]]
    if pick(draw, (False, False, False, True)):
        work[:warmup] = work[:1] * warmup
    if pick(draw, (False, False, False, True)):
        work[-1] += 2000
    now, launch = pick(draw, (0, 0, 1_700_000_000_000_000_001)), pick(draw, (3, 0))
    if not launches:
        now, launch = 0, 0
        work = [ticks + part for ticks, part in zip(work, pick(draw, PARTS), strict=False)]
    return Bench(work, launch, pick(draw, (0, 40)), warmup, trials, now, pick(draw, (False, False, True)))


@functools.cache
@classes(
    {
        "no trials": lambda case: case.trials == 0,
        "fewer than none": lambda case: case.trials < 0,
        "a negative warm-up": lambda case: case.warmup < 0,
        "a negative warm-up of one trial or more": lambda case: case.warmup < 0 < case.trials,
        "no trials after a warm-up": lambda case: case.trials < 1 and case.warmup > 0,
    }
)
def no_benches() -> SearchStrategy[Bench]:
    """Benchmarks without trials, or with fewer runs to warm up than none."""
    few, some = st.integers(-3, 0), integers(2, 3, 0)
    sizes = st.one_of(st.tuples(some, few), st.tuples(st.integers(-3, -1), integers(2, 3)))
    return sizes.map(lambda one: Bench([9] * (max(one[0], 0) + max(one[1], 0)), 0, 0, *one))
