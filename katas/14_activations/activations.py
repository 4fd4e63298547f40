"""Kata 14: what the forward pass keeps for the backward pass. The lesson is in README.md beside this file.

torch.utils.checkpoint is not available; torch.autograd.graph.saved_tensors_hooks and torch.autograd.Function are.
Sizes are 0 or more unless stated otherwise.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch import Tensor, nn


def saved_bytes(function: Callable[[], Any], exclude: Iterable[Tensor] = ()) -> int:
    """Run function() once, and return the bytes of all storages that autograd saves meanwhile, each counted once.

    x.exp(), x float32 of shape (2, 3) that requires grad        ->  24: its result
    x * x                                                        ->  24: x, once
    (x.exp() ** 2).sum()                                         ->  24: exp's result is what the square needs
    x[:1] * x[1:]                                                ->  24: a view keeps the whole storage

    A storage counts whole and once, however often and under whatever views it is saved. Storages of the tensors in
    exclude do not count; these tensors may be views and may come from a generator, and their storages exist the whole
    time. Everything that is saved while function runs counts, even if its graph is gone before function returns. The
    graphs that function makes can still run backward, also twice with retain_graph=True, with the same gradients. Under
    torch.no_grad(), function still runs, and nothing is saved: the result is 0. Tensors are dense; function uses no
    hooks of its own.
    """
    raise NotImplementedError("saved_bytes")


def op_saved_bytes(op: str, shape: tuple[int, ...], dtype: torch.dtype = torch.float32) -> int:
    """Return the bytes that autograd saves for one operation on x of this shape, which requires grad.

    x counts if it is saved. The operations:

    "relu", "tanh", "exp", "softmax"    "gelu", "square"    "add": x + y, "scale": 2 * x, "sum"
    "mul": x * y, where y has the shape of x and also requires grad
    "layer_norm": over the last dimension, without weight and bias
    "max": x.max(dim=-1), values and indices
    "masked_fill": x.masked_fill(mask, 0.0), where mask has the shape of x, and counts

    op_saved_bytes("exp", (2, 3))                      ->  24
    op_saved_bytes("masked_fill", (2, 3))              ->  6

    shape: may be () or have a size of 0; for "max" and "layer_norm" it has one dimension or more, the last of size 1 or
    more. dtype: float32, float64 or bfloat16; for "layer_norm" not bfloat16, and its statistics are in the dtype of x.
    x may be far larger than the machine's memory.

    Raises ValueError for any other op, whatever the shape is.
    """
    raise NotImplementedError("op_saved_bytes")


def mlp_saved_bytes(batch: int, dims: tuple[int, ...], activation: str = "relu", bytes_per_value: int = 4) -> int:
    """Return the bytes that autograd saves for linear layers (with bias) with the activation between each two of them.

    Parameters and the data do not count. The data requires no grad; the parameters do. Each number takes
    bytes_per_value bytes: 2, 4 or 8.

    mlp_saved_bytes(2, (3, 4, 5))                      ->  32: 8 numbers between the layers
    mlp_saved_bytes(2, (3, 4, 5), "gelu")              ->  64
    mlp_saved_bytes(2, (3, 4))                         ->  0

    dims: one width or more. activation: "none", "relu", "tanh", "gelu" or "silu"; ValueError for any other, whatever
    the sizes are. All of it may be far larger than the machine's memory.
    """
    raise NotImplementedError("mlp_saved_bytes")


def attention_saved_bytes(
    batch: int, heads: int, q_len: int, kv_len: int, head_dim: int, bytes_per_value: int = 4, fused: bool = False
) -> int:
    """Return the bytes that autograd saves for attention, by the explicit program or by the fused kernel.

    The explicit program is (q @ k.mT / math.sqrt(head_dim)).softmax(-1) @ v.

    q: (batch, heads, q_len, head_dim), k and v: (batch, heads, kv_len, head_dim). They are contiguous, require grad,
    and count. All sizes are 1 or more, and may be far beyond the machine's memory. A number takes bytes_per_value
    bytes, 2 or 4, unless stated otherwise.

    fused: F.scaled_dot_product_attention(q, k, v) on the CPU, without a mask. Its kernel keeps q, k, v, the result,
    and the log of the sum of each softmax: one float32 for each query of each head, whatever bytes_per_value is.

    attention_saved_bytes(1, 1, 2, 3, 4)               ->  4 · (8 + 12 + 12 + 6) = 152
    attention_saved_bytes(1, 1, 2, 3, 4, fused=True)   ->  4 · (8 + 12 + 12 + 8) + 4 · 2 = 168
    """
    raise NotImplementedError("attention_saved_bytes")


def peak_activations(num_layers: int, segment: int) -> int:
    """Return how many layer results exist at once, at most, if every `segment` layers of a chain are checkpointed.

    Each layer keeps its result for its own backward. After the forward pass, only the inputs of the segments exist; the
    backward pass recomputes one segment at a time, from the last to the first. The last segment may be shorter. Results
    are counted after each layer has run, forward or again. The data is not a layer's result, and nothing holds on to
    the result of the chain.

    peak_activations(16, 4)                            ->  3 + 4 = 7
    peak_activations(10, 5)                            ->  6
    peak_activations(10, 10)                           ->  10, as with any longer segment
    peak_activations(0, 3)                             ->  0

    Raises ValueError if segment is below 1 or num_layers is below 0.
    """
    raise NotImplementedError("peak_activations")


def best_segment(num_layers: int) -> int:
    """Return a segment, from 1 to num_layers, for which peak_activations is smallest; if there are several, any one.

    best_segment(9)                                    ->  3, 4 or 5: all have a peak of 5
    best_segment(10)                                   ->  3 or 4: both have 5; segments of 5 have 6

    num_layers may be 10**12; the answer still comes at once.

    Raises ValueError for num_layers below 1.
    """
    raise NotImplementedError("best_segment")


def checkpointed_step_flops(batch: int, dims: tuple[int, ...], recomputed: tuple[int, ...] = ()) -> int:
    """Return the FLOPs of a training step, forward and backward, of linear layers without bias, some recomputed.

    The data needs no gradient; every weight does. A layer in recomputed runs forward once more in the backward pass.

    checkpointed_step_flops(2, (3, 4, 5))              ->  48 + 80 forward, 48 + 160 backward: 336
    checkpointed_step_flops(2, (3, 4, 5), (1,))        ->  80 more

    dims: one width or more. recomputed: indices of layers, starting at 0; an index that is named twice counts once.

    Raises ValueError for an index that is not a layer, including negative ones.
    """
    raise NotImplementedError("checkpointed_step_flops")


def checkpoint(function: Callable[..., Any], *args: Any) -> Any:
    """Return function(*args), and keep only the arguments: the backward pass runs function(*args) again.

    Results and gradients are those of function(*args). It returns a tensor or a tuple of one or more tensors, some of
    which may need no gradient, such as a mask or a detached tensor; whether these come back with requires_grad is not
    tested. args may be empty, or hold tensors that require grad, tensors that do not, and other values; a tensor may be
    given twice. The parameters that function uses inside also get their gradients, even if no argument requires grad.
    No result is an argument itself. A tensor that requires grad and is no argument, but used inside, is a leaf.

    After the forward pass, nothing that was computed inside exists except what was returned, and that only as long as
    the caller keeps it; a copy counts too. function runs at most once more, in the backward pass, even if it raises
    there. The gradients come from this second run: if function then finds other values around it, such as a counter,
    the gradients are those of these values. After a backward pass through everything that was returned, nothing that
    the second run computed exists either, not even its result, without help from Python's garbage collector: a tensor
    that a pack hook gets belongs to its own graph until it is detached.

    The second run is like the first: dropout draws the same numbers again, and autocast is on or off as it was, with
    the same dtype. After the forward pass and after the backward pass, torch's CPU generator gives what it would give
    without a checkpoint. If function raises in the second run, backward() raises that error itself, and the generator
    is as it was before the backward pass. Under torch.no_grad(), function is only called. One graph may have several
    checkpoints, also of the same function with the same arguments; each may have a backward pass of its own, in any
    order, or none.
    """
    raise NotImplementedError("checkpoint")


def checkpoint_sequential(layers: Sequence[Callable[..., Any]], segments: int, x: Tensor) -> Tensor:
    """Return layers[-1](… layers[1](layers[0](x))), in `segments` consecutive runs, each of them checkpointed.

    The lengths of the runs differ by at most one. The last run may be left without a checkpoint, but no other run.
    layers is a list or a tuple, and no layer is in it twice. Results, gradients and random numbers are those of the
    plain chain, also under torch.no_grad().

    For n layers in k runs, no layer runs more than twice. After the forward pass, at most k - 1 + ceil(n / k) layer
    results exist, and at no time more than k + ceil(n / k).

    7 layers in 3                                      ->  runs of 2, 2 and 3 in any order

    Raises ValueError unless 1 <= segments <= len(layers), also under torch.no_grad().
    """
    raise NotImplementedError("checkpoint_sequential")
