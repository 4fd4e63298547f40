"""Wrong answers that people give to kata 15 about the FLOPs of forward passes."""

from dojo.judging.diagnose import believes, solution

solved = solution("15_transformer")


# forward_flops


def _pairs(config, batch, pairs):
    """Return the FLOPs of attention's two products for these pairs of a new token and one it attends to."""
    return 4 * config["layers"] * batch * pairs * config["heads"] * config["head_dim"]


@believes("A multiply-add is one FLOP", about="forward_flops")
def counts_multiply_adds(config, batch, tokens, cached=0):
    """A multiply and an add are two operations: 2 for each row and each element of a matrix."""
    return solved.forward_flops(config, batch, tokens, cached) // 2


@believes("A forward pass costs 2 FLOPs for each parameter and token", about="forward_flops")
def doubles_the_parameters(config, batch, tokens, cached=0):
    """A tied table is used twice, a table lookup costs nothing, and attention's products have no parameters."""
    solved.forward_flops(config, batch, tokens, cached)
    return 2 * solved.parameters(config) * batch * tokens


@believes("A forward pass costs 2 FLOPs per parameter and token, and attention's products", about="forward_flops")
def doubles_the_parameters_and_attends(config, batch, tokens, cached=0):
    """Biases, norms and lookups are free, and a tied table also multiplies: count matrices."""
    solved.forward_flops(config, batch, tokens, cached)
    matrices = 2 * solved.parameters(config) * batch * tokens
    return matrices + _pairs(config, batch, tokens * (cached + tokens))


@believes("A causal mask saves half of attention", about="forward_flops")
def saves_by_the_mask(config, batch, tokens, cached=0):
    """The products are computed in full, and then half of the scores are masked."""
    every = solved.forward_flops(config, batch, tokens, cached)
    return every - _pairs(config, batch, tokens * (tokens - 1) // 2)


@believes("Logits are computed only for the last token", about="forward_flops")
def counts_the_last_logits(config, batch, tokens, cached=0):
    """Here, there are logits for every new token, as training needs them."""
    others = max(tokens - 1, 0)
    saved = 2 * batch * others * config["vocab"] * config["width"]
    return solved.forward_flops(config, batch, tokens, cached) - saved


@believes("A tied head is free, since its parameters are the table's", about="forward_flops")
def frees_a_tied_head(config, batch, tokens, cached=0):
    """Tying shares memory, not work: every new token is multiplied by it."""
    saved = 2 * batch * tokens * config["vocab"] * config["width"] * config["tied"]
    return solved.forward_flops(config, batch, tokens, cached) - saved


@believes("Only the blocks cost FLOPs", about="forward_flops")
def leaves_the_head_out(config, batch, tokens, cached=0):
    """The head is a product with (width, vocab), often the largest matrix in a small model."""
    return solved.forward_flops(config, batch, tokens, cached) - 2 * batch * tokens * config["vocab"] * config["width"]


@believes("The token table is multiplied by", about="forward_flops")
def multiplies_by_the_table(config, batch, tokens, cached=0):
    """Rows are looked up in it, which is free; only the head multiplies."""
    return solved.forward_flops(config, batch, tokens, cached) + 2 * batch * tokens * config["vocab"] * config["width"]


@believes("A new token only meets the new ones", about="forward_flops")
def forgets_the_cache(config, batch, tokens, cached=0):
    """It also meets the cached ones: cached + tokens in all."""
    return solved.forward_flops(config, batch, tokens, cached) - _pairs(config, batch, tokens * cached)


@believes("A new token only meets the cached ones", about="forward_flops")
def looks_at_the_cache_alone(config, batch, tokens, cached=0):
    """It also meets the new ones, including itself."""
    return solved.forward_flops(config, batch, tokens, cached) - _pairs(config, batch, tokens**2)


@believes("A token does not meet itself", about="forward_flops")
def looks_at_the_others(config, batch, tokens, cached=0):
    """Its own key and value are among the cached + tokens that it meets."""
    return solved.forward_flops(config, batch, tokens, cached) - _pairs(config, batch, tokens)


@believes("Cached tokens go through the model again", about="forward_flops")
def runs_the_cached_ones_again(config, batch, tokens, cached=0):
    """The cache saves that: only new tokens are multiplied by the matrices."""
    return solved.forward_flops(config, batch, cached + tokens) if tokens else 0


@believes("Heads that share their keys share their products", about="forward_flops")
def attends_by_key_heads(config, batch, tokens, cached=0):
    """Every query head has its own scores: grouping saves memory, but no FLOPs of attention."""
    pairs = batch * tokens * (cached + tokens) * 4 * config["layers"] * config["head_dim"]
    return solved.forward_flops(config, batch, tokens, cached) - pairs * (config["heads"] - config["kv_heads"])


@believes("k and v are as wide as q", about="forward_flops")
def projects_keys_for_each_head(config, batch, tokens, cached=0):
    """They are width → kv_heads · head_dim."""
    return solved.forward_flops(config | {"kv_heads": config["heads"]}, batch, tokens, cached)


@believes("Attention works on width numbers of each token", about="forward_flops")
def attends_by_width(config, batch, tokens, cached=0):
    """It works on heads · head_dim, which need not be width."""
    pairs = 4 * config["layers"] * batch * tokens * (cached + tokens)
    more = config["width"] - config["heads"] * config["head_dim"]
    return solved.forward_flops(config, batch, tokens, cached) + pairs * more


@believes("Attention costs half as much", about="forward_flops")
def halves_attention(config, batch, tokens, cached=0):
    """It has two products, q · k and weights · v, and a causal mask saves nothing."""
    saved = _pairs(config, batch, tokens * (cached + tokens)) // 2
    return solved.forward_flops(config, batch, tokens, cached) - saved


@believes("Attention has no products besides q, k, v and o", about="forward_flops")
def counts_projections_alone(config, batch, tokens, cached=0):
    """q · k and weights · v have no parameters, but they do cost FLOPs."""
    return solved.forward_flops(config, batch, tokens, cached) - _pairs(config, batch, tokens * (cached + tokens))


@believes("A gate is not a product", about="forward_flops")
def frees_the_gate(config, batch, tokens, cached=0):
    """Its matrix is multiplied like the other one."""
    return solved.forward_flops(config | {"gated": False}, batch, tokens, cached)


@believes("head_dim is width divided by heads", about="forward_flops")
def attends_by_divided_width(config, batch, tokens, cached=0):
    """It is a separate size: heads · head_dim may be more or less than width."""
    return solved.forward_flops(config | {"head_dim": config["width"] // config["heads"]}, batch, tokens, cached)


@believes("A softmax costs a FLOP for each score", about="forward_flops")
def counts_the_softmax(config, batch, tokens, cached=0):
    """Here, only products count, as in torch's counter."""
    scores = config["layers"] * batch * config["heads"] * tokens * (cached + tokens)
    return solved.forward_flops(config, batch, tokens, cached) + scores


@believes("A bias costs a FLOP for each output", about="forward_flops")
def counts_the_biases(config, batch, tokens, cached=0):
    """Here, only products count, as in torch's counter."""
    outputs = (config["heads"] + 2 * config["kv_heads"]) * config["head_dim"] + 2 * config["width"]
    outputs += config["hidden"] * (1 + config["gated"])
    added = config["layers"] * batch * tokens * outputs * config["bias"]
    return solved.forward_flops(config, batch, tokens, cached) + added


@believes("Only the new tokens need positions", about="forward_flops")
def checks_the_new_ones(config, batch, tokens, cached=0):
    """They come after the cached ones: cached + tokens have to fit."""
    if 0 < config["positions"] < tokens:
        raise ValueError(tokens)
    return solved.forward_flops(config | {"positions": 0}, batch, tokens, cached)


@believes("Only the cached tokens need positions", about="forward_flops")
def checks_the_cached_ones(config, batch, tokens, cached=0):
    """The new ones come after them: cached + tokens have to fit."""
    if 0 < config["positions"] < cached:
        raise ValueError(cached)
    return solved.forward_flops(config | {"positions": 0}, batch, tokens, cached)


@believes("n positions are enough for n - 1 tokens", about="forward_flops")
def leaves_the_last_position_free(config, batch, tokens, cached=0):
    """Positions 0 to n - 1 are enough for n tokens."""
    if 0 < config["positions"] <= cached + tokens:
        raise ValueError(cached + tokens)
    return solved.forward_flops(config, batch, tokens, cached)


@believes("With positions = 0, there is no room for any token", about="forward_flops")
def refuses_rotary_positions(config, batch, tokens, cached=0):
    """0 means that positions are rotary, without a limit."""
    if cached + tokens > config["positions"]:
        raise ValueError(cached + tokens)
    return solved.forward_flops(config, batch, tokens, cached)


@believes("There may be more tokens than learned positions", about="forward_flops")
def never_refuses(config, batch, tokens, cached=0):
    """A row beyond the table cannot be looked up: raise ValueError."""
    return solved.forward_flops(config | {"positions": 0}, batch, tokens, cached)


@believes("A float can hold any count", about="forward_flops")
def counts_flops_in_a_float(config, batch, tokens, cached=0):
    """A float holds integers exactly only up to 2**53; Python's int has no limit."""
    return int(float(solved.forward_flops(config, batch, tokens, cached)))


@believes("A config may be changed if it is put right in the end", about="forward_flops")
def takes_positions_away_for_a_while(config, batch, tokens, cached=0):
    """An error ends the function earlier: check first, or change a copy."""
    positions = config["positions"]
    if positions:
        config["positions"] -= cached + tokens
        if config["positions"] < 0:
            raise ValueError(config["positions"])
        config["positions"] = positions
    return solved.forward_flops(config, batch, tokens, cached)
