"""Wrong answers that people give to kata 19 about what a step sends."""

from dojo.judging.diagnose import believes, solution

solved = solution("19_sharding")


@believes("Stages 1 and 2 send more than stage 0", about="comm_elements")
def sends_more_from_stage_1(numel, world_size, stage):
    """An all-reduce already is a reduce-scatter and an all-gather: they send the same amount."""
    return solved.comm_elements(numel, world_size, 3 if stage in (1, 2) else stage)


@believes("Stage 1 all-reduces the gradients", about="comm_elements")
def reduces_all_at_stage_1(numel, world_size, stage):
    """Each rank only needs those of its own slice: reduce-scatter them, and all-gather the new parameters."""
    return solved.comm_elements(numel, world_size, 3 if stage == 1 else stage)


@believes("An all-reduce counts as one collective", about="comm_elements")
def counts_an_all_reduce_once(numel, world_size, stage):
    """It counts as two: a reduce-scatter and an all-gather, of world_size - 1 pieces each."""
    sent = solved.comm_elements(numel, world_size, stage)
    return sent // 2 if stage == 0 else sent


@believes("Stages 1 and 2 only send gradients", about="comm_elements")
def forgets_the_new_parameters(numel, world_size, stage):
    """Each rank updates its own slice, which the others need: all-gather the new parameters."""
    sent = solved.comm_elements(numel, world_size, stage)
    return sent // 2 if stage in (1, 2) else sent


@believes("At stage 3 the parameters are gathered once", about="comm_elements")
def gathers_once(numel, world_size, stage):
    """They are dropped after the forward pass, and gathered again in the backward pass."""
    return solved.comm_elements(numel, world_size, 2 if stage == 3 else stage)


@believes("Stage 3 takes four collectives", about="comm_elements")
def gathers_three_times(numel, world_size, stage):
    """It takes three: two all-gathers of the parameters, and one reduce-scatter of the gradients."""
    sent = solved.comm_elements(numel, world_size, stage)
    return sent // 3 * 4 if stage == 3 else sent


@believes("Each rank sends world_size pieces", about="comm_elements")
def sends_all_pieces(numel, world_size, stage):
    """It sends world_size - 1: it need not send its own piece to itself."""
    piece = -(-numel // world_size)
    return solved.comm_elements(numel, world_size, stage) + (3 if stage == 3 else 2) * piece


@believes("Each rank sends whole tensors", about="comm_elements")
def sends_whole_tensors(numel, world_size, stage):
    """In each step it sends one piece, of 1 / world_size of the whole."""
    solved.comm_elements(numel, world_size, stage)
    return (3 if stage == 3 else 2) * (world_size - 1) * numel


@believes("Padding is not sent", about="comm_elements")
def sends_no_padding(numel, world_size, stage):
    """All pieces have the same length, ⌈numel / world_size⌉, padding included."""
    solved.comm_elements(numel, world_size, stage)
    return (3 if stage == 3 else 2) * (world_size - 1) * numel // world_size


@believes("Pieces are rounded down", about="comm_elements")
def rounds_pieces_down(numel, world_size, stage):
    """They are rounded up, or elements would be missing."""
    solved.comm_elements(numel, world_size, stage)
    return (3 if stage == 3 else 2) * (world_size - 1) * (numel // world_size)


@believes("The result is the sum over all ranks", about="comm_elements")
def counts_all_ranks(numel, world_size, stage):
    """It is what each rank sends."""
    return world_size * solved.comm_elements(numel, world_size, stage)


@believes("A single rank sends the tensor as well", about="comm_elements")
def sends_to_itself(numel, world_size, stage):
    """It has nobody to send to: 0."""
    sent = solved.comm_elements(numel, world_size, stage)
    return sent if world_size > 1 else (3 if stage == 3 else 2) * numel


@believes("math.ceil(numel / world_size) is exact", about="comm_elements")
def divides_in_floats(numel, world_size, stage):
    """A float cannot hold every integer beyond 2**53: use -(-numel // world_size)."""
    import math

    solved.comm_elements(numel, world_size, stage)
    return (3 if stage == 3 else 2) * (world_size - 1) * math.ceil(numel / world_size)


@believes("A stage above 3 counts as stage 3", about="comm_elements")
def sends_at_later_stages(numel, world_size, stage):
    """There are stages 0 to 3: raise ValueError for any other."""
    return solved.comm_elements(numel, world_size, min(stage, 3))


@believes("A stage below 0 counts as stage 0", about="comm_elements")
def sends_at_earlier_stages(numel, world_size, stage):
    """There are stages 0 to 3: raise ValueError for any other."""
    return solved.comm_elements(numel, world_size, max(stage, 0))


@believes("For one rank the stage need not be checked", about="comm_elements")
def asks_no_stage_of_one_rank(numel, world_size, stage):
    """A wrong stage is a mistake all the same: raise ValueError."""
    return solved.comm_elements(numel, world_size, stage) if world_size > 1 and numel else 0
