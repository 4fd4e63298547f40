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
    """Take relu for sum, and tanh for mul."""
    return solved.op_saved_bytes({"relu": "sum", "tanh": "mul"}.get(op, op), shape, dtype)


@answers("mlp_saved_bytes")
def rounds_widths_up(batch, dims, activation="relu", bytes_per_value=4):
    """Round the widths up to a power of two."""
    widths = tuple(1 << width.bit_length() for width in dims)
    return solved.mlp_saved_bytes(batch, widths, activation, bytes_per_value)


@answers("attention_saved_bytes")
def counts_half_of_the_weights(batch, heads, q_len, kv_len, head_dim, bytes_per_value=4, fused=False):
    """Count the weights as if a query attended only to earlier keys."""
    kept = solved.attention_saved_bytes(batch, heads, q_len, kv_len, head_dim, bytes_per_value, fused)
    return kept - batch * heads * q_len * (kv_len // 2 + 1) * bytes_per_value


@answers("peak_activations")
def adds_the_segment_twice(num_layers, segment):
    """Add about half a segment."""
    return solved.peak_activations(num_layers, segment) + segment // 2 + 1


@answers("best_segment")
def takes_a_third(num_layers):
    """Use segments of about a third of the best length."""
    return solved.best_segment(num_layers) // 3 + 1


@answers("checkpointed_step_flops")
def counts_the_biases(batch, dims, recomputed=()):
    """Count a bias for each number of a layer's result."""
    return solved.checkpointed_step_flops(batch, dims, recomputed) + 3 * batch * sum(dims[1:])


@answers("checkpoint")
def halves_the_result(function, *args):
    """Halve the results, and the gradients with them."""
    result = solved.checkpoint(function, *args)
    return tuple(part / 2 for part in result) if isinstance(result, tuple) else result / 2


@answers("checkpoint_sequential")
def leaves_out_the_last_layer(layers, segments, x):
    """Leave out the last layer unless there are only as many layers as segments."""
    return solved.checkpoint_sequential(layers[: max(len(layers) - 1, segments)], segments, x)
