"""Kata 14: what the forward pass keeps for the backward pass. The lesson is in README.md beside this file.

torch.utils.checkpoint is absent; torch.autograd.graph.saved_tensors_hooks and torch.autograd.Function are there. Sizes
are 0 or more where nothing else is said.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch import Tensor, nn


def saved_bytes(function: Callable[[], Any], exclude: Iterable[Tensor] = ()) -> int:
    """Run function() once, and return the bytes of all storages that autograd saves meanwhile, each storage once.

    x.exp(), x float32 of shape (2, 3) that requires grad        ->  24: its result
    x * x                                                        ->  24: x, once
    (x.exp() ** 2).sum()                                         ->  24: exp's result is what the square needs
    x[:1] * x[1:]                                                ->  24: a view keeps the whole storage

    A storage counts whole and once, however often and under whatever views it is saved. Left out are the storages of
    the tensors in exclude, which may be views and may come from a generator; their storages are there all the while.
    Whatever is saved while function runs counts, also if its graph is gone before it returns. The graphs that function
    makes still go backward, with the same gradients. Under torch.no_grad() function runs too, and nothing is
    saved: 0. Dense tensors; function uses no hooks of its own.
    """
    raise NotImplementedError("saved_bytes")


def op_saved_bytes(op: str, shape: tuple[int, ...], dtype: torch.dtype = torch.float32) -> int:
    """Bytes that autograd saves of one operation on x of that shape, which requires grad; x counts if it is saved.

    "relu", "tanh", "exp", "softmax"    "gelu", "square"    "add": x + y, "scale": 2 * x, "sum"
    "mul": x * y, where y has the shape of x and requires grad, too
    "layer_norm": over the last dimension, without weight and bias
    "max": x.max(dim=-1), values and indices
    "masked_fill": x.masked_fill(mask, 0.0), the mask of the shape of x, and counted

    op_saved_bytes("exp", (2, 3))                      ->  24
    op_saved_bytes("masked_fill", (2, 3))              ->  6

    shape: () or with a size of 0, too; for "max" and "layer_norm" one dimension or more, the last of size 1 or more.
    dtype: float32, float64, bfloat16; for "layer_norm" not bfloat16, and its statistics are in the dtype of x.

    Raises ValueError for another op.
    """
    raise NotImplementedError("op_saved_bytes")


def mlp_saved_bytes(batch: int, dims: tuple[int, ...], activation: str = "relu", bytes_per_value: int = 4) -> int:
    """Bytes that autograd saves of linear layers (with bias) with the activation between each two of them.

    Parameters and the data are left out. The data requires no grad, the parameters do. Each number takes
    bytes_per_value bytes.

    mlp_saved_bytes(2, (3, 4, 5))                      ->  32: 8 numbers between the layers
    mlp_saved_bytes(2, (3, 4, 5), "gelu")              ->  64
    mlp_saved_bytes(2, (3, 4))                         ->  0

    dims: one width or more. activation: "none", "relu", "tanh", "gelu" or "silu"; ValueError for another one, whatever
    the sizes are.
    """
    raise NotImplementedError("mlp_saved_bytes")


def attention_saved_bytes(
    batch: int, heads: int, q_len: int, kv_len: int, head_dim: int, bytes_per_value: int = 4, fused: bool = False
) -> int:
    """Bytes that autograd saves of attention: (q @ k.mT / math.sqrt(head_dim)).softmax(-1) @ v, or the fused kernel.

    q: (batch, heads, q_len, head_dim), k and v: (batch, heads, kv_len, head_dim); contiguous, they require grad, and
    they count. All sizes are 1 or more. A number takes bytes_per_value bytes, 2 or 4, where nothing else is said.

    fused: F.scaled_dot_product_attention(q, k, v) on the CPU, without a mask. Its kernel keeps q, k, v, the result,
    and the log of the sum of each softmax: for each query of each head one float32, whatever bytes_per_value is.

    attention_saved_bytes(1, 1, 2, 3, 4)               ->  4 · (8 + 12 + 12 + 6) = 152
    attention_saved_bytes(1, 1, 2, 3, 4, fused=True)   ->  4 · (8 + 12 + 12 + 8) + 4 · 2 = 168
    """
    raise NotImplementedError("attention_saved_bytes")


def peak_activations(num_layers: int, segment: int) -> int:
    """How many results of layers there are at once, at most, if each `segment` layers of a chain are checkpointed.

    Each layer keeps its result for its own backward. After the forward only the inputs of the segments are there; the
    backward recomputes one segment at a time, from the last one to the first. The last segment may be shorter. It is
    looked after each layer has run, forward or again. The data is no layer's result, and nobody holds on to the result
    of the chain.

    peak_activations(16, 4)                            ->  3 + 4 = 7
    peak_activations(10, 5)                            ->  6
    peak_activations(10, 10)                           ->  10, and so with any longer segment
    peak_activations(0, 3)                             ->  0

    Raises ValueError for segment below 1, and num_layers below 0.
    """
    raise NotImplementedError("peak_activations")


def best_segment(num_layers: int) -> int:
    """A segment, from 1 to num_layers, for which peak_activations is smallest; any of them, where there are several.

    best_segment(9)                                    ->  3, 4 or 5: all have a peak of 5
    best_segment(10)                                   ->  3 or 4: 5, too; segments of 5 have 6

    num_layers may be 10**12, and the answer comes at once.

    Raises ValueError for num_layers below 1.
    """
    raise NotImplementedError("best_segment")


def checkpointed_step_flops(batch: int, dims: tuple[int, ...], recomputed: tuple[int, ...] = ()) -> int:
    """FLOPs of a training step, forward and backward, of linear layers without bias, some of which are recomputed.

    The data needs no gradient, every weight does. A layer in recomputed runs forward once more in the backward.

    checkpointed_step_flops(2, (3, 4, 5))              ->  48 + 80 forward, 48 + 160 backward: 336
    checkpointed_step_flops(2, (3, 4, 5), (1,))        ->  80 more

    dims: one width or more. recomputed: indices of layers, the first is 0; one that is named twice counts once.

    Raises ValueError for an index that is no layer, negative ones as well.
    """
    raise NotImplementedError("checkpointed_step_flops")


def checkpoint(function: Callable[..., Any], *args: Any) -> Any:
    """Return function(*args), and keep nothing but the arguments: the backward runs function(*args) again.

    Results and gradients are those of function(*args). It returns a tensor or a tuple of tensors, one or more, of
    which some may need no gradient: a mask, or what is detached. Among args are tensors that require grad, tensors that
    do not, and other values, or there are none; the parameters that function uses inside get their gradients too, also
    where no argument requires grad.

    After the forward, nothing that was computed inside is there but what was returned. function runs once more at most,
    and in the backward. After a backward of all that was returned, nothing that was computed inside then is there
    either, without the help of Python's garbage collector: a tensor that a pack hook gets belongs to its own graph,
    until it is detached.

    The second run is like the first: dropout draws the same numbers again, and autocast is on or off as it was. What
    torch's CPU generator gives after the forward, and after the backward, is what it would give without a checkpoint.
    If function raises in the second run, backward() raises that, and the generator is as it was before the backward.
    Under torch.no_grad() there is just the call. Several checkpoints may be in one graph, of one function as well.
    """
    raise NotImplementedError("checkpoint")


def checkpoint_sequential(layers: Sequence[Callable[..., Any]], segments: int, x: Tensor) -> Tensor:
    """Return layers[-1](… layers[1](layers[0](x))), in so many consecutive runs, each of which is checkpointed.

    The lengths of the runs differ by at most one. The last run may be left without a checkpoint, but no other one.
    layers is a list or a tuple, and no layer is in it twice. Results, gradients and random numbers are those of the
    plain chain.

    n layers in k runs: no layer runs more than twice; after the forward at most k - 1 + ceil(n / k) results of layers
    are there, and at no moment more than k + ceil(n / k).

    7 layers in 3                                      ->  runs of 2, 2 and 3 in any order

    Raises ValueError unless 1 <= segments <= len(layers).
    """
    raise NotImplementedError("checkpoint_sequential")
