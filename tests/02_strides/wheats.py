"""Right answers to kata 02, each written differently from solutions/."""

import math
import operator
from functools import reduce
from itertools import accumulate, groupby, product, starmap

import numpy as np
from numpy.lib.stride_tricks import as_strided

from dojo.judging.diagnose import answers


def axis(dim, rank):
    return range(rank)[dim]


def ints(values):
    return tuple(int(value) for value in values)


def addresses(shape, strides, offset=0):
    """Every address, in row-major order, by growing the list one dimension at a time."""
    found = [offset]
    for size, stride in zip(shape, strides):
        found = [base + i * stride for base in found for i in range(size)]
    return found


def bytes_of(shape, strides):
    """A NumPy view with these strides: if an element is a byte, NumPy's strides are torch's."""
    return as_strided(np.zeros(1, np.int8), shape, strides)


def moved(view, from_view):
    return view.__array_interface__["data"][0] - from_view.__array_interface__["data"][0]


@answers("contiguous_strides")
def by_running_products_from_the_right(shape):
    return tuple(accumulate((max(n, 1) for n in shape[:0:-1]), operator.mul, initial=1))[::-1] if shape else ()


@answers("contiguous_strides")
def by_recursion_on_the_rest(shape):
    if len(shape) < 2:
        return (1,) * len(shape)
    rest = by_recursion_on_the_rest(shape[1:])
    return (rest[0] * (shape[1] or 1), *rest)


@answers("contiguous_strides")
def by_numpy_products(shape):
    passed = np.cumprod([1, *(size or 1 for size in shape[::-1])], dtype=np.int64)[: len(shape)]
    return tuple(passed[::-1].tolist())


@answers("storage_index")
def by_a_dot_product(index, strides, offset=0):
    return int(np.dot(np.array(index, dtype=np.int64), np.array(strides, dtype=np.int64))) + offset


@answers("storage_index")
def by_walking_one_step_at_a_time(index, strides, offset=0):
    match index, strides:
        case (), ():
            return offset
        case ((), _) | (_, ()):
            raise ValueError("one of them is longer")
        case (place, *places), (stride, *others):
            for _ in range(place):
                offset += stride
            return by_walking_one_step_at_a_time(tuple(places), tuple(others), offset)


@answers("storage_index")
def by_mapping_a_product(index, strides, offset=0):
    if len(index) ^ len(strides):
        raise type("NotAnIndex", (ValueError,), {})()
    return reduce(lambda total, pair: total + math.prod(pair), zip(index, strides), offset)


@answers("unravel_index")
def by_dividing_by_what_lies_right(flat, shape):
    numel = math.prod(shape)
    if flat not in range(numel):
        raise IndexError
    index = []
    for size in shape:
        numel //= size
        index.append(flat // numel)
        flat -= index[-1] * numel
    return tuple(index)


@answers("unravel_index")
def by_numpy_unravel(flat, shape):
    try:
        return ints(np.unravel_index(flat, shape))
    except ValueError as error:
        raise IndexError(str(error)) from error


@answers("unravel_index")
def by_taking_the_last_off_first(flat, shape):
    def peel(left, sizes):
        if not sizes:
            if left:
                raise IndexError("something is left over")
            return ()
        *front, last = sizes
        if last == 0:
            raise IndexError("nothing in it")
        return (*peel(left // last, front), left % last)

    return peel(flat, shape)


@answers("storage_size")
def by_the_largest_address(shape, strides, offset=0):
    return max(addresses(shape, strides, offset), default=-1) + 1


@answers("storage_size")
def by_recursion_on_the_first_dimension(shape, strides, offset=0):
    if not shape:
        return offset + 1
    if not shape[0]:
        return 0
    return by_recursion_on_the_first_dimension(shape[1:], strides[1:], offset + strides[0] * (shape[0] - 1))


@answers("storage_size")
class ByTheLastIndex:
    def __new__(cls, shape, strides, offset=0):
        return math.prod(shape) and offset + int(np.dot(np.array(shape, int) - 1, np.array(strides, int))) + 1


@answers("is_contiguous")
def by_reading_every_address(shape, strides):
    return addresses(shape, strides) == list(range(math.prod(shape)))


@answers("is_contiguous")
def by_numpys_flags(shape, strides):
    return bool(bytes_of(shape, strides).flags["C_CONTIGUOUS"])


@answers("is_contiguous")
def by_walking_from_the_right(shape, strides):
    if not all(shape):
        return True
    expected = 1
    for size, stride in reversed(list(zip(shape, strides))):
        if size != 1:
            if stride != expected:
                return False
            expected *= size
    return True


@answers("transpose")
def by_assigning_into_lists(shape, strides, dim0, dim1):
    columns = [list(shape), list(strides)]
    for column in columns:
        column[dim0], column[dim1] = column[dim1], column[dim0]
    return tuple(columns[0]), tuple(columns[1])


@answers("transpose")
def by_numpys_swapaxes(shape, strides, dim0, dim1):
    swapped = bytes_of(shape, strides).swapaxes(dim0, dim1)
    return swapped.shape, swapped.strides


@answers("transpose")
def by_a_table_of_places(shape, strides, dim0, dim1):
    rank = max(len(shape), 1)  # as torch has it, a 0-d view can be transposed with itself
    for dim in (dim0, dim1):
        if dim + rank not in range(2 * rank):
            raise IndexError(dim)
    table = {dim0 % rank: dim1 % rank, dim1 % rank: dim0 % rank}
    pick = lambda values: tuple(values[table.get(place, place)] for place in range(len(values)))
    return pick(shape), pick(strides)


@answers("select")
def by_popping_from_lists(shape, strides, offset, dim, index):
    sizes, steps = list(shape), list(strides)
    place = range(sizes.pop(dim))[index]
    offset += steps.pop(dim) * place
    return tuple(sizes), tuple(steps), offset


@answers("select")
def by_numpys_indexing(shape, strides, offset, dim, index):
    whole = bytes_of(shape, strides)
    slices = [slice(None)] * len(shape)
    slices[dim] = index
    part = whole[(*slices, ...)]
    return part.shape, part.strides, offset + moved(part, whole)


@answers("slice_dim")
def by_listing_the_places(shape, strides, offset, dim, start, stop, step=1):
    dim = axis(dim, len(shape))
    if step <= 0:
        raise ValueError(step)
    places = list(range(shape[dim]))[start:stop][::step]
    sizes, steps = list(shape), list(strides)
    sizes[dim] = len(places)
    steps[dim] *= step
    return tuple(sizes), tuple(steps), offset + (places[0] * strides[dim] if places else 0)


@answers("slice_dim")
def by_numpys_slices(shape, strides, offset, dim, start, stop, step=1):
    if step < 1:
        raise ValueError("NumPy would walk backwards")
    whole = bytes_of(shape, strides)
    slices = [slice(None)] * len(shape)
    slices[dim] = slice(start, stop, step)
    part = whole[tuple(slices)]
    return part.shape, part.strides, offset + moved(part, whole)


@answers("slice_dim")
def by_clamping_by_hand(shape, strides, offset, dim, start, stop, step=1):
    if not -len(shape) <= dim < len(shape):
        raise IndexError(f"no dimension {dim}")
    if step <= 0:
        raise ValueError(f"no step {step}")
    dim += len(shape) * (dim < 0)
    size = shape[dim]

    def clamp(bound, default):
        if bound is None:
            return default
        return max(0, min(size, bound + size if bound < 0 else bound))

    first, end = clamp(start, 0), clamp(stop, size)
    count = max(0, -(-(end - first) // step))
    new_shape = tuple(count if place == dim else n for place, n in enumerate(shape))
    new_strides = tuple(n * step if place == dim and count > 1 else n for place, n in enumerate(strides))
    return new_shape, new_strides, offset + first * strides[dim]


@answers("expand_strides")
def by_pairing_from_the_right(shape, strides, new_shape):
    result = []
    old = list(zip(shape, strides))
    for size in new_shape[::-1]:
        have, stride = old.pop() if old else (None, 0)
        if have is None and size < 0:
            raise ValueError("no size to keep")
        if have is not None and size not in (have, -1):
            if have != 1 or size < 0:
                raise ValueError(f"{have} cannot be {size}")
            stride = 0
        result.insert(0, stride)
    if old:
        raise ValueError("dimensions are left over")
    return tuple(result)


@answers("expand_strides")
def by_numpys_broadcast_to(shape, strides, new_shape):
    lead = len(new_shape) - len(shape)
    sizes = [shape[d - lead] if size == -1 and d >= lead >= 0 else size for d, size in enumerate(new_shape)]
    return np.broadcast_to(bytes_of(shape, strides), sizes).strides


@answers("expand_strides")
def by_zero_wherever_a_step_goes_nowhere(shape, strides, new_shape):
    lead = len(new_shape) - len(shape)
    if lead < 0 or min(new_shape[:lead], default=0) < 0:
        raise ValueError
    if not all(new in (-1, old) or (old == 1 and new > -1) for old, new in zip(shape, new_shape[lead:])):
        raise ValueError
    return (0,) * lead + tuple(stride * (size != 1) for size, stride in zip(shape, strides))


@answers("expand_strides")
def by_resolving_each_size_first(shape, strides, new_shape):
    added = len(new_shape) - len(shape)
    if added < 0:
        raise ValueError("too few")
    result = []
    for place, size in enumerate(new_shape):
        old = 1 if place < added else shape[place - added]
        if size == -1 and place >= added:
            size = old
        if size < 0 or old not in (1, size):
            raise ValueError(size)
        # What is never used may be anything.
        result.append(99 if size == 1 else 0 if old == 1 else strides[place - added])
    return tuple(result)


@answers("view_strides")
def by_trying_the_only_strides_there_can_be(shape, strides, new_shape):
    # A step of 1 along a dimension, from the first element, shows what its stride would have to be.
    seen = addresses(shape, strides)
    if len(seen) != math.prod(new_shape):
        return None
    right = [math.prod(new_shape[dim + 1 :]) for dim in range(len(new_shape))]
    steps = tuple(seen[passed] - seen[0] if size > 1 and seen else 0 for size, passed in zip(new_shape, right))
    return steps if addresses(new_shape, steps, seen[0] if seen else 0) == seen else None


@answers("view_strides")
def by_numpys_differences(shape, strides, new_shape):
    try:
        seen = np.array(addresses(shape, strides), np.int64).reshape(new_shape)
    except ValueError:
        return None
    steps = [np.unique(np.diff(seen, axis=dim)) for dim in range(seen.ndim)]
    return None if any(len(step) > 1 for step in steps) else tuple(int(step.sum()) for step in steps)


@answers("view_strides")
def by_matching_groups_from_the_left(shape, strides, new_shape):
    # The shortest beginnings of both shapes with as many elements belong together; each old one has to be evenly spaced.
    if math.prod(shape) != math.prod(new_shape):
        return None
    if 0 in new_shape:
        return (0,) * len(new_shape)
    old, new, result = [(n, s) for n, s in zip(shape, strides) if n > 1], list(new_shape), []
    while new:
        size = new.pop(0)
        if size == 1:
            result.append(0)
            continue
        sizes, group = [size], [old.pop(0)]
        while (need := math.prod(n for n, _ in group)) != (have := math.prod(sizes)):
            if need < have:
                group.append(old.pop(0))
            else:
                sizes.append(new.pop(0))
        if any(left != n * right for (_, left), (n, right) in zip(group, group[1:])):
            return None
        step = group[-1][1]
        result += list(accumulate(sizes[:0:-1], operator.mul, initial=step))[::-1]
    return tuple(result)


@answers("overlaps")
def by_growing_the_differences(a, b):
    # Where an element of one minus an element of the other is 0, both are the same.
    differences = {a[2] - b[2]}
    for view, sign in (a, 1), (b, -1):
        for size, stride in zip(*view[:2]):
            differences = {difference + sign * i * stride for difference in differences for i in range(size)}
    return 0 in differences


@answers("overlaps")
def by_numpys_intersection(a, b):
    return np.intersect1d(*(np.array(addresses(*view), np.int64) for view in (a, b))).size > 0


@answers("overlaps")
def by_merging_sorted_addresses(a, b):
    tagged = sorted((place, name) for name, view in enumerate((a, b)) for place in set(addresses(*view)))
    return any(sum(1 for _ in group) == 2 for _, group in groupby(tagged, key=operator.itemgetter(0)))


@answers("overlaps")
def by_asking_for_every_difference(a, b):
    every = lambda view: (view[2] + sum(map(operator.mul, index, view[1])) for index in product(*map(range, view[0])))
    return 0 in set(starmap(operator.sub, product(set(every(a)), set(every(b)))))
