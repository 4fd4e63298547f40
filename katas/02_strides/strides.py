"""Kata 02: where an element lies. The lesson is in README.md beside this file.

Plain integers: this kata is solved without torch. A view of a storage is a shape, strides and an offset, all counted in
elements and none of them negative. Element (i, j) of a view lies at offset + i · strides[0] + j · strides[1]. A view of
shape () has one element, and a view with a size of 0 has none.

The stride of a dimension of size 1 is never used, nor is any stride or offset of a view without elements: what you
return there is up to you, as long as it is an integer. (Not so in contiguous_strides, which says what torch stores.)

As in torch, every place lies below 2**63, and so do all strides and offsets, which may be nearly as large. In
contiguous_strides and unravel_index sizes may be too. Elsewhere a view has a few thousand elements at most.
"""

Shape = tuple[int, ...]
Strides = tuple[int, ...]
View = tuple[Shape, Strides, int]


def contiguous_strides(shape: Shape) -> Strides:
    """Strides of `torch.empty(shape)`: the last dimension moves by 1, each other by what lies to its right.

    (2, 3, 4)  ->  (12, 4, 1)
    ()         ->  ()
    (2, 0, 3)  ->  (3, 3, 1): a size of 0 counts as 1 for the strides left of it
    """
    raise NotImplementedError("contiguous_strides")


def storage_index(index: tuple[int, ...], strides: Strides, offset: int = 0) -> int:
    """Where the element at this index lies in the storage.

    (1, 2), (4, 1)     ->  6
    (1, 2), (4, 1), 5  ->  11

    Raises ValueError where index and strides have different lengths.
    """
    raise NotImplementedError("storage_index")


def unravel_index(flat: int, shape: Shape) -> tuple[int, ...]:
    """The index of the flat-th element in row-major order: the last dimension runs fastest.

    5, (2, 3)  ->  (1, 2)
    0, ()      ->  ()

    Raises IndexError where there is no such element: flat is negative, or not less than the number of elements.
    """
    raise NotImplementedError("unravel_index")


def storage_size(shape: Shape, strides: Strides, offset: int = 0) -> int:
    """The smallest number of elements that the storage of this view can have; 0 for a view without elements.

    (2, 3), (3, 1)     ->  6
    (2, 3), (3, 1), 4  ->  10
    (2, 3), (0, 1)     ->  3
    """
    raise NotImplementedError("storage_size")


def is_contiguous(shape: Shape, strides: Strides) -> bool:
    """Whether the elements lie side by side in row-major order, as `Tensor.is_contiguous` says.

    (2, 3), (3, 1)  ->  True
    (2, 3), (1, 2)  ->  False
    (2, 0), (7, 5)  ->  True: there is no element that lies elsewhere
    """
    raise NotImplementedError("is_contiguous")


def transpose(shape: Shape, strides: Strides, dim0: int, dim1: int) -> tuple[Shape, Strides]:
    """Shape and strides of `x.transpose(dim0, dim1)`. A negative dim counts from the end: -1 is the last.

    (2, 3), (3, 1), 0, 1  ->  (3, 2), (1, 3)

    Raises IndexError where there is no such dimension. (Of a view without dimensions, torch takes dims 0 and -1; nobody
    asks for that.)
    """
    raise NotImplementedError("transpose")


def select(shape: Shape, strides: Strides, offset: int, dim: int, index: int) -> View:
    """The view `x.select(dim, index)`: that dimension is gone. A negative dim or index counts from the end.

    (2, 3), (3, 1), 0, 0, 1   ->  (3,), (1,), 3
    (2, 3), (3, 1), 0, -1, 0  ->  (2,), (3,), 0

    Raises IndexError where there is no such dimension, or no such index in it; an empty dimension has none.
    """
    raise NotImplementedError("select")


def slice_dim(
    shape: Shape, strides: Strides, offset: int, dim: int, start: int | None, stop: int | None, step: int = 1
) -> View:
    """The view x[start:stop:step] along one dimension. A negative dim counts from the end.

    start and stop are as in a slice of a Python list: None, negative, and beyond the ends.

    (5,), (1,), 0, 0, 1, None, 2  ->  (2,), (2,), 1

    Raises IndexError where there is no such dimension, ValueError for a step less than 1.
    """
    raise NotImplementedError("slice_dim")


def expand_strides(shape: Shape, strides: Strides, new_shape: Shape) -> Strides:
    """Strides of `x.expand(new_shape)`: new dimensions come on the left, and a size of 1 may become any size.

    (3, 1), (1, 1), (2, 3, 4)  ->  (0, 1, 0)

    As in torch, a -1 in new_shape keeps the size that is there. Raises ValueError where torch refuses: for fewer
    dimensions, a size other than 1 that changes, a -1 for a new dimension, or any other negative size.
    """
    raise NotImplementedError("expand_strides")


def view_strides(shape: Shape, strides: Strides, new_shape: Shape) -> Strides | None:
    """Strides of `x.view(new_shape)`, or None where torch refuses: no strides can show these elements in that shape.

    (2, 3), (3, 1), (6,)    ->  (1,)
    (3, 2), (1, 3), (6,)    ->  None: a transpose cannot be flattened without a copy
    (2, 3), (3, 1), (7,)    ->  None: another number of elements
    (2, 0), (7, 5), (0, 3)  ->  (3, 1), or any other two strides: both views have no elements

    new_shape holds no -1.
    """
    raise NotImplementedError("view_strides")


def overlaps(a: View, b: View) -> bool:
    """Whether two views of one storage have an element in common. A view without elements has none.

    ((3,), (2,), 0), ((3,), (2,), 1)  ->  False: even places and odd places
    ((3,), (2,), 0), ((3,), (1,), 1)  ->  True: place 2
    """
    raise NotImplementedError("overlaps")
