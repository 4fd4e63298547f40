"""What hypothesis draws for kata 07: formats, and patterns of them."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import pick
from . import truth
from .formats import FORMATS, Format, magnitudes, name_of

Formats = Sequence[Format]
TEN = list(FORMATS.values())[::-1]
"""The formats of the stub; the one with the fewest bits is the simplest."""
ADDED = list(truth.DTYPES)[::-1]
"""The formats that torch can add in."""
SPECIALS = ("ieee", "fn", "fnuz", "finite")


def _by_name(formats: Formats) -> dict[str, object]:
    return {name_of(fmt): lambda case, fmt=fmt: case == fmt for fmt in formats}


@functools.cache
@classes(_by_name(TEN))  # type: ignore[arg-type]
def formats() -> SearchStrategy[Format]:
    """The ten of the stub."""
    return st.sampled_from(TEN)


@functools.cache
@classes({special: lambda case, special=special: case[3] == special for special in ("ieee", "fn", "fnuz")})  # type: ignore[misc]
def formats_to_add_in() -> SearchStrategy[Format]:
    """Those that torch can add in: all but the finite ones."""
    return st.sampled_from(ADDED)


@functools.cache
@classes(
    {
        "a mantissa of 1 bit": lambda case: case[1] == 1,
        "an exponent of 5 bits": lambda case: case[0] == 5,
        "a bias of 1": lambda case: case[2] == 1,
        "a bias above that of IEEE": lambda case: case[2] > 2 ** (case[0] - 1) - 1,
        "a bias below that of IEEE": lambda case: case[2] < 2 ** (case[0] - 1) - 1,
        "ieee": lambda case: case[3] == "ieee",
        "finite": lambda case: case[3] == "finite",
    }
)
@st.composite
def other_formats(draw: DrawFn, specials: tuple[str, ...] = SPECIALS) -> Format:
    """Formats that nobody has named, in which 1.0 is a normal number and not the largest."""
    exponent_bits, mantissa_bits, special = draw(st.integers(2, 5)), draw(st.integers(1, 6)), pick(draw, specials)
    # With the largest bias of "fn" the number above 1.0 can be NaN.
    most = 2**exponent_bits - (1 if special in ("finite", "fnuz") else 2)
    return exponent_bits, mantissa_bits, pick(draw, range(1, most + 1)), special


def edge_patterns(fmt: Format) -> list[int]:
    """0, the smallest and the largest subnormal, the smallest normal, 1.0, max, what is above, all ones; all signed."""
    most, normal, one = magnitudes(fmt) - 1, 2 ** fmt[1], fmt[2] << fmt[1]
    top = most - {"ieee": normal, "fn": 1}.get(fmt[3], 0)
    bare = {0, 1, normal - 1, normal, one, top, min(top + 1, most), min(top + 2, most), most}
    return [sign + bits for bits in sorted(bare) for sign in (0, most + 1)]


@functools.cache
@classes(
    {
        "a format of its own": lambda case: case[0] not in TEN,
        "a subnormal number": lambda case: any(0 < bits % magnitudes(case[0]) < 2 ** case[0][1] for bits in case[1]),
        "with the sign bit": lambda case: any(bits >= magnitudes(case[0]) for bits in case[1]),
    }
)
@st.composite
def patterns(draw: DrawFn) -> tuple[Format, list[int]]:
    """A format, and patterns of it."""
    fmt = draw(pick(draw, (formats(), other_formats())))
    return fmt, draw(st.lists(st.integers(0, 2 * magnitudes(fmt) - 1), min_size=1, max_size=3))


@functools.cache
@classes(
    {
        "the first one that is too large": lambda case: case[0] == 2 * magnitudes(case[1]),
        "with a bit too many": lambda case: 2 * magnitudes(case[1]) < case[0] < 4 * magnitudes(case[1]),
        "beyond 64 bits": lambda case: case[0] >= 2**64,
        "-1": lambda case: case[0] == -1,
        "a pattern with a minus": lambda case: -magnitudes(case[1]) < case[0] < -1,
    }
)
@st.composite
def no_patterns(draw: DrawFn) -> tuple[int, Format]:
    """What is no pattern of a format, and the format."""
    fmt = draw(pick(draw, (formats(), other_formats())))
    first = 2 * magnitudes(fmt)
    inside = draw(st.integers(0, first - 1))
    return pick(draw, (first, first, first + inside, first << 64, -1, -1, -1 - inside)), fmt
