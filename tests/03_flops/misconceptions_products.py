"""Wrong answers that people give to kata 03 about the FLOPs of products."""

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
    """The sum starts at 0, and k products are added to it, so an element of the result costs 2·k FLOPs."""
    all_adds = solved.matmul_flops(a_shape, b_shape)
    return all_adds - all_adds // (2 * a_shape[-1]) if all_adds else 0


@believes("The number of products is the product of the two batches", about="matmul_flops")
def multiplies_both_batches(a_shape, b_shape):
    """The two batches broadcast: a size that both sides have counts once."""
    solved.matmul_flops(a_shape, b_shape)
    matrices = solved.matmul_flops(a_shape[-2:], b_shape[-2:])
    return prod(a_shape[:-2]) * prod(b_shape[:-2]) * matrices


@believes("A product with a vector on the right is free, as FlopCounterMode says", about="matmul_flops")
def trusts_the_counter_on_vectors(a_shape, b_shape):
    """FlopCounterMode does not see products with a vector on the right, but they multiply and add all the same."""
    flops = solved.matmul_flops(a_shape, b_shape)
    return 0 if len(b_shape) == 1 else flops


@believes("A float holds any count", about="matmul_flops")
def counts_in_a_float(a_shape, b_shape):
    """A float holds whole numbers exactly only up to 2**53. Python's int has no limit."""
    return int(float(solved.matmul_flops(a_shape, b_shape)))


@believes("The inner sizes of a matrix product always agree", about="matmul_flops")
def trusts_the_inner_sizes(a_shape, b_shape):
    """If the columns of a and the rows of b differ in number, there is no product: raise ValueError."""
    if not a_shape or not b_shape:
        return solved.matmul_flops(a_shape, b_shape)
    inner = a_shape[-1]
    trusted = (inner,) if len(b_shape) == 1 else (*b_shape[:-2], inner, b_shape[-1])
    return solved.matmul_flops(a_shape, trusted)


@believes("A batch of products costs as much as one", about="matmul_flops")
def counts_one_product(a_shape, b_shape):
    """Each matrix of the batch is a separate product, so the FLOPs of one product count once for each."""
    solved.matmul_flops(a_shape, b_shape)
    return solved.matmul_flops(a_shape[-2:], b_shape[-2:])


@believes("The batch is that of the left side", about="matmul_flops")
def takes_the_batch_of_the_left(a_shape, b_shape):
    """The two batches broadcast: the batch of the right side counts too."""
    solved.matmul_flops(a_shape, b_shape)
    return prod(a_shape[:-2]) * solved.matmul_flops(a_shape[-2:], b_shape[-2:])


# linear_flops


@believes("The bias costs an add for each output", about="linear_flops")
def counts_the_bias(x_shape, out_features):
    """By convention the bias is not counted, and torch's counter leaves it out too."""
    return solved.linear_flops(x_shape, out_features) + prod(x_shape[:-1]) * out_features


@believes("Only the first dimension of x counts as the batch", about="linear_flops")
def takes_the_first_dimension_for_the_batch(x_shape, out_features):
    """All dimensions before the last one count rows: (5, 2, 3) has 10 rows, not 5."""
    rows = x_shape[:1] if len(x_shape) > 1 else ()
    return solved.linear_flops((*rows, x_shape[-1]), out_features)


@believes("A layer costs what its weight costs, however many rows x has", about="linear_flops")
def counts_one_row(x_shape, out_features):
    """The weight is stored once but used for each row of x."""
    return solved.linear_flops(x_shape[-1:], out_features)


@believes("A multiply-add is one FLOP", about="linear_flops")
def counts_multiply_adds_of_a_layer(x_shape, out_features):
    """A multiply and an add are two operations: each row costs 2·in_features·out_features."""
    return solved.linear_flops(x_shape, out_features) // 2


@believes("A count may be a float", about="linear_flops")
def returns_a_float(x_shape, out_features):
    """A count is an int: a float loses the last digits of a large one."""
    return 2.0 * prod(x_shape) * out_features


# einsum_flops


@believes("Only the indices of the result are looped over", about="einsum_flops")
def counts_the_result_alone(equation, a_shape, b_shape):
    """An index that is summed away is looped over too: each element of the result is a sum along it."""
    solved.einsum_flops(equation, a_shape, b_shape)
    sizes = _sizes(equation, a_shape, b_shape)
    return 2 * prod(sizes[index] for index in equation.partition("->")[2])


@believes("An index that both operands have counts twice", about="einsum_flops")
def counts_a_shared_index_twice(equation, a_shape, b_shape):
    """It runs through both operands at once, so its size counts once."""
    solved.einsum_flops(equation, a_shape, b_shape)
    return 2 * prod(a_shape) * prod(b_shape)


@believes("Upper and lower case are the same index", about="einsum_flops")
def ignores_case(equation, a_shape, b_shape):
    """`i` and `I` are two indices, each with its own size."""
    return solved.einsum_flops(equation.lower(), a_shape, b_shape)


@believes("An index that only one operand has and the result lacks is summed over first", about="einsum_flops")
def sums_lonely_indices_first(equation, a_shape, b_shape):
    """That would save work. Here every combination of all the indices counts."""
    solved.einsum_flops(equation, a_shape, b_shape)
    operands, _, kept = equation.partition("->")
    sizes = _sizes(equation, a_shape, b_shape)
    return 2 * prod(size for index, size in sizes.items() if index in kept or operands.count(index) == 2)


@believes("Each operand has at most one index that the other lacks", about="einsum_flops")
def keeps_one_index_of_each_operand(equation, a_shape, b_shape):
    """An operand can have several indices that the other lacks, and all of them are looped over."""
    solved.einsum_flops(equation, a_shape, b_shape)
    a, b = equation.partition("->")[0].split(",")
    alone = [
        {index: size for index, size in zip(one, shape, strict=True) if index not in other}
        for one, other, shape in ((a, b, a_shape), (b, a, b_shape))
    ]
    shared = [size for index, size in zip(a, a_shape, strict=True) if index in b]
    return 2 * prod(shared) * prod(list(sizes.values())[-1] for sizes in alone if sizes)


@believes("Only the total number of dimensions has to fit the equation", about="einsum_flops")
def adds_up_the_ranks(equation, a_shape, b_shape):
    """Each operand has its own indices: an extra dimension in one does not make up for a missing one in the other."""
    a, b = equation.partition("->")[0].split(",")
    if len(a + b) == len(a_shape + b_shape):
        both = a_shape + b_shape
        a_shape, b_shape = both[: len(a)], both[len(a) :]
    return solved.einsum_flops(equation, a_shape, b_shape)


@believes("An operand's rank is always what the equation says", about="einsum_flops")
def trusts_the_ranks(equation, a_shape, b_shape):
    """An operand needs one dimension for each of its indices: raise ValueError for more or fewer."""
    a, b = equation.partition("->")[0].split(",")
    if (len(a), len(b)) != (len(a_shape), len(b_shape)):
        return 2 * prod(_sizes(equation, a_shape, b_shape).values())
    return solved.einsum_flops(equation, a_shape, b_shape)


@believes("An index has the size that the last operand gives it", about="einsum_flops")
def keeps_the_last_size(equation, a_shape, b_shape):
    """An index has one size: raise ValueError if the two operands give it different ones."""
    a, b = equation.partition("->")[0].split(",")
    if (len(a), len(b)) != (len(a_shape), len(b_shape)):
        return solved.einsum_flops(equation, a_shape, b_shape)
    return 2 * prod(_sizes(equation, a_shape, b_shape).values())


@believes("`is` compares two sizes", about="einsum_flops")
def compares_objects_of_an_index(equation, a_shape, b_shape):
    """It asks whether they are the same object, and two equal ints above 256 need not be. Compare them with ==."""
    flops = solved.einsum_flops(equation, a_shape, b_shape)
    sizes = _sizes(equation, a_shape, b_shape)
    if any(sizes[index] is not size for index, size in zip(equation, a_shape, strict=False)):
        raise ValueError("two sizes")
    return flops


@believes("Two operands of the same shape have the same indices", about="einsum_flops")
def tells_indices_apart_by_size(equation, a_shape, b_shape):
    """The names in the equation tell indices apart. Different indices may have the same size."""
    flops = solved.einsum_flops(equation, a_shape, b_shape)
    return 2 * prod(a_shape) if a_shape == b_shape else flops


@believes("Two operands of the same shape have the same indices", about="einsum_flops")
def takes_equal_shapes_for_a_dot_product(equation, a_shape, b_shape):
    """The names in the equation tell indices apart. Different indices may have the same size."""
    flops = solved.einsum_flops(equation, a_shape, b_shape)
    return 2 * prod(a_shape) if a_shape == b_shape and equation.endswith(">") else flops


def _sizes(equation, a_shape, b_shape):
    a, b = equation.partition("->")[0].split(",")
    return dict(zip(a, a_shape, strict=False)) | dict(zip(b, b_shape, strict=False))


@believes("A multiply-add is one FLOP", about="einsum_flops")
def counts_multiply_adds_of_indices(equation, a_shape, b_shape):
    """A multiply and an add are two operations, so each combination of indices costs 2."""
    return solved.einsum_flops(equation, a_shape, b_shape) // 2


# mlp_flops


@believes("The cost depends on the weights alone, whatever the batch", about="mlp_flops")
def forgets_the_batch(batch, dims):
    """Each row of the batch goes through every weight."""
    return solved.mlp_flops(1, dims)


@believes("A model costs 6 FLOPs for each parameter and row", about="mlp_flops")
def counts_a_training_step(batch, dims):
    """6 is for the forward and backward pass together. The forward pass alone costs 2."""
    return 3 * solved.mlp_flops(batch, dims)


@believes("The costs of the layers multiply", about="mlp_flops")
def multiplies_all_widths(batch, dims):
    """The layers run one after the other, so their costs add up."""
    return 2 * batch * prod(dims) if len(dims) > 1 else 0


@believes("Each layer adds a bias", about="mlp_flops")
def counts_the_biases(batch, dims):
    """These layers have no bias, and a bias would not be counted."""
    return solved.mlp_flops(batch, dims) + batch * sum(dims[1:])


@believes("A single width is a single layer", about="mlp_flops")
def takes_one_width_for_a_layer(batch, dims):
    """A layer connects two widths. With a single width there is no layer, so nothing is computed."""
    return 2 * batch * dims[0] ** 2 if len(dims) == 1 else solved.mlp_flops(batch, dims)


@believes("Every layer has the width of the data as its input", about="mlp_flops")
def feeds_every_layer_the_input(batch, dims):
    """A layer reads what the layer before it wrote: its inputs are the outputs of that layer."""
    return sum(solved.mlp_flops(batch, (dims[0], d_out)) for d_out in dims[1:])


@believes("A multiply-add is one FLOP", about="mlp_flops")
def counts_multiply_adds_of_layers(batch, dims):
    """A multiply and an add are two operations, so a layer costs 2 for each row and weight."""
    return solved.mlp_flops(batch, dims) // 2


# attention_flops


@believes("Attention is one matrix product", about="attention_flops")
def counts_the_scores_alone(batch, heads, q_len, kv_len, head_dim):
    """There are two: one computes the scores, and one computes the weighted sum of the values."""
    return solved.attention_flops(batch, heads, q_len, kv_len, head_dim) // 2


@believes("A causal mask saves the FLOPs of what it hides", about="attention_flops")
def skips_what_a_causal_mask_hides(batch, heads, q_len, kv_len, head_dim):
    """The products are computed in full, and the mask is applied to the scores afterwards."""
    rows = min(q_len, kv_len)
    seen = rows * (rows + 1) // 2 + (q_len - rows) * kv_len
    return solved.attention_flops(batch, heads, 1, seen, head_dim)


@believes("There are as many keys as queries", about="attention_flops")
def squares_the_query_length(batch, heads, q_len, kv_len, head_dim):
    """Keys and values may come from a longer or shorter sequence, so the scores are q_len by kv_len."""
    return solved.attention_flops(batch, heads, q_len, q_len, head_dim)


@believes("The heads share the work of one head", about="attention_flops")
def forgets_the_heads(batch, heads, q_len, kv_len, head_dim):
    """head_dim is the width of one head, and each head has its own products."""
    return solved.attention_flops(batch, 1, q_len, kv_len, head_dim)


@believes("The softmax costs an exponential, an add and a division for each score", about="attention_flops")
def counts_the_softmax(batch, heads, q_len, kv_len, head_dim):
    """Only the two matrix products count. The softmax is small compared to them."""
    return solved.attention_flops(batch, heads, q_len, kv_len, head_dim) + 3 * batch * heads * q_len * kv_len
