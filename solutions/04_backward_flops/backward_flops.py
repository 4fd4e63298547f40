"""Kata 04 solved."""

from itertools import pairwise

from torch import Tensor


def linear_backward_flops(
    batch: int, d_in: int, d_out: int, input_needs_grad: bool = True, weight_needs_grad: bool = True
) -> int:
    """Count one product for each gradient, as large as the forward pass."""
    return 2 * batch * d_in * d_out * (input_needs_grad + weight_needs_grad)


def mlp_backward_flops(
    batch: int, dims: tuple[int, ...], input_needs_grad: bool = False, frozen: tuple[int, ...] = ()
) -> int:
    """Walk from the first layer to the last, and track whether anything so far needs a gradient."""
    layers = len(dims) - 1
    for index in frozen:
        if not 0 <= index < layers:
            raise ValueError(f"frozen layer {index} is none of the {layers} layers")
    total = 0
    needed = input_needs_grad
    for index, (d_in, d_out) in enumerate(pairwise(dims)):
        trained = index not in frozen
        total += linear_backward_flops(batch, d_in, d_out, needed, trained)
        needed = needed or trained
    return total


def matmul_backward(a: Tensor, b: Tensor, grad_out: Tensor) -> tuple[Tensor, Tensor]:
    """Compute the one product that has the right shape, and sum over the uses of a broadcast operand."""
    return (grad_out @ b.mT).sum_to_size(a.shape), (a.mT @ grad_out).sum_to_size(b.shape)


def train_step_flops(batch: int, dims: tuple[int, ...]) -> int:
    """Add one product for each layer, the forward pass, to the backward pass."""
    return sum(2 * batch * d_in * d_out for d_in, d_out in pairwise(dims)) + mlp_backward_flops(batch, dims)


def training_flops(num_params: int, num_tokens: int) -> int:
    """Count 2 forward and 4 backward."""
    return 6 * num_params * num_tokens


def training_days(num_params: float, num_tokens: float, num_gpus: int, peak_flops: float, mfu: float = 0.5) -> float:
    """Divide the work by what all GPUs really do in a day."""
    for name, value in (("num_gpus", num_gpus), ("peak_flops", peak_flops), ("mfu", mfu)):
        if value <= 0:
            raise ValueError(f"{name} must be above 0, not {value}")
    return 6 * num_params * num_tokens / (num_gpus * peak_flops * mfu * 86_400)


def largest_model(num_gpus: int, bytes_per_gpu: int, bytes_per_param: int = 16) -> int:
    """Return how often a parameter, with everything that belongs to it, fits in the memory."""
    if bytes_per_param <= 0:
        raise ValueError(f"bytes_per_param must be above 0, not {bytes_per_param}")
    return num_gpus * bytes_per_gpu // bytes_per_param
