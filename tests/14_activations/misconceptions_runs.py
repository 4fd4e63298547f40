"""Wrong answers that people give to kata 14 about chains that are checkpointed in runs."""

import itertools
import math

import torch
from torch import nn

from dojo.judging.diagnose import believes, solution

solved = solution("14_activations")

# checkpoint_sequential


def _run(layers):
    """Return a function of x that runs these layers."""

    def run(x):
        for layer in layers:
            x = layer(x)
        return x

    return run


def _cut(layers, ends, x):
    """Run the chain in checkpointed runs with these ends."""
    for start, end in itertools.pairwise([0, *ends]):
        x = solved.checkpoint(_run(layers[start:end]), x)
    return x


def _check(layers, segments):
    if not 1 <= segments <= len(layers):
        raise ValueError(f"{len(layers)} layers in {segments} segments")


@believes("The remaining layers all go into the last run", about="checkpoint_sequential")
def leaves_the_rest_to_the_last(layers, segments, x):
    """7 layers in 4 runs would be 1, 1, 1 and 4, as in torch: lengths have to differ by at most one."""
    _check(layers, segments)
    size = len(layers) // segments
    return _cut(layers, [*(size * number for number in range(1, segments)), len(layers)], x)


@believes("The remaining layers all go into the first run", about="checkpoint_sequential")
def leaves_the_rest_to_the_first(layers, segments, x):
    """7 layers in 4 runs would be 4, 1, 1 and 1: lengths have to differ by at most one."""
    _check(layers, segments)
    size = len(layers) // segments
    return _cut(layers, [len(layers) - size * number for number in range(segments - 1, -1, -1)], x)


@believes("All runs but the last have ceil(n / k) layers", about="checkpoint_sequential")
def rounds_the_length_up(layers, segments, x):
    """6 layers in 4 runs would be 2, 2 and 2: three runs instead of four."""
    _check(layers, segments)
    size = math.ceil(len(layers) / segments)
    return _cut(layers, [*range(size, len(layers), size), len(layers)], x)


@believes("segments is the length of a run", about="checkpoint_sequential")
def takes_segments_for_a_length(layers, segments, x):
    """It is the number of runs."""
    _check(layers, segments)
    return _cut(layers, [*range(segments, len(layers), segments), len(layers)], x)


@believes("A float tells where each run ends", about="checkpoint_sequential")
def cuts_at_floats(layers, segments, x):
    """15 / 11 * 11 is a little less than 15, and int() then drops a layer: use integers, number * n // k."""
    _check(layers, segments)
    return _cut(layers, [int(len(layers) / segments * number) for number in range(1, segments + 1)], x)


@believes("A float tells where each run ends", about="checkpoint_sequential")
def cuts_at_parts_of_one(layers, segments, x):
    """15 / 11 * 11 is a little less than 15, and int() then drops a layer: use integers, number * n // k."""
    _check(layers, segments)
    return _cut(layers, [int(number / segments * len(layers)) for number in range(1, segments + 1)], x)


@believes("The function chooses the number of runs", about="checkpoint_sequential")
def takes_the_best_segment(layers, segments, x):
    """The caller chooses it: segments is the number of runs."""
    _check(layers, segments)
    size = solved.best_segment(len(layers))
    return _cut(layers, [*range(size, len(layers), size), len(layers)], x)


@believes("The layers only have to be called in order", about="checkpoint_sequential")
def checkpoints_nothing(layers, segments, x):
    """Then every result is kept: checkpoint each run."""
    _check(layers, segments)
    return _run(layers)(x)


@believes("One checkpoint around everything keeps the least", about="checkpoint_sequential")
def checkpoints_the_whole(layers, segments, x):
    """Then all results are recomputed and held at once in the backward."""
    _check(layers, segments)
    return _cut(layers, [len(layers)], x)


@believes("Each layer has its own checkpoint", about="checkpoint_sequential")
def checkpoints_each_layer(layers, segments, x):
    """Then every result is an input that is kept: checkpoint runs of layers."""
    _check(layers, segments)
    return _cut(layers, range(1, len(layers) + 1), x)


@believes("Only the first run needs a checkpoint", about="checkpoint_sequential")
def checkpoints_the_first_run(layers, segments, x):
    """Only the last run may be left without one."""
    _check(layers, segments)
    end = len(layers) // segments
    return _run(layers[end:])(solved.checkpoint(_run(layers[:end]), x))


@believes("A run of one layer needs no checkpoint", about="checkpoint_sequential")
def leaves_single_layers_plain(layers, segments, x):
    """What the layer computes inside would be kept until the backward: only the last run may be left plain."""
    _check(layers, segments)
    ends = [len(layers) * number // segments for number in range(segments + 1)]
    for start, end in itertools.pairwise(ends):
        x = layers[start](x) if end == start + 1 else solved.checkpoint(_run(layers[start:end]), x)
    return x


@believes("The last two runs may be left without a checkpoint", about="checkpoint_sequential")
def leaves_two_runs_plain(layers, segments, x):
    """Only the last one may: its results are needed first."""
    _check(layers, segments)
    ends = [len(layers) * number // segments for number in range(1, segments - 1)]
    return _run(layers[ends[-1] if ends else 0 :])(_cut(layers, ends, x))


@believes("A function keeps the values its variables had when it was made", about="checkpoint_sequential")
def binds_late(layers, segments, x):
    """It looks them up when it runs, which is after the loop, in the backward: pass them as arguments."""
    _check(layers, segments)
    ends = [len(layers) * number // segments for number in range(segments + 1)]
    for start, end in itertools.pairwise(ends):

        def run(x):
            for layer in layers[start:end]:  # noqa: B023
                x = layer(x)
            return x

        x = solved.checkpoint(run, x)
    return x


@believes("A function keeps the values its variables had when it was made", about="checkpoint_sequential")
def binds_late_beyond_the_end(layers, segments, x):
    """It looks them up when it runs, which is after the loop, in the backward: pass them as arguments."""
    _check(layers, segments)
    start = 0
    for number in range(1, segments + 1):
        end = len(layers) * number // segments

        def run(x):
            for layer in layers[start:end]:  # noqa: B023
                x = layer(x)
            return x

        x = solved.checkpoint(run, x)
        start = end
    return x


@believes("Each run starts from a leaf", about="checkpoint_sequential")
def detaches_between_runs(layers, segments, x):
    """Then no gradient reaches the runs before it: pass on what the previous run returned."""
    _check(layers, segments)
    ends = [len(layers) * number // segments for number in range(segments + 1)]
    for start, end in itertools.pairwise(ends):
        x = solved.checkpoint(_run(layers[start:end]), x if start == 0 else x.detach().requires_grad_())
    return x


@believes("If the data needs no gradient, there is nothing to save", about="checkpoint_sequential")
def checkpoints_if_the_data_needs_gradients(layers, segments, x):
    """The layers have parameters, so autograd still saves their inputs."""
    _check(layers, segments)
    return solved.checkpoint_sequential(layers, segments, x) if x.requires_grad else _run(layers)(x)


@believes("x has to require grad", about="checkpoint_sequential")
def asks_for_the_datas_gradient(layers, segments, x):
    """A checkpoint needs no argument that requires grad: leave x as it is."""
    _check(layers, segments)
    return solved.checkpoint_sequential(layers, segments, x.requires_grad_())


@believes("More segments than layers mean one run per layer", about="checkpoint_sequential")
def takes_fewer_runs(layers, segments, x):
    """The layers cannot be cut like that: raise ValueError."""
    return solved.checkpoint_sequential(layers, min(segments, len(layers)) if layers else segments, x)


@believes("0 segments mean no checkpoint", about="checkpoint_sequential")
def takes_0_runs(layers, segments, x):
    """The layers cannot be cut into 0 runs: raise ValueError."""
    return _run(layers)(x) if segments == 0 else solved.checkpoint_sequential(layers, segments, x)


@believes("Without layers, the result is x", about="checkpoint_sequential")
def takes_no_layers_for_a_chain(layers, segments, x):
    """An empty chain cannot be cut into runs: raise ValueError."""
    return solved.checkpoint_sequential(layers, segments, x) if layers else x


@believes("Without gradients, segments may be anything", about="checkpoint_sequential")
def checks_only_with_gradients(layers, segments, x):
    """ValueError is raised under torch.no_grad() as well: check segments before anything else."""
    return solved.checkpoint_sequential(layers, segments, x) if torch.is_grad_enabled() else _run(layers)(x)


@believes("The forward runs the layers in the order in which they are recomputed", about="checkpoint_sequential")
def goes_through_the_runs_backwards(layers, segments, x):
    """Only the backward starts with the last run; the forward starts with the first."""
    _check(layers, segments)
    ends = [len(layers) * number // segments for number in range(segments + 1)]
    for start, end in reversed([*itertools.pairwise(ends)]):
        x = solved.checkpoint(_run(layers[start:end]), x)
    return x


@believes("A chain that is recomputed needs gradients enabled", about="checkpoint_sequential")
def enables_gradients(layers, segments, x):
    """Under torch.no_grad(), nothing is recomputed, and the result requires no grad: leave the mode as it is."""
    with torch.enable_grad():
        return solved.checkpoint_sequential(layers, segments, x)


def _plain_where(plain, layers, segments, x):
    """Run the chain in runs, of which some are not checkpointed."""
    _check(layers, segments)
    ends = [len(layers) * number // segments for number in range(segments + 1)]
    for start, end in itertools.pairwise(ends):
        run = _run(layers[start:end])
        x = run(x) if plain(layers[start:end]) else solved.checkpoint(run, x)
    return x


@believes("A run without parameters needs no checkpoint", about="checkpoint_sequential")
def leaves_runs_without_parameters_plain(layers, segments, x):
    """Its results take memory too: only the last run may be left plain."""

    def plain(run):
        return all(isinstance(layer, nn.Module) and not list(layer.parameters()) for layer in run)

    return _plain_where(plain, layers, segments, x)


@believes("A run with dropout cannot be recomputed", about="checkpoint_sequential")
def leaves_runs_with_dropout_plain(layers, segments, x):
    """A checkpoint draws the same mask again: only the last run may be left plain."""

    def plain(run):
        return any(isinstance(layer, nn.Dropout) and layer.training for layer in run)

    return _plain_where(plain, layers, segments, x)
