"""What hypothesis draws for kata 15 of experts, and of what FLOPs are spent on."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.rates import not_positives, positives
from ..shared.shapes import integers, pick
from .decoder import Config
from .strategies_configs import HUGE, KINDS, REAL, configs, equals

Mixture = tuple[Config, int, int]
"""A config, experts, and active ones."""


def _of_config(holds: Callable[[Config], object]) -> Callable[[Any], object]:
    return lambda case: holds(case[0])


@functools.cache
@classes(
    {name: _of_config(KINDS[name]) for name in ("no layers", "gated", "biases", "gated and biases")}
    | {
        "one expert": lambda case: case[1] == 1,
        "two experts": lambda case: case[1] == 2,
        "three experts": lambda case: case[1] == 3,
        "all active": lambda case: case[1] == case[2] > 1,
        "one active of several": lambda case: case[1] > case[2] == 1,
        "some active": lambda case: case[1] > case[2] > 1,
    }
)
def mixtures() -> SearchStrategy[Mixture]:
    """Small models, and how many experts they get."""
    return _mixtures()


@st.composite
def _mixtures(draw: DrawFn) -> Mixture:
    experts = draw(integers(4, 6, 2)) if pick(draw, (True, True, True, False)) else 1
    active = pick(draw, (2, 1, experts, draw(st.integers(1, experts))))
    return draw(configs()), experts, min(active, experts)


@functools.cache
@classes(
    {name: _of_config(equals(known)) for name, known in (REAL | HUGE).items()}
    | {"many experts": lambda case: case[1] > 16}
)
def large_mixtures() -> SearchStrategy[Mixture]:
    """Real models with eight experts, of which two are active as in Mixtral, or many, and huge ones."""
    real = [(one, 8, 2) for one in REAL.values()]
    # Models of many experts take long to make.
    return st.sampled_from([*real, (REAL["GPT-2"], 20, 9)]) | st.sampled_from([(one, 3, 1) for one in HUGE.values()])


@functools.cache
@classes(
    {
        "none active": lambda case: case[2] == 0,
        "fewer than none": lambda case: case[2] < 0,
        "fewer experts than none": lambda case: case[1] < 0,
        "one too many": lambda case: case[2] == case[1] + 1,
        "no experts": lambda case: case[1] == 0,
        "no experts, none active": lambda case: case[1:] == (0, 0),
        "as many active as there are, fewer than none": lambda case: case[1] == case[2] < 0,
    }
)
def refused_mixtures() -> SearchStrategy[Mixture]:
    """More active ones than there are, or fewer than one."""
    return _refused_mixtures()


@st.composite
def _refused_mixtures(draw: DrawFn) -> Mixture:
    experts = draw(integers(3, 6))
    below = -draw(integers(1, 3))
    pairs = [(experts, 0), (experts, experts + 1), (experts, below), (0, 0), (0, 1), (experts, experts + 3)]
    return (draw(configs()), *pick(draw, [*pairs, (-experts, below), (below, below)]))


Budget = tuple[float, ...]
"""FLOPs, and tokens for each parameter where they are not 20."""


@functools.cache
@classes(
    {
        "FLOPs alone": lambda case: len(case) == 1,
        "an int": lambda case: type(case[0]) is int,
        "beyond 2**64": lambda case: case[0] > 2**64,
        "fewer than 6": lambda case: case[0] < 6,
        "fewer tokens than parameters": lambda case: len(case) > 1 and case[1] < 1,
        "more than 20 tokens for a parameter": lambda case: len(case) > 1 and case[1] > 20,
        "more than 1000 tokens for a parameter": lambda case: len(case) > 1 and case[1] > 1000,
        "all but no FLOPs": lambda case: case[0] < 1e-16,
        "fewer tokens than a hundredth of the parameters": lambda case: len(case) > 1 and 1e-16 < case[1] < 0.01,
        "all but no tokens for a parameter": lambda case: len(case) > 1 and case[1] < 1e-16,
        "beyond 10**32": lambda case: case[0] > 1e32,
    }
)
def budgets() -> SearchStrategy[Budget]:
    """FLOPs to spend: those of published runs, and any others."""
    some = st.one_of(integers(12000, 10**6), st.sampled_from((5.76e23, 3.14e23, 6e18)), st.integers(2**64, 10**27))
    tiny = st.floats(1e-20, 1e-17)  # below any number that is taken for 0
    any_size = (st.floats(1e-3, 1e27), st.floats(1e-3, 6), tiny, st.floats(1e33, 1e60))
    spent = st.one_of(some, some, some, *any_size)
    fractions = (st.floats(0.01, 300.0), st.floats(0.01, 1.0), st.floats(1e-4, 0.01), tiny, st.floats(1e3, 1e5))
    ratio = st.one_of(integers(5, 400), st.sampled_from((20.0, 214.0, 1875.0)), *fractions)
    return _budgets(spent, ratio)


@st.composite
def _budgets(draw: DrawFn, spent: SearchStrategy[float], ratio: SearchStrategy[float]) -> Budget:
    alone = pick(draw, (True, False, False))
    return (draw(spent),) if alone else (draw(spent), draw(ratio))


@functools.cache
@classes(
    {
        "no FLOPs": lambda case: case[0] == 0,
        "fewer than none": lambda case: case[0] < 0,
        "no tokens for a parameter": lambda case: len(case) > 1 and case[1] == 0,
        "fewer than no tokens": lambda case: len(case) > 1 and case[1] < 0 < case[0],
        "both": lambda case: len(case) > 1 and case[0] <= 0 and case[1] <= 0,
        "FLOPs alone": lambda case: len(case) == 1,
    }
)
def refused_budgets() -> SearchStrategy[Budget]:
    """Nothing to spend, or no tokens for a parameter; both below 0 have a positive quotient."""
    good, bad = positives(), not_positives()
    return st.one_of(st.tuples(bad), st.tuples(bad, good), st.tuples(good, bad), st.tuples(bad, bad))
