"""Wrong answers that people give to kata 15 about the parameters of a block, and of a mixture of experts."""

from dojo.judging.diagnose import believes, solution

solved = solution("15_transformer")


# block_parameters


@believes("Norms have no parameters", about="block_parameters")
def leaves_norms_out(config):
    """A norm has a weight for each number of a token, and with bias also a bias; a block has two norms."""
    return solved.block_parameters(config) - 2 * config["width"] * (1 + config["bias"])


@believes("A block has one norm", about="block_parameters")
def counts_one_norm(config):
    """There are two: before attention, and before the MLP."""
    return solved.block_parameters(config) - config["width"] * (1 + config["bias"])


@believes("An MLP has two matrices, gated or not", about="block_parameters")
def leaves_the_gate_out(config):
    """A gate is a separate matrix, width → hidden."""
    return solved.block_parameters(config | {"gated": False})


@believes("An MLP has three matrices, gated or not", about="block_parameters")
def counts_a_gate_always(config):
    """Without a gate there is one matrix up and one down."""
    return solved.block_parameters(config | {"gated": True})


@believes("Linear layers have no biases", about="block_parameters")
def leaves_biases_out(config):
    """With bias, each linear layer has one for each output, and each norm has some too."""
    return solved.block_parameters(config | {"bias": False})


@believes("A norm only has weights, with or without bias", about="block_parameters")
def leaves_biases_of_norms_out(config):
    """With bias, it is a LayerNorm, which has as many biases as weights."""
    return solved.block_parameters(config) - 2 * config["width"] * config["bias"]


@believes("A norm always has weights and biases", about="block_parameters")
def counts_biases_of_norms_always(config):
    """Without bias, it is an RMSNorm, which has only weights."""
    return solved.block_parameters(config) + 2 * config["width"] * (not config["bias"])


@believes("A norm without biases has no weights either", about="block_parameters")
def gives_rms_norms_nothing(config):
    """An RMSNorm has a weight for each number of a token."""
    return solved.block_parameters(config) - 2 * config["width"] * (not config["bias"])


@believes("There are as many key heads as query heads", about="block_parameters")
def gives_each_head_its_keys(config):
    """k and v have kv_heads heads, which groups of query heads share."""
    return solved.block_parameters(config | {"kv_heads": config["heads"]})


@believes("kv_heads query heads share a key head", about="block_parameters")
def takes_kv_heads_for_a_group(config):
    """kv_heads is how many key heads there are; heads / kv_heads query heads share each of them."""
    return solved.block_parameters(config | {"kv_heads": config["heads"] // config["kv_heads"]})


@believes("All query heads share one key head", about="block_parameters")
def gives_all_heads_one_key(config):
    """That is kv_heads = 1; k and v are width → kv_heads · head_dim."""
    return solved.block_parameters(config | {"kv_heads": 1})


@believes("head_dim is width divided by heads", about="block_parameters")
def divides_the_width(config):
    """It is a separate size: heads · head_dim may be more or less than width."""
    return solved.block_parameters(config | {"head_dim": config["width"] // config["heads"]})


@believes("o is square, width → width", about="block_parameters")
def squares_o(config):
    """o reads all heads, heads · head_dim numbers."""
    queries = config["heads"] * config["head_dim"]
    return solved.block_parameters(config) + config["width"] * (config["width"] - queries)


@believes("Attention has three matrices: q, k and v", about="block_parameters")
def leaves_o_out(config):
    """The results of the heads go through o, heads · head_dim → width."""
    o = config["width"] * (config["heads"] * config["head_dim"] + config["bias"])
    return solved.block_parameters(config) - o


@believes("One head needs no o", about="block_parameters")
def leaves_the_o_of_one_head_out(config):
    """o exists however many heads there are, even if their result is as wide as the stream."""
    needless = config["heads"] == 1 and config["head_dim"] == config["width"]
    return solved.block_parameters(config) - needless * config["width"] * (config["width"] + config["bias"])


@believes("hidden is four times the width", about="block_parameters")
def widens_by_four(config):
    """Often it is not: hidden is given."""
    return solved.block_parameters(config | {"hidden": 4 * config["width"]})


@believes("A gate takes a third off hidden", about="block_parameters")
def narrows_what_is_gated(config):
    """Whoever chose hidden has already done so: hidden is the width that the MLP has."""
    return solved.block_parameters(config | {"hidden": config["hidden"] * (2 if config["gated"] else 3) // 3})


@believes("A gate takes a third off hidden", about="block_parameters")
def narrows_what_is_four_times_as_wide(config):
    """Whoever chose hidden has already done so: hidden is the width that the MLP has."""
    usual = config["gated"] and config["hidden"] == 4 * config["width"]
    return solved.block_parameters(config | {"hidden": config["hidden"] * (2 if usual else 3) // 3})


@believes("A bias has as many numbers as its matrix has inputs", about="block_parameters")
def counts_biases_by_inputs(config):
    """A bias is added to the outputs, and has one number for each."""
    queries, width, hidden = config["heads"] * config["head_dim"], config["width"], config["hidden"]
    biases = 3 * width + queries + width * (1 + config["gated"]) + hidden + 2 * width
    return solved.block_parameters(config | {"bias": False}) + biases * config["bias"]


@believes("A gate has no bias", about="block_parameters")
def leaves_the_bias_of_the_gate_out(config):
    """With bias, every matrix of the block has one."""
    return solved.block_parameters(config) - config["hidden"] * (config["gated"] and config["bias"])


@believes("q, k and v have no biases", about="block_parameters")
def leaves_biases_of_attention_out(config):
    """With bias, every matrix of the block has one."""
    outputs = (config["heads"] + 2 * config["kv_heads"]) * config["head_dim"]
    return solved.block_parameters(config) - outputs * config["bias"]


@believes("A block has 12 · width² parameters", about="block_parameters")
def applies_the_rule_of_12(config):
    """That holds for heads · head_dim = width and hidden = 4 · width, without biases, norms and gates."""
    return 12 * config["width"] ** 2


@believes("The result is for all blocks", about="block_parameters")
def counts_all_layers(config):
    """It is for one block."""
    return config["layers"] * solved.block_parameters(config)


@believes("A float can hold any count", about="block_parameters")
def counts_in_a_float(config):
    """A float holds integers exactly only up to 2**53; Python's int has no limit."""
    return int(float(solved.block_parameters(config)))


# moe_parameters


def _expert(config):
    once = solved.moe_parameters(config, 1, 1)[0]
    return solved.moe_parameters(config, 2, 1)[0] - once - config["layers"] * config["width"]


def _router(config, experts):
    return config["layers"] * config["width"] * experts


@believes("With eight experts, the model is eight times as large", about="moe_parameters")
def copies_the_model(config, experts, active):
    """Only the MLPs are replicated: tables, attention and norms are shared."""
    solved.moe_parameters(config, experts, active)
    router = _router(config, experts)
    return tuple(solved.parameters(config) * count + router for count in (experts, active))


@believes("Each expert is a block with its own attention", about="moe_parameters")
def copies_the_blocks(config, experts, active):
    """Only the MLP of a block is replicated: all experts share its attention and its norms."""
    every, used = solved.moe_parameters(config, experts, active)
    rest = config["layers"] * solved.block_parameters(config) - _expert(config)
    return every + (experts - 1) * rest, used + (active - 1) * rest


@believes("A router has no parameters", about="moe_parameters")
def leaves_routers_out(config, experts, active):
    """It is a matrix width → experts in each block, and every token uses it."""
    router = _router(config, experts)
    return tuple(count - router for count in solved.moe_parameters(config, experts, active))


@believes("A token only uses the columns of the router that belong to its experts", about="moe_parameters")
def cuts_the_router(config, experts, active):
    """All columns are needed to decide which experts it uses."""
    every, used = solved.moe_parameters(config, experts, active)
    return every, used - _router(config, experts - active)


@believes("A token does not use the router", about="moe_parameters")
def leaves_the_router_unused(config, experts, active):
    """Each token goes through it in each block, so it gets a gradient."""
    every, used = solved.moe_parameters(config, experts, active)
    return every, used - _router(config, experts)


@believes("There is one router for all blocks", about="moe_parameters")
def shares_the_router(config, experts, active):
    """Each block routes anew, with its own router."""
    others = _router(config, experts) - config["width"] * experts
    return tuple(count - others for count in solved.moe_parameters(config, experts, active))


@believes("The router has a bias if the other layers have one", about="moe_parameters")
def gives_routers_biases(config, experts, active):
    """It is width → experts without bias."""
    biases = config["layers"] * experts * config["bias"]
    return tuple(count + biases for count in solved.moe_parameters(config, experts, active))


@believes("The experts are added to the MLP", about="moe_parameters")
def keeps_the_mlp(config, experts, active):
    """They replace it: with one expert, there is one MLP."""
    expert = _expert(config)
    return tuple(count + expert for count in solved.moe_parameters(config, experts, active))


@believes("A token's experts are chosen once, for the whole model", about="moe_parameters")
def idles_in_one_block(config, experts, active):
    """They are chosen anew in each block, where only the active ones are used."""
    every, _ = solved.moe_parameters(config, experts, active)
    return every, every - (experts - active) * (_expert(config) // max(config["layers"], 1))


@believes("An expert only has matrices", about="moe_parameters")
def leaves_biases_of_experts_out(config, experts, active):
    """It is an MLP like the original one, with biases if that has them."""
    every, used = solved.moe_parameters(config, experts, active)
    biases = config["layers"] * (config["hidden"] * (1 + config["gated"]) + config["width"]) * config["bias"]
    return every - (experts - 1) * biases, used - (active - 1) * biases


@believes("An expert has no gate", about="moe_parameters")
def leaves_gates_of_experts_out(config, experts, active):
    """It is an MLP like the original one, and gated if that is."""
    return solved.moe_parameters(config | {"gated": False}, experts, active)


@believes("Every token uses all parameters", about="moe_parameters")
def uses_all(config, experts, active):
    """It uses `active` experts in each block: the others get no gradient."""
    every, _ = solved.moe_parameters(config, experts, active)
    return every, every


@believes("A token uses one expert", about="moe_parameters")
def uses_one(config, experts, active):
    """It uses `active` of them, and adds up their results."""
    solved.moe_parameters(config, experts, active)
    return solved.moe_parameters(config, experts, 1)


@believes("A token uses one row of each table", about="moe_parameters")
def uses_one_row(config, experts, active):
    """Here, tables count in full, as in torch, where the gradient of a table has all of its rows."""
    every, used = solved.moe_parameters(config, experts, active)
    rows = (0 if config["tied"] else config["vocab"] - 1) + max(config["positions"] - 1, 0)
    return every, used - rows * config["width"]


@believes("The parameters that one token uses come first", about="moe_parameters")
def swaps_the_counts(config, experts, active):
    """All of them come first, then those that one token uses."""
    return solved.moe_parameters(config, experts, active)[::-1]


@believes("One expert needs no router", about="moe_parameters")
def drops_the_router_of_one(config, experts, active):
    """There still is one, width → 1."""
    router = _router(config, 1) * (experts == 1)
    return tuple(count - router for count in solved.moe_parameters(config, experts, active))


@believes("A router for two experts needs one column", about="moe_parameters")
def chooses_by_one_column(config, experts, active):
    """It is width → experts, even if one share would determine the other: here 2 columns."""
    column = _router(config, 1) * (experts == 2)
    return tuple(count - column for count in solved.moe_parameters(config, experts, active))


@believes("More active experts than there are means all of them", about="moe_parameters")
def clips_the_active(config, experts, active):
    """That is the caller's mistake: raise ValueError."""
    return solved.moe_parameters(config, experts, min(active, max(experts, 1)))


@believes("active may be 0", about="moe_parameters")
def accepts_none_active(config, experts, active):
    """A token uses at least one expert: raise ValueError."""
    if active or experts < 1:
        return solved.moe_parameters(config, experts, active)
    every, used = solved.moe_parameters(config, experts, 1)
    return every, used - _expert(config)


@believes("It is enough to check active / experts", about="moe_parameters")
def looks_at_the_share(config, experts, active):
    """Two negative numbers have a positive quotient: check each of them."""
    if not experts <= active < 0:
        return solved.moe_parameters(config, experts, active)
    once, expert = solved.moe_parameters(config, 1, 1)[0], _expert(config)
    every = once + (experts - 1) * expert + _router(config, experts - 1)
    return every, every - (experts - active) * expert


@believes("The config may be changed", about="moe_parameters")
def changes_the_config(config, experts, active):
    """It belongs to the caller: change a copy, config | {"hidden": …}."""
    found = solved.moe_parameters(config, experts, active)
    config["hidden"] *= experts
    return found


@believes("A config may be changed if it is put right in the end", about="moe_parameters")
def takes_layers_out_for_a_while(config, experts, active):
    """An error ends the function earlier: check first, or change a copy."""
    layers = config.pop("layers")
    found = solved.moe_parameters(config | {"layers": layers}, experts, active)
    config["layers"] = layers
    return found
