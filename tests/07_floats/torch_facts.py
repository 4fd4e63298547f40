"""What the properties of kata 07 take for granted of torch: a new torch breaks a test, and no verdict."""

import itertools
import math

import pytest
import torch

from dojo.seam.data import same

from . import truth
from .formats import BLOCKS, FLOAT32, FORMATS, SUMS, magnitudes, name_of
from .strategies_formats import edge_patterns
from .strategies_numbers import edges

BY_DTYPE = [pytest.param(fmt, id=name_of(fmt)) for fmt in truth.DTYPES]
SMALL = [pytest.param(fmt, id=name) for name, fmt in FORMATS.items() if fmt != FLOAT32]
E4M3FN, E5M2, E5M2FNUZ = (FORMATS[f"FLOAT8_{name}"] for name in ("E4M3FN", "E5M2", "E5M2FNUZ"))


def cast(values, fmt):
    """What torch's cast makes of these float32."""
    return torch.tensor(values).to(truth.DTYPES[fmt]).double().tolist()


@pytest.mark.parametrize("fmt", BY_DTYPE)
def test_torch_shows_what_the_fields_in_a_float64_mean(fmt):
    """So the formats that torch lacks can be shown that way; FLOAT32 at the edges alone."""
    own = truth.DTYPES.pop(fmt)
    patterns = edge_patterns(fmt) if fmt == FLOAT32 else range(2 * magnitudes(fmt))
    try:
        by_fields = truth.numbers(patterns, fmt)
    finally:
        truth.DTYPES[fmt] = own
    assert same(by_fields, truth.numbers(patterns, fmt), bits=True)


@pytest.mark.parametrize("fmt", SMALL)
def test_patterns_of_one_sign_sort_like_their_numbers(fmt):
    """Which is why a number's place among all is its pattern."""
    every = truth.positives(fmt)
    assert every[0] == 0
    assert all(low < high for low, high in itertools.pairwise(every))
    assert truth.nearest(every, fmt) == list(range(len(every)))


@pytest.mark.parametrize("fmt", SUMS)
def test_neighbours_are_those_of_nextafter(fmt):
    """In the formats that torch has it for."""
    for x in [x for x in edges(fmt) if 0 <= x < truth.largest(fmt)]:
        below, above = truth.around(x, fmt)
        here = torch.tensor(below, dtype=torch.float32).to(truth.DTYPES[fmt])
        assert here.item() == below <= x
        assert torch.nextafter(here, torch.full_like(here, math.inf)).item() == above


def test_nextafter_has_no_float8():
    """Its neighbours are those of the sorted numbers."""
    with pytest.raises(NotImplementedError):
        torch.nextafter(torch.ones((), dtype=torch.float8_e5m2), torch.ones((), dtype=torch.float8_e5m2))


@pytest.mark.parametrize("fmt", BY_DTYPE)
def test_finfo_is_right_but_for_one_eps(fmt):
    """It has no smallest subnormal, and torch before 2.15 halves the eps of float8_e5m2fnuz."""
    about, found = torch.finfo(truth.DTYPES[fmt]), truth.limits(fmt)
    assert (about.max, about.smallest_normal) == (found["max"], found["smallest_normal"])
    assert about.eps == found["eps"] or (fmt, about.eps) == (E5M2FNUZ, found["eps"] / 2)
    assert truth.limits(E5M2FNUZ)["eps"] == 0.25


def test_e4m3fn_overflows_above_464_and_not_there():
    """To NaN before torch 2.13, to 448 from then on: no property asks torch for it."""
    found = cast([448.0, 464.0, -464.0, 464.00003, math.inf, -1e4], E4M3FN)
    assert found[:3] == [448.0, 448.0, -448.0]
    saturates = tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 13)
    assert same(found[3:], [448.0, 448.0, -448.0] if saturates else [math.nan] * 3, bits=True)
    assert truth.nearest([464.00003, math.inf], E4M3FN) == [None, None]
    assert truth.nearest([464.00003, -math.inf], E4M3FN, saturate=True) == [0x7E, 0xFE]


def test_other_formats_overflow_half_way_to_the_number_after_the_largest():
    """To infinity, and to NaN in fnuz, where −0.0 becomes 0."""
    assert cast([61439.0, 61440.0, -math.inf], E5M2) == [57344.0, math.inf, -math.inf]
    assert cast([65519.0, 65520.0], FORMATS["FLOAT16"]) == [65504.0, math.inf]
    assert truth.nearest([61440.0, math.inf, -0.0, -1e-9], E5M2FNUZ) == [None, None, 0, 0]


def test_a_cast_of_float64_rounds_twice():
    """To float32 first: so nothing is asked of numbers that float32 lacks."""
    x = 1 + 2**-11 + 2**-40
    assert torch.tensor(x, dtype=torch.float64).to(torch.float16).item() == 1.0


@pytest.mark.parametrize("fmt", [fmt for fmt in BY_DTYPE if fmt.values != (FLOAT32,)])
def test_a_cast_is_the_nearest_number(fmt):
    """Compared as fractions, as it is done where torch has no cast."""
    asked = [x for x in edges(fmt) if abs(x) <= truth.largest(fmt)]
    nearest = [truth._nearest_of_few(x, fmt) for x in asked]
    minus_zero = magnitudes(fmt) if fmt[3] == "fnuz" else None
    assert truth.nearest(asked, fmt) == [0 if bits == minus_zero else bits for bits in nearest]


def test_float8_is_not_added():
    """So its sums are those of float32, rounded: 24 bits are twice 4 and two more."""
    one = torch.ones((), dtype=torch.float8_e4m3fn)
    with pytest.raises(NotImplementedError):
        one + one
    assert truth.added(1.0, 0.125, E4M3FN) == 1.125


def test_running_totals_stop_and_sums_do_not():
    """Torch's own sum runs in float32, and is no oracle for a running total."""
    ones = torch.ones(10_000, dtype=torch.bfloat16)
    assert truth.accumulated([1.0] * 300, FORMATS["BFLOAT16"]) == 256
    assert truth.accumulated([1.0] * 2100, FORMATS["FLOAT16"]) == 2048
    assert ones.sum().item() == 9984


def test_nothing_is_flushed_to_zero():
    """Subnormals are numbers, in Python's floats as well."""
    smallest = 5e-324
    assert smallest * 1.0 > 0
    assert cast([2**-149], FLOAT32) == [2**-149]
    assert cast([2**-133], FORMATS["BFLOAT16"]) == [2**-133]


def test_the_scale_of_a_block_is_a_power_of_two_and_255_is_nan():
    """Without a sign, and without a zero."""
    bytes = torch.arange(256, dtype=torch.uint8).view(torch.float8_e8m0fnu).double().tolist()
    assert bytes[:255] == [2.0 ** (byte - 127) for byte in range(255)]
    assert math.isnan(bytes[255])


def test_a_cast_to_a_scale_rounds_to_the_nearest():
    """So it is no oracle for the floor of a logarithm; frexp is."""
    assert torch.tensor([1.4, 1.5]).to(torch.float8_e8m0fnu).float().tolist() == [1.0, 2.0]
    assert [truth.exponent(x) for x in (2.0**-149, 0.75, 1.0, 1.999, 448.0)] == [-149, -1, 0, 0, 8]


@pytest.mark.parametrize("fmt", BLOCKS, ids=name_of)
def test_scaling_by_a_power_of_two_is_exact(fmt):
    """In float64, by all that a scale can be."""
    for power in (-127, -1, 0, 125, 127):
        x = torch.tensor([2.0**-149, 1.75, 3.4028234663852886e38], dtype=torch.float64)
        assert torch.ldexp(x, torch.tensor(power)).tolist() == [math.ldexp(value, power) for value in x.tolist()]


def test_torch_has_no_format_of_4_or_6_bits_to_cast_to():
    """float4_e2m1fn_x2 holds pairs, and is cast from nothing."""
    assert {name_of(fmt) for fmt in FORMATS.values() if fmt not in truth.DTYPES} == {
        "FLOAT6_E2M3",
        "FLOAT6_E3M2",
        "FLOAT4_E2M1",
    }
    with pytest.raises((NotImplementedError, RuntimeError, TypeError)):
        torch.ones(2).to(torch.float4_e2m1fn_x2)
