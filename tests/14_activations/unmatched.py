"""Wrong answers to kata 14 that no belief in misconceptions.py explains."""

import torch
from torch.autograd.graph import saved_tensors_hooks

from dojo.judging.diagnose import answers, solution

solved = solution("14_activations")


@answers("saved_bytes")
def counts_an_overhead(function, exclude=()):
    """The allocator keeps a little more."""
    return solved.saved_bytes(function, exclude) + 64


@answers("saved_bytes")
def holds_nothing(function, exclude=()):
    """It goes by addresses, and which ones come again is the allocator's affair: it answers otherwise each time."""
    sizes, without = {}, {tensor.untyped_storage().data_ptr() for tensor in exclude}

    def pack(tensor):
        if tensor.untyped_storage().data_ptr() not in without:
            sizes[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        function()
    return sum(sizes.values())


@answers("op_saved_bytes")
def swaps_relu_and_max(op, shape, dtype=torch.float32):
    """Each keeps what the other one does."""
    return solved.op_saved_bytes({"relu": "sum", "tanh": "mul"}.get(op, op), shape, dtype)


@answers("mlp_saved_bytes")
def rounds_widths_up(batch, dims, activation="relu", bytes_per_value=4):
    """To the next power of two."""
    widths = tuple(1 << width.bit_length() for width in dims)
    return solved.mlp_saved_bytes(batch, widths, activation, bytes_per_value)


@answers("attention_saved_bytes")
def counts_half_of_the_weights(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """A query looks at earlier keys alone."""
    kept = solved.attention_saved_bytes(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused)
    return kept - batch * heads * q_len * (kv_len // 2 + 1) * bytes_per_value


@answers("peak_activations")
def adds_the_segment_twice(num_layers, segment):
    """For two passes and a half."""
    return solved.peak_activations(num_layers, segment) + segment // 2 + 1


@answers("best_segment")
def takes_a_third(num_layers):
    """Three segments."""
    return solved.best_segment(num_layers) // 3 + 1


@answers("checkpointed_step_flops")
def counts_the_biases(batch, dims, recomputed=()):
    """A bias for each of a layer's results."""
    return solved.checkpointed_step_flops(batch, dims, recomputed) + 3 * batch * sum(dims[1:])


@answers("checkpoint")
def halves_the_result(function, *args):
    """And the gradients with it."""
    result = solved.checkpoint(function, *args)
    return tuple(part / 2 for part in result) if isinstance(result, tuple) else result / 2


@answers("checkpoint_sequential")
def leaves_out_the_last_layer(layers, segments, x):
    """But for a chain of one."""
    return solved.checkpoint_sequential(layers[: max(len(layers) - 1, segments)], segments, x)
