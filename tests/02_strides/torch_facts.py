"""What the properties of kata 02 take for granted of torch: a new torch breaks a test, and no verdict."""

import itertools

import pytest
import torch

from . import truth


def viewed(view, storage=truth.STORAGE):
    """The real tensor of a view (shape, strides, offset) of the storage."""
    return storage.as_strided(*view)


def test_metadata_on_meta_is_what_torch_stores_of_a_real_view():
    """Views are computed without a storage, and without a check whether they would fit."""
    view = ((2, 3), (7, 2), 5)
    assert truth.described(truth.metadata(*view)) == view
    assert truth.described(truth.metadata(*view).transpose(0, 1)) == ((3, 2), (2, 7), 5)
    assert truth.described(viewed(view)) == view


def test_numbers_may_be_as_large_as_places_below_2_63():
    """The last place of this view is 3 · 2**60 + 5 · 2**59 + 7, which no float holds."""
    view = ((4, 6), (2**60, 2**59 + 1), 2)
    assert truth.place((3, 5), view) == 3 * 2**60 + 5 * 2**59 + 7
    assert truth.smallest_storage(view) == truth.place((3, 5), view) + 1
    assert truth.share_an_element(view, ((), (), truth.place((3, 5), view)))
    assert not truth.share_an_element(view, ((), (), truth.place((3, 5), view) - 1))


def test_a_place_is_where_torch_reads():
    """In a storage whose elements are their own places, the element read is the place."""
    view = ((2, 3), (7, 2), 5)
    for index in itertools.product(range(2), range(3)):
        assert truth.place(index, view) == viewed(view)[index]
    assert truth.place((), ((), (), 5)) == viewed(((), (), 5))


def test_unravel_index_is_numpys():
    """NumPy's is used in its place, since torch's imports sympy at its first use."""
    for shape in [(), (1,), (5,), (2, 3), (3, 1, 2), (2, 3, 4), (2**20, 3, 2**20)]:
        numel = torch.Size(shape).numel()
        for flat in {0, numel // 3, numel // 2, numel - 1}:
            places = torch.unravel_index(torch.tensor(flat), shape)
            assert truth.unravel_index(flat, shape) == tuple(place.item() for place in places)


def test_the_smallest_storage_is_the_one_that_torch_makes():
    """The last element of ((2, 3), (7, 2), 5) is at 5 + 1 · 7 + 2 · 2 = 16; torch refuses a smaller storage."""
    for view, size in (((2, 3), (7, 2), 5), 17), (((2, 0), (7, 2), 5), 0), (((), (), 0), 1), (((), (), 5), 6):
        assert truth.smallest_storage(view) == size
        viewed(view, torch.empty(size))
        if size:
            with pytest.raises(RuntimeError):
                viewed(view, torch.empty(size - 1))


def test_a_write_through_one_view_is_seen_through_another():
    """NumPy agrees for even and odd places, views without elements, and four dimensions."""
    four = ((2, 3, 2, 2), (31, 7, 2, 3), 1)
    views = [((3,), (2,), 0), ((3,), (2,), 1), ((1,), (1,), 2), ((0,), (1,), 0), ((), (), 0), ((5, 2), (0, 9), 3), four]
    for a, b in itertools.product(views, repeat=2):
        storage = torch.zeros(len(truth.STORAGE), dtype=torch.bool)
        viewed(a, storage).fill_(True)
        assert truth.share_an_element(a, b) == viewed(b, storage).any()


def test_view_takes_every_shape_that_some_strides_can_show():
    """Torch refuses a view only where no strides would do, found by trying all strides up to 12."""
    for shape, strides in itertools.product(
        [(2, 2), (2, 3), (1, 4), (2, 1, 2)], itertools.product((0, 1, 2, 3), repeat=3)
    ):
        x = viewed((shape, strides[: len(shape)], 0))
        for new_shape in ((x.numel(),), (2, x.numel() // 2), (x.numel() // 2, 1, 2)):
            elements = x.flatten().tolist()
            possible = any(
                viewed((new_shape, tried, 0)).flatten().tolist() == elements
                for tried in itertools.product(range(7), repeat=len(new_shape))
            )
            assert (truth.viewed_as(x, new_shape) is not None) == possible


def test_negative_sizes_that_expand_should_refuse():
    """Torch accepts these two; no property tests them."""
    assert truth.metadata((), ()).expand((-1, 0)).shape[0] == -1
    assert truth.metadata((1, 0), (1, 1)).expand((-2, 0)).shape[0] == -2


def test_a_0d_tensor_has_a_dimension_to_transpose_and_none_to_select():
    """Torch wraps dimensions of a 0-d tensor as if it had one; Python would not. No property tests that."""
    assert torch.empty(()).transpose(0, -1).shape == ()
    with pytest.raises(IndexError):
        torch.empty(()).select(0, 0)
