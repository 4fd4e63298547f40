"""Wrong answers that people give to kata 19 about an MLP that is split over the ranks."""

from typing import Any

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


@believes("Every rank adds b2 to its part", about="tensor_parallel_mlp")
def adds_the_bias_on_each(group, *given):
    """Then the sum contains b2 size times: add it after the all_reduce."""

    class Mlp(_Split):
        def out(self, hidden, w2, b2):
            return _Ways.apply(F.linear(hidden, w2, b2), self.there, self.through)

    return Mlp(group)(*given)


@believes("Only rank 0 adds b2", about="tensor_parallel_mlp")
def adds_the_bias_at_rank_0(group, *given):
    """Then b2 gets no gradient on the other ranks: add it after the all_reduce, on every rank."""

    class Mlp(_Split):
        def out(self, hidden, w2, b2):
            part = hidden @ w2.T
            return _Ways.apply(part if self.group.rank else part + b2, self.there, self.through)

    return Mlp(group)(*given)


@believes("The gradient of x is the same on all ranks", about="tensor_parallel_mlp")
def sums_forward_alone(group, *given):
    """Each rank has only the part that came through its own features: all_reduce it."""

    class Mlp(_Split):
        def back(self, grad):
            return grad

    return Mlp(group)(*given)


@believes("The backward of an all-reduce is an all-reduce", about="tensor_parallel_mlp")
def sums_the_gradient_of_y(group, *given):
    """All ranks have the same gradient of y: a sum would be size times too large. Pass it on as it is."""

    class Mlp(_Split):
        def through(self, grad):
            return self.group.all_reduce(grad)

    return Mlp(group)(*given)


@believes("The gradient of y is divided among the ranks", about="tensor_parallel_mlp")
def divides_the_gradient_of_y(group, *given):
    """Each part of a sum gets the whole gradient."""

    class Mlp(_Split):
        def through(self, grad):
            return grad / self.group.size

    return Mlp(group)(*given)


@believes("The parts of y are averaged", about="tensor_parallel_mlp")
def averages_y(group, *given):
    """They are summed: each is a product with different columns of W2."""

    class Mlp(_Split):
        def there(self, part):
            return self.group.all_reduce(part) / self.group.size

    return Mlp(group)(*given)


@believes("The gradient of x is averaged", about="tensor_parallel_mlp")
def averages_the_gradient_of_x(group, *given):
    """In data parallelism they may be averaged; here all ranks have the same samples, and the parts are summed."""

    class Mlp(_Split):
        def back(self, grad):
            return self.group.all_reduce(grad) / self.group.size

    return Mlp(group)(*given)


@believes("Autograd goes through a collective", about="tensor_parallel_mlp")
def sums_without_a_graph(group, *given):
    """Its result has no graph: write the backward in a torch.autograd.Function."""

    class Mlp(_Split):
        def out(self, hidden, w2, b2):
            return self.group.all_reduce(hidden @ w2.T) + b2

    return Mlp(group)(*given)


@believes("The hidden features are gathered before the second layer", about="tensor_parallel_mlp")
def gathers_hidden_features(group, x, w1, b1, w2, b2):
    """Each rank has the columns of W2 for its own features: only y has to be summed."""
    split = _Split(group)
    hidden = split.gelu(F.linear(_Ways.apply(x, _same, split.back), w1, b1))
    group.all_gather(hidden.detach())
    return split.out(hidden, w2, b2)


@believes("All parts of y are gathered, and summed on every rank", about="tensor_parallel_mlp")
def gathers_parts(group, *given):
    """That sends too much: use one all_reduce."""

    class Mlp(_Split):
        def there(self, part):
            return torch.stack(self.group.all_gather(part)).sum(0)

    return Mlp(group)(*given)


@believes("The gradients of w1, b1 and w2 are summed over the ranks", about="tensor_parallel_mlp")
def sums_gradients_of_weights(group, x, w1, b1, w2, b2):
    """Each rank has its own part of the weights, and so of their gradients: they are not summed."""
    split = _Split(group)
    return split(x, _Ways.apply(w1, _same, split.back), b1, w2, b2)


@believes("gelu may be approximated by tanh", about="tensor_parallel_mlp")
def approximates_gelu(group, *given):
    """The approximation differs in the fourth digit: use the exact one."""

    class Mlp(_Split):
        def gelu(self, x):
            return F.gelu(x, approximate="tanh")

    return Mlp(group)(*given)


@believes("gelu may be applied to the sum of the parts", about="tensor_parallel_mlp")
def activates_the_sum(group, *given):
    """It comes before the second layer, where each rank has its own hidden features."""

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


@believes("x.grad can be set", about="tensor_parallel_mlp")
def sets_the_gradient_of_x(group, x, w1, b1, w2, b2):
    """x may be the result of other operations, which need the gradient too: return it from a backward."""
    own = x.detach().requires_grad_()

    def summed(grad):
        whole = group.all_reduce(grad)
        x.grad = whole + x.grad if x.is_leaf and x.grad is not None else whole

    own.register_hook(summed)
    return _Split(group).out(F.gelu(F.linear(own, w1, b1)), w2, b2)


@believes("A hook on x sees what comes from the MLP alone", about="tensor_parallel_mlp")
def hooks_x_itself(group, x, w1, b1, w2, b2):
    """It sees all that x gets, also from elsewhere: give the MLP a view of x, and the view a hook."""
    own = x.view_as(x) if x.is_leaf else x
    own.register_hook(group.all_reduce)
    return _Split(group).out(F.gelu(F.linear(own, w1, b1)), w2, b2)


class _ByHand(torch.autograd.Function):
    """All of it by hand, in parts, right: what is kept, and what becomes of the gradients of w1, b1 and w2."""

    @staticmethod
    def forward(ctx, parts, x, w1, b1, w2):
        ctx.parts = parts
        z = F.linear(x, w1, b1)
        parts.keep(ctx, (x, w1, b1, w2, z))
        return parts.group.all_reduce(F.gelu(z) @ w2.T)

    @staticmethod
    def backward(ctx, grad):
        x, w1, b1, w2, z = ctx.parts.kept(ctx)
        normal = (1 + torch.erf(z / 2**0.5)) / 2
        back = (grad @ w2) * (normal + z * torch.exp(-z * z / 2) / (2 * torch.pi) ** 0.5)
        x_grad = ctx.parts.group.all_reduce(back @ w1)
        grads = [back.T @ x, back.sum(0), grad.T @ (z * normal)]
        return None, x_grad, *ctx.parts.passed([w1, b1, w2], grads)


class _Hand:
    """What _ByHand leaves open, right."""

    def __init__(self, group):
        self.group = group

    def keep(self, ctx, tensors):
        ctx.save_for_backward(*tensors)

    def kept(self, ctx):
        return ctx.saved_tensors

    def passed(self, weights, grads):
        return grads


@believes("The .grad of a weight is set", about="tensor_parallel_mlp")
def sets_gradients_of_weights(group, x, w1, b1, w2, b2):
    """A second call with the same weights adds to it: return the gradients from the backward, and autograd adds."""

    class Hand(_Hand):
        def passed(self, weights, grads):
            for weight, grad in zip((w1, b1, w2), grads, strict=True):
                weight.grad = grad
            return [None] * len(grads)

    return _ByHand.apply(Hand(group), x, w1, b1, w2) + b2


_latest: dict[int, Any] = {}  # by rank, because here all ranks have one global


_stacks: dict[int, list[Any]] = {}  # by rank, because here all ranks have one global


@believes("Backward passes come in the reverse order of their calls", about="tensor_parallel_mlp")
def keeps_calls_on_a_stack(group, x, w1, b1, w2, b2):
    """The first result may be the first to go back: keep what the backward needs in ctx, not on a stack."""

    class Hand(_Hand):
        def keep(self, ctx, tensors):
            _stacks.setdefault(self.group.rank, []).append(tensors)

        def kept(self, ctx):
            return _stacks[self.group.rank].pop()

    return _ByHand.apply(Hand(group), x, w1, b1, w2) + b2


@believes("Each call is followed by its own backward", about="tensor_parallel_mlp")
def keeps_the_latest_call(group, x, w1, b1, w2, b2):
    """Another call may come before it: keep what the backward needs in ctx, not in a global."""

    class Hand(_Hand):
        def keep(self, ctx, tensors):
            _latest[self.group.rank] = tensors

        def kept(self, ctx):
            return _latest[self.group.rank]

    return _ByHand.apply(Hand(group), x, w1, b1, w2) + b2
