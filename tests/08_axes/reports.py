"""Failures of kata 08 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties
from .patterns import Pattern
from .strategies_einsum import Product

KATA = find("08")

SIX = "torch.arange(1, 7, dtype=torch.float64)"
TWO_BY_THREE = {"seq": 2, "hidden": 3}

CASES = {
    "a_side": (
        of(
            properties.test_axis_sizes_refuses_a_side_that_does_not_fit,
            cases=[("batch (heads hidden)", (2, 7), {"heads": 2}, "2 does not divide 7")],
        ),
        lambda tmp: believing(KATA, "axis_sizes-rounds_down"),
    ),
    "a_shape": (
        of(
            properties.test_rearrange_shape_is_that_of_einops,
            pattern=Pattern(("seq", "hidden"), (("seq", "hidden"),), TWO_BY_THREE, (), {}),
        ),
        lambda tmp: believing(KATA, "rearrange_shape-adds_up_groups"),
    ),
    "an_order": (
        of(
            properties.test_rearrange_is_what_einops_makes,
            case=(Pattern(("seq", "hidden"), (("hidden", "seq"),), TWO_BY_THREE, (), {}), f"{SIX}.reshape(2, 3)"),
        ),
        lambda tmp: believing(KATA, "rearrange-joins_the_other_way"),
    ),
    "a_dimension_that_stays": (
        of(
            properties.test_reduce_is_what_einops_makes,
            case=(Pattern(("seq", "hidden"), ("seq",), TWO_BY_THREE, (), {}), f"{SIX}.reshape(2, 3)", "sum"),
        ),
        lambda tmp: believing(KATA, "reduce-keeps_dimensions"),
    ),
    "copies": (
        of(
            properties.test_repeat_is_what_einops_makes,
            case=(Pattern(("seq",), (("seq", "hidden"),), TWO_BY_THREE, (), {"hidden": 3}), f"{SIX}[:2]"),
        ),
        lambda tmp: believing(KATA, "repeat-tiles"),
    ),
    "a_product": (
        of(
            properties.test_einsum_is_what_einops_makes,
            case=(
                Product(["seq", "hidden"], ["hidden", "d"], ["d", "seq"], TWO_BY_THREE | {"d": 2}),
                [f"x = {SIX}.reshape(2, 3)", f"y = {SIX}.reshape(3, 2)"],
            ),
        ),
        lambda tmp: believing(KATA, "einsum-orders_by_appearance"),
    ),
    "x_is_changed": (
        of(
            properties.test_per_head_leaves_x_and_w_alone,
            case=([f"x = {SIX}[:4]", f"w = {SIX}[:4].reshape(2, 2)"], (), ()),
        ),
        lambda tmp: believing(KATA, "per_head-overwrites_heads"),
    ),
    "a_patch": (
        of(
            properties.test_patchify_cuts_out_what_a_convolution_meets,
            case=("torch.arange(8, dtype=torch.float64).reshape(1, 1, 2, 4)", (1, 1, 1, 2, 2)),
        ),
        lambda tmp: believing(KATA, "patchify-turns_patches"),
    ),
}
