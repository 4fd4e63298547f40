"""Wrong answers that people give to kata 02 about views of the elements in another order, or of some of them."""

from dojo.judging.diagnose import believes, solution

solved = solution("02_strides")


def without(values, place):
    """Return a tuple without one of its entries."""
    return values[:place] + values[place + 1 :]


def place_of(dim, rank):
    """Return the position of a dimension that is counted from either end, as a right answer finds it."""
    return range(rank)[dim]


def instead(values, place, value):
    """Return a tuple with another value at one position."""
    return (*values[:place], value, *values[place + 1 :])


# transpose


@believes("A transpose moves the elements", about="transpose")
def moves_the_elements(shape, strides, dim0, dim1):
    """Nothing moves in the storage: the strides are swapped together with the sizes."""
    swapped, _ = solved.transpose(shape, strides, dim0, dim1)
    return swapped, solved.contiguous_strides(swapped)


@believes("A transpose changes the strides and leaves the shape", about="transpose")
def keeps_the_shape(shape, strides, dim0, dim1):
    """A dimension takes its size along with its stride."""
    return shape, solved.transpose(shape, strides, dim0, dim1)[1]


@believes("A transpose changes the shape and leaves the strides", about="transpose")
def keeps_the_strides(shape, strides, dim0, dim1):
    """A dimension takes its stride along with its size, so nothing has to move."""
    return solved.transpose(shape, strides, dim0, dim1)[0], strides


@believes("A transpose reverses all dimensions", about="transpose")
def reverses_everything(shape, strides, dim0, dim1):
    """Only the two named dimensions are swapped. With two dimensions in all, that looks the same."""
    solved.transpose(shape, strides, dim0, dim1)  # refuses what is no dimension
    return shape[::-1], strides[::-1]


@believes("dim0 moves to the place of dim1, and the dimensions between them move up", about="transpose")
def moves_one_dimension(shape, strides, dim0, dim1):
    """That is movedim. A transpose swaps two dimensions, and the ones between them stay."""
    order = list(range(len(shape)))
    source, target = place_of(dim0, len(shape)), place_of(dim1, len(shape))
    order.insert(target, order.pop(source))
    return tuple(shape[dim] for dim in order), tuple(strides[dim] for dim in order)


@believes("A dimension beyond the last one wraps around to the first", about="transpose")
def wraps_the_dimensions(shape, strides, dim0, dim1):
    """Only -rank to rank - 1 are dimensions: raise IndexError for any other, which % would hide."""
    rank = max(len(shape), 1)
    return solved.transpose(shape, strides, dim0 % rank, dim1 % rank) if shape else (shape, strides)


# select


@believes("The selected dimension stays, with size 1", about="select")
def keeps_the_dimension(shape, strides, offset, dim, index):
    """A slice of one element keeps the dimension; select drops it, with its size and its stride."""
    _, _, moved = solved.select(shape, strides, offset, dim, index)
    return instead(shape, place_of(dim, len(shape)), 1), strides, moved


@believes("The offset moves by the index", about="select")
def moves_by_the_index(shape, strides, offset, dim, index):
    """One step along a dimension passes as many elements as its stride says."""
    small_shape, small_strides, _ = solved.select(shape, strides, offset, dim, index)
    return small_shape, small_strides, offset + range(shape[dim])[index]


@believes("The offset is index times stride", about="select")
def begins_at_the_storage(shape, strides, offset, dim, index):
    """The view may already begin inside the storage: add to the existing offset."""
    return solved.select(shape, strides, 0, dim, index)


@believes("A tuple can be cut at a negative dim like at a positive one", about="select")
def cuts_at_a_negative_dim(shape, strides, offset, dim, index):
    """For dim -1, dim + 1 is 0, and the part from index 0 on is the whole tuple: make dim non-negative first."""
    _, _, moved = solved.select(shape, strides, offset, dim, index)
    return without(shape, dim), without(strides, dim), moved


@believes("A dimension beyond the last one wraps around to the first", about="select")
def selects_in_a_wrapped_dimension(shape, strides, offset, dim, index):
    """Only -rank to rank - 1 are dimensions, and % hides all others: raise IndexError."""
    return solved.select(shape, strides, offset, dim % len(shape), index) if shape else (shape, strides, offset)


@believes("An index beyond the last one wraps around to the first", about="select")
def wraps_the_index(shape, strides, offset, dim, index):
    """Only -size to size - 1 are indices, and % hides all others: raise IndexError."""
    size = max(shape[dim], 1)
    padded = instead(shape, place_of(dim, len(shape)), size)
    return solved.select(padded, strides, offset, dim, index % size)


# slice_dim


@believes("A last part that is shorter than the step does not count", about="slice_dim")
def rounds_down(shape, strides, offset, dim, start, stop, step=1):
    """The first element of every step counts, even that of a shorter last one: round up."""
    cut, new_strides, moved = solved.slice_dim(shape, strides, offset, dim, start, stop, step)
    place = place_of(dim, len(shape))
    return instead(cut, place, len(range(shape[place])[start:stop]) // step), new_strides, moved


@believes("A step changes the size but not the stride", about="slice_dim")
def keeps_the_stride(shape, strides, offset, dim, start, stop, step=1):
    """The next element of the slice is step · stride further along."""
    cut, _, moved = solved.slice_dim(shape, strides, offset, dim, start, stop, step)
    return cut, strides, moved


@believes("The offset moves by start", about="slice_dim")
def moves_by_the_start(shape, strides, offset, dim, start, stop, step=1):
    """One step along a dimension passes as many elements as its stride says."""
    cut, new_strides, _ = solved.slice_dim(shape, strides, offset, dim, start, stop, step)
    return cut, new_strides, offset + range(shape[dim])[start:stop].start


@believes("A stop beyond the end makes the dimension longer", about="slice_dim")
def runs_past_the_end(shape, strides, offset, dim, start, stop, step=1):
    """A slice ends at the end of the dimension at the latest, like a slice of a list."""
    cut, new_strides, moved = solved.slice_dim(shape, strides, offset, dim, start, stop, step)
    place = place_of(dim, len(shape))
    if stop is not None and stop > shape[place]:
        cut = instead(cut, place, len(range(range(shape[place])[start:].start, stop, step)))
    return cut, new_strides, moved


@believes("A start after the stop gives a negative size", about="slice_dim")
def lets_the_size_go_negative(shape, strides, offset, dim, start, stop, step=1):
    """A slice that ends before it starts is empty: its size is 0."""
    cut, new_strides, moved = solved.slice_dim(shape, strides, offset, dim, start, stop, step)
    place = place_of(dim, len(shape))
    first, end, _ = slice(start, stop).indices(shape[place])
    return instead(cut, place, -((first - end) // step)), new_strides, moved


@believes("A negative step walks backwards", about="slice_dim")
def walks_backwards(shape, strides, offset, dim, start, stop, step=1):
    """A list can be walked backwards, but torch refuses every step below 1: raise ValueError."""
    if step >= 0:
        return solved.slice_dim(shape, strides, offset, dim, start, stop, step)
    place = place_of(dim, len(shape))
    places = range(shape[place])[start:stop:step]
    new_strides = instead(strides, place, strides[place] * step)
    return instead(shape, place, len(places)), new_strides, offset + places.start * strides[place]


@believes("A dimension beyond the last one wraps around to the first", about="slice_dim")
def slices_a_wrapped_dimension(shape, strides, offset, dim, start, stop, step=1):
    """Only -rank to rank - 1 are dimensions, and % hides all others: raise IndexError."""
    if not shape:
        return shape, strides, offset
    return solved.slice_dim(shape, strides, offset, dim % len(shape), start, stop, step)
