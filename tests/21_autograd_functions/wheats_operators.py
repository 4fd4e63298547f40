"""Right answers to kata 21 about an operator of torch's library."""
# mypy: ignore-errors

import torch
from torch import Tensor
from torch.nn import functional as F

from dojo.judging.diagnose import answers

# define_swiglu


@answers("define_swiglu")
def define_by_parts(name):
    space, short = name.split("::")
    torch.library.define(name, "(Tensor gate, Tensor up) -> Tensor")

    def same(gate, up):
        if tuple(gate.shape) != tuple(up.shape):
            raise ValueError("gate and up differ")

    @torch.library.impl(name, "CompositeExplicitAutograd")
    def kernel(gate, up):
        same(gate, up)
        return (F.silu(gate) * up).contiguous()

    @torch.library.register_fake(name)
    def fake(gate, up):
        same(gate, up)
        return torch.empty(gate.shape, dtype=gate.dtype, device=gate.device)

    def backward(ctx, grad):
        gate, up = ctx.saved_tensors
        s = torch.sigmoid(gate)
        return grad * up * (s * (1 + gate * (1 - s))), grad * gate * s

    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    torch.library.register_autograd(name, backward, setup_context=setup_context)
    return getattr(getattr(torch.ops, space), short)


@answers("define_swiglu")
def define_and_recompute(name):
    def kernel(gate: Tensor, up: Tensor) -> Tensor:
        if gate.size() != up.size():
            raise ValueError("other sizes")
        return torch.nn.functional.silu(gate).mul(up)

    def setup(ctx, inputs, output):
        gate, up = inputs
        ctx.save_for_backward(gate, up)

    def backward(ctx, grad):
        gate, up = ctx.saved_tensors
        with torch.enable_grad():
            leaves = gate.detach().requires_grad_(), up.detach().requires_grad_()
            return torch.autograd.grad(F.silu(leaves[0]) * leaves[1], leaves, grad)

    op = torch.library.custom_op(name, kernel, mutates_args=())
    torch.library.register_fake(name, kernel)
    torch.library.register_autograd(name, backward, setup_context=setup)
    return op


@answers("define_swiglu")
def define_two_operators(name):
    def check(a, b):
        if len(a.shape) != len(b.shape) or any(m != n for m, n in zip(a.shape, b.shape, strict=True)):
            raise ValueError(f"{a.shape} and {b.shape}")

    @torch.library.custom_op(name, mutates_args=(), schema="(Tensor gate, Tensor up) -> Tensor")
    def forward(gate, up):
        check(gate, up)
        out = torch.empty_like(gate)
        torch.mul(gate.sigmoid() * gate, up, out=out)
        return out

    @forward.register_fake
    def _(gate, up):
        check(gate, up)
        return torch.empty_like(gate)

    @torch.library.custom_op(f"{name}_backward", mutates_args=(), schema="(Tensor g, Tensor a, Tensor u) -> Tensor[]")
    def back(g, a, u):
        s = a.sigmoid()
        return [g * u * (s + a * s * (1 - s)), g * a * s]

    @back.register_fake
    def _(g, a, u):
        return [g * u * a, g * a]

    def formula(ctx, grad):
        return tuple(back(grad, *ctx.saved_tensors))

    forward.register_autograd(formula, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs))
    return getattr(getattr(torch.ops, name.partition("::")[0]), name.partition("::")[2]).default
