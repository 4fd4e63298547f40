"""Wrong answers that people give to kata 14 about chains that are checkpointed in runs."""

import itertools
import math

from dojo.judging.diagnose import believes, solution

solved = solution("14_activations")

# checkpoint_sequential


def _run(layers):
    """A function of x that goes through these layers."""

    def run(x):
        for layer in layers:
            x = layer(x)
        return x

    return run


def _cut(layers, ends, x):
    """The chain, in checkpointed runs that end there."""
    for start, end in itertools.pairwise([0, *ends]):
        x = solved.checkpoint(_run(layers[start:end]), x)
    return x


def _check(layers, segments):
    if not 1 <= segments <= len(layers):
        raise ValueError(f"{len(layers)} layers in {segments} segments")


@believes("What does not divide goes into the last run", about="checkpoint_sequential")
def leaves_the_rest_to_the_last(layers, segments, x):
    """7 layers in 4 would be 1, 1, 1 and 4, as torch cuts them: let lengths differ by one at most."""
    _check(layers, segments)
    size = len(layers) // segments
    return _cut(layers, [*(size * number for number in range(1, segments)), len(layers)], x)


@believes("What does not divide goes into the first run", about="checkpoint_sequential")
def leaves_the_rest_to_the_first(layers, segments, x):
    """7 layers in 4 would be 4, 1, 1 and 1: let lengths differ by one at most."""
    _check(layers, segments)
    size = len(layers) // segments
    return _cut(layers, [len(layers) - size * number for number in range(segments - 1, -1, -1)], x)


@believes("All runs but the last have the length that is rounded up", about="checkpoint_sequential")
def rounds_the_length_up(layers, segments, x):
    """6 layers in 4 would be 2, 2 and 2: three runs. There are as many runs as are asked for."""
    _check(layers, segments)
    size = math.ceil(len(layers) / segments)
    return _cut(layers, [*range(size, len(layers), size), len(layers)], x)


@believes("segments is the length of a run", about="checkpoint_sequential")
def takes_segments_for_a_length(layers, segments, x):
    """It is how many runs there are."""
    _check(layers, segments)
    return _cut(layers, [*range(segments, len(layers), segments), len(layers)], x)


@believes("The number of runs is for the function to choose", about="checkpoint_sequential")
def takes_the_best_segment(layers, segments, x):
    """Whoever calls has chosen it: segments runs."""
    _check(layers, segments)
    size = solved.best_segment(len(layers))
    return _cut(layers, [*range(size, len(layers), size), len(layers)], x)


@believes("A chain is a chain", about="checkpoint_sequential")
def checkpoints_nothing(layers, segments, x):
    """Then every result is kept: checkpoint each run."""
    _check(layers, segments)
    return _run(layers)(x)


@believes("One checkpoint around everything keeps the least", about="checkpoint_sequential")
def checkpoints_the_whole(layers, segments, x):
    """In the backward all of it is recomputed, and there at once."""
    _check(layers, segments)
    return _cut(layers, [len(layers)], x)


@believes("Each layer is a checkpoint", about="checkpoint_sequential")
def checkpoints_each_layer(layers, segments, x):
    """Then every result is an input that is kept: checkpoint runs of layers."""
    _check(layers, segments)
    return _cut(layers, range(1, len(layers) + 1), x)


@believes("Only the first run is worth a checkpoint", about="checkpoint_sequential")
def checkpoints_the_first_run(layers, segments, x):
    """Only the last one may be left plain."""
    _check(layers, segments)
    end = len(layers) // segments
    return _run(layers[end:])(solved.checkpoint(_run(layers[:end]), x))


@believes("The last two runs may be left plain", about="checkpoint_sequential")
def leaves_two_runs_plain(layers, segments, x):
    """The last one alone: its results are needed first."""
    _check(layers, segments)
    ends = [len(layers) * number // segments for number in range(1, segments - 1)]
    return _run(layers[ends[-1] if ends else 0 :])(_cut(layers, ends, x))


@believes("A function keeps the values that its variables have when it is made", about="checkpoint_sequential")
def binds_late(layers, segments, x):
    """It looks them up when it runs, in the backward: then they are those of the last run. Pass them as arguments."""
    _check(layers, segments)
    ends = [len(layers) * number // segments for number in range(segments + 1)]
    for start, end in itertools.pairwise(ends):

        def run(x):
            for layer in layers[start:end]:  # noqa: B023
                x = layer(x)
            return x

        x = solved.checkpoint(run, x)
    return x


@believes("A run begins at a leaf", about="checkpoint_sequential")
def detaches_between_runs(layers, segments, x):
    """Then no gradient goes beyond the last run: pass on what the run before has returned."""
    _check(layers, segments)
    ends = [len(layers) * number // segments for number in range(segments + 1)]
    for start, end in itertools.pairwise(ends):
        x = solved.checkpoint(_run(layers[start:end]), x if start == 0 else x.detach().requires_grad_())
    return x


@believes("Where the data needs no gradient there is nothing to save", about="checkpoint_sequential")
def checkpoints_if_the_data_needs_gradients(layers, segments, x):
    """The layers have parameters: their inputs are kept all the same."""
    _check(layers, segments)
    return solved.checkpoint_sequential(layers, segments, x) if x.requires_grad else _run(layers)(x)


@believes("The data has to need a gradient", about="checkpoint_sequential")
def asks_for_the_datas_gradient(layers, segments, x):
    """A checkpoint needs no argument that requires grad: leave x as it is."""
    _check(layers, segments)
    return solved.checkpoint_sequential(layers, segments, x.requires_grad_())


@believes("More runs than layers are as many as layers", about="checkpoint_sequential")
def takes_fewer_runs(layers, segments, x):
    """ValueError says that they cannot be cut so."""
    return solved.checkpoint_sequential(layers, min(segments, len(layers)) if layers else segments, x)


@believes("0 runs mean no checkpoint", about="checkpoint_sequential")
def takes_0_runs(layers, segments, x):
    """ValueError says that there is no such cut."""
    return _run(layers)(x) if segments == 0 else solved.checkpoint_sequential(layers, segments, x)


@believes("A chain of no layers gives x", about="checkpoint_sequential")
def takes_no_layers_for_a_chain(layers, segments, x):
    """No layers cannot be cut into runs: ValueError."""
    return solved.checkpoint_sequential(layers, segments, x) if layers else x


@believes("The layers run in the order in which they are recomputed", about="checkpoint_sequential")
def goes_through_the_runs_backwards(layers, segments, x):
    """The backward begins with the last run; the forward with the first."""
    _check(layers, segments)
    ends = [len(layers) * number // segments for number in range(segments + 1)]
    for start, end in reversed([*itertools.pairwise(ends)]):
        x = solved.checkpoint(_run(layers[start:end]), x)
    return x
