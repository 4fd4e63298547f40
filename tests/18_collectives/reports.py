"""Failures of kata 18 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties
from .strategies_numbers import Gradients, Ring
from .strategies_tensors import Tensors

KATA = find("18")


def wrong(name):
    """The answer of that name, as a learner would hand it in."""
    return lambda tmp: believing(KATA, name)


CASES = {
    "half_a_ring": (
        of(properties.test_ring_seconds_are_those_of_its_steps, case=Ring(12.0, 4, 3.0, None)),
        wrong("ring_seconds-goes_around_once"),
    ),
    "a_mailbox": (
        of(
            properties.test_stuck_ranks_are_those_that_the_network_finds,
            case=[[("send", 1), ("recv", 1)], [("send", 0), ("recv", 0)]],
        ),
        wrong("stuck_ranks-buffers_messages"),
    ),
    "too_many_rounds": (
        of(properties.test_broadcast_takes_few_rounds, case=Tensors(((2,),) * 4, "int64", 0, 1)),
        wrong("broadcast-sends_to_each"),
    ),
    "a_deadlock": (
        of(properties.test_reduce_scatter_gives_each_rank_its_part_of_the_sum, case=Tensors(((3,),) * 2, "int64", 0)),
        wrong("reduce_scatter-sends_first_everywhere"),
    ),
    "other_parts": (
        of(properties.test_reduce_scatter_gives_each_rank_its_part_of_the_sum, case=Tensors(((4,),) * 3, "int64", 0)),
        wrong("reduce_scatter-cuts_by_chunk"),
    ),
    "too_many_bytes": (
        of(
            properties.test_all_reduce_sends_no_rank_everything_of_everybody,
            case=Tensors(((6,),) * 3, "float32", 0),
        ),
        wrong("all_reduce-adds_up_at_one_rank"),
    ),
    "a_full_bucket": (
        of(properties.test_gradient_buckets_are_those_of_torch, case=Gradients([4, 8, 8, 4], 12)),
        wrong("gradient_buckets-waits_for_more_than_cap"),
    ),
}
