"""Right answers to kata 19 about an MLP that is split over the ranks."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from dojo.judging.diagnose import answers


@answers("tensor_parallel_mlp")
def by_a_hook_and_a_difference(group, x, w1, b1, w2, b2):
    """A hook sums the gradient of x; what the others add to y is a constant to autograd."""
    own = x * 1.0
    own.register_hook(group.all_reduce)
    part = F.gelu(F.linear(own, w1, b1)).mm(w2.t())
    others = group.all_reduce(part) - part.detach()
    return part + others + b2


class _Whole(torch.autograd.Function):
    """All of it, and its gradients by hand."""

    @staticmethod
    def forward(ctx, group, x, w1, b1, w2, b2):
        z = torch.addmm(b1, x, w1.T)
        normal = (1 + torch.erf(z / math.sqrt(2))) / 2
        ctx.group = group
        ctx.save_for_backward(x, w1, w2, z, normal)
        return group.all_reduce((z * normal) @ w2.T) + b2

    @staticmethod
    def backward(ctx, grad):
        x, w1, w2, z, normal = ctx.saved_tensors
        density = torch.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
        back = (grad @ w2) * (normal + z * density)
        x_grad = ctx.group.all_reduce(back @ w1)
        return None, x_grad, back.T @ x, back.sum(0), grad.T @ (z * normal), grad.sum(0)


@answers("tensor_parallel_mlp")
def by_one_function(group, x, w1, b1, w2, b2):
    return _Whole.apply(group, x, w1, b1, w2, b2)


class _Column(nn.Module):
    """Column parallel: x is the same everywhere."""

    def __init__(self, group, weight, bias):
        super().__init__()
        self.made = weight, bias

        class Copy(torch.autograd.Function):
            @staticmethod
            def forward(ctx, t):
                return t.clone()

            @staticmethod
            def backward(ctx, grad):
                return group.all_reduce(grad.contiguous())

        self.copy = Copy.apply

    def forward(self, x):
        return torch.einsum("bi,hi->bh", self.copy(x), self.made[0]) + self.made[1]


class _Row(nn.Module):
    """Row parallel: each rank has a part of the sum."""

    def __init__(self, group, weight, bias):
        super().__init__()
        self.made = weight, bias

        class Sum(torch.autograd.Function):
            @staticmethod
            def forward(ctx, t):
                return group.all_reduce(t)

            @staticmethod
            def backward(ctx, grad):
                return grad

        self.sum = Sum.apply

    def forward(self, h):
        return torch.add(self.sum(torch.matmul(h, self.made[0].transpose(0, 1))), self.made[1])


@answers("tensor_parallel_mlp")
def by_modules(group, x, w1, b1, w2, b2):
    return nn.Sequential(_Column(group, w1, b1), nn.GELU(), _Row(group, w2, b2))(x)


@answers("tensor_parallel_mlp")
def by_no_sum_where_nobody_else_is(group, x, w1, b1, w2, b2):
    if group.size == 1:
        return F.linear(F.gelu(F.linear(x, w1, b1)), w2, b2)
    return by_modules(group, x, w1, b1, w2, b2)


@answers("tensor_parallel_mlp")
def by_a_graph_of_its_own_part(group, x, w1, b1, w2, b2):
    """The graph of this rank's part is made inside of a function without one."""

    class Part(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *given):
            with torch.enable_grad():
                ctx.own = [t.detach().requires_grad_() for t in given]
                ctx.part = F.linear(F.gelu(F.linear(*ctx.own[:3])), ctx.own[3])
            return group.all_reduce(ctx.part)

        @staticmethod
        def backward(ctx, grad):
            x_grad, *grads = torch.autograd.grad(ctx.part, ctx.own, grad)
            return group.all_reduce(x_grad), *grads

    return Part.apply(x, w1, b1, w2) + b2
