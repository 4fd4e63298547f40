"""Right answers to kata 16 in styles that the solution does not use."""

from dojo.judging.diagnose import answers


@answers("amax_scale")
def amax_scale_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("quantize")
def quantize_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("dequantize")
def dequantize_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("quantize_int8")
def quantize_int8_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("pack_int4")
def pack_int4_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("unpack_int4")
def unpack_int4_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("quantized_bytes")
def quantized_bytes_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("delayed_scales")
def delayed_scales_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("fp8_linear")
def fp8_linear_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can
