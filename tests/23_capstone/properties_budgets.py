"""The properties of kata 23 about a budget: how much of it is spent, and what is learned for it."""

import functools

from dojo.judging.examples import given, in_turn, one_in
from dojo.judging.expect import Mismatch, grades
from dojo.seam.data import is_number, shown

from . import pictures, scenarios, tasks, truth
from .strategies_runs import Budget, budgets

# Each example trains a model for a few steps.
TENTH = one_in(10)

ROOM = 2
"""So many times the bytes that torch has to save: an answer saves indices, targets, and what its own loss needs.

What checkpoint with use_reentrant=True saves of the block that it recomputes is seen as well: one block has to fit."""

PARTS = ["forward", "backward", "recomputed", "other"]


def within(seen, flops, nbytes):
    """Fail if more was spent than there is, or if something was spent elsewhere."""
    if type(seen) is not dict or [*seen] != ["elsewhere", "FLOPs", "bytes", "loss", "tokens changed", "dtype changed"]:
        raise Mismatch(seen, "nothing else than what was spent", "should be")
    parts, peak = seen["FLOPs"], seen["bytes"]
    draw = functools.partial(pictures.spent, parts, flops, peak, nbytes)
    if type(parts) is not dict or [*parts] != PARTS or not all(type(part) is int for part in parts.values()):
        raise Mismatch(parts, "the FLOPs of each kind", "should be", of="FLOPs")
    if sum(parts.values()) > flops:
        raise Mismatch(sum(parts.values()), f"{flops}, or less", "should be", of="FLOPs", draw=draw)
    if type(peak) is not int or peak > nbytes:
        raise Mismatch(peak, f"{nbytes}, or less", "should be", of="bytes", draw=draw)
    for name, right in (("elsewhere", 0), ("tokens changed", False), ("dtype changed", False)):
        if type(seen[name]) is not type(right) or seen[name] != right:
            raise Mismatch(seen[name], shown(right), "should be", of=name)
    return draw


def spends(kata, case):
    """Fail if a small budget is exceeded."""
    vocab, context, dim, layers, heads = case.sizes
    flops = case.sequences * truth.step_flops(1, context, vocab, dim, layers, layers, heads)
    recomputed, kept = (truth.saved(1, vocab, context, dim, layers, heads, again) for again in (layers, layers - 1))
    size = {"float32": 1, "float64": 2}[case.dtype]  # twice what is measured in float32, of which some is integers
    nbytes = size * max(ROOM * case.at_a_time * recomputed, 3 * kept // 2)
    within(kata.run(scenarios.small, case.sizes, case.seed, flops, nbytes, case.dtype), flops, nbytes)


A_FEW_STEPS = [Budget((8, 8, 16, 2, 2), seed, 25, 4) for seed in (1, 2, 3)]
"""Asked before the dear ones: what an answer gets to in three steps tells apart one belief from another."""

FIRM = [
    Budget((8, 8, 16, 2, 2), 4, 5, 4),
    Budget((40, 8, 8, 1, 2), 4, 8, 4),
    Budget((40, 8, 8, 1, 2), 4, 15, 4),
    Budget((6, 16, 24, 3, 2), 4, 24, 2, "float64"),
]
"""Asked of everyone, since few budgets are drawn: FLOPs for less than a step of 8; for one but nothing beside it, and
for all but a sequence of two, in a model whose head costs most, and of whose vocabulary the text has a part; and
float64, with bytes for twice two sequences."""


@grades("fit")
@TENTH
@given(case=budgets())
def test_fit_spends_no_more_than_there_is(kata, case):
    """fit spends no more FLOPs than given, and autograd never has more than nbytes saved.

    The tokens and the model's dtype do not change. The model runs in the calling thread: elsewhere counts its runs in
    others.
    """
    spends(kata, case)


@grades("fit")
def test_fit_learns_within_the_budget(kata):
    """Within the given FLOPs and bytes, fit brings the loss on other tokens to 1.0 or less."""
    for case in (*A_FEW_STEPS, *FIRM):
        spends(kata, case)
    for seed in in_turn(tasks.SEEDS):
        seen = kata.run(scenarios.learned, seed)
        draw = within(seen, tasks.FLOPS, tasks.NBYTES)
        if not is_number(seen["loss"]) or not seen["loss"] <= tasks.MOST:
            raise Mismatch(seen["loss"], f"{tasks.MOST}, or less", "should be", of="loss", draw=draw)
