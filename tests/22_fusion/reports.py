"""Failures of kata 22 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties
from .strategies_attention import Attention
from .strategies_clips import Clip
from .strategies_programs import Program
from .strategies_sums import Passed
from .strategies_tiles import Addition, Product, Tiles

KATA = find("22")


def wrong(name):
    """The answer of that name, as a learner would hand it in."""
    return lambda tmp: believing(KATA, name)


CASES = {
    "read_again": (
        of(
            properties.test_fused_bytes_are_those_that_outputs_need,
            case=Program([("a", ["x", "y"]), ("b", ["a"])], ["b", "a"], 10, 4),
        ),
        wrong("fused_bytes-reads_outputs_again"),
    ),
    "one_kernel_too_many": (
        of(
            properties.test_fuse_finds_the_fewest_kernels,
            ops=[("pointwise", []), ("other", []), ("pointwise", [1]), ("other", [0])],
        ),
        wrong("fuse-fuses_neighbours"),
    ),
    "whole_tiles": (
        of(properties.test_tiled_matmul_bytes_are_those_of_real_slices, case=Tiles(5, 3, 6, 2, 3, 4)),
        wrong("tiled_matmul_bytes-fills_edges_up"),
    ),
    "all_blocks": (
        of(properties.test_online_logsumexp_lets_blocks_go, case=Passed([3, 4, 5], "float64")),
        wrong("online_logsumexp-lists_the_blocks"),
    ),
    "no_mask": (
        of(properties.test_add_kernel_adds_each_number_once, case=Addition(5, 4, 0, (3, 5))),
        wrong("add_kernel-loads_without_a_mask"),
    ),
    "stored_by_all": (
        of(properties.test_add_kernel_adds_each_number_once, case=Addition(5, 4, 0, (3, 5))),
        wrong("add_kernel-adds_all_in_each_program"),
    ),
    "undefined": (
        of(properties.test_matmul_kernel_makes_each_tile_once, case=Product((2, 3, 3), 2, (3, 5))),
        wrong("matmul_kernel-takes_masked_for_0"),
    ),
    "a_strip": (
        of(
            properties.test_flash_attention_makes_one_block_of_scores_at_a_time,
            case=Attention((), 8, 8, 2, 1, 4, "", "float64", "", (3, 5, 7)),
        ),
        wrong("flash_attention-makes_strips_of_keys"),
    ),
    "a_break": (
        of(properties.test_clip_norm_compiles_to_one_graph, case=Clip((2,), [3.0, 4.0], "float32", 1.0)),
        wrong("clip_norm-decides_by_if"),
    ),
}
