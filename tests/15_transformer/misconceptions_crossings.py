"""Wrong answers that people give to kata 15 about the tokens at which attention costs more than the MLP."""

import math

from dojo.judging.diagnose import believes, solution

solved = solution("15_transformer")


def _mlp(config):
    """Return the FLOPs of the MLP for a token, and of attention for each token that it attends to."""
    return 2 * (3 if config["gated"] else 2) * config["width"] * config["hidden"]


def _attention(config):
    return 4 * config["heads"] * config["head_dim"]


@believes("An equal cost is enough", about="crossover_tokens")
def takes_as_much_for_more(config):
    """If both cost the same, attention does not cost more yet: one more token is needed."""
    return -(-_mlp(config) // _attention(config))


@believes("The result is the last number of tokens for which attention costs no more", about="crossover_tokens")
def stops_one_early(config):
    """It is the first number of tokens for which it costs more."""
    return _mlp(config) // _attention(config)


@believes("The quotient is rounded to the nearest integer", about="crossover_tokens")
def rounds_to_the_nearest(config):
    """At the integer below the quotient, attention costs less: always take the next one above."""
    return max(1, round(_mlp(config) / _attention(config)))


@believes("Dividing with / is exact", about="crossover_tokens")
def divides_floats(config):
    """Beyond 2**53 the float result is rounded: // is exact."""
    return math.floor(_mlp(config) / _attention(config)) + 1


@believes("The projections belong to attention", about="crossover_tokens")
def adds_projections_to_attention(config):
    """Here, attention is only its two products, which grow with the square of the tokens."""
    projections = 4 * config["width"] * (config["heads"] + config["kv_heads"]) * config["head_dim"]
    return max(1, (_mlp(config) - projections) // _attention(config) + 1)


@believes("Attention has to cost more than all of the block's matrices", about="crossover_tokens")
def adds_projections_to_the_mlp(config):
    """It is compared with the MLP: q, k, v and o belong to neither side."""
    projections = 4 * config["width"] * (config["heads"] + config["kv_heads"]) * config["head_dim"]
    return (_mlp(config) + projections) // _attention(config) + 1


@believes("Attention works on width numbers of each token", about="crossover_tokens")
def compares_by_width(config):
    """It works on heads · head_dim, which need not be width."""
    return _mlp(config) // (4 * config["width"]) + 1


@believes("An MLP has two matrices, gated or not", about="crossover_tokens")
def leaves_the_gate_out_of_it(config):
    """A gate is a separate matrix, and costs what the others do."""
    return solved.crossover_tokens(config | {"gated": False})


@believes("Heads that share their keys share their products", about="crossover_tokens")
def compares_by_key_heads(config):
    """Every query head has its own scores, whatever kv_heads is."""
    return solved.crossover_tokens(config | {"heads": config["kv_heads"]})


@believes("Attention costs half as much", about="crossover_tokens")
def compares_with_half_of_attention(config):
    """It has two products, q · k and weights · v, and a causal mask saves nothing."""
    return solved.crossover_tokens(config | {"hidden": 2 * config["hidden"]})


@believes("A causal mask saves half of attention", about="crossover_tokens")
def compares_half_of_the_scores(config):
    """The products are computed in full, and then half of the scores are masked."""
    return max(1, 2 * _mlp(config) // _attention(config))


@believes("The MLP costs the same however many tokens there are", about="crossover_tokens")
def runs_the_mlp_once(config):
    """It runs once per token; attention's products run once per pair of tokens."""
    return math.isqrt(_mlp(config) // _attention(config)) + 1


@believes("hidden is four times the width", about="crossover_tokens")
def compares_with_four_widths(config):
    """Often it is not: hidden is given."""
    return solved.crossover_tokens(config | {"hidden": 4 * config["width"]})


@believes("One block's attention is compared with the MLPs of all blocks", about="crossover_tokens")
def compares_with_all_layers(config):
    """Each block has one of each, so layers cancel out."""
    return config["layers"] * _mlp(config) // _attention(config) + 1


@believes("A multiply-add of the MLP is one FLOP", about="crossover_tokens")
def halves_the_mlp(config):
    """A multiply and an add are two FLOPs, on both sides."""
    return _mlp(config) // 2 // _attention(config) + 1


@believes("head_dim is width divided by heads", about="crossover_tokens")
def compares_by_divided_width(config):
    """It is a separate size: heads · head_dim may be more or less than width."""
    return solved.crossover_tokens(config | {"head_dim": max(1, config["width"] // config["heads"])})
