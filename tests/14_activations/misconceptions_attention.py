"""Wrong answers that people give to kata 14 about what attention saves."""

from dojo.judging.diagnose import believes, solution

solved = solution("14_activations")

# attention_saved_bytes


def _right(*sizes_and_rest):
    return solved.attention_saved_bytes(*sizes_and_rest)


@believes("The scores are kept beside the weights", about="attention_saved_bytes")
def keeps_the_scores(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """Softmax keeps its result, and a division by a number keeps nothing: the scores are not kept."""
    more = 0 if fused else batch * heads * q_len * kv_len * bytes_per_value
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused) + more


@believes("Each step keeps its result: product, division, softmax", about="attention_saved_bytes")
def keeps_every_step(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """The backward needs only the softmax's result."""
    more = 0 if fused else 2 * batch * heads * q_len * kv_len * bytes_per_value
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused) + more


@believes("Attention keeps q, k and v, and computes the weights again", about="attention_saved_bytes")
def keeps_no_weights(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """The fused kernel does that. The explicit program keeps the weights, q_len · kv_len of them for each head."""
    less = 0 if fused else batch * heads * q_len * kv_len * bytes_per_value
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused) - less


@believes("Attention keeps only its weights", about="attention_saved_bytes")
def keeps_weights_alone(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """q and k are kept for the first product, the weights and v for the second."""
    if fused:
        return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused)
    return batch * heads * q_len * kv_len * bytes_per_value


@believes("The result is kept too", about="attention_saved_bytes")
def keeps_the_result(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """The explicit program keeps what its products multiply, each once: q, k, the weights and v, but not the result."""
    more = 0 if fused else batch * heads * q_len * head_dim * bytes_per_value
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused) + more


@believes("v is not kept, only q and k", about="attention_saved_bytes")
def forgets_v(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """The gradient of the weights is a product with v."""
    less = batch * heads * kv_len * head_dim * bytes_per_value
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused) - less


@believes("There are as many keys as queries", about="attention_saved_bytes")
def takes_queries_for_keys(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """k and v have kv_len rows, and each query has kv_len weights."""
    return _right(batch, heads, q_len, q_len, head_dim, bytes_per_value, fused)


@believes("The weights are q_len by q_len", about="attention_saved_bytes")
def squares_the_queries(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """Each query has a weight for each key."""
    more = 0 if fused else batch * heads * q_len * (q_len - kv_len) * bytes_per_value
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused) + more


@believes("All heads share their weights", about="attention_saved_bytes")
def shares_weights(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """Each head has its own."""
    less = 0 if fused else batch * (heads - 1) * q_len * kv_len * bytes_per_value
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused) - less


@believes("Softmax is in float32", about="attention_saved_bytes")
def keeps_float32_weights(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """It may compute in float32 inside, but its result has the dtype of q."""
    more = 0 if fused else batch * heads * q_len * kv_len * (4 - bytes_per_value)
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused) + more


@believes("A fused kernel is faster, and keeps the same", about="attention_saved_bytes")
def fuses_nothing(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """It never holds all weights at once: it keeps q, k, v, the result and a number for each query."""
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value)


@believes("The fused kernel keeps only q, k and v", about="attention_saved_bytes")
def keeps_three(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """It also keeps the result, and a float32 for each query."""
    less = batch * heads * q_len * (head_dim * bytes_per_value + 4) if fused else 0
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused) - less


@believes("The fused kernel does not keep its result", about="attention_saved_bytes")
def forgets_the_result(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """It keeps it, because the backward needs the sum of grad · result for each query."""
    less = batch * heads * q_len * head_dim * bytes_per_value if fused else 0
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused) - less


@believes("The fused kernel keeps nothing of its softmax", about="attention_saved_bytes")
def forgets_the_sums(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """It keeps the log of the sum of each row, a float32, from which it can compute the weights again."""
    less = batch * heads * q_len * 4 if fused else 0
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused) - less


@believes("The sums of the softmax have the dtype of q", about="attention_saved_bytes")
def keeps_narrow_sums(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """They are float32, even if q is bfloat16."""
    less = batch * heads * q_len * (4 - bytes_per_value) if fused else 0
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused) - less


@believes("The fused kernel keeps a maximum and a sum for each query", about="attention_saved_bytes")
def keeps_two_numbers(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """It keeps the log of the sum of each row, one number that includes the maximum."""
    more = batch * heads * q_len * 4 if fused else 0
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused) + more


@believes("The fused kernel keeps a number for each key", about="attention_saved_bytes")
def keeps_sums_of_keys(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """A softmax runs over the keys: there is one sum for each query."""
    more = batch * heads * (kv_len - q_len) * 4 if fused else 0
    return _right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused) + more


@believes("A number takes 4 bytes", about="attention_saved_bytes")
def takes_four_bytes(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """bytes_per_value says how many."""
    return _right(batch, heads, q_len, kv_len, head_dim, 4, fused)


@believes("A float holds every number of bytes", about="attention_saved_bytes")
def counts_in_floats(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """Beyond 2**53 a float cannot hold every integer: compute with ints."""
    return int(float(_right(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused)))


@believes("All heads share the sums of their softmax", about="attention_saved_bytes")
def shares_the_sums(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """Each head has its own softmax for each query: batch · heads · q_len float32 numbers."""
    kept = solved.attention_saved_bytes(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused)
    return kept - 4 * batch * (heads - 1) * q_len * fused
