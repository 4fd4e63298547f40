"""Kata 21: write the backward pass yourself. The lesson is in README.md beside this file.

Each function hands its arguments to a torch.autograd.Function of yours, and returns what its `apply` returns: behind
the result is a node of yours, and between that and the arguments no operation of torch's that computes anything. No
argument is changed, but by relu_, and neither is a gradient that comes into a backward pass, which may be expanded.
What nothing requires grad of has no graph.

What the backward pass needs goes through save_for_backward. Beside the result and what is saved, no tensor outlives a
call: not on ctx, nor in what lies there, nor in a closure or a global, where only targets may be. Numbers, as an eps or
a shape, may stay on ctx, and a tensor of one element is a number. The bytes are those of distinct tensors that are
saved.

A backward pass is right after other calls, too, and a second time where retain_graph=True lets it run again.

Right twice or refused: with create_graph=True the gradients can be differentiated once more, by the gradient that came
in as well, and that is right; or once_differentiable is above backward; or they require no grad where the gradient that
came in requires none. Asked of relu, linear, swiglu, rms_norm, cross_entropy.

Tensors are contiguous, and have up to 3 dimensions and any sizes, 0 too, where nothing else is said.
"""

from typing import Any

import torch
from torch import Tensor


def relu(x: Tensor) -> Tensor:
    """torch.relu(x), which keeps at most one byte of each element, whatever the dtype.

    relu(tensor([-1.0, 0.0, 2.0]))                     ->  tensor([0.0, 0.0, 2.0])
    its gradient for ones                              ->  tensor([0.0, 0.0, 1.0])

    x: float64, float32 or bfloat16, and so is the result. The gradient at 0 is 0; inf and -inf come out as torch's.
    """
    raise NotImplementedError("relu")


def relu_(x: Tensor) -> Tensor:
    """torch.relu_(x): x is changed in place and returned, the same object in the same memory, its version counted up.

    h = x * 2; y = relu_(h)                            ->  y is h, and the gradient of x is that of relu(x * 2)

    Without anything that requires grad it works as well. An operation that has saved the old numbers, as in
    h = x.exp(); relu_(h), raises RuntimeError in its backward pass. x is no view, and nobody has a view of it. x:
    float64, float32 or bfloat16, with 0, inf and -inf as in relu.

    Raises RuntimeError for a leaf that requires grad (its numbers may be changed by then).
    """
    raise NotImplementedError("relu_")


def round_ste(x: Tensor, step: float) -> tuple[Tensor, Tensor]:
    """(r, x - r): r is x rounded to multiples of step, halves to the even multiple. The gradient of r is that of x.

    round_ste(tensor([0.25, 0.75, 1.0]), 0.5)          ->  (tensor([0.0, 1.0, 1.0]), tensor([0.25, -0.25, 0.0]))

    A gradient that comes to r goes on to x unchanged ("straight through"). The second result never requires grad. Both
    come out of one Function. x: float32. step: a power of two, and x / step is finite.

    Raises ValueError for a step of 0 or below.
    """
    raise NotImplementedError("round_ste")


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """torch.nn.functional.linear: x @ weight.T + bias. x: (n, in), weight: (out, in), bias: (out,) -> (n, out).

    n = 0 and in = 0 as well. Of the three, any may require grad, or none. The backward pass computes no product for a
    gradient that nobody asks for: no more FLOPs than F.linear's. x is saved only if weight requires grad, and weight
    only if x does, and nothing else: no more bytes than F.linear's. float64.
    """
    raise NotImplementedError("linear")


def swiglu(gate: Tensor, up: Tensor) -> Tensor:
    """silu(gate) * up, where silu(z) = z * sigmoid(z), keeping no more bytes than gate and up have together.

    swiglu(tensor([2.0]), tensor([3.0]))               ->  tensor([5.2848])

    Both have the same shape and dtype, float64 or float32. Either or none may require grad. Numbers and gradients are
    right for a gate of 100, of -100 and of 0, too.
    """
    raise NotImplementedError("swiglu")


def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    """x / sqrt(mean(x²) + eps) * weight, the mean over the last dimension. x: (…, d), weight: (d,), d 1 or more.

    rms_norm(tensor([3.0, 4.0]), tensor([1.0, 2.0]))   ->  tensor([0.8485, 2.2627]): mean(x²) is 12.5

    Kept: at most as many bytes as x, weight and one number of each row have. A row of x may be zeros. Either of x and
    weight or none may require grad; the gradient of weight has its shape. eps is above 0. float64.
    """
    raise NotImplementedError("rms_norm")


def cross_entropy(logits: Tensor, targets: Tensor, ignore_index: int = -100) -> Tensor:
    """The mean of -log(softmax(logits)[row, targets[row]]) over the rows whose target is not ignore_index: 0-d.

    cross_entropy(zeros(2, 4), tensor([1, -100]))      ->  tensor(1.3863), log 4; the second row's gradient is 0

    logits: (n, v), float64, up to 1e5 of either sign. targets: (n,), int64; at least one row is kept. ignore_index may
    be any integer: -1, a class such as 0, or one beyond the classes. A loss may be scaled: (loss * 3).backward().

    Kept: at most as many bytes as logits, targets and one number (8 bytes) of each row have.
    """
    raise NotImplementedError("cross_entropy")


def linear_cross_entropy(x: Tensor, weight: Tensor, targets: Tensor, rows: int) -> Tensor:
    """cross_entropy(x @ weight.T, targets), with at most so many rows of logits at a time. No target is ignored.

    x: (n, d), weight: (v, d), targets: (n,); n need be no multiple of rows, and rows may be more than n.

    Neither forward nor backward does an operation make a tensor of more elements than the largest of a block of logits
    (min(rows, n) * v), x, weight and n. Kept: at most as many bytes as x, weight, targets and two numbers of each row
    have. At no moment is more in memory of what it makes than eight blocks of logits, four times x and weight, and 64
    bytes a row. If nothing requires grad, the product of the forward pass is all there is: at most 2 * n * d * v FLOPs.

    float64, logits up to 1e5 of either sign. A loss may be scaled.

    Raises ValueError for rows below 1, and for an x without rows.
    """
    raise NotImplementedError("linear_cross_entropy")


def define_swiglu(name: str) -> Any:
    """Define swiglu as an operator of torch's library under this name, as "my::swiglu", and return it.

    op = define_swiglu("my::swiglu"); op(gate, up) and torch.ops.my.swiglu(gate, up) have results and gradients.

    torch.library.custom_op(name, mutates_args=()) takes the kernel; the operator also needs a fake kernel, which has
    the shape, the dtype and the strides of the real result, and a formula for autograd. Of what it keeps nothing is
    asked. torch.library.opcheck succeeds with all its checks. gate may be a transposed view, of numbers up to 1000 of
    either sign; float64. Each call gets a new name.

    The operator raises ValueError for an up of another shape than gate's, one that would broadcast as well; the fake
    kernel does so too, as for tensors on device "meta".
    """
    raise NotImplementedError("define_swiglu")
