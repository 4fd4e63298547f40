"""Wrong answers that people give to kata 18 about the seconds of a ring."""

import math

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


@believes("world - 1 steps are enough", about="ring_seconds")
def goes_around_once(nbytes, world, bandwidth, latency=0.0):
    """Then each part is summed on one rank only; as many more steps bring it to the others."""
    return solved.ring_seconds(nbytes, world, bandwidth, latency) / 2


@believes("Each step moves all nbytes on each link", about="ring_seconds")
def moves_the_whole(nbytes, world, bandwidth, latency=0.0):
    """It moves one of world parts: nbytes / world."""
    return solved.ring_seconds(nbytes * world, world, bandwidth, latency)


@believes("The bytes are cut into world - 1 parts, one for each other rank", about="ring_seconds")
def cuts_a_part_for_each_other_rank(nbytes, world, bandwidth, latency=0.0):
    """Every rank, this one included, adds up one part: there are world parts."""
    right = solved.ring_seconds(nbytes, world, bandwidth, latency)
    return 2 * ((world - 1) * latency + nbytes / bandwidth) if world > 1 else right


@believes("latency counts once", about="ring_seconds")
def pays_latency_once(nbytes, world, bandwidth, latency=0.0):
    """Each step takes it."""
    return solved.ring_seconds(nbytes, world, bandwidth) + (latency if world > 1 else 0.0)


@believes("latency counts once in each half of the all-reduce", about="ring_seconds")
def pays_latency_twice(nbytes, world, bandwidth, latency=0.0):
    """Each of the world - 1 steps of a half takes it."""
    return solved.ring_seconds(nbytes, world, bandwidth) + (2 * latency if world > 1 else 0.0)


@believes("Each half takes world steps", about="ring_seconds")
def takes_a_step_for_each_rank(nbytes, world, bandwidth, latency=0.0):
    """A part starts on one of the ranks: world - 1 steps bring it to the others."""
    solved.ring_seconds(nbytes, world, bandwidth)
    return 2 * world * (latency + nbytes / world / bandwidth)


@believes("Only one link works at a time", about="ring_seconds")
def uses_one_link_at_a_time(nbytes, world, bandwidth, latency=0.0):
    """In each step all links of the ring carry a part at the same time."""
    return world * solved.ring_seconds(nbytes, world, bandwidth, latency)


@believes("A step takes the longer of latency and transfer", about="ring_seconds")
def hides_latency(nbytes, world, bandwidth, latency=0.0):
    """It takes both: latency + bytes / bandwidth."""
    steps = solved.ring_seconds(0.0, world, bandwidth, 1.0)
    return steps * max(latency, nbytes / world / bandwidth)


@believes("A part has a whole number of bytes", about="ring_seconds")
def cuts_whole_bytes(nbytes, world, bandwidth, latency=0.0):
    """The parts are equal, nbytes / world, even if that is a fraction."""
    return solved.ring_seconds(nbytes // max(world, 1) * world, world, bandwidth, latency)


@believes("Sending no bytes takes no time", about="ring_seconds")
def sends_nothing_at_once(nbytes, world, bandwidth, latency=0.0):
    """The steps still happen, and each takes its latency."""
    return solved.ring_seconds(nbytes, world, bandwidth, latency if nbytes else 0.0)


@believes("With a bandwidth of 0 or less the answer is inf", about="ring_seconds")
def takes_for_ever(nbytes, world, bandwidth, latency=0.0):
    """Such a bandwidth is a mistake: raise ValueError."""
    if world >= 1 and bandwidth <= 0:
        return math.inf
    return solved.ring_seconds(nbytes, world, bandwidth, latency)


@believes("For one rank, bandwidth need not be checked", about="ring_seconds")
def never_looks_at_the_link_of_one(nbytes, world, bandwidth, latency=0.0):
    """A bandwidth of 0 or less raises a ValueError for any world."""
    return 0.0 if world == 1 else solved.ring_seconds(nbytes, world, bandwidth, latency)


@believes("Without ranks the answer is 0.0", about="ring_seconds")
def lets_no_ranks_pass(nbytes, world, bandwidth, latency=0.0):
    """There is no ring without ranks: raise ValueError."""
    if world < 1 and bandwidth > 0:
        return 0.0
    return solved.ring_seconds(nbytes, world, bandwidth, latency)


@believes("nbytes is a whole number", about="ring_seconds")
def takes_whole_bytes(nbytes, world, bandwidth, latency=0.0):
    """It is a float, and may be a fraction: use it as it is."""
    return solved.ring_seconds(int(nbytes), world, bandwidth, latency)
