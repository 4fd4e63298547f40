"""Wrong answers that people give to kata 19 about the flat parameter."""

import math

from dojo.judging.diagnose import believes, solution

solved = solution("19_sharding")


def _length(numels, world_size):
    return -(-sum(numels) // world_size)


@believes("Each parameter is cut by itself", about="flat_shard")
def cuts_each_parameter(numels, rank, world_size):
    """That is FSDP2. FSDP1 puts all parameters one after the other, and cuts the whole."""
    solved.flat_shard(numels, rank, world_size)
    parts, padding = [], 0
    for numel in numels:
        start, stop = solved.shard_slices(numel, world_size)[rank]
        parts.append((start, stop) if start < stop else (0, 0))
        padding += _length([numel], world_size) - (stop - start)
    return parts, padding


@believes("A part is counted in the flat parameter", about="flat_shard")
def counts_on_the_whole(numels, rank, world_size):
    """It is counted in the parameter's own elements: subtract the place where the parameter begins."""
    parts, padding = solved.flat_shard(numels, rank, world_size)
    begins = [sum(numels[:index]) for index in range(len(numels))]
    moved = [(b + start, b + stop) if start < stop else (0, 0) for b, (start, stop) in zip(begins, parts, strict=True)]
    return moved, padding


@believes("A part is counted from the start of the shard", about="flat_shard")
def counts_from_the_shard(numels, rank, world_size):
    """It is counted in the parameter's own elements."""
    parts, padding = solved.flat_shard(numels, rank, world_size)
    found, at = [], 0
    for start, stop in parts:
        found.append((at, at + stop - start) if start < stop else (0, 0))
        at += stop - start
    return found, padding


@believes("Only the last rank has padding", about="flat_shard")
def pads_the_last(numels, rank, world_size):
    """A shard that is entirely beyond the end is all padding, and the one before it may have some too."""
    parts, _ = solved.flat_shard(numels, rank, world_size)
    missing = _length(numels, world_size) * world_size - sum(numels)
    return parts, missing if rank == world_size - 1 else 0


@believes("The padding is the sum over all ranks", about="flat_shard")
def says_all_padding(numels, rank, world_size):
    """It is only the padding of this rank's shard."""
    parts, _ = solved.flat_shard(numels, rank, world_size)
    return parts, _length(numels, world_size) * world_size - sum(numels)


@believes("The padding is the distance from the end to the end of the shard", about="flat_shard")
def pads_more_than_a_shard(numels, rank, world_size):
    """It is at most the length of the shard: padding before its start belongs to other ranks."""
    parts, _ = solved.flat_shard(numels, rank, world_size)
    return parts, max(0, (rank + 1) * _length(numels, world_size) - sum(numels))


@believes("The last shard may be shorter", about="flat_shard")
def never_pads(numels, rank, world_size):
    """All shards have the same length, with padding, because an all-gather takes one shape."""
    return solved.flat_shard(numels, rank, world_size)[0], 0


@believes("Each parameter is whole on one rank", about="flat_shard")
def deals_whole_parameters(numels, rank, world_size):
    """It is cut where a shard ends: a rank may have the end of one and the beginning of another."""
    parts, padding = solved.flat_shard(numels, rank, world_size)
    return [(0, n) if start == 0 < stop else (0, 0) for n, (start, stop) in zip(numels, parts, strict=True)], padding


@believes("An empty part is at the end of the parameter that is nearer", about="flat_shard")
def clamps_to_the_ends(numels, rank, world_size):
    """If nothing of a parameter is in the shard, its part is (0, 0)."""
    parts, padding = solved.flat_shard(numels, rank, world_size)
    length, begin, found = _length(numels, world_size), 0, []
    for numel, part in zip(numels, parts, strict=True):
        after = begin + numel <= rank * length
        found.append(part if part[0] < part[1] else (numel, numel) if after else (0, 0))
        begin += numel
    return found, padding


@believes("Parameters that are not in the shard have no entry", about="flat_shard")
def leaves_out_what_is_not_here(numels, rank, world_size):
    """There is one part for each parameter, in order: (0, 0) if nothing of it is in the shard."""
    parts, padding = solved.flat_shard(numels, rank, world_size)
    return [part for part in parts if part[0] < part[1]], padding


@believes("Shards are rounded down, and the last rank takes the rest", about="flat_shard")
def rounds_shards_down(numels, rank, world_size):
    """They are rounded up, with padding at the end."""
    solved.flat_shard(numels, rank, world_size)
    total, begin, parts = sum(numels), 0, []
    length = total // world_size
    first, last = rank * length, total if rank == world_size - 1 else rank * length + length
    for numel in numels:
        start, stop = max(first - begin, 0), min(last - begin, numel)
        parts.append((start, stop) if start < stop else (0, 0))
        begin += numel
    return parts, 0


@believes("Without elements there are no parts", about="flat_shard")
def has_no_parts_of_nothing(numels, rank, world_size):
    """Each parameter has one, (0, 0)."""
    parts, padding = solved.flat_shard(numels, rank, world_size)
    return (parts, padding) if sum(numels) else ([], 0)


@believes("Only the total of numels must not be negative", about="flat_shard")
def checks_the_total(numels, rank, world_size):
    """No number in numels may be negative: raise ValueError."""
    if sum(numels) >= 0:
        return solved.flat_shard([max(numel, 0) for numel in numels], rank, world_size)
    return solved.flat_shard(numels, rank, world_size)


@believes("Rank -1 is the last one", about="flat_shard")
def takes_ranks_from_the_end(numels, rank, world_size):
    """Ranks are 0 to world_size - 1: raise ValueError for any other."""
    return solved.flat_shard(numels, rank % world_size if -world_size <= rank < 0 < world_size else rank, world_size)


@believes("A rank of world_size or more holds nothing", about="flat_shard")
def takes_ranks_beyond(numels, rank, world_size):
    """There is no such rank: raise ValueError."""
    if 0 < world_size <= rank and all(numel >= 0 for numel in numels):
        return [(0, 0)] * len(numels), _length(numels, world_size)
    return solved.flat_shard(numels, rank, world_size)


@believes("Without parameters rank and world_size need not be checked", about="flat_shard")
def checks_nothing_for_nothing(numels, rank, world_size):
    """world_size below 1, or a rank that is not there, raises a ValueError all the same."""
    return solved.flat_shard(numels, rank, world_size) if numels else ([], 0)


@believes("numels may be used up", about="flat_shard")
def uses_up_the_list(numels, rank, world_size):
    """It belongs to the caller: leave it as it is."""
    found = solved.flat_shard(numels, rank, world_size)
    numels.clear()
    return found


@believes("If an error is raised, numels need not be put back", about="flat_shard")
def pads_before_it_checks(numels, rank, world_size):
    """It belongs to the caller, who may go on: check first, or change a copy."""
    numels.append(0)
    parts, padding = solved.flat_shard(numels, rank, world_size)
    numels.pop()
    return parts[:-1], padding


@believes("If an error is raised, numels need not be put back", about="flat_shard")
def takes_numbers_off_while_it_checks(numels, rank, world_size):
    """It belongs to the caller, who may go on: check first, or change a copy."""
    checked = []
    while numels:
        checked.append(numels.pop(0))
        if checked[-1] < 0:
            raise ValueError(f"{checked[-1]} elements")
    numels += checked
    return solved.flat_shard(numels, rank, world_size)


def _parts_of(numels, rank, length):
    """The parts, and the padding, of a shard of this length."""
    begin, parts = 0, []
    for numel in numels:
        start, stop = max(rank * length - begin, 0), min(rank * length + length - begin, numel)
        parts.append((start, stop) if start < stop else (0, 0))
        begin += numel
    return parts, length - sum(stop - start for start, stop in parts)


@believes("math.ceil(total / world_size) is exact", about="flat_shard")
def divides_totals_in_floats(numels, rank, world_size):
    """A float cannot hold every integer beyond 2**53: use -(-total // world_size)."""
    solved.flat_shard(numels, rank, world_size)
    return _parts_of(numels, rank, math.ceil(sum(numels) / world_size))


@believes("total / world_size shows whether there is a rest", about="flat_shard")
def asks_a_float_for_the_rest(numels, rank, world_size):
    """A float beyond 2**53 has no fraction: total % world_size shows it."""
    solved.flat_shard(numels, rank, world_size)
    total = sum(numels)
    return _parts_of(numels, rank, total // world_size + (not (total / world_size).is_integer()))
