"""Wrong answers that people give to kata 20, each with the belief behind it."""

from dojo.judging.diagnose import believes, solution

solved = solution("20_memory_savers")


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="peak_bytes")
def peak_bytes_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.peak_bytes(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="released")
def released_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.released(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="overwritten")
def overwritten_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.overwritten(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="offload_to_disk")
def offload_to_disk_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.offload_to_disk(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="quantize")
def quantize_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.quantize(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="dequantize")
def dequantize_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.dequantize(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="SGD8bit")
def SGD8bit_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.SGD8bit(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="attach_sgd")
def attach_sgd_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.attach_sgd(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="FactoredAdaGrad")
def FactoredAdaGrad_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.FactoredAdaGrad(n) + 1
