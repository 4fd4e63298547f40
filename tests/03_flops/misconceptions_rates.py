"""Wrong answers that people give to kata 03 about elementwise operations, FLOPs per byte and FLOPs per second."""

from itertools import pairwise, zip_longest
from math import prod

from dojo.judging.diagnose import believes, solution

solved = solution("03_flops")


# elementwise_flops


@believes("Each element of each operand costs one FLOP", about="elementwise_flops")
def adds_up_the_operands(*shapes):
    """The work is done once for each element of the result, however many operands there are."""
    solved.elementwise_flops(*shapes)
    return sum(map(prod, shapes))


@believes("The result has as many elements as the largest operand", about="elementwise_flops")
def counts_the_largest_operand(*shapes):
    """Operands can stretch each other: (2, 1) and (3,) give (2, 3), which is larger than both."""
    solved.elementwise_flops(*shapes)
    return max(map(prod, shapes))


@believes("A 0-d tensor has no elements", about="elementwise_flops")
def sees_nothing_in_a_0d_tensor(*shapes):
    """A tensor of shape () holds one number: the product of no sizes is 1."""
    return solved.elementwise_flops(*shapes) if any(shapes) else 0


@believes("Shapes that fit the first one fit each other", about="elementwise_flops")
def compares_with_the_first(*shapes):
    """Every two shapes have to fit: (1,) fits (2,) and (3,), but those two do not fit each other."""
    for other in shapes[1:]:
        solved.elementwise_flops(shapes[0], other)
    return _widest(shapes)


@believes("Shapes that fit their neighbors fit each other", about="elementwise_flops")
def compares_neighbours(*shapes):
    """Every two shapes have to fit: (2,) and (3,) do not, though () between them fits both."""
    for one, other in pairwise(shapes):
        solved.elementwise_flops(one, other)
    return _widest(shapes)


def _widest(shapes):
    columns = zip_longest(*(shape[::-1] for shape in shapes), fillvalue=1)
    return prod(next((size for size in column if size != 1), 1) for column in columns)


@believes("A product of integers is exact in NumPy too", about="elementwise_flops")
def multiplies_in_64_bits(*shapes):
    """NumPy's integers have 64 bits and silently wrap around. Python's ints, and math.prod, have no limit."""
    return (solved.elementwise_flops(*shapes) + 2**63) % 2**64 - 2**63


@believes("If two sizes differ, the larger one wins", about="elementwise_flops")
def lets_the_larger_size_win(*shapes):
    """Only a size of 1 stretches: raise ValueError if two other sizes differ."""
    return prod(max(sizes) for sizes in zip_longest(*(shape[::-1] for shape in shapes), fillvalue=1))


@believes("The result has the larger of two sizes that broadcast", about="elementwise_flops")
def stretches_0_to_1(*shapes):
    """A size of 1 becomes the other size. That can be 0, and then the result is empty."""
    solved.elementwise_flops(*shapes)
    return prod(max(sizes) for sizes in zip_longest(*(shape[::-1] for shape in shapes), fillvalue=1))


@believes("With an empty operand the answer is 0, whatever the other shapes are", about="elementwise_flops")
def asks_no_more_of_an_empty_operand(*shapes):
    """A size of 0 broadcasts only with 0 and 1: raise ValueError for any other size."""
    return 0 if any(0 in shape for shape in shapes) else solved.elementwise_flops(*shapes)


@believes("`is` compares two sizes", about="elementwise_flops")
def compares_objects(*shapes):
    """It asks whether they are the same object, and two equal ints above 256 need not be. Compare them with ==."""
    flops = solved.elementwise_flops(*shapes)
    for column in zip_longest(*(shape[::-1] for shape in shapes), fillvalue=1):
        wider = [size for size in column if size != 1]
        if any(size is not wider[0] for size in wider):
            raise ValueError(f"{shapes} do not broadcast")
    return flops


@believes("Dimensions are matched from the left, as zip() does", about="elementwise_flops")
def matches_from_the_left(*shapes):
    """They are matched from the right: a shorter shape gets 1s in front."""
    solved.elementwise_flops(*shapes)
    return prod(0 if 0 in sizes else max(sizes) for sizes in zip(*shapes, strict=False))


@believes("Each operand after the first costs one more operation", about="elementwise_flops")
def counts_an_operation_between_each_two(*shapes):
    """The operation counts as one FLOP for each element of its result, however many operands it has."""
    return solved.elementwise_flops(*shapes) * (len(shapes) - 1)


# arithmetic_intensity


@believes("An element is a byte", about="arithmetic_intensity")
def divides_by_elements(m, k, n, bytes_per_element):
    """Memory moves bytes, and a float32 element has four of them."""
    return solved.arithmetic_intensity(m, k, n, 1)


@believes("Only what is read is moved", about="arithmetic_intensity")
def forgets_the_result(m, k, n, bytes_per_element):
    """The result is written to memory, so three matrices are moved."""
    return 2 * m * k * n / (bytes_per_element * (m * k + k * n))


@believes("The result is read before it is written", about="arithmetic_intensity")
def moves_the_result_twice(m, k, n, bytes_per_element):
    """The partial sums stay on the chip. The result is written once and not read."""
    return 2 * m * k * n / (bytes_per_element * (m * k + k * n + 2 * m * n))


@believes("Each dot product reads its row and its column anew", about="arithmetic_intensity")
def reads_for_each_dot_product(m, k, n, bytes_per_element):
    """Here each matrix is read once, and its elements are reused on the chip."""
    return 2 * m * k * n / (bytes_per_element * (m * n * 2 * k + m * n))


@believes("An intensity is a whole number", about="arithmetic_intensity")
def rounds_down(m, k, n, bytes_per_element):
    """It is a ratio, and often below 1: return a float."""
    return 2 * m * k * n // (bytes_per_element * (m * k + k * n + m * n))


@believes("A multiply-add is one FLOP", about="arithmetic_intensity")
def counts_multiply_adds_for_each_byte(m, k, n, bytes_per_element):
    """A multiply and an add are two operations, so the product has 2·m·k·n FLOPs."""
    return solved.arithmetic_intensity(m, k, n, bytes_per_element) / 2


@believes("The intensity is the number of bytes per FLOP", about="arithmetic_intensity")
def divides_the_bytes_by_the_flops(m, k, n, bytes_per_element):
    """It is the other way around: FLOPs per byte moved."""
    return 1 / solved.arithmetic_intensity(m, k, n, bytes_per_element)


# roofline_seconds


@believes("A machine first moves and then computes", about="roofline_seconds")
def adds_the_times(flops, nbytes, peak_flops, peak_bandwidth):
    """It does both at once, so the shorter of the two times is hidden in the longer."""
    solved.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)
    return flops / peak_flops + nbytes / peak_bandwidth


@believes("The least time is the smaller of the two", about="roofline_seconds")
def takes_the_smaller_time(flops, nbytes, peak_flops, peak_bandwidth):
    """In the smaller time, only one of the two is done. The work is done when both are."""
    solved.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)
    return min(flops / peak_flops, nbytes / peak_bandwidth)


@believes("Only computing takes time", about="roofline_seconds")
def forgets_the_memory(flops, nbytes, peak_flops, peak_bandwidth):
    """A product with few FLOPs per byte waits for memory."""
    solved.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)
    return flops / peak_flops


@believes("Without FLOPs, the time is 0", about="roofline_seconds")
def gives_no_time_to_a_copy(flops, nbytes, peak_flops, peak_bandwidth):
    """A copy computes nothing, but moving its bytes takes time."""
    seconds = solved.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)
    return seconds if flops else 0.0


@believes("Only a peak of 0 is refused", about="roofline_seconds")
def lets_a_negative_peak_through(flops, nbytes, peak_flops, peak_bandwidth):
    """A negative peak is a mistake of the caller and would give a negative time: raise ValueError."""
    if peak_flops == 0 or peak_bandwidth == 0:
        raise ValueError("a peak must not be 0")
    return max(flops / peak_flops, nbytes / peak_bandwidth)


@believes("Python's own ZeroDivisionError is enough", about="roofline_seconds")
def leaves_0_to_python(flops, nbytes, peak_flops, peak_bandwidth):
    """`except ValueError` does not catch it: check first and raise ValueError."""
    if peak_flops < 0 or peak_bandwidth < 0:
        raise ValueError("a peak must not be below 0")
    return max(flops / peak_flops, nbytes / peak_bandwidth)


@believes("It is enough to check the product of the two peaks", about="roofline_seconds")
def checks_the_product_of_the_peaks(flops, nbytes, peak_flops, peak_bandwidth):
    """Two negative numbers have a positive product: check each of them."""
    if peak_flops * peak_bandwidth <= 0:
        raise ValueError("a peak must be above 0")
    return max(flops / peak_flops, nbytes / peak_bandwidth)


@believes("Only moving takes time", about="roofline_seconds")
def moves_alone(flops, nbytes, peak_flops, peak_bandwidth):
    """The machine also computes, at the same time: the longer of the two times decides."""
    solved.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)
    return nbytes / peak_bandwidth


# mfu


@believes("MFU is a percentage", about="mfu")
def returns_percent(flops, seconds, peak_flops):
    """It is a fraction: half of the peak is 0.5."""
    return 100 * solved.mfu(flops, seconds, peak_flops)


@believes("The result is at most 1", about="mfu")
def clamps(flops, seconds, peak_flops):
    """A result above 1 shows that an argument is wrong, and clamping would hide that."""
    return min(1.0, solved.mfu(flops, seconds, peak_flops))


@believes("MFU is the time taken divided by the time at the peak", about="mfu")
def turns_the_share_over(flops, seconds, peak_flops):
    """It is the other way around: the slower the run, the lower its MFU."""
    share = solved.mfu(flops, seconds, peak_flops)
    return 1 / share if share else 0.0


@believes("The peak counts sparsity, so half of it is promised", about="mfu")
def halves_the_peak(flops, seconds, peak_flops):
    """Use peak_flops as it is given. Halving a peak that a data sheet quotes with sparsity is up to the caller."""
    return solved.mfu(flops, seconds, peak_flops / 2)


@believes("The peak comes from a data sheet, so it need not be checked", about="mfu")
def trusts_the_peak(flops, seconds, peak_flops):
    """A peak of 0 or less raises a ValueError."""
    if seconds <= 0:
        raise ValueError("seconds must be above 0")
    return flops / seconds / peak_flops if peak_flops else 0.0


@believes("Only 0 is refused", about="mfu")
def lets_negatives_through(flops, seconds, peak_flops):
    """A negative time or peak is a mistake too: raise ValueError."""
    if seconds == 0 or peak_flops == 0:
        raise ValueError("seconds and peak must not be 0")
    return flops / seconds / peak_flops


@believes("It is enough to check the product of time and peak", about="mfu")
def checks_the_product(flops, seconds, peak_flops):
    """Two negative numbers have a positive product: check each of them."""
    if seconds * peak_flops <= 0:
        raise ValueError("nothing was promised")
    return flops / seconds / peak_flops
