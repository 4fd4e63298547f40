"""The faults of tests/faults.py happen, and happen in the other process alone."""

import os
import random
import resource
from functools import partial

import pytest
import torch

from . import faults
from .training import Run, changed, everything, make, next_numbers

LINES = ["model = nn.Sequential(nn.Linear(3, 2), nn.Dropout(), nn.Linear(2, 1))"]
LINES += ["optimizer = Adam(model.parameters())", "scheduler = StepLR(optimizer, 2)"]


def write(path, size=1000):
    """Write a file in two steps."""
    with open(path, "wb") as file:
        file.write(b"x" * (size // 2))
        file.flush()
        file.write(b"x" * (size - size // 2))


@pytest.mark.parametrize(
    ("fault", "number", "became", "size"),
    [
        (faults.full_disk, 1000, faults.RETURNED, 1000),
        (faults.full_disk, 999, faults.RAISED, 999),
        (faults.full_disk, 0, faults.RAISED, 0),
        (faults.killed_at_byte, 1000, faults.RETURNED, 1000),
        (faults.killed_at_byte, 600, faults.KILLED, 600),
        (faults.killed_at_call, 0, faults.KILLED, None),
        (faults.killed_at_call, 2, faults.KILLED, 0),
        (faults.killed_at_call, 6, faults.KILLED, 500),
        (faults.killed_at_call, 99, faults.RETURNED, 1000),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_a_fault_strikes_where_it_should(tmp_path, fault, number, became, size):
    """At this byte or at this call; the rest of the file was never written."""
    path = tmp_path / "file"
    assert faults.in_child(lambda: write(path), fault(number)) == became
    assert (path.stat().st_size if path.exists() else None) == size
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def test_a_file_that_torch_writes_itself_is_seen_to_grow(tmp_path):
    """Without a Python file in between."""
    path, sizes = tmp_path / "file", set()
    action = partial(torch.save, {str(number): torch.zeros(99) for number in range(9)}, path)
    moments = faults.at_each_moment(action, lambda: sizes.add(path.stat().st_size if path.exists() else -1))
    assert moments > 10
    assert {-1, path.stat().st_size} < sizes  # not there, complete, and something in between


def test_nothing_can_be_made_in_an_unwritable_folder(tmp_path):
    """Not by root either, and only while it lasts."""
    (tmp_path / "old").write_bytes(b"old")
    with faults.unwritable(tmp_path) as prepare:
        for action in (lambda: write(tmp_path / "new"), lambda: (tmp_path / "old").unlink()):
            assert faults.in_child(action, prepare) == faults.RAISED
        assert faults.in_child(lambda: (tmp_path / "old").read_bytes(), prepare) == faults.RETURNED
    assert os.listdir(tmp_path) == ["old"]
    write(tmp_path / "new")


def test_a_fault_that_cannot_be_prepared_is_the_suites_own():
    """And no verdict on the action."""
    with pytest.raises(OSError, match="could not be prepared"):
        faults.in_child(lambda: None, lambda: 1 // 0)


def test_a_forked_process_has_the_random_states_of_this_one():
    """Python would seed its own anew."""
    random.seed(3)
    expected = next_numbers()

    def look():
        assert not changed(expected, next_numbers())

    assert faults.in_child(look) == faults.RETURNED


def test_looking_at_a_run_changes_nothing_and_sees_everything():
    """Each part that is changed by hand shows, under its name."""
    run = make(LINES, "cpu", 1)
    run.train(3)
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
    random.random()
    assert changed(before, everything(run, gradients=True)) == [
        "model.state_dict()['0.bias']",
        "optimizer.state_dict()['state'][1]['exp_avg']",
        "optimizer.state_dict()['param_groups'][0]['lr']",
        "scheduler.state_dict()['last_epoch']",
        "gradients['2.bias']",
        "random.random()",
    ]


def test_a_run_draws_from_every_source_of_randomness():
    """One that starts with any single one of them in another state ends elsewhere."""

    def after(spoil):
        run = make(LINES, "cpu", 1)
        spoil()
        run.train(2)
        return everything(Run(run.model, run.optimizer, run.scheduler, "cpu"))

    straight = after(lambda: None)
    import numpy

    for spoil in (lambda: torch.rand(1), lambda: numpy.random.rand(), random.random, lambda: random.gauss(0, 1)):
        assert "model.state_dict()['0.weight']" in changed(straight, after(spoil))
    assert changed(straight, after(lambda: None)) == []
