"""Kata 21: write the backward pass yourself. The lesson is in README.md beside this file.

Each function passes its arguments to a torch.autograd.Function of yours, and returns what its `apply` returns. The node
behind the result is yours, and between that node and the arguments there is no torch operation that computes anything.
No argument is changed, except by relu_, and neither is an incoming gradient of a backward pass, which may be expanded.
If nothing requires grad, there is no graph.

What the backward pass needs goes through save_for_backward. No tensor stays on ctx, or in anything that ctx holds, not
even the result or targets. Besides the result and what is saved, no tensor outlives a call or a backward pass in a
closure or a global either, where only targets may be. Numbers, such as an eps or a shape, may stay on ctx, and a tensor
of one element is a number. Bytes are counted over the distinct tensors that are saved.

A result stays as it is when a function is called again, and so does a gradient when a backward pass runs again. A
backward pass is right even after other calls, and also a second time if retain_graph=True lets it run again.

Right twice or refused: with create_graph=True the gradients can be differentiated once more, also with respect to the
incoming gradient, and the result is right; or once_differentiable is above backward; or the gradients require no grad
if the incoming gradient requires none. This is required of relu, linear, swiglu, rms_norm and cross_entropy.

Tensors are contiguous, with up to 3 dimensions and any sizes, including 0, unless something else is said.
"""

from typing import Any

import torch
from torch import Tensor


def relu(x: Tensor) -> Tensor:
    """Return torch.relu(x), keeping at most one byte per element, whatever the dtype.

    relu(tensor([-1.0, 0.0, 2.0]))                     ->  tensor([0.0, 0.0, 2.0])
    its gradient for ones                              ->  tensor([0.0, 0.0, 1.0])

    x: float64, float32 or bfloat16; the result has the same dtype, and memory of its own. The gradient at 0 is 0. inf
    and -inf give the same results as in torch.
    """
    raise NotImplementedError("relu")


def relu_(x: Tensor) -> Tensor:
    """Change x in place as torch.relu_(x) does, and return it: the same object in the same memory, of a newer version.

    h = x * 2; y = relu_(h)                            ->  y is h, and the gradient of x is that of relu(x * 2)

    It also works if nothing requires grad. An operation that has saved the old numbers, as in h = x.exp(); relu_(h),
    raises RuntimeError in its backward pass. x is not a view and has no views. x: float64, float32 or bfloat16, with 0,
    inf and -inf as in relu.

    Raises RuntimeError for a leaf that requires grad (its numbers may have been changed by then).
    """
    raise NotImplementedError("relu_")


def round_ste(x: Tensor, step: float) -> tuple[Tensor, Tensor]:
    """Return (r, x - r), where r is x rounded to multiples of step, halves to the even multiple.

    round_ste(tensor([0.25, 0.75, 1.0]), 0.5)          ->  (tensor([0.0, 1.0, 1.0]), tensor([0.25, -0.25, 0.0]))

    The gradient of r is that of x: a gradient that reaches r is passed on to x unchanged ("straight through"). The
    second result never requires grad. Both results come from one Function. x: float32. step: a power of two, and
    x / step is finite.

    Raises ValueError for a step of 0 or below.
    """
    raise NotImplementedError("round_ste")


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Return torch.nn.functional.linear(x, weight, bias): x @ weight.T + bias.

    x: (n, in), weight: (out, in), bias: (out,) -> (n, out). n and in may be 0. Any of the three may require grad, or
    none. The backward pass computes no product for a gradient that is not needed: no more FLOPs than F.linear's. x is
    saved only if weight requires grad, weight only if x does, and nothing else is saved: no more bytes than F.linear's.
    All tensors are float64.
    """
    raise NotImplementedError("linear")


def swiglu(gate: Tensor, up: Tensor) -> Tensor:
    """Return silu(gate) * up, where silu(z) = z * sigmoid(z), keeping no more bytes than gate and up have together.

    swiglu(tensor([2.0]), tensor([3.0]))               ->  tensor([5.2848])

    gate and up have the same shape and dtype, float64 or float32. Either or none may require grad. Results and
    gradients are also right for a gate of 100, -100 and 0.
    """
    raise NotImplementedError("swiglu")


def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    """Return x / sqrt(mean(x²) + eps) * weight, with the mean over the last dimension.

    rms_norm(tensor([3.0, 4.0]), tensor([1.0, 2.0]))   ->  tensor([0.8485, 2.2627]): mean(x²) is 12.5

    x: (…, d), weight: (d,), d 1 or more; all float64. eps is above 0. A row of x may be all zeros. Either of x and
    weight or none may require grad. The gradient of weight has weight's shape.

    Kept: at most as many bytes as x, weight and one number per row have.
    """
    raise NotImplementedError("rms_norm")


def cross_entropy(logits: Tensor, targets: Tensor, ignore_index: int = -100) -> Tensor:
    """Return the mean, 0-d, of -log(softmax(logits)[row, targets[row]]) over rows whose target is not ignore_index.

    cross_entropy(zeros(2, 4), tensor([1, -100]))      ->  tensor(1.3863), log 4; the second row's gradient is 0

    logits: (n, v), float64, up to 1e5 of either sign. targets: (n,), int64; at least one row is not ignored.
    ignore_index may be any integer: -1, a class such as 0, or one beyond the classes. The loss may be scaled:
    (loss * 3).backward().

    Kept: at most as many bytes as logits, targets and one number (8 bytes) per row have.
    """
    raise NotImplementedError("cross_entropy")


def linear_cross_entropy(x: Tensor, weight: Tensor, targets: Tensor, rows: int) -> Tensor:
    """Return cross_entropy(x @ weight.T, targets), with at most `rows` rows of logits at a time.

    x: (n, d), weight: (v, d), targets: (n,). No target is ignored. n need not be a multiple of rows, and rows may be
    more than n. Numbers are float64, logits up to 1e5 of either sign. The loss may be scaled.

    In the forward and the backward pass, no operation makes a tensor of more elements than the largest of a block of
    logits (min(rows, n) * v), x, weight and n. Kept: at most as many bytes as x, weight, targets and two numbers per
    row have. What it makes never takes more memory at a time than eight blocks of logits, four times x and weight, and
    64 bytes per row. If nothing requires grad, the only product is that of the forward pass: at most 2 * n * d * v
    FLOPs.

    Raises ValueError for rows below 1, and for an x without rows.
    """
    raise NotImplementedError("linear_cross_entropy")


def define_swiglu(name: str) -> Any:
    """Define swiglu as an operator in torch's library under this name, such as "my::swiglu", and return it.

    op = define_swiglu("my::swiglu"); op(gate, up) and torch.ops.my.swiglu(gate, up) have results and gradients.

    torch.library.custom_op(name, mutates_args=()) takes the kernel. The operator also needs a fake kernel, whose result
    has the shape, dtype and strides of the real one, and a formula for autograd. What it keeps is not tested.
    torch.library.opcheck succeeds with all its checks. gate may be a transposed view, of numbers up to 1000 of either
    sign; float64. Each call gets a new name.

    The operator raises ValueError if up has another shape than gate, even one that would broadcast. The fake kernel
    does so too, as for tensors on device "meta".
    """
    raise NotImplementedError("define_swiglu")
