"""Kata 07, solved: read and write the bits of a float."""

import math
from bisect import bisect_left

Format = tuple[int, int, int, str]

FLOAT32: Format = (8, 23, 127, "ieee")
FLOAT16: Format = (5, 10, 15, "ieee")
BFLOAT16: Format = (8, 7, 127, "ieee")
FLOAT8_E4M3FN: Format = (4, 3, 7, "fn")
FLOAT8_E5M2: Format = (5, 2, 15, "ieee")
FLOAT8_E4M3FNUZ: Format = (4, 3, 8, "fnuz")
FLOAT8_E5M2FNUZ: Format = (5, 2, 16, "fnuz")
FLOAT6_E2M3: Format = (2, 3, 1, "finite")
FLOAT6_E3M2: Format = (3, 2, 3, "finite")
FLOAT4_E2M1: Format = (2, 1, 1, "finite")


def decode(bits: int, fmt: Format) -> float:
    """Split the pattern into its fields, and look at the edge first."""
    exponent_bits, mantissa_bits, bias, special = fmt
    sign, magnitude = divmod(bits, 2 ** (exponent_bits + mantissa_bits))
    if sign not in (0, 1):
        raise ValueError(f"{bits} is no pattern of {1 + exponent_bits + mantissa_bits} bits")
    if special == "fnuz" and (sign, magnitude) == (1, 0):
        return math.nan
    if magnitude <= _top(fmt):
        exponent, mantissa = divmod(magnitude, 2**mantissa_bits)
        one = 2**mantissa_bits if exponent else 0
        value = math.ldexp(one + mantissa, max(exponent, 1) - bias - mantissa_bits)
    else:
        value = math.inf if special == "ieee" and magnitude == _top(fmt) + 1 else math.nan
    return -value if sign else value


def _top(fmt: Format) -> int:
    """Return the pattern of the largest number."""
    exponent_bits, mantissa_bits, _, special = fmt
    above = {"ieee": 2**mantissa_bits, "fn": 1, "fnuz": 0, "finite": 0}
    return 2 ** (exponent_bits + mantissa_bits) - 1 - above[special]


def limits(fmt: Format) -> dict[str, float]:
    """Decode the pattern of each limit: patterns sort like their numbers."""
    _, mantissa_bits, bias, _ = fmt
    one = bias << mantissa_bits
    return {
        "max": decode(_top(fmt), fmt),
        "smallest_normal": decode(1 << mantissa_bits, fmt),
        "smallest_subnormal": decode(1, fmt),
        "eps": decode(one + 1, fmt) - decode(one, fmt),
    }


def spacing(x: float, fmt: Format) -> float:
    """Return what the last bit of the mantissa is worth at the exponent of x."""
    if not abs(x) < limits(fmt)["max"]:
        raise ValueError(f"there is no number above {x}")
    return math.ldexp(1.0, _last_place(x, fmt))


def _last_place(x: float, fmt: Format) -> int:
    """Return the exponent of the last mantissa bit at x, as if there were no largest number."""
    _, mantissa_bits, bias, _ = fmt
    exponent = math.frexp(x)[1] - 1 if x else 1 - bias
    return max(exponent, 1 - bias) - mantissa_bits


def encode(x: float, fmt: Format, saturate: bool = False) -> int:
    """Count the gaps from 0 to x: those below the exponent of x, and those at it."""
    exponent_bits, mantissa_bits, bias, special = fmt
    top, every = _top(fmt), 2 ** (exponent_bits + mantissa_bits) - 1
    if math.isnan(x):
        if special == "finite":
            raise ValueError("the format has no NaN")
        return every + 1 if special == "fnuz" else every
    magnitude = top + 1
    if math.isfinite(x):
        place = _last_place(x, fmt)
        gaps = round(math.ldexp(abs(x), -place))  # ties to even
        magnitude = gaps + ((place + mantissa_bits + bias - 1) << mantissa_bits)
    if magnitude > top:
        if special in ("fn", "fnuz") and not saturate:
            return encode(math.nan, fmt)
        magnitude = top if saturate or special == "finite" else top + 1
    if special == "fnuz" and magnitude == 0:
        return 0
    return magnitude + (every + 1 if math.copysign(1, x) < 0 else 0)


def _rounded(x: float, fmt: Format) -> float:
    """Return the number of the format that is nearest to x."""
    return decode(encode(x, fmt), fmt)


def accumulate(values: list[float], fmt: Format) -> float:
    """Round each value before it is added, and the total after each addition."""
    total = 0.0
    for value in values:
        total = _rounded(total + _rounded(value, fmt), fmt)
    return total


def smallest_update(p: float, fmt: Format) -> float:
    """Find the first u that moves p by bisection: all larger ones, up to the largest number, move it too."""
    if not math.isfinite(p) or _rounded(p, fmt) != p:
        raise ValueError(f"{p} is no finite number of the format")
    patterns = range(_top(fmt))
    first = bisect_left(patterns, True, key=lambda bits: _rounded(p + decode(bits, fmt), fmt) != p)
    return decode(first, fmt)


def stochastic_round(x: float, fmt: Format, u: float) -> float:
    """Count the gaps between 0 and x: keep the whole ones, and take the rest as the chance of one more."""
    if not abs(x) <= limits(fmt)["max"] or not 0 <= u < 1:
        raise ValueError(f"cannot round {x} with {u}")
    gap = math.ldexp(1.0, _last_place(x, fmt))
    below = math.floor(x / gap)
    return (below + (u < x / gap - below)) * gap


def mx_dequantize(scale: int, elements: list[int], fmt: Format) -> list[float]:
    """Multiply all elements by the one scale."""
    if not 0 <= scale <= 255:
        raise ValueError(f"a scale is a byte, not {scale}")
    factor = math.nan if scale == 255 else 2.0 ** (scale - 127)
    return [factor * decode(bits, fmt) for bits in elements]


def mx_quantize(values: list[float], fmt: Format) -> tuple[int, list[int]]:
    """Scale the largest value to the exponent of the largest number."""
    if not values or not all(map(math.isfinite, values)):
        raise ValueError("a block has values, and all of them are finite")
    largest = max(map(abs, values))
    exponent = math.frexp(largest)[1] - math.frexp(limits(fmt)["max"])[1]
    exponent = max(-127, exponent)
    return exponent + 127, [encode(math.ldexp(value, -exponent), fmt, saturate=True) for value in values]
