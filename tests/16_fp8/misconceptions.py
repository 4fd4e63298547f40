"""Wrong answers that people give to kata 16, each with the belief behind it."""

from dojo.judging.diagnose import believes, solution

solved = solution("16_fp8")


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="amax_scale")
def amax_scale_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.amax_scale(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="quantize")
def quantize_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.quantize(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="dequantize")
def dequantize_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.dequantize(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="quantize_int8")
def quantize_int8_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.quantize_int8(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="pack_int4")
def pack_int4_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.pack_int4(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="unpack_int4")
def unpack_int4_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.unpack_int4(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="quantized_bytes")
def quantized_bytes_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.quantized_bytes(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="delayed_scales")
def delayed_scales_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.delayed_scales(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="fp8_linear")
def fp8_linear_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.fp8_linear(n) + 1
