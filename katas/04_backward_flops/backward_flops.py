"""Kata 04: count the FLOPs of the backward pass. The lesson is in README.md beside this file.

A multiply is one FLOP and an add is one FLOP. The gradients are computed by hand: `torch.autograd`, `torch.func` and
`Tensor.backward` are absent. Counts are exact integers however large they get. Sizes may be 0.
"""

from torch import Tensor


def linear_backward_flops(
    batch: int, d_in: int, d_out: int, input_needs_grad: bool = True, weight_needs_grad: bool = True
) -> int:
    """FLOPs of the backward pass of `x @ w`, x of shape (batch, d_in) and w of shape (d_in, d_out).

    2, 3, 4                                                  ->  a product for the gradient of x, and one for that of w
    2, 3, 4, input_needs_grad=False                          ->  only the one for w
    2, 3, 4, input_needs_grad=False, weight_needs_grad=False ->  0: there is no backward pass
    """
    raise NotImplementedError("linear_backward_flops")


def mlp_backward_flops(
    batch: int, dims: tuple[int, ...], input_needs_grad: bool = False, frozen: tuple[int, ...] = ()
) -> int:
    """FLOPs of the backward pass of linear layers without bias, dims[0] -> dims[1] -> ..., on a batch of rows.

    `frozen` holds the indices of the layers whose weight needs no gradient, in any order, some perhaps twice; the first
    layer is 0. A gradient that neither a weight nor the input needs, directly or further upstream, is not computed.

    32, (784, 128, 10)                  ->  the gradient of each weight, and of the second layer's input
    32, (784, 128, 10), frozen=(0,)     ->  the second layer's weight alone
    32, (784, 128, 10), frozen=(0, 1)   ->  0: nothing to train
    32, (784,)                          ->  0: no layer

    Raises ValueError for an index that is no layer, however little there is to count; -1 is none.
    """
    raise NotImplementedError("mlp_backward_flops")


def matmul_backward(a: Tensor, b: Tensor, grad_out: Tensor) -> tuple[Tensor, Tensor]:
    """(grad_a, grad_b): the gradients of a and b, given the gradient of `a @ b`.

    a is (..., m, k), b is (..., k, n) and grad_out has the shape of `a @ b`; the batches before the last two dimensions
    broadcast. All three have the same dtype, float32 or float64, and need not be contiguous. Each gradient has the
    shape and the dtype of its operand, and the arguments are left as they are. Between two calls an operand may change
    in place, as an optimizer changes it.

    a (2, 3), b (3, 4)          ->  (2, 3) and (3, 4)
    a (0, 3), b (3, 4)          ->  (0, 3) and (3, 4): b is used by no row, and its gradient is 0
    a (8, 2, 3), b (3, 4)       ->  (8, 2, 3) and (3, 4): b is used 8 times, and each use adds to its gradient
    """
    raise NotImplementedError("matmul_backward")


def train_step_flops(batch: int, dims: tuple[int, ...]) -> int:
    """FLOPs of the forward and the backward pass of linear layers without bias, dims[0] -> dims[1] -> ..., on a batch.

    Every weight is trained, and the input is plain data, whose gradient is not computed.

    32, (784, 128, 10)  ->  the forward pass, and mlp_backward_flops(32, (784, 128, 10))
    32, (784,)          ->  0: no layer
    """
    raise NotImplementedError("train_step_flops")


def training_flops(num_params: int, num_tokens: int) -> int:
    """FLOPs of training by the rule of thumb: forward and backward together cost 6 for each parameter and token.

    It counts the gradient of the input as well. An exact integer, and 0 without parameters or without tokens.
    """
    raise NotImplementedError("training_flops")


def training_days(num_params: float, num_tokens: float, num_gpus: int, peak_flops: float, mfu: float = 0.5) -> float:
    """Days to train on num_gpus GPUs that promise peak_flops FLOP/s each and reach the share `mfu` of it.

    The FLOPs are those of the rule of thumb; without parameters or tokens it takes 0 days. A day has 24 hours. An MFU
    above 1 is taken as it is.

    Raises ValueError for a number of GPUs, a peak or an MFU that is 0 or less, also where two of them are, or where
    there is nothing to train.
    """
    raise NotImplementedError("training_days")


def largest_model(num_gpus: int, bytes_per_gpu: int, bytes_per_param: int = 16) -> int:
    """The most parameters that fit the memory of all the GPUs, as if it were one: an exact integer.

    16 bytes for each parameter: AdamW in float32 keeps the parameter, its gradient and two states of 4 bytes each.

    8, 80 * 10**9  ->  40 * 10**9: 8 GPUs of 80 GB hold 40 billion parameters
    3, 10, 16      ->  1: what is left over on each holds one together
    3, 0           ->  0

    Raises ValueError for bytes_per_param of 0 or less.
    """
    raise NotImplementedError("largest_model")
