"""What hypothesis draws for kata 12 of schedules: settings, and the steps that are asked of each."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import integers, pick


class Schedule(NamedTuple):
    """The settings of a schedule; min_lr is None where it is left out."""

    max_lr: float
    warmup_steps: int
    total_steps: int
    min_lr: float | None
    by_name: bool
    steps: list[int]

    @property
    def settings(self) -> tuple[float, ...]:
        """What is handed over by place, behind the step."""
        given = (self.max_lr, self.warmup_steps, self.total_steps)
        return given if self.min_lr is None or self.by_name else (*given, self.min_lr)

    @property
    def named(self) -> dict[str, float]:
        """What is handed over by its name."""
        return {"min_lr": self.min_lr} if self.min_lr is not None and self.by_name else {}

    @property
    def least(self) -> float:
        """The floor."""
        return self.min_lr or 0.0


def _warms_up(least: int, most: int) -> Callable[[Schedule], bool]:
    return lambda case: least <= case.warmup_steps <= most


@functools.cache
@classes(
    {
        "no warm-up": _warms_up(0, 0),
        "one step of warm-up": _warms_up(1, 1),
        "several steps of warm-up": _warms_up(2, 99),
        "one step of the cosine": lambda case: case.total_steps - case.warmup_steps == 1,
        "no floor": lambda case: case.min_lr is None,
        "a floor above the first rate": lambda case: case.least * case.warmup_steps > case.max_lr,
        "a floor": lambda case: 0 < case.least < case.max_lr,
        "a floor as high as the top": lambda case: case.least == case.max_lr > 0,
        "a top of 0": lambda case: case.max_lr == 0,
        "hundreds of steps": lambda case: case.total_steps >= 300,
    }
)
def schedules() -> SearchStrategy[Schedule]:
    """Settings, and steps at the ends of each piece, within them and long after."""
    return _schedules()


LONG = ((150, 800), (0, 1500))
"""Settings of which torch's schedules take their time to step; so they are few, and found once."""


@st.composite
def _schedules(draw: DrawFn) -> Schedule:
    warmup = pick(draw, (4, 2, 3, 10, 0, 1, 0, 1))
    total = warmup + pick(draw, (4, 8, 5, 40, 1, 2, 1))
    max_lr = pick(draw, (*(1.0, 0.5, 3e-4, 6.0) * 3, 0.0))
    min_lr = pick(draw, (None, max_lr / 10, max_lr / 2, None, 0.0, max_lr, max_lr / 2))
    if pick(draw, (False,) * 9 + (True,)):
        (warmup, total), max_lr, min_lr = pick(draw, LONG), 6.0, pick(draw, (None, 0.5))
    edges = [0, warmup - 1, warmup, warmup + 1, total - 1, total, total + 1, total + draw(integers(5, 99)), 10**12]
    steps = [step for step in [*edges, draw(st.integers(0, total))] if step >= 0]
    return Schedule(max_lr, warmup, total, min_lr, draw(st.booleans()), draw(st.permutations(steps)))


@functools.cache
@classes(
    {
        "nothing but warm-up": lambda case: case[0][2] == case[0][3] > 0,
        "more warm-up than steps": lambda case: case[0][2] > case[0][3] > 0,
        "no steps": lambda case: case[0][2] == case[0][3] == 0,
        "a negative warm-up": lambda case: case[0][2] < 0,
        "a negative step": lambda case: case[0][0] < 0,
    }
)
def refused_schedules() -> SearchStrategy[tuple[tuple[float, ...], str]]:
    """Steps and settings that are none, and what is wrong with them."""
    return _refused_schedules()


@st.composite
def _refused_schedules(draw: DrawFn) -> tuple[tuple[float, ...], str]:
    warmup, max_lr = draw(integers(4, 9)), pick(draw, (1.0, 0.5))
    kind = pick(draw, ("equal", "more", "none", "negative", "step", "step"))
    step = draw(integers(2, 5, 0))
    if kind == "step":
        step = -pick(draw, (1, 2, 10))
        return (step, max_lr, pick(draw, (warmup, warmup, 0)), warmup + draw(integers(4, 9))), f"step is {step}"
    if kind == "negative":
        return (step, max_lr, -warmup, pick(draw, (8, 1, 0))), f"warmup_steps is {-warmup}"
    if kind == "none":
        total = pick(draw, (0, 0, -3))
        return (step, max_lr, 0, total), f"warmup_steps is 0, and total_steps {total}"
    total = warmup if kind == "equal" else draw(st.integers(1, max(warmup - 1, 1)))
    return (step, max_lr, max(warmup, total), total), f"warmup_steps is {max(warmup, total)}, and total_steps {total}"
