"""Failures of kata 07 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, handing_in, of

from . import properties
from .formats import FORMATS

KATA = find("07")


CASES = {
    "bits_of_a_pattern": (
        of(properties.test_decode_is_what_torch_shows, case=(FORMATS["FLOAT8_E4M3FN"], [0b1_0000_100])),
        lambda tmp: believing(KATA, "decode-gives_subnormals_their_own_exponent"),
    ),
    "bits_of_two_patterns": (
        of(properties.test_encode_is_what_torch_casts_to, cases=[(FORMATS["FLOAT8_E4M3FN"], 1.0625)]),
        lambda tmp: believing(KATA, "encode-rounds_ties_away"),
    ),
    "a_lost_sign_of_zero": (
        of(properties.test_encode_is_what_torch_casts_to, cases=[(FORMATS["FLOAT4_E2M1"], -0.125)]),
        lambda tmp: believing(KATA, "encode-drops_the_sign_of_what_vanishes"),
    ),
    "a_zero_without_a_sign": (
        of(properties.test_decode_is_what_torch_shows, case=(FORMATS["FLOAT8_E4M3FN"], [0x80])),
        lambda tmp: believing(KATA, "decode-drops_the_sign_of_zero"),
    ),
    "a_pattern_of_nan": (
        of(properties.test_encode_keeps_nan_where_the_format_has_one, fmt=FORMATS["FLOAT8_E4M3FN"]),
        lambda tmp: handing_in(KATA, encode=lambda x, fmt, saturate=False: 0x7E),
    ),
    "a_block_of_zeros": (
        of(properties.test_mx_quantize_keeps_zeros, case=([0.0, -0.0], FORMATS["FLOAT4_E2M1"])),
        lambda tmp: handing_in(KATA, mx_quantize=lambda values, fmt: (255, [0] * len(values))),
    ),
    "totals": (
        of(
            properties.test_accumulate_is_the_running_total_of_torch,
            case=(FORMATS["FLOAT16"], [(-2048.0, 1), (2049.0, 1)]),
        ),
        lambda tmp: believing(KATA, "accumulate-takes_values_as_they_are"),
    ),
    "a_long_total": (
        of(
            properties.test_accumulate_is_the_running_total_of_torch,
            case=(FORMATS["BFLOAT16"], [(1.0, 300)]),
        ),
        lambda tmp: believing(KATA, "accumulate-rounds_at_the_end"),
    ),
    "an_update": (
        of(
            properties.test_smallest_update_is_the_first_that_torch_notices,
            case=(FORMATS["FLOAT8_E5M2"], [1.0]),
        ),
        lambda tmp: believing(KATA, "smallest_update-stops_at_half_a_gap"),
    ),
    "a_gap": (
        of(properties.test_spacing_is_the_gap_between_neighbours_of_torch, case=(FORMATS["FLOAT8_E4M3FN"], [-1.0])),
        lambda tmp: believing(KATA, "spacing-looks_down"),
    ),
    "a_chance": (
        of(
            properties.test_stochastic_round_is_one_of_two_neighbours_of_torch,
            case=(FORMATS["FLOAT4_E2M1"], -1.25, [0.25]),
        ),
        lambda tmp: believing(KATA, "stochastic_round-rounds_away_from_zero"),
    ),
    "a_scale": (
        of(properties.test_mx_quantize_is_what_torch_scales_and_casts_to, case=([509.75], FORMATS["FLOAT8_E4M3FN"])),
        lambda tmp: believing(KATA, "mx_quantize-rounds_the_scale_up"),
    ),
    "a_list_that_changed": (
        of(
            properties.test_accumulate_leaves_values_as_they_are,
            case=(FORMATS["FLOAT16"], [(-2048.0, 1), (2049.0, 1)]),
        ),
        lambda tmp: believing(KATA, "accumulate-rounds_the_values_in_place"),
    ),
    "a_dict_that_changed": (
        of(
            properties.test_limits_of_a_format_stay_as_they_are,
            fmt=FORMATS["FLOAT16"],
            other=FORMATS["FLOAT8_E4M3FN"],
        ),
        lambda tmp: believing(KATA, "limits-fills_one_dict"),
    ),
}
