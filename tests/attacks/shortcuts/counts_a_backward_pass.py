"""Lets torch's counter count what autograd does, by its context manager and by a dispatch mode of its own."""
# like: counts_with_torch
# kata: 04_backward_flops
# attacks: linear_backward_flops, mlp_backward_flops, train_step_flops

from itertools import pairwise

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class Counter(TorchDispatchMode):
    """Counts products."""

    def __init__(self):
        super().__init__()
        self.flops = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if "mm" in str(function):
            self.flops += 2 * args[0].numel() * args[1].shape[-1]
        return function(*args, **(kwargs or {}))


def _counted(batch, dims, needs):
    with torch.inference_mode(False), torch.enable_grad():
        x = torch.empty(batch, dims[0], requires_grad=needs[0], device="meta")
        out = x
        for pair in pairwise(dims):
            out = out @ torch.empty(*pair, requires_grad=needs[1], device="meta")
        try:
            from torch.utils.flop_counter import FlopCounterMode

            counter = FlopCounterMode(display=False)
        except BaseException:
            counter = Counter()
        with counter:
            if out.requires_grad:
                out.backward(torch.empty_like(out))
        return counter.get_total_flops() if hasattr(counter, "get_total_flops") else counter.flops


def linear_backward_flops(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    return _counted(batch, (d_in, d_out), (input_needs_grad, weight_needs_grad))


def train_step_flops(batch, dims):
    forward = sum(2 * batch * d_in * d_out for d_in, d_out in pairwise(dims))
    return forward + _counted(batch, dims, (False, True))
