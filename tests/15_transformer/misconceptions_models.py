"""Wrong answers that people give to kata 15 about the parameters of a model, and what FLOPs are best spent on."""

from math import sqrt

from dojo.judging.diagnose import believes, solution

solved = solution("15_transformer")


# parameters


@believes("A tied table counts twice", about="parameters")
def counts_a_tied_table_twice(config):
    """It is one tensor, in memory and for the optimizer."""
    return solved.parameters(config | {"tied": False})


@believes("The head is always the token table", about="parameters")
def ties_always(config):
    """If it is not tied, it is a separate matrix, width → vocab."""
    return solved.parameters(config | {"tied": True})


@believes("A vocabulary is padded to a multiple of 64", about="parameters")
def pads_the_vocabulary(config):
    """Some programs pad it, because such sizes suit GPUs; here, it has as many tokens as the config says."""
    return solved.parameters(config | {"vocab": -(-config["vocab"] // 64) * 64})


@believes("Positions are not learned", about="parameters")
def leaves_positions_out(config):
    """A learned table has a row of `width` numbers for each position."""
    return solved.parameters(config | {"positions": 0})


@believes("The model ends with the last block", about="parameters")
def leaves_the_last_norm_out(config):
    """There is one more norm between the last block and the head."""
    return solved.parameters(config) - config["width"] * (1 + config["bias"])


@believes("The last norm has no bias", about="parameters")
def leaves_the_bias_of_the_last_norm_out(config):
    """With bias, every norm has one, including the last."""
    return solved.parameters(config) - config["width"] * config["bias"]


@believes("The head has a bias if the other layers have one", about="parameters")
def gives_the_head_a_bias(config):
    """It never has one."""
    return solved.parameters(config) + config["vocab"] * config["bias"]


@believes("Tables have no parameters, because they are looked up", about="parameters")
def leaves_tables_out(config):
    """Their rows are trained like any other weights; in a small model, they are a large share."""
    tables = (config["vocab"] + config["positions"]) * config["width"]
    return solved.parameters(config) - tables


@believes("A tied model has no table of positions", about="parameters")
def ties_the_positions(config):
    """The token table is shared with the head; the table of positions is a separate one."""
    return solved.parameters(config | {"positions": 0} if config["tied"] else config)


@believes("A row of the table of positions has head_dim numbers", about="parameters")
def shortens_positions(config):
    """It is added to that of the token, and also has `width` numbers."""
    return solved.parameters(config) + config["positions"] * (config["head_dim"] - config["width"])


@believes("All blocks share their parameters", about="parameters")
def counts_one_block(config):
    """Each block has its own: multiply those of one block by layers."""
    return solved.parameters(config | {"layers": min(config["layers"], 1)})


@believes("A model without layers has no parameters", about="parameters")
def finds_nothing_without_layers(config):
    """Tables, the last norm and the head remain."""
    return solved.parameters(config) if config["layers"] else 0


@believes("A model has 12 · layers · width² parameters", about="parameters")
def applies_the_rule_of_12_to_models(config):
    """That holds roughly, for heads · head_dim = width and hidden = 4 · width, without tables, biases and norms."""
    return 12 * config["layers"] * config["width"] ** 2


@believes("A count may be a float", about="parameters")
def returns_a_float(config):
    """A count is an int: a float loses the last digits of a large one."""
    return float(solved.parameters(config))


@believes("A float can hold any count of parameters", about="parameters")
def counts_parameters_in_a_float(config):
    """A float holds integers exactly only up to 2**53; Python's int has no limit."""
    return int(float(solved.parameters(config)))


@believes("There is a norm before the first block", about="parameters")
def counts_a_first_norm(config):
    """There are two in each block, and one after the last block."""
    return solved.parameters(config) + config["width"] * (1 + config["bias"])


# compute_optimal


@believes("The result is (tokens, parameters)", about="compute_optimal")
def swaps_parameters_and_tokens(flops, tokens_per_param=20.0):
    """It is (parameters, tokens): N, and then D."""
    return solved.compute_optimal(flops, tokens_per_param)[::-1]


def _by(factor, flops, ratio):
    return tuple(one * sqrt(6 / factor) for one in solved.compute_optimal(flops, ratio))


@believes("Training costs 2 FLOPs for each parameter and token", about="compute_optimal")
def counts_forward_alone(flops, tokens_per_param=20.0):
    """That is only the forward pass; the backward pass costs twice as much, so together it is 6."""
    return _by(2, flops, tokens_per_param)


@believes("Training costs 4 FLOPs for each parameter and token", about="compute_optimal")
def counts_backward_alone(flops, tokens_per_param=20.0):
    """That is only the backward pass; the forward pass costs half as much, so together it is 6."""
    return _by(4, flops, tokens_per_param)


@believes("Training costs one FLOP for each parameter and token", about="compute_optimal")
def counts_no_factor(flops, tokens_per_param=20.0):
    """Forward costs 2 and backward 4: 6 · N · D."""
    return _by(1, flops, tokens_per_param)


@believes("Twice the FLOPs allow twice the parameters", about="compute_optimal")
def takes_no_root(flops, tokens_per_param=20.0):
    """Tokens grow with the parameters: N grows with the square root of the FLOPs."""
    solved.compute_optimal(flops, tokens_per_param)
    count = flops / (6 * tokens_per_param)
    return count, tokens_per_param * count


@believes("There are always 20 tokens per parameter", about="compute_optimal")
def takes_20_always(flops, tokens_per_param=20.0):
    """That is only the default: tokens_per_param says how many."""
    solved.compute_optimal(flops, tokens_per_param)
    return solved.compute_optimal(flops)


@believes("N is √(flops / 6), and D is tokens_per_param times that", about="compute_optimal")
def takes_the_root_first(flops, tokens_per_param=20.0):
    """Then 6 · N · D is tokens_per_param times too large: N is √(flops / (6 · tokens_per_param))."""
    solved.compute_optimal(flops, tokens_per_param)
    count = sqrt(flops / 6)
    return count, tokens_per_param * count


@believes("Parameters and tokens are whole numbers", about="compute_optimal")
def rounds_both(flops, tokens_per_param=20.0):
    """They are floats that solve two equations; rounded numbers do not solve them."""
    return tuple(float(round(one)) for one in solved.compute_optimal(flops, tokens_per_param))


@believes("Parameters and tokens are whole numbers", about="compute_optimal")
def cuts_both(flops, tokens_per_param=20.0):
    """They are floats that solve two equations; rounded numbers do not solve them."""
    count = int(solved.compute_optimal(flops, tokens_per_param)[0])
    return count, int(count * tokens_per_param)


@believes("Without FLOPs, the answer is 0 parameters", about="compute_optimal")
def accepts_no_flops(flops, tokens_per_param=20.0):
    """There is nothing to train with: raise ValueError, also for 0."""
    return (0.0, 0.0) if flops == 0 and tokens_per_param > 0 else solved.compute_optimal(flops, tokens_per_param)


@believes("It is enough to check flops / tokens_per_param", about="compute_optimal")
def looks_at_the_quotient(flops, tokens_per_param=20.0):
    """Two negative numbers have a positive quotient: check each of them."""
    both = flops < 0 > tokens_per_param
    return (
        solved.compute_optimal(-flops, -tokens_per_param) if both else solved.compute_optimal(flops, tokens_per_param)
    )


@believes("There are more tokens than parameters", about="compute_optimal")
def refuses_fewer_tokens(flops, tokens_per_param=20.0):
    """tokens_per_param may be any number above 0, such as 0.5."""
    if tokens_per_param < 1:
        raise ValueError(tokens_per_param)
    return solved.compute_optimal(flops, tokens_per_param)


@believes("A number close to 0 is as good as 0", about="compute_optimal")
def refuses_tiny_numbers(flops, tokens_per_param=20.0):
    """Only 0 and less are refused: any number above 0 has an answer, even 1e-18."""
    if min(flops, tokens_per_param) < 1e-9:
        raise ValueError(flops, tokens_per_param)
    return solved.compute_optimal(flops, tokens_per_param)


@believes("A number close to 0 is as good as 0", about="compute_optimal")
def refuses_tiny_flops(flops, tokens_per_param=20.0):
    """Only 0 and less are refused: any number above 0 has an answer, even 1e-18."""
    if flops < 1e-9:
        raise ValueError(flops)
    return solved.compute_optimal(flops, tokens_per_param)


@believes("A number close to 0 is as good as 0", about="compute_optimal")
def refuses_tiny_ratios(flops, tokens_per_param=20.0):
    """Only 0 and less are refused: any number above 0 has an answer, even 1e-18."""
    if tokens_per_param < 1e-9:
        raise ValueError(tokens_per_param)
    return solved.compute_optimal(flops, tokens_per_param)


@believes("If there is no answer, None is returned", about="compute_optimal")
def returns_nothing(flops, tokens_per_param=20.0):
    """The caller would continue with it, and fail elsewhere: raise ValueError."""
    return None if min(flops, tokens_per_param) <= 0 else solved.compute_optimal(flops, tokens_per_param)
