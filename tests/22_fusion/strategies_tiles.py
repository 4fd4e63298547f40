"""What hypothesis draws for kata 22 of tiles: their bytes, and grids of programs."""

from __future__ import annotations

import functools
from typing import NamedTuple

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import integers, pick
from .typed import added

SIZES = (5, 3, 2, 8, 9, 13, 17, 1)
BLOCKS = (4, 2, 8, 32, 1)


class Tiles(NamedTuple):
    """The arguments of tiled_matmul_bytes."""

    m: int
    k: int
    n: int
    block_m: int
    block_n: int
    itemsize: int


@functools.cache
@classes(
    {
        "rows that fit": lambda case: case.m % case.block_m == 0 and case.m > case.block_m,
        "rows that do not fit": lambda case: case.m % case.block_m and case.m > case.block_m,
        "columns that fit": lambda case: case.n % case.block_n == 0 and case.n > case.block_n,
        "columns that do not fit": lambda case: case.n % case.block_n and case.n > case.block_n,
        "a block larger than all rows": lambda case: case.block_m > case.m,
        "a block larger than all columns": lambda case: case.block_n > case.n,
        "one tile": lambda case: case.block_m >= case.m and case.block_n >= case.n,
        "tiles that are not square": lambda case: case.block_m != case.block_n,
        "no inner numbers": lambda case: case.k == 0,
        "rows beyond 2**53": lambda case: case.m > 2**53,
        "columns beyond 2**53": lambda case: case.n > 2**53,
        "large inner numbers": lambda case: case.k > 2**40,
        "bytes beyond 2**63": lambda case: (
            case.itemsize * case.m * (case.k * -(-case.n // case.block_n) + case.n) > 2**63
            or case.itemsize * case.n * (case.k * -(-case.m // case.block_m) + case.m) > 2**63
        ),
    }
)
@st.composite
def tilings(draw: DrawFn) -> Tiles:
    """Products, and how their results are cut; in one of three one size is huge, and cut into few tiles."""
    m, k, n = pick(draw, SIZES), pick(draw, (3, 2, 5, 8, 13, 1, 0, 0)), pick(draw, (6, *SIZES))
    block_m, block_n = pick(draw, (2, 1, 3, 4, 8, 32)), pick(draw, (3, 1, 2, 4, 8, 32))
    itemsize = pick(draw, (4, 2, 8, 1, 16))
    huge = pick(draw, ("none", "none", "none", "none", "m", "n", "k"))
    if huge == "k":
        k = draw(st.integers(2**40, 2**50))
    elif huge != "none":
        k, m, n = min(k, 2), min(m, 3), min(n, 3)
        times = pick(draw, (1, 2, 3))
        # As many rows, or columns, as a tensor may have at most, less some.
        most = (2**63 - 1) // (itemsize * max(k, n if huge == "m" else m))
        block = (most - draw(st.integers(1, 2**50))) // times
        size = block * times + pick(draw, (1, -1, 0))
        if huge == "m":
            m, block_m = size, block
        else:
            n, block_n = size, block
    return Tiles(m, k, n, block_m, block_n, itemsize)


@functools.cache
@classes(
    {
        "block_m of 0": lambda case: case.block_m == 0,
        "block_n of 0": lambda case: case.block_n == 0,
        "block_m below 0": lambda case: case.block_m < 0,
        "block_n below 0": lambda case: case.block_n < 0,
        "one that is right": lambda case: max(case.block_m, case.block_n) > 0,
    }
)
@st.composite
def no_tiles(draw: DrawFn) -> Tiles:
    """Products, and blocks of which one is below 1, or both."""
    m, k, n = (draw(integers(size, 9)) for size in (4, 3, 6))
    right, wrong = draw(integers(2, 5)), pick(draw, (0, -1, 0, -2))
    blocks = pick(draw, ((wrong, right), (right, wrong), (wrong, wrong)))
    return Tiles(m, k, n, *blocks, 4)


class Addition(NamedTuple):
    """n numbers in blocks, with so many programs too many; seeds make the numbers."""

    n: int
    block: int
    more: int
    seeds: tuple[int, int]


@functools.cache
@classes(
    {
        "blocks that fit": lambda case: case.n % case.block == 0 and case.n > case.block,
        "a last block that is shorter": lambda case: case.n % case.block and case.n > case.block,
        "a block larger than all": lambda case: case.block > case.n,
        "a block of 1": lambda case: case.block == 1,
        "a program too many": lambda case: case.more == 1,
        "two too many": lambda case: case.more == 2,
        "no program too many": lambda case: case.more == 0,
        "numbers below 0": lambda case: any(x.min() < 0 for x in added(case.n, case.seeds)),
        "a sum of 0": lambda case: not torch.add(*added(case.n, case.seeds)).all(),
    }
)
def additions() -> SearchStrategy[Addition]:
    """Grids for add_kernel."""
    return st.builds(
        Addition,
        st.integers(0, len(SIZES) - 1).map(SIZES.__getitem__),
        st.integers(0, len(BLOCKS) - 1).map(BLOCKS.__getitem__),
        st.integers(0, 2),
        st.tuples(integers(3, 10), integers(5, 12)),
    )


class Product(NamedTuple):
    """m, k and n of a product in square tiles; seeds make the numbers."""

    sizes: tuple[int, int, int]
    block: int
    seeds: tuple[int, int]


@functools.cache
@classes(
    {
        "rows that do not fit": lambda case: case.sizes[0] % case.block,
        "inner numbers that do not fit": lambda case: case.sizes[1] % case.block,
        "columns that do not fit": lambda case: case.sizes[2] % case.block,
        "all fit": lambda case: not any(size % case.block for size in case.sizes),
        "several rows of tiles": lambda case: case.sizes[0] > case.block,
        "several columns of tiles": lambda case: case.sizes[2] > case.block,
        "several steps": lambda case: case.sizes[1] > case.block,
        "a block larger than all": lambda case: case.block > max(case.sizes),
        "a block of 1": lambda case: case.block == 1,
        "a first tile of 0, and others": lambda case: case.block == 1 < case.sizes[1] and case.seeds[0] % 2 == 0,
        "more rows than columns": lambda case: case.sizes[0] > case.sizes[2] + case.block,
        "more columns than rows": lambda case: case.sizes[2] > case.sizes[0] + case.block,
    }
)
@st.composite
def products(draw: DrawFn) -> Product:
    """Grids for matmul_kernel, of not too many programs."""
    block = pick(draw, (2, 4, 8, 32, 1, 1))
    small = [size for size in SIZES if size <= block * 5] if block > 1 else [3, 2, 5, 1]
    m, k, n = pick(draw, [3, *small]), pick(draw, [2, *small]), pick(draw, [5, *small])
    return Product((m, k, n), block, (draw(integers(3, 10)), draw(integers(5, 12))))
