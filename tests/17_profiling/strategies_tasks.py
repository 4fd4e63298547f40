"""What hypothesis draws for kata 17 of tasks that wait for each other."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import integers, pick

Tasks = dict[str, tuple[int, list[str]]]

NAMES = ("load", "copy", "forward", "loss", "backward", "reduce", "update", "log", "clip", "")


def _roots(tasks: Tasks) -> list[str]:
    return [name for name, (_, before) in tasks.items() if not before]


def _waited_for(tasks: Tasks) -> set[str]:
    return {other for _, before in tasks.values() for other in before}


def _chains(tasks: Tasks) -> list[list[str]]:
    """All chains from a task that waits for nothing to one that nobody waits for."""

    def ending(name: str) -> list[list[str]]:
        before = tasks[name][1]
        return [[*chain, name] for other in before for chain in ending(other)] if before else [[name]]

    return [chain for name in tasks if name not in _waited_for(tasks) for chain in ending(name)]


def _time(tasks: Tasks, chain: list[str]) -> int:
    return sum(tasks[name][0] for name in chain)


def _longest(tasks: Tasks) -> list[str]:
    return max(_chains(tasks), key=lambda chain: _time(tasks, chain), default=[])


@functools.cache
@classes(
    {
        "none": lambda tasks: not tasks,
        "one": lambda tasks: len(tasks) == 1,
        "several that wait for nothing": lambda tasks: len(_roots(tasks)) > 1,
        "several that nobody waits for": lambda tasks: len(tasks.keys() - _waited_for(tasks)) > 1,
        "a task that waits for several": lambda tasks: any(len(before) > 1 for _, before in tasks.values()),
        "two ways between two tasks": lambda tasks: len({(c[0], c[-1]) for c in _chains(tasks)}) < len(_chains(tasks)),
        "four in a row": lambda tasks: any(len(chain) > 3 for chain in _chains(tasks)),
        "a task before what it waits for": lambda tasks: any(
            list(tasks).index(other) > at for at, (_, before) in enumerate(tasks.values()) for other in before
        ),
        "a longer chain that takes less": lambda tasks: (
            len(_longest(tasks)) < max((len(chain) for chain in _chains(tasks)), default=0)
        ),
        "the longest task takes part in no longest chain": lambda tasks: (
            len({t for t, _ in tasks.values()}) > 1
            and max(tasks, key=lambda name: tasks[name][0]) not in _longest(tasks)
        ),
        "the last of a list is not the one that is waited for": lambda tasks: any(
            len(tasks[b][1]) > 1 and tasks[b][1][-1] != a
            for a, b in zip(_longest(tasks), _longest(tasks)[1:], strict=False)
        ),
        "many": lambda tasks: len(tasks) > 8,
        "six in a row": lambda tasks: len(_longest(tasks)) > 5,
        "long durations": lambda tasks: any(duration > 100 for duration, _ in tasks.values()),
        "a name of no letters": lambda tasks: "" in tasks,
        "several without a duration": lambda tasks: len(tasks) > 1 and not any(time for time, _ in tasks.values()),
        "a duration of 0": lambda tasks: any(duration == 0 for duration, _ in tasks.values()),
    }
)
def task_graphs() -> SearchStrategy[Tasks]:
    """Up to eight tasks, in any order, of which some wait for others."""
    return _task_graphs(fewest=0)


@st.composite
def _task_graphs(draw: DrawFn, fewest: int) -> Tasks:
    count = pick(draw, (3, 4, 5, 6, 7, 8, 2, 1, 0, 6, 7, 8, 10, 10)[: 14 if fewest == 0 else 8])
    tasks: Tasks = {}
    for place, name in enumerate(NAMES[:count]):
        wanted = pick(draw, (1, 2, 1, 3, 0))
        near = NAMES[max(0, place - 3) : place]
        before = list(draw(st.permutations(near)))[:wanted]
        tasks[name] = pick(draw, (*[draw(integers(2 + place, 12))] * 5, 0)), before
    unit = pick(draw, (1, 1, 1, 20, 0))
    return {name: (unit * tasks[name][0], tasks[name][1]) for name in draw(st.permutations(list(tasks)))}


@functools.cache
@classes(
    {
        "waits for itself": lambda tasks: any(name in before for name, (_, before) in tasks.items()),
        "two wait for each other": lambda tasks: any(
            other in tasks and other != name and name in tasks[other][1]
            for name, (_, before) in tasks.items()
            for other in before
        ),
        "an unknown name": lambda tasks: bool(_waited_for(tasks) - tasks.keys()),
        "an unknown name before a known one": lambda tasks: any(
            before and before[-1] in tasks and not tasks.keys() >= {*before} for _, before in tasks.values()
        ),
        "no unknown name": lambda tasks: not _waited_for(tasks) - tasks.keys(),
        "a task that waits for nothing": _roots,
        "none that waits for nothing": lambda tasks: not _roots(tasks),
        "no duration at all": lambda tasks: not any(duration for duration, _ in tasks.values()),
    }
)
def no_task_graphs() -> SearchStrategy[Tasks]:
    """Tasks that can never be done."""
    return _no_task_graphs()


@st.composite
def _no_task_graphs(draw: DrawFn) -> Tasks:
    tasks = draw(_task_graphs(fewest=1))
    order = [name for name in NAMES if name in tasks]
    how = pick(draw, ("itself", "circle", "unknown", "circle", "alone", "unknown"))
    last = pick(draw, order)
    circle = order[: 1 + order.index(last)] if how == "circle" else [last]
    if how == "alone":  # the first two wait for each other, and whatever else there is may be done before
        circle = order[:2]
    if how == "unknown":
        last = pick(draw, [name for name in order if tasks[name][1]] or order)
        duration, before = tasks[last]
        unknown, known = [pick(draw, ("sync", "Load", ""))], pick(draw, (0, 0, len(before)))
        return tasks | {last: (duration, [*before[:known], *unknown, *before[known:]])}
    for name, other in zip(circle, [*circle[1:], circle[0]], strict=True):
        duration, before = tasks[other]
        tasks[other] = duration, before if name in before else [*before, name]
    if pick(draw, (False, False, False, True)):  # what goes round the circle then never takes any longer
        return {name: (0, before) for name, (_, before) in tasks.items()}
    return tasks
