"""Wrong answers that people give to kata 15 about the memory of a training step."""

from dojo.judging.diagnose import believes, solution

solved = solution("15_transformer")


def _step(config, batch, tokens, bytes_per_param, bytes_per_value, more, last=0):
    """Return the bytes, with this many more values for each token and block, and once for each token."""
    values = batch * tokens * (config["layers"] * more + last)
    return solved.training_bytes(config, batch, tokens, bytes_per_param, bytes_per_value) + values * bytes_per_value


@believes("A training step only keeps its parameters", about="training_bytes")
def keeps_no_activations(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """The gradient of a weight is a product with its input, so that is kept."""
    return bytes_per_param * solved.parameters(config)


@believes("Attention's weights are computed again", about="training_bytes")
def keeps_no_weights(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """Flash attention does that; here, a product keeps both of its operands."""
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, -config["heads"] * tokens)


@believes("Softmaxed weights are kept in float32", about="training_bytes")
def keeps_weights_in_float32(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """Autocast computes softmax that way; here, each number that a product reads has bytes_per_value bytes."""
    weights = config["layers"] * batch * config["heads"] * tokens * tokens
    every = solved.training_bytes(config, batch, tokens, bytes_per_param, bytes_per_value)
    return every + weights * (4 - bytes_per_value)


@believes("Scores are kept in addition to their softmax", about="training_bytes")
def keeps_the_scores(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """Only what a product reads is kept: the softmaxed weights."""
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, config["heads"] * tokens)


@believes("Heads that share their keys share their weights", about="training_bytes")
def keeps_weights_of_key_heads(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """Every query head has its own weights: heads · tokens for each token."""
    more = (config["kv_heads"] - config["heads"]) * tokens
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, more)


@believes("All heads share one table of weights", about="training_bytes")
def keeps_weights_of_one_head(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """Every query head has its own weights: heads · tokens for each token."""
    more = (1 - config["heads"]) * tokens
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, more)


@believes("A causal mask saves half of the weights", about="training_bytes")
def keeps_half_of_the_weights(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """The tensor of weights is kept in full, and half of it is 0."""
    saved = config["layers"] * batch * config["heads"] * tokens * (tokens - 1) // 2
    every = solved.training_bytes(config, batch, tokens, bytes_per_param, bytes_per_value)
    return every - saved * bytes_per_value


@believes("q, k and v each keep a norm's result", about="training_bytes")
def keeps_the_norm_three_times(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """They read one tensor, which is kept once."""
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, 2 * config["width"])


@believes("The gate keeps its own copy of a norm's result", about="training_bytes")
def keeps_the_norm_for_the_gate(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """It reads the tensor that the other matrix reads, which is kept once."""
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, config["width"] * config["gated"])


@believes("A gated MLP keeps both of its factors", about="training_bytes")
def keeps_both_factors(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """Real kernels do; here, only what a matrix product reads is kept: the product of the two factors."""
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, 2 * config["hidden"] * config["gated"])


@believes("A gated MLP keeps a tensor for each of its first two matrices", about="training_bytes")
def keeps_hidden_twice(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """What the last matrix reads is their product: hidden numbers per token, gated or not."""
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, config["hidden"] * config["gated"])


@believes("The input of an activation function is kept too", about="training_bytes")
def keeps_both_sides_of_the_activation(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """Real kernels keep it; here, only what a matrix product reads is kept."""
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, config["hidden"])


@believes("The input of a norm is kept too", about="training_bytes")
def keeps_both_sides_of_norms(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """Real kernels keep it; here, only what a matrix product reads is kept."""
    width = config["width"]
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, 2 * width, width)


@believes("The last norm's result is not kept", about="training_bytes")
def forgets_the_last_norm(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """The head is a product that reads it."""
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, 0, -config["width"])


@believes("The logits are kept", about="training_bytes")
def keeps_the_logits(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """No product reads them: the head reads the last norm's result and its matrix."""
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, 0, config["vocab"])


@believes("A block keeps one norm's result", about="training_bytes")
def keeps_one_norm(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """Products read two: one before attention, one before the MLP."""
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, -config["width"])


@believes("The input of o is not kept", about="training_bytes")
def forgets_what_o_reads(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """o is a product like the others, and reads attention's result, heads · head_dim numbers."""
    queries = config["heads"] * config["head_dim"]
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, -queries)


@believes("o reads width numbers of each token", about="training_bytes")
def reads_width_for_o(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """It reads heads · head_dim, and returns width."""
    more = config["width"] - config["heads"] * config["head_dim"]
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, more)


@believes("q and attention's result have width numbers of each token", about="training_bytes")
def keeps_width_for_q(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """They have heads · head_dim, which need not be width."""
    more = 2 * (config["width"] - config["heads"] * config["head_dim"])
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, more)


@believes("k and v are kept only for a cache", about="training_bytes")
def keeps_no_keys(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """Both are operands of attention's products, and needed for the gradients of the other operands."""
    keys = 2 * config["kv_heads"] * config["head_dim"]
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, -keys)


@believes("k and v are as wide as q", about="training_bytes")
def keeps_keys_for_each_head(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """They have kv_heads · head_dim numbers each."""
    more = 2 * (config["heads"] - config["kv_heads"]) * config["head_dim"]
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, more)


@believes("The activations of a block are freed after its forward", about="training_bytes")
def keeps_one_block(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """The backward starts after all blocks have run: the activations of each block are kept."""
    one = config | {"layers": min(config["layers"], 1)}
    parameters = bytes_per_param * (solved.parameters(config) - solved.parameters(one))
    return solved.training_bytes(one, batch, tokens, bytes_per_param, bytes_per_value) + parameters


@believes("Each activation keeps a gradient next to it", about="training_bytes")
def keeps_gradients_of_activations(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """It is freed once the layer before has used it; here, only operands of products count."""
    return solved.training_bytes(config, batch, tokens, bytes_per_param, 2 * bytes_per_value)


@believes("A batch keeps as much as one sequence", about="training_bytes")
def keeps_activations_of_one_sequence(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """Each sequence has its own activations; only the parameters exist once."""
    return solved.training_bytes(config, min(batch, 1), tokens, bytes_per_param, bytes_per_value)


@believes("hidden is four times the width", about="training_bytes")
def keeps_four_widths(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """Often it is not: hidden is given."""
    more = 4 * config["width"] - config["hidden"]
    return _step(config, batch, tokens, bytes_per_param, bytes_per_value, more)


@believes("Gradients and Adam's states are added to bytes_per_param", about="training_bytes")
def multiplies_by_four(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """They are included: 4 bytes each for weight, gradient and Adam's two states make 16."""
    return solved.training_bytes(config, batch, tokens, 4 * bytes_per_param, bytes_per_value)


@believes("A parameter has 16 bytes", about="training_bytes")
def takes_16_bytes(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """That is only the default: bytes_per_param says how many."""
    return solved.training_bytes(config, batch, tokens, 16, bytes_per_value)


@believes("A value has 2 bytes", about="training_bytes")
def takes_2_bytes(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """That is only the default: bytes_per_value says how many."""
    return solved.training_bytes(config, batch, tokens, bytes_per_param)


@believes("A tied table counts twice in training", about="training_bytes")
def trains_a_tied_table_twice(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """It is one parameter, with one gradient and one pair of Adam states."""
    return solved.training_bytes(config | {"tied": False}, batch, tokens, bytes_per_param, bytes_per_value)


@believes("A float can hold any number of bytes", about="training_bytes")
def adds_bytes_up_in_a_float(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """A float holds integers exactly only up to 2**53; Python's int has no limit."""
    return int(float(solved.training_bytes(config, batch, tokens, bytes_per_param, bytes_per_value)))
