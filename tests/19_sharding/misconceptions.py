"""Wrong answers that people give to kata 19, each with the belief behind it."""

from dojo.judging.diagnose import believes, solution

solved = solution("19_sharding")


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="shard_slices")
def shard_slices_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.shard_slices(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="flat_shard")
def flat_shard_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.flat_shard(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="rank_bytes")
def rank_bytes_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.rank_bytes(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="largest_sharded_model")
def largest_sharded_model_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.largest_sharded_model(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="comm_elements")
def comm_elements_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.comm_elements(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="ShardedAdam")
def ShardedAdam_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.ShardedAdam(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="fully_sharded_step")
def fully_sharded_step_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.fully_sharded_step(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="tensor_parallel_mlp")
def tensor_parallel_mlp_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.tensor_parallel_mlp(n) + 1
