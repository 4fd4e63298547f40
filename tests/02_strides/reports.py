"""Failures of kata 02 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties

KATA = find("02")


CASES = {
    "cells": (
        of(properties.test_slice_dim_addresses_what_torch_slices, case=((3, 6), (6, 1), 0, 1, 1, None, 2)),
        lambda tmp: believing(KATA, "slice_dim-keeps_the_stride"),
    ),
    "cells_far_apart": (
        of(properties.test_select_addresses_what_torch_selects, case=((4, 3), (12, 1), 5, 0, 2)),
        lambda tmp: believing(KATA, "select-begins_at_the_storage"),
    ),
    "cells_shown_often": (
        of(properties.test_expand_strides_are_those_of_torch, case=((3, 1), (1, 1), (3, 5))),
        lambda tmp: believing(KATA, "expand_strides-lays_out_the_copies"),
    ),
    "cells_needed": (
        of(
            properties.test_storage_size_is_the_smallest_that_torch_takes,
            view=((2, 3), (4, 1), 1),
        ),
        lambda tmp: believing(KATA, "storage_size-counts_elements"),
    ),
    "cells_of_two": (
        of(
            properties.test_overlaps_is_whether_a_write_through_one_shows_through_the_other,
            case=(((3,), (2,), 0), ((2, 2), (4, 2), 1)),
        ),
        lambda tmp: believing(KATA, "overlaps-compares_ranges"),
    ),
    "one_of_several": (
        of(properties.test_transpose_swaps_as_torch_does, case=((2, 1, 3), (3, 3, 1), 0, 2)),
        lambda tmp: believing(KATA, "transpose-keeps_the_strides"),
    ),
    "cell_read": (
        of(
            properties.test_storage_index_is_where_torch_reads,
            case=((1, 1), ((2, 3), (3, 1), 2)),
        ),
        lambda tmp: believing(KATA, "storage_index-forgets_the_offset"),
    ),
}
