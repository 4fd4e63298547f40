"""What hypothesis draws for kata 20 of numbers in blocks, and of codes and scales."""

from __future__ import annotations

import functools
import math
import random
from typing import NamedTuple

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from torch import Tensor

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import Shape, pick, shapes


class Blocks(NamedTuple):
    """The line that makes x, and how long a block is."""

    made: str
    block_size: int
    shape: Shape
    kinds: tuple[str, ...]
    enabled: bool = True

    @property
    def lines(self) -> Lines:
        """A program."""
        before = ["torch.set_grad_enabled(False)"] * (not self.enabled)
        return [f"x = {self.made}", *before, f"codes, scales = quantize(x, {self.block_size})"]

    @property
    def numel(self) -> int:
        """How many elements x has."""
        return math.prod(self.shape)


# The powers of ten that the largest element of a block may have.
POWERS = {"float32": (-30, 29), "float64": (-30, 29), "bfloat16": (-29, 29), "float16": (-2, 3)}
KINDS = ("plain", "plain", "far apart", "extreme", "zeros", "plain", "small beside large")


def _block(rng: random.Random, kind: str, size: int, dtype: str) -> list[float]:
    low, high = POWERS[dtype]
    if kind == "zeros":
        return [0.0] * size
    power = {"plain": 0, "extreme": rng.choice((low, high))}.get(kind, rng.randint(low, high))
    spread = {"small beside large": 3, "plain": 1}.get(kind, 0)
    numbers = [
        rng.choice((1, -1)) * float(f"{rng.uniform(1, 9.9):.2g}e{power - rng.randint(0, spread)}") for _ in range(size)
    ]
    numbers[rng.randrange(size)] = rng.choice((1, -1)) * float(f"{rng.uniform(2, 9.9):.2g}e{power}")
    return numbers


def _is_of(dtype: str, case: Blocks) -> bool:
    return f"dtype=torch.{dtype})" in case.made


@functools.cache
@classes(
    {
        **{dtype: functools.partial(_is_of, dtype) for dtype in POWERS},
        "a block of zeros": lambda case: "zeros" in case.kinds,
        "blocks far apart": lambda case: "far apart" in case.kinds and len(case.kinds) > 1,
        "extreme": lambda case: "extreme" in case.kinds,
        "small beside large": lambda case: "small beside large" in case.kinds,
        "a shorter last block": lambda case: case.numel % case.block_size and case.numel > case.block_size,
        "shorter than a block": lambda case: 0 < case.numel < case.block_size,
        "one element a block": lambda case: case.block_size == 1,
        "whole blocks": lambda case: case.numel > case.block_size > 1 and case.numel % case.block_size == 0,
        "0-d": lambda case: case.shape == (),
        "empty": lambda case: case.numel == 0,
        "transposed": lambda case: case.made.endswith(".mT"),
        "several dimensions": lambda case: len(case.shape) > 1,
        "gradients are disabled": lambda case: not case.enabled,
    }
)
def blocks() -> SearchStrategy[Blocks]:
    """Numbers of every size."""
    return _blocks()


@st.composite
def _blocks(draw: DrawFn) -> Blocks:
    shape = draw(shapes(3, 5))
    numel = math.prod(shape)
    block_size = pick(draw, (2, 3, 4, 5, 1, 7, max(numel, 1), numel + 3, max(numel // 2, 1)))
    dtype = pick(draw, tuple(POWERS))
    rng = random.Random(draw(st.integers(0, 9999)))
    starts = range(0, numel, block_size)
    only = pick(draw, (True, False, False))
    kinds = tuple(KINDS[0] if only else pick(draw, KINDS) for _ in starts)
    numbers = [
        number
        for start, kind in zip(starts, kinds, strict=True)
        for number in _block(rng, kind, min(block_size, numel - start), dtype)
    ]
    enabled = pick(draw, (True, True, True, False))
    made = f"torch.empty({shape}, dtype=torch.{dtype})"
    if len(shape) > 1 and numel and pick(draw, (False, True)):
        rows = torch.arange(numel).view(shape).mT.tolist()
        made = f"torch.tensor({_filled(rows, numbers)}, dtype=torch.{dtype}).mT"
    elif numel:
        places = torch.arange(numel).view(shape).tolist()
        made = f"torch.tensor({_filled(places, numbers)}, dtype=torch.{dtype})"
    return Blocks(made, block_size, shape, kinds, enabled)


def _filled(places: object, numbers: list[float]) -> object:
    if isinstance(places, list):
        return [_filled(place, numbers) for place in places]
    assert isinstance(places, int)
    return numbers[places]


class NotBlocks(NamedTuple):
    """Numbers, and a length that no block has."""

    numbers: list[float]
    block_size: int


@functools.cache
@classes(
    {
        "0": lambda case: case.block_size == 0,
        "below 0": lambda case: case.block_size < 0,
        "no numbers": lambda case: not case.numbers,
        "numbers": lambda case: case.numbers,
    }
)
def no_block_sizes() -> SearchStrategy[NotBlocks]:
    """Lengths that no block has, also where nothing is to be cut."""
    return st.builds(NotBlocks, st.sampled_from(([1.0, 2.0, 3.0], [], [4.0])), st.sampled_from((0, -1, -2, -64)))


class Coded(NamedTuple):
    """Codes, scales, and how long a block is."""

    codes: list[int]
    scales: list[float]
    block_size: int

    @property
    def tensors(self) -> tuple[Tensor, Tensor, int]:
        """The arguments of dequantize."""
        codes, scales = torch.tensor(self.codes, dtype=torch.int8), torch.tensor(self.scales, dtype=torch.float32)
        return codes, scales, self.block_size

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return -(-len(self.codes) // self.block_size) if self.block_size > 0 else 0


SCALES = (0.5, 10.0, 0.1, 3.0, 1e-32, 7e27, 0.0, 1.0, 0.007)


def _coded(draw: DrawFn, block_size: int, blocks: int) -> Coded:
    rng = random.Random(draw(st.integers(0, 9999)))
    most = blocks * block_size
    count = most - pick(draw, (0, *range(block_size))) if most else 0
    codes = [rng.choice((rng.randint(-127, 127), 127, -127, 1)) for _ in range(count)]
    return Coded(codes, [pick(draw, SCALES) for _ in range(blocks)], block_size)


@functools.cache
@classes(
    {
        "no codes": lambda case: not case.codes,
        "a shorter last block": lambda case: case.blocks > 1 and len(case.codes) % case.block_size,
        "whole blocks": lambda case: case.blocks > 1 < case.block_size and len(case.codes) % case.block_size == 0,
        "shorter than a block": lambda case: 0 < len(case.codes) < case.block_size,
        "one code a block": lambda case: case.block_size == 1,
        "41 codes a block": lambda case: case.block_size == 41,
        "49 codes a block": lambda case: case.block_size == 49,
        "127": lambda case: {127, -127} & {*case.codes},
        "a tiny scale": lambda case: 1e-32 in case.scales,
        "a huge scale": lambda case: 7e27 in case.scales,
    }
)
def coded() -> SearchStrategy[Coded]:
    """Codes and scales that go together."""
    return _all_coded()


@st.composite
def _all_coded(draw: DrawFn) -> Coded:
    # 41 · (1 / 41) is below 1 in float32, and 49 · (1 / 49) in float64.
    block_size = pick(draw, (2, 3, 4, 1, 6, 2, 41, 3, 49))
    return _coded(draw, block_size, pick(draw, (2, 3, 1, 4, 2, 3, 0) if block_size < 41 else (2, 1)))


@functools.cache
@classes(
    {
        "no block size": lambda case: case.block_size < 1,
        "a scale too few": lambda case: case.block_size > 0 and len(case.scales) == case.blocks - 1,
        "a scale too many": lambda case: case.block_size > 0 and len(case.scales) == case.blocks + 1,
        "a scale for each code": lambda case: len(case.scales) == len(case.codes) > case.blocks > 0,
        "one scale for all": lambda case: len(case.scales) == 1 < case.blocks,
    }
)
def not_coded() -> SearchStrategy[Coded]:
    """Codes, scales and block sizes of which one does not fit."""
    return _not_coded()


@st.composite
def _not_coded(draw: DrawFn) -> Coded:
    case = _coded(draw, pick(draw, (2, 3, 4, 1)), pick(draw, (2, 3, 1, 4, 0)))
    kind = pick(draw, ("few", "many", "size", "each", "one"))
    if kind == "size":
        size = pick(draw, (0, -1, -2, -len(case.codes) - 1))
        return case._replace(block_size=size)
    wanted = {"few": case.blocks - 1, "many": case.blocks + 1, "each": len(case.codes), "one": 1}[kind]
    wanted = wanted if wanted >= 0 and wanted != case.blocks else case.blocks + 1
    return case._replace(scales=[SCALES[place % 4] for place in range(wanted)])
