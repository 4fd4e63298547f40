"""Wrong answers to kata 09 that no belief in misconceptions.py explains."""

import math

import torch
from torch import nn

from dojo.judging.diagnose import answers, solution

solved = solution("09_init")


@answers("fans")
def counts_one_place_too_many(shape):
    """Every kernel has a place more."""
    fan_in, fan_out = solved.fans(shape)
    return fan_in + shape[1], fan_out + shape[0]


@answers("init_std")
def takes_three_for_kaiming(shape, scheme):
    """Another factor."""
    return solved.init_std(shape, scheme) * (math.sqrt(1.5) if scheme == "kaiming" else 1)


@answers("uniform_bound")
def adds_a_little(std):
    """Away from 0."""
    return solved.uniform_bound(std) + 0.01


@answers("truncated_std")
def takes_the_root_twice(cut):
    """The fourth root of the variance."""
    return math.sqrt(solved.truncated_std(cut))


@answers("truncated_normal")
def sorts_the_numbers(shape, std, cut, generator=None):
    """In order."""
    x = solved.truncated_normal(shape, std, cut, generator)
    return x.flatten().sort().values.reshape(shape)


@answers("truncated_normal")
def draws_cubes(shape, std, cut, generator=None):
    """Another distribution in the same bounds."""
    x = solved.truncated_normal(shape, 1.0, cut, generator) / cut
    solved.truncated_normal((0,), std, cut)
    return x**3 * cut * std


@answers("output_std")
def takes_one_input_less(dims, stds):
    """As if one were for something else."""
    solved.output_std(dims, stds)
    return math.prod([1.0, *(std * math.sqrt(size - 1) for size, std in zip(dims, stds, strict=False))])


@answers("Linear")
class HalvesTheSecondOutput(solved.Linear):
    """One of them is too small."""

    def forward(self, x):
        """All but one are right."""
        y = super().forward(x)
        return torch.cat([y[..., :1], y[..., 1:2] / 2, y[..., 2:]], -1)


@answers("Cruncher")
class AddsOne(solved.Cruncher):
    """To what comes out."""

    def forward(self, x):
        """One too many."""
        return super().forward(x) + 1


@answers("Cruncher")
class DrawsTheFirstLayerTwiceAsLarge(solved.Cruncher):
    """To begin with."""

    def __init__(self, dim, num_layers, generator=None):
        super().__init__(dim, num_layers, generator)
        for layer in self.layers[:1]:
            layer.weight = nn.Parameter(2 * layer.weight.detach())
