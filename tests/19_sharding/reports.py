"""Failures of kata 19 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties
from .described import Adam, Parallel
from .strategies_models import Fit
from .strategies_numbers import Flat, Held, Rows, Sent

KATA = find("19")


def wrong(name):
    """The answer of that name, as a learner would hand it in."""
    return lambda tmp: believing(KATA, name)


CASES = {
    "other_rows": (
        of(properties.test_shard_slices_are_those_of_torch, case=Rows(9, 4)),
        wrong("shard_slices-deals_evenly"),
    ),
    "other_padding": (
        of(properties.test_flat_shard_is_the_part_that_a_rank_has, case=Flat([3, 2], 2, 4)),
        wrong("flat_shard-pads_the_last"),
    ),
    "other_stages": (
        of(properties.test_rank_bytes_are_those_of_real_shards, case=Held([(3, 4), (2,)], 2, 1, None)),
        wrong("rank_bytes-shards_gradients_first"),
    ),
    "too_large": (
        of(properties.test_largest_sharded_model_fits_and_one_more_does_not, case=Fit(4, 100, 1, None)),
        wrong("largest_sharded_model-divides_elements"),
    ),
    "too_much_sent": (
        of(properties.test_comm_elements_are_those_of_a_ring, case=Sent(10, 4, 1)),
        wrong("comm_elements-sends_more_from_stage_1"),
    ),
    "whole_states": (
        of(
            properties.test_ShardedAdam_keeps_the_state_of_its_slice_alone,
            case=Adam(2, [(2, 30)], [[True]], 1, {"lr": 0.5}),
        ),
        wrong("ShardedAdam-KeepsAllOfTheState"),
    ),
    "whole_weights": (
        of(properties.test_fully_sharded_step_never_holds_many_weights, seed=1),
        wrong("fully_sharded_step-keeps_whole_weights"),
    ),
    "two_sums": (
        of(properties.test_tensor_parallel_mlp_sums_once_each_way, case=Parallel(2, 1, 1, 1, 2, 1)),
        wrong("tensor_parallel_mlp-gathers_hidden_features"),
    ),
}
