"""Wrong answers that people give to kata 02 about where the elements of a tensor are."""

from itertools import product
from math import prod

from dojo.judging.diagnose import believes, solution

solved = solution("02_strides")


# contiguous_strides


@believes("The first dimension varies fastest", about="contiguous_strides")
def lays_out_by_columns(shape):
    """torch lays out a fresh tensor row by row: the last dimension moves by 1, the first takes the longest steps."""
    return solved.contiguous_strides(shape[::-1])[::-1]


@believes("A size of 0 makes every stride to its left 0", about="contiguous_strides")
def multiplies_by_zero(shape):
    """In the strides of a fresh tensor, a size of 0 counts as 1."""
    return tuple(prod(shape[dim + 1 :]) for dim in range(len(shape)))


@believes("A step along a dimension passes all of that dimension and what is to its right", about="contiguous_strides")
def counts_its_own_size(shape):
    """A step passes only what is to the right of the dimension. The size of the dimension itself does not count."""
    return tuple(prod(max(size, 1) for size in shape[dim:]) for dim in range(len(shape)))


@believes("A stride counts bytes", about="contiguous_strides")
def counts_bytes(shape):
    """NumPy counts strides in bytes; torch counts them in elements."""
    return tuple(4 * stride for stride in solved.contiguous_strides(shape))


@believes("A dimension of size 1 has stride 0", about="contiguous_strides")
def gives_ones_no_stride(shape):
    """In a fresh tensor, the stride of a size of 1 follows the same rule as every other stride. Only expand sets 0."""
    strides = solved.contiguous_strides(shape)
    return tuple(0 if size == 1 else stride for size, stride in zip(shape, strides, strict=True))


# storage_index


@believes("A view begins at the start of its storage", about="storage_index")
def forgets_the_offset(index, strides, offset=0):
    """A view begins at its offset: a slice or a selected row need not begin at place 0."""
    return solved.storage_index(index, strides)


@believes("The offset counts steps along the last dimension", about="storage_index")
def scales_the_offset(index, strides, offset=0):
    """The offset counts elements of the storage. No stride applies to it."""
    return solved.storage_index(index, strides, offset * (strides[-1] if strides else 1))


@believes("The last stride belongs to the first entry of the index", about="storage_index")
def pairs_from_opposite_ends(index, strides, offset=0):
    """Index and strides are in the same order: the first entry of the index goes with the first stride."""
    return solved.storage_index(index, strides[::-1], offset)


@believes("A short index means the first element of the rest", about="storage_index")
def fills_a_short_index(index, strides, offset=0):
    """A short index names a whole row, not one element: raise ValueError."""
    return solved.storage_index((*index, *(0,) * (len(strides) - len(index))), strides, offset)


@believes("Index and strides may differ in length", about="storage_index")
def pairs_what_there_is(index, strides, offset=0):
    """zip silently stops at the shorter one: raise ValueError."""
    return offset + sum(place * stride for place, stride in zip(index, strides, strict=False))


# unravel_index


@believes("The first dimension varies fastest", about="unravel_index")
def counts_down_the_columns(flat, shape):
    """Row-major order walks along the last dimension first."""
    return solved.unravel_index(flat, shape[::-1])[::-1]


@believes("The index in a dimension is flat % size", about="unravel_index")
def never_divides(flat, shape):
    """An index moves on only after everything to its right has been passed: divide by those sizes first."""
    solved.unravel_index(flat, shape)  # refuses what is no element
    return tuple(flat % size for size in shape)


@believes("Elements are counted from 1", about="unravel_index")
def counts_from_one(flat, shape):
    """Element 0 is the first, and the last one has the number of elements minus 1."""
    return solved.unravel_index(flat - 1, shape)


@believes("A negative number counts from the end", about="unravel_index")
def counts_from_the_end(flat, shape):
    """An index can be negative in Python, but the number of an element cannot: raise IndexError."""
    return solved.unravel_index(flat + prod(shape) if flat < 0 else flat, shape)


@believes("After the last element comes another row", about="unravel_index")
def goes_on_counting(flat, shape):
    """The shape says how many elements there are: raise IndexError beyond them."""
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
    """The storage begins at place 0: what comes before the offset belongs to it too."""
    return solved.storage_size(shape, strides)


@believes("A view without elements reaches as far as its offset", about="storage_size")
def gives_the_empty_its_offset(shape, strides, offset=0):
    """Nothing is read through a view without elements, so it needs no storage at all."""
    return offset if 0 in shape else solved.storage_size(shape, strides, offset)


@believes("The storage ends where the dimension that reaches furthest ends", about="storage_size")
def takes_the_widest_dimension(shape, strides, offset=0):
    """The last element decides, at size - 1 in every dimension. The last row may end before a full stride."""
    if 0 in shape:
        return 0
    return offset + max([1, *(size * stride for size, stride in zip(shape, strides, strict=True))])


# is_contiguous


@believes("Every stride has to be that of a fresh tensor", about="is_contiguous")
def compares_unused_strides(shape, strides):
    """The stride of a dimension of size 1 is never used, so any value will do."""
    return 0 in shape or strides == solved.contiguous_strides(shape)


@believes("The strides of a view without elements decide whether it is contiguous", about="is_contiguous")
def looks_at_empty_strides(shape, strides):
    """Without elements, none is out of order: every such view is contiguous."""
    want = 1
    for size, stride in zip(shape[::-1], strides[::-1], strict=True):
        if size != 1 and stride != want:
            return False
        want *= size
    return True


@believes("Only the strides of a fresh tensor are contiguous", about="is_contiguous")
def compares_all_strides(shape, strides):
    """A stride that is never used may be anything: that of a size of 1, and all of them if there is no element."""
    return strides == solved.contiguous_strides(shape)


@believes("A view without gaps is contiguous", about="is_contiguous")
def asks_only_for_no_gaps(shape, strides):
    """The order counts too: a transpose can fill its storage without gaps, and it is not contiguous."""
    distinct = len({solved.storage_index(index, strides) for index in product(*map(range, shape))})
    return 0 in shape or distinct == prod(shape) == solved.storage_size(shape, strides)


@believes("Strides that decrease from left to right are contiguous", about="is_contiguous")
def asks_only_for_falling_strides(shape, strides):
    """Each has to be the product of the sizes to its right: a view with gaps can have decreasing strides, too."""
    used = [stride for size, stride in zip(shape, strides, strict=True) if size > 1]
    return 0 in shape or used == sorted(used, reverse=True)


@believes("Decreasing strides that end where a fresh tensor ends are contiguous", about="is_contiguous")
def asks_for_falling_strides_and_the_end(shape, strides):
    """Elements may coincide in between: (2, 2, 2) with (3, 3, 1) also ends at place 7, but shows place 3 twice."""
    used = [stride for size, stride in zip(shape, strides, strict=True) if size > 1]
    falls = used == sorted(used, reverse=True) and used[-1:] in ([], [1])
    return 0 in shape or (falls and solved.storage_size(shape, strides) == prod(shape))


@believes("A view with a stride of 0 is not contiguous", about="is_contiguous")
def refuses_every_stride_of_0(shape, strides):
    """A stride of 0 repeats elements only where the size is above 1. That of a dimension of size 1 is never used."""
    return solved.is_contiguous(shape, strides) and (0 in shape or 0 not in strides)


@believes("Only sizes of 1 on the left may have any stride", about="is_contiguous")
def leaves_out_leading_ones(shape, strides):
    """The stride of a dimension of size 1 is never used, wherever it stands: leave out all of them."""
    ones = next((dim for dim, size in enumerate(shape) if size != 1), len(shape))
    return 0 in shape or strides[ones:] == solved.contiguous_strides(shape[ones:])


@believes("The first and the last stride say whether a view is contiguous", about="is_contiguous")
def looks_at_both_ends(shape, strides):
    """Every stride that is used has to be that of a fresh tensor, including those in between."""
    fresh = solved.contiguous_strides(shape)
    used = [mine == want for size, mine, want in zip(shape, strides, fresh, strict=True) if size > 1]
    return 0 in shape or all(used[:1] + used[-1:])


@believes("Places that never fall and end where a fresh tensor ends are contiguous", about="is_contiguous")
def asks_for_places_that_never_fall(shape, strides):
    """Each place has to be one further than the last: (2, 2, 2) with (5, 1, 1) shows place 1 twice and leaves out 3."""
    places = [solved.storage_index(index, strides) for index in product(*map(range, shape))]
    return places == sorted(places) and places[-1:] in ([], [len(places) - 1])
