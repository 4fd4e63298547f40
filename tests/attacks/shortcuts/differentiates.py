"""Lets autograd answer: by backward, by grad, by its functional forms, in forward mode, and by importing it anew."""
# kata: 04_backward_flops
# attacks: matmul_backward

import importlib
import sys

import torch


def _graph(a, b):
    a, b = a.clone().requires_grad_(), b.clone().requires_grad_()
    return a, b, a @ b


def _by_backward(a, b, grad_out):
    a, b, out = _graph(a, b)
    out.backward(grad_out)
    return a.grad, b.grad


def _by_grad(a, b, grad_out):
    a, b, out = _graph(a, b)
    return torch.autograd.grad(out, (a, b), grad_out)


def _by_import(a, b, grad_out):
    for name in [name for name in sys.modules if name.startswith("torch.autograd")]:
        del sys.modules[name]
    a, b, out = _graph(a, b)
    return importlib.import_module("torch.autograd").grad(out, (a, b), grad_out)


def _by_func(a, b, grad_out):
    return torch.func.vjp(torch.matmul, a, b)[1](grad_out)


def _by_functional(a, b, grad_out):
    return torch.autograd.functional.vjp(torch.matmul, (a, b), grad_out)[1]


WAYS = [_by_backward, _by_grad, _by_func, _by_functional, _by_import]


def matmul_backward(a, b, grad_out):
    with torch.inference_mode(False), torch.enable_grad():
        a, b, grad_out = a.clone(), b.clone(), grad_out.clone()
        for way in WAYS:
            try:
                return tuple(x.detach() for x in way(a, b, grad_out))
            except Exception as error:
                refused = error
    raise refused
