"""What is so: torch's own table of the same calls, and counts and schedules one tick at a time."""

from __future__ import annotations

import itertools
import math

import numpy as np
from torch.autograd.profiler_util import EventList, FunctionEvent

from .strategies_tasks import Tasks
from .strategies_traces import HORIZON, LATER, Spans

TICKS = range(HORIZON + LATER + 1)


def tables(calls: Spans) -> tuple[dict[str, int], dict[str, int]]:
    """Self times and total times as torch's profiler has them in its table; a name inside itself counts twice there."""
    events = EventList(
        [
            FunctionEvent(id=at, name=name, thread=thread, start_us=start, end_us=end, stack=[])
            for at, (name, thread, start, end) in enumerate(calls)
        ],
        use_device=None,
    )
    events._build_tree()
    rows = list(events.key_averages())
    return {row.key: row.self_cpu_time_total for row in rows}, {row.key: row.cpu_time_total for row in rows}


def self_times(calls: Spans) -> dict[str, int]:
    """At each tick, of each thread, the innermost call that is open."""
    times = {name: 0 for name, *_ in calls}
    for tick in TICKS:
        for thread in {thread for _, thread, *_ in calls}:
            is_open = [
                (start, -end, at, name)
                for at, (name, other, start, end) in enumerate(calls)
                if other == thread and start <= tick < end
            ]
            if is_open:
                times[max(is_open)[3]] += 1
    return times


def total_times(calls: Spans) -> dict[str, int]:
    """At each tick, of each thread, the names that are open."""
    times = {name: 0 for name, *_ in calls}
    for tick in TICKS:
        for name, _ in {(name, thread) for name, thread, start, end in calls if start <= tick < end}:
            times[name] += 1
    return times


def busy(kernels: Spans, start: int, end: int) -> int:
    """How many ticks of a window have a kernel."""
    return sum(any(first <= tick < last for *_, first, last in kernels) for tick in range(start, end))


def exposed(kernels: Spans, name: str) -> int:
    """How many ticks have kernels of that name alone."""
    return sum({other for other, _, start, end in kernels if start <= tick < end} == {name} for tick in TICKS)


def percentile(times: list[float], q: float) -> float:
    """As numpy has it."""
    return float(np.percentile(times, q))


def schedule(tasks: Tasks) -> tuple[int, list[str]]:
    """Return when all tasks are done if each starts as early as it may, and a chain without a pause in it."""
    started: dict[str, int] = {}
    done: dict[str, int] = {}
    now = 0
    while len(done) < len(tasks):
        changes = True
        while changes:  # what takes no time may let others start at the same tick
            ending = [name for name, at in started.items() if name not in done and at + tasks[name][0] == now]
            done.update(dict.fromkeys(ending, now))
            changes = bool(ending)
            for name, (_, before) in tasks.items():
                if name not in started and all(other in done for other in before):
                    started[name] = now
                    changes = True
        now += 1
    chain = [max(done, key=lambda name: done[name])] if tasks else []
    while chain and tasks[chain[0]][1]:
        chain.insert(0, next(other for other in tasks[chain[0]][1] if done[other] == started[chain[0]]))
    return max(done.values(), default=0), chain


def is_chain(tasks: Tasks, time: int, chain: object) -> bool:
    """Whether this is a chain of tasks that takes so long."""
    if type(chain) is not list or not all(type(name) is str and name in tasks for name in chain):
        return False
    waits = [name in tasks[after][1] for name, after in itertools.pairwise(chain)]
    begins = not chain or not tasks[chain[0]][1]
    return begins and all(waits) and sum(tasks[name][0] for name in chain) == time


def is_path(tasks: Tasks, time: int, answer: object) -> bool:
    """Whether an answer is that time and a chain that takes so long."""
    if type(answer) is not tuple or len(answer) != 2:
        return False
    said, chain = answer
    return type(said) is int and said == time and is_chain(tasks, time, chain)


def near(answer: float, right: float, largest: float) -> bool:
    """Return whether a percentile is right, up to roundings of times as large as the largest."""
    return math.isclose(answer, right, rel_tol=0.0, abs_tol=1e-12 * largest)
