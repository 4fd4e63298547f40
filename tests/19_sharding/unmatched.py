"""Wrong answers to kata 19 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("19_sharding")


@answers("shard_slices")
def shard_slices_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.shard_slices(n)


@answers("flat_shard")
def flat_shard_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.flat_shard(n)


@answers("rank_bytes")
def rank_bytes_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.rank_bytes(n)


@answers("largest_sharded_model")
def largest_sharded_model_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.largest_sharded_model(n)


@answers("comm_elements")
def comm_elements_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.comm_elements(n)


@answers("ShardedAdam")
def ShardedAdam_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.ShardedAdam(n)


@answers("fully_sharded_step")
def fully_sharded_step_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.fully_sharded_step(n)


@answers("tensor_parallel_mlp")
def tensor_parallel_mlp_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.tensor_parallel_mlp(n)
