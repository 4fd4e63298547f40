"""Kata 07: read and write the bits of a float. The lesson is in README.md beside this file.

Solve this kata with plain Python ints and floats, without torch, numpy, struct, array and ctypes.

A format has one sign bit, then the exponent bits, then the mantissa bits, highest bit first. A pattern is an int that
holds these bits. Let E be the exponent bits as an int, M the mantissa bits as an int, and m the number of mantissa
bits. Then a pattern means

E > 0    (-1)^sign · 2^(E - bias) · (1 + M / 2^m)     a normal number
E = 0    (-1)^sign · 2^(1 - bias) · (M / 2^m)         0 or a subnormal number: no 1, and the exponent of E = 1

except at the edge, where `special` says what patterns mean:

"ieee"      E of all ones is infinity if M is 0, and NaN otherwise
"fn"        no infinity; E and M of all ones are NaN, with either sign, and all other patterns are numbers
"fnuz"      no infinity and no negative zero; the pattern that -0.0 would have is the only NaN
"finite"    every pattern is a number

A Python float holds every number here exactly, and floats are compared bit for bit: -0.0 is not 0.0 unless a function
says otherwise. NaN is NaN, whatever its sign. Where a float is promised, an int of that value will do (0 is 0.0). Every
number passed in is one that float32 holds, including infinity and NaN, unless a function says otherwise. Leave a list
that is passed in as it is; what was returned also stays as it is when a function is called again.
"""

Format = tuple[int, int, int, str]
"""Bits of the exponent, bits of the mantissa, bias, and what is special."""

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
    """Return what a pattern means: a number, -0.0, an infinity or NaN.

    Formats other than the ten above are passed too; all have 1 or more mantissa bits.

    0b00111110001 << 21, FLOAT32     ->  0.15625: E is 124 and M / 2^m is 0.25, so 2^(124 - 127) · 1.25
    0b0_00001_0000000000, FLOAT16    ->  2^-14, the smallest normal number
    0b0_00000_0000000001, FLOAT16    ->  2^-24, the smallest subnormal number
    0b1_00000_0000000000, FLOAT16    ->  -0.0
    0b1_11111_0000000000, FLOAT16    ->  -infinity
    0x80, FLOAT8_E4M3FNUZ            ->  NaN

    Raises ValueError for bits < 0, and for bits that need more places than sign, exponent and mantissa have.
    """
    raise NotImplementedError("decode")


def limits(fmt: Format) -> dict[str, float]:
    """Return what a format can hold, under exactly these keys: "max", "smallest_normal", "smallest_subnormal", "eps".

    max                  the largest finite number
    smallest_normal      the smallest positive number with E > 0
    smallest_subnormal   the smallest positive number
    eps                  the gap between 1.0 and the next larger number

    FLOAT16         ->  65504.0, 2^-14, 2^-24, 2^-10
    FLOAT8_E4M3FN   ->  448.0, 2^-6, 2^-9, 2^-3

    Formats other than the ten above are passed too: "ieee" and "finite" ones with 1 or more mantissa bits, and with any
    bias for which 1.0 is a normal number and not the largest.
    """
    raise NotImplementedError("limits")


def spacing(x: float, fmt: Format) -> float:
    """Return the gap between the largest number of the format that is <= |x| and the next larger one.

    fmt is one of the ten formats above.

    1.0, BFLOAT16            ->  2^-7
    0.99609375, BFLOAT16     ->  2^-8: this is 1 - 2^-8, the number just below 1.0
    -1.0625, FLOAT8_E4M3FN   ->  2^-3: the sign does not matter, nor whether the format has x itself
    2^-20, FLOAT16           ->  2^-24: below the smallest normal number, and at 0.0, it is the smallest subnormal

    Raises ValueError if there is no larger number: |x| is max or more, or x is NaN.
    """
    raise NotImplementedError("spacing")


def encode(x: float, fmt: Format, saturate: bool = False) -> int:
    """Return the pattern of the number nearest to x. If two are equally near, return the one whose last bit is 0.

    fmt is one of the ten. Subnormal numbers are numbers. The sign of x is kept, even if x is -0.0 or rounds to it; but
    "fnuz" has no -0.0, and there the result is pattern 0.

    1.0, BFLOAT16            ->  0b0_01111111_0000000
    1 + 2^-8, BFLOAT16       ->  the same: halfway to the next number, and this one is even
    2 - 2^-9, BFLOAT16       ->  0b0_10000000_0000000: it rounds up to 2.0, and the carry goes into the exponent

    x overflows if it is infinite, or if it would round to a number above max if there were any. It then becomes
    infinity in "ieee", NaN in "fn" and "fnuz", and max in "finite", each with the sign of x. With `saturate` it becomes
    max with the sign of x in every format, even if x is infinite.

    65519.0, FLOAT16         ->  0b0_11110_1111111111, max, 65504.0
    65520.0, FLOAT16         ->  0b0_11111_0000000000, infinity: halfway to 65536, and max is odd
    464.0, FLOAT8_E4M3FN     ->  0b0_1111_110, max, 448.0: halfway to 480, and max is even

    NaN becomes any NaN of the format, with `saturate` or without; so does an x that overflows to NaN.

    Raises ValueError for NaN if the format is "finite", with `saturate` or without.
    """
    raise NotImplementedError("encode")


def accumulate(values: list[float], fmt: Format) -> float:
    """Return the running total of the values from left to right, as hardware of that format would keep it.

    The total starts at 0.0. Each value is rounded to the format (as `encode` does) before it is added, and the total is
    rounded to the format after each addition. Anything that overflows becomes infinity and stays infinity. A total of
    zero is 0.0, even for no values, or for -0.0 alone.

    [1.0] * 300, BFLOAT16        ->  256.0: 257 is halfway between 256 and 258, and rounds back to 256
    [-2048.0, 2049.0], FLOAT16   ->  0.0: 2049 is rounded to 2048 first
    [65504.0, 16.0], FLOAT16     ->  infinity

    The format is FLOAT32, FLOAT16 or BFLOAT16; the values are finite, and no total is NaN.
    """
    raise NotImplementedError("accumulate")


def smallest_update(p: float, fmt: Format) -> float:
    """Return the smallest positive number u of the format for which p + u, rounded to the format, is not p.

    p may be negative; u is still added to it. A p of -0.0 counts as 0.0, even in "fnuz".

    1.0, BFLOAT16              ->  2^-8 + 2^-15: half a gap, 2^-8, is a tie that goes back to 1.0; this is the next one
    1.0078125, BFLOAT16        ->  2^-8: p is 1 + 2^-7, which is odd, so the tie goes away from it
    -1.0, BFLOAT16             ->  2^-9 + 2^-16: towards zero the gap is half as wide
    0.0, FLOAT16               ->  2^-24

    If p is a number of the format, |p| is at most max / 2, and the format is one of the ten but not a "finite" one.

    Raises ValueError if p is not a finite number of the format, for any of the ten; here p may be any float.
    """
    raise NotImplementedError("smallest_update")


def stochastic_round(x: float, fmt: Format, u: float) -> float:
    """Round x up or down, depending on the random number u, so that the mean over all u is x.

    If the format has x, return x. Otherwise x lies between two neighbors, below < x < above on the number line, even if
    x is negative. Return `above` if u < (x - below) / (above - below), and `below` otherwise. fmt is one of the ten.
    The sign of a zero does not matter here.

    1.25, FLOAT4_E2M1, u = 0.49    ->  1.5: halfway between 1.0 and 1.5
    1.25, FLOAT4_E2M1, u = 0.5     ->  1.0
    -1.25, FLOAT4_E2M1, u = 0.49   ->  -1.0

    Raises ValueError for |x| > max (including infinity), for NaN, and for u < 0 or u >= 1, even if the format has x.
    """
    raise NotImplementedError("stochastic_round")


def mx_dequantize(scale: int, elements: list[int], fmt: Format) -> list[float]:
    """Return the numbers of one MX block: 2^(scale - 127) times what each pattern means. fmt is one of the ten.

    128, [0b0_01_0, 0b1_01_1], FLOAT4_E2M1   ->  [2.0, -3.0]: 2 · 1.0 and 2 · -1.5

    A scale of 255 means NaN: every element is then NaN, whatever its pattern. A zero has the sign of its pattern.
    Here a block may have more than 32 elements, or fewer.

    Raises ValueError for a scale below 0 or above 255, even if there are no elements.
    """
    raise NotImplementedError("mx_dequantize")


def mx_quantize(values: list[float], fmt: Format) -> tuple[int, list[int]]:
    """Return one MX block of these values, as (scale, elements): the byte of the scale, and a pattern for each value.

    The scale is 2^e with e = floor(log2(largest |value|)) - floor(log2(max of the format)), where e is clamped
    to -127..127; its byte is e + 127. Each element is the pattern of value / 2^e, rounded as `encode` does with
    `saturate`.

    [3.0, -0.25], FLOAT4_E2M1     ->  (126, [0b0_11_1, 0b1_00_1]): e is 1 - 2, and the elements 6.0 and -0.5
    [509.75], FLOAT8_E4M3FN       ->  (127, [0b0_1111_110]): e is 8 - 8, and 509.75 saturates to 448.0

    If all values are zero, the scale may be any byte from 0 to 254, and the elements are zeros with their signs. The
    format is FLOAT8_E4M3FN, FLOAT8_E5M2, FLOAT6_E2M3, FLOAT6_E3M2 or FLOAT4_E2M1. Here a block may have more than
    32 values, or fewer.

    Raises ValueError if there are no values, or if a value is infinite or NaN.
    """
    raise NotImplementedError("mx_quantize")
