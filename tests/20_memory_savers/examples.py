"""Kata 20 by the worked examples of its stub and its lesson."""

from typing import Any


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.peak_bytes(0) == 0  # WRITE: each worked example
    assert kata.released(0) == 0  # WRITE: each worked example
    assert kata.overwritten(0) == 0  # WRITE: each worked example
    assert kata.offload_to_disk(0) == 0  # WRITE: each worked example
    assert kata.quantize(0) == 0  # WRITE: each worked example
    assert kata.dequantize(0) == 0  # WRITE: each worked example
    assert kata.SGD8bit(0) == 0  # WRITE: each worked example
    assert kata.attach_sgd(0) == 0  # WRITE: each worked example
    assert kata.FactoredAdaGrad(0) == 0  # WRITE: each worked example
