"""Right answers to kata 21 about layers."""
# mypy: ignore-errors

import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from dojo.judging.diagnose import answers

# linear


class _Einsum(Function):
    @staticmethod
    def forward(x, weight, bias):
        return F.linear(x, weight, bias)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, weight, bias = inputs
        kept = {"x": x} if weight.requires_grad else {}
        if x.requires_grad:
            kept["weight"] = weight
        ctx.names = tuple(kept)
        ctx.save_for_backward(*kept.values())

    @staticmethod
    def backward(ctx, grad):
        kept = dict(zip(ctx.names, ctx.saved_tensors, strict=True))
        for_x = torch.einsum("no,oi->ni", grad, kept["weight"]) if "weight" in kept else None
        for_weight = torch.einsum("no,ni->oi", grad, kept["x"]) if "x" in kept else None
        return for_x, for_weight, grad.sum(dim=0) if ctx.needs_input_grad[2] else None


@answers("linear")
def linear_by_einsum(x, weight, bias=None):
    return _Einsum.apply(x, weight, bias)


class _Plain(Function):
    @staticmethod
    def forward(ctx, x, weight):
        left, right = ctx.needs_input_grad
        ctx.save_for_backward(*((weight,) if left else ()), *((x,) if right else ()))
        return torch.mm(x, weight.t())

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        kept = list(ctx.saved_tensors)
        left, right = ctx.needs_input_grad
        first = grad.mm(kept.pop(0)) if left else None
        return first, grad.t().mm(kept.pop(0)) if right else None


class _Biased(Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        left, right, _ = ctx.needs_input_grad
        ctx.save_for_backward(*((weight,) if left else ()), *((x,) if right else ()))
        return torch.addmm(bias, x, weight.t())

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        kept = list(ctx.saved_tensors)
        left, right, last = ctx.needs_input_grad
        first = grad.mm(kept.pop(0)) if left else None
        second = grad.t().mm(kept.pop(0)) if right else None
        return first, second, grad.sum(0) if last else None


@answers("linear")
def linear_by_two_functions(x, weight, bias=None):
    return _Plain.apply(x, weight) if bias is None else _Biased.apply(x, weight, bias)


class _Transposed(Function):
    @staticmethod
    def forward(ctx, x, turned, bias):
        ctx.save_for_backward(x if ctx.needs_input_grad[1] else None, turned if ctx.needs_input_grad[0] else None)
        return x @ turned + (0 if bias is None else bias)

    @staticmethod
    def backward(ctx, grad):
        x, turned = ctx.saved_tensors
        grads = [None if turned is None else grad @ turned.T, None if x is None else x.T @ grad]
        return *grads, grad.sum(0) if ctx.needs_input_grad[2] else None


@answers("linear")
def linear_by_a_transposed_weight(x, weight, bias=None):
    return _Transposed.apply(x, weight.T, bias)


# swiglu


def _again(function, tensors, grad):
    with torch.enable_grad():
        leaves = [tensor.detach().requires_grad_() for tensor in tensors]
        return torch.autograd.grad(function(*leaves), leaves, grad)


def _swiglu(gate, up):
    return F.silu(gate) * up


class _Recomputes(Function):
    @staticmethod
    def forward(ctx, gate, up):
        ctx.save_for_backward(gate, up)
        return _swiglu(gate, up)

    @staticmethod
    def backward(ctx, grad):
        return _again(_swiglu, ctx.saved_tensors, grad)


@answers("swiglu")
def swiglu_by_autograd(gate, up):
    return _Recomputes.apply(gate, up)


class _Factors(Function):
    """Two factors, which are numbers: no g of a second pass requires grad, which refuses it."""

    @staticmethod
    def forward(ctx, gate, up):
        share = torch.sigmoid(gate)
        silu = gate * share
        ctx.save_for_backward(up * (share * (1 + gate * (1 - share))), silu)
        return silu * up

    @staticmethod
    def backward(ctx, grad):
        for_gate, for_up = ctx.saved_tensors
        return grad * for_gate, grad * for_up


@answers("swiglu")
def swiglu_by_its_factors(gate, up):
    return _Factors.apply(gate, up)


class _Forth(Function):
    @staticmethod
    def forward(ctx, gate, up):
        ctx.save_for_backward(gate, up)
        return gate / (1 + torch.exp(-gate)) * up

    @staticmethod
    def backward(ctx, grad):
        return _Back.apply(grad, *ctx.saved_tensors)


class _Back(Function):
    @staticmethod
    def forward(ctx, grad, gate, up):
        ctx.save_for_backward(grad, gate, up)
        s = torch.sigmoid(gate)
        return grad * up * s * (1 + gate * (1 - s)), grad * gate * s

    @staticmethod
    def backward(ctx, for_gate, for_up):
        grad, gate, up = ctx.saved_tensors
        s = torch.sigmoid(gate)
        slope = s * (1 - s)
        first, second = s + gate * slope, slope * (2 + gate * (1 - 2 * s))
        to_grad = for_gate * up * first + for_up * gate * s
        return to_grad, for_gate * grad * up * second + for_up * grad * first, for_gate * grad * first


@answers("swiglu")
def swiglu_by_a_function_for_each_pass(gate, up):
    return _Forth.apply(gate, up)


# rms_norm


class _KeepsRoots(Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        root = torch.sqrt((x * x).sum(-1, keepdim=True) / x.shape[-1] + eps)
        ctx.save_for_backward(x, weight, root)
        return x / root * weight

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        x, weight, root = ctx.saved_tensors
        normed, scaled = x / root, grad * weight
        needs = ctx.needs_input_grad
        dot = (scaled * normed).sum(-1, keepdim=True) / x.shape[-1]
        for_weight = (grad * normed).reshape(-1, x.shape[-1]).sum(0) if needs[1] else None
        return (scaled - normed * dot) / root if needs[0] else None, for_weight, None


@answers("rms_norm")
def rms_norm_by_saved_roots(x, weight, eps=1e-6):
    return _KeepsRoots.apply(x, weight, eps)


class _Torchs(Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        ctx.save_for_backward(x, weight)
        ctx.norm = lambda x, weight: F.rms_norm(x, weight.shape, weight, eps)
        return ctx.norm(x, weight)

    @staticmethod
    def backward(ctx, grad):
        return *_again(ctx.norm, ctx.saved_tensors, grad), None


@answers("rms_norm")
def rms_norm_by_autograd(x, weight, eps=1e-6):
    return _Torchs.apply(x, weight, eps)


class _Twice(Function):
    """What it recomputes is part of the graph, if one is made."""

    @staticmethod
    def forward(ctx, x, weight, eps):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return x * weight * (x.pow(2).mean(-1, keepdim=True) + eps) ** -0.5

    @staticmethod
    def backward(ctx, grad):
        create = torch.is_grad_enabled()
        x, weight = ctx.saved_tensors
        with torch.enable_grad():
            copies = [t.view_as(t) if t.requires_grad else t.detach().requires_grad_() for t in (x, weight)]
            y = copies[0] * copies[1] * (copies[0].pow(2).mean(-1, keepdim=True) + ctx.eps) ** -0.5
            grads = torch.autograd.grad(y, copies, grad, create_graph=create)
        return *grads, None


@answers("rms_norm")
def rms_norm_by_a_graph_in_the_backward(x, weight, eps=1e-6):
    return _Twice.apply(x, weight, eps)
