"""Wrong answers that people give to kata 09 about Linear."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import math

import torch
from torch import nn

from dojo.judging.diagnose import believes, solution

solved = solution("09_init")


# Linear


class LinearParts(solved.Linear):
    """A linear layer in parts: each wrong answer below gets one of them wrong."""

    cut = 3.0

    def __init__(self, in_features, out_features, generator=None):
        nn.Module.__init__(self)
        self.keep(self.numbers(in_features, out_features, generator))

    def std(self, inputs, outputs):
        """Return the standard deviation before the cut."""
        return 1 / math.sqrt(inputs)

    def numbers(self, inputs, outputs, generator):
        """Return what the weight begins with."""
        return solved.truncated_normal((outputs, inputs), self.std(inputs, outputs), self.cut, generator)

    def keep(self, numbers):
        """Make a weight of it."""
        self.weight = nn.Parameter(numbers)


@believes("torch keeps weights as (in_features, out_features)", about="Linear")
class KeepsTheTranspose(LinearParts):
    """torch keeps (out_features, in_features), and multiplies by the transpose: its checkpoints need that shape."""

    def keep(self, numbers):
        super().keep(numbers.T.contiguous())

    def forward(self, x):
        return x @ self.weight


@believes("A tensor that requires grad is a parameter", about="Linear")
class KeepsAPlainTensor(LinearParts):
    """A Module only registers an nn.Parameter: a plain tensor is in neither parameters() nor state_dict()."""

    def keep(self, numbers):
        self.weight = numbers.requires_grad_()


@believes("Whatever is in the state_dict is trained", about="Linear")
class KeepsABuffer(LinearParts):
    """A buffer is saved and loaded, but is not in parameters(), so no optimizer trains it: use nn.Parameter."""

    def keep(self, numbers):
        self.register_buffer("weight", numbers)


@believes("The weight need not require grad", about="Linear")
class RequiresNoGrad(LinearParts):
    """The numbers are only where training starts: the parameter has to require grad."""

    def keep(self, numbers):
        self.weight = nn.Parameter(numbers, requires_grad=False)


@believes("Every linear layer has a bias", about="Linear")
class HasABias(LinearParts):
    """This one has none, and its state_dict has one entry."""

    def keep(self, numbers):
        super().keep(numbers)
        self.bias = nn.Parameter(torch.zeros(len(numbers)))

    def forward(self, x):
        return super().forward(x) + self.bias


@believes("A layer computes with weight.data", about="Linear")
class MultipliesByTheData(LinearParts):
    """Autograd does not track .data: no gradient reaches the weight."""

    def forward(self, x):
        return x @ self.weight.data.mT


@believes("In eval mode no gradients flow", about="Linear")
class TracksTrainingAlone(LinearParts):
    """eval() changes layers such as dropout, and not autograd: gradients flow in both modes."""

    def forward(self, x):
        with torch.set_grad_enabled(self.training and torch.is_grad_enabled()):
            return super().forward(x)


@believes("Inputs need no gradient", about="Linear")
class DetachesTheInput(LinearParts):
    """The previous layer needs its gradient: if x is detached, nothing flows back beyond this layer."""

    def forward(self, x):
        return super().forward(x.detach())


@believes("x is a matrix", about="Linear")
class MultipliesMatricesAlone(LinearParts):
    """Any dimensions may come before the last one, or none: @ with the transpose and F.linear accept all."""

    def forward(self, x):
        return torch.mm(x, self.weight.t())


@believes("Leading dimensions are one batch", about="Linear")
class FlattensTheBatch(LinearParts):
    """The result has the leading dimensions of x."""

    def forward(self, x):
        return super().forward(x.reshape(-1, self.weight.shape[1]))


@believes("A layer computes in float32", about="Linear")
class ComputesInFloat32(LinearParts):
    """After .double() the weight is float64, and so are the products."""

    def forward(self, x):
        return (x.float() @ self.weight.float().mT).to(x.dtype)


@believes("A layer computes in float64", about="Linear")
class ComputesInFloat64(LinearParts):
    """The weight is float32 at first, and so is what comes out of it."""

    def forward(self, x):
        return x.double() @ self.weight.double().mT


@believes("There are at most two dimensions before the last one", about="Linear")
class TakesTwoDimensionsMore(LinearParts):
    """There may be any number of them: @ with the transpose and F.linear accept all."""

    def forward(self, x):
        return torch.bmm(x, self.weight.mT.expand(len(x), -1, -1)) if x.ndim > 2 else super().forward(x)


@believes("The transpose of a weight can be kept", about="Linear")
class KeepsTheFirstTranspose(LinearParts):
    """The weight changes when it is loaded, or trained: transpose it in each forward, which copies nothing."""

    def forward(self, x):
        if not hasattr(self, "transpose"):
            self.transpose = self.weight.detach().mT.clone()
        with_gradient = super().forward(x)
        return with_gradient + (x @ self.transpose - with_gradient).detach()


@believes("Without gradients the result can be kept and written again", about="Linear")
class WritesTheResultAgain(LinearParts):
    """Then the next call changes what this one returned: return a new tensor each time."""

    kept = None

    def forward(self, x):
        y = super().forward(x)
        if torch.is_grad_enabled():
            return y
        if self.kept is None or self.kept.shape != y.shape:
            self.kept = torch.empty_like(y)
        return self.kept.copy_(y)


@believes("A weight beyond the cut becomes 0", about="Linear")
class ZeroesBeyondTheCut(LinearParts):
    """It is drawn again: otherwise zeros would pile up."""

    def numbers(self, inputs, outputs, generator):
        x = torch.randn(outputs, inputs, generator=generator) * self.std(inputs, outputs)
        return x * (x.abs() <= self.cut * self.std(inputs, outputs))


@believes("A bias counts as one more input", about="Linear")
class DividesByOneMore(LinearParts):
    """There is no bias here, and an output is a sum of in_features products: 1 / √in_features."""

    def std(self, inputs, outputs):
        return 1 / math.sqrt(inputs + 1)


@believes("The standard deviation is 1 / √out_features", about="Linear")
class DividesByTheOutputs(LinearParts):
    """An output is a sum of in_features products, and the scale has to make up for that: 1 / √in_features."""

    def std(self, inputs, outputs):
        return 1 / math.sqrt(outputs)


@believes("The scheme is Xavier's", about="Linear")
class TakesXavier(LinearParts):
    """The standard deviation is 1 / √in_features here, whatever out_features is."""

    def std(self, inputs, outputs):
        return math.sqrt(2 / (inputs + outputs))


@believes("The scheme is Kaiming's", about="Linear")
class TakesKaiming(LinearParts):
    """Its 2 makes up for a ReLU, and there is none here."""

    def std(self, inputs, outputs):
        return math.sqrt(2 / inputs)


@believes("The standard deviation of a weight is 1", about="Linear")
class DoesNotScale(LinearParts):
    """Then outputs are √in_features times as large as inputs: 128 times for 16384 inputs."""

    def std(self, inputs, outputs):
        return 1.0


@believes("1 / in_features is the standard deviation", about="Linear")
class DividesByTheInputs(LinearParts):
    """That is the variance. The standard deviation is its root."""

    def std(self, inputs, outputs):
        return 1 / inputs


@believes("The layer draws as nn.Linear does", about="Linear")
class DrawsAsTorchDoes(LinearParts):
    """nn.Linear draws uniform numbers up to ±1/√in_features, whose standard deviation is smaller by a factor of √3."""

    def numbers(self, inputs, outputs, generator):
        return (2 * torch.rand(outputs, inputs, generator=generator) - 1) / math.sqrt(inputs)


@believes("A cut at 3 is a cut at ±3", about="Linear")
class CutsAtThree(LinearParts):
    """The cut counts standard deviations of 1 / √in_features: an absolute ±3 is hardly ever reached."""

    def numbers(self, inputs, outputs, generator):
        return (torch.randn(outputs, inputs, generator=generator) / math.sqrt(inputs)).clamp(-3, 3)


@believes("A layer clamps its weight at 3 standard deviations", about="Linear")
class ClampsTheWeight(LinearParts):
    """Numbers beyond the cut are drawn again, not moved to it."""

    def numbers(self, inputs, outputs, generator):
        return torch.randn(outputs, inputs, generator=generator).clamp(-3, 3) / math.sqrt(inputs)


@believes("Weights are cut at 2 standard deviations", about="Linear")
class CutsAtTwo(LinearParts):
    """Other libraries do that; here the cut is at 3."""

    cut = 2.0


@believes("The weights of a layer come from the global state", about="Linear")
class IgnoresTheGenerator(LinearParts):
    """A layer passes its generator on to truncated_normal."""

    def numbers(self, inputs, outputs, generator):
        return super().numbers(inputs, outputs, None)


@believes("Each layer sets the same seed, to be repeatable", about="Linear")
class SeedsEachLayer(LinearParts):
    """Then two layers of one shape have the same weight. The caller chooses the seed, once."""

    def numbers(self, inputs, outputs, generator):
        return super().numbers(inputs, outputs, generator or torch.Generator().manual_seed(42))


@believes("A layer may call torch.manual_seed", about="Linear")
class SeedsTorch(LinearParts):
    """That sets the global state for everything else, and the next layer draws the same numbers."""

    def numbers(self, inputs, outputs, generator):
        torch.manual_seed(generator.initial_seed() if generator else 0)
        return super().numbers(inputs, outputs, None)
