"""The properties of kata 23 about a training run: what each step uses, and that stopping it leaves no trace."""

import itertools
import math
from collections import Counter

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect_each, expect_error, grades
from dojo.seam.data import is_number, shown

from ..shared.random_states import next_numbers
from . import scenarios, truth
from .strategies_runs import epochs, orders, quiet_runs, repeated, stops, too_short

# Each example takes about ten steps, or three times as many.
FIFTH, EIGHTH, TENTH = one_in(5), one_in(8), one_in(10)

# Sums of a handful of logarithms in float64, in another order.
REL = 1e-9

DTYPES = "[p.dtype for p in model.parameters()]"


def value(seen, name, kind=list):
    """Return a value that a program left; raise Mismatch if it has another type."""
    got = seen.get(name) if type(seen) is dict else seen
    if type(got) is not kind:
        raise Mismatch(got, f"a {kind.__name__}", "should be", of=name)
    return got


def are_epochs(batches, case):
    """Tell whether these are whole epochs, except for the last one; a step may run its batch more than once."""
    sizes = [*map(len, batches_of(case))]
    for begin in range(0, len(batches), case.per_epoch):
        left = Counter(itertools.chain(*batches_of(case)))
        for batch, size in zip(batches[begin : begin + case.per_epoch], sizes, strict=False):
            if type(batch) is not list or not all(type(place) is int for place in batch):
                return False
            times, rest = divmod(len(batch), size)
            if times == 0 or rest or any(count % times for count in Counter(batch).values()):
                return False
            left.subtract(batch[::times])
        if min(left.values()) < 0:
            return False
    return True


NEIGHBOURS = 40
"""Of 69 pairs of neighbours in three epochs of 24 windows, so many are in one batch. Of all orders that is one in
10**18; if only batches are shuffled, or if an epoch begins anywhere in the text, there are 45 and more."""


def are_unmixed(epochs):
    """Tell whether the same windows always come together, as in one of 10**24 shuffled orders, or neighbours."""
    mixed = [{frozenset(batch) for batch in epoch} for epoch in epochs]
    neighbours = sum(place + 1 in batch for batches in mixed for batch in batches for place in batch)
    return mixed[0] == mixed[1] == mixed[2] or neighbours >= NEIGHBOURS


def batches_of(case):
    """Return the batches of an epoch, in no particular order."""
    places = [place % case.kinds for place in range(case.windows)]
    return [sorted(places[at : at + case.batch]) for at in range(0, case.windows, case.batch)]


def example_of(case):
    """Show batches that would be right."""
    return shown((batches_of(case) * case.steps)[: case.steps])


@grades("Trainer")
@FIFTH
@given(case=epochs())
def test_trainer_visits_each_window_once_an_epoch(kata, case):
    """An epoch visits each window once, in batches; the last batch may be smaller.

    step returns the loss before the step. With lr 0.0 nothing moves.
    """
    seen = kata.run(scenarios.program, "Trainer", case.lines, case.watched)
    batches = value(seen, "batches")
    if len(batches) != case.steps or not are_epochs(batches, case):
        raise Mismatch(batches, example_of(case), "for example", of="batches")
    losses = value(seen, "losses")
    for place in range(case.steps if case.lr == 0.0 else 1):  # with 0.0 the model is still the one that was made
        right = truth.loss_of(case.made, batches[place], case.context)
        got = losses[place] if len(losses) == case.steps else None
        if type(got) is not float or not math.isclose(got, right, rel_tol=REL):
            raise Mismatch(got, shown(right), "should be", of=f"losses[{place}]")
    expect_each(seen, {"moved": case.lr != 0.0}, "should be")
    expect_each(seen, {"tokens": truth.program("Trainer", case.made, ["tokens"])["tokens"]}, "should still be")


@grades("Trainer")
@TENTH
@given(case=orders())
def test_trainer_draws_another_order_each_epoch_and_for_each_seed(kata, case):
    """Each epoch and each seed has its own order, and the same seed gives the same one, even if trainers take turns.

    In each epoch other windows come together in a batch, and few of them are neighbours in the text.
    """
    seen = kata.run(scenarios.program, "Trainer", case.lines, case.watched)
    of_epochs, of_seeds = (value(seen, name) for name in case.watched)
    for name, found in zip(case.watched, (of_epochs, of_seeds), strict=True):
        alike = len(found) != 3 or any(one == other for one, other in itertools.combinations(found, 2))
        if alike or not all(are_epochs(epoch, case) for epoch in found):
            raise Mismatch(found, "three orders, no two of them the same", "should be", of=name)
    if are_unmixed(of_epochs):
        raise Mismatch(
            of_epochs, "batches of other windows in each epoch, and few neighbours", "should be", of=case.watched[0]
        )
    if of_seeds[0] != of_epochs[0]:
        raise Mismatch(of_seeds[0], shown(of_epochs[0]), "should be", of="of_three_seeds[0]")


@grades("Trainer")
@EIGHTH
@given(case=stops())
def test_trainer_goes_on_to_the_bit(kata, case):
    """A resumed trainer has the losses, batches, parameters and dtype of a run that was never stopped."""
    watched = ["whole", "resumed", "in_one_go", "stopped", DTYPES]
    seen = kata.run(scenarios.program, "Trainer", case.lines, watched)
    value(seen, "whole"), value(seen, "in_one_go")
    expect_each(seen, {"resumed": seen["whole"]}, "in one go")
    expect_each(seen, {"stopped": seen["in_one_go"]}, "in one go")
    expect_each(seen, truth.program("Trainer", case.made, [DTYPES]), "should still be")


@grades("Trainer")
@TENTH
@given(case=quiet_runs())
def test_trainer_leaves_the_global_random_states(kata, case):
    """The global random states of torch, numpy and Python stay as they are."""
    lines, seed = case
    right = next_numbers(seed)
    expect_each(kata.run(scenarios.program, "Trainer", lines, [*right]), right, "should be")


@grades("Trainer")
@TENTH
@given(lines=repeated())
def test_trainer_learns(kata, lines):
    """With a small lr, the loss of a batch that is repeated falls."""
    losses = value(kata.run(scenarios.program, "Trainer", lines, ["losses"]), "losses")
    if not all(map(is_number, losses)) or not losses[-1] < losses[0]:
        raise Mismatch(losses, "less at the end than at the beginning", "should be", of="losses")


@grades("Trainer")
@TENTH
@given(case=too_short())
def test_trainer_refuses_a_text_without_a_window(kata, case):
    """A text of fewer than context + 1 tokens raises a ValueError."""
    because = f"{case.tokens} tokens, and a window has {case.context + 1}"
    expect_error(ValueError, kata.run, scenarios.program, "Trainer", case.lines, [], because=because)
