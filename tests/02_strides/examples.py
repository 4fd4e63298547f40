"""Kata 02 by the worked examples of its stub and its lesson."""

from typing import Any

from dojo.judging.expect import expect_error


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.contiguous_strides((2, 3, 4)) == (12, 4, 1)
    assert kata.contiguous_strides(()) == ()
    assert kata.contiguous_strides((2, 0, 3)) == (3, 3, 1)
    assert kata.storage_index((1, 2), (4, 1)) == 6
    assert kata.storage_index((1, 2), (4, 1), 5) == 11
    expect_error(ValueError, kata.storage_index, (1,), (4, 1), because="the ranks differ")
    assert kata.unravel_index(5, (2, 3)) == (1, 2)
    assert kata.unravel_index(0, ()) == ()
    expect_error(IndexError, kata.unravel_index, 6, (2, 3), because="there are 6 elements")
    assert kata.storage_size((2, 3), (3, 1)) == 6
    assert kata.storage_size((2, 3), (3, 1), 4) == 10
    assert kata.storage_size((2, 3), (0, 1)) == 3
    assert kata.storage_size((2, 0), (1, 1)) == 0
    assert kata.is_contiguous((2, 3), (3, 1)) is True
    assert kata.is_contiguous((2, 3), (1, 2)) is False
    assert kata.is_contiguous((2, 0), (7, 5)) is True
    assert kata.transpose((2, 3), (3, 1), 0, 1) == ((3, 2), (1, 3))
    expect_error(IndexError, kata.transpose, (2, 3), (3, 1), 0, 2, because="there is no dimension 2")
    assert kata.select((2, 3), (3, 1), 0, 0, 1) == ((3,), (1,), 3)
    assert kata.select((2, 3), (3, 1), 0, -1, 0) == ((2,), (3,), 0)
    expect_error(IndexError, kata.select, (2, 3), (3, 1), 0, 0, 2, because="there is no index 2")
    assert kata.slice_dim((5,), (1,), 0, 0, 1, None, 2) == ((2,), (2,), 1)
    expect_error(ValueError, kata.slice_dim, (5,), (1,), 0, 0, 1, None, 0, because="the step is 0")
    assert kata.expand_strides((3, 1), (1, 1), (2, 3, 4)) == (0, 1, 0)
    expect_error(ValueError, kata.expand_strides, (3,), (1,), (4,), because="3 is not 4")
    assert kata.view_strides((2, 3), (3, 1), (6,)) == (1,)
    assert kata.view_strides((3, 2), (1, 3), (6,)) is None
    assert kata.view_strides((2, 3), (3, 1), (7,)) is None
    assert kata.overlaps(((3,), (2,), 0), ((3,), (2,), 1)) is False
    assert kata.overlaps(((3,), (2,), 0), ((3,), (1,), 1)) is True
