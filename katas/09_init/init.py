"""Kata 09: draw the weights that a training begins with. The lesson is in README.md beside this file.

torch.nn.init is absent, and so are nn.Linear and what else torch.nn.modules.linear holds but Identity. nn.Module,
nn.Parameter, nn.ModuleList and torch.nn.functional are there.

Weights have torch's layout: (out, in) of a linear layer, (out, in, *kernel) of a convolution without groups. A shape is
a tuple of sizes, each 1 or more unless a function says otherwise. What kind of float a number comes as does not matter
where a float is promised: an int of that value will do.

"All randomness comes from the generator" means: the same state of the generator gives the same numbers, whatever torch,
numpy and Python have drawn before; a second call with it gives other numbers; and the global states of torch, numpy and
Python are afterwards what they were. Without a generator all randomness comes from torch's global one, which
torch.manual_seed sets. Which numbers a seed gives, and how many are drawn for them, is left to you.
"""

import torch
from torch import Tensor, nn

Shape = tuple[int, ...]


def fans(shape: Shape) -> tuple[int, int]:
    """(fan_in, fan_out) of a weight: how many inputs one output is made of, and how many outputs one input goes into.

    A convolution's are those of a place far from all borders, with stride 1.

    (3, 4)           ->  (4, 3): a linear layer of 4 inputs and 3 outputs
    (3, 4, 5)        ->  (20, 15): the same at 5 places
    (8, 2, 3, 3)     ->  (18, 72)

    Exact, also where float32 is not. Raises ValueError for fewer than two dimensions.
    """
    raise NotImplementedError("fans")


def init_std(shape: Shape, scheme: str) -> float:
    """The standard deviation that a scheme gives to the numbers of a weight of this shape.

    "scaled"    1 / √fan_in
    "xavier"    √(2 / (fan_in + fan_out))
    "kaiming"   √(2 / fan_in)

    (3, 4), "scaled"         ->  0.5
    (8, 2, 3, 3), "xavier"   ->  √(2 / 90) = 0.149…
    (3, 8), "kaiming"        ->  0.5

    Right to 12 digits. Raises ValueError for any other scheme ("Xavier" and "he" are others), and for a shape of fewer
    than two dimensions.
    """
    raise NotImplementedError("init_std")


def uniform_bound(std: float) -> float:
    """The a for which numbers drawn evenly from between -a and a have this standard deviation, which is 0 or more.

    1.0  ->  1.732…
    0.0  ->  0.0

    Right to 12 digits.
    """
    raise NotImplementedError("uniform_bound")


def truncated_std(cut: float) -> float:
    """The standard deviation of standard normal numbers of which only those from -cut to cut are kept.

    1.0  ->  0.5396
    2.0  ->  0.8796
    3.0  ->  0.9866

    Right to a relative 1e-6, for a cut from 0.1 to 8. Raises ValueError for a cut of 0 or less.
    """
    raise NotImplementedError("truncated_std")


def truncated_normal(shape: Shape, std: float, cut: float, generator: torch.Generator | None = None) -> Tensor:
    """A new float32 tensor of independent normal numbers with mean 0, those beyond ±cut · std drawn again.

    std is the standard deviation before the cut, and cut is counted in these. None of the numbers lies beyond, but for
    the rounding of float32, nor do they pile up at the edge: each has the distribution that is left of the normal one
    when what lies beyond is taken away. It is narrower, and is not widened again to std. However you come by that
    distribution is fine.

    The shape may be () or have sizes of 0. A std of 0 gives zeros. Of the cuts above 0 none is below 0.1. The tensor
    lies on the CPU and does not require grad.

    All randomness comes from the generator, which is one of the CPU, as the head of this file says.

    Raises ValueError for std < 0 and for cut <= 0, whatever the shape.
    """
    raise NotImplementedError("truncated_normal")


def output_std(dims: Shape, stds: list[float]) -> float:
    """The root mean square of what comes out of linear layers, one after the other, as it is expected to be.

    The layers lead from dims[0] numbers to dims[1], from there to dims[2] and so on, without biases or anything in
    between; the weights of layer i are independent, with mean 0 and standard deviation stds[i], which is 0 or more; the
    inputs have a root mean square of 1.

    (16, 64), [1.0]              ->  4.0: each output is a sum of 16 products
    (16, 64, 64), [0.25, 0.5]    ->  1.0 after the first layer, 4.0 after the second
    (16,), []                    ->  1.0: no layer

    dims has one size or more. Right to 9 digits.

    Raises ValueError unless there is one standard deviation for each layer.
    """
    raise NotImplementedError("output_std")


class Linear(nn.Module):
    """A linear layer without bias: x (…, in_features) -> (…, out_features), for any dimensions …, none and 0 included.

    Its state_dict has one entry, "weight", of shape (out_features, in_features), which is its only parameter, float32
    at first; so the state_dict of torch's own layer without bias can be loaded, and goes the other way. Gradients flow
    to the weight and to x. After `.double()` it computes in float64, and after `.to(device)` there, each output to a
    relative 1e-9 of the largest.

    The numbers of the weight are truncated normal with the standard deviation 1 / √in_features, cut at 3 of these.
    All randomness comes from the generator, which is one of the CPU, as the head of this file says.
    """

    def __init__(self, in_features: int, out_features: int, generator: torch.Generator | None = None) -> None:
        raise NotImplementedError("Linear")

    def forward(self, x: Tensor) -> Tensor:
        """x times the weight, by the last dimension."""
        raise NotImplementedError("Linear.forward")


class Cruncher(nn.Module):
    """The deep linear model: num_layers layers dim -> dim, then one dim -> 1: x (…, dim) -> (…).

    Nothing stands between the layers. Of the result only the last dimension goes: a batch of 1 stays (1,). num_layers
    may be 0, and dim is 1 or more; … may be any dimensions, none and 0 included.

    Its state_dict has the entries "layers.0.weight", "layers.1.weight", … of shape (dim, dim), and "final.weight" of
    shape (1, dim); these are its parameters, dim² · num_layers + dim numbers together, float32 at first. Gradients flow
    to each of them and to x. After `.double()` it computes in float64, and after `.to(device)` there, each output to a
    relative 1e-9 of the largest.

    Each weight is drawn for itself, as that of `Linear`: truncated normal with the standard deviation 1 / √dim, cut at
    3 of these. All randomness comes from the generator, which is one of the CPU, as the head of this file says.
    """

    def __init__(self, dim: int, num_layers: int, generator: torch.Generator | None = None) -> None:
        raise NotImplementedError("Cruncher")

    def forward(self, x: Tensor) -> Tensor:
        """x through all the layers."""
        raise NotImplementedError("Cruncher.forward")
