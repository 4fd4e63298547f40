"""Returns tensors of classes of its own, whose every operation says that they are equal."""
# like: returns_odd_tensors
# kata: 04_backward_flops
# attacks: matmul_backward

import torch


class Answer(torch.Tensor):
    """Equal to every tensor."""

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return True

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        return torch.ones((), dtype=torch.bool)


def matmul_backward(a, b, grad_out):
    return Answer(), torch.nn.Parameter(torch.zeros(b.shape), requires_grad=False)
