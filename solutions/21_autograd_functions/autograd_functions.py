"""Kata 21, solved: the backward passes of your own operations."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

Grads = tuple[Tensor | None, ...]


def relu(x: Tensor) -> Tensor:
    """Keep only where x is above 0, which is all that the backward pass has to know."""
    return _Relu.apply(x)


class _Relu(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x > 0)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return grad * ctx.saved_tensors[0]


def relu_(x: Tensor) -> Tensor:
    """Mark x as changed, so that autograd gives it a new grad_fn and a newer version."""
    return _ReluInPlace.apply(x)


class _ReluInPlace(_Relu):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.mark_dirty(x)
        ctx.save_for_backward(x > 0)
        return x.clamp_(min=0)


def round_ste(x: Tensor, step: float) -> tuple[Tensor, Tensor]:
    """Mark the second result, which has no gradient."""
    if step <= 0:
        raise ValueError(f"a step of {step}")
    return _RoundSte.apply(x, step)


class _RoundSte(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, step: float) -> tuple[Tensor, Tensor]:
        rounded = (x / step).round() * step
        rest = x - rounded
        ctx.mark_non_differentiable(rest)
        return rounded, rest

    @staticmethod
    def backward(ctx: Any, grad: Tensor, _: Tensor) -> Grads:
        return grad, None


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Keep each factor for the gradient of the other one."""
    return _Linear.apply(x, weight, bias)


class _Linear(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        needs_x, needs_weight, _ = ctx.needs_input_grad
        ctx.save_for_backward(x if needs_weight else None, weight if needs_x else None)
        product = x @ weight.mT
        return product if bias is None else product + bias

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Grads:
        x, weight = ctx.saved_tensors
        return (
            None if weight is None else grad @ weight,
            None if x is None else grad.mT @ x,
            grad.sum(0) if ctx.needs_input_grad[2] else None,
        )


def swiglu(gate: Tensor, up: Tensor) -> Tensor:
    """Compute silu again, since that is cheap."""
    return _Swiglu.apply(gate, up)


class _Swiglu(Function):
    @staticmethod
    def forward(ctx: Any, gate: Tensor, up: Tensor) -> Tensor:
        ctx.save_for_backward(gate, up)
        return gate * gate.sigmoid() * up

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Grads:
        gate, up = ctx.saved_tensors
        return _swiglu_backward(grad, gate, up)


def _swiglu_backward(grad: Tensor, gate: Tensor, up: Tensor) -> Grads:
    share = gate.sigmoid()
    silu = gate * share
    return grad * up * (share + silu * (1 - share)), grad * silu


def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    """Compute the root again, so that a second backward pass differentiates it."""
    return _RmsNorm.apply(x, weight, eps)


class _RmsNorm(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, eps: float) -> Tensor:
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return x * _inverse_root(x, eps) * weight

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Grads:
        x, weight = ctx.saved_tensors
        inverse = _inverse_root(x, ctx.eps)
        normed = x * inverse
        scaled = grad * weight
        for_x = inverse * (scaled - normed * (scaled * normed).mean(-1, keepdim=True))
        return for_x, (grad * normed).reshape(-1, len(weight)).sum(0), None


def _inverse_root(x: Tensor, eps: float) -> Tensor:
    return (x.square().mean(-1, keepdim=True) + eps).rsqrt()


def cross_entropy(logits: Tensor, targets: Tensor, ignore_index: int = -100) -> Tensor:
    """Keep the logits, and compute their softmax again."""
    return _CrossEntropy.apply(logits, targets, ignore_index)


class _CrossEntropy(Function):
    @staticmethod
    def forward(ctx: Any, logits: Tensor, targets: Tensor, ignore_index: int) -> Tensor:
        ctx.save_for_backward(logits, targets)
        ctx.ignore_index = ignore_index
        kept = targets != ignore_index
        rows = logits[kept]
        return (rows.logsumexp(1) - _picked(rows, targets[kept])).mean()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Grads:
        logits, targets = ctx.saved_tensors
        kept = targets != ctx.ignore_index
        classes = targets.where(kept, 0).unsqueeze(1)
        off = logits.softmax(1).scatter_add(1, classes, logits.new_full(classes.shape, -1.0))
        return off * kept.unsqueeze(1) * (grad / kept.sum()), None, None


def _picked(rows: Tensor, classes: Tensor) -> Tensor:
    return rows.gather(1, classes.unsqueeze(1)).squeeze(1)


def linear_cross_entropy(x: Tensor, weight: Tensor, targets: Tensor, rows: int) -> Tensor:
    """Make one block of logits at a time, in both passes."""
    if rows < 1 or len(x) < 1:
        raise ValueError(f"{len(x)} rows in blocks of {rows}")
    return _LinearCrossEntropy.apply(x, weight, targets, rows)


class _LinearCrossEntropy(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, targets: Tensor, rows: int) -> Tensor:
        ctx.save_for_backward(x, weight, targets)
        ctx.rows = rows
        total = x.new_zeros(())
        for block in _blocks(len(x), rows):
            logits = x[block] @ weight.mT
            total += (logits.logsumexp(1) - _picked(logits, targets[block])).sum()
        return total / len(x)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> Grads:
        x, weight, targets = ctx.saved_tensors
        for_x, for_weight = torch.empty_like(x), torch.zeros_like(weight)
        for block in _blocks(len(x), ctx.rows):
            off = (x[block] @ weight.mT).softmax(1)
            off[range(len(off)), targets[block]] -= 1
            off *= grad / len(x)
            for_x[block] = off @ weight
            for_weight += off.mT @ x[block]
        return for_x, for_weight, None, None


def _blocks(n: int, rows: int) -> list[slice]:
    return [slice(start, start + rows) for start in range(0, n, rows)]


def define_swiglu(name: str) -> Any:
    """Use the kernel as its own fake: it is made of torch operations, which also compute on meta."""

    def kernel(gate: Tensor, up: Tensor) -> Tensor:
        if gate.shape != up.shape:
            raise ValueError(f"gate has shape {tuple(gate.shape)}, up {tuple(up.shape)}")
        return gate * gate.sigmoid() * up

    def keep(ctx: Any, inputs: tuple[Tensor, Tensor], output: Tensor) -> None:
        ctx.save_for_backward(*inputs)

    def backward(ctx: Any, grad: Tensor) -> Grads:
        return _swiglu_backward(grad, *ctx.saved_tensors)

    operator = torch.library.custom_op(name, kernel, mutates_args=())
    operator.register_fake(kernel)
    operator.register_autograd(backward, setup_context=keep)
    return operator
