"""A run is told in full, and goes to another process as data without losing anything."""

import random

import numpy
import pytest
import torch

from dojo.seam.data import same

from .strategies import DTYPES, OPTIMIZERS, SCHEDULES, UNGROUPED
from .training import Run, changed, everything, make, remade, snapshots, state_of, straight

LINES = ["model = nn.Sequential(nn.Linear(3, 2), nn.Dropout(), nn.Linear(2, 1))"]
LINES += ["optimizer = Adam(model.parameters())", "scheduler = StepLR(optimizer, 2)"]


def test_looking_at_a_run_changes_nothing_and_sees_everything():
    """Each part that is changed by hand shows, under its name."""
    run = straight(LINES, 1, 3, "cpu")
    before = everything(run, gradients=True)
    assert changed(before, everything(run, gradients=True)) == []
    first, last = run.model.get_parameter("0.bias"), run.model.get_parameter("2.bias")
    assert last.grad is not None
    with torch.no_grad():
        first[0] += 1
    run.optimizer.state[first]["exp_avg"].zero_()
    run.optimizer.param_groups[0]["lr"] = 7
    run.scheduler.last_epoch = 7
    last.grad.zero_()
    run.model.eval()
    random.random()
    assert changed(before, everything(run, gradients=True)) == [
        "model.state_dict()['0.bias']",
        "optimizer.state_dict()['state'][1]['exp_avg']",
        "optimizer.state_dict()['param_groups'][0]['lr']",
        "scheduler.state_dict()['last_epoch']",
        "gradients['2.bias']",
        "model.training",
        "model[0].training",
        "model[1].training",
        "model[2].training",
        "random.random()",
    ]


def test_a_run_draws_from_every_source_of_randomness():
    """One that starts with any single one of them in another state ends elsewhere."""

    def after(spoil):
        run = make(LINES, "cpu", 1)
        spoil()
        run.train(2)
        return everything(Run(run.model, run.optimizer, run.scheduler, "cpu"))

    one_go = after(lambda: None)
    for spoil in (lambda: torch.rand(1), lambda: numpy.random.rand(), random.random, lambda: random.gauss(0, 1)):
        assert "model.state_dict()['0.weight']" in changed(one_go, after(spoil))
    assert changed(one_go, after(lambda: None)) == []


@pytest.mark.parametrize("dtype", dict.fromkeys(DTYPES))
@pytest.mark.parametrize("optimizer", dict.fromkeys([*OPTIMIZERS, *UNGROUPED]))
@pytest.mark.parametrize("schedule", ["None", *SCHEDULES])
def test_a_run_that_is_remade_goes_on_to_the_bit(optimizer, schedule, dtype):
    """Its state holds all there is to see of it, and nothing of the run changes it."""
    lines = [LINES[0] + dtype, f"optimizer = {optimizer.format('model.parameters()')}", f"scheduler = {schedule}"]
    run = straight(lines, 7, 2, "cpu")
    state, seen = state_of(run), everything(run, gradients=True)
    run.train(2)
    want = everything(run, gradients=True)
    again = remade(lines, "cpu", state)
    assert same(everything(again, gradients=True), seen)
    again.train(2)
    assert same(everything(again, gradients=True), want)


def test_snapshots_are_those_of_a_run_in_one_go():
    """After each of its steps."""
    for step, one in enumerate(snapshots(LINES, 3, 3, "cpu")):
        assert one.step == step
        assert same(one.seen, everything(straight(LINES, 3, step, "cpu"), gradients=True))
