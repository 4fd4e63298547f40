"""Lets torch's own backward kernels answer: a product is a convolution of width 1, and its gradients are named so."""
# like: differentiates
# kata: 04_backward_flops
# attacks: matmul_backward

import torch


def matmul_backward(a, b, grad_out):
    if a.ndim != 2 or b.ndim != 2:
        raise LookupError("for matrices alone")
    (m, k), n = a.shape, b.shape[1]
    data, weight, grad = a.reshape(m, k, 1), b.T.reshape(n, k, 1), grad_out.reshape(m, n, 1)
    settings = None, [1], [0], [1], False, [0], 1, [True, True, False]
    grads = torch.ops.aten.convolution_backward(grad, data, weight, *settings)
    return grads[0].reshape(m, k), grads[1].reshape(n, k).T
