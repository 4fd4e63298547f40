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
    """A reduce_scatter adds the gradients of all ranks up: divide by their number as well."""

    class Step(_Step):
        def first(self, y):
            return 2 * (y - self.target) / y.numel()

    return Step(*given)()


@believes("Gradients are averaged over the ranks", about="fully_sharded_step")
def averages_gradients(*given):
    """The loss is divided by the elements of all ranks already: gradients are summed."""

    class Step(_Step):
        def reduced(self, layer, grad):
            return super().reduced(layer, grad) / self.group.size

    return Step(*given)()


@believes("A mean is over samples", about="fully_sharded_step")
def averages_samples_alone(*given):
    """It is over all elements: of every sample, and of every output."""

    class Step(_Step):
        def first(self, y):
            return 2 * (y - self.target) / (len(y) * self.group.size)

    return Step(*given)()


@believes("The gradient of a square is the difference", about="fully_sharded_step")
def forgets_the_two(*given):
    """It is twice the difference."""

    class Step(_Step):
        def first(self, y):
            return super().first(y) / 2

    return Step(*given)()


@believes("A rank's own gradient is that of its rows", about="fully_sharded_step")
def keeps_its_own_gradient(*given):
    """The other ranks' samples belong to it as well: reduce_scatter."""

    class Step(_Step):
        def reduced(self, layer, grad):
            return self.pieces(layer, grad)[self.group.rank]

    return Step(*given)()


@believes("Gradients are all-reduced, and cut afterwards", about="fully_sharded_step")
def reduces_whole_gradients(*given):
    """Each rank needs its own rows only: reduce_scatter."""

    class Step(_Step):
        def reduced(self, layer, grad):
            whole = self.group.all_reduce(grad)
            return self.pieces(layer, whole)[self.group.rank]

    return Step(*given)()


@believes("What was gathered is kept for the backward pass", about="fully_sharded_step")
def keeps_whole_weights(*given):
    """Then all weights are there at the end of the forward pass: drop each, and gather it once more."""

    class Step(_Step):
        def forward_weight(self, layer):
            self.held = [*getattr(self, "held", []), super().forward_weight(layer)]
            return self.held[-1]

        def backward_weight(self, layer, new):
            return self.held[layer]

    return Step(*given)()


@believes("Gradients are kept whole until the step", about="fully_sharded_step")
def keeps_whole_gradients(*given):
    """Reduce-scatter each as soon as it is there, and drop the whole one."""

    class Step(_Step):
        def reduced(self, layer, grad):
            self.held = [*getattr(self, "held", []), grad]
            return super().reduced(layer, grad)

    return Step(*given)()


@believes("Every layer has a relu", about="fully_sharded_step")
def ends_with_a_relu(group, shapes, shards, x, target, lr):
    """The last one makes y as it is."""

    class Step(_Step):
        def activated(self, layer, h):
            return h.relu()

        def first(self, y):
            return super().first(y) * (y > 0)

    return Step(group, shapes, shards, x, target, lr)()


@believes("A relu lets every gradient through", about="fully_sharded_step")
def forgets_the_mask(*given):
    """Only where its input was above 0."""

    class Step(_Step):
        def masked(self, grad, h):
            return grad

    return Step(*given)()


@believes("all_gather takes whatever each rank has", about="fully_sharded_step")
def gathers_without_padding(*given):
    """It takes one shape: pad the rows to ⌈out / size⌉, and cut off what is too much afterwards."""

    class Step(_Step):
        def gathered(self, shape, shard):
            return torch.cat(self.group.all_gather(shard))

    return Step(*given)()


@believes("Rows of zeros do no harm", about="fully_sharded_step")
def leaves_the_padding(*given):
    """They make outputs that the next layer has no columns for: cut the gathered weight to its rows."""

    class Step(_Step):
        def gathered(self, shape, shard):
            return torch.cat(self.group.all_gather(_padded(shard, _rows(shape, self.group.size))))

    return Step(*given)()


@believes("Who has no rows need not take part", about="fully_sharded_step")
def leaves_without_rows(group, shapes, shards, x, target, lr):
    """The others wait for it in every collective, and its samples count: it takes part with rows of zeros."""
    if not any(len(shard) for shard in shards):
        return list(shards)
    return solved.fully_sharded_step(group, shapes, shards, x, target, lr)


@believes("A weight may move as soon as its gradient is there", about="fully_sharded_step")
def goes_back_through_new_weights(*given):
    """The gradient still has to go back through the old one: gather that, or move afterwards."""

    class Step(_Step):
        def backward_weight(self, layer, new):
            return self.gathered(self.shapes[layer], new[layer])

    return Step(*given)()


@believes("Shards are changed in place", about="fully_sharded_step")
def writes_into_shards(*given):
    """The step returns new ones, and leaves its arguments alone."""

    class Step(_Step):
        def returned(self, new):
            for old, one in zip(self.shards, new, strict=True):
                old.copy_(one)
            return new

    return Step(*given)()


@believes("A step returns whole weights", about="fully_sharded_step")
def returns_whole_weights(*given):
    """Each rank returns its own rows of each."""

    class Step(_Step):
        def returned(self, new):
            return [self.gathered(*each) for each in zip(self.shapes, new, strict=True)]

    return Step(*given)()


@believes("A step goes up the gradient", about="fully_sharded_step")
def adds_the_gradient(*given):
    """It takes lr · gradient off."""

    class Step(_Step):
        def moved(self, shard, grad):
            return shard + self.lr * grad

    return Step(*given)()


@believes("Each rank gets its padding back", about="fully_sharded_step")
def returns_padded_shards(*given):
    """A new shard has the shape of the old one."""

    class Step(_Step):
        def returned(self, new):
            each = zip(self.shapes, new, strict=True)
            return [_padded(one, _rows(shape, self.group.size)) for shape, one in each]

    return Step(*given)()


@believes("A weight's gradient takes a gathered weight too", about="fully_sharded_step")
def gathers_three_times_a_layer(*given):
    """It is grad.T @ h, of no weight at all: twice a layer is enough."""

    class Step(_Step):
        def reduced(self, layer, grad):
            self.forward_weight(layer)
            self.forward_weight(layer)
            return super().reduced(layer, grad)

    return Step(*given)()
