"""What the properties of kata 17 take for granted of torch and numpy: a new one breaks a test, and no verdict."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

from dojo.judging.examples import given

from . import truth
from .scenarios import Device
from .strategies_tasks import task_graphs
from .strategies_traces import recursive, traces


@given(calls=traces())
def test_torchs_table_agrees_with_ticks(calls):
    """Self times always, also of calls that start and end together; total times where no name is inside itself."""
    own, total = truth.tables(calls)
    assert own == truth.self_times(calls)
    assert recursive(calls) or total == truth.total_times(calls)


def test_torchs_table_counts_a_name_inside_itself_again():
    """The fact that the lesson tells: 12 of 10 ticks."""
    calls = [("f", 0, 0, 10), ("g", 0, 2, 9), ("f", 0, 3, 5)]
    assert truth.tables(calls)[1] == {"f": 12, "g": 7}
    assert truth.total_times(calls) == {"f": 10, "g": 7}


def test_numpys_percentile_is_torchs_quantile():
    """Straight lines between neighbours, in both."""
    rng = random.Random(17)
    for _ in range(300):
        times = [rng.uniform(0, 100) for _ in range(rng.randint(1, 12))]
        q = rng.choice([0, 50, 90, 99, 100, rng.uniform(0, 100)])
        quantile = torch.quantile(torch.tensor(times, dtype=torch.float64), q / 100).item()
        assert float(np.percentile(times, q)) == pytest.approx(quantile, abs=1e-10)


@given(tasks=task_graphs())
def test_a_schedule_has_a_chain_that_takes_its_time(tasks):
    """So what a report shows as right is right."""
    assert truth.is_chain(tasks, *truth.schedule(tasks))


def test_numbers_of_the_lesson():
    """FLOPs, MFUs, and Amdahl's law, by their arithmetic."""
    flops = 2 * 16384 * 32768 * 8192
    assert f"{flops:.3e}" == "8.796e+12"
    assert f"{flops / 0.1627:.3e}, {flops / 0.1627 / 6.75e13:.3f}" == "5.406e+13, 0.801"
    assert f"{flops / 0.03216:.3e}, {flops / 0.03216 / 9.895e14:.3f}" == "2.735e+14, 0.276"
    assert round(100 / 60, 2) == 1.67


def queue(device, steps):
    """What events of a device say, in milliseconds, or what refuses them."""
    a, b = device.event(), device.event()
    for step in steps:
        {"a": a.record, "b": b.record, "run": device.run, "wait": device.synchronize, "wait a": a.synchronize}[step]()
    try:
        return a.elapsed_time(b)
    except (RuntimeError, ValueError):  # torch has the second for an event that was never recorded
        return None


QUEUES = {
    "recorded around a run": (["a", "run", "b", "wait"], 7.0),
    "not waited for": (["a", "run", "b"], None),
    "one never recorded": (["a", "run", "wait"], None),
    "only the first waited for": (["a", "run", "b", "wait a"], None),
    "recorded again": (["a", "run", "a", "run", "b", "wait"], 9.0),
    "the wrong way round": (["b", "run", "a", "wait"], -7.0),
}


@pytest.mark.parametrize(("steps", "right"), QUEUES.values(), ids=QUEUES)
def test_events_of_the_device_do_as_documented(steps, right):
    """By a device that has done nothing before."""
    assert queue(Device([7, 9]), steps) == right


class Real:
    """A GPU that sleeps for so many milliseconds, about."""

    def __init__(self, work):
        self.work = list(work)
        self.synchronize = torch.cuda.synchronize

    def run(self):
        """Begin the next sleep: some 2e6 cycles are a millisecond."""
        torch.cuda._sleep(int(2e7 * self.work.pop(0)))

    def event(self):
        """A real event."""
        return torch.cuda.Event(enable_timing=True)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="asks a GPU")
@pytest.mark.parametrize(("steps", "right"), QUEUES.values(), ids=QUEUES)
def test_events_of_a_gpu_do_as_those_of_the_device(steps, right):
    """They are refused where those are, and go forwards or backwards as those do."""
    seen = queue(Real([7, 9]), steps)
    assert (seen is None) == (right is None)
    assert seen is None or (seen > 0) == (right > 0)
