"""Right answers to kata 17 about calls and kernels."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import reduce
from itertools import groupby, pairwise
from typing import Any

from dojo.judging.diagnose import answers


@dataclass
class _Node:
    name: str
    start: int
    end: int
    inside: list[Any] = field(default_factory=list)

    def own(self):
        return self.end - self.start - sum(one.end - one.start for one in self.inside)

    def all(self):
        yield self
        for one in self.inside:
            yield from one.all()


def _trees(calls):
    """The outermost calls of each thread."""
    by_thread = defaultdict(list)
    for call in calls:
        by_thread[call[1]].append(call)
    for mine in by_thread.values():
        root = _Node("", min(c[2] for c in mine), max(c[3] for c in mine))
        for name, _, start, end in sorted(mine, key=lambda c: c[2] - c[3]):
            at = root
            while True:
                deeper = [one for one in at.inside if one.start <= start and end <= one.end and one.start < one.end]
                if not deeper:
                    break
                at = deeper[-1]
            at.inside.append(_Node(name, start, end))
        yield root


def _ticks(spans):
    return {tick for *_, start, end in spans for tick in range(start, end)}


def _merged(spans):
    """Disjoint spans that cover the same."""
    merged: Any = []
    for start, end in sorted((start, end) for *_, start, end in spans if start < end):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


# self_times


@answers("self_times")
def by_trees(calls):
    times: Any = Counter()
    for root in _trees(calls):
        for one in root.inside:
            for node in one.all():
                times[node.name] += node.own()
    return dict(times)


@answers("self_times")
def by_ticks(calls):
    times = {call[0]: 0 for call in calls}
    latest: Any = {}
    for at, (name, thread, start, end) in enumerate(calls):
        for tick in range(start, end):
            rank = (end - start, -at)
            if (thread, tick) not in latest or rank < latest[thread, tick][0]:
                latest[thread, tick] = rank, name
    for _, name in latest.values():
        times[name] += 1
    return times


@answers("self_times")
def by_intervals(calls):
    out: Any = defaultdict(int)
    for name, *_ in calls:
        out[name] += 0
    for thread in {call[1] for call in calls}:
        mine = [call for call in calls if call[1] == thread]
        marks = sorted({mark for call in mine for mark in call[2:]})
        for mark, after in pairwise(marks):
            covering = [call for call in mine if call[2] <= mark and after <= call[3]]
            if covering:
                innermost = reduce(lambda a, b: b if b[3] - b[2] <= a[3] - a[2] else a, covering)
                out[innermost[0]] += after - mark
    return {**out}


@answers("self_times")
def by_begins_and_ends(calls):
    times: Any = {}
    edges = []
    for at, (name, thread, start, end) in enumerate(calls):
        times.setdefault(name, 0)
        if end > start:
            edges += [(start, 1, start - end, at, name, thread), (end, 0, start - end, -at, name, thread)]
    stacks: Any
    since: Any
    stacks, since = defaultdict(list), {}
    for time, begins, _, _, name, thread in sorted(edges):
        stack = stacks[thread]
        if stack:
            times[stack[-1]] += time - since[thread]
        since[thread] = time
        if begins:
            stack.append(name)
        else:
            stack.pop()
    return times


# total_times


@answers("total_times")
def by_paths_in_trees(calls):
    times: Any = {}

    def visit(node, above):
        for one in node.inside:
            times[one.name] = times.get(one.name, 0) + (0 if one.name in above else one.end - one.start)
            visit(one, above | {one.name})

    for root in _trees(calls):
        visit(root, frozenset())
    return times


@answers("total_times")
def by_sets_of_ticks(calls):
    seen: Any = defaultdict(set)
    for name, thread, start, end in calls:
        seen[name].update((thread, tick) for tick in range(start, end))
    return {name: len(ticks) for name, ticks in seen.items()}


@answers("total_times")
def by_merging(calls):
    def key(call):
        return call[0], call[1]

    times: Any = Counter()
    for (name, _), group in groupby(sorted(calls, key=key), key):
        times[name] += sum(end - start for start, end in _merged(list(group)))
    return dict(times)


@answers("total_times")
def by_what_is_not_inside(calls):
    result: Any = {}
    for at, (name, thread, start, end) in enumerate(calls):
        within = False
        for other, call in enumerate(calls):
            if other != at and call[:2] == (name, thread) and call[2] <= start and end <= call[3]:
                within |= (call[2], call[3]) != (start, end) or other < at
        result[name] = result.get(name, 0) + (0 if within else end - start)
    return result


# busy_share


@answers("busy_share")
def by_ticks_of_the_window(kernels, start, end):
    window = range(start, end)
    if not len(window):
        raise ValueError("no time")
    return len(_ticks(kernels) & {*window}) / len(window)


@answers("busy_share")
def by_merged_spans(kernels, start, end):
    if end - start < 1:
        raise ValueError((start, end))
    inside = [max(0, min(last, end) - max(first, start)) for first, last in _merged(kernels)]
    return sum(inside) / float(end - start)


@answers("busy_share")
def by_what_is_idle(kernels, start, end):
    if start >= end:
        raise ValueError
    idle, reached = 0, start
    for first, last in sorted([(k[2], k[3]) for k in kernels] + [(end, end)]):
        idle += max(0, min(first, end) - reached)
        reached = max(reached, last)
    return (end - start - idle) / (end - start)


@answers("busy_share")
def by_shares_that_are_idle(kernels, start, end):
    if (length := end - start) <= 0:
        raise ValueError(length)
    ticks, share = _ticks(kernels), 1.0
    for tick in range(start, end):
        share -= 0 if tick in ticks else 1 / length
    return share


@answers("busy_share")
def by_counting_up_and_down(kernels, start, end):
    if not start < end:
        raise ValueError("no window")
    changes: Any = Counter()
    for _, _, first, last in kernels:
        changes[min(max(first, start), end)] += 1
        changes[min(max(last, start), end)] -= 1
    running = busy = 0
    before = start
    for at in sorted(changes):
        busy += (at - before) * (running > 0)
        running, before = running + changes[at], at
    return busy / (end - start)


@answers("busy_share")
def by_bits(kernels, start, end):
    if start >= end:
        raise ValueError((start, end))
    bits = 0
    for *_, first, last in kernels:
        first, last = max(first, start) - start, min(last, end) - start
        if first < last:
            bits |= (1 << last) - (1 << first)
    return bits.bit_count() / (end - start)


# exposed_time


@answers("exposed_time")
def by_sets(kernels, name):
    return len(_ticks(k for k in kernels if k[0] == name) - _ticks(k for k in kernels if k[0] != name))


@answers("exposed_time")
def by_cutting_pieces(kernels, name):
    pieces = [tuple(span) for span in _merged([k for k in kernels if k[0] == name])]
    for start, end in _merged([k for k in kernels if k[0] != name]):
        pieces = [p for a, b in pieces for p in ((a, min(b, start)), (max(a, end), b)) if p[0] < p[1]]
    return sum(b - a for a, b in pieces)


@answers("exposed_time")
def by_two_sweeps(kernels, name):
    every = sum(end - start for start, end in _merged(kernels))
    return every - sum(end - start for start, end in _merged([k for k in kernels if name != k[0]]))


@answers("exposed_time")
def by_names_at_work(kernels, name):
    edges = sorted((at, change, k[0]) for k in kernels for at, change in ((k[2], 1), (k[3], -1)))
    running: Any
    running, exposed = Counter(), 0
    for (at, change, who), (after, *_) in pairwise([*edges, (0, 0, "")]):
        running[who] += change
        if running[name] > 0 and sum(running.values()) == running[name]:
            exposed += after - at
    return exposed


@answers("exposed_time")
def by_a_row_of_bytes(kernels, name):
    row = bytearray(max((last for *_, last in kernels), default=0))
    for who, _, first, last in kernels:
        for tick in range(first, last):
            row[tick] |= 1 if who == name else 2
    return row.count(1)
