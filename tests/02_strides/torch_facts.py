"""What the properties of kata 02 take for granted of torch: a new torch breaks a test, and no verdict."""

import itertools

import pytest
import torch

from . import truth


def test_metadata_on_meta_is_what_torch_stores_of_a_real_view():
    """Views are computed without a storage; nobody looks whether they would fit."""
    view = ((2, 3), (7, 2), 5)
    assert truth.described(truth.metadata(*view)) == view
    assert truth.described(truth.metadata(*view).transpose(0, 1)) == ((3, 2), (2, 7), 5)
    assert truth.described(truth.viewed(view)) == view


def test_unravel_index_is_numpys():
    """Which stands in for it, since torch's imports sympy at its first use."""
    for shape in [(), (1,), (5,), (2, 3), (3, 1, 2), (2, 3, 4), (2**20, 3, 2**20)]:
        numel = torch.Size(shape).numel()
        for flat in {0, numel // 3, numel // 2, numel - 1}:
            places = torch.unravel_index(torch.tensor(flat), shape)
            assert truth.unravel_index(flat, shape) == tuple(place.item() for place in places)


def test_the_smallest_storage_is_found_by_trying():
    """The last element of ((2, 3), (7, 2), 5) lies at 5 + 1 · 7 + 2 · 2 = 16."""
    assert truth.smallest_storage(((2, 3), (7, 2), 5)) == 17
    assert truth.smallest_storage(((2, 0), (7, 2), 5)) == 0
    assert truth.smallest_storage(((), (), 0)) == 1


def test_a_write_through_one_view_is_seen_through_another():
    """Even places and odd places, then even places and place 2."""
    assert not truth.share_an_element(((3,), (2,), 0), ((3,), (2,), 1))
    assert truth.share_an_element(((3,), (2,), 0), ((1,), (1,), 2))
    assert not truth.share_an_element(((0,), (1,), 0), ((3,), (1,), 0))


def test_view_takes_every_shape_that_some_strides_can_show():
    """Torch refuses a view only where no strides would do, found by trying all strides up to 12."""
    for shape, strides in itertools.product(
        [(2, 2), (2, 3), (1, 4), (2, 1, 2)], itertools.product((0, 1, 2, 3), repeat=3)
    ):
        x = truth.viewed((shape, strides[: len(shape)], 0))
        for new_shape in ((x.numel(),), (2, x.numel() // 2), (x.numel() // 2, 1, 2)):
            elements = x.flatten().tolist()
            possible = any(
                truth.viewed((new_shape, tried, 0)).flatten().tolist() == elements
                for tried in itertools.product(range(7), repeat=len(new_shape))
            )
            assert (truth.viewed_as(x, new_shape) is not None) == possible


def test_negative_sizes_that_expand_should_refuse():
    """Torch takes these two; no property asks about them."""
    assert truth.metadata((), ()).expand((-1, 0)).shape[0] == -1
    assert truth.metadata((1, 0), (1, 1)).expand((-2, 0)).shape[0] == -2


def test_a_0d_tensor_has_a_dimension_to_transpose_and_none_to_select():
    """Torch wraps dimensions of a 0-d tensor as if it had one; Python would not. No property asks about that."""
    assert torch.empty(()).transpose(0, -1).shape == ()
    with pytest.raises(IndexError):
        torch.empty(()).select(0, 0)
