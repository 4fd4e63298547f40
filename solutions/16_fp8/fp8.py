"""Kata 16, solved: numbers of 8 and 4 bits, and their scales."""

import math
from collections import deque
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F


def amax_scale(x: Tensor, block: tuple[int, int] | None = None, dtype: torch.dtype = torch.float8_e4m3fn) -> Tensor:
    """Pad the last blocks with zeros, which change no largest magnitude."""
    magnitudes = x.float().abs()
    if block is None:
        amax = F.pad(magnitudes.flatten(), (0, 1)).amax()
    else:
        rows, columns = block
        filled = F.pad(magnitudes, (0, -x.shape[1] % columns, 0, -x.shape[0] % rows))
        amax = filled.unflatten(0, (-1, rows)).unflatten(2, (-1, columns)).amax((1, 3))
    usable = (amax > 0) & amax.isfinite()
    return torch.where(usable, amax / torch.finfo(dtype).max, 1.0)


def quantize(x: Tensor, scale: Tensor, dtype: torch.dtype = torch.float8_e4m3fn) -> Tensor:
    """Clamp, then cast: a cast rounds to nearest even, but beyond the largest number its result differs by version."""
    largest = torch.finfo(dtype).max
    return (x.float() / scale).clamp(-largest, largest).to(dtype)


def dequantize(q: Tensor, scale: Tensor | float, zero_point: int = 0) -> Tensor:
    """Widen before subtracting."""
    return (q.float() - zero_point) * scale


def quantize_int8(x: Tensor, symmetric: bool = True) -> tuple[Tensor, float, int]:
    """Use the code of 0 as the zero point."""
    low, high = (min(x.min().item(), 0.0), max(x.max().item(), 0.0)) if x.numel() else (0.0, 0.0)
    if symmetric:
        scale = max(-low, high) / 127 or 1.0
        return (x / scale).round().to(torch.int8), scale, 0
    scale = (high - low) / 255 or 1.0
    zero_point = -128 - round(low / scale)
    return ((x / scale).round() + zero_point).clamp(-128, 127).to(torch.int8), scale, zero_point


def pack_int4(q: Tensor) -> Tensor:
    """Keep the low four bits: they are the value in two's complement of four bits."""
    if not ((q >= -8) & (q <= 7)).all():
        raise ValueError("int4 holds -8 to 7")
    low, high = F.pad(q & 15, (0, q.shape[-1] % 2)).to(torch.uint8).unflatten(-1, (-1, 2)).unbind(-1)
    return low | high << 4


def unpack_int4(packed: Tensor, size: int) -> Tensor:
    """Take a half above 7 for a negative value."""
    if packed.shape[-1] != -(-size // 2):
        raise ValueError(f"{size} values in {packed.shape[-1]} bytes")
    halves = torch.stack([packed & 15, packed >> 4], -1).flatten(-2)[..., :size].to(torch.int8)
    return (halves ^ 8) - 8


def quantized_bytes(shape: tuple[int, ...], bits: int, group: int | None = None, scale_bytes: int = 2) -> int:
    """Round up row by row, for bytes and for groups."""
    rows, values = math.prod(shape[:-1]), shape[-1] if shape else 1
    scales = 1 if group is None else rows * -(-values // group)
    return rows * -(-values * bits // 8) + scales * scale_bytes


def delayed_scales(amaxes: list[float], window: int, largest: float = 448.0) -> list[float]:
    """Choose the scale of a step before recording its amax."""
    if window < 1:
        raise ValueError(f"a window of {window} steps")
    recorded: deque[float] = deque(maxlen=window)
    used, scale = [], 1.0
    for amax in amaxes:
        scale = max(recorded, default=0.0) / largest or scale
        used.append(scale)
        if math.isfinite(amax):
            recorded.append(amax)
    return used


def fp8_linear(x: Tensor, weight: Tensor, mm: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]) -> Tensor:
    """Cast both row by row; weight.T of a row-major weight is already column-major."""
    inputs, outputs = x.shape[1], len(weight)
    a = F.pad(x, (0, -inputs % 16))
    b = F.pad(weight, (0, -inputs % 16, 0, -outputs % 16))
    scale_a, scale_b = (amax_scale(rows, (1, rows.shape[1])) for rows in (a, b))
    product = mm(quantize(a, scale_a), quantize(b, scale_b).T, scale_a, scale_b.T.contiguous())
    return product[:, :outputs].float()
