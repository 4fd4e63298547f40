"""Failures that are told with a picture: properties of the katas, each on one case that was chosen."""

import inspect
from types import SimpleNamespace

from dojo.expect import grades
from tests import test_01_memory, test_02_strides, test_03_flops, test_04_backward_flops, test_05_adagrad
from tests.suite.reported import believing


def of(property_, **case):
    """A property of a kata, on this one case."""
    test = property_.hypothesis.inner_test
    device = {"device": "cpu"} if "device" in inspect.signature(test).parameters else {}

    def on_one_case(kata):
        test(kata, **device, **case)

    on_one_case.__doc__ = property_.__doc__
    return grades(*property_.grades)(on_one_case)


CASES = {
    "cells": (
        of(test_02_strides.test_slice_dim_addresses_what_torch_slices, case=((3, 6), (6, 1), 0, 1, 1, None, 2)),
        lambda tmp: believing("02", "slice_dim-keeps_the_stride"),
    ),
    "cells_far_apart": (
        of(test_02_strides.test_select_addresses_what_torch_selects, case=((4, 3), (12, 1), 5, 0, 2)),
        lambda tmp: believing("02", "select-begins_at_the_storage"),
    ),
    "cells_shown_often": (
        of(test_02_strides.test_expand_strides_are_those_of_torch, case=((3, 1), (1, 1), (3, 5))),
        lambda tmp: believing("02", "expand_strides-lays_out_the_copies"),
    ),
    "cells_needed": (
        of(
            test_02_strides.test_storage_size_is_the_smallest_that_torch_takes,
            view=((2, 3), (4, 1), 1),
        ),
        lambda tmp: believing("02", "storage_size-counts_elements"),
    ),
    "cells_of_two": (
        of(
            test_02_strides.test_overlaps_is_whether_a_write_through_one_shows_through_the_other,
            case=(((3,), (2,), 0), ((2, 2), (4, 2), 1)),
        ),
        lambda tmp: believing("02", "overlaps-compares_ranges"),
    ),
    "cell_read": (
        of(
            test_02_strides.test_storage_index_is_where_torch_reads,
            data=SimpleNamespace(draw=lambda strategy, label: 1),
            view=((2, 3), (3, 1), 2),
        ),
        lambda tmp: believing("02", "storage_index-forgets_the_offset"),
    ),
    "storages": (
        of(
            test_01_memory.test_storage_usage_counts_each_storage_once_and_whole,
            case=(["a = torch.empty(100, 3)", "b = torch.empty(40)"], "a[:2], a[:, 1], b, a"),
        ),
        lambda tmp: believing("01", "get_storage_usage-adds_up_elements"),
    ),
    "storages_of_a_model": (
        of(
            test_01_memory.test_model_memory_is_every_byte_of_parameters_and_buffers_once,
            lines=["model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))", "model.tied = model[0].weight"],
            meta=False,
        ),
        lambda tmp: believing("01", "get_model_memory-leaves_out_buffers"),
    ),
    "terms": (
        of(
            test_04_backward_flops.test_mlp_backward_flops_are_what_torch_counts,
            case=(32, (784, 128, 10), {"frozen": (1,)}),
            by_place=False,
        ),
        lambda tmp: believing("04", "mlp_backward_flops-counts_the_gradient_of_the_data"),
    ),
    "terms_of_a_sum": (
        of(
            test_05_adagrad.test_training_memory_is_what_a_real_step_keeps,
            model=(8, 3, 64),
            settings={},
        ),
        lambda tmp: believing("05", "training_memory-forgets_the_gradients"),
    ),
    "terms_of_a_batch": (
        of(
            test_03_flops.test_matmul_flops_are_what_torch_counts,
            cases=[((8, 1, 2, 3), (8, 1, 3, 4))],
        ),
        lambda tmp: believing("03", "matmul_flops-multiplies_both_batches"),
    ),
    "terms_of_a_ratio": (
        of(
            test_03_flops.test_arithmetic_intensity_is_flops_over_bytes_of_real_tensors,
            case=(4, 2, 4),
            size=4,
        ),
        lambda tmp: believing("03", "arithmetic_intensity-forgets_the_result"),
    ),
}
