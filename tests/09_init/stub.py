"""Kata 09: draw the weights that training begins with. The lesson is in README.md beside this file.

torch.nn.init is not available, and neither are nn.Linear and the rest of torch.nn.modules.linear, except Identity.
nn.Module, nn.Parameter, nn.ModuleList and torch.nn.functional are available.

Weights have torch's layout: (out, in) for a linear layer, (out, in, *kernel) for a convolution without groups. A shape
is a tuple of sizes, each 1 or more unless a function says otherwise. Where a float is promised, an int of that value or
a subclass of float, such as numpy.float64, will do.

"All randomness comes from the generator" means: the same state of the generator gives the same numbers, whatever torch,
numpy and Python have drawn before; a second call with it gives other numbers; and the global states of torch, numpy and
Python are the same afterwards as before. Without a generator, all randomness comes from torch's global one, which
torch.manual_seed sets. Which numbers a seed gives, and how many are drawn for them, is left to you.
"""

import torch
from torch import Tensor, nn

Shape = tuple[int, ...]


def fans(shape: Shape) -> tuple[int, int]:
    """Return (fan_in, fan_out) of a weight: how many inputs make one output, and how many outputs one input goes into.

    For a convolution, they are those of a place far from all borders, with stride 1.

    (3, 4)           ->  (4, 3): a linear layer of 4 inputs and 3 outputs
    (3, 4, 5)        ->  (20, 15): the same at 5 places
    (8, 2, 3, 3)     ->  (18, 72)

    The result is exact, even where float32 is not. Raises ValueError for fewer than two dimensions.
    """
    raise NotImplementedError("fans")


def init_std(shape: Shape, scheme: str) -> float:
    """Return the standard deviation that a scheme gives to the numbers of a weight of this shape.

    "scaled"    1 / √fan_in
    "xavier"    √(2 / (fan_in + fan_out))
    "kaiming"   √(2 / fan_in)

    (3, 4), "scaled"         ->  0.5
    (8, 2, 3, 3), "xavier"   ->  √(2 / 90) = 0.149…
    (3, 8), "kaiming"        ->  0.5

    Accurate to 12 digits. Raises ValueError for any other scheme (such as "Xavier" or "he"), and for a shape of fewer
    than two dimensions.
    """
    raise NotImplementedError("init_std")


def uniform_bound(std: float) -> float:
    """Return the a for which numbers drawn uniformly between -a and a have this standard deviation, which is 0 or more.

    1.0  ->  1.732…
    0.0  ->  0.0

    Accurate to 12 digits.
    """
    raise NotImplementedError("uniform_bound")


def truncated_std(cut: float) -> float:
    """Return the standard deviation of standard normal numbers if only those from -cut to cut are kept.

    1.0  ->  0.5396
    2.0  ->  0.8796
    3.0  ->  0.9866

    Accurate to a relative 1e-6, for a cut from 0.1 to 8. Raises ValueError for a cut of 0 or less.
    """
    raise NotImplementedError("truncated_std")


def truncated_normal(shape: Shape, std: float, cut: float, generator: torch.Generator | None = None) -> Tensor:
    """Return a new float32 tensor of independent normal numbers with mean 0, with those beyond ±cut · std drawn again.

    std is the standard deviation before the cut, and cut counts these standard deviations. No number lies beyond,
    except by float32 rounding, and none pile up at the edge: each has the normal distribution with everything beyond
    the cut removed. This distribution is narrower, and is not widened to std again. Any way to get it is fine.

    The shape may be () or have sizes of 0. A std of 0 gives zeros. Cuts above 0 are at least 0.1. The tensor is on the
    CPU and does not require grad.

    All randomness comes from the generator, a CPU generator, as the top of this file says.

    Raises ValueError for std < 0 and for cut <= 0, whatever the shape.
    """
    raise NotImplementedError("truncated_normal")


def output_std(dims: Shape, stds: list[float]) -> float:
    """Return the expected root mean square of the output of linear layers, one after the other.

    The layers take dims[0] numbers to dims[1], those to dims[2] and so on, without biases or anything in between. The
    weights of layer i are independent, with mean 0 and standard deviation stds[i], which is 0 or more. The inputs have
    a root mean square of 1.

    (16, 64), [1.0]              ->  4.0: each output is a sum of 16 products
    (16, 64, 64), [0.25, 0.5]    ->  1.0 after the first layer, 4.0 after the second
    (16,), []                    ->  1.0: no layer

    dims has one size or more, and stds is left as it is. Accurate to 9 digits.

    Raises ValueError unless there is one standard deviation for each layer.
    """
    raise NotImplementedError("output_std")


class Linear(nn.Module):
    """A linear layer without bias: x (…, in_features) -> (…, out_features), for any …, including none and sizes of 0.

    Its state_dict has one entry, "weight", of shape (out_features, in_features), which is its only parameter, float32
    at first. So it can load the state_dict of torch's own layer without bias, and the other way round. Gradients flow
    to the weight and to x. After `.double()` it computes in float64, and after `.to(device)` on that device, each
    output to a relative 1e-9 of the largest. Results of earlier calls stay as they are.

    The numbers of the weight are truncated normal with the standard deviation 1 / √in_features, cut at 3 of these.
    All randomness comes from the generator, a CPU generator, as the top of this file says.
    """

    def __init__(self, in_features: int, out_features: int, generator: torch.Generator | None = None) -> None:
        raise NotImplementedError("Linear")

    def forward(self, x: Tensor) -> Tensor:
        """Multiply x by the weight along the last dimension."""
        raise NotImplementedError("Linear.forward")


class Cruncher(nn.Module):
    """The deep linear model: num_layers layers dim -> dim, then one dim -> 1: x (…, dim) -> (…).

    There is nothing between the layers. Only the last dimension of the result is dropped: a batch of 1 stays (1,).
    num_layers may be 0, and dim is 1 or more; … may be any dimensions, including none and sizes of 0.

    Its state_dict has the entries "layers.0.weight", "layers.1.weight", … of shape (dim, dim), and "final.weight" of
    shape (1, dim); these are its parameters, dim² · num_layers + dim numbers in total, float32 at first. Gradients flow
    to each of them and to x. After `.double()` it computes in float64, and after `.to(device)` on that device, each
    output to a relative 1e-9 of the largest. Results of earlier calls stay as they are.

    Each weight is drawn separately, like that of `Linear`: truncated normal with the standard deviation 1 / √dim, cut
    at 3 of these. All randomness comes from the generator, a CPU generator, as the top of this file says.
    """

    def __init__(self, dim: int, num_layers: int, generator: torch.Generator | None = None) -> None:
        raise NotImplementedError("Cruncher")

    def forward(self, x: Tensor) -> Tensor:
        """Pass x through all the layers."""
        raise NotImplementedError("Cruncher.forward")
