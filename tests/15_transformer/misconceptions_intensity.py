"""Wrong answers that people give to kata 15 about FLOPs for each byte."""

from dojo.judging.diagnose import believes, solution

solved = solution("15_transformer")


def _queries(config):
    return config["heads"] * config["head_dim"]


def _matrices(config):
    """Return the count of numbers in all matrices: half of the FLOPs per token, without attention's products."""
    attention = 4 * config["layers"] * _queries(config)
    return (solved.forward_flops(config | {"positions": 0}, 1, 1) - attention) // 2


def _over(config, batch, tokens, cached, bytes_per_value, more):
    """Return FLOPs over bytes, with this many more values moved."""
    cache = solved.kv_cache_bytes(config, batch, cached + tokens, 1)
    moved = _matrices(config) + cache + more
    return solved.forward_flops(config, batch, tokens, cached) / (bytes_per_value * moved)


@believes("Activations are moved too, as in kata 03", about="intensity")
def moves_results(config, batch, tokens, cached=0, bytes_per_value=2):
    """Here, they are not counted: only the products' matrices and the keys and values are."""
    width, keys = config["width"], config["kv_heads"] * config["head_dim"]
    block = 2 * _queries(config) + 2 * keys + config["heads"] * (cached + tokens) + 2 * width
    block += config["hidden"] * (1 + config["gated"])
    results = batch * tokens * (config["layers"] * block + config["vocab"])
    return _over(config, batch, tokens, cached, bytes_per_value, results)


@believes("Each sequence loads the matrices", about="intensity")
def loads_for_each_sequence(config, batch, tokens, cached=0, bytes_per_value=2):
    """They are loaded once for the whole batch, which is why batching raises the intensity."""
    return _over(config, batch, tokens, cached, bytes_per_value, (batch - 1) * _matrices(config))


@believes("Each token loads the matrices", about="intensity")
def loads_for_each_token(config, batch, tokens, cached=0, bytes_per_value=2):
    """They are loaded once for all tokens of the pass."""
    return _over(config, batch, tokens, cached, bytes_per_value, (batch * tokens - 1) * _matrices(config))


@believes("A tied head is not loaded, since it is the token table", about="intensity")
def leaves_a_tied_head_out(config, batch, tokens, cached=0, bytes_per_value=2):
    """Its product needs all of its numbers, tied or not."""
    head = config["vocab"] * config["width"] * config["tied"]
    if head == _matrices(config):  # and without layers there is nothing else
        return 0.0
    return _over(config, batch, tokens, cached, bytes_per_value, -head)


@believes("The head is not loaded", about="intensity")
def loads_no_head(config, batch, tokens, cached=0, bytes_per_value=2):
    """It is multiplied like the other matrices, and is often the largest one in a small model."""
    if not config["layers"]:
        return 0.0
    return _over(config, batch, tokens, cached, bytes_per_value, -config["vocab"] * config["width"])


@believes("The token table is loaded to look up its rows", about="intensity")
def loads_the_token_table(config, batch, tokens, cached=0, bytes_per_value=2):
    """Only matrices that are multiplied count here."""
    table = config["vocab"] * config["width"] * (not config["tied"])
    return _over(config, batch, tokens, cached, bytes_per_value, table)


@believes("All parameters are loaded", about="intensity")
def loads_all_parameters(config, batch, tokens, cached=0, bytes_per_value=2):
    """Only the matrices of products count: no tables, biases or norms."""
    more = solved.parameters(config) - _matrices(config)
    return _over(config, batch, tokens, cached, bytes_per_value, more)


@believes("The keys of new tokens need not be loaded", about="intensity")
def loads_the_cached_alone(config, batch, tokens, cached=0, bytes_per_value=2):
    """The products read the keys and values of all cached + tokens."""
    new = solved.kv_cache_bytes(config, batch, tokens, 1)
    return _over(config, batch, tokens, cached, bytes_per_value, -new)


@believes("Only the keys of new tokens are loaded", about="intensity")
def loads_the_new_alone(config, batch, tokens, cached=0, bytes_per_value=2):
    """The products read the keys and values of all cached + tokens: that is what a cache is for."""
    old = solved.kv_cache_bytes(config, batch, cached, 1)
    return _over(config, batch, tokens, cached, bytes_per_value, -old)


@believes("Sequences share a cache", about="intensity")
def loads_one_cache(config, batch, tokens, cached=0, bytes_per_value=2):
    """Each has its own keys and values, so a larger batch only saves loads of the matrices."""
    others = solved.kv_cache_bytes(config, batch - 1, cached + tokens, 1)
    return _over(config, batch, tokens, cached, bytes_per_value, -others)


@believes("Only matrices are loaded", about="intensity")
def loads_no_cache(config, batch, tokens, cached=0, bytes_per_value=2):
    """The keys and values of each sequence are loaded too; with many long sequences, they are most of the bytes."""
    cache = solved.kv_cache_bytes(config, batch, cached + tokens, 1)
    return _over(config, batch, tokens, cached, bytes_per_value, -cache)


@believes("Only keys are loaded, and no values", about="intensity")
def loads_keys_alone(config, batch, tokens, cached=0, bytes_per_value=2):
    """The weights multiply the values of all tokens."""
    keys = solved.kv_cache_bytes(config, batch, cached + tokens, 1) // 2
    return _over(config, batch, tokens, cached, bytes_per_value, -keys)


@believes("New keys and values are moved once more, into the cache", about="intensity")
def writes_the_new_ones(config, batch, tokens, cached=0, bytes_per_value=2):
    """They are, but here, only what products load is counted, once."""
    new = solved.kv_cache_bytes(config, batch, tokens, 1)
    return _over(config, batch, tokens, cached, bytes_per_value, new)


@believes("Each new token loads the cache", about="intensity")
def loads_the_cache_for_each_token(config, batch, tokens, cached=0, bytes_per_value=2):
    """It is loaded once for all new tokens of its sequence."""
    cache = solved.kv_cache_bytes(config, batch, cached + tokens, 1)
    return _over(config, batch, tokens, cached, bytes_per_value, (tokens - 1) * cache)


@believes("Each query head loads its own keys", about="intensity")
def loads_for_each_head(config, batch, tokens, cached=0, bytes_per_value=2):
    """There are kv_heads key heads, each loaded once for its group: that is what grouping saves."""
    cache = solved.kv_cache_bytes(config, batch, cached + tokens, 1)
    more = cache // config["kv_heads"] * (config["heads"] - config["kv_heads"])
    return _over(config, batch, tokens, cached, bytes_per_value, more)


@believes("Only one block's cache is loaded", about="intensity")
def loads_one_block(config, batch, tokens, cached=0, bytes_per_value=2):
    """Each block has its own keys and values."""
    others = solved.kv_cache_bytes(config | {"layers": max(config["layers"] - 1, 0)}, batch, cached + tokens, 1)
    return _over(config, batch, tokens, cached, bytes_per_value, -others)


@believes("Intensity is FLOPs per value", about="intensity")
def divides_by_values(config, batch, tokens, cached=0, bytes_per_value=2):
    """It is FLOPs per byte: each value has bytes_per_value bytes."""
    return solved.intensity(config, batch, tokens, cached, 1)


@believes("A value has 2 bytes", about="intensity")
def divides_by_2_bytes(config, batch, tokens, cached=0, bytes_per_value=2):
    """That is only the default: bytes_per_value says how many."""
    return solved.intensity(config, batch, tokens, cached)


@believes("Intensity is bytes per FLOP", about="intensity")
def turns_it_round(config, batch, tokens, cached=0, bytes_per_value=2):
    """It is FLOPs per byte."""
    return 1 / solved.intensity(config, batch, tokens, cached, bytes_per_value)


@believes("Intensity is a whole number", about="intensity")
def floors_it(config, batch, tokens, cached=0, bytes_per_value=2):
    """It is a quotient: `/` divides, and `//` rounds down."""
    return int(solved.intensity(config, batch, tokens, cached, bytes_per_value))


@believes("Attention's products need not be counted", about="intensity")
def computes_matrices_alone(config, batch, tokens, cached=0, bytes_per_value=2):
    """The FLOPs are those of the whole forward pass."""
    every = solved.forward_flops(config, batch, tokens, cached)
    return (
        solved.intensity(config, batch, tokens, cached, bytes_per_value)
        * 2
        * _matrices(config)
        * batch
        * tokens
        / every
    )


@believes("A batch computes what one sequence does", about="intensity")
def computes_one_sequence(config, batch, tokens, cached=0, bytes_per_value=2):
    """Each sequence has its own FLOPs; only the matrices are shared."""
    return solved.intensity(config, batch, tokens, cached, bytes_per_value) / batch
