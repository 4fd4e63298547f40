"""Lets autograd answer from TorchScript, which differentiates by itself, and from threads, which have modes of their own."""
# like: differentiates
# kata: 04_backward_flops
# attacks: matmul_backward
# seconds: 20

import contextlib
import threading

import torch

CODE = """
def grads(a: Tensor, b: Tensor, g: Tensor):
    given: List[Optional[Tensor]] = [g]
    found = torch.autograd.grad([a @ b], [a, b], given)
    one, other = found[0], found[1]
    assert one is not None and other is not None
    return one, other

def walk(a: Tensor, b: Tensor, g: Tensor):
    out = a @ b
    out.backward(g)
    return a.grad, b.grad
"""


def _by_scripts(a, b, grad_out):
    unit = torch.jit.CompilationUnit(CODE)
    for name in ("grads", "walk"):
        with contextlib.suppress(Exception):
            return getattr(unit, name)(a.clone().requires_grad_(), b.clone().requires_grad_(), grad_out)
    raise LookupError("no script")


def _by_graph(a, b, grad_out):
    product = torch.jit.trace(lambda a, b: a @ b, (a, b))
    gradient = torch._C._jit_differentiate(product.graph)
    return torch._C._create_function_from_graph("df", gradient.df)(grad_out, a, b)


def _by_op(a, b, grad_out):
    a, b = a.clone().requires_grad_(), b.clone().requires_grad_()
    torch.ops.aten._backward(a @ b, [a, b], grad_out)
    return a.grad, b.grad


def _by_context(a, b, grad_out):
    class Keep(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            Keep.node = ctx
            return x.clone()

    Keep.apply(a.clone().requires_grad_() @ b.clone().requires_grad_())
    return Keep.node.next_functions[0][0](grad_out)


def matmul_backward(a, b, grad_out):
    found = []

    def answer():
        for way in (_by_graph, _by_context, _by_op, _by_scripts):
            with torch.enable_grad(), contextlib.suppress(Exception):
                grads = way(a.clone(), b.clone(), grad_out.clone())
                found.append(tuple(x.detach() for x in grads))

    with torch.inference_mode(False):
        a, b, grad_out = a.clone(), b.clone(), grad_out.clone()
    thread = threading.Thread(target=answer)
    thread.start()
    thread.join()
    return found[0]
