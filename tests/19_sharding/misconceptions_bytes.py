"""Wrong answers that people give to kata 19 about bytes, and about what fits."""

import math

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("19_sharding")


def _held(shapes, world_size, stage, widths, part_of, cuts=None):
    """Bytes of each rank, if it has part_of(rank) of what the stage shards."""
    whole = sum(map(math.prod, shapes))
    solved.rank_bytes(shapes, world_size, stage, *widths)
    cuts = cuts or (stage > 2, stage > 1, stage > 0)
    return [
        tuple(width * (part_of(rank) if cut else whole) for width, cut in zip(widths, cuts, strict=True))
        for rank in range(world_size)
    ]


def _own(shapes, world_size):
    """What each rank has of the parameters."""

    def part_of(rank):
        cut = [(solved.shard_slices(shape[0], world_size)[rank], shape) for shape in shapes]
        return sum((stop - start) * math.prod(shape[1:]) for (start, stop), shape in cut)

    return part_of


@believes("All elements are shared evenly", about="rank_bytes")
def shares_elements(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """Each parameter is cut separately, in whole rows, so ranks do not have equally many elements."""
    whole = sum(map(math.prod, shapes))

    def part(rank):
        return whole // world_size + (rank < whole % world_size)

    return _held(shapes, world_size, stage, (param_bytes, grad_bytes, state_bytes), part)


@believes("All elements are shared evenly", about="rank_bytes")
def shares_elements_rounded_up(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """Each parameter is cut separately, in whole rows, so ranks do not have equally many elements."""
    part = -(-sum(map(math.prod, shapes)) // world_size)
    return _held(shapes, world_size, stage, (param_bytes, grad_bytes, state_bytes), lambda rank: part)


@believes("Padding counts as bytes", about="rank_bytes")
def counts_padding(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """FSDP2 allocates it, but here only elements of the parameters count: the last ranks have fewer."""
    part = sum(-(-shape[0] // world_size) * math.prod(shape[1:]) for shape in shapes if shape)
    return _held(shapes, world_size, stage, (param_bytes, grad_bytes, state_bytes), lambda rank: part)


@believes("A parameter with fewer rows than ranks is not cut", about="rank_bytes")
def replicates_short_ones(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """It is: some ranks have one row of it, and the others none."""

    def part(rank):
        short = sum(math.prod(shape) for shape in shapes if shape[0] < world_size)
        return short + _own([shape for shape in shapes if shape[0] >= world_size], world_size)(rank)

    return _held(shapes, world_size, stage, (param_bytes, grad_bytes, state_bytes), part)


@believes("Parameters are cut flat, in the middle of rows", about="rank_bytes")
def cuts_flat(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """That is FSDP1. Here each parameter is cut along dimension 0, in whole rows."""

    def part(rank):
        parts, _ = solved.flat_shard([math.prod(shape) for shape in shapes], rank, world_size)
        return sum(stop - start for start, stop in parts)

    return _held(shapes, world_size, stage, (param_bytes, grad_bytes, state_bytes), part)


@believes("Parameters are cut flat, in the middle of rows", about="rank_bytes")
def cuts_each_flat(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """That is FSDP1. Here each parameter is cut along dimension 0, in whole rows."""
    flat = [shape and (math.prod(shape),) for shape in shapes]
    return solved.rank_bytes(flat, world_size, stage, param_bytes, grad_bytes, state_bytes)


@believes("Parameters are cut along their last dimension", about="rank_bytes")
def cuts_columns(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """They are cut along dimension 0."""
    turned = [shape[::-1] for shape in shapes]
    return _held(
        shapes, world_size, stage, (param_bytes, grad_bytes, state_bytes), lambda rank: _own(turned, world_size)(rank)
    )


@believes("Stage 1 shards the gradients", about="rank_bytes")
def shards_gradients_first(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """It shards the optimizer's state, the largest of the three."""
    cuts = stage > 2, stage > 0, stage > 1
    return _held(
        shapes, world_size, stage, (param_bytes, grad_bytes, state_bytes), lambda r: _own(shapes, world_size)(r), cuts
    )


@believes("Each stage shards only one thing", about="rank_bytes")
def shards_one_thing(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """Each stage shards what the one before it does, and one thing more."""
    cuts = stage == 3, stage == 2, stage == 1
    return _held(
        shapes, world_size, stage, (param_bytes, grad_bytes, state_bytes), lambda r: _own(shapes, world_size)(r), cuts
    )


@believes("Stage 1 shards everything", about="rank_bytes")
def shards_all_at_once(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """Only stage 3 does: at stage 1, gradients and parameters are whole on every rank."""
    return solved.rank_bytes(
        shapes, world_size, 3 if stage in (1, 2, 3) else stage, param_bytes, grad_bytes, state_bytes
    )


@believes("state_bytes is 8 by default", about="rank_bytes")
def forgets_the_master(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=8):
    """In mixed precision Adam also keeps a float32 copy of the parameter: 12 by default."""
    return solved.rank_bytes(shapes, world_size, stage, param_bytes, grad_bytes, state_bytes)


@believes("A parameter of shape () is whole on every rank", about="rank_bytes")
def replicates_scalars(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """fully_shard refuses it: raise ValueError."""
    turned = [shape or (1,) for shape in shapes]
    return solved.rank_bytes(turned, world_size, stage, param_bytes, grad_bytes, state_bytes)


@believes("A parameter of shape () is refused only where it is cut", about="rank_bytes")
def checks_shapes_where_it_cuts(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """It raises a ValueError at every stage, at stage 0 too."""
    turned = shapes if stage else [shape or (1,) for shape in shapes]
    return solved.rank_bytes(turned, world_size, stage, param_bytes, grad_bytes, state_bytes)


@believes("A stage above 3 counts as stage 3", about="rank_bytes")
def takes_any_stage(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """There are stages 0 to 3: raise ValueError for any other."""
    return solved.rank_bytes(shapes, world_size, min(stage, 3), param_bytes, grad_bytes, state_bytes)


@believes("A stage below 0 counts as stage 0", about="rank_bytes")
def takes_stages_below(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """There are stages 0 to 3: raise ValueError for any other."""
    return solved.rank_bytes(shapes, world_size, max(stage, 0), param_bytes, grad_bytes, state_bytes)


@believes("Without parameters the stage need not be checked", about="rank_bytes")
def checks_no_stage_of_nothing(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """A wrong stage is a mistake all the same: raise ValueError."""
    stage = stage if shapes else 0
    return solved.rank_bytes(shapes, world_size, stage, param_bytes, grad_bytes, state_bytes)


@believes("The list of shapes may be used up", about="rank_bytes")
def takes_shapes_off(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """It belongs to the caller: leave it as it is."""
    found = solved.rank_bytes(shapes, world_size, stage, param_bytes, grad_bytes, state_bytes)
    while shapes:
        shapes.pop()
    return found


@believes("If an error is raised, shapes need not be put back", about="rank_bytes")
def sorts_shapes_before_it_checks(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """It belongs to the caller, who may go on: check first, or change a copy."""
    before = list(shapes)
    shapes.sort(key=len)
    found = solved.rank_bytes(shapes, world_size, stage, param_bytes, grad_bytes, state_bytes)
    shapes[:] = before
    return found


@believes("No two parameters have one shape", about="rank_bytes")
def counts_each_shape_once(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """Several may have it, and each of them is counted: a dict or a set of shapes has it once."""
    once = list(dict.fromkeys(shapes))
    return solved.rank_bytes(once, world_size, stage, param_bytes, grad_bytes, state_bytes)


@believes("64 bits hold every number of bytes", about="rank_bytes")
def counts_in_64_bits(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """Beyond 2**63 an int64 wraps around: use Python's ints."""
    elements = torch.tensor(solved.rank_bytes(shapes, world_size, stage, 1, 1, 1))
    return list(map(tuple, (elements * torch.tensor([param_bytes, grad_bytes, state_bytes])).tolist()))


def _split(stage, widths):
    """Bytes of an element that are whole on every rank, and that are sharded."""
    return sum(widths[: 3 - stage]), sum(widths[3 - stage :])


@believes("The memory of all GPUs adds up", about="largest_sharded_model")
def adds_up_memory(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """It does so only at stage 3: what is not sharded is whole on every GPU."""
    solved.largest_sharded_model(num_gpus, bytes_per_gpu, stage, param_bytes, grad_bytes, state_bytes)
    return num_gpus * (bytes_per_gpu // (param_bytes + grad_bytes + state_bytes))


@believes("The number of GPUs makes no difference", about="largest_sharded_model")
def forgets_the_others(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """Each GPU has only a part of what is sharded."""
    solved.largest_sharded_model(num_gpus, bytes_per_gpu, stage, param_bytes, grad_bytes, state_bytes)
    return bytes_per_gpu // (param_bytes + grad_bytes + state_bytes)


@believes("A rank holds exactly n / num_gpus sharded elements", about="largest_sharded_model")
def divides_elements(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """The fullest one holds ⌈n / num_gpus⌉."""
    solved.largest_sharded_model(num_gpus, bytes_per_gpu, stage, param_bytes, grad_bytes, state_bytes)
    whole, part = _split(stage, (param_bytes, grad_bytes, state_bytes))
    return bytes_per_gpu * num_gpus // (whole * num_gpus + part)


@believes("n is a multiple of num_gpus", about="largest_sharded_model")
def fills_whole_rounds(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """It need not be: the last ranks may hold fewer elements, so that a larger n fits."""
    found = solved.largest_sharded_model(num_gpus, bytes_per_gpu, stage, param_bytes, grad_bytes, state_bytes)
    return found - found % num_gpus if stage else found


@believes("The emptiest rank decides", about="largest_sharded_model")
def looks_at_the_emptiest(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """The model also has to fit on the fullest rank, which holds ⌈n / num_gpus⌉ elements."""
    solved.largest_sharded_model(num_gpus, bytes_per_gpu, stage, param_bytes, grad_bytes, state_bytes)
    whole, part = _split(stage, (param_bytes, grad_bytes, state_bytes))
    rounds, left = divmod(bytes_per_gpu, whole * num_gpus + part)
    return rounds * num_gpus + (min(left // whole, num_gpus - 1) if whole else num_gpus - 1)


@believes("Some memory has to stay free", about="largest_sharded_model")
def leaves_a_byte_free(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """All of bytes_per_gpu may be used."""
    fewer = bytes_per_gpu - (bytes_per_gpu > 0)
    return solved.largest_sharded_model(num_gpus, fewer, stage, param_bytes, grad_bytes, state_bytes)


@believes("Stage 1 shards the gradients, stage 2 the state", about="largest_sharded_model")
def swaps_stages(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """It is the other way round: the optimizer's state first, then the gradients."""
    return solved.largest_sharded_model(num_gpus, bytes_per_gpu, stage, param_bytes, state_bytes, grad_bytes)


@believes("state_bytes is 4 by default", about="largest_sharded_model")
def counts_one_state(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=4):
    """Adam has two states of 4 bytes each: 8 by default."""
    return solved.largest_sharded_model(num_gpus, bytes_per_gpu, stage, param_bytes, grad_bytes, state_bytes)


@believes("Dividing with / is exact", about="largest_sharded_model")
def computes_in_floats(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """A float cannot hold every integer beyond 2**53: use // and divmod."""
    right = solved.largest_sharded_model(num_gpus, bytes_per_gpu, stage, param_bytes, grad_bytes, state_bytes)
    return int(float(right))


@believes("At least one parameter fits", about="largest_sharded_model")
def fits_one_at_least(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """If there are fewer bytes than one parameter takes, the answer is 0."""
    return max(1, solved.largest_sharded_model(num_gpus, bytes_per_gpu, stage, param_bytes, grad_bytes, state_bytes))


@believes("Without GPUs the answer is 0", about="largest_sharded_model")
def fits_nothing_without_gpus(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """num_gpus below 1 is a mistake: raise ValueError."""
    if num_gpus < 1 and stage in range(4):
        return 0
    return solved.largest_sharded_model(num_gpus, bytes_per_gpu, stage, param_bytes, grad_bytes, state_bytes)


@believes("A stage above 3 counts as stage 3", about="largest_sharded_model")
def takes_later_stages(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """There are stages 0 to 3: raise ValueError for any other."""
    return solved.largest_sharded_model(num_gpus, bytes_per_gpu, min(stage, 3), param_bytes, grad_bytes, state_bytes)


@believes("A stage below 0 counts as stage 0", about="largest_sharded_model")
def takes_earlier_stages(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """There are stages 0 to 3: raise ValueError for any other."""
    return solved.largest_sharded_model(num_gpus, bytes_per_gpu, max(stage, 0), param_bytes, grad_bytes, state_bytes)


@believes("Only the sum of the three bytes must not be negative", about="largest_sharded_model")
def checks_the_sum_of_widths(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """None of the three may be negative: check each."""
    widths = (param_bytes, grad_bytes, state_bytes)
    if sum(widths) > 0 > min(widths):
        widths = tuple(max(width, 0) for width in widths)
    return solved.largest_sharded_model(num_gpus, bytes_per_gpu, stage, *widths)


@believes("If an element takes no bytes, the answer is 0", about="largest_sharded_model")
def fits_nothing_of_no_bytes(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """Any number of them would fit, so there is no answer: raise ValueError."""
    if (param_bytes, grad_bytes, state_bytes) == (0, 0, 0) and num_gpus > 0 and stage in range(4):
        return 0
    return solved.largest_sharded_model(num_gpus, bytes_per_gpu, stage, param_bytes, grad_bytes, state_bytes)
