"""Kata 16 by the worked examples of its stub and its lesson."""

from typing import Any


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.amax_scale(0) == 0  # WRITE: each worked example
    assert kata.quantize(0) == 0  # WRITE: each worked example
    assert kata.dequantize(0) == 0  # WRITE: each worked example
    assert kata.quantize_int8(0) == 0  # WRITE: each worked example
    assert kata.pack_int4(0) == 0  # WRITE: each worked example
    assert kata.unpack_int4(0) == 0  # WRITE: each worked example
    assert kata.quantized_bytes(0) == 0  # WRITE: each worked example
    assert kata.delayed_scales(0) == 0  # WRITE: each worked example
    assert kata.fp8_linear(0) == 0  # WRITE: each worked example
