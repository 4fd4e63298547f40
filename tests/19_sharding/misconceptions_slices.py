"""Wrong answers that people give to kata 19 about the rows of each rank."""

import itertools
import math

from dojo.judging.diagnose import believes, solution

solved = solution("19_sharding")


@believes("Rows are shared as evenly as possible", about="shard_slices")
def deals_evenly(size, world_size):
    """torch.tensor_split does that. torch.chunk cuts chunks of ⌈size / world_size⌉, until no rows are left."""
    solved.shard_slices(size, world_size)
    ends = [size * 0]
    for rank in range(world_size):
        ends.append(ends[-1] + size // world_size + (rank < size % world_size))
    return list(itertools.pairwise(ends))


@believes("Rank r begins at r · size / world_size", about="shard_slices")
def cuts_at_quotients(size, world_size):
    """Then some chunks are shorter than later ones: all have ⌈size / world_size⌉ rows, until none are left."""
    solved.shard_slices(size, world_size)
    return list(itertools.pairwise(rank * size // world_size for rank in range(world_size + 1)))


@believes("The last rank takes the remaining rows", about="shard_slices")
def leaves_the_rest_to_the_last(size, world_size):
    """Chunks are rounded up, so the last ranks hold fewer rows than the others, never more."""
    solved.shard_slices(size, world_size)
    chunk = size // world_size
    return [(rank * chunk, size if rank == world_size - 1 else rank * chunk + chunk) for rank in range(world_size)]


@believes("Remaining rows are dropped", about="shard_slices")
def drops_the_rest(size, world_size):
    """Every row belongs to a rank: chunks are rounded up."""
    solved.shard_slices(size, world_size)
    chunk = size // world_size
    return [(rank * chunk, rank * chunk + chunk) for rank in range(world_size)]


@believes("All slices have the same length, beyond the last row", about="shard_slices")
def goes_beyond_the_end(size, world_size):
    """A slice ends at size: padding does not count."""
    chunk = solved.shard_slices(size, world_size)[0][1]
    return [(rank * chunk, rank * chunk + chunk) for rank in range(world_size)]


@believes("An empty slice begins where its chunk would", about="shard_slices")
def begins_beyond_the_end(size, world_size):
    """It is (size, size)."""
    chunk = solved.shard_slices(size, world_size)[0][1]
    return [(rank * chunk, max(rank * chunk, min(rank * chunk + chunk, size))) for rank in range(world_size)]


@believes("An empty slice begins where its chunk would", about="shard_slices")
def begins_beyond_its_end(size, world_size):
    """It is (size, size)."""
    chunk = solved.shard_slices(size, world_size)[0][1]
    return [(rank * chunk, min(rank * chunk + chunk, size)) for rank in range(world_size)]


@believes("An empty slice is (0, 0)", about="shard_slices")
def begins_at_0(size, world_size):
    """It is at the end: (size, size)."""
    return [one if one[0] < one[1] else (0, 0) for one in solved.shard_slices(size, world_size)]


@believes("A rank without rows has no entry", about="shard_slices")
def leaves_out_empty_ranks(size, world_size):
    """There is one for each rank: torch.chunk leaves empty ones out, but sharding does not."""
    return [one for one in solved.shard_slices(size, world_size) if one[0] < one[1]]


@believes("A slice is (start, number of rows)", about="shard_slices")
def says_how_many(size, world_size):
    """It is (start, stop)."""
    return [(start, stop - start) for start, stop in solved.shard_slices(size, world_size)]


@believes("stop is the last row", about="shard_slices")
def names_the_last_row(size, world_size):
    """It is the row after the last one, as everywhere in Python."""
    return [(start, max(start, stop - 1)) for start, stop in solved.shard_slices(size, world_size)]


@believes("math.ceil(size / world_size) is exact", about="shard_slices")
def divides_floats(size, world_size):
    """size / world_size is a float of 53 bits: use integers, -(-size // world_size)."""
    solved.shard_slices(size, world_size)
    chunk = math.ceil(size / world_size)
    return list(itertools.pairwise(min(rank * chunk, size) for rank in range(world_size + 1)))


@believes("Without rows there are no slices", about="shard_slices")
def has_none_of_nothing(size, world_size):
    """Every rank has an empty one: (0, 0)."""
    return solved.shard_slices(size, world_size) if size else []


@believes("A negative size means no rows", about="shard_slices")
def takes_negative_sizes(size, world_size):
    """It is a mistake of the caller: raise ValueError."""
    return solved.shard_slices(max(size, 0), world_size)


@believes("Without ranks the list is empty", about="shard_slices")
def takes_no_ranks(size, world_size):
    """A world_size below 1 is a mistake: raise ValueError."""
    return solved.shard_slices(size, world_size) if world_size > 0 or size < 0 else []


@believes("Without rows world_size need not be checked", about="shard_slices")
def takes_no_ranks_for_nothing(size, world_size):
    """It is checked for any size: raise ValueError."""
    return solved.shard_slices(size, world_size) if size or world_size > 0 else []
