"""Right answers to kata 18 about rings, programs and buckets."""

import itertools
from collections import deque
from fractions import Fraction

from dojo.judging.diagnose import answers

# ring_seconds


@answers("ring_seconds")
def by_one_step_after_another(nbytes, world, bandwidth, latency=0.0):
    if world < 1:
        raise ValueError("no ranks")
    if not bandwidth > 0:
        raise ValueError("no bandwidth")
    seconds = 0.0
    for _ in range(2):
        for _ in range(world - 1):
            seconds += latency + (nbytes / bandwidth) / world
    return seconds


@answers("ring_seconds")
def by_fractions(nbytes, world, bandwidth, latency=0.0):
    if min(world - 1, 0) or bandwidth <= 0:
        raise ValueError(world, bandwidth)
    part = Fraction(nbytes) / world
    return float((Fraction(latency) + part / Fraction(bandwidth)) * (2 * world - 2))


@answers("ring_seconds")
def by_what_a_rank_sends(nbytes, world, bandwidth, latency=0.0):
    class NoRing(ValueError):
        """Not even one rank, or no links."""

    if world <= 0 or bandwidth <= 0:
        raise NoRing
    if world == 1:
        return 0
    share = 2 * (world - 1) / world
    return share * nbytes / bandwidth + 2 * latency * (world - 1)


# stuck_ranks


@answers("stuck_ranks")
def by_queues(programs):
    queues = [deque(map(tuple, program)) for program in programs]
    going = True
    while going:
        going = False
        for rank, queue in enumerate(queues):
            while queue:
                what, peer = queue[0]
                wanted = ("recv" if what == "send" else "send", rank)
                if not queues[peer] or queues[peer][0] != wanted:
                    break
                queue.popleft()
                queues[peer].popleft()
                going = True
    return [rank for rank, queue in enumerate(queues) if queue]


@answers("stuck_ranks")
def by_recursion(programs):
    def go(state):
        for rank, program in enumerate(state):
            if program and program[0][0] == "recv":
                source = program[0][1]
                if state[source] and state[source][0] == ("send", rank):
                    return go(tuple(one[1:] if place in (rank, source) else one for place, one in enumerate(state)))
        return state

    return [rank for rank, program in enumerate(go(tuple(map(tuple, programs)))) if program]


@answers("stuck_ranks")
def by_generators(programs):
    running = [iter(program) for program in programs]
    now = dict(enumerate(next(one, None) for one in running))

    def meets():
        for one, other in itertools.permutations(now, 2):
            if now[one] == ("send", other) and now[other] == ("recv", one):
                yield one, other

    while pair := next(meets(), None):
        for rank in pair:
            now[rank] = next(running[rank], None)
    return sorted(rank for rank, step in now.items() if step is not None)


# gradient_buckets


@answers("gradient_buckets")
def by_closing_them(sizes, cap):
    closed, bucket, held = [], [], 0
    for index, size in zip(range(len(sizes) - 1, -1, -1), sizes[::-1], strict=True):
        bucket.append(index)
        held += size
        if held >= cap:
            closed.append(bucket)
            bucket, held = [], 0
    return closed + [bucket] * bool(bucket)


@answers("gradient_buckets")
def by_what_is_left(sizes, cap):
    if not sizes:
        return []
    held, end = 0, len(sizes)
    while end and held < cap:
        end -= 1
        held += sizes[end]
    return [[*range(len(sizes) - 1, end - 1, -1)], *by_what_is_left(sizes[:end], cap)]


@answers("gradient_buckets")
def by_a_number_for_each(sizes, cap):
    found: dict[int, list[int]] = {}
    bucket, held = 0, 0
    for index in sorted(range(len(sizes)), reverse=True):
        found.setdefault(bucket, []).append(index)
        held += sizes[index]
        if held >= cap:
            bucket, held = bucket + 1, 0
    return list(found.values())
