"""Wrong answers that people give to kata 02 about where the elements of a tensor lie."""

from itertools import product
from math import prod

from dojo.judging.diagnose import believes, solution

solved = solution("02_strides")


# contiguous_strides


@believes("The first dimension runs fastest", about="contiguous_strides")
def lays_out_by_columns(shape):
    """torch lays a fresh tensor out row by row: the last dimension moves by 1, the first takes the longest steps."""
    return solved.contiguous_strides(shape[::-1])[::-1]


@believes("A size of 0 makes every stride left of it 0", about="contiguous_strides")
def multiplies_by_zero(shape):
    """In the strides of a fresh tensor a size of 0 counts as 1."""
    return tuple(prod(shape[dim + 1 :]) for dim in range(len(shape)))


@believes("A step along a dimension passes all elements from that dimension on", about="contiguous_strides")
def counts_its_own_size(shape):
    """A step passes what lies to the right of the dimension. Its own size does not count."""
    return tuple(prod(max(size, 1) for size in shape[dim:]) for dim in range(len(shape)))


@believes("A stride counts bytes", about="contiguous_strides")
def counts_bytes(shape):
    """NumPy counts strides in bytes; torch counts them in elements."""
    return tuple(4 * stride for stride in solved.contiguous_strides(shape))


@believes("A dimension of size 1 has the stride 0", about="contiguous_strides")
def gives_ones_no_stride(shape):
    """A fresh tensor stores a stride for a size of 1 by the same rule as for every other. Only expand sets 0."""
    strides = solved.contiguous_strides(shape)
    return tuple(0 if size == 1 else stride for size, stride in zip(shape, strides, strict=True))


# storage_index


@believes("A view begins at the start of its storage", about="storage_index")
def forgets_the_offset(index, strides, offset=0):
    """A view begins at its offset: a slice or a selected row does not begin at place 0."""
    return solved.storage_index(index, strides)


@believes("The offset counts steps along the last dimension", about="storage_index")
def scales_the_offset(index, strides, offset=0):
    """The offset is a number of elements of the storage. No stride applies to it."""
    return solved.storage_index(index, strides, offset * (strides[-1] if strides else 1))


@believes("The last stride belongs to the first index", about="storage_index")
def pairs_from_opposite_ends(index, strides, offset=0):
    """Index and strides have the same order: the first index goes with the first stride."""
    return solved.storage_index(index, strides[::-1], offset)


@believes("A short index means the first element of the rest", about="storage_index")
def fills_a_short_index(index, strides, offset=0):
    """It names a whole row, not one element: raise ValueError."""
    return solved.storage_index((*index, *(0,) * (len(strides) - len(index))), strides, offset)


@believes("Index and strides may differ in length", about="storage_index")
def pairs_what_there_is(index, strides, offset=0):
    """zip silently stops at the shorter one: raise ValueError."""
    return offset + sum(place * stride for place, stride in zip(index, strides, strict=False))


# unravel_index


@believes("The first dimension runs fastest", about="unravel_index")
def counts_down_the_columns(flat, shape):
    """Row-major order walks along the last dimension first."""
    return solved.unravel_index(flat, shape[::-1])[::-1]


@believes("The index in a dimension is flat % size", about="unravel_index")
def never_divides(flat, shape):
    """A dimension moves on only when all that lies to its right has been passed: divide by those sizes first."""
    solved.unravel_index(flat, shape)  # refuses what is no element
    return tuple(flat % size for size in shape)


@believes("Elements are counted from 1", about="unravel_index")
def counts_from_one(flat, shape):
    """Element 0 is the first, and the last one is the number of elements less 1."""
    return solved.unravel_index(flat - 1, shape)


@believes("A negative number counts from the end", about="unravel_index")
def counts_from_the_end(flat, shape):
    """An index can be negative in Python; the number of an element cannot: raise IndexError."""
    return solved.unravel_index(flat + prod(shape) if flat < 0 else flat, shape)


@believes("After the last element comes another row", about="unravel_index")
def goes_on_counting(flat, shape):
    """There are only as many elements as the shape has: raise IndexError beyond them."""
    if flat < 0:
        raise IndexError(flat)
    found = []
    for stride in solved.contiguous_strides(shape):
        place, flat = divmod(flat, stride)
        found.append(place)
    return tuple(found)


# storage_size


@believes("A view needs one place in the storage for each of its elements", about="storage_size")
def counts_elements(shape, strides, offset=0):
    """A step leaves gaps between elements, and a stride of 0 shows one element many times."""
    return prod(shape) + offset if prod(shape) else 0


@believes("The size of the storage is the place of the last element", about="storage_size")
def stops_at_the_last_place(shape, strides, offset=0):
    """Places are counted from 0, so the storage has one element more than the place of the last one."""
    return max(0, solved.storage_size(shape, strides, offset) - 1)


@believes("The storage of a view begins at its offset", about="storage_size")
def leaves_out_the_offset(shape, strides, offset=0):
    """The storage begins at place 0: what lies before the offset belongs to it too."""
    return solved.storage_size(shape, strides)


@believes("A view without elements reaches as far as its offset", about="storage_size")
def gives_the_empty_its_offset(shape, strides, offset=0):
    """Nothing is read through a view without elements, so it needs no storage at all."""
    return offset if 0 in shape else solved.storage_size(shape, strides, offset)


@believes("The storage ends where its furthest dimension ends", about="storage_size")
def takes_the_widest_dimension(shape, strides, offset=0):
    """The last element decides, at size - 1 in every dimension, and a last row may end before a full stride."""
    if 0 in shape:
        return 0
    return offset + max([1, *(size * stride for size, stride in zip(shape, strides, strict=True))])


# is_contiguous


@believes("Every stride has to be that of a fresh tensor", about="is_contiguous")
def compares_unused_strides(shape, strides):
    """The stride of a dimension of size 1 is never used, so any value is right there."""
    return 0 in shape or strides == solved.contiguous_strides(shape)


@believes("A view without elements is judged by its strides", about="is_contiguous")
def looks_at_empty_strides(shape, strides):
    """No element lies out of order where there is none: every such view is contiguous."""
    fresh = solved.contiguous_strides(shape)
    return all(size == 1 or stride == want for size, stride, want in zip(shape, strides, fresh, strict=True))


@believes("A view without gaps is contiguous", about="is_contiguous")
def asks_only_for_no_gaps(shape, strides):
    """The order counts too: a transpose fills its storage without gaps and is not contiguous."""
    distinct = len({solved.storage_index(index, strides) for index in product(*map(range, shape))})
    return 0 in shape or distinct == prod(shape) == solved.storage_size(shape, strides)


@believes("Strides that decrease from left to right are contiguous", about="is_contiguous")
def asks_only_for_falling_strides(shape, strides):
    """They have to be the products of the sizes to their right: a view with gaps has decreasing strides, too."""
    used = [stride for size, stride in zip(shape, strides, strict=True) if size > 1]
    return 0 in shape or used == sorted(used, reverse=True)


@believes("Decreasing strides that end where a fresh tensor ends are contiguous", about="is_contiguous")
def asks_for_falling_strides_and_the_end(shape, strides):
    """Elements may coincide in between: (2, 2, 2) with (3, 3, 1) ends at place 7 as well, and shows place 3 twice."""
    used = [stride for size, stride in zip(shape, strides, strict=True) if size > 1]
    falls = used == sorted(used, reverse=True) and used[-1:] in ([], [1])
    return 0 in shape or (falls and solved.storage_size(shape, strides) == prod(shape))
