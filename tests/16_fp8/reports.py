"""Failures of kata 16 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties
from .strategies_bytes import Integers, Sized
from .strategies_codes import Quantized, Ranged, Stored
from .strategies_products import Product
from .strategies_scales import Scaled, Steps

KATA = find("16")

TIE = [
    "x = torch.tensor([[6.4, 18.0], [17.0, 600.0]], dtype=torch.float32)",
    "scale = torch.tensor([[0.5], [1.0]], dtype=torch.float32)",
    "q = quantize(x, scale)",
]
WRAPPED = ["q = torch.tensor([3, -128], dtype=torch.int8)", "scale = 0.5", "y = dequantize(q, scale, 100)"]
ROWS = [
    "torch.manual_seed(5)",
    "x = torch.randn(2, 3, dtype=torch.float32) * 10.0 ** torch.linspace(0, 6, 2, dtype=torch.float32).unsqueeze(1)",
    "weight = torch.randn(4, 3, dtype=torch.float32)",
    "mm = strict_mm()",
    "result = fp8_linear(x, weight, mm)",
]


def wrong(name):
    """The answer of that name, as a learner would hand it in."""
    return lambda tmp: believing(KATA, name)


CASES = {
    "a_block_that_is_not_finite": (
        of(
            properties.test_amax_scale_of_a_block_is_its_own,
            case=Scaled((896.0, -2.0, float("inf"), 0.0), (2, 2), "float32", (1, 2), ""),
        ),
        wrong("amax_scale-passes_on_what_is_not_finite"),
    ),
    "a_tie": (
        of(
            properties.test_quantize_gives_the_nearest_number,
            case=Quantized(TIE, "", "float32", ("between", "a code", "a tie", "beyond"), "rows"),
        ),
        wrong("quantize-ties_away"),
    ),
    "a_difference_that_wraps": (
        of(
            properties.test_dequantize_gives_what_the_numbers_stand_for,
            case=Stored(WRAPPED, "int8", (3, -128), "float", 100),
        ),
        wrong("dequantize-wraps"),
    ),
    "a_range_without_0": (
        of(
            properties.test_quantize_int8_comes_back_within_half_a_scale,
            case=Ranged((1.9921875, 3.984375), (2,), False),
        ),
        wrong("quantize_int8-range_without_0"),
    ),
    "an_odd_row": (
        of(
            properties.test_pack_int4_puts_two_values_into_a_byte,
            case=Integers((1, 2, -1, 7, 0, 3), (2, 3), "int8"),
        ),
        wrong("pack_int4-zero_first"),
    ),
    "bytes_of_rows": (
        of(
            properties.test_quantized_bytes_are_those_of_packed_rows_and_their_scales,
            case=Sized((2, 3), 4, None, None),
        ),
        wrong("quantized_bytes-rows_share_bytes"),
    ),
    "a_step_of_its_own": (
        of(
            properties.test_delayed_scales_come_from_the_steps_before,
            case=Steps([448.0, 896.0, 1344.0], 2, None),
        ),
        wrong("delayed_scales-of_its_own"),
    ),
    "one_scale": (
        of(properties.test_fp8_linear_is_as_near_as_fp8_is, case=Product(ROWS, 2, 3, 4, 1.0)),
        wrong("fp8_linear-a_scale_for_each_matrix"),
    ),
    "a_layout": (
        of(properties.test_fp8_linear_is_as_near_as_fp8_is, case=Product(ROWS, 2, 3, 4, 1.0)),
        wrong("fp8_linear-makes_b_contiguous"),
    ),
}
