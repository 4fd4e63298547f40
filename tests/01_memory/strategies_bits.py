"""What hypothesis draws for kata 01: bits, and blocks of memory."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import integers, pick
from .strategies_tensors import BLOCK, MIB

Packing = tuple[int, int]


def _bits(case: Packing) -> int:
    return case[0] * case[1]


@functools.cache
@classes(
    {
        "no values": lambda case: case[0] == 0,
        "one value": lambda case: case[0] == 1,
        "full bytes": lambda case: _bits(case) % 8 == 0 < _bits(case),
        "one bit too many": lambda case: _bits(case) % 8 == 1,
        "one bit too few": lambda case: _bits(case) % 8 == 7,
        "values of less than a byte": lambda case: case[1] < 8,
        "values of a byte": lambda case: case[1] == 8,
        "values of more than a byte": lambda case: case[1] > 8,
        "values of 1 bit": lambda case: case[1] == 1,
        "values that cross from byte to byte": lambda case: case[0] > 1 and 8 % case[1] > 0,
    }
)
def packings() -> SearchStrategy[Packing]:
    """A number of values, and the bits of each."""
    bits = st.one_of(integers(5, 20), st.sampled_from([4, 8, 1, 6, 7, 9]))
    return st.tuples(st.one_of(integers(3, 40, 0), st.sampled_from([0, 1, 2, 7, 9])), bits)


@functools.cache
@classes(
    {
        "more values": lambda case: case[3] == "values",
        "more bits": lambda case: case[3] == "bits",
        "beyond 2**53": lambda case: case[2] > 2**53,
        "beyond 2**64": lambda case: case[2] > 2**64,
        "beyond 2**53, but not 2**63": lambda case: case[0] > 0 and 2**53 < 8 * case[2] * min(case[:2]) < 2**63,
        "full bytes": lambda case: _bits(case[:2]) % 8 == 0,
        "a byte that is not full": lambda case: _bits(case[:2]) % 8 > 0,
    }
)
def growing_packings() -> SearchStrategy[tuple[int, int, int, str]]:
    """A packing, how many eights it grows by, and whether values or bits per value grow by them."""
    eights = st.one_of(st.integers(0, 10**30), st.integers(10**29, 10**30), st.integers(2**51, 2**55))
    return st.tuples(integers(3, 40, 0), integers(5, 20), eights, st.sampled_from(["values", "bits"]))


@functools.cache
@classes(
    {
        "fewer than no values": lambda case: case[0] < 0 < case[1],
        "no bits": lambda case: case[0] >= 0 == case[1],
        "fewer than no bits": lambda case: case[0] >= 0 > case[1],
        "both": lambda case: case[0] < 0 and case[1] < 1,
        "no values of no bits": lambda case: case[0] == 0 and case[1] < 1,
        "bytes that would round up to 0": lambda case: case[0] != 0 != case[1] and -8 < _bits(case) < 0,
    }
)
@st.composite
def refused_packings(draw: DrawFn) -> Packing:
    """A number of values and a number of bits, of which one or both are too small."""
    numel, bits = pick(draw, ((-1, 0), (-1, -1), (draw(st.integers(-(10**20), -1)), draw(st.integers(-(10**20), 0)))))
    good = pick(draw, (5, 2, 1, 0, 0))
    return pick(draw, ((numel, good + 1), (good, bits), (numel, bits)))


@functools.cache
@classes(
    {
        "0": lambda nbytes: nbytes == 0,
        "whole blocks": lambda nbytes: nbytes % BLOCK == 0 < nbytes,
        "one block": lambda nbytes: nbytes == BLOCK,
        "less than a block": lambda nbytes: 0 < nbytes < BLOCK,
        "one byte beyond whole blocks": lambda nbytes: nbytes % BLOCK == 1,
        "one byte less than whole blocks": lambda nbytes: nbytes % BLOCK == BLOCK - 1,
        "1 MiB": lambda nbytes: nbytes == MIB,
        "several blocks, no power of two": lambda nbytes: -(-nbytes // BLOCK) & (-(-nbytes // BLOCK) - 1) > 0,
    }
)
def requests() -> SearchStrategy[int]:
    """Requests of at most 1 MiB, most of them at a multiple of 512 or one byte beside it."""
    blocks = integers(2, MIB // BLOCK, 0)
    beside = st.builds(lambda block, by: min(max(0, block * BLOCK + by), MIB), blocks, st.integers(-1, 1))
    edges = st.sampled_from([0, 1, BLOCK, MIB])
    return st.one_of(beside, beside, edges, integers(1000, MIB, 0))


@functools.cache
@classes(
    {
        "-1": lambda nbytes: nbytes == -1,
        "rounds up to 0": lambda nbytes: nbytes > -BLOCK,
        "whole blocks": lambda nbytes: nbytes % BLOCK == 0,
        "rounds to less than 0": lambda nbytes: nbytes <= -BLOCK,
    }
)
def negative_requests() -> SearchStrategy[int]:
    """Negative requests."""
    few = st.one_of(st.just(-1), st.integers(1 - BLOCK, -1))
    return st.one_of(few, st.integers(1, 10**9).map(lambda blocks: -BLOCK * blocks), st.integers(-(10**12), -BLOCK))
