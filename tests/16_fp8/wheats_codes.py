"""Right answers to kata 16 about scales and codes, in styles that the solution does not use."""
# mypy: ignore-errors

import bisect
import functools
import itertools
import math

import numpy as np
import torch

from dojo.judging.diagnose import answers

E4M3 = torch.float8_e4m3fn


# amax_scale


@answers("amax_scale")
def scale_by_slices(x, block=None, dtype=E4M3):
    def one(part):
        magnitude = 0.0
        for number in part.flatten().tolist():
            if not math.isfinite(number):
                return 1.0
            magnitude = max(magnitude, number, -number)
        return magnitude / torch.finfo(dtype).max if magnitude else 1.0

    if block is None:
        return torch.tensor(one(x), device=x.device)
    tall, wide = block
    starts = range(0, x.shape[0], tall), range(0, x.shape[1], wide)
    made = torch.empty(*map(len, starts), device=x.device)
    for (i, row), (j, column) in itertools.product(*map(enumerate, starts)):
        made[i, j] = one(x[row : row + tall, column : column + wide])
    return made


@answers("amax_scale")
def scale_by_a_reciprocal(x, block=None, dtype=E4M3):
    inverse = 1.0 / (448.0 if dtype is E4M3 else 57344.0)
    parts = [[x]] if block is None else [rows.split(block[1], 1) for rows in x.split(block[0], 0)]
    if block is not None and 0 in x.shape:
        return torch.ones(-(-x.shape[0] // block[0]), -(-x.shape[1] // block[1]), device=x.device)
    amaxes = [
        [p.to(torch.float32).abs().amax() if p.numel() else p.new_zeros(()).float() for p in row] for row in parts
    ]
    scales = torch.stack([torch.stack(row) for row in amaxes]) * inverse
    scales[~(scales > 0) | scales.isinf()] = 1.0
    return scales.reshape(()) if block is None else scales


@answers("amax_scale")
def scale_by_numpy(x, block=None, dtype=E4M3):
    wide = np.abs(x.float().cpu().numpy())
    top = np.float32(torch.finfo(dtype).max)
    if block is None:
        amax = np.asarray(np.max(wide, initial=0.0))
    else:
        places = [np.arange(0, size, step) for size, step in zip(x.shape, block, strict=True)]
        amax = np.zeros([len(starts) for starts in places], np.float32)
        if amax.size:
            amax = np.maximum.reduceat(np.maximum.reduceat(wide, places[0], 0), places[1], 1)
    usable = np.isfinite(amax) & (amax > 0)
    return torch.from_numpy(np.asarray(np.where(usable, amax / top, 1), np.float32)).to(x.device)


# quantize


@answers("quantize")
def nearest_by_bisection(x, scale, dtype=E4M3):
    every = torch.arange(256, dtype=torch.uint8).view(dtype).float().tolist()
    above = [(number, code) for code, number in enumerate(every[:128]) if math.isfinite(number)]
    nan = next(code for code, number in enumerate(every) if number != number)
    found = []
    for number in (x.to(torch.float32) / scale).expand(x.shape).flatten().tolist():
        size, sign = abs(number), 128 * (number < 0)
        if number != number:
            found.append(nan)
            continue
        at = bisect.bisect_left(above, (size, 0))
        if at == len(above):
            found.append(above[-1][1] + sign)
        elif at == 0 or above[at][0] == size:
            found.append(above[at][1] + sign)
        else:
            (low, lower), (high, higher) = above[at - 1 : at + 1]
            up = size - low > high - size or (size - low == high - size and lower % 2)
            found.append((higher if up else lower) + sign)
    return torch.tensor(found, dtype=torch.uint8, device=x.device).reshape(x.shape).view(dtype)


@answers("quantize")
def by_a_product(x, scale, dtype=E4M3):
    scaled = x.to(torch.float32).mul(scale.reciprocal())
    edge = torch.tensor(torch.finfo(dtype).max, device=x.device)
    inside = torch.minimum(torch.maximum(scaled, -edge), edge)
    return inside.type(dtype)


@answers("quantize")
def by_rounding_mantissas(x, scale, dtype=E4M3):
    bits, lowest, largest = (4, -6, 448.0) if dtype is E4M3 else (3, -14, 57344.0)
    wide = x.double() / scale.double()
    _, exponent = torch.frexp(wide)
    places = torch.clamp(exponent - 1, min=lowest) - (bits - 1)
    rounded = torch.ldexp(torch.round(torch.ldexp(wide, -places)), places)
    rounded = torch.where(wide.isinf(), wide.sign() * largest, rounded)
    return torch.where(rounded.abs() > largest, rounded.sign() * largest, rounded).to(torch.float32).to(dtype)


# dequantize


@answers("dequantize")
def back_in_float64(q, scale, zero_point=0):
    wide = q.to(torch.float32).to(torch.float64)
    factor = scale.double() if isinstance(scale, torch.Tensor) else scale
    return ((wide - zero_point) * factor).to(torch.float32)


@answers("dequantize")
def back_by_parts(q, scale, zero_point=0):
    return q.to(torch.float32) * scale - zero_point * scale


@answers("dequantize")
def back_one_by_one(q, scale, zero_point=0):
    scales = torch.as_tensor(scale, dtype=torch.float32, device=q.device).broadcast_to(q.shape).flatten().tolist()
    values = [(number - zero_point) * by for number, by in zip(q.float().flatten().tolist(), scales, strict=True)]
    return torch.tensor(values, dtype=torch.float32, device=q.device).view(q.shape)


# quantize_int8


@answers("quantize_int8")
def codes_by_loops(x, symmetric=True):
    numbers = x.flatten().tolist()
    low, high = min([0.0, *numbers]), max([0.0, *numbers])
    if symmetric:
        scale = max(high, -low) / 127
        zero = 0
    else:
        scale = (high - low) / 255
        zero = math.floor(-128 - low / scale + 0.5) if scale else 0
    scale = scale or 1.0
    codes = [min(127, max(-127 if symmetric else -128, math.floor(number / scale + 0.5) + zero)) for number in numbers]
    return torch.tensor(codes, dtype=torch.int8, device=x.device).reshape(x.shape), scale, zero


@answers("quantize_int8")
def codes_in_float64(x, symmetric=True):
    wide = torch.cat([x.double().flatten(), torch.zeros(1, dtype=torch.float64, device=x.device)])
    if symmetric:
        scale = wide.abs().max().item() / 127
        return (x.double() / (scale or 1)).round().char(), scale or 1.0, 0
    least, most = (bound.item() for bound in torch.aminmax(wide))
    scale = (most - least) / 255
    if scale == 0:
        return torch.full_like(x, -5, dtype=torch.int8), 1.0, -5
    zero = 127 - round(most / scale)
    return torch.round(x.double() / scale + zero).clamp(-128, 127).char(), scale, zero


@answers("quantize_int8")
def codes_by_numpy(x, symmetric=True):
    values = x.cpu().numpy().astype(np.float32)
    if symmetric:
        scale = float(np.abs(values).max(initial=0.0) / np.float32(127)) or 1.0
        codes = np.clip(np.rint(values / np.float32(scale)), -127, 127)
        return torch.from_numpy(np.asarray(codes).astype(np.int8)).to(x.device), scale, 0
    low, high = np.minimum(values.min(initial=0.0), 0), np.maximum(values.max(initial=0.0), 0)
    scale = float((np.float64(high) - np.float64(low)) / 255) or 1.0
    zero = int(np.clip(np.rint(-128 - np.float64(low) / scale), -128, 127))
    codes = np.clip(np.rint(values.astype(np.float64) / scale) + zero, -128, 127)
    return torch.from_numpy(np.asarray(codes).astype(np.int8)).to(x.device), scale, zero


# delayed_scales


@answers("delayed_scales")
def scales_by_recursion(amaxes, window, largest=448.0):
    if window < 1:
        raise ValueError("window")

    def go(rest, recorded, last):
        if not rest:
            return []
        top = max([*recorded, 0.0])
        now = top / largest if top > 0 else last
        first, *others = rest
        kept = [*recorded, first][-window:] if -math.inf < first < math.inf else recorded
        return [now, *go(others, kept, now)]

    return go(list(amaxes), [], 1.0)


@answers("delayed_scales")
def scales_by_a_ring(amaxes, window, largest=448.0):
    if not window > 0:
        raise ValueError(window)
    ring, place, scales = torch.zeros(window, dtype=torch.float64), 0, []
    for amax in amaxes:
        top = ring.max().item()
        scales.append(top * (1 / largest) if top else (scales[-1] if scales else 1.0))
        if amax - amax == 0:
            ring[place % window] = amax
            place += 1
    return scales


@answers("delayed_scales")
def scales_by_a_fold(amaxes, window, largest=448.0):
    if window <= 0:
        raise ValueError("no window")

    def step(state, amax):
        used, recorded, scale = state
        recent = [one for one in recorded[-window:] if one]
        scale = max(recent) / largest if recent else scale
        return [*used, scale], recorded + [amax] * math.isfinite(amax), scale

    return functools.reduce(step, amaxes, ([], [], 1.0))[0]
