"""Wrong answers that people give to kata 18 about the seconds of a ring."""

import math

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


@believes("Once around the ring and all have the sum", about="ring_seconds")
def goes_around_once(nbytes, world, bandwidth, latency=0.0):
    """After world - 1 steps each part is summed on one rank alone; as many more take it to the others."""
    return solved.ring_seconds(nbytes, world, bandwidth, latency) / 2


@believes("Each step moves the whole tensor", about="ring_seconds")
def moves_the_whole(nbytes, world, bandwidth, latency=0.0):
    """It moves one of world parts on each link."""
    return solved.ring_seconds(nbytes * world, world, bandwidth, latency)


@believes("Latency is paid once", about="ring_seconds")
def pays_latency_once(nbytes, world, bandwidth, latency=0.0):
    """Each step waits for it once more."""
    return solved.ring_seconds(nbytes, world, bandwidth) + (latency if world > 1 else 0.0)


@believes("Latency is paid once for each half of the all-reduce", about="ring_seconds")
def pays_latency_twice(nbytes, world, bandwidth, latency=0.0):
    """A reduce-scatter is world - 1 steps, and each of them waits for it."""
    return solved.ring_seconds(nbytes, world, bandwidth) + (2 * latency if world > 1 else 0.0)


@believes("A ring of world ranks takes world steps", about="ring_seconds")
def takes_a_step_for_each_rank(nbytes, world, bandwidth, latency=0.0):
    """A part is at one of the ranks from the beginning: world - 1 steps take it to the others."""
    solved.ring_seconds(nbytes, world, bandwidth)
    return 2 * world * (latency + nbytes / world / bandwidth)


@believes("One link works at a time", about="ring_seconds")
def uses_one_link_at_a_time(nbytes, world, bandwidth, latency=0.0):
    """In each step all links of the ring carry a part at once."""
    return world * solved.ring_seconds(nbytes, world, bandwidth, latency)


@believes("A step takes latency or transfer, whichever is longer", about="ring_seconds")
def hides_latency(nbytes, world, bandwidth, latency=0.0):
    """The bytes follow after the latency: a step takes both."""
    steps = solved.ring_seconds(0.0, world, bandwidth, 1.0)
    return steps * max(latency, nbytes / world / bandwidth)


@believes("A part has a whole number of bytes", about="ring_seconds")
def cuts_whole_bytes(nbytes, world, bandwidth, latency=0.0):
    """The parts are equal here: nbytes / world, as a float."""
    return solved.ring_seconds(nbytes // max(world, 1) * world, world, bandwidth, latency)


@believes("Sending no bytes takes no time", about="ring_seconds")
def sends_nothing_at_once(nbytes, world, bandwidth, latency=0.0):
    """The steps are taken all the same, and each costs its latency."""
    return solved.ring_seconds(nbytes, world, bandwidth, latency if nbytes else 0.0)


@believes("A link that carries nothing takes for ever", about="ring_seconds")
def takes_for_ever(nbytes, world, bandwidth, latency=0.0):
    """That is no time to plan with: ValueError."""
    if world >= 1 and bandwidth <= 0:
        return math.inf
    return solved.ring_seconds(nbytes, world, bandwidth, latency)


@believes("One rank has no link that could be wrong", about="ring_seconds")
def never_looks_at_the_link_of_one(nbytes, world, bandwidth, latency=0.0):
    """What is refused does not depend on the world: look at bandwidth first."""
    return 0.0 if world == 1 else solved.ring_seconds(nbytes, world, bandwidth, latency)


@believes("No ranks take no time", about="ring_seconds")
def lets_no_ranks_pass(nbytes, world, bandwidth, latency=0.0):
    """There is no ring without ranks: ValueError."""
    if world < 1 and bandwidth > 0:
        return 0.0
    return solved.ring_seconds(nbytes, world, bandwidth, latency)
