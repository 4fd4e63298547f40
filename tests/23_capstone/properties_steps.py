"""The properties of kata 23 about a single step in micro-batches: what it does, what it runs, and what it keeps."""

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect_each, expect_error, grades
from dojo.seam.data import shown

from . import scenarios, truth
from .strategies_steps import cuts, no_cuts, noted_cuts, weighed_cuts

# Each example takes steps of two models. There are few kinds of noted cases, and measuring memory is slow.
THIRD, FEW, WEIGHED = one_in(3), one_in(5), one_in(20)

CLIPPED = 1e-5
"""clip_grad_norm_ adds 1e-6 to the norm; who clips without does as well."""

FLOAT32 = 2e-4
"""Two steps in float32, whose sums come in another order, differ by a thousandth of that."""

ROOM = 1.25
"""What another right style may keep a little longer. Who goes backward once for all parts, recomputes nothing, or runs
the whole batch keeps twice as much."""


@grades("train_step")
@THIRD
@given(case=cuts())
def test_train_step_is_the_step_of_the_whole_batch(kata, case):
    """The step is that of the mean loss over the whole batch, clipped once; gradients from before do not count.

    Afterwards each .grad is None, and the model keeps its dtype.
    """
    right = truth.program("train_step", case.lines, case.watched)
    seen = kata.run(scenarios.program, "train_step", case.lines, case.watched)
    expect_each(seen, right, "should be", rel=FLOAT32 if case.is_float32 else CLIPPED)


def runs(case):
    """Return how often each block runs, and on how many sequences in all."""
    parts = [min(case.micro_batch, case.batch - begin) for begin in range(0, case.batch, case.micro_batch)]
    return {
        index: (len(parts) * times, case.batch * times)
        for index, times in ((index, 2 if index < case.recomputed else 1) for index in range(case.layers))
    }


@grades("train_step")
@FEW
@given(case=noted_cuts())
def test_train_step_runs_each_block_once_for_each_part(kata, case):
    """Each block runs once for each part, a recomputed one twice, in as few parts and FLOPs as possible.

    noted.ran lists blocks and sequences. No more sequences are embedded at a time.
    """
    lines, watched = case.lines, case.watched
    seen = kata.run(scenarios.program, "train_step", lines, watched)
    ran = seen.get("noted.ran") if type(seen) is dict else seen
    right = truth.planned(lines, watched, whole_blocks=True)
    if type(ran) is not list or not all(type(one) is tuple and len(one) == 2 for one in ran):
        raise Mismatch(ran, shown(right["noted.ran"]), "for example", of="noted.ran")
    sequences = {index: [rows for at, rows in ran if at == index] for index in range(case.layers)}
    found = {index: (len(rows), sum(rows)) for index, rows in sequences.items()}
    if found != runs(case) or max(rows for _, rows in ran) > case.micro_batch:
        raise Mismatch(ran, shown(right["noted.ran"]), "for example", of="noted.ran")
    for name in watched[1:]:
        if type(seen[name]) is not int or seen[name] > right[name]:
            raise Mismatch(seen[name], f"{right[name]}, or less", "should be", of=name)


@grades("train_step")
@WEIGHED
@given(case=weighed_cuts())
def test_train_step_keeps_one_part_at_a_time(kata, case):
    """Memory holds one part at a time, with only the inputs of its recomputed blocks, plus 25 % at most."""
    most = int(ROOM * truth.planned(case.lines, case.watched, whole_blocks=False)["living.peak"])
    seen = kata.run(scenarios.program, "train_step", case.lines, case.watched)
    peak = seen.get("living.peak") if type(seen) is dict else seen
    if type(peak) is not int or peak > most:
        raise Mismatch(peak, f"{most}, or less", "should be", of="living.peak")


@grades("train_step")
@FEW
@given(program=no_cuts())
def test_train_step_refuses_no_sequences_at_a_time(kata, program):
    """A micro_batch below 1 raises a ValueError."""
    expect_error(ValueError, kata.run, scenarios.program, "train_step", *program, because="micro_batch is below 1")
