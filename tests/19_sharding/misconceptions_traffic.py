"""Wrong answers that people give to kata 19 about what a step sends."""

from dojo.judging.diagnose import believes, solution

solved = solution("19_sharding")


@believes("ZeRO-1 and ZeRO-2 send more than DDP", about="comm_elements")
def sends_more_from_stage_1(numel, world_size, stage):
    """An all-reduce is a reduce-scatter and an all-gather already: they send the same, the all-gather of parameters."""
    return solved.comm_elements(numel, world_size, 3 if stage in (1, 2) else stage)


@believes("An all-reduce is one collective of the ring", about="comm_elements")
def counts_an_all_reduce_once(numel, world_size, stage):
    """It is two: a reduce-scatter and an all-gather, of world_size - 1 pieces each."""
    sent = solved.comm_elements(numel, world_size, stage)
    return sent // 2 if stage == 0 else sent


@believes("A sharded optimizer sends gradients alone", about="comm_elements")
def forgets_the_new_parameters(numel, world_size, stage):
    """Each rank has moved its own slice only: the others need it, by an all-gather."""
    sent = solved.comm_elements(numel, world_size, stage)
    return sent // 2 if stage in (1, 2) else sent


@believes("At stage 3 the weights are gathered once", about="comm_elements")
def gathers_once(numel, world_size, stage):
    """They are dropped after the forward pass, and gathered anew in the backward pass."""
    return solved.comm_elements(numel, world_size, min(stage, 2))


@believes("A step of stage 3 has four collectives", about="comm_elements")
def gathers_three_times(numel, world_size, stage):
    """It has three: two all-gathers of parameters, one reduce-scatter of gradients. Nobody needs whole gradients, and
    new parameters are gathered in the next forward pass.
    """
    sent = solved.comm_elements(numel, world_size, stage)
    return sent // 3 * 4 if stage == 3 else sent


@believes("In a ring each rank sends world_size pieces", about="comm_elements")
def sends_all_pieces(numel, world_size, stage):
    """world_size - 1: its own part it need not send to itself."""
    piece = -(-numel // world_size)
    return solved.comm_elements(numel, world_size, stage) + (3 if stage == 3 else 2) * piece


@believes("Each rank sends its tensor to all others", about="comm_elements")
def sends_whole_tensors(numel, world_size, stage):
    """It passes on one piece in each step, of 1 / world_size of the whole."""
    solved.comm_elements(numel, world_size, stage)
    return (3 if stage == 3 else 2) * (world_size - 1) * numel


@believes("Padding is not sent", about="comm_elements")
def sends_no_padding(numel, world_size, stage):
    """A ring passes on pieces of one length: those of ⌈numel / world_size⌉."""
    solved.comm_elements(numel, world_size, stage)
    return (3 if stage == 3 else 2) * (world_size - 1) * numel // world_size


@believes("Pieces are rounded down", about="comm_elements")
def rounds_pieces_down(numel, world_size, stage):
    """Up, or elements would be missing."""
    solved.comm_elements(numel, world_size, stage)
    return (3 if stage == 3 else 2) * (world_size - 1) * (numel // world_size)


@believes("It is what all ranks send together", about="comm_elements")
def counts_all_ranks(numel, world_size, stage):
    """It is asked of each rank."""
    return world_size * solved.comm_elements(numel, world_size, stage)


@believes("One rank sends the tensor as well", about="comm_elements")
def sends_to_itself(numel, world_size, stage):
    """To whom? One rank sends nothing."""
    sent = solved.comm_elements(numel, world_size, stage)
    return sent if world_size > 1 else (3 if stage == 3 else 2) * numel


@believes("numel / world_size is exact", about="comm_elements")
def divides_in_floats(numel, world_size, stage):
    """Beyond 2**53 a float skips integers: -(-numel // world_size) does not."""
    import math

    solved.comm_elements(numel, world_size, stage)
    return (3 if stage == 3 else 2) * (world_size - 1) * math.ceil(numel / world_size)


@believes("A stage beyond 3 sends what stage 3 does", about="comm_elements")
def sends_at_later_stages(numel, world_size, stage):
    """There is none: raise ValueError."""
    return solved.comm_elements(numel, world_size, min(stage, 3))


@believes("A stage below 0 sends what DDP does", about="comm_elements")
def sends_at_earlier_stages(numel, world_size, stage):
    """There is none: raise ValueError."""
    return solved.comm_elements(numel, world_size, max(stage, 0))


@believes("Who sends nothing needs no stage", about="comm_elements")
def asks_no_stage_of_one_rank(numel, world_size, stage):
    """A stage that is none is a mistake all the same: raise ValueError."""
    return solved.comm_elements(numel, world_size, stage) if world_size > 1 and numel else 0
