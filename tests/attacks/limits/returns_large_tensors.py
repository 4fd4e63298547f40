"""Returns tensors of as many bytes as a frame may have, of which whoever writes them down writes each number."""
# like: says_a_million_digits
# kata: 04_backward_flops
# attacks: matmul_backward
# seconds: 10

import torch


def matmul_backward(a, b, grad_out):
    return torch.rand(2**22), torch.zeros(2**24, dtype=torch.bool)
