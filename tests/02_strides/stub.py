"""Kata 02: where an element is. The lesson is in README.md beside this file.

This kata uses plain integers and is solved without torch. A view of a storage is a shape, strides and an offset, all
counted in elements, and none of them negative. Element (i, j) of a view is at this place in the storage:
offset + i · strides[0] + j · strides[1]. A view of shape () has one element, and a view with a size of 0 has none.

The stride of a dimension of size 1 is never used, and neither are the strides and the offset of a view without
elements. What you return there is up to you, as long as it is an integer. (This does not hold for contiguous_strides,
which returns what torch stores.)

As in torch, all places, strides and offsets are below 2**63. Strides and offsets may be nearly that large, and in
contiguous_strides and unravel_index sizes may be too. Elsewhere a view has at most a few thousand elements.
"""

Shape = tuple[int, ...]
Strides = tuple[int, ...]
View = tuple[Shape, Strides, int]


def contiguous_strides(shape: Shape) -> Strides:
    """Return the strides of `torch.empty(shape)`: the last dimension moves by 1, each other by what is to its right.

    (2, 3, 4)  ->  (12, 4, 1)
    ()         ->  ()
    (2, 0, 3)  ->  (3, 3, 1): a size of 0 counts as 1 for the strides to its left
    """
    raise NotImplementedError("contiguous_strides")


def storage_index(index: tuple[int, ...], strides: Strides, offset: int = 0) -> int:
    """Return the place in the storage of the element at this index.

    (1, 2), (4, 1)     ->  6
    (1, 2), (4, 1), 5  ->  11

    Raises ValueError if index and strides have different lengths.
    """
    raise NotImplementedError("storage_index")


def unravel_index(flat: int, shape: Shape) -> tuple[int, ...]:
    """Return the index of the flat-th element in row-major order: the last dimension varies fastest.

    5, (2, 3)  ->  (1, 2)
    0, ()      ->  ()

    Raises IndexError if there is no such element: flat is negative, or not less than the number of elements.
    """
    raise NotImplementedError("unravel_index")


def storage_size(shape: Shape, strides: Strides, offset: int = 0) -> int:
    """Return the smallest number of elements that the storage of this view can have, or 0 for a view without elements.

    (2, 3), (3, 1)     ->  6
    (2, 3), (3, 1), 4  ->  10
    (2, 3), (0, 1)     ->  3
    """
    raise NotImplementedError("storage_size")


def is_contiguous(shape: Shape, strides: Strides) -> bool:
    """Return whether the elements lie side by side in row-major order, as `Tensor.is_contiguous` does.

    (2, 3), (3, 1)  ->  True
    (2, 3), (1, 2)  ->  False
    (2, 0), (7, 5)  ->  True: there is no element out of order
    """
    raise NotImplementedError("is_contiguous")


def transpose(shape: Shape, strides: Strides, dim0: int, dim1: int) -> tuple[Shape, Strides]:
    """Return the shape and strides of `x.transpose(dim0, dim1)`. A negative dim counts from the end: -1 is the last.

    (2, 3), (3, 1), 0, 1  ->  (3, 2), (1, 3)

    Raises IndexError if there is no such dimension. (For a view without dimensions, torch accepts dims 0 and -1; this
    is not tested.)
    """
    raise NotImplementedError("transpose")


def select(shape: Shape, strides: Strides, offset: int, dim: int, index: int) -> View:
    """Return the view `x.select(dim, index)`, without that dimension. A negative dim or index counts from the end.

    (2, 3), (3, 1), 0, 0, 1   ->  (3,), (1,), 3
    (2, 3), (3, 1), 0, -1, 0  ->  (2,), (3,), 0

    Raises IndexError if there is no such dimension, or no such index in it. An empty dimension has no index.
    """
    raise NotImplementedError("select")


def slice_dim(
    shape: Shape, strides: Strides, offset: int, dim: int, start: int | None, stop: int | None, step: int = 1
) -> View:
    """Return the view x[start:stop:step] along one dimension. A negative dim counts from the end.

    start and stop work as in a slice of a Python list: they may be None, negative, or beyond the ends.

    (5,), (1,), 0, 0, 1, None, 2  ->  (2,), (2,), 1

    Raises IndexError if there is no such dimension, and ValueError for a step less than 1.
    """
    raise NotImplementedError("slice_dim")


def expand_strides(shape: Shape, strides: Strides, new_shape: Shape) -> Strides:
    """Return the strides of `x.expand(new_shape)`: new dimensions go on the left, and a size of 1 may become any size.

    (3, 1), (1, 1), (2, 3, 4)  ->  (0, 1, 0)

    As in torch, a -1 in new_shape keeps the existing size. Raises ValueError if torch refuses: for fewer dimensions,
    a size other than 1 that changes, a -1 for a new dimension, or any other negative size.
    """
    raise NotImplementedError("expand_strides")


def view_strides(shape: Shape, strides: Strides, new_shape: Shape) -> Strides | None:
    """Return the strides of `x.view(new_shape)`, or None if torch refuses.

    torch refuses exactly when no strides can show these elements in that shape.

    (2, 3), (3, 1), (6,)    ->  (1,)
    (3, 2), (1, 3), (6,)    ->  None: a transpose cannot be flattened without a copy
    (2, 3), (3, 1), (7,)    ->  None: the number of elements differs
    (2, 0), (7, 5), (0, 3)  ->  (3, 1), or any other two strides: neither view has elements

    new_shape never contains -1.
    """
    raise NotImplementedError("view_strides")


def overlaps(a: View, b: View) -> bool:
    """Return whether two views of one storage share an element. A view without elements shares none.

    ((3,), (2,), 0), ((3,), (2,), 1)  ->  False: even places and odd places
    ((3,), (2,), 0), ((3,), (1,), 1)  ->  True: they share place 2
    """
    raise NotImplementedError("overlaps")
