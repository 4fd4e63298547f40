"""Wrong answers that people give to kata 15 about keys and values."""

from dojo.judging.diagnose import believes, solution

solved = solution("15_transformer")


@believes("A cache only holds keys", about="kv_cache_bytes")
def keeps_keys_alone(config, batch, tokens, bytes_per_value=2):
    """The weights multiply the values of all tokens, so the values are kept too."""
    return solved.kv_cache_bytes(config, batch, tokens, bytes_per_value) // 2


@believes("A cache also holds queries", about="kv_cache_bytes")
def keeps_queries(config, batch, tokens, bytes_per_value=2):
    """The query of an earlier token is never needed again."""
    queries = config["layers"] * batch * tokens * config["heads"] * config["head_dim"]
    return solved.kv_cache_bytes(config, batch, tokens, bytes_per_value) + queries * bytes_per_value


@believes("Each query head has its own keys", about="kv_cache_bytes")
def keeps_them_for_each_head(config, batch, tokens, bytes_per_value=2):
    """There are only kv_heads key heads: that is what grouping is for."""
    return solved.kv_cache_bytes(config | {"kv_heads": config["heads"]}, batch, tokens, bytes_per_value)


@believes("kv_heads query heads share a key head", about="kv_cache_bytes")
def keeps_a_head_for_each_group(config, batch, tokens, bytes_per_value=2):
    """kv_heads is how many key heads there are; heads / kv_heads query heads share each of them."""
    groups = config["heads"] // config["kv_heads"]
    return solved.kv_cache_bytes(config | {"kv_heads": groups}, batch, tokens, bytes_per_value)


@believes("All query heads share one key head", about="kv_cache_bytes")
def keeps_one_head(config, batch, tokens, bytes_per_value=2):
    """That holds only for kv_heads = 1: each of the kv_heads heads is kept."""
    return solved.kv_cache_bytes(config | {"kv_heads": 1}, batch, tokens, bytes_per_value)


@believes("A key has as many numbers as a token: width", about="kv_cache_bytes")
def keeps_width(config, batch, tokens, bytes_per_value=2):
    """It has kv_heads · head_dim."""
    return 2 * config["layers"] * batch * tokens * config["width"] * bytes_per_value


@believes("head_dim is width divided by heads", about="kv_cache_bytes")
def keeps_divided_width(config, batch, tokens, bytes_per_value=2):
    """It is a separate size: heads · head_dim may be more or less than width."""
    divided = config | {"head_dim": config["width"] // config["heads"]}
    return solved.kv_cache_bytes(divided, batch, tokens, bytes_per_value)


@believes("All blocks share one cache", about="kv_cache_bytes")
def keeps_one_layer(config, batch, tokens, bytes_per_value=2):
    """Each block has its own keys and values."""
    return solved.kv_cache_bytes(config | {"layers": 1}, batch, tokens, bytes_per_value)


@believes("Sequences share a cache", about="kv_cache_bytes")
def keeps_one_sequence(config, batch, tokens, bytes_per_value=2):
    """Each sequence has other tokens, and its own keys and values."""
    return solved.kv_cache_bytes(config, min(batch, 1), tokens, bytes_per_value)


@believes("A value has 2 bytes", about="kv_cache_bytes")
def keeps_2_bytes(config, batch, tokens, bytes_per_value=2):
    """That is only the default: bytes_per_value says how many."""
    return solved.kv_cache_bytes(config, batch, tokens)


@believes("The result is a count of numbers", about="kv_cache_bytes")
def counts_numbers(config, batch, tokens, bytes_per_value=2):
    """It is in bytes: numbers times bytes_per_value."""
    return solved.kv_cache_bytes(config, batch, tokens, 1)


@believes("The last token is not cached", about="kv_cache_bytes")
def leaves_the_last_token_out(config, batch, tokens, bytes_per_value=2):
    """The next token will also need its key and value: count all `tokens` tokens."""
    return solved.kv_cache_bytes(config, batch, max(tokens - 1, 0), bytes_per_value)


@believes("A cache grows with the square of its tokens", about="kv_cache_bytes")
def keeps_pairs(config, batch, tokens, bytes_per_value=2):
    """Scores do, but they are not cached; each token has one key and one value."""
    return tokens * solved.kv_cache_bytes(config, batch, tokens, bytes_per_value)


@believes("A cache is as large as the table of positions allows", about="kv_cache_bytes")
def keeps_all_positions(config, batch, tokens, bytes_per_value=2):
    """It holds `tokens` tokens, however many positions there are."""
    return solved.kv_cache_bytes(config, batch, max(config["positions"], tokens), bytes_per_value)


@believes("A float can hold any number of bytes", about="kv_cache_bytes")
def keeps_a_float(config, batch, tokens, bytes_per_value=2):
    """A float holds integers exactly only up to 2**53; Python's int has no limit."""
    return int(float(solved.kv_cache_bytes(config, batch, tokens, bytes_per_value)))


@believes("A number of bytes may be a float", about="kv_cache_bytes")
def returns_bytes_as_a_float(config, batch, tokens, bytes_per_value=2):
    """A count is an int: `/` makes a float, `//` does not."""
    return float(solved.kv_cache_bytes(config, batch, tokens, bytes_per_value))
