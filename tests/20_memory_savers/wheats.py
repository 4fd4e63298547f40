"""Right answers to kata 20 in styles that the solution does not use."""

from dojo.judging.diagnose import answers


@answers("peak_bytes")
def peak_bytes_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("released")
def released_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("overwritten")
def overwritten_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("offload_to_disk")
def offload_to_disk_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("quantize")
def quantize_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("dequantize")
def dequantize_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("SGD8bit")
def SGD8bit_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("attach_sgd")
def attach_sgd_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("FactoredAdaGrad")
def FactoredAdaGrad_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can
