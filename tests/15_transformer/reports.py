"""Failures of kata 15 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties
from .strategies_configs import REAL, config
from .strategies_passes import Case

KATA = find("15")

SMALL = config(8, 2, 5, 4, 2, 3, 7, True, False, 0, True)
LARGE = Case(REAL["GPT-2"], {"batch": 1, "tokens": 4}, False)


def wrong(name):
    """The answer of that name, as a learner would hand it in."""
    return lambda tmp: believing(KATA, name)


CASES = {
    "a_block": (
        of(
            properties.test_block_parameters_are_those_of_a_real_block,
            config=SMALL | {"bias": True},
            large=REAL["GPT-2"],
        ),
        wrong("block_parameters-leaves_o_out"),
    ),
    "a_pass": (
        of(
            properties.test_forward_flops_are_what_torch_counts,
            case=Case(SMALL, {"batch": 1, "tokens": 4, "cached": 5}, True),
            large=LARGE,
        ),
        wrong("forward_flops-frees_a_tied_head"),
    ),
    "positions": (
        of(
            properties.test_forward_flops_refuses_tokens_beyond_the_positions,
            case=Case(SMALL | {"positions": 8}, {"batch": 2, "tokens": 4, "cached": 5}, False),
        ),
        wrong("forward_flops-checks_the_new_ones"),
    ),
    "a_crossover": (
        of(properties.test_crossover_tokens_is_where_torch_counts_more, config=SMALL, large=REAL["GPT-3"]),
        wrong("crossover_tokens-stops_one_early"),
    ),
    "an_intensity": (
        of(
            properties.test_intensity_is_flops_over_bytes_of_real_storages,
            case=Case(SMALL, {"batch": 2, "tokens": 1, "cached": 7, "bytes_per_value": 2}, False),
            large=LARGE,
        ),
        wrong("intensity-divides_by_values"),
    ),
    "a_step": (
        of(
            properties.test_training_bytes_are_those_of_parameters_and_operands,
            case=Case(SMALL, {"batch": 2, "tokens": 4, "bytes_per_param": 16, "bytes_per_value": 2}, False),
            large=LARGE,
        ),
        wrong("training_bytes-keeps_no_weights"),
    ),
    "a_mixture": (
        of(
            properties.test_moe_parameters_are_those_of_a_real_mixture,
            case=(SMALL, 4, 2),
            large=(REAL["Mixtral"], 8, 2),
        ),
        wrong("moe_parameters-leaves_the_router_unused"),
    ),
}
