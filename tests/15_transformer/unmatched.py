"""Wrong answers to kata 15 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("15_transformer")


@answers("block_parameters")
def counts_three_norms(config):
    """Count one norm twice."""
    return solved.block_parameters(config) + config["width"] * (1 + config["bias"])


@answers("parameters")
def gives_positions_a_row_more(config):
    """Add a row for the position before the first."""
    return solved.parameters(config) + config["width"]


@answers("forward_flops")
def counts_three_for_each(config, batch, tokens, cached=0):
    """Count a read, a multiply and an add."""
    return solved.forward_flops(config, batch, tokens, cached) // 2 * 3


@answers("crossover_tokens")
def takes_two_more(config):
    """Add two tokens to the right answer."""
    return solved.crossover_tokens(config) + 2


@answers("kv_cache_bytes")
def keeps_three_of_each(config, batch, tokens, bytes_per_value=2):
    """Count a key, a value and a copy of one of them."""
    return solved.kv_cache_bytes(config, batch, tokens, bytes_per_value) // 2 * 3


@answers("intensity")
def adds_a_byte(config, batch, tokens, cached=0, bytes_per_value=2):
    """Add a byte for the token itself."""
    flops = solved.forward_flops(config, batch, tokens, cached)
    return flops / (flops / solved.intensity(config, batch, tokens, cached, bytes_per_value) + 1)


@answers("training_bytes")
def keeps_a_step(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    """Add four bytes for the step counter."""
    return solved.training_bytes(config, batch, tokens, bytes_per_param, bytes_per_value) + 4


@answers("moe_parameters")
def gives_every_expert_a_scale(config, experts, active):
    """Add one number for each expert."""
    return tuple(count + experts for count in solved.moe_parameters(config, experts, active))


@answers("compute_optimal")
def spends_a_tenth_less(flops, tokens_per_param=20.0):
    """Spend only 90% of the FLOPs."""
    return solved.compute_optimal(0.9 * flops, tokens_per_param)
