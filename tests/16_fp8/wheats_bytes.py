"""Right answers to kata 16 about four bits and bytes, in styles that the solution does not use."""
# mypy: ignore-errors

import itertools
import math
from fractions import Fraction

import numpy as np
import torch

from dojo.judging.diagnose import answers

# pack_int4


@answers("pack_int4")
def packed_by_arithmetic(q):
    if q.numel() and not -8 <= q.min() <= q.max() <= 7:
        raise ValueError("four bits")
    wide = q.int().remainder(16)
    low, high = wide[..., 0::2], wide[..., 1::2]
    made = low.clone()
    made[..., : high.shape[-1]] += 16 * high
    return made.to(torch.uint8)


@answers("pack_int4")
def packed_by_rows(q):
    def pack(row):
        if any(value not in range(-8, 8) for value in row):
            raise ValueError(row)
        pairs = itertools.zip_longest(row[::2], row[1::2], fillvalue=0)
        return [(first % 16) | (second % 16) << 4 for first, second in pairs]

    size = q.shape[-1]
    if q.ndim > 1:
        rows = [packed_by_rows(part) for part in q]
        return (
            torch.stack(rows) if rows else torch.empty(*q.shape[:-1], -(-size // 2), dtype=torch.uint8, device=q.device)
        )
    return torch.tensor(pack(q.tolist()), dtype=torch.uint8, device=q.device)


@answers("pack_int4")
def packed_by_numpy(q):
    values = q.cpu().numpy()
    if np.any(np.abs(values.astype(np.int16) * 2 + 1) > 15):
        raise ValueError("four bits")
    bits = np.unpackbits(values.view(np.uint8)[..., None], axis=-1, bitorder="little")[..., :4]
    bits = bits.reshape(*values.shape[:-1], 4 * values.shape[-1])
    return torch.from_numpy(np.packbits(bits, axis=-1, bitorder="little")).to(q.device)


# unpack_int4


@answers("unpack_int4")
def unpacked_by_a_table(packed, size):
    if 2 * packed.shape[-1] - size not in (0, 1):
        raise ValueError(size)
    table = torch.tensor([*range(8), *range(-8, 0)], dtype=torch.int8, device=packed.device)
    made = torch.empty(*packed.shape[:-1], 2 * packed.shape[-1], dtype=torch.int8, device=packed.device)
    made[..., ::2] = table[(packed % 16).long()]
    made[..., 1::2] = table[(packed // 16).long()]
    return made[..., :size]


@answers("unpack_int4")
def unpacked_by_shifts(packed, size):
    if packed.size(-1) != math.ceil(size / 2):
        raise ValueError("bytes")
    signed = packed.contiguous().view(torch.int8)
    both = torch.stack((signed << 4 >> 4, signed >> 4), dim=-1)
    return both.reshape(*packed.shape[:-1], 2 * packed.shape[-1]).narrow(-1, 0, size)


@answers("unpack_int4")
def unpacked_by_rows(packed, size):
    if packed.shape[-1] * 2 != size + size % 2:
        raise ValueError("bytes")
    found = []
    for byte in packed.flatten().tolist():
        found += [half - 16 * (half > 7) for half in (byte % 16, byte // 16)]
    rows = torch.tensor(found, dtype=torch.int8, device=packed.device)
    return rows.reshape(*packed.shape[:-1], 2 * packed.shape[-1])[..., :size].contiguous()


# quantized_bytes


@answers("quantized_bytes")
def bytes_by_fractions(shape, bits, group=None, scale_bytes=2):
    *leading, size = shape or (1,)
    packed = math.ceil(Fraction(size * bits, 8))
    if group is None:
        return math.prod(leading) * packed + scale_bytes
    return math.prod(leading) * (packed + math.ceil(Fraction(size, group)) * scale_bytes)


@answers("quantized_bytes")
def bytes_by_remainders(shape, bits, group=None, scale_bytes=2):
    if not shape:
        return bytes_by_remainders((1,), bits, group, scale_bytes)
    if len(shape) > 1:
        scale = 0 if group else scale_bytes
        return shape[0] * (bytes_by_remainders(shape[1:], bits, group, scale_bytes) - scale) + scale
    size, rest = divmod(shape[0] * bits, 8)
    groups, short = divmod(shape[0], group) if group else (1, 0)
    return size + (rest > 0) + (groups + (short > 0)) * scale_bytes


@answers("quantized_bytes")
def bytes_by_adding_one_less(shape, bits, group=None, scale_bytes=2):
    rows = 1
    for size in shape[:-1]:
        rows *= size
    values = shape[-1] if len(shape) else 1
    total = rows * ((values * bits + 7) >> 3)
    if group is not None:
        return total + rows * ((values + group - 1) // group) * scale_bytes
    return total + scale_bytes
