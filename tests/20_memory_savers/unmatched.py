"""Wrong answers to kata 20 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("20_memory_savers")


@answers("peak_bytes")
def peak_bytes_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.peak_bytes(n)


@answers("released")
def released_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.released(n)


@answers("overwritten")
def overwritten_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.overwritten(n)


@answers("offload_to_disk")
def offload_to_disk_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.offload_to_disk(n)


@answers("quantize")
def quantize_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.quantize(n)


@answers("dequantize")
def dequantize_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.dequantize(n)


@answers("SGD8bit")
def SGD8bit_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.SGD8bit(n)


@answers("attach_sgd")
def attach_sgd_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.attach_sgd(n)


@answers("FactoredAdaGrad")
def FactoredAdaGrad_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.FactoredAdaGrad(n)
