"""The formats of kata 07: the ten of the stub by name, and what a pattern's fields are."""

from __future__ import annotations

Format = tuple[int, int, int, str]

FORMATS: dict[str, Format] = {
    "FLOAT32": (8, 23, 127, "ieee"),
    "FLOAT16": (5, 10, 15, "ieee"),
    "BFLOAT16": (8, 7, 127, "ieee"),
    "FLOAT8_E4M3FN": (4, 3, 7, "fn"),
    "FLOAT8_E5M2": (5, 2, 15, "ieee"),
    "FLOAT8_E4M3FNUZ": (4, 3, 8, "fnuz"),
    "FLOAT8_E5M2FNUZ": (5, 2, 16, "fnuz"),
    "FLOAT6_E2M3": (2, 3, 1, "finite"),
    "FLOAT6_E3M2": (3, 2, 3, "finite"),
    "FLOAT4_E2M1": (2, 1, 1, "finite"),
}
FLOAT32 = FORMATS["FLOAT32"]
SUMS = [FORMATS[name] for name in ("BFLOAT16", "FLOAT16", "FLOAT32")]
"""In which hardware adds."""
BLOCKS = [FORMATS[name] for name in ("FLOAT4_E2M1", "FLOAT6_E3M2", "FLOAT6_E2M3", "FLOAT8_E5M2", "FLOAT8_E4M3FN")]
"""Of the elements of an MX block."""


def magnitudes(fmt: Format) -> int:
    """How many patterns there are without a sign; also the sign bit."""
    return int(2 ** (fmt[0] + fmt[1]))


def fields(bits: int, fmt: Format) -> tuple[str, str, str]:
    """Sign, exponent and mantissa of a pattern, in binary."""
    digits = f"{bits:0{1 + fmt[0] + fmt[1]}b}"
    return digits[0], digits[1 : 1 + fmt[0]], digits[1 + fmt[0] :]


def name_of(fmt: Format) -> str:
    """`FLOAT16`; of a format without a name, the tuple."""
    return next((name for name, other in FORMATS.items() if other == fmt), str(fmt))
