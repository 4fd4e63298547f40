"""What numbers stand for: all codes of a dtype as torch shows them, bits by hand, and arithmetic number by number."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import torch
from torch import Tensor

from . import scenarios

FP8 = (torch.float8_e4m3fn, torch.float8_e5m2)

NEAR = 1e-5
"""How much farther than the nearest code another may be, where the scale is no power of two: a quotient and a product
with a reciprocal are rounded differently, by 2e-7 of a number that is up to 32 times that distance."""


def amax_scale(x: Tensor, block: tuple[int, int] | None, dtype: torch.dtype) -> Tensor:
    """Return the scale of each block, from its numbers by Python's max."""
    if block is None:
        return torch.tensor(_scale(x.flatten().tolist(), dtype))
    scales = [
        [_scale(part.flatten().tolist(), dtype) for part in _split(rows, 1, block[1])]
        for rows in _split(x, 0, block[0])
    ]
    return torch.tensor(scales).reshape(*(len(_split(x, dim, block[dim])) for dim in (0, 1)))


def _split(x: Tensor, dim: int, size: int) -> Sequence[Tensor]:
    return x.split(size, dim) if x.shape[dim] else ()  # of nothing torch makes a block


def _scale(numbers: list[float], dtype: torch.dtype) -> float:
    if not numbers or not all(map(math.isfinite, numbers)):
        return 1.0
    return max(map(abs, numbers)) / torch.finfo(dtype).max or 1.0


@functools.cache
def codes(dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """The finite numbers of dtype, sorted, and which of them have an even code. 0 has two codes, and is there once."""
    every = torch.arange(256, dtype=torch.uint8)
    numbers = every.view(dtype).double()
    kept = numbers.isfinite() & ((numbers != 0) | (every == 0))
    order = numbers[kept].argsort()
    return numbers[kept][order], every[kept][order] % 2 == 0


def nearest(x: Tensor, scale: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor, Tensor]:
    """Return the numbers of dtype, which of them are right for each x / scale, and a right one: nan if x is nan."""
    numbers, even = codes(dtype)
    wide = (x.double() / scale.double()).clamp(numbers[0], numbers[-1])
    distances = (wide.unsqueeze(-1) - numbers).abs()
    best = distances.amin(-1, keepdim=True)
    right = distances == best
    right = torch.where(right.sum(-1, keepdim=True) > 1, right & even, right)
    exact = (torch.frexp(scale)[0] == 0.5).expand(x.shape).unsqueeze(-1)
    first = torch.where(x.isnan(), math.nan, numbers[right.byte().argmax(-1)])
    return numbers, torch.where(exact, right, distances <= best * (1 + NEAR)), first


def dequantize(q: Tensor, scale: Tensor | float, zero_point: int) -> Tensor:
    """Compute one number after another."""
    scales = scale.expand(q.shape).flatten().tolist() if isinstance(scale, Tensor) else [scale] * q.numel()
    pairs = zip(q.float().flatten().tolist(), scales, strict=True)
    return torch.tensor([(number - zero_point) * factor for number, factor in pairs]).reshape(q.shape)


def scale_int8(x: Tensor, symmetric: bool) -> float:
    """Return the scale that the docstring names, from Python's numbers."""
    numbers = [0.0, *x.flatten().tolist()]
    return (max(map(abs, numbers)) / 127 if symmetric else (max(numbers) - min(numbers)) / 255) or 1.0


def rounded_int8(x: Tensor, symmetric: bool) -> tuple[Tensor, float, int]:
    """An answer that is right, by the rounding of torch's fake quantization."""
    scale = scale_int8(x, symmetric)
    zero_point = 0 if symmetric else -128 + round(max(0.0, *(-x).flatten().tolist(), 0.0) / scale)
    fake = torch.fake_quantize_per_tensor_affine(x, scale, zero_point, -127 if symmetric else -128, 127)
    return (fake.double() / scale + zero_point).round().to(torch.int8), scale, zero_point


def pack_int4(q: Tensor) -> Tensor:
    """The bits of each row, in a string."""
    size = q.shape[-1]
    rows = [[_bits(value) for value in row] for row in _rows(q)]
    packed = [
        [int((row[at + 1] if at + 1 < size else "0000") + row[at], 2) for at in range(0, size, 2)] for row in rows
    ]
    return torch.tensor(packed, dtype=torch.uint8).reshape(*q.shape[:-1], -(-size // 2))


def unpack_int4(packed: Tensor, size: int) -> Tensor:
    """The halves of each byte, looked up."""
    values = {_bits(value): value for value in range(-8, 8)}
    halves = [[half for byte in row for half in (f"{byte:08b}"[4:], f"{byte:08b}"[:4])][:size] for row in _rows(packed)]
    unpacked = [[values[half] for half in row] for row in halves]
    return torch.tensor(unpacked, dtype=torch.int8).reshape(*packed.shape[:-1], size)


def _rows(x: Tensor) -> list[list[int]]:
    return x.reshape(math.prod(x.shape[:-1]), x.shape[-1]).tolist()


def _bits(value: int) -> str:
    return "".join(str(value >> place & 1) for place in (3, 2, 1, 0))


def quantized_bytes(shape: tuple[int, ...], bits: int, group: int | None, scale_bytes: int) -> int:
    """Count real rows: pack their bits, and split them into groups."""
    rows = torch.zeros(shape if shape else (1,), dtype=torch.uint8).reshape(
        math.prod(shape[:-1]), -1 if math.prod(shape) else 0
    )
    if not rows.numel():
        return 0
    packed = sum(np.packbits(np.zeros(len(row) * bits, dtype=bool)).nbytes for row in rows)
    scales = sum(len(row.split(group)) for row in rows) if group else 1
    return packed + scales * scale_bytes


def delayed_scales(amaxes: list[float], window: int, largest: float) -> list[float]:
    """Look at the window of each step; if it gives no scale, take that of the last step whose window did."""
    found = []
    for step in range(len(amaxes)):
        recorded = [[amax for amax in amaxes[:before] if math.isfinite(amax)] for before in range(step + 1)]
        seen = [max(past[-window:]) for past in recorded if any(past[-window:])]
        found.append(seen[-1] / largest if seen else 1.0)
    return found


def operands(lines: list[str], device: str) -> tuple[Tensor, Tensor]:
    """What a program multiplies."""
    seen = scenarios.program(SimpleNamespace(fp8_linear=lambda *_: None), "fp8_linear", lines, ["x", "weight"], device)
    return seen["x"].cpu().double(), seen["weight"].cpu().double()


def product(x: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """x @ weight.T, and how far from it each number may be."""

    def off(z: Tensor) -> Tensor:
        # Half a place is 1/16 of a number at most, and below the normal numbers half of 2**-9, twice that if the scale
        # is a power of two, the next above the largest of the row over 448.
        return torch.maximum(z.abs() / 16, z.abs().amax(1, keepdim=True) / 448 / 512)

    bound = off(x) @ weight.abs().T + x.abs() @ off(weight).T + off(x) @ off(weight).T
    return x @ weight.T, bound + 1e-5 * (x.abs() @ weight.abs().T)
