"""Wrong answers that people give to kata 14 about what recomputing costs."""

import itertools

from dojo.judging.diagnose import believes, solution

solved = solution("14_activations")

# checkpointed_step_flops


def _layers(batch, dims, recomputed):
    """Return the FLOPs of each layer's forward, after checking that all indices are layers."""
    solved.checkpointed_step_flops(batch, dims, recomputed)
    return [2 * batch * d_in * d_out for d_in, d_out in itertools.pairwise(dims)]


@believes("If one layer is recomputed, all are", about="checkpointed_step_flops")
def recomputes_everything(batch, dims, recomputed=()):
    """Only the layers in recomputed run again."""
    again = range(len(dims) - 1) if recomputed else ()
    _layers(batch, dims, recomputed)
    return solved.checkpointed_step_flops(batch, dims, tuple(again))


@believes("To recompute a layer, all layers before it have to run", about="checkpointed_step_flops")
def recomputes_from_the_data(batch, dims, recomputed=()):
    """The input of a checkpoint is kept, so only that layer runs again."""
    _layers(batch, dims, recomputed)
    return solved.checkpointed_step_flops(batch, dims, tuple(range(max(recomputed, default=-1) + 1)))


@believes("A layer that is named twice runs again twice", about="checkpointed_step_flops")
def counts_each_name(batch, dims, recomputed=()):
    """It is recomputed once, however often it is named."""
    layers = _layers(batch, dims, recomputed)
    return solved.checkpointed_step_flops(batch, dims) + sum(layers[index] for index in recomputed)


@believes("Recomputing is free", about="checkpointed_step_flops")
def recomputes_for_free(batch, dims, recomputed=()):
    """It costs time: the layer's forward runs once more."""
    _layers(batch, dims, recomputed)
    return solved.checkpointed_step_flops(batch, dims)


@believes("A recomputed layer also runs backward once more", about="checkpointed_step_flops")
def goes_backward_again(batch, dims, recomputed=()):
    """It runs forward once more, and backward once, as every layer does."""
    layers = _layers(batch, dims, recomputed)
    return solved.checkpointed_step_flops(batch, dims, recomputed) + 2 * sum(layers[index] for index in {*recomputed})


@believes("The data also gets a gradient", about="checkpointed_step_flops")
def differentiates_the_data(batch, dims, recomputed=()):
    """It needs none, so the backward of the first layer is one product, for its weight."""
    layers = _layers(batch, dims, recomputed)
    return solved.checkpointed_step_flops(batch, dims, recomputed) + sum(layers[:1])


@believes("If the data needs no gradient, the first layer has no backward", about="checkpointed_step_flops")
def skips_the_first_backward(batch, dims, recomputed=()):
    """Its weight needs a gradient, which is one product. Only the product for the data's gradient is omitted."""
    layers = _layers(batch, dims, recomputed)
    return solved.checkpointed_step_flops(batch, dims, recomputed) - sum(layers[:1])


@believes("The first layer need not run again: its input is data", about="checkpointed_step_flops")
def skips_the_first_layer(batch, dims, recomputed=()):
    """Every layer in recomputed runs again, including the first."""
    _layers(batch, dims, recomputed)
    return solved.checkpointed_step_flops(batch, dims, tuple(index for index in recomputed if index))


@believes("The last layer need not run again", about="checkpointed_step_flops")
def skips_the_last_layer(batch, dims, recomputed=()):
    """torch may stop early there, but here every layer in recomputed runs again, including the last."""
    _layers(batch, dims, recomputed)
    last = len(dims) - 2
    return solved.checkpointed_step_flops(batch, dims, tuple(index for index in recomputed if index != last))


@believes("A multiplication and an addition are one operation", about="checkpointed_step_flops")
def counts_multiply_adds(batch, dims, recomputed=()):
    """They are two: 2 · batch · d_in · d_out."""
    return solved.checkpointed_step_flops(batch, dims, recomputed) // 2


@believes("The backward costs as much as the forward", about="checkpointed_step_flops")
def goes_back_once(batch, dims, recomputed=()):
    """It costs twice as much: a product for the gradient of the weight, and one for that of the input."""
    layers = _layers(batch, dims, recomputed)
    return 2 * sum(layers) + sum(layers[index] for index in {*recomputed})


@believes("Only the last layer computes the gradient of its input", about="checkpointed_step_flops")
def saves_every_inputs_gradient(batch, dims, recomputed=()):
    """Every layer but the first has to pass a gradient on: only the first layer's input is data."""
    layers = _layers(batch, dims, recomputed)
    return 2 * sum(layers) + sum(layers[-1:]) + sum(layers[index] for index in {*recomputed})


@believes("Where one width is 0, no layer computes anything", about="checkpointed_step_flops")
def stops_at_a_width_of_0(batch, dims, recomputed=()):
    """Only the layers on its two sides have no products. Zeros come out of them, and the next layers multiply these."""
    _layers(batch, dims, recomputed)
    return 0 if 0 in dims else solved.checkpointed_step_flops(batch, dims, recomputed)


@believes("Layers are counted from 1", about="checkpointed_step_flops")
def counts_from_1(batch, dims, recomputed=()):
    """The first one is 0."""
    _layers(batch, dims, recomputed)
    return solved.checkpointed_step_flops(batch, dims, tuple(index - 1 for index in recomputed if index))


@believes("The second run takes one row", about="checkpointed_step_flops")
def forgets_the_batch_of_the_second_run(batch, dims, recomputed=()):
    """All rows go through the layer again."""
    layers = _layers(1, dims, recomputed)
    return solved.checkpointed_step_flops(batch, dims) + sum(layers[index] for index in {*recomputed})


@believes("-1 is the last layer", about="checkpointed_step_flops")
def counts_from_the_end(batch, dims, recomputed=()):
    """Negative indices are not allowed here: raise ValueError."""
    count = len(dims) - 1
    return solved.checkpointed_step_flops(batch, dims, tuple(i + count if -count <= i < 0 else i for i in recomputed))


@believes("An index that is no layer is ignored", about="checkpointed_step_flops")
def ignores_what_is_no_layer(batch, dims, recomputed=()):
    """There is no such layer: raise ValueError."""
    count = len(dims) - 1
    return solved.checkpointed_step_flops(batch, dims, tuple(index for index in recomputed if 0 <= index < count))
