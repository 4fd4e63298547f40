"""Kata 09 solved."""

import math

import torch
from torch import Tensor, nn

Shape = tuple[int, ...]


def fans(shape: Shape) -> tuple[int, int]:
    """Multiply inputs and outputs by the places of the kernel."""
    if len(shape) < 2:
        raise ValueError(f"a weight has two dimensions or more: {shape}")
    fan_out, fan_in, *kernel = shape
    places = math.prod(kernel)
    return fan_in * places, fan_out * places


def init_std(shape: Shape, scheme: str) -> float:
    """Return the square root of the variance of the scheme."""
    fan_in, fan_out = fans(shape)
    variances = {"scaled": 1 / fan_in, "xavier": 2 / (fan_in + fan_out), "kaiming": 2 / fan_in}
    if scheme not in variances:
        raise ValueError(f"a scheme is scaled, xavier or kaiming: {scheme}")
    return math.sqrt(variances[scheme])


def uniform_bound(std: float) -> float:
    """Solve for a: the variance of uniform numbers from -a to a is a² / 3."""
    return math.sqrt(3) * std


def truncated_std(cut: float) -> float:
    """Subtract the density at both edges, over the share that is kept, from a variance of 1."""
    if cut <= 0:
        raise ValueError(f"a cut is more than 0: {cut}")
    density = math.exp(-cut * cut / 2) / math.sqrt(2 * math.pi)
    return math.sqrt(1 - 2 * cut * density / math.erf(cut / math.sqrt(2)))


def truncated_normal(shape: Shape, std: float, cut: float, generator: torch.Generator | None = None) -> Tensor:
    """Draw all numbers, then redraw those beyond the cut until there are none."""
    if std < 0 or cut <= 0:
        raise ValueError(f"std is 0 or more, and a cut more than 0: {std}, {cut}")
    x = torch.randn(shape, generator=generator, dtype=torch.float32)
    while (beyond := x.abs() > cut).any():
        x[beyond] = torch.randn(int(beyond.sum()), generator=generator, dtype=torch.float32)
    return x * std


def output_std(dims: Shape, stds: list[float]) -> float:
    """Multiply by std · √inputs for each layer: an output is a sum of one product per input."""
    layers = len(dims) - 1
    if len(stds) != layers:
        raise ValueError(f"{layers} layers have as many standard deviations, not {len(stds)}")
    rms = 1.0
    for place, std in enumerate(stds):
        rms *= std * math.sqrt(dims[place])
    return rms


class Linear(nn.Module):
    """A linear layer."""

    def __init__(self, in_features: int, out_features: int, generator: torch.Generator | None = None) -> None:
        super().__init__()
        shape = (out_features, in_features)
        self.weight = nn.Parameter(truncated_normal(shape, init_std(shape, "scaled"), 3.0, generator))

    def forward(self, x: Tensor) -> Tensor:
        """Multiply by the transpose of the weight."""
        return x @ self.weight.mT


class Cruncher(nn.Module):
    """The deep model, with its layers in a ModuleList, which a Module finds."""

    def __init__(self, dim: int, num_layers: int, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Linear(dim, dim, generator) for _ in range(num_layers))
        self.final = Linear(dim, 1, generator)

    def forward(self, x: Tensor) -> Tensor:
        """Apply one layer after the other, then drop the dimension of size 1."""
        for layer in self.layers:
            x = layer(x)
        y: Tensor = self.final(x)
        return y.squeeze(-1)
