"""What torch says of weights: fans that are counted, numbers that its own functions draw by, layers of its own."""

from __future__ import annotations

import functools
import itertools
import math
import warnings
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

from ..shared.described import Lines, execute
from ..shared.shapes import Shape
from .scenarios import on

MOST_PLACES = 11
"""Of a kernel that is counted; torch's own function is asked about larger ones."""

CONVOLUTIONS: dict[int, Any] = {2: F.linear, 3: F.conv1d, 4: F.conv2d, 5: F.conv3d}
"""What a weight of so many dimensions belongs to; torch's own function is asked about more than five."""


@functools.lru_cache(4096)
def fans(shape: Shape) -> tuple[int, int]:
    """The inputs that one output of a layer is made of, and the outputs that one input goes into, counted."""
    if math.prod(shape[2:]) > MOST_PLACES or len(shape) not in CONVOLUTIONS:
        fan_in, fan_out = nn.init._calculate_fan_in_and_fan_out(torch.empty(shape, device="meta"))
        return fan_in, fan_out
    weight = torch.ones(shape)
    # So wide that the place in its middle goes into every output.
    inputs = torch.zeros(shape[1], *(2 * size - 1 for size in shape[2:]), requires_grad=True)
    middle = tuple(size - 1 for size in shape[2:])
    with torch.no_grad():
        inputs[(0, *middle)] = 1.0
    outputs = layer(inputs, weight)
    (grad,) = torch.autograd.grad(outputs[(0, *(0 for _ in middle))], inputs)
    return int((grad != 0).sum()), int((outputs != 0).sum())


def layer(inputs: Tensor, weight: Tensor) -> Tensor:
    """What a layer with this weight makes of one batch-less input, with stride 1."""
    made: Tensor = CONVOLUTIONS[weight.ndim](inputs, weight)
    return made


class Handed(TorchDispatchMode):
    """Notes what is handed to `normal_` and `uniform_`."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[list[float]] = []

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Import no compiler, which takes a second."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Note one operation, with the trailing defaults that the dispatcher leaves out."""
        if func in (torch.ops.aten.normal_.default, torch.ops.aten.uniform_.default):
            self.calls.append([*args[1:], *(0.0, 1.0)[len(args) - 1 :]])
        return func(*args, **(kwargs or {}))


def _handed(initialize: Any, shape: Shape) -> tuple[float, float]:
    weight = torch.empty(shape, device="meta")
    with Handed() as handed:
        initialize(weight)
    ((first, second),) = handed.calls
    return first, second


SCHEMES = {
    "scaled": functools.partial(nn.init.kaiming_normal_, nonlinearity="linear"),
    "xavier": nn.init.xavier_normal_,
    "kaiming": nn.init.kaiming_normal_,
}


@functools.lru_cache(4096)
def init_std(shape: Shape, scheme: str) -> float:
    """The standard deviation that torch's own function hands to `normal_` for this weight."""
    return _handed(SCHEMES[scheme], shape)[1]


def uniform_bound(std: float) -> float:
    """What `xavier_uniform_` hands to `uniform_` with the gain with which `xavier_normal_` hands std to `normal_`."""
    weight = (1, 1)  # fan_in and fan_out are 1, so std is the gain
    _, bound = _handed(functools.partial(nn.init.xavier_uniform_, gain=std), weight)
    return bound


@functools.cache
def moment(cut: float, power: int) -> float:
    """The mean of that power of standard normal numbers within ±cut, by 20,000 trapezoids."""
    x = torch.linspace(-cut, cut, 20_001, dtype=torch.float64)
    density = (-x.square() / 2).exp()
    return float(torch.trapezoid(x**power * density, x) / torch.trapezoid(density, x))


def truncated_std(cut: float) -> float:
    """The standard deviation of standard normal numbers within ±cut; their mean is 0."""
    return math.sqrt(moment(cut, 2))


def share(z: Tensor, cut: float) -> Tensor:
    """The probability that a standard normal number of those within ±cut is at most z."""
    below, above = torch.special.ndtr(torch.tensor([-cut, cut], dtype=torch.float64))
    up_to: Tensor = (torch.special.ndtr(z.clamp(-cut, cut)) - below) / (above - below)
    return up_to.clamp(0, 1)


def output_std(dims: Shape, stds: list[float]) -> float:
    """The root mean square of what comes out of layers that keep all lengths alike, measured.

    Their columns or rows are orthonormal, times a number. The inputs are all directions, each with root mean square 1.
    So no chance is left as long as no layer that widens comes before one that narrows: what is lost on the way down is
    the same share in each direction, and on the way up nothing is.
    """
    generator = torch.Generator().manual_seed(0)
    x = math.sqrt(dims[0]) * torch.eye(dims[0], dtype=torch.float64)
    for (inputs, outputs), std in zip(itertools.pairwise(dims), stds, strict=True):
        tall = torch.randn(max(inputs, outputs), min(inputs, outputs), generator=generator, dtype=torch.float64)
        orthonormal = torch.linalg.qr(tall).Q
        weight = orthonormal if outputs >= inputs else orthonormal.mT
        x = weight * (std / weight.square().mean().sqrt()) @ x
    measured = float(x.square().mean().sqrt())
    return float(f"{measured:.12g}")  # the digits after these are the processor's


def steps(dims: Shape, stds: list[float]) -> list[float]:
    """The same after each layer."""
    return [output_std(dims[: place + 1], stds[:place]) for place in range(1, len(dims))]


class TorchCruncher(nn.Module):
    """The deep linear model, of torch's layers."""

    def __init__(self, dim: int, num_layers: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(*(linear(dim, dim) for _ in range(num_layers)))
        self.final = linear(dim, 1)

    def forward(self, x: Tensor) -> Tensor:
        """All layers, and the last dimension away."""
        y: Tensor = self.final(self.layers(x)).squeeze(-1)
        return y


def linear(in_features: int, out_features: int) -> nn.Linear:
    """Torch's own linear layer without bias."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return nn.Linear(in_features, out_features, bias=False)


LAYERS = {"Linear": linear, "Cruncher": TorchCruncher}


def program(function: str, lines: Lines, watched: Lines, device: str) -> dict[str, Any]:
    """What the watched expressions are worth after these lines with torch's own layer."""
    return execute(on(lines, device), watched, {function: LAYERS[function]})
