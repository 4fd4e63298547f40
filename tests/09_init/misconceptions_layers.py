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
        """The standard deviation before the cut."""
        return 1 / math.sqrt(inputs)

    def numbers(self, inputs, outputs, generator):
        """What the weight begins with."""
        return solved.truncated_normal((outputs, inputs), self.std(inputs, outputs), self.cut, generator)

    def keep(self, numbers):
        """Make a weight of it."""
        self.weight = nn.Parameter(numbers)


@believes("torch keeps weights as x @ w needs them", about="Linear")
class KeepsTheTranspose(LinearParts):
    """torch keeps (out_features, in_features) and multiplies by the transpose: its checkpoints fit nothing else."""

    def keep(self, numbers):
        super().keep(numbers.T.contiguous())

    def forward(self, x):
        return x @ self.weight


@believes("A tensor that requires grad is a parameter", about="Linear")
class KeepsAPlainTensor(LinearParts):
    """A Module finds an nn.Parameter alone: a plain tensor is in neither parameters() nor state_dict()."""

    def keep(self, numbers):
        self.weight = numbers.requires_grad_()


@believes("What is in the state_dict is trained", about="Linear")
class KeepsABuffer(LinearParts):
    """A buffer is saved and loaded, and no optimizer hears of it: a weight is an nn.Parameter."""

    def keep(self, numbers):
        self.register_buffer("weight", numbers)


@believes("A weight that is given is not trained", about="Linear")
class RequiresNoGrad(LinearParts):
    """The numbers are where training begins: the parameter has to require grad."""

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


@believes("The numbers of a parameter are its .data", about="Linear")
class MultipliesByTheData(LinearParts):
    """.data is a plain tensor that autograd does not see: nothing flows back to the weight."""

    def forward(self, x):
        return x @ self.weight.data.mT


@believes("Inputs need no gradient", about="Linear")
class DetachesTheInput(LinearParts):
    """The layer before needs it: detached, nothing flows back beyond this layer."""

    def forward(self, x):
        return super().forward(x.detach())


@believes("x is a matrix", about="Linear")
class MultipliesMatricesAlone(LinearParts):
    """Whatever stands before the last dimension stays, be it nothing or two dimensions: @ and F.linear do that."""

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


@believes("A weight is divided by the root of the outputs", about="Linear")
class DividesByTheOutputs(LinearParts):
    """An output is a sum of in_features products, and that is what has to be made up for."""

    def std(self, inputs, outputs):
        return 1 / math.sqrt(outputs)


@believes("Xavier is right for every layer", about="Linear")
class TakesXavier(LinearParts):
    """This layer keeps the forward pass alone: 1 / √in_features, whatever comes out."""

    def std(self, inputs, outputs):
        return math.sqrt(2 / (inputs + outputs))


@believes("Kaiming is right for every layer", about="Linear")
class TakesKaiming(LinearParts):
    """Its 2 makes up for a ReLU, and there is none here."""

    def std(self, inputs, outputs):
        return math.sqrt(2 / inputs)


@believes("A weight of N(0, 1) is a good beginning", about="Linear")
class DoesNotScale(LinearParts):
    """Then outputs are √in_features times as large as inputs: 128 times for 16384 of them."""

    def std(self, inputs, outputs):
        return 1.0


@believes("1 / in_features is the standard deviation", about="Linear")
class DividesByTheInputs(LinearParts):
    """That is the variance. The standard deviation is its root."""

    def std(self, inputs, outputs):
        return 1 / inputs


@believes("A layer draws as nn.Linear does", about="Linear")
class DrawsAsTorchDoes(LinearParts):
    """nn.Linear draws uniform numbers of ±1/√in_features, whose standard deviation is smaller by √3."""

    def numbers(self, inputs, outputs, generator):
        return (2 * torch.rand(outputs, inputs, generator=generator) - 1) / math.sqrt(inputs)


@believes("A cut at 3 is a cut at ±3", about="Linear")
class CutsAtThree(LinearParts):
    """With a standard deviation of 1 / √in_features nothing ever gets there. The cut counts standard deviations."""

    def numbers(self, inputs, outputs, generator):
        return (torch.randn(outputs, inputs, generator=generator) / math.sqrt(inputs)).clamp(-3, 3)


@believes("A layer clamps its weight at 3 standard deviations", about="Linear")
class ClampsTheWeight(LinearParts):
    """Numbers beyond the cut are drawn again, not moved to it."""

    def numbers(self, inputs, outputs, generator):
        return torch.randn(outputs, inputs, generator=generator).clamp(-3, 3) / math.sqrt(inputs)


@believes("Weights are cut at 2 standard deviations", about="Linear")
class CutsAtTwo(LinearParts):
    """That is the habit of other libraries; here the cut is at 3."""

    cut = 2.0


@believes("The weights of a layer come from the global state", about="Linear")
class IgnoresTheGenerator(LinearParts):
    """The generator is handed on to whatever draws."""

    def numbers(self, inputs, outputs, generator):
        return super().numbers(inputs, outputs, None)


@believes("Each layer begins with the same seed, so that a run can be repeated", about="Linear")
class SeedsEachLayer(LinearParts):
    """Then two layers of one shape have the same weight. Whoever makes the model chooses the seed, once."""

    def numbers(self, inputs, outputs, generator):
        return super().numbers(inputs, outputs, generator or torch.Generator().manual_seed(42))


@believes("A layer may seed torch for itself", about="Linear")
class SeedsTorch(LinearParts):
    """That sets the global state for everybody, and the next layer draws the same numbers."""

    def numbers(self, inputs, outputs, generator):
        torch.manual_seed(generator.initial_seed() if generator else 0)
        return super().numbers(inputs, outputs, None)
