"""The properties of kata 19: which slice each rank holds, what stays alive there, and what is sent for it."""

from math import prod

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect, expect_each, expect_error, grades
from dojo.seam.data import same, shown

from . import described, scenarios, truth
from .strategies_models import fits, no_fits
from .strategies_numbers import (
    any_flats,
    any_held,
    flats,
    held,
    no_flats,
    no_rows,
    not_sent,
    rows,
    scalars,
    sent,
    without_stage,
)
from .strategies_tensors import adams, deep_seeds, large_adams, mlps, parallels

# Covers two right orders of the same sums of a few float64 numbers.
ROUNDING = 1e-9

# Each example starts a thread for each rank and one for the wire, which takes time, or many examples show the same.
FEW = one_in(4)

# Each example makes 96 collectives of 6 ranks.
FEWEST = one_in(20)

# There are few kinds of these cases, and each is drawn often.
REFUSED = one_in(2)


def at_most(limit, number, name):
    """Fail if the number is above the limit."""
    if type(number) is not int or number > limit:
        raise Mismatch(number, f"{limit}, or less" if limit else "0", "should be", of=name)


def calls_of(seen):
    """Return what all ranks called, and the number of elements of a tensor in each call."""
    if type(seen) is not dict or type(seen.get("ranks.calls")) is not list:
        raise Mismatch(seen, "what was called", "should be", of="ranks.calls")
    return [(call, prod(shape)) for call, shape in seen["ranks.calls"]]


def each_at_most(limits, seen):
    """Fail if one of these numbers is above its limit."""
    for name, limit in limits.items():
        at_most(limit, seen.get(name) if type(seen) is dict else seen, name)


@grades("shard_slices")
@given(case=rows())
def test_shard_slices_are_those_of_torch(kata, case):
    """Each rank holds ⌈size / world_size⌉ rows; the last ranks hold fewer, or none, which is (size, size)."""
    expect(kata.shard_slices(*case), truth.shard_slices(*case))


@grades("shard_slices")
@REFUSED
@given(case=no_rows())
def test_shard_slices_refuses_too_few_ranks_or_rows(kata, case):
    """A world_size below 1, or a size below 0, raises a ValueError."""
    because = f"world_size is {case.world_size}" if case.world_size < 1 else f"size is {case.size}"
    expect_error(ValueError, kata.shard_slices, *case, because=because)


@grades("flat_shard")
@given(case=flats())
def test_flat_shard_is_the_part_that_a_rank_has(kata, case):
    """The flat parameter is cut into shards of ⌈total / world_size⌉ elements; what is beyond the end is padding."""
    expect(kata.flat_shard(*case.given), truth.flat_shard(case), "should be")


@grades("flat_shard")
@REFUSED
@given(case=any_flats())
def test_flat_shard_leaves_numels_as_they_are(kata, case):
    """numels stays as it is, also where a ValueError is raised."""
    seen = kata.run(scenarios.listed, "flat_shard", "numels", list(case.given), case.refused)
    expect_each(seen, {"numels": case.numels}, "should still be")


@grades("flat_shard")
@REFUSED
@given(case=no_flats())
def test_flat_shard_refuses_what_cannot_be(kata, case):
    """A negative number in numels, world_size below 1, or a rank outside 0..world_size - 1 raises a ValueError."""
    if case.world_size < 1:
        because = f"world_size is {case.world_size}"
    elif any(count < 0 for count in case.blocks):
        because = f"numels has {min(case.blocks)} in it"
    else:
        because = f"there is no rank {case.rank} of {case.world_size}"
    expect_error(ValueError, kata.flat_shard, *case.given, because=because)


@grades("rank_bytes")
@given(case=held())
def test_rank_bytes_are_those_of_real_shards(kata, case):
    """What the stage shards is cut along dimension 0 of each parameter; everything else is whole on every rank."""
    expect(kata.rank_bytes(*case.given), truth.rank_bytes(case))


@grades("rank_bytes")
@REFUSED
@given(case=any_held())
def test_rank_bytes_leaves_shapes_as_they_are(kata, case):
    """shapes stays as it is, also where a ValueError is raised."""
    seen = kata.run(scenarios.listed, "rank_bytes", "shapes", list(case.given), case.refused)
    expect_each(seen, {"shapes": case.shapes}, "should still be")


@grades("rank_bytes")
@REFUSED
@given(case=without_stage())
def test_rank_bytes_refuses_other_stages(kata, case):
    """A stage other than 0, 1, 2 and 3 raises a ValueError."""
    expect_error(ValueError, kata.rank_bytes, *case.given, because=f"there is no stage {case.stage}")


@grades("rank_bytes")
@REFUSED
@given(case=scalars())
def test_rank_bytes_refuses_a_parameter_without_dimensions(kata, case):
    """A parameter of shape () raises a ValueError at every stage."""
    expect_error(ValueError, kata.rank_bytes, *case.given, because="a parameter has shape ()")


@grades("largest_sharded_model")
@given(case=fits())
def test_largest_sharded_model_fits_and_one_more_does_not(kata, case):
    """What is sharded takes ⌈n / num_gpus⌉ elements on the fullest rank; everything else is whole on every rank."""
    expect(kata.largest_sharded_model(*case.given), truth.largest_sharded_model(case), "so many fit:")


@grades("largest_sharded_model")
@REFUSED
@given(case=no_fits())
def test_largest_sharded_model_refuses_what_cannot_be(kata, case):
    """num_gpus below 1, another stage, or bytes of an element that are negative or all 0 raise a ValueError."""
    if case.num_gpus < 1:
        because = f"num_gpus is {case.num_gpus}"
    elif not 0 <= case.stage <= 3:
        because = f"there is no stage {case.stage}"
    elif any(case.widths or ()) and case.widths:
        because = f"an element has {min(case.widths)} bytes of one kind"
    else:
        because = "all three widths are 0"
    expect_error(ValueError, kata.largest_sharded_model, *case.given, because=because)


@grades("comm_elements")
@given(case=sent())
def test_comm_elements_are_those_of_a_ring(kata, case):
    """Each collective sends world_size - 1 pieces of ⌈numel / world_size⌉; there are two, or three at stage 3."""
    expect(kata.comm_elements(*case), truth.comm_elements(case), "a ring sends")


@grades("comm_elements")
@REFUSED
@given(case=not_sent())
def test_comm_elements_refuses_other_stages(kata, case):
    """A stage other than 0, 1, 2 and 3 raises a ValueError."""
    expect_error(ValueError, kata.comm_elements, *case, because=f"there is no stage {case.stage}")


def stepped(kata, case):
    """Run the steps of an optimizer on all ranks."""
    grads = [case.grads(rank) for rank in range(case.size)]
    return kata.run(scenarios.adam, case.params, grads, case.settings, case.apart)


@grades("ShardedAdam")
@FEW
@given(case=adams())
def test_ShardedAdam_makes_the_steps_of_torch(kata, case):
    """Every rank takes torch.optim.Adam's steps on the mean gradient, in place.

    Parameters still require grad, gradients stay as they are, and autograd is not left turned off.
    """
    seen = stepped(kata, case)
    expect_each(seen, {"params": [truth.adam(case)] * case.size}, "torch makes", rel=ROUNDING)
    expect_each(seen, {"those of params that lie elsewhere than before": [[]] * case.size}, "should be")
    expect_each(seen, {"requires_grad of params": [[True] * len(case.shapes)] * case.size}, "should be")
    expect_each(seen, {"ranks whose step leaves gradients turned off": []}, "should be")
    expect_each(seen, {"grads": [case.grads(rank) for rank in range(case.size)]}, "should still be")


@grades("ShardedAdam")
@FEW
@given(case=adams())
def test_ShardedAdam_sends_each_piece_once(kata, case):
    """Each parameter with a gradient takes one reduce_scatter and one all_gather of a piece, and no all_reduce."""
    grads = [case.grads(rank) for rank in range(case.size)]
    each_at_most(described.adam_limits(case.params, grads), stepped(kata, case))


@grades("ShardedAdam")
@FEW
@given(case=large_adams())
def test_ShardedAdam_keeps_the_state_of_its_slice_alone(kata, case):
    """Only two numbers per element of this rank's pieces, and a step count, stay alive.

    Copies in a closure, a global or an attribute count as well, and so do gradients that parameters no longer have.
    """
    seen = kata.run(scenarios.kept, case.size, case.shapes, len(case.steps), case.settings)
    each_at_most(described.kept_limits(case.size, case.shapes), seen)


def sharded(kata, case):
    """Run a step on all ranks."""
    weights, xs, targets = described.mlp(case)
    return kata.run(
        scenarios.step, case.shapes, described.sharded(weights, case.size), xs, targets, case.lr, case.graded
    )


@grades("fully_sharded_step")
@FEW
@given(case=mlps())
def test_fully_sharded_step_is_that_of_whole_weights(kata, case):
    """Each rank returns its rows of the weights after a step of SGD on the whole batch; arguments stay as they are.

    The new shards share no memory with the old ones and have no graph, and autograd is not left turned off.
    Arguments may have a .grad before, which stays as it is too.
    """
    weights, xs, targets = described.mlp(case)
    seen = sharded(kata, case)
    expect_each(seen, {"ranks.results": truth.sharded_step(case)}, "torch makes", rel=ROUNDING)
    before = {"shards": described.sharded(weights, case.size), "xs": xs, "targets": targets, "shapes": case.shapes}
    expect_each(seen, before, "should still be")
    other = "those of shards, xs and targets that require grad or have another .grad than before"
    expect_each(seen, {other: []}, "should still be")
    expect_each(seen, {"ranks whose results have a graph": []}, "should be")
    expect_each(seen, {"ranks whose results share memory with shards": []}, "should be")
    expect_each(seen, {"ranks whose step leaves gradients turned off": []}, "should be")


@grades("fully_sharded_step")
@FEW
@given(case=mlps())
def test_fully_sharded_step_gathers_each_weight_twice(kata, case):
    """A step makes at most two all_gathers and one reduce_scatter per layer, and no all_reduce."""
    each_at_most(described.step_limits(case.shapes), sharded(kata, case))


@grades("fully_sharded_step")
@FEWEST
@given(seed=deep_seeds())
def test_fully_sharded_step_never_holds_many_weights(kata, seed):
    """With 32 layers, at most 32 whole weights are alive at a time: drop each gathered weight and whole gradient.

    A graph keeps the weights that it goes through.
    """
    right = described.deep(seed)
    seen = kata.run(scenarios.deep, seed)
    each_at_most(described.DEEP_LIMITS, seen)
    wanted = truth.deep_step(right)
    if not same(seen["what fully_sharded_step returns"], wanted, ROUNDING):
        raise Mismatch(seen["what fully_sharded_step returns"], "what autograd makes", "should be")


@grades("tensor_parallel_mlp")
@FEW
@given(case=parallels())
def test_tensor_parallel_mlp_is_that_of_whole_weights(kata, case):
    """Each rank has the whole output, the whole gradients of x and b2, and its part of the others.

    The gradient that x gets from elsewhere is not summed over the ranks. Two calls before backward do not get mixed up.
    """
    seen = kata.run(scenarios.parallel, case.size, case.tensors, case.grad, case.elsewhere, case.again)
    right = truth.parallel(case)
    expect_each(seen, {"ranks.results": right}, "unsplit it is", rel=ROUNDING)
    expect_each(seen, {"mine": described.parts(case.tensors, case.size)}, "should still be")


@grades("tensor_parallel_mlp")
@FEW
@given(case=parallels())
def test_tensor_parallel_mlp_sums_once_each_way(kata, case):
    """The forward pass makes one all_reduce, of y, the backward pass one, of the gradient of x, and nothing else."""
    seen = kata.run(scenarios.parallel, case.size, case.tensors, case.grad, case.elsewhere, case.again)
    times = 2 if case.again else 1
    told = [["all_reduce", [case.batch, d]] for d in (case.d_out, case.d_in) for _ in range(times)]
    wanted = [(call, prod(shape)) for call, shape in told]
    calls = calls_of(seen)
    alone = case.size == 1 and calls in ([], wanted[:times], wanted[times:])  # nobody else has a part of a sum
    if calls != wanted and not alone:
        raise Mismatch(seen["ranks.calls"], shown(told), "should be", told, of="ranks.calls")
