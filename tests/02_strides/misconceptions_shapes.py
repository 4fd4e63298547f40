"""Wrong answers that people give to kata 02 about other shapes of the same storage."""

from itertools import pairwise, product
from math import gcd, prod

from dojo.judging.diagnose import believes, solution

solved = solution("02_strides")


def reach(view):
    """Return the first place of a view that has elements, and the place after its last one."""
    shape, strides, offset = view
    return offset, solved.storage_size(shape, strides, offset)


def shown_places(shape, strides):
    """Return the place of every element, in row-major order, counted from the first."""
    return [solved.storage_index(index, strides) for index in product(*map(range, shape))]


# expand_strides


@believes("A repeated dimension keeps its stride", about="expand_strides")
def keeps_strides_of_what_grows(shape, strides, new_shape):
    """Every index finds the same element, so the stride of that dimension is 0."""
    added = len(new_shape) - len(shape)
    return solved.expand_strides(shape, strides, new_shape)[:added] + strides


@believes("An expanded tensor is laid out like a fresh one", about="expand_strides")
def lays_out_the_copies(shape, strides, new_shape):
    """Nothing is copied: the storage holds each element once, and a stride of 0 shows it again."""
    solved.expand_strides(shape, strides, new_shape)  # refuses what torch refuses
    padded = (1,) * (len(new_shape) - len(shape)) + shape
    return solved.contiguous_strides(tuple(old if new < 0 else new for old, new in zip(padded, new_shape, strict=True)))


@believes("A step along a new dimension passes the whole tensor", about="expand_strides")
def steps_over_the_whole(shape, strides, new_shape):
    """There is only one tensor to show: every index of a new dimension finds the same elements, so its stride is 0."""
    added = len(new_shape) - len(shape)
    return (prod(shape),) * added + solved.expand_strides(shape, strides, new_shape)[max(added, 0) :]


@believes("A -1 is refused", about="expand_strides")
def refuses_minus_one(shape, strides, new_shape):
    """In expand, -1 keeps the existing size."""
    if -1 in new_shape:
        raise ValueError(new_shape)
    return solved.expand_strides(shape, strides, new_shape)


@believes("A size of 1 cannot become 0", about="expand_strides")
def refuses_to_grow_to_nothing(shape, strides, new_shape):
    """A size of 1 may become any size, including 0: the view then has no elements."""
    kept = new_shape[len(new_shape) - len(shape) :]
    if any(old == 1 and new == 0 for old, new in zip(shape, kept, strict=False)):
        raise ValueError(new_shape)
    return solved.expand_strides(shape, strides, new_shape)


@believes("A size can grow to any multiple of itself", about="expand_strides")
def grows_to_multiples(shape, strides, new_shape):
    """That is repeat, which copies. No single stride can jump back to the start, so only a size of 1 can grow."""
    added = len(new_shape) - len(shape)
    if added < 0:
        raise ValueError(new_shape)
    pairs = zip(shape, new_shape[added:], strict=True)
    kept = [old if old > 1 and new > 0 and new % old == 0 else new for old, new in pairs]
    found = solved.expand_strides(shape, strides, (*new_shape[:added], *kept))
    grown = [1 < old < new for old, new in zip(shape, new_shape[added:], strict=True)]
    return found[:added] + tuple(0 if grows else stride for grows, stride in zip(grown, found[added:], strict=True))


@believes("A -1 in a new dimension means 1", about="expand_strides")
def takes_minus_one_for_one(shape, strides, new_shape):
    """-1 keeps the existing size, and a new dimension has none yet: raise ValueError."""
    added = max(0, len(new_shape) - len(shape))
    new = tuple(1 if size == -1 else size for size in new_shape[:added])
    return solved.expand_strides(shape, strides, new + new_shape[added:])


@believes("In a new dimension, -1 is the only negative size that is refused", about="expand_strides")
def takes_sizes_below_minus_one(shape, strides, new_shape):
    """-2 is not a size either: raise ValueError for every new size below 0."""
    added = max(0, len(new_shape) - len(shape))
    sizes = tuple(abs(size) if size < -1 else size for size in new_shape[:added])
    return solved.expand_strides(shape, strides, sizes + new_shape[added:])


@believes("A size of 0 can become any size, as a size of 1 can", about="expand_strides")
def grows_from_nothing(shape, strides, new_shape):
    """There is no element to repeat: raise ValueError."""
    added = max(0, len(new_shape) - len(shape))
    pairs = zip(shape, new_shape[added:], strict=False)
    kept = tuple(0 if old == 0 and new > 0 else new for old, new in pairs)
    return solved.expand_strides(shape, strides, new_shape[:added] + kept)


# view_strides


@believes("A view is laid out like a fresh tensor", about="view_strides")
def lays_out_a_fresh_tensor(shape, strides, new_shape):
    """A view can only step over what is there: if the old places are not evenly spaced, torch refuses."""
    return solved.contiguous_strides(new_shape) if prod(shape) == prod(new_shape) else None


@believes("Only a contiguous tensor can be viewed in another shape", about="view_strides")
def asks_for_contiguous(shape, strides, new_shape):
    """A dimension can be split whatever its stride, and neighbors can merge if the left steps over the right."""
    return solved.view_strides(shape, strides, new_shape) if solved.is_contiguous(shape, strides) else None


@believes("The last stride of a view is 1", about="view_strides")
def starts_every_view_at_one(shape, strides, new_shape):
    """The new strides start from the stride of the old dimension that they split: 2 for every second column."""
    fits = solved.view_strides(shape, strides, new_shape) is not None
    return solved.contiguous_strides(new_shape) if fits else None


@believes("The stride of a dimension of size 1 has to fit its neighbors", about="view_strides")
def lets_ones_stand_in_the_way(shape, strides, new_shape):
    """The stride of a dimension of size 1 is never used: leave such dimensions out before you look at the rest."""
    dims = range(1, len(shape))
    if prod(shape) > 1 and any(1 in shape[d - 1 : d + 1] and strides[d - 1] != shape[d] * strides[d] for d in dims):
        return None
    return solved.view_strides(shape, strides, new_shape)


@believes("The stride of a dimension of size 1 has to fit its neighbors", about="view_strides")
def merges_only_across_ones_that_fit(shape, strides, new_shape):
    """The stride of a dimension of size 1 is never used: leave such dimensions out before you look at the rest."""
    used, apart = [dim for dim, size in enumerate(shape) if size > 1], strides
    for left, right in pairwise(used):
        if right > left + 1 and any(strides[dim] != shape[dim + 1] * strides[dim + 1] for dim in range(left, right)):
            apart = tuple(1000 * stride if dim <= left else stride for dim, stride in enumerate(apart))
    found = solved.view_strides(shape, apart, new_shape)
    return found and solved.view_strides(shape, strides, new_shape)


@believes("A stride of 0 cannot be viewed", about="view_strides")
def refuses_repeated_elements(shape, strides, new_shape):
    """A repeated dimension can be kept or split, and two of them can be merged: 0 is 3 times 0."""
    if any(size > 1 and stride == 0 for size, stride in zip(shape, strides, strict=True)):
        return None
    return solved.view_strides(shape, strides, new_shape)


@believes("The strides of a view without elements have to fit too", about="view_strides")
def refuses_uneven_empties(shape, strides, new_shape):
    """A view without elements can be viewed in any other shape without elements."""
    fits = all(left == size * right for left, size, right in zip(strides, shape[1:], strides[1:], strict=False))
    return None if 0 in shape and not fits else solved.view_strides(shape, strides, new_shape)


@believes("A view may show fewer elements than there are", about="view_strides")
def shows_only_some(shape, strides, new_shape):
    """A view in another shape shows every element: torch refuses a different number of them."""
    if prod(new_shape) < prod(shape):
        return solved.contiguous_strides(new_shape)
    return solved.view_strides(shape, strides, new_shape)


@believes("Decreasing strides that end where a fresh tensor ends can be viewed like a fresh one", about="view_strides")
def views_falling_strides_as_fresh(shape, strides, new_shape):
    """Elements may coincide in between: (2, 2, 2) with (3, 3, 1) also ends at place 7, but shows place 3 twice."""
    used = [stride for size, stride in zip(shape, strides, strict=True) if size > 1]
    falls = 0 not in shape and used == sorted(used, reverse=True) and used[-1:] == [1]
    if falls and prod(shape) == prod(new_shape) == solved.storage_size(shape, strides):
        return solved.contiguous_strides(new_shape)
    return solved.view_strides(shape, strides, new_shape)


@believes("A view has to show the same places, in any order", about="view_strides")
def compares_places_in_any_order(shape, strides, new_shape):
    """view keeps the order of the elements, row by row: compare the places one by one, not as sets."""
    if 0 in shape or prod(shape) != prod(new_shape):
        return solved.view_strides(shape, strides, new_shape)
    shown = shown_places(shape, strides)
    first_steps = [shown[prod(new_shape[dim + 1 :])] if size > 1 else 0 for dim, size in enumerate(new_shape)]
    return tuple(first_steps) if {*shown_places(new_shape, first_steps)} == {*shown} else None


# overlaps


@believes("A view always overlaps itself", about="overlaps")
def says_that_a_view_overlaps_itself(a, b):
    """A view without elements shares none, not even with itself."""
    return a == b or solved.overlaps(a, b)


@believes("Two views overlap if their ranges meet", about="overlaps")
def compares_ranges(a, b):
    """Two views may interleave: even and odd places cover the same range and have no place in common."""
    (a_first, a_end), (b_first, b_end) = reach(a), reach(b)
    return a_first < b_end and b_first < a_end


@believes("Two views overlap if their ranges meet", about="overlaps")
def compares_first_and_last_places(a, b):
    """Two views may interleave: even and odd places cover the same range and have no place in common."""
    (a_first, a_last), (b_first, b_last) = (
        (offset, offset + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True)))
        for shape, strides, offset in (a, b)
    )
    return a_first <= b_last and b_first <= a_last


@believes("Two views overlap only if they begin at the same place", about="overlaps")
def compares_first_places(a, b):
    """Two views may begin at different places and still meet further along."""
    return 0 not in a[0] + b[0] and a[2] == b[2]


@believes("A view without elements still has the place at its offset", about="overlaps")
def gives_the_empty_a_place(a, b):
    """It shows no place, so it shares none with any other view."""
    shown = [((), (), offset) if 0 in shape else (shape, strides, offset) for shape, strides, offset in (a, b)]
    return solved.overlaps(*shown)


@believes("Views of one storage always overlap", about="overlaps")
def takes_the_storage_for_the_view(a, b):
    """They share the storage but may show different parts of it: two rows have no element in common."""
    return 0 not in a[0] + b[0]


@believes("Two views overlap if their ranges meet and their places are on one grid", about="overlaps")
def compares_ranges_and_grids(a, b):
    """Rows have gaps between them: the left and the right half of a matrix are on one grid and share nothing."""
    steps = [stride for shape, strides, _ in (a, b) for size, stride in zip(shape, strides, strict=True) if size > 1]
    grid = gcd(*steps)
    apart = a[2] - b[2]
    return compares_ranges(a, b) and (apart % grid == 0 if grid else apart == 0)
