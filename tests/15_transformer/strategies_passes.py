"""What hypothesis draws for kata 15 of forward passes: so many new tokens of so many sequences, behind a cache."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import integers, pick, sizes
from .decoder import Config
from .strategies_configs import HUGE, KINDS, REAL, equals, small

DEFAULTS = {"cached": 0, "bytes_per_param": 16, "bytes_per_value": 2}


class Case(NamedTuple):
    """A call: the config, and what stands behind it, by name."""

    config: Config
    sizes: dict[str, int]
    by_name: bool

    def ask(self, function: Callable[..., object]) -> object:
        """Call, with what has a default by name or by position, or left out."""
        needed = [value for name, value in self.sizes.items() if name not in DEFAULTS]
        given = {name: value for name, value in self.sizes.items() if name in DEFAULTS}
        if self.by_name:
            return function(self.config, *needed, **{n: value for n, value in given.items() if value != DEFAULTS[n]})
        while given and given[last := next(reversed(given))] == DEFAULTS[last]:
            del given[last]
        return function(self.config, *needed, *given.values())

    def at(self, name: str) -> int:
        """One of the sizes."""
        return self.sizes.get(name, DEFAULTS.get(name, 0))


Kinds = dict[str, Callable[[Any], object]]


def of_config(holds: Callable[[Config], object]) -> Callable[[Any], object]:
    """A class of cases by their configs."""
    return lambda case: holds(case.config)


def _has(name: str, size: int) -> Callable[[Any], object]:
    return lambda case: case.at(name) == size


OF_CONFIGS: Kinds = {
    name: of_config(holds)
    for name, holds in KINDS.items()
    if name not in ("tied, with positions", "hidden less than width")
}

OF_ANY: Kinds = OF_CONFIGS | {
    "as many positions as tokens": lambda case: case.config["positions"] == case.at("cached") + case.at("tokens") > 0,
    "one token of one sequence": lambda case: case.at("batch") == case.at("tokens") == 1 and case.at("cached") == 0,
    "several sequences": lambda case: case.at("batch") > 1,
    "several tokens": lambda case: case.at("tokens") > 1,
}

OF_NONE: Kinds = {
    "no sequences": lambda case: case.at("batch") == 0,
    "no tokens": lambda case: case.at("tokens") == 0,
}

OF_CACHES: Kinds = {
    "prefill": lambda case: case.at("cached") == 0 < case.at("tokens"),
    "decoding": lambda case: case.at("cached") > 0 and case.at("tokens") == 1,
    "several tokens behind a cache": lambda case: case.at("cached") > 0 and case.at("tokens") > 1,
}

OF_SIZES: Kinds = {f"{size} bytes for a value": _has("bytes_per_value", size) for size in (1, 2, 4, 8)}

LARGE: Kinds = {name: of_config(equals(known)) for name, known in (REAL | HUGE).items()}

LARGE_CACHES: Kinds = {"many tokens behind many": lambda case: case.at("cached") > 100 and case.at("tokens") > 30}

RUNS = {
    "GPT-2": ((1, 1024, 0), (3, 1, 1023), (3, 37, 963)),
    "GPT-3": ((1, 2048, 0), (5, 1, 2047), (2, 100, 1901)),
    "Llama-2 7B": ((1, 4096, 0), (64, 1, 4095), (7, 333, 2000)),
    "Mixtral": ((1, 8192, 0), (64, 1, 8191), (2, 501, 6000)),
} | dict.fromkeys(HUGE, ((2, 3, 0), (3, 1, 4)))
"""Batch, tokens and cached: a prefill and a step of decoding of each model; of real ones, many tokens behind many."""


@st.composite
def _cases(draw: DrawFn, names: tuple[str, ...], empty: bool) -> Case:
    found = {"batch": _size(draw, 4, 3, empty), "tokens": _size(draw, 6, 4, empty)}
    if "cached" in names:
        found["cached"] = draw(integers(5, 9)) if draw(st.booleans()) else 0
        if found["cached"] and found["tokens"] and draw(st.booleans()):
            found["tokens"] = 1
    if pick(draw, (False,) * 13 + (True,)):
        found |= {name: 0 if name == "cached" else 1 for name in found}
    behind = found.get("cached", 0) + found["tokens"]
    positions = pick(draw, (0, behind, behind + draw(st.integers(1, 9))))
    return Case(small(draw, positions), found | _bytes(draw, names), draw(st.booleans()))


def _size(draw: DrawFn, largest: int, simplest: int, empty: bool) -> int:
    return draw(sizes(largest, simplest)) if empty else draw(integers(simplest, largest))


def _bytes(draw: DrawFn, names: tuple[str, ...]) -> dict[str, int]:
    options = {"bytes_per_param": (16, 18, 12, 4, 16, 2, 5, 32), "bytes_per_value": (2, 4, 1, 8)}
    return {name: pick(draw, options[name]) for name in names if name in options}


@st.composite
def _large_cases(draw: DrawFn, names: tuple[str, ...]) -> Case:
    name = pick(draw, [*RUNS])
    run = pick(draw, RUNS[name])
    found = dict(zip(("batch", "tokens", "cached"), run, strict=True))
    if "cached" not in names:
        found["tokens"] += found.pop("cached")
    kept = {"bytes_per_param": 16, "bytes_per_value": 2}
    found |= {setting: size for setting, size in kept.items() if setting in names}
    return Case((REAL | HUGE)[name], found, draw(st.booleans()))


@functools.cache
@classes(OF_ANY | OF_NONE | OF_CACHES)
def passes() -> SearchStrategy[Case]:
    """New tokens behind a cache."""
    return _cases(("cached",), empty=True)


@functools.cache
@classes(LARGE | LARGE_CACHES)
def large_passes() -> SearchStrategy[Case]:
    """Those of real models, and of huge ones."""
    return _large_cases(("cached",))


@functools.cache
@classes(OF_ANY | OF_CACHES | OF_SIZES)
def intensities() -> SearchStrategy[Case]:
    """New tokens behind a cache, one or more of one sequence or more, in values of so many bytes."""
    return _cases(("cached", "bytes_per_value"), empty=False)


@functools.cache
@classes(LARGE | LARGE_CACHES)
def large_intensities() -> SearchStrategy[Case]:
    """Those of real models, and of huge ones."""
    return _large_cases(("cached", "bytes_per_value"))


@functools.cache
@classes(OF_ANY | OF_NONE | OF_SIZES)
def caches() -> SearchStrategy[Case]:
    """Caches of so many tokens."""
    return _cases(("bytes_per_value",), empty=True)


@functools.cache
@classes(LARGE)
def large_caches() -> SearchStrategy[Case]:
    """Those of real models, and of huge ones."""
    return _large_cases(("bytes_per_value",))


@functools.cache
@classes(
    OF_ANY
    | OF_NONE
    | OF_SIZES
    | {f"{size} bytes for a parameter": _has("bytes_per_param", size) for size in (2, 4, 5, 12, 16, 32)}
)
def steps() -> SearchStrategy[Case]:
    """Steps of a training."""
    return _cases(("bytes_per_param", "bytes_per_value"), empty=True)


@functools.cache
@classes(LARGE)
def large_steps() -> SearchStrategy[Case]:
    """Those of real models, and of huge ones."""
    return _large_cases(("bytes_per_param", "bytes_per_value"))


@functools.cache
@classes(
    {
        "one too many": lambda case: case.config["positions"] == case.at("cached") + case.at("tokens") - 1,
        "nothing cached": lambda case: case.at("cached") == 0,
        "new ones alone would fit": lambda case: case.at("tokens") <= case.config["positions"],
        "cached ones alone would fit": lambda case: 0 < case.at("cached") <= case.config["positions"],
        "cached ones alone do not fit": lambda case: case.at("cached") > case.config["positions"],
        "one new token": lambda case: case.at("tokens") == 1,
        "no layers": lambda case: case.config["layers"] == 0,
        "real models": lambda case: case.config in REAL.values(),
    }
)
def refused_passes() -> SearchStrategy[Case]:
    """Tokens beyond the positions that were learned."""
    return _refused_passes()


@st.composite
def _refused_passes(draw: DrawFn) -> Case:
    if pick(draw, (False,) * 5 + (True,)):
        known = REAL[pick(draw, ("GPT-2", "GPT-3"))]
        new, beyond = draw(st.integers(1, 99)) if draw(st.booleans()) else 1, draw(integers(1, 99))
        found = {"batch": draw(integers(2, 4)), "tokens": new, "cached": known["positions"] + beyond - new}
        return Case(known, found, draw(st.booleans()))
    tokens, cached = draw(integers(3, 6)), draw(integers(4, 9)) if draw(st.booleans()) else 0
    tokens += tokens + cached == 1  # a position at least has to be there
    beyond = draw(st.integers(1, tokens + cached - 1)) if draw(st.booleans()) else 1
    made = small(draw, cached + tokens - beyond)
    return Case(made, {"batch": draw(integers(2, 4)), "tokens": tokens, "cached": cached}, draw(st.booleans()))
