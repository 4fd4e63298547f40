"""Right answers to kata 20 about blocks: by lists, by numpy, by scatter, by views."""
# mypy: ignore-errors

import math

import numpy as np
import torch

from dojo.judging.diagnose import answers

# quantize


@answers("quantize")
def by_lists(x, block_size):
    if not block_size >= 1:
        raise ValueError
    flat = x.detach().reshape(-1).tolist()
    codes, scales = [], []
    for i in range(0, len(flat), block_size):
        part = flat[i : i + block_size]
        top = max(map(abs, part))
        scales.append(top / 127)
        codes += [int(round(v * 127 / top)) if top else 0 for v in part]
    return torch.tensor(codes, dtype=torch.int8), torch.tensor(scales, dtype=torch.float32)


@answers("quantize")
def by_scatter_in_float32(x, block_size):
    if block_size <= 0:
        raise ValueError("block_size")
    flat = x.detach().to(torch.float32).reshape(-1)
    which = torch.arange(flat.numel(), device=x.device) // block_size
    tops = torch.zeros(math.ceil(flat.numel() / block_size), device=x.device)
    tops.scatter_reduce_(0, which, flat.abs(), "amax")
    scales = tops / 127.0
    safe = torch.where(scales == 0, torch.ones_like(scales), scales)
    return torch.clamp(torch.round(flat / safe[which]), -127, 127).type(torch.int8), scales


@answers("quantize")
def by_numpy_with_ones_for_zeros(x, block_size):
    if block_size < 1:
        raise ValueError(f"{block_size=}")
    flat = x.detach().cpu().double().contiguous().numpy().ravel()
    starts = np.arange(0, flat.size, block_size)
    tops = np.maximum.reduceat(np.abs(flat), starts) if flat.size else np.zeros(0)
    scales = np.where(tops > 0, tops / 127, 1.0)
    codes = np.trunc(flat / np.repeat(scales, block_size)[: flat.size] + np.copysign(0.5, flat)).astype(np.int8)
    to = {"device": x.device}
    return torch.from_numpy(codes).to(**to), torch.from_numpy(scales.astype(np.float32)).to(**to)


# dequantize


@answers("dequantize")
def values_by_lists(codes, scales, block_size):
    if block_size < 1 or math.ceil(codes.numel() / block_size) != scales.numel():
        raise ValueError
    values = [c * scales[i // block_size].item() for i, c in enumerate(codes.tolist())]
    return torch.tensor(values, dtype=torch.float32, device=codes.device)


@answers("dequantize")
def values_by_index(codes, scales, block_size):
    if block_size <= 0:
        raise ValueError("block_size")
    blocks, rest = divmod(len(codes), block_size)
    if len(scales) != blocks + (rest > 0):
        raise ValueError("scales")
    return codes.to(torch.float32).mul_(scales[torch.arange(len(codes), device=codes.device).div(block_size).long()])


@answers("dequantize")
def values_by_splitting(codes, scales, block_size):
    if block_size < 1:
        raise ValueError
    parts = [part for part in codes.double().split(block_size) if part.numel()]
    if len(parts) != scales.shape[0]:
        raise ValueError
    made = [(part * scale.double()).float() for part, scale in zip(parts, scales)]
    return torch.cat(made) if made else torch.empty(0, device=codes.device)
