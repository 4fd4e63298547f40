"""Wrong answers that people give to kata 19 about an MLP that is split over the ranks."""

import torch
from torch.nn import functional as F

from dojo.judging.diagnose import believes


class _Ways(torch.autograd.Function):
    """What is done with a tensor forward, and with its gradient backward."""

    @staticmethod
    def forward(ctx, x, there, back):
        ctx.back = back
        return there(x)

    @staticmethod
    def backward(ctx, grad):
        return ctx.back(grad), None, None


def _same(x):
    return x.clone()


class _Split:
    """A split MLP in parts, right: each wrong answer gets one of them wrong."""

    def __init__(self, group):
        self.group = group

    def __call__(self, x, w1, b1, w2, b2):
        hidden = self.gelu(F.linear(_Ways.apply(x, _same, self.back), w1, b1))
        return self.out(hidden, w2, b2)

    def gelu(self, x):
        return F.gelu(x)

    def out(self, hidden, w2, b2):
        return _Ways.apply(hidden @ w2.T, self.there, self.through) + b2

    def there(self, part):
        return self.group.all_reduce(part)

    def through(self, grad):
        return grad.clone()

    def back(self, grad):
        return self.group.all_reduce(grad)


@believes("Every rank adds the bias to its part", about="tensor_parallel_mlp")
def adds_the_bias_on_each(group, *given):
    """Then it is in the sum as often as there are ranks: add b2 to the sum."""

    class Mlp(_Split):
        def out(self, hidden, w2, b2):
            return _Ways.apply(F.linear(hidden, w2, b2), self.there, self.through)

    return Mlp(group)(*given)


@believes("Rank 0 adds the bias", about="tensor_parallel_mlp")
def adds_the_bias_at_rank_0(group, *given):
    """Then y is right, and b2 has no gradient on the others: add it to the sum on every rank."""

    class Mlp(_Split):
        def out(self, hidden, w2, b2):
            part = hidden @ w2.T
            return _Ways.apply(part if self.group.rank else part + b2, self.there, self.through)

    return Mlp(group)(*given)


@believes("The gradient of x is the same on all ranks", about="tensor_parallel_mlp")
def sums_forward_alone(group, *given):
    """Each rank has the part that came through its own features: all_reduce it."""

    class Mlp(_Split):
        def back(self, grad):
            return grad

    return Mlp(group)(*given)


@believes("The backward of an all-reduce is an all-reduce", about="tensor_parallel_mlp")
def sums_the_gradient_of_y(group, *given):
    """All ranks have the same gradient of y already: summed, it is size times too large. Pass it on."""

    class Mlp(_Split):
        def through(self, grad):
            return self.group.all_reduce(grad)

    return Mlp(group)(*given)


@believes("A sum over ranks divides its gradient among them", about="tensor_parallel_mlp")
def divides_the_gradient_of_y(group, *given):
    """Each part has the whole gradient of the sum."""

    class Mlp(_Split):
        def through(self, grad):
            return grad / self.group.size

    return Mlp(group)(*given)


@believes("The parts of y are averaged", about="tensor_parallel_mlp")
def averages_y(group, *given):
    """They are summed: each is the product of other columns."""

    class Mlp(_Split):
        def there(self, part):
            return self.group.all_reduce(part) / self.group.size

    return Mlp(group)(*given)


@believes("Gradients over ranks are averaged", about="tensor_parallel_mlp")
def averages_the_gradient_of_x(group, *given):
    """In data parallel training they may be; here all ranks have the same samples, and the parts are summed."""

    class Mlp(_Split):
        def back(self, grad):
            return self.group.all_reduce(grad) / self.group.size

    return Mlp(group)(*given)


@believes("A collective carries gradients", about="tensor_parallel_mlp")
def sums_without_a_graph(group, *given):
    """What it returns has no graph: say in an autograd.Function what the backward is."""

    class Mlp(_Split):
        def out(self, hidden, w2, b2):
            return self.group.all_reduce(hidden @ w2.T) + b2

    return Mlp(group)(*given)


@believes("Hidden features are gathered before the second layer", about="tensor_parallel_mlp")
def gathers_hidden_features(group, x, w1, b1, w2, b2):
    """Each rank has just the columns of W2 that its own features need: only y is summed."""
    split = _Split(group)
    hidden = split.gelu(F.linear(_Ways.apply(x, _same, split.back), w1, b1))
    group.all_gather(hidden.detach())
    return split.out(hidden, w2, b2)


@believes("All parts of y are gathered, and summed everywhere", about="tensor_parallel_mlp")
def gathers_parts(group, *given):
    """That sends whole tensors to everybody: one all_reduce is enough."""

    class Mlp(_Split):
        def there(self, part):
            return torch.stack(self.group.all_gather(part)).sum(0)

    return Mlp(group)(*given)


@believes("Gradients of weights are summed as well", about="tensor_parallel_mlp")
def sums_gradients_of_weights(group, x, w1, b1, w2, b2):
    """They are this rank's own part of the whole: nobody else has any of it."""
    split = _Split(group)
    return split(x, _Ways.apply(w1, _same, split.back), b1, w2, b2)


@believes("gelu is its approximation by tanh", about="tensor_parallel_mlp")
def approximates_gelu(group, *given):
    """It differs in the fourth digit: the exact one is asked for."""

    class Mlp(_Split):
        def gelu(self, x):
            return F.gelu(x, approximate="tanh")

    return Mlp(group)(*given)


@believes("Any activation can be summed afterwards", about="tensor_parallel_mlp")
def activates_the_sum(group, *given):
    """gelu comes before the second layer, where each rank has whole features of its own."""

    class Mlp(_Split):
        def gelu(self, x):
            return x

        def out(self, hidden, w2, b2):
            return F.gelu(super().out(hidden, w2, b2))

    return Mlp(group)(*given)


@believes("Each rank returns its part of y", about="tensor_parallel_mlp")
def returns_its_part(group, *given):
    """y is whole on every rank: all_reduce the parts."""

    class Mlp(_Split):
        def there(self, part):
            return part.clone()

    return Mlp(group)(*given)
