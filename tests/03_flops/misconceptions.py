"""Wrong answers that people give to kata 03, each with the belief behind it."""

from itertools import pairwise, zip_longest
from math import prod

from dojo.judging.diagnose import believes, solution

solved = solution("03_flops")


# matmul_flops


@believes("A multiply-add is one FLOP", about="matmul_flops")
def counts_multiply_adds(a_shape, b_shape):
    """A multiply and an add are two operations, so the count is 2·m·k·n, not m·k·n."""
    return solved.matmul_flops(a_shape, b_shape) // 2


@believes("A dot product of k numbers takes k multiplies and k − 1 adds", about="matmul_flops")
def counts_one_add_fewer(a_shape, b_shape):
    """The sum starts at 0 and adds k products to it, so an element of the result costs 2·k."""
    all_adds = solved.matmul_flops(a_shape, b_shape)
    return all_adds - all_adds // (2 * a_shape[-1]) if all_adds else 0


@believes("The batches of the two sides multiply each other", about="matmul_flops")
def multiplies_both_batches(a_shape, b_shape):
    """The two batches are broadcast: a size that both sides have is counted once."""
    solved.matmul_flops(a_shape, b_shape)
    matrices = solved.matmul_flops(a_shape[-2:], b_shape[-2:])
    return prod(a_shape[:-2]) * prod(b_shape[:-2]) * matrices


@believes("A product with a vector on the right is free, as FlopCounterMode has it", about="matmul_flops")
def trusts_the_counter_on_vectors(a_shape, b_shape):
    """FlopCounterMode does not see products with a vector on the right; they multiply and add all the same."""
    flops = solved.matmul_flops(a_shape, b_shape)
    return 0 if len(b_shape) == 1 else flops


@believes("A float holds any count", about="matmul_flops")
def counts_in_a_float(a_shape, b_shape):
    """A float holds whole numbers exactly up to 2**53 only; Python's int has no limit."""
    return int(float(solved.matmul_flops(a_shape, b_shape)))


@believes("The inner sizes of a matrix product always agree", about="matmul_flops")
def trusts_the_inner_sizes(a_shape, b_shape):
    """Where the columns of a and the rows of b differ in number there is no product, and torch refuses."""
    if not a_shape or not b_shape:
        return solved.matmul_flops(a_shape, b_shape)
    inner = a_shape[-1]
    trusted = (inner,) if len(b_shape) == 1 else (*b_shape[:-2], inner, b_shape[-1])
    return solved.matmul_flops(a_shape, trusted)


@believes("A batch of products costs as much as one", about="matmul_flops")
def counts_one_product(a_shape, b_shape):
    """Each matrix of the batch is a product of its own, so its FLOPs count once for each."""
    solved.matmul_flops(a_shape, b_shape)
    return solved.matmul_flops(a_shape[-2:], b_shape[-2:])


@believes("The batch is that of the left side", about="matmul_flops")
def takes_the_batch_of_the_left(a_shape, b_shape):
    """The two batches are broadcast: what stands before the last two sizes of the right side counts as well."""
    solved.matmul_flops(a_shape, b_shape)
    return prod(a_shape[:-2]) * solved.matmul_flops(a_shape[-2:], b_shape[-2:])


# linear_flops


@believes("The bias costs an add for each output", about="linear_flops")
def counts_the_bias(x_shape, out_features):
    """By convention the bias is not counted, and torch's counter leaves it out too."""
    return solved.linear_flops(x_shape, out_features) + prod(x_shape[:-1]) * out_features


@believes("Only the first dimension of x counts as the batch", about="linear_flops")
def takes_the_first_dimension_for_the_batch(x_shape, out_features):
    """Every dimension before the last one holds rows: (5, 2, 3) has 10 rows, not 5."""
    rows = x_shape[0] if len(x_shape) > 1 else 1
    return 2 * rows * x_shape[-1] * out_features


@believes("A layer costs what its weight costs, however many rows x has", about="linear_flops")
def counts_one_row(x_shape, out_features):
    """The weight is stored once and used again for each row of x."""
    return 2 * x_shape[-1] * out_features


@believes("A multiply-add is one FLOP", about="linear_flops")
def counts_multiply_adds_of_a_layer(x_shape, out_features):
    """A multiply and an add are two operations: each row costs 2·in_features·out_features."""
    return prod(x_shape) * out_features


@believes("A count may be a float", about="linear_flops")
def returns_a_float(x_shape, out_features):
    """A count is an int: a float loses the last digits of a large one."""
    return 2.0 * prod(x_shape) * out_features


# elementwise_flops


@believes("Each element of each operand costs one FLOP", about="elementwise_flops")
def adds_up_the_operands(*shapes):
    """The work is done once for each element of the result, however many operands meet there."""
    solved.elementwise_flops(*shapes)
    return sum(map(prod, shapes))


@believes("The result has as many elements as the largest operand", about="elementwise_flops")
def counts_the_largest_operand(*shapes):
    """Operands can stretch each other: (2, 1) and (3,) give (2, 3), which is larger than both."""
    solved.elementwise_flops(*shapes)
    return max(map(prod, shapes))


@believes("A 0-d tensor has no elements", about="elementwise_flops")
def sees_nothing_in_a_0d_tensor(*shapes):
    """A tensor of shape () holds one number; the product of no sizes is 1."""
    return solved.elementwise_flops(*shapes) if any(shapes) else 0


@believes("Shapes that fit the first one fit each other", about="elementwise_flops")
def compares_with_the_first(*shapes):
    """Every two shapes have to fit: (1,) fits (2,) and (3,), and those two do not fit each other."""
    for other in shapes[1:]:
        solved.elementwise_flops(shapes[0], other)
    return _widest(shapes)


@believes("Shapes that fit their neighbours fit each other", about="elementwise_flops")
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
    """NumPy's integers have 64 bits and wrap around without a word; Python's own, and math.prod, have no limit."""
    return (solved.elementwise_flops(*shapes) + 2**63) % 2**64 - 2**63


@believes("Where two sizes differ, the larger one wins", about="elementwise_flops")
def lets_the_larger_size_win(*shapes):
    """Only a size of 1 stretches; any other two sizes that differ are refused."""
    return prod(max(sizes) for sizes in zip_longest(*(shape[::-1] for shape in shapes), fillvalue=1))


@believes("Of two sizes that broadcast, the larger one is the result's", about="elementwise_flops")
def stretches_0_to_1(*shapes):
    """A size of 1 becomes the other size, and that can be 0: then the result is empty."""
    solved.elementwise_flops(*shapes)
    return prod(max(sizes) for sizes in zip_longest(*(shape[::-1] for shape in shapes), fillvalue=1))


@believes("With an empty operand the answer is 0, whatever the other shapes are", about="elementwise_flops")
def asks_no_more_of_an_empty_operand(*shapes):
    """A size of 0 broadcasts with 0 and 1 alone; torch refuses it beside any other size."""
    return 0 if any(0 in shape for shape in shapes) else solved.elementwise_flops(*shapes)


@believes("Dimensions are matched from the left, as zip() has it", about="elementwise_flops")
def matches_from_the_left(*shapes):
    """They are matched from the right: a shape that is too short gets 1s in front."""
    solved.elementwise_flops(*shapes)
    return prod(0 if 0 in sizes else max(sizes) for sizes in zip(*shapes, strict=False))


@believes("Each operand after the first costs one operation more", about="elementwise_flops")
def counts_an_operation_between_each_two(*shapes):
    """The operation counts as one FLOP for each element of its result, however many operands it has."""
    return solved.elementwise_flops(*shapes) * max(1, len(shapes) - 1)


# einsum_flops


@believes("Only the indices of the result are looped over", about="einsum_flops")
def counts_the_result_alone(equation, a_shape, b_shape):
    """An index that is summed away is looped over too: each element of the result is a sum along it."""
    solved.einsum_flops(equation, a_shape, b_shape)
    sizes = _sizes(equation, a_shape, b_shape)
    return 2 * prod(sizes[index] for index in equation.partition("->")[2])


@believes("Every element of one operand meets every element of the other", about="einsum_flops")
def counts_a_shared_index_twice(equation, a_shape, b_shape):
    """An index that both operands have runs through both at once, so its size counts once."""
    solved.einsum_flops(equation, a_shape, b_shape)
    return 2 * prod(a_shape) * prod(b_shape)


@believes("Upper and lower case are the same index", about="einsum_flops")
def ignores_case(equation, a_shape, b_shape):
    """`i` and `I` are two indices, each with a size of its own."""
    return solved.einsum_flops(equation.lower(), a_shape, b_shape)


@believes("An index of one operand alone that the result lacks is summed away first", about="einsum_flops")
def sums_lonely_indices_first(equation, a_shape, b_shape):
    """That is a way to save work. Here every combination of all the indices counts."""
    solved.einsum_flops(equation, a_shape, b_shape)
    operands, _, kept = equation.partition("->")
    sizes = _sizes(equation, a_shape, b_shape)
    return 2 * prod(size for index, size in sizes.items() if index in kept or operands.count(index) == 2)


@believes("Each operand has at most one index of its own", about="einsum_flops")
def keeps_one_index_of_each_operand(equation, a_shape, b_shape):
    """An operand can bring several indices that the other lacks, and every one of them is looped over."""
    solved.einsum_flops(equation, a_shape, b_shape)
    a, b = equation.partition("->")[0].split(",")
    alone = [
        {index: size for index, size in zip(one, shape, strict=True) if index not in other}
        for one, other, shape in ((a, b, a_shape), (b, a, b_shape))
    ]
    shared = [size for index, size in zip(a, a_shape, strict=True) if index in b]
    return 2 * prod(shared) * prod(list(sizes.values())[-1] for sizes in alone if sizes)


@believes("Only the number of all dimensions has to be what the equation says", about="einsum_flops")
def adds_up_the_ranks(equation, a_shape, b_shape):
    """Each operand has its own indices: a dimension too many in one does not make up for one too few in the other."""
    a, b = equation.partition("->")[0].split(",")
    if len(a + b) == len(a_shape + b_shape):
        both = a_shape + b_shape
        a_shape, b_shape = both[: len(a)], both[len(a) :]
    return solved.einsum_flops(equation, a_shape, b_shape)


@believes("An operand's rank is always what the equation says", about="einsum_flops")
def trusts_the_ranks(equation, a_shape, b_shape):
    """An operand needs as many dimensions as the equation gives it indices; torch refuses more and fewer."""
    a, b = equation.partition("->")[0].split(",")
    if (len(a), len(b)) != (len(a_shape), len(b_shape)):
        return 2 * prod(_sizes(equation, a_shape, b_shape).values())
    return solved.einsum_flops(equation, a_shape, b_shape)


@believes("An index has the size that it had last", about="einsum_flops")
def keeps_the_last_size(equation, a_shape, b_shape):
    """An index has one size; two operands that give it different ones do not fit."""
    a, b = equation.partition("->")[0].split(",")
    if (len(a), len(b)) != (len(a_shape), len(b_shape)):
        return solved.einsum_flops(equation, a_shape, b_shape)
    return 2 * prod(_sizes(equation, a_shape, b_shape).values())


def _sizes(equation, a_shape, b_shape):
    a, b = equation.partition("->")[0].split(",")
    return dict(zip(a, a_shape, strict=False)) | dict(zip(b, b_shape, strict=False))


@believes("A multiply-add is one FLOP", about="einsum_flops")
def counts_multiply_adds_of_indices(equation, a_shape, b_shape):
    """A multiply and an add are two operations, so each combination of indices costs 2."""
    return solved.einsum_flops(equation, a_shape, b_shape) // 2


# mlp_flops


@believes("The cost is that of the weights, for any batch", about="mlp_flops")
def forgets_the_batch(batch, dims):
    """Each row of the batch goes through every weight."""
    return solved.mlp_flops(1, dims)


@believes("A model costs 6 FLOPs for each parameter and row", about="mlp_flops")
def counts_a_training_step(batch, dims):
    """6 is forward and backward together; the forward pass alone is 2."""
    return 3 * solved.mlp_flops(batch, dims)


@believes("The costs of layers multiply", about="mlp_flops")
def multiplies_all_widths(batch, dims):
    """The layers run one after the other, so their costs add up."""
    return 2 * batch * prod(dims) if len(dims) > 1 else 0


@believes("Each layer adds a bias", about="mlp_flops")
def counts_the_biases(batch, dims):
    """These layers have no bias, and it would not be counted if they had."""
    return solved.mlp_flops(batch, dims) + batch * sum(dims[1:])


@believes("A single width is a single layer", about="mlp_flops")
def takes_one_width_for_a_layer(batch, dims):
    """A layer stands between two widths; one width has none, so nothing is computed."""
    return 2 * batch * dims[0] ** 2 if len(dims) == 1 else solved.mlp_flops(batch, dims)


@believes("All layers but the first take the width of the data", about="mlp_flops")
def feeds_every_layer_the_input(batch, dims):
    """A layer reads what the layer before it wrote: its inputs are that layer's outputs."""
    return sum(2 * batch * dims[0] * d_out for d_out in dims[1:])


@believes("A multiply-add is one FLOP", about="mlp_flops")
def counts_multiply_adds_of_layers(batch, dims):
    """A multiply and an add are two operations, so a layer costs 2 for each row and weight."""
    return solved.mlp_flops(batch, dims) // 2


# attention_flops


@believes("Attention is one matrix product", about="attention_flops")
def counts_the_scores_alone(batch, heads, q_len, kv_len, head_dim):
    """There are two: one makes the scores, and one sums the values by their weights."""
    return 2 * batch * heads * q_len * head_dim * kv_len


@believes("A causal mask saves what it hides", about="attention_flops")
def skips_what_a_causal_mask_hides(batch, heads, q_len, kv_len, head_dim):
    """The products are computed in full, and the mask is laid over the scores afterwards."""
    rows = min(q_len, kv_len)
    seen = rows * (rows + 1) // 2 + (q_len - rows) * kv_len
    return 4 * batch * heads * seen * head_dim


@believes("There are as many keys as queries", about="attention_flops")
def squares_the_query_length(batch, heads, q_len, kv_len, head_dim):
    """Keys and values may come from a longer or shorter sequence, so the scores are q_len by kv_len."""
    return 4 * batch * heads * q_len * q_len * head_dim


@believes("The heads share the work of one head", about="attention_flops")
def forgets_the_heads(batch, heads, q_len, kv_len, head_dim):
    """head_dim is the width of one head, and each head has products of its own."""
    return 4 * batch * q_len * kv_len * head_dim


@believes("The softmax costs an exponential, an add and a division for each score", about="attention_flops")
def counts_the_softmax(batch, heads, q_len, kv_len, head_dim):
    """Only the two matrix products are counted; the softmax is small beside them."""
    return solved.attention_flops(batch, heads, q_len, kv_len, head_dim) + 3 * batch * heads * q_len * kv_len


# arithmetic_intensity


@believes("An element is a byte", about="arithmetic_intensity")
def divides_by_elements(m, k, n, bytes_per_element):
    """Memory moves bytes: a float32 element is four of them."""
    return solved.arithmetic_intensity(m, k, n, 1)


@believes("Only what is read is moved", about="arithmetic_intensity")
def forgets_the_result(m, k, n, bytes_per_element):
    """The result travels to memory too, so three matrices are moved."""
    return 2 * m * k * n / (bytes_per_element * (m * k + k * n))


@believes("The result is read before it is written", about="arithmetic_intensity")
def moves_the_result_twice(m, k, n, bytes_per_element):
    """The sums are kept on the chip while they grow; the result is written once and not read."""
    return 2 * m * k * n / (bytes_per_element * (m * k + k * n + 2 * m * n))


@believes("Each dot product reads its row and its column anew", about="arithmetic_intensity")
def reads_for_each_dot_product(m, k, n, bytes_per_element):
    """Here each matrix is read once, and its elements are used again from the chip."""
    return 2 * m * k * n / (bytes_per_element * (m * n * 2 * k + m * n))


@believes("An intensity is a whole number", about="arithmetic_intensity")
def rounds_down(m, k, n, bytes_per_element):
    """It is a ratio, and often below 1: a float."""
    return 2 * m * k * n // (bytes_per_element * (m * k + k * n + m * n))


@believes("A multiply-add is one FLOP", about="arithmetic_intensity")
def counts_multiply_adds_for_each_byte(m, k, n, bytes_per_element):
    """A multiply and an add are two operations, so the product has 2·m·k·n FLOPs."""
    return solved.arithmetic_intensity(m, k, n, bytes_per_element) / 2


@believes("The intensity is how many bytes a FLOP needs", about="arithmetic_intensity")
def divides_the_bytes_by_the_flops(m, k, n, bytes_per_element):
    """It is the other way round, FLOPs for each byte that is moved."""
    return 1 / solved.arithmetic_intensity(m, k, n, bytes_per_element)


# roofline_seconds


@believes("A machine first moves and then computes", about="roofline_seconds")
def adds_the_times(flops, nbytes, peak_flops, peak_bandwidth):
    """It does both at once, so the shorter of the two times is hidden in the longer."""
    solved.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)
    return flops / peak_flops + nbytes / peak_bandwidth


@believes("The least time is the smaller of the two", about="roofline_seconds")
def takes_the_smaller_time(flops, nbytes, peak_flops, peak_bandwidth):
    """In the smaller time only one of the two is done; the work is over when both are."""
    solved.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)
    return min(flops / peak_flops, nbytes / peak_bandwidth)


@believes("Computing is what takes the time", about="roofline_seconds")
def forgets_the_memory(flops, nbytes, peak_flops, peak_bandwidth):
    """A product with few FLOPs for each byte waits for memory."""
    solved.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)
    return flops / peak_flops


@believes("Nothing to compute takes no time", about="roofline_seconds")
def gives_no_time_to_a_copy(flops, nbytes, peak_flops, peak_bandwidth):
    """A copy computes nothing, and its bytes take their time."""
    seconds = solved.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)
    return seconds if flops else 0.0


@believes("Only a peak of 0 is no peak", about="roofline_seconds")
def lets_a_negative_peak_through(flops, nbytes, peak_flops, peak_bandwidth):
    """A peak below 0 is a slip of the caller; dividing by it gives a time below 0, or hides behind the other one."""
    if peak_flops == 0 or peak_bandwidth == 0:
        raise ValueError("a peak must not be 0")
    return max(flops / peak_flops, nbytes / peak_bandwidth)


@believes("Python's own error for a division by 0 will do", about="roofline_seconds")
def leaves_0_to_python(flops, nbytes, peak_flops, peak_bandwidth):
    """A caller is told with a ValueError what is wrong with the arguments; ZeroDivisionError is no ValueError."""
    if peak_flops < 0 or peak_bandwidth < 0:
        raise ValueError("a peak must not be below 0")
    return max(flops / peak_flops, nbytes / peak_bandwidth)


@believes("Where the product of two peaks is above 0, so are both", about="roofline_seconds")
def checks_the_product_of_the_peaks(flops, nbytes, peak_flops, peak_bandwidth):
    """Two numbers below 0 have a product above 0; each peak is looked at alone."""
    if peak_flops * peak_bandwidth <= 0:
        raise ValueError("a peak must be above 0")
    return max(flops / peak_flops, nbytes / peak_bandwidth)


@believes("Moving is what takes the time", about="roofline_seconds")
def moves_alone(flops, nbytes, peak_flops, peak_bandwidth):
    """Computing goes on at the same time, and where it takes longer it decides."""
    solved.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)
    return nbytes / peak_bandwidth


# mfu


@believes("MFU is a percentage", about="mfu")
def returns_percent(flops, seconds, peak_flops):
    """It is a share: half of the peak is 0.5."""
    return 100 * solved.mfu(flops, seconds, peak_flops)


@believes("A share is never above 1", about="mfu")
def clamps(flops, seconds, peak_flops):
    """A share above 1 says that a number that went in is wrong; cut off at 1, it says nothing."""
    return min(1.0, solved.mfu(flops, seconds, peak_flops))


@believes("MFU is the time that was taken over the time at the peak", about="mfu")
def turns_the_share_over(flops, seconds, peak_flops):
    """The slower the run, the lower its MFU: what was achieved stands above what was promised."""
    share = solved.mfu(flops, seconds, peak_flops)
    return 1 / share if share else 0.0


@believes("The peak counts sparsity, so half of it is promised", about="mfu")
def halves_the_peak(flops, seconds, peak_flops):
    """peak_flops is taken as it is given; halving what a data sheet quotes with sparsity is for the caller."""
    return solved.mfu(flops, seconds, peak_flops / 2)


@believes("Only the time can be wrong, since the peak is from a data sheet", about="mfu")
def trusts_the_peak(flops, seconds, peak_flops):
    """A peak of 0 or less promises nothing, and no share can be taken of it."""
    if seconds <= 0:
        raise ValueError("seconds must be above 0")
    return flops / seconds / peak_flops if peak_flops else 0.0


@believes("Only 0 cannot be divided by, so only 0 is refused", about="mfu")
def lets_negatives_through(flops, seconds, peak_flops):
    """Below 0, neither a time nor a peak means anything, and a share below 0 would come out."""
    if seconds == 0 or peak_flops == 0:
        raise ValueError("seconds and peak must not be 0")
    return flops / seconds / peak_flops


@believes("Where what was promised is above 0, so are the time and the peak", about="mfu")
def checks_the_product(flops, seconds, peak_flops):
    """Two numbers below 0 have a product above 0; the time and the peak are each looked at alone."""
    if seconds * peak_flops <= 0:
        raise ValueError("nothing was promised")
    return flops / seconds / peak_flops
