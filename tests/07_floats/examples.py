"""Kata 07 by the worked examples of its stub and its lesson."""

import math
from typing import Any

from dojo.judging.expect import expect_error

from .formats import FORMATS

FLOAT32, FLOAT16, BFLOAT16, FLOAT8_E4M3FN, FLOAT8_E5M2, FLOAT8_E4M3FNUZ = list(FORMATS.values())[:6]
FLOAT4_E2M1 = FORMATS["FLOAT4_E2M1"]


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    because = "the example says so"
    assert kata.decode(0b00111110001 << 21, FLOAT32) == 0.15625
    assert kata.decode(0b0_00001_0000000000, FLOAT16) == 2**-14
    assert kata.decode(0b0_00000_0000000001, FLOAT16) == 2**-24
    assert math.copysign(1, kata.decode(0b1_00000_0000000000, FLOAT16)) == -1
    assert kata.decode(0b1_11111_0000000000, FLOAT16) == -math.inf
    assert math.isnan(kata.decode(0x80, FLOAT8_E4M3FNUZ))
    expect_error(ValueError, kata.decode, 256, FLOAT8_E4M3FN, because=because)
    names = ("max", "smallest_normal", "smallest_subnormal", "eps")
    for fmt, found in [(FLOAT16, (65504.0, 2**-14, 2**-24, 2**-10)), (FLOAT8_E4M3FN, (448.0, 2**-6, 2**-9, 2**-3))]:
        assert kata.limits(fmt) == dict(zip(names, found, strict=True))
    assert kata.spacing(1.0, BFLOAT16) == 2**-7
    assert kata.spacing(0.99609375, BFLOAT16) == 2**-8
    assert kata.spacing(-1.0625, FLOAT8_E4M3FN) == 2**-3
    assert kata.spacing(2**-20, FLOAT16) == 2**-24
    expect_error(ValueError, kata.spacing, 65504.0, FLOAT16, because=because)
    assert kata.encode(1.0, BFLOAT16) == kata.encode(1 + 2**-8, BFLOAT16) == 0b0_01111111_0000000
    assert kata.encode(2 - 2**-9, BFLOAT16) == 0b0_10000000_0000000
    assert kata.encode(65519.0, FLOAT16) == 0b0_11110_1111111111
    assert kata.encode(65520.0, FLOAT16) == 0b0_11111_0000000000
    assert kata.encode(464.0, FLOAT8_E4M3FN) == 0b0_1111_110
    assert kata.encode(61440.0, FLOAT8_E5M2, True) == 0b0_11110_11
    expect_error(ValueError, kata.encode, math.nan, FLOAT4_E2M1, because=because)
    assert kata.accumulate([1.0] * 300, BFLOAT16) == 256
    assert kata.accumulate([-2048.0, 2049.0], FLOAT16) == 0
    assert kata.accumulate([65504.0, 16.0], FLOAT16) == math.inf
    assert kata.accumulate([], FLOAT16) == 0
    assert kata.smallest_update(1.0, BFLOAT16) == 2**-8 + 2**-15
    assert kata.smallest_update(1.0078125, BFLOAT16) == 2**-8
    assert kata.smallest_update(-1.0, BFLOAT16) == 2**-9 + 2**-16
    assert kata.smallest_update(0.0, FLOAT16) == 2**-24
    expect_error(ValueError, kata.smallest_update, 0.1, BFLOAT16, because=because)
    assert kata.stochastic_round(1.25, FLOAT4_E2M1, 0.49) == 1.5
    assert kata.stochastic_round(1.25, FLOAT4_E2M1, 0.5) == 1.0
    assert kata.stochastic_round(-1.25, FLOAT4_E2M1, 0.49) == -1.0
    expect_error(ValueError, kata.stochastic_round, 7.0, FLOAT4_E2M1, 0.5, because=because)
    assert kata.mx_dequantize(128, [0b0_01_0, 0b1_01_1], FLOAT4_E2M1) == [2.0, -3.0]
    assert math.isnan(kata.mx_dequantize(255, [0], FLOAT4_E2M1)[0])
    expect_error(ValueError, kata.mx_dequantize, 256, [], FLOAT4_E2M1, because=because)
    assert kata.mx_quantize([3.0, -0.25], FLOAT4_E2M1) == (126, [0b0_11_1, 0b1_00_1])
    assert kata.mx_quantize([509.75], FLOAT8_E4M3FN) == (127, [0b0_1111_110])
    expect_error(ValueError, kata.mx_quantize, [], FLOAT4_E2M1, because=because)
