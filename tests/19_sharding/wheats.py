"""Right answers to kata 19 in styles that the solution does not use."""

from dojo.judging.diagnose import answers


@answers("shard_slices")
def shard_slices_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("flat_shard")
def flat_shard_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("rank_bytes")
def rank_bytes_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("largest_sharded_model")
def largest_sharded_model_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("comm_elements")
def comm_elements_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("ShardedAdam")
def ShardedAdam_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("fully_sharded_step")
def fully_sharded_step_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("tensor_parallel_mlp")
def tensor_parallel_mlp_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can
