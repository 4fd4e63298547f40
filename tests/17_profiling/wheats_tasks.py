"""Right answers to kata 17 about tasks that wait for each other."""

import heapq
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import Any

from dojo.judging.diagnose import answers


@answers("critical_path")
def by_a_sorter(tasks):
    if any(other not in tasks for _, before in tasks.values() for other in before):
        raise ValueError("unknown")
    try:
        order = [*TopologicalSorter({name: before for name, (_, before) in tasks.items()}).static_order()]
    except CycleError as circle:
        raise ValueError(circle.args[1]) from None
    ends: Any
    ends, behind = {}, {}
    for name in order:
        duration, before = tasks[name]
        behind[name] = max(before, key=ends.__getitem__, default=None)
        ends[name] = duration + ends.get(behind[name], 0)
    chain: Any
    name, chain = max(ends, key=lambda one: ends[one], default=None), []
    time = ends.get(name, 0)
    while name is not None:
        chain = [name, *chain]
        name = behind[name]
    return time, chain


@answers("critical_path")
def by_depth_first(tasks):
    open_, found = set(), {}

    def path(name):
        if name in open_:
            raise ValueError("a circle")
        if name not in tasks:
            raise ValueError("unknown")
        if name not in found:
            open_.add(name)
            best: Any = (0, [])
            for other in tasks[name][1]:
                if path(other)[0] >= best[0]:
                    best = path(other)
            open_.remove(name)
            found[name] = (best[0] + tasks[name][0], best[1] + [name])
        return found[name]

    best: Any = (0, [])
    for name in tasks:
        if path(name)[0] > best[0]:
            best = path(name)
    return best


@answers("critical_path")
def by_simulation(tasks):
    waiting = {name: {*before} for name, (_, before) in tasks.items()}
    running: Any
    cause: Any
    now, running, done, cause = 0, [], [], {}
    for name in list(waiting):
        if not waiting[name]:
            heapq.heappush(running, (tasks[name][0], name))
            cause[name] = None
            del waiting[name]
    while running:
        now, name = heapq.heappop(running)
        done.append(name)
        for other in list(waiting):
            if name in waiting[other]:
                waiting[other].discard(name)
                if not waiting[other]:
                    del waiting[other]
                    cause[other] = name
                    heapq.heappush(running, (now + tasks[other][0], other))
    if waiting:
        raise ValueError(f"never done: {waiting}")
    chain = done[-1:]
    while chain and cause[chain[-1]] is not None:
        chain.append(cause[chain[-1]])
    chain.reverse()
    return now, chain


@answers("critical_path")
def by_relaxing(tasks):
    ends = {name: duration for name, (duration, _) in tasks.items()}
    for _ in range(len(tasks)):
        for name, (duration, before) in tasks.items():
            for other in before:
                if other not in ends:
                    raise ValueError(other)
                ends[name] = max(ends[name], ends[other] + duration)
    seen: Any = set()
    for _ in tasks:
        seen |= {name for name, (_, before) in tasks.items() if seen.issuperset(before)}
    if len(seen) < len(tasks):
        raise ValueError("a circle")
    chain = [max(ends, key=lambda name: ends[name])] if ends else []
    while chain and tasks[chain[0]][1]:
        chain.insert(0, max(tasks[chain[0]][1], key=lambda other: ends[other]))
    return max(ends.values(), default=0), chain


@answers("critical_path")
def by_all_chains(tasks):
    @cache
    def chains(name, depth):
        if depth > len(tasks) or name not in tasks:
            raise ValueError(name)
        before = tasks[name][1]
        return tuple((*chain, name) for other in before for chain in chains(other, depth + 1)) or ((name,),)

    every = [chain for name in tasks for chain in chains(name, 1)]
    timed = sorted((sum(tasks[name][0] for name in chain), len(chain), chain) for chain in every)
    return (timed[-1][0], list(timed[-1][2])) if timed else (0, [])
