"""Kata 04: count the FLOPs of the backward pass. The lesson is in README.md beside this file.

A multiply is one FLOP and an add is one FLOP. Compute the gradients by hand: `torch.autograd`, `torch.func` and
`Tensor.backward` are not available. Counts are exact integers, however large they get. Sizes may be 0.
"""

from torch import Tensor


def linear_backward_flops(
    batch: int, d_in: int, d_out: int, input_needs_grad: bool = True, weight_needs_grad: bool = True
) -> int:
    """Return the FLOPs of the backward pass of `x @ w`, with x of shape (batch, d_in) and w of shape (d_in, d_out).

    2, 3, 4                                                  ->  a product for the gradient of x, and one for that of w
    2, 3, 4, input_needs_grad=False                          ->  only the one for w
    2, 3, 4, input_needs_grad=False, weight_needs_grad=False ->  0: there is no backward pass
    """
    raise NotImplementedError("linear_backward_flops")


def mlp_backward_flops(
    batch: int, dims: tuple[int, ...], input_needs_grad: bool = False, frozen: tuple[int, ...] = ()
) -> int:
    """Return the backward FLOPs of linear layers without bias, dims[0] -> dims[1] -> ..., on a batch of rows.

    `frozen` holds the indices of the layers whose weight needs no gradient, in any order. Some may occur twice. The
    first layer is 0. A gradient is not computed if neither a weight nor the input needs it, directly or further
    upstream.

    32, (784, 128, 10)                  ->  the gradient of each weight, and of the second layer's input
    32, (784, 128, 10), frozen=(0,)     ->  the second layer's weight alone
    32, (784, 128, 10), frozen=(0, 1)   ->  0: nothing to train
    32, (784,)                          ->  0: no layer

    Raises ValueError for an index that is not a layer, such as -1, however little there is to count.
    """
    raise NotImplementedError("mlp_backward_flops")


def matmul_backward(a: Tensor, b: Tensor, grad_out: Tensor) -> tuple[Tensor, Tensor]:
    """Return (grad_a, grad_b), the gradients of a and b, given the gradient of `a @ b`.

    a is (..., m, k), b is (..., k, n), and grad_out has the shape of `a @ b`. The batch dimensions before the last two
    broadcast. All three have the same dtype, float32 or float64, and need not be contiguous. Each gradient has the
    shape and the dtype of its operand. The arguments stay unchanged, and so do the results of earlier calls. An operand
    may change in place between two calls, as when an optimizer updates it.

    a (2, 3), b (3, 4)          ->  (2, 3) and (3, 4)
    a (0, 3), b (3, 4)          ->  (0, 3) and (3, 4): b is used by no row, and its gradient is 0
    a (8, 2, 3), b (3, 4)       ->  (8, 2, 3) and (3, 4): b is used 8 times, and each use adds to its gradient
    """
    raise NotImplementedError("matmul_backward")


def train_step_flops(batch: int, dims: tuple[int, ...]) -> int:
    """Return the forward and backward FLOPs of linear layers without bias, dims[0] -> dims[1] -> ..., on a batch.

    Both passes are added up. Every weight is trained. The input is plain data, whose gradient is not computed.

    32, (784, 128, 10)  ->  the forward pass, and mlp_backward_flops(32, (784, 128, 10))
    32, (784,)          ->  0: no layer
    """
    raise NotImplementedError("train_step_flops")


def training_flops(num_params: int, num_tokens: int) -> int:
    """Return the FLOPs of training by the rule of thumb: 6 for each parameter and token, forward and backward together.

    The rule counts the gradient of the input too. The result is an exact integer, and 0 if there are no parameters or
    no tokens.
    """
    raise NotImplementedError("training_flops")


def training_days(num_params: float, num_tokens: float, num_gpus: int, peak_flops: float, mfu: float = 0.5) -> float:
    """Return the days to train on num_gpus GPUs that promise peak_flops FLOP/s each and reach the fraction `mfu` of it.

    The FLOPs are those of the rule of thumb. Without parameters or tokens, training takes 0 days. A day has 24 hours.
    An MFU above 1 is used as it is.

    Raises ValueError if the number of GPUs, the peak or the MFU is 0 or less, even when two of them are, and even when
    there is nothing to train.
    """
    raise NotImplementedError("training_days")


def largest_model(num_gpus: int, bytes_per_gpu: int, bytes_per_param: int = 16) -> int:
    """Return the most parameters that fit in the memory of all GPUs, as if it were one memory: an exact integer.

    The default is 16 bytes for each parameter: AdamW in float32 keeps the parameter, its gradient and two states, each
    of 4 bytes.

    8, 80 * 10**9  ->  40 * 10**9: 8 GPUs of 80 GB hold 40 billion parameters
    3, 10, 16      ->  1: what is left over on each holds one together
    3, 0           ->  0

    Raises ValueError for a bytes_per_param of 0 or less.
    """
    raise NotImplementedError("largest_model")
