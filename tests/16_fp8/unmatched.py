"""Wrong answers to kata 16 that no belief in the misconceptions explains."""
# mypy: ignore-errors

import math

import torch

from dojo.judging.diagnose import answers, solution

solved = solution("16_fp8")
E4M3 = torch.float8_e4m3fn


@answers("amax_scale")
def three_quarters(x, block=None, dtype=E4M3):
    """Return three quarters of a scale below 1."""
    scale = solved.amax_scale(x, block, dtype)
    return torch.where(scale < 1, scale * 0.75, scale)


@answers("quantize")
def one_code_further(x, scale, dtype=E4M3):
    """Store every third number one code off."""
    codes = solved.quantize(x, scale, dtype).view(torch.uint8).flatten()
    codes[1::3] ^= 1
    return codes.reshape(x.shape).view(dtype)


@answers("dequantize")
def odd_ones_negative(q, scale, zero_point=0):
    """Change the sign of every second number."""
    y = solved.dequantize(q, scale, zero_point).flatten()
    y[1::2] *= -1
    return y.reshape(q.shape)


@answers("quantize_int8")
def codes_backwards(x, symmetric=True):
    """Return the codes in reverse order."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    return codes.flatten().flip(0).reshape(x.shape), scale, zero_point


@answers("pack_int4")
def inverts_bits(q):
    """Invert all bits."""
    return ~solved.pack_int4(q)


@answers("unpack_int4")
def doubles_the_values(packed, size):
    """Double each value."""
    return solved.unpack_int4(packed, size) * 2


@answers("quantized_bytes")
def in_pages(shape, bits, group=None, scale_bytes=2):
    """Round up to 64 bytes."""
    return -(-solved.quantized_bytes(shape, bits, group, scale_bytes) // 64) * 64


@answers("delayed_scales")
def by_the_root(amaxes, window, largest=448.0):
    """Return twice the square root of the right scale."""
    return [2 * math.sqrt(scale) for scale in solved.delayed_scales(amaxes, window, largest)]


@answers("fp8_linear")
def turns_the_first_row(x, weight, mm):
    """Change the sign of the first row."""
    result = solved.fp8_linear(x, weight, mm)
    result[0] *= -1
    return result


@answers("amax_scale")
def lifts_small_scales(x, block=None, dtype=torch.float8_e4m3fn):
    """Raise each scale to at least 1e-6."""
    return solved.amax_scale(x, block, dtype).clamp(min=1e-6)
