"""Wrong answers that people give to kata 02, each with the belief behind it."""

from itertools import product
from math import gcd, prod

from dojo.judging.diagnose import believes, solution

solved = solution("02_strides")


def place_of(dim, rank):
    """The place of a dimension that is counted from either end, as a right answer finds it."""
    return range(rank)[dim]


def without(values, place):
    """A tuple without one of its places."""
    return values[:place] + values[place + 1 :]


def instead(values, place, value):
    """A tuple with another value at one place."""
    return (*values[:place], value, *values[place + 1 :])


def reach(view):
    """The first place of a view that has elements, and the one behind its last."""
    shape, strides, offset = view
    return offset, solved.storage_size(shape, strides, offset)


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


@believes("A dimension of size 1 has stride 0", about="contiguous_strides")
def gives_ones_no_stride(shape):
    """A fresh tensor stores a stride for a size of 1 by the same rule as for every other. Only expand sets 0."""
    strides = solved.contiguous_strides(shape)
    return tuple(0 if size == 1 else stride for size, stride in zip(shape, strides, strict=True))


# storage_index


@believes("A view begins at the start of its storage", about="storage_index")
def forgets_the_offset(index, strides, offset=0):
    """A view begins at its offset: a slice or a selected row does not begin at place 0."""
    return solved.storage_index(index, strides)


@believes("The offset counts steps of the last dimension", about="storage_index")
def scales_the_offset(index, strides, offset=0):
    """The offset is a number of elements of the storage. No stride applies to it."""
    return solved.storage_index(index, strides, offset * (strides[-1] if strides else 1))


@believes("The last stride belongs to the first index", about="storage_index")
def pairs_from_opposite_ends(index, strides, offset=0):
    """Index and strides stand in the same order: the first place of the index goes with the first stride."""
    return solved.storage_index(index, strides[::-1], offset)


@believes("An index too short means the first element of the rest", about="storage_index")
def fills_a_short_index(index, strides, offset=0):
    """A short index names a whole row, not one element: an element takes one place for each stride."""
    return solved.storage_index((*index, *(0,) * (len(strides) - len(index))), strides, offset)


@believes("The strides beyond the length of the index do not matter, nor the other way round", about="storage_index")
def pairs_what_there_is(index, strides, offset=0):
    """zip stops silently at the shorter one. An index of another length is an error."""
    return offset + sum(place * stride for place, stride in zip(index, strides, strict=False))


# unravel_index


@believes("The first dimension runs fastest", about="unravel_index")
def counts_down_the_columns(flat, shape):
    """Row-major order walks along the last dimension first."""
    return solved.unravel_index(flat, shape[::-1])[::-1]


@believes("The place in a dimension is the remainder by its own size", about="unravel_index")
def never_divides(flat, shape):
    """A dimension moves on only after all that lies to its right has been passed, so divide by those sizes first."""
    solved.unravel_index(flat, shape)  # refuses what is no element
    return tuple(flat % size for size in shape)


@believes("Elements are counted from 1", about="unravel_index")
def counts_from_one(flat, shape):
    """Element 0 is the first, and the last one is the number of elements less 1."""
    return solved.unravel_index(flat - 1, shape)


@believes("A negative number counts from the end", about="unravel_index")
def counts_from_the_end(flat, shape):
    """A negative index counts from the end in Python; the number of an element does not, and is refused."""
    return solved.unravel_index(flat + prod(shape) if flat < 0 else flat, shape)


@believes("Beyond the last element comes another row", about="unravel_index")
def goes_on_counting(flat, shape):
    """There are only as many elements as the shape has; a number beyond them is refused."""
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


@believes("The place of the last element is the size of the storage", about="storage_size")
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


@believes("The storage ends where the dimension that reaches furthest ends", about="storage_size")
def takes_the_widest_dimension(shape, strides, offset=0):
    """The last row may end before a full stride: what counts is the last element, at size - 1 in every dimension."""
    if 0 in shape:
        return 0
    return offset + max([1, *(size * stride for size, stride in zip(shape, strides, strict=True))])


# is_contiguous


@believes("Every stride has to be that of a fresh tensor", about="is_contiguous")
def compares_unused_strides(shape, strides):
    """The stride of a dimension of size 1 is never used, so any value is right there."""
    return 0 in shape or strides == solved.contiguous_strides(shape)


@believes("A tensor without elements is judged by its strides like any other", about="is_contiguous")
def looks_at_empty_strides(shape, strides):
    """No element lies out of order where there is none: torch calls every such tensor contiguous."""
    fresh = solved.contiguous_strides(shape)
    return all(size == 1 or stride == want for size, stride, want in zip(shape, strides, fresh, strict=True))


@believes("A view without gaps is contiguous", about="is_contiguous")
def asks_only_for_no_gaps(shape, strides):
    """The order counts too: a transpose fills its storage without gaps and is not contiguous."""
    distinct = len({solved.storage_index(index, strides) for index in product(*map(range, shape))})
    return 0 in shape or distinct == prod(shape) == solved.storage_size(shape, strides)


@believes("Strides that fall from left to right are contiguous", about="is_contiguous")
def asks_only_for_falling_strides(shape, strides):
    """They have to fall by exactly the sizes to their right; a view with gaps has falling strides as well."""
    used = [stride for size, stride in zip(shape, strides, strict=True) if size > 1]
    return 0 in shape or used == sorted(used, reverse=True)


@believes("Falling strides that end where a fresh tensor ends are contiguous", about="is_contiguous")
def asks_for_falling_strides_and_the_end(shape, strides):
    """Elements can meet in between: (2, 2, 2) with (3, 3, 1) ends at place 7 as well, and shows place 3 twice."""
    used = [stride for size, stride in zip(shape, strides, strict=True) if size > 1]
    falls = used == sorted(used, reverse=True) and used[-1:] in ([], [1])
    return 0 in shape or (falls and solved.storage_size(shape, strides) == prod(shape))


# transpose


@believes("A transpose lays the elements out anew", about="transpose")
def moves_the_elements(shape, strides, dim0, dim1):
    """Nothing moves in the storage: the strides change places together with the sizes."""
    swapped, _ = solved.transpose(shape, strides, dim0, dim1)
    return swapped, solved.contiguous_strides(swapped)


@believes("A transpose changes the strides and leaves the shape", about="transpose")
def keeps_the_shape(shape, strides, dim0, dim1):
    """A dimension takes its size along with its stride."""
    return shape, solved.transpose(shape, strides, dim0, dim1)[1]


@believes("A transpose changes the shape and leaves the strides", about="transpose")
def keeps_the_strides(shape, strides, dim0, dim1):
    """A dimension takes its stride along with its size: that is why nothing has to move."""
    return solved.transpose(shape, strides, dim0, dim1)[0], strides


@believes("A transpose reverses all dimensions", about="transpose")
def reverses_everything(shape, strides, dim0, dim1):
    """Only the two dimensions that are named change places; with two dimensions in all, that looks the same."""
    solved.transpose(shape, strides, dim0, dim1)  # refuses what is no dimension
    return (
        (shape, strides) if place_of(dim0, len(shape)) == place_of(dim1, len(shape)) else (shape[::-1], strides[::-1])
    )


@believes("The first dimension goes to the place of the second, and those between move up", about="transpose")
def moves_one_dimension(shape, strides, dim0, dim1):
    """That is movedim. A transpose swaps two dimensions, and those between them stay."""
    order = list(range(len(shape)))
    source, target = place_of(dim0, len(shape)), place_of(dim1, len(shape))
    order.insert(target, order.pop(source))
    return tuple(shape[dim] for dim in order), tuple(strides[dim] for dim in order)


@believes("A dimension beyond the last one wraps around to the first", about="transpose")
def wraps_the_dimensions(shape, strides, dim0, dim1):
    """Only -rank up to rank - 1 name a dimension; % hides what lies beyond."""
    rank = max(len(shape), 1)
    return solved.transpose(shape, strides, dim0 % rank, dim1 % rank) if shape else (shape, strides)


# select


@believes("The selected dimension stays, with size 1", about="select")
def keeps_the_dimension(shape, strides, offset, dim, index):
    """A slice of one element keeps the dimension; select drops it, its size and its stride."""
    _, _, moved = solved.select(shape, strides, offset, dim, index)
    return instead(shape, place_of(dim, len(shape)), 1), strides, moved


@believes("The offset moves by the index", about="select")
def moves_by_the_index(shape, strides, offset, dim, index):
    """One step along a dimension is as many elements as its stride says."""
    small_shape, small_strides, _ = solved.select(shape, strides, offset, dim, index)
    return small_shape, small_strides, offset + range(shape[dim])[index]


@believes("The offset is index times stride", about="select")
def begins_at_the_storage(shape, strides, offset, dim, index):
    """The view may begin somewhere inside the storage already: the step adds to the offset that is there."""
    return solved.select(shape, strides, 0, dim, index)


@believes("A negative dim can cut a tuple the way a positive one does", about="select")
def cuts_at_a_negative_dim(shape, strides, offset, dim, index):
    """For dim -1, dim + 1 is 0: what is taken from there on is the whole tuple. Count from the left before you cut."""
    _, _, moved = solved.select(shape, strides, offset, dim, index)
    return without(shape, dim), without(strides, dim), moved


@believes("A dimension beyond the last one wraps around to the first", about="select")
def selects_in_a_wrapped_dimension(shape, strides, offset, dim, index):
    """Only -rank up to rank - 1 name a dimension; % hides what lies beyond."""
    return solved.select(shape, strides, offset, dim % len(shape), index) if shape else (shape, strides, offset)


@believes("An index beyond the last one wraps around to the first", about="select")
def wraps_the_index(shape, strides, offset, dim, index):
    """Only -size up to size - 1 are indices; % hides what lies beyond."""
    size = max(shape[dim], 1)
    padded = instead(shape, place_of(dim, len(shape)), size)
    return solved.select(padded, strides, offset, dim, index % size)


# slice_dim


@believes("A part that is shorter than the step does not count", about="slice_dim")
def rounds_down(shape, strides, offset, dim, start, stop, step=1):
    """The first element of every step counts, of the last one too: the size is rounded up."""
    cut, new_strides, moved = solved.slice_dim(shape, strides, offset, dim, start, stop, step)
    place = place_of(dim, len(shape))
    return instead(cut, place, len(range(shape[place])[start:stop]) // step), new_strides, moved


@believes("A step changes the size and leaves the stride", about="slice_dim")
def keeps_the_stride(shape, strides, offset, dim, start, stop, step=1):
    """The next element of the slice lies step strides further on."""
    cut, _, moved = solved.slice_dim(shape, strides, offset, dim, start, stop, step)
    return cut, strides, moved


@believes("The offset moves by start", about="slice_dim")
def moves_by_the_start(shape, strides, offset, dim, start, stop, step=1):
    """One step along a dimension is as many elements as its stride says."""
    cut, new_strides, _ = solved.slice_dim(shape, strides, offset, dim, start, stop, step)
    return cut, new_strides, offset + range(shape[dim])[start:stop].start


@believes("A stop beyond the end makes the dimension longer", about="slice_dim")
def runs_past_the_end(shape, strides, offset, dim, start, stop, step=1):
    """A slice ends at the end of the dimension at the latest, as that of a list does."""
    cut, new_strides, moved = solved.slice_dim(shape, strides, offset, dim, start, stop, step)
    place = place_of(dim, len(shape))
    if stop is not None and stop > shape[place]:
        cut = instead(cut, place, len(range(range(shape[place])[start:].start, stop, step)))
    return cut, new_strides, moved


@believes("A start beyond the stop makes a size below 0", about="slice_dim")
def lets_the_size_go_negative(shape, strides, offset, dim, start, stop, step=1):
    """A slice that ends before it starts is empty: its size is 0."""
    cut, new_strides, moved = solved.slice_dim(shape, strides, offset, dim, start, stop, step)
    place = place_of(dim, len(shape))
    first, end, _ = slice(start, stop).indices(shape[place])
    return instead(cut, place, -((first - end) // step)), new_strides, moved


@believes("A negative step walks backwards", about="slice_dim")
def walks_backwards(shape, strides, offset, dim, start, stop, step=1):
    """A list can be walked backwards; torch refuses every step below 1."""
    if step >= 0:
        return solved.slice_dim(shape, strides, offset, dim, start, stop, step)
    place = place_of(dim, len(shape))
    places = range(shape[place])[start:stop:step]
    new_strides = instead(strides, place, strides[place] * step)
    return instead(shape, place, len(places)), new_strides, offset + places.start * strides[place]


@believes("A dimension beyond the last one wraps around to the first", about="slice_dim")
def slices_a_wrapped_dimension(shape, strides, offset, dim, start, stop, step=1):
    """Only -rank up to rank - 1 name a dimension; % hides what lies beyond."""
    if not shape:
        return shape, strides, offset
    return solved.slice_dim(shape, strides, offset, dim % len(shape), start, stop, step)


# expand_strides


@believes("What is repeated keeps its stride", about="expand_strides")
def keeps_strides_of_what_grows(shape, strides, new_shape):
    """Every index of a repeated dimension finds the same element, so a step along it goes nowhere."""
    added = len(new_shape) - len(shape)
    return solved.expand_strides(shape, strides, new_shape)[:added] + strides


@believes("An expanded tensor is laid out like a fresh one", about="expand_strides")
def lays_out_the_copies(shape, strides, new_shape):
    """Nothing is copied: the storage holds each element once, and a stride of 0 shows it again."""
    solved.expand_strides(shape, strides, new_shape)  # refuses what torch refuses
    padded = (1,) * (len(new_shape) - len(shape)) + shape
    return solved.contiguous_strides(tuple(old if new < 0 else new for old, new in zip(padded, new_shape, strict=True)))


@believes("A new dimension has the stride of a whole tensor", about="expand_strides")
def steps_over_the_whole(shape, strides, new_shape):
    """There is only one tensor to show: a step along a new dimension finds the same elements again."""
    added = len(new_shape) - len(shape)
    return (prod(shape),) * added + solved.expand_strides(shape, strides, new_shape)[max(added, 0) :]


@believes("A -1 is no size", about="expand_strides")
def refuses_minus_one(shape, strides, new_shape):
    """In expand, -1 keeps the size that is there."""
    if -1 in new_shape:
        raise ValueError(new_shape)
    return solved.expand_strides(shape, strides, new_shape)


@believes("A size of 1 cannot become 0", about="expand_strides")
def refuses_to_grow_to_nothing(shape, strides, new_shape):
    """A size of 1 may become any size, 0 among them: the view then has no elements."""
    kept = new_shape[len(new_shape) - len(shape) :]
    if any(old == 1 and new == 0 for old, new in zip(shape, kept, strict=False)):
        raise ValueError(new_shape)
    return solved.expand_strides(shape, strides, new_shape)


@believes("A size can grow to every multiple of itself", about="expand_strides")
def grows_to_multiples(shape, strides, new_shape):
    """That is repeat, which copies. No single stride jumps back to the start, so only a size of 1 can grow."""
    added = len(new_shape) - len(shape)
    if added < 0:
        raise ValueError(new_shape)
    pairs = zip(shape, new_shape[added:], strict=True)
    kept = [old if old > 1 and new > 0 and new % old == 0 else new for old, new in pairs]
    return solved.expand_strides(shape, strides, (*new_shape[:added], *kept))


@believes("A -1 in a new dimension means 1", about="expand_strides")
def takes_minus_one_for_one(shape, strides, new_shape):
    """-1 keeps the size that is there, and a new dimension has none yet: torch refuses it."""
    added = max(0, len(new_shape) - len(shape))
    return solved.expand_strides(shape, strides, tuple(map(abs, new_shape[:added])) + new_shape[added:])


@believes("Only a -1 is no size for a new dimension", about="expand_strides")
def takes_sizes_below_minus_one(shape, strides, new_shape):
    """A -2 is no size either: torch refuses every new size below 0."""
    added = max(0, len(new_shape) - len(shape))
    sizes = tuple(abs(size) if size < -1 else size for size in new_shape[:added])
    return solved.expand_strides(shape, strides, sizes + new_shape[added:])


@believes("A size of 0 can become any size, as a size of 1 can", about="expand_strides")
def grows_from_nothing(shape, strides, new_shape):
    """Repeating shows elements again, and where there are none there is nothing to show."""
    added = max(0, len(new_shape) - len(shape))
    pairs = zip(shape, new_shape[added:], strict=False)
    kept = tuple(0 if old == 0 and new > 0 else new for old, new in pairs)
    return solved.expand_strides(shape, strides, new_shape[:added] + kept)


# view_strides


@believes("A view is laid out like a fresh tensor", about="view_strides")
def lays_out_a_fresh_tensor(shape, strides, new_shape):
    """A view can only step over what is there: where the old strides do not lie evenly, torch refuses."""
    return solved.contiguous_strides(new_shape) if prod(shape) == prod(new_shape) else None


@believes("Only a contiguous tensor has views", about="view_strides")
def asks_for_contiguous(shape, strides, new_shape):
    """A dimension can be split whatever its stride, and neighbours can merge where the left steps over the right."""
    return solved.view_strides(shape, strides, new_shape) if solved.is_contiguous(shape, strides) else None


@believes("The last stride of a view is 1", about="view_strides")
def starts_every_view_at_one(shape, strides, new_shape):
    """The new strides begin at the stride of the old dimension that they cut: 2 in every second column."""
    fits = solved.view_strides(shape, strides, new_shape) is not None
    return solved.contiguous_strides(new_shape) if fits else None


@believes("The stride of a size of 1 has to fit its neighbours", about="view_strides")
def lets_ones_stand_in_the_way(shape, strides, new_shape):
    """The stride of a dimension of size 1 is never used: leave such dimensions out before you look at the rest."""
    dims = range(1, len(shape))
    if prod(shape) > 1 and any(1 in shape[d - 1 : d + 1] and strides[d - 1] != shape[d] * strides[d] for d in dims):
        return None
    return solved.view_strides(shape, strides, new_shape)


@believes("A stride of 0 cannot be viewed", about="view_strides")
def refuses_repeated_elements(shape, strides, new_shape):
    """A repeated dimension can be kept and split, and two of them can be merged: 0 is 3 times 0."""
    if any(size > 1 and stride == 0 for size, stride in zip(shape, strides, strict=True)):
        return None
    return solved.view_strides(shape, strides, new_shape)


@believes("Without elements the strides have to fit too", about="view_strides")
def refuses_uneven_empties(shape, strides, new_shape):
    """There is no element to miss: a view without elements can take every shape without elements."""
    fits = all(left == size * right for left, size, right in zip(strides, shape[1:], strides[1:], strict=False))
    return None if 0 in shape and not fits else solved.view_strides(shape, strides, new_shape)


@believes("A view may show fewer elements than there are", about="view_strides")
def shows_only_some(shape, strides, new_shape):
    """A view in another shape shows every element: torch refuses another number of them."""
    if prod(new_shape) < prod(shape):
        return solved.contiguous_strides(new_shape)
    return solved.view_strides(shape, strides, new_shape)


@believes("Falling strides that end where a fresh tensor ends can be viewed like one", about="view_strides")
def views_falling_strides_as_fresh(shape, strides, new_shape):
    """Elements can meet in between: (2, 2, 2) with (3, 3, 1) ends at place 7 as well, and shows place 3 twice."""
    used = [stride for size, stride in zip(shape, strides, strict=True) if size > 1]
    falls = 0 not in shape and used == sorted(used, reverse=True) and used[-1:] == [1]
    if falls and prod(shape) == prod(new_shape) == solved.storage_size(shape, strides):
        return solved.contiguous_strides(new_shape)
    return solved.view_strides(shape, strides, new_shape)


# overlaps


@believes("Two views overlap where their ranges meet", about="overlaps")
def compares_ranges(a, b):
    """Two views may interleave: even and odd places have one range and no place in common."""
    (a_first, a_end), (b_first, b_end) = reach(a), reach(b)
    return a_first < b_end and b_first < a_end


@believes("Two views overlap where they begin at the same place", about="overlaps")
def compares_first_places(a, b):
    """Two views may begin at different places and still meet further on."""
    return 0 not in a[0] + b[0] and a[2] == b[2]


@believes("A view without elements still stands at its offset", about="overlaps")
def gives_the_empty_a_place(a, b):
    """A view without elements shows no place, so it has none in common with any other."""
    shown = [((), (), offset) if 0 in shape else (shape, strides, offset) for shape, strides, offset in (a, b)]
    return solved.overlaps(*shown)


@believes("Views of one storage always overlap", about="overlaps")
def takes_the_storage_for_the_view(a, b):
    """They share the storage and may show different parts of it: two rows have no element in common."""
    return 0 not in a[0] + b[0]


@believes("Two views overlap where their ranges meet and their strides lie on one grid", about="overlaps")
def compares_ranges_and_grids(a, b):
    """Rows of a grid have gaps between them: the left half and the right half of a matrix lie on one grid, apart."""
    steps = [stride for shape, strides, _ in (a, b) for size, stride in zip(shape, strides, strict=True) if size > 1]
    grid = gcd(*steps)
    apart = a[2] - b[2]
    return compares_ranges(a, b) and (apart % grid == 0 if grid else apart == 0)
