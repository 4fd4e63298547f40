"""Wrong answers to kata 16 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("16_fp8")


@answers("amax_scale")
def amax_scale_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.amax_scale(n)


@answers("quantize")
def quantize_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.quantize(n)


@answers("dequantize")
def dequantize_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.dequantize(n)


@answers("quantize_int8")
def quantize_int8_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.quantize_int8(n)


@answers("pack_int4")
def pack_int4_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.pack_int4(n)


@answers("unpack_int4")
def unpack_int4_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.unpack_int4(n)


@answers("quantized_bytes")
def quantized_bytes_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.quantized_bytes(n)


@answers("delayed_scales")
def delayed_scales_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.delayed_scales(n)


@answers("fp8_linear")
def fp8_linear_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.fp8_linear(n)
