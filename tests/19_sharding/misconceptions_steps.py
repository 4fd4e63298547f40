"""Wrong answers that people give to kata 19 about a step of which no rank has all weights."""

import torch
from torch.nn import functional as F

from dojo.judging.diagnose import believes, solution

solved = solution("19_sharding")


def _rows(shape, size):
    return -(-shape[0] // size)


def _padded(x, rows):
    return F.pad(x, (0, 0, 0, rows - len(x)))


class _Step:
    """One step in parts, right: each wrong answer gets one of them wrong."""

    def __init__(self, group, shapes, shards, x, target, lr):
        self.group, self.shapes, self.shards, self.lr = group, shapes, shards, lr
        self.x, self.target = x, target

    def __call__(self):
        with torch.no_grad():
            inputs = [self.x]
            for layer in range(len(self.shapes)):
                inputs.append(self.activated(layer, inputs[-1] @ self.forward_weight(layer).T))
            y = inputs.pop()
            grad = self.first(y)
            new = list(self.shards)
            for layer in reversed(range(len(self.shapes))):
                mine = self.reduced(layer, grad.T @ inputs[layer])[: len(self.shards[layer])]
                new[layer] = self.moved(self.shards[layer], mine)
                if layer:
                    grad = self.masked(grad @ self.backward_weight(layer, new), inputs[layer])
            return self.returned(new)

    def gathered(self, shape, shard):
        rows = _rows(shape, self.group.size)
        return torch.cat(self.group.all_gather(_padded(shard, rows)))[: shape[0]]

    def forward_weight(self, layer):
        return self.gathered(self.shapes[layer], self.shards[layer])

    def backward_weight(self, layer, new):
        return self.gathered(self.shapes[layer], self.shards[layer])

    def activated(self, layer, h):
        return h.relu() if layer < len(self.shapes) - 1 else h

    def first(self, y):
        return 2 * (y - self.target) / (y.numel() * self.group.size)

    def pieces(self, layer, grad):
        rows = _rows(self.shapes[layer], self.group.size)
        return list(_padded(grad, rows * self.group.size).split(rows))

    def reduced(self, layer, grad):
        return self.group.reduce_scatter(self.pieces(layer, grad))

    def masked(self, grad, h):
        return grad * (h > 0)

    def moved(self, shard, grad):
        return shard - self.lr * grad

    def returned(self, new):
        return new


@believes("The loss is the mean over a rank's own batch", about="fully_sharded_step")
def forgets_the_other_batches(*given):
    """A reduce_scatter sums the gradients of all ranks: divide by the elements of all of them."""

    class Step(_Step):
        def first(self, y):
            return 2 * (y - self.target) / y.numel()

    return Step(*given)()


@believes("Gradients are averaged over the ranks", about="fully_sharded_step")
def averages_gradients(*given):
    """The loss is already divided by the elements of all ranks: the gradients are summed."""

    class Step(_Step):
        def reduced(self, layer, grad):
            return super().reduced(layer, grad) / self.group.size

    return Step(*given)()


@believes("The loss is a mean over samples alone", about="fully_sharded_step")
def averages_samples_alone(*given):
    """It is a mean over all elements, of every sample and every output."""

    class Step(_Step):
        def first(self, y):
            return 2 * (y - self.target) / (len(y) * self.group.size)

    return Step(*given)()


@believes("The gradient of (y - target)² is y - target", about="fully_sharded_step")
def forgets_the_two(*given):
    """It is twice that."""

    class Step(_Step):
        def first(self, y):
            return super().first(y) / 2

    return Step(*given)()


@believes("A rank's rows only need its own gradient", about="fully_sharded_step")
def keeps_its_own_gradient(*given):
    """The other ranks' samples count as well: reduce_scatter."""

    class Step(_Step):
        def reduced(self, layer, grad):
            return self.pieces(layer, grad)[self.group.rank]

    return Step(*given)()


@believes("Gradients are all-reduced, and then cut", about="fully_sharded_step")
def reduces_whole_gradients(*given):
    """Each rank needs only its own rows: reduce_scatter."""

    class Step(_Step):
        def reduced(self, layer, grad):
            whole = self.group.all_reduce(grad)
            return self.pieces(layer, whole)[self.group.rank]

    return Step(*given)()


@believes("Gathered weights are kept for the backward pass", about="fully_sharded_step")
def keeps_whole_weights(*given):
    """Then all of them are alive at the end of the forward: drop each one, and gather it again."""

    class Step(_Step):
        def forward_weight(self, layer):
            self.held = [*getattr(self, "held", []), super().forward_weight(layer)]
            return self.held[-1]

        def backward_weight(self, layer, new):
            return self.held[layer]

    return Step(*given)()


@believes("A graph keeps no weights", about="fully_sharded_step")
def keeps_weights_in_a_graph(group, shapes, shards, x, target, lr):
    """h @ W.T saves W for its backward: gather W again there, in an autograd.Function of the whole layer."""
    step = _Step(group, shapes, shards, x, target, lr)

    class Gathered(torch.autograd.Function):
        @staticmethod
        def forward(ctx, shard, layer):
            ctx.layer = layer
            return step.gathered(shapes[layer], shard)

        @staticmethod
        def backward(ctx, grad):
            return step.reduced(ctx.layer, grad)[: len(shards[ctx.layer])], None

    own, h = [shard.clone().requires_grad_() for shard in shards], x
    for layer, shard in enumerate(own):
        h = step.activated(layer, h @ Gathered.apply(shard, layer).T)
    grads = torch.autograd.grad((h - target).square().sum() / (h.numel() * group.size), own)
    return [step.moved(shard, grad).detach() for shard, grad in zip(shards, grads, strict=True)]


@believes("Whole gradients are kept until the end", about="fully_sharded_step")
def keeps_whole_gradients(*given):
    """reduce_scatter each as soon as it is computed, and drop the whole one."""

    class Step(_Step):
        def reduced(self, layer, grad):
            self.held = [*getattr(self, "held", []), grad]
            return super().reduced(layer, grad)

    return Step(*given)()


@believes("Every layer has a relu", about="fully_sharded_step")
def ends_with_a_relu(group, shapes, shards, x, target, lr):
    """The last layer has none."""

    class Step(_Step):
        def activated(self, layer, h):
            return h.relu()

        def first(self, y):
            return super().first(y) * (y > 0)

    return Step(group, shapes, shards, x, target, lr)()


@believes("relu passes every gradient on", about="fully_sharded_step")
def forgets_the_mask(*given):
    """It does so only where its input was above 0."""

    class Step(_Step):
        def masked(self, grad, h):
            return grad

    return Step(*given)()


@believes("all_gather takes shards of different shapes", about="fully_sharded_step")
def gathers_without_padding(*given):
    """They need one shape: pad to ⌈out / size⌉ rows, and cut the padding off afterwards."""

    class Step(_Step):
        def gathered(self, shape, shard):
            return torch.cat(self.group.all_gather(shard))

    return Step(*given)()


@believes("Padding may stay in the gathered weight", about="fully_sharded_step")
def leaves_the_padding(*given):
    """Its rows make outputs that the next layer has no columns for: cut it off."""

    class Step(_Step):
        def gathered(self, shape, shard):
            return torch.cat(self.group.all_gather(_padded(shard, _rows(shape, self.group.size))))

    return Step(*given)()


@believes("A rank without rows need not take part", about="fully_sharded_step")
def leaves_without_rows(group, shapes, shards, x, target, lr):
    """The others wait for it in every collective, and its samples count: it takes part with zeros."""
    if not any(len(shard) for shard in shards):
        return list(shards)
    return solved.fully_sharded_step(group, shapes, shards, x, target, lr)


@believes("A weight may be updated as soon as its gradient is there", about="fully_sharded_step")
def goes_back_through_new_weights(*given):
    """The gradient of its input still needs the old weight: gather that, or update afterwards."""

    class Step(_Step):
        def backward_weight(self, layer, new):
            return self.gathered(self.shapes[layer], new[layer])

    return Step(*given)()


@believes("Shards are updated in place", about="fully_sharded_step")
def writes_into_shards(*given):
    """The step returns new shards, and leaves its arguments alone."""

    class Step(_Step):
        def returned(self, new):
            for old, one in zip(self.shards, new, strict=True):
                old.copy_(one)
            return new

    return Step(*given)()


@believes("The result is the whole weights", about="fully_sharded_step")
def returns_whole_weights(*given):
    """Each rank returns only its own rows."""

    class Step(_Step):
        def returned(self, new):
            return [self.gathered(*each) for each in zip(self.shapes, new, strict=True)]

    return Step(*given)()


@believes("A step adds lr · gradient", about="fully_sharded_step")
def adds_the_gradient(*given):
    """It subtracts it."""

    class Step(_Step):
        def moved(self, shard, grad):
            return shard + self.lr * grad

    return Step(*given)()


@believes("The new shards are padded", about="fully_sharded_step")
def returns_padded_shards(*given):
    """They have the shapes of the old ones."""

    class Step(_Step):
        def returned(self, new):
            each = zip(self.shapes, new, strict=True)
            return [_padded(one, _rows(shape, self.group.size)) for shape, one in each]

    return Step(*given)()


@believes("The gradient of a weight needs another all_gather", about="fully_sharded_step")
def gathers_three_times_a_layer(*given):
    """It is grad.T @ h, without any weight: two all_gathers per layer are enough."""

    class Step(_Step):
        def reduced(self, layer, grad):
            self.forward_weight(layer)
            self.forward_weight(layer)
            return super().reduced(layer, grad)

    return Step(*given)()


@believes("Arguments may have a .grad afterwards", about="fully_sharded_step")
def leaves_gradients_in_shards(*given):
    """Then the next backward pass adds to it: use torch.autograd.grad, or copies."""

    class Step(_Step):
        def moved(self, shard, grad):
            shard.grad = grad
            return shard - self.lr * shard.grad

    return Step(*given)()


@believes("Arguments may have a .grad afterwards", about="fully_sharded_step")
def leaves_a_gradient_in_x(*given):
    """Then the next backward pass adds to it: use torch.autograd.grad, or copies."""

    class Step(_Step):
        def returned(self, new):
            self.x.grad = torch.ones_like(self.x)
            return new

    return Step(*given)()


@believes("Arguments have no .grad before a step", about="fully_sharded_step")
def clears_gradients_of_shards(*given):
    """They may have one, to which a backward pass adds, and which has to stay: use torch.autograd.grad, or copies."""

    class Step(_Step):
        def moved(self, shard, grad):
            shard.grad = grad if shard.grad is None else shard.grad + grad
            new = shard - self.lr * shard.grad
            shard.grad = None
            return new

    return Step(*given)()


@believes("The new shards may have a graph", about="fully_sharded_step")
def returns_a_graph(*given):
    """It keeps the old shards alive, and those before them: subtract under torch.no_grad(), or detach."""

    class Step(_Step):
        def moved(self, shard, grad):
            with torch.enable_grad():
                return shard.clone().requires_grad_() - self.lr * grad

    return Step(*given)()


@believes("With a rate of 0 the shards themselves can be returned", about="fully_sharded_step")
def returns_the_old_shards(*given):
    """The step returns new shards: whoever writes into them must not change the old ones."""

    class Step(_Step):
        def moved(self, shard, grad):
            return shard - self.lr * grad if self.lr else shard

    return Step(*given)()


@believes("Autograd may stay turned off", about="fully_sharded_step")
def turns_gradients_off(*given):
    """The caller's next forward pass would then have no graph: use torch.no_grad(), which turns it on again."""
    torch.set_grad_enabled(False)
    new = _Step(*given)()
    torch.set_grad_enabled(False)
    return new
