"""What hypothesis draws for kata 15 of models: small ones, real ones, and ones whose counts no float holds."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import integers, pick
from .decoder import Config

KEYS = (
    "vocab",
    "layers",
    "width",
    "heads",
    "kv_heads",
    "head_dim",
    "hidden",
    "gated",
    "bias",
    "positions",
    "tied",
)


def config(*values: Any) -> Config:
    """The config of these values, in the order of the keys."""
    return dict(zip(KEYS, values, strict=True))


REAL = {
    "GPT-2": config(50257, 12, 768, 12, 12, 64, 3072, False, True, 1024, True),
    "GPT-3": config(50257, 96, 12288, 96, 96, 128, 49152, False, True, 2048, True),
    "Llama-2 7B": config(32000, 32, 4096, 32, 32, 128, 11008, True, False, 0, False),
    "Mixtral": config(32000, 32, 4096, 32, 8, 128, 14336, True, False, 0, False),
}
"""As they were published; Mixtral with one of its experts."""

HUGE = {
    "beyond 64 bits": config(2**30 - 3, 2, 2**30 + 1, 2, 2, 2**29 + 1, 3 * 2**29 + 7, True, True, 0, False),
    "of huge matrices": config(2**29 - 3, 2, 2**28 + 5, 4, 2, 2**24 + 1, 2**29 + 7, True, True, 0, False),
    "of huge heads": config(7, 2, 5, 6, 3, 2**53 + 9, 9, False, True, 0, False),
    "of huge width": config(3, 2, 2**55 + 9, 1, 1, 1, 2, True, True, 5, False),
    "of heads beyond 2**100": config(9, 6, 2**39 + 7, 2, 1, 2**61 + 3, 9, True, False, 0, True),
    "of an MLP beyond 2**100": config(5, 2, 2**39 + 9, 2, 2, 2, 2**61 + 5, True, True, 0, False),
}
"""Models whose counts are beyond 2**53, and no multiples of a large power of 2. Meta has all but the last two."""

KINDS = {
    "no layers": lambda one: one["layers"] == 0,
    "several layers": lambda one: one["layers"] > 1,
    "gated": lambda one: one["gated"],
    "biases": lambda one: one["bias"],
    "gated and biases": lambda one: one["gated"] and one["bias"] and one["layers"],
    "tied": lambda one: one["tied"],
    "tied, with positions": lambda one: one["tied"] and one["positions"],
    "rotary positions": lambda one: one["positions"] == 0,
    "one head": lambda one: one["heads"] == 1,
    "heads in groups": lambda one: one["heads"] > one["kv_heads"] > 1,
    "one key head for several heads": lambda one: one["heads"] > one["kv_heads"] == 1,
    "a key head for each head": lambda one: one["heads"] == one["kv_heads"] > 1,
    "heads that are not width": lambda one: one["heads"] * one["head_dim"] != one["width"],
    "one head, as wide as width": lambda one: one["heads"] == 1 and one["head_dim"] == one["width"],
    "keys in another order": lambda one: tuple(one) != KEYS,
    "hidden less than width": lambda one: one["hidden"] < one["width"],
    "gated, with hidden four times width": lambda one: one["gated"] and one["hidden"] == 4 * one["width"],
}
"""The classes of configs."""


def equals(known: Config) -> Callable[[Any], bool]:
    """The class of this one config."""
    return lambda one: one == known


def small(draw: DrawFn, positions: int | None = None) -> Config:
    """A config of small sizes, all of them apart; positions: how many rows, if that is known."""
    kv_heads = draw(integers(2, 3))
    heads = kv_heads * draw(integers(2, 3))
    head_dim, width, hidden, vocab = (draw(integers(simplest, largest)) for simplest, largest in SIZES)
    gated, bias, tied = (draw(st.booleans()) for _ in range(3))
    if positions is None:
        positions = draw(integers(11, 20)) if draw(st.booleans()) else 0
    layers = pick(draw, (2, 1, 2, 1, 0))
    if pick(draw, (False,) * 9 + (True,)):
        heads, kv_heads, width = 1, 1, head_dim
    if pick(draw, (False,) * 4 + (True,)):
        hidden = 4 * width
    made = config(vocab, layers, width, heads, kv_heads, head_dim, hidden, gated, bias, positions, tied)
    return dict(reversed(made.items())) if pick(draw, (False,) * 9 + (True,)) else made


SIZES = ((3, 5), (5, 9), (7, 9), (8, 9))
"""Of head_dim, width, hidden and vocab: the simplest and the largest."""


@functools.cache
@classes(KINDS)
def configs() -> SearchStrategy[Config]:
    """Small models of every kind."""
    return st.composite(small)()


@functools.cache
@classes({name: equals(known) for name, known in (REAL | HUGE).items()})
def large_configs() -> SearchStrategy[Config]:
    """Models that were published, and ones whose counts no float holds."""
    return st.sampled_from([*REAL.values(), *HUGE.values()])


CLOSE = {
    "less at the fourth": config(7, 1, 5, 3, 3, 2**51 + 5, (12 * (2**51 + 5) - 1) // 5, False, False, 0, True),
    "more at the fourth": config(9, 1, 5, 3, 3, 2**51 + 4, (12 * (2**51 + 4) + 1) // 5, False, False, 0, True),
}
"""Models whose MLP costs a little less, or more, than attention at four tokens: the quotient of floats is 4."""


FAR = {
    "beyond 2**100": config(7, 1, 5, 3, 3, 1, 2**100 + 2**47 + 5, True, True, 0, False),
    "beyond 2**48": config(9, 2, 2**28 + 5, 6, 3, 7, 2**29 + 9, False, False, 0, True),
}
"""Models in which attention costs more from a token on that nobody would get to one by one."""


@functools.cache
@classes({name: equals(known) for name, known in (REAL | CLOSE | FAR).items()})
def large_crossings() -> SearchStrategy[Config]:
    """Models that were published, and ones whose MLP costs all but as much as attention at some token, or far more."""
    return st.sampled_from([*REAL.values(), *CLOSE.values(), *FAR.values()])


@functools.cache
@classes(
    {
        "as much at one less": lambda one: _left(one) == 0,
        "less at one less": lambda one: _left(one) > 0,
        "from the first token on": lambda one: _mlp(one) < _attention(one),
        "after more than ten": lambda one: _mlp(one) > 10 * _attention(one),
        "one token, twice too much": lambda one: _mlp(one) < _attention(one) < 2 * _mlp(one),
        "hidden of 1": lambda one: one["hidden"] == 1,
    }
    | {name: KINDS[name] for name in ("gated", "heads in groups", "no layers", "heads that are not width")}
)
def crossed_configs() -> SearchStrategy[Config]:
    """Models of which half cost as much for the MLP as for attention at some number of tokens."""
    return _crossed_configs()


def _mlp(one: Config) -> int:
    """Half of the FLOPs of the MLP for a token; of attention for a token and each token that it looks at, too."""
    return (3 if one["gated"] else 2) * int(one["width"] * one["hidden"])


def _attention(one: Config) -> int:
    return 2 * int(one["heads"] * one["head_dim"])


def _left(one: Config) -> int:
    return _mlp(one) % _attention(one)


@st.composite
def _crossed_configs(draw: DrawFn) -> Config:
    made = small(draw, positions=0)
    step = made | {"hidden": 1}
    if draw(st.booleans()):  # hidden is such a number that nothing is left over
        hidden = next(n for n in range(1, _attention(step) + 1) if n * _mlp(step) % _attention(step) == 0)
        return made | {"hidden": hidden * draw(integers(1, 3))}
    if pick(draw, (False, False, False, True)):  # or that the MLP costs a little less than attention of one token
        return made | {"hidden": max((_attention(step) - 1) // _mlp(step), 1)}
    return made
