"""Wrong answers that people give to kata 09 about stacks of layers and Cruncher."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from dojo.judging.diagnose import believes, solution

solved = solution("09_init")


# output_std


def _layers(dims, stds):
    """Return inputs, outputs and standard deviation of each layer; raise ValueError where the solution does."""
    solved.output_std(dims, stds)
    return list(zip(dims, dims[1:], stds, strict=False))


@believes("An output is a sum over the outputs of a layer", about="output_std")
def takes_the_outputs(dims, stds):
    """Each output is a sum of one product per input; the number of outputs does not matter."""
    return math.prod(std * math.sqrt(b) for _, b, std in _layers(dims, stds))


@believes("Every width counts, even the last one", about="output_std")
def takes_every_width(dims, stds):
    """The last width is the number of outputs, and no layer sums over it."""
    return solved.output_std(dims, stds) * math.sqrt(dims[-1])


@believes("64 bits hold any product of sizes", about="output_std")
def multiplies_in_64_bits(dims, stds):
    """Six widths of 4096 exceed 64 bits, and a tensor of integers then wraps around: multiply Python's own numbers."""
    solved.output_std(dims, stds)
    return math.prod(stds) * math.sqrt(max(0, torch.tensor(dims[:-1], dtype=torch.int64).prod().item()))


@believes("The result is the mean square of the outputs", about="output_std")
def returns_the_mean_square(dims, stds):
    """The result is the root of that."""
    return solved.output_std(dims, stds) ** 2


@believes("The width does not matter", about="output_std")
def leaves_out_the_width(dims, stds):
    """Each output is a sum of n products, and a sum of n independent numbers is √n times as large as one."""
    return math.prod([1.0, *(std for _, _, std in _layers(dims, stds))])


@believes("A sum of n numbers is n times as large", about="output_std")
def multiplies_by_the_number(dims, stds):
    """Independent numbers partly cancel: their sum grows with √n."""
    return math.prod(std * a for a, _, std in _layers(dims, stds))


@believes("The variances of the layers add up", about="output_std")
def adds_the_layers(dims, stds):
    """Each layer multiplies what it gets: the factors are multiplied."""
    layers = _layers(dims, stds)
    return math.sqrt(sum(std * std * a for a, _, std in layers)) if layers else 1.0


@believes("All layers have as many inputs as the first", about="output_std")
def takes_the_first_width(dims, stds):
    """Each layer has as many inputs as the layer before has outputs."""
    return math.prod(std * math.sqrt(dims[0]) for _, _, std in _layers(dims, stds))


@believes("A layer multiplies by the mean of its widths", about="output_std")
def takes_the_mean_width(dims, stds):
    """That is Xavier's compromise between forward and backward. In the forward pass only the inputs count."""
    return math.prod(std * math.sqrt((a + b) / 2) for a, b, std in _layers(dims, stds))


@believes("Only the last layer counts", about="output_std")
def takes_the_last_layer(dims, stds):
    """Its output is proportional to its input, which the earlier layers have scaled."""
    layers = _layers(dims, stds)
    return layers[-1][2] * math.sqrt(layers[-1][0]) if layers else 1.0


@believes("Without layers the result is 0", about="output_std")
def returns_zero_for_no_layer(dims, stds):
    """Without layers the input itself comes out, and its root mean square is 1."""
    return solved.output_std(dims, stds) if stds else 0.0


@believes("A standard deviation of 0 is refused", about="output_std")
def refuses_weights_of_zero(dims, stds):
    """It is allowed: weights that are all 0 give outputs of 0."""
    if 0 in stds:
        raise ValueError(stds)
    return solved.output_std(dims, stds)


@believes("zip checks that two lists have the same length", about="output_std")
def takes_the_shorter_list(dims, stds):
    """Without strict=True it silently stops at the end of the shorter one."""
    return math.prod(std * math.sqrt(size) for size, std in zip(dims[:-1], stds, strict=False))


@believes("torch.tensor keeps all digits of a float", about="output_std")
def takes_float32_standard_deviations(dims, stds):
    """It makes float32 of Python's floats, which has some 7 digits: say dtype=torch.float64."""
    solved.output_std(dims, stds)
    inputs = torch.tensor(dims[:-1], dtype=torch.float64)
    return (torch.tensor(stds) * inputs.sqrt()).prod().item()


@believes("The list may be used up", about="output_std")
def pops_the_standard_deviations(dims, stds):
    """It is the caller's list, and pop changes it: go through it with zip, or use a copy."""
    solved.output_std(dims, stds)
    rms = 1.0
    for size in dims[:-1]:
        rms *= stds.pop(0) * math.sqrt(size)
    return rms


@believes("There may be more standard deviations than layers", about="output_std")
def drops_what_is_too_much(dims, stds):
    """It is not clear which of them would count: raise ValueError unless there is one for each layer."""
    return solved.output_std(dims, stds[: len(dims) - 1])


@believes("There is a standard deviation for each size", about="output_std")
def takes_one_for_each_size(dims, stds):
    """n sizes have n - 1 layers between them, and each layer has one standard deviation."""
    return solved.output_std((*dims, 1), stds) if len(stds) == len(dims) else solved.output_std(dims, stds)


# Cruncher


class CruncherParts(solved.Cruncher):
    """The deep model in parts: each wrong answer below gets one of them wrong."""

    def __init__(self, dim, num_layers, generator=None):
        nn.Module.__init__(self)
        self.build(dim, num_layers, generator)

    def layer(self, inputs, outputs, generator):
        """Make one layer."""
        return solved.Linear(inputs, outputs, generator)

    def build(self, dim, num_layers, generator):
        """Make all layers, and the last one."""
        self.layers = nn.ModuleList(self.layer(dim, dim, generator) for _ in range(num_layers))
        self.final = self.layer(dim, 1, generator)

    def deep(self, x):
        """Return the output of the layers before the last one."""
        for layer in self.layers:
            x = layer(x)
        return x

    def forward(self, x):
        return self.final(self.deep(x)).squeeze(-1)


@believes("A Module finds layers in a list", about="Cruncher")
class KeepsAList(CruncherParts):
    """A Module registers only Modules and Parameters that are its own attributes: use an nn.ModuleList."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        self.__dict__["layers"] = list(self._modules.pop("layers"))


@believes("[layer] * n makes n layers", about="Cruncher")
class RepeatsOneLayer(CruncherParts):
    """It is one layer, n times: all have the same weight, and the gradients of all n add up in it."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        self.layers = nn.ModuleList([self.layer(dim, dim, generator)] * num_layers)


@believes("squeeze() removes the last dimension", about="Cruncher")
class SqueezesEverything(CruncherParts):
    """It removes every dimension of size 1, so a batch of 1 is lost as well: use squeeze(-1)."""

    def forward(self, x):
        return self.final(self.deep(x)).squeeze()


@believes("The result keeps a last dimension of 1", about="Cruncher")
class KeepsTheLastDimension(CruncherParts):
    """The last dimension is dropped: x (…, dim) gives (…)."""

    def forward(self, x):
        return self.final(self.deep(x))


@believes("x has exactly one batch dimension", about="Cruncher")
class TakesOneColumn(CruncherParts):
    """There may be any number, or none: use [..., 0] or squeeze(-1), not [:, 0]."""

    def forward(self, x):
        return self.final(self.deep(x))[:, 0]


@believes("The product of the weights can be kept between calls", about="Cruncher")
class KeepsTheProduct(CruncherParts):
    """The weights change between calls, even without gradients: by load_state_dict, or by an optimizer's step."""

    kept = None

    def forward(self, x):
        if torch.is_grad_enabled():
            self.kept = None
            return super().forward(x)
        if self.kept is None:
            self.kept = self.final(self.deep(torch.eye(x.shape[-1], dtype=x.dtype, device=x.device))).squeeze(-1)
        return x @ self.kept


@believes("In eval mode weights do not change", about="Cruncher")
class KeepsTheProductInEvalMode(CruncherParts):
    """Weights may be loaded in any mode: go through the layers in each forward."""

    kept = None

    def forward(self, x):
        if self.training:
            self.kept = None
            return super().forward(x)
        if self.kept is None:
            self.kept = self.final(self.deep(torch.eye(x.shape[-1], dtype=x.dtype, device=x.device))).squeeze(-1)
        return x @ self.kept


@believes("A deep model has activations in between", about="Cruncher")
class AddsRelus(CruncherParts):
    """This one is linear throughout: there is nothing between its layers."""

    def deep(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


@believes("A deep model has residual connections", about="Cruncher")
class AddsResiduals(CruncherParts):
    """Here the output of each layer replaces its input: there are no residual connections."""

    def deep(self, x):
        for layer in self.layers:
            x = x + layer(x)
        return x


@believes("The last layer is one of num_layers", about="Cruncher")
class CountsTheLastLayer(CruncherParts):
    """num_layers layers dim -> dim come first, and then one more, dim -> 1."""

    def build(self, dim, num_layers, generator):
        super().build(dim, max(0, num_layers - 1), generator)


@believes("The last layer has a number like the others", about="Cruncher")
class NumbersTheLastLayer(CruncherParts):
    """It is named `final`: its entry is "final.weight", however many layers there are."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        self.layers = nn.ModuleList([*self.layers, self._modules.pop("final")])

    def forward(self, x):
        return self.deep(x).squeeze(-1)


@believes("A list of weights can stand for the layers", about="Cruncher")
class KeepsBareWeights(CruncherParts):
    """Names in a state_dict are paths: "layers.0.weight" is the weight of a Module "layers.0"."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        self.layers = nn.ParameterList(layer.weight for layer in self.layers)

    def deep(self, x):
        for weight in self.layers:
            x = F.linear(x, weight)
        return x


@believes("The weights of the layers come from the global state", about="Cruncher")
class KeepsTheGenerator(CruncherParts):
    """The model passes its generator on to each layer."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, None)


@believes("Each layer begins with the generator's seed", about="Cruncher")
class ReseedsEachLayer(CruncherParts):
    """Then all layers have the same weight: let the generator continue from layer to layer."""

    def layer(self, inputs, outputs, generator):
        generator = torch.Generator().manual_seed(generator.initial_seed() if generator else torch.initial_seed())
        return super().layer(inputs, outputs, generator)


@believes("The last layer may have a seed of its own", about="Cruncher")
class SeedsTheLastLayer(CruncherParts):
    """Then it is the same in every model: its weight comes from the generator too."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        self.final = self.layer(dim, 1, torch.Generator().manual_seed(0))


@believes("The last layer begins with zeros", about="Cruncher")
class BeginsWithZeros(CruncherParts):
    """Every weight is drawn, the last one too; with zeros there, no gradient reaches the earlier layers."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        self.final.weight.detach().zero_()


@believes("The last layer is scaled by its one output", about="Cruncher")
class ScalesTheLastLayerByItsOutput(CruncherParts):
    """It sums over dim inputs, as every other layer does: 1 / √dim."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        self.final.weight.detach().mul_(math.sqrt(dim))


@believes("Deeper models need smaller weights", about="Cruncher")
class DividesByTheDepth(CruncherParts):
    """Each layer keeps the size of its input, and so do all of them together: 1 / √dim at any depth."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        for p in self.parameters():
            p.detach().div_(math.sqrt(num_layers + 1))


@believes("The last layer makes up for the depth", about="Cruncher")
class DividesTheLastLayerByTheDepth(CruncherParts):
    """The layers before it keep the size of their inputs, so there is nothing to make up for: it takes 1 / √dim too."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        self.final.weight.detach().div_(math.sqrt(num_layers + 1))


@believes("The model draws as nn.Linear does", about="Cruncher")
class DrawsUniformNumbers(CruncherParts):
    """nn.Linear draws uniform numbers up to ±1/√dim: after eight such layers, about a hundredth of the size is left."""

    def layer(self, inputs, outputs, generator):
        made = super().layer(inputs, outputs, generator)
        made.weight.detach().copy_((2 * torch.rand(outputs, inputs, generator=generator) - 1) / math.sqrt(inputs))
        return made


@believes("Only the last layer is trained", about="Cruncher")
class FreezesTheLayers(CruncherParts):
    """Gradients flow to every weight, through all layers."""

    def deep(self, x):
        return super().deep(x).detach()


@believes("A checkpoint always passes gradients on to the weights", about="Cruncher")
class KeepsNoActivations(CruncherParts):
    """With use_reentrant=True it does so only if x requires grad, and inputs rarely do: use use_reentrant=False."""

    def deep(self, x):
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=True)
        return x


@believes("The layers can be multiplied once and for all", about="Cruncher")
class MultipliesTheLayersOnce(solved.Cruncher):
    """Weights change when they are loaded, or trained: go through the layers in each forward."""

    def forward(self, x):
        y = super().forward(x)
        if not hasattr(self, "product"):
            self.product = self.final.weight.detach()
            for layer in reversed(self.layers):
                self.product = self.product @ layer.weight.detach()
        return y + ((x @ self.product.mT).squeeze(-1) - y).detach()
