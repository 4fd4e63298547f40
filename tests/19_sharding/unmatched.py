"""Wrong answers to kata 19 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("19_sharding")


@answers("shard_slices")
def gives_ranks_in_reverse(size, world_size):
    """The last rank first."""
    return solved.shard_slices(size, world_size)[::-1]


@answers("flat_shard")
def takes_one_off_each_part(numels, rank, world_size):
    """To be on the safe side."""
    parts, padding = solved.flat_shard(numels, rank, world_size)
    return [(start, max(start, stop - 1)) for start, stop in parts], padding + 1


@answers("rank_bytes")
def counts_bytes_of_rank_0_twice(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    """It does the logging as well."""
    held = solved.rank_bytes(shapes, world_size, stage, param_bytes, grad_bytes, state_bytes)
    return [tuple(2 * n for n in held[0]), *held[1:]]


@answers("largest_sharded_model")
def leaves_room_for_ten(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    """Somebody may come by."""
    return solved.largest_sharded_model(num_gpus, bytes_per_gpu, stage, param_bytes, grad_bytes, state_bytes) - 10


@answers("comm_elements")
def sends_three_more(numel, world_size, stage):
    """A greeting."""
    return solved.comm_elements(numel, world_size, stage) + 3


@answers("ShardedAdam")
class TurnsAround(solved.ShardedAdam):
    """Every third element goes the other way."""

    def step(self):
        """And back."""
        before = [p.detach().clone() for p in self.params]
        super().step()
        for p, old in zip(self.params, before, strict=True):
            p.data.view(-1)[::3] = (2 * old - p.data).view(-1)[::3]


@answers("fully_sharded_step")
def moves_the_first_shard_twice(group, shapes, shards, x, target, lr):
    """It is the farthest from the loss."""
    new = solved.fully_sharded_step(group, shapes, shards, x, target, lr)
    return [2 * new[0] - shards[0], *new[1:]]


@answers("tensor_parallel_mlp")
def turns_the_output_around(group, x, w1, b1, w2, b2):
    """The last feature first."""
    return solved.tensor_parallel_mlp(group, x, w1, b1, w2, b2).flip(-1)
