"""The properties of kata 22: bytes that move, kernels that are few, and tensors that are never made."""

import functools
import math

import torch

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect, expect_each, expect_error, grades
from dojo.seam.data import Error, Words, shown

from ..shared.described import execute, placed
from . import pictures, scenarios, truth
from .strategies_attention import attentions, long_attentions, measured_attentions, no_blocks
from .strategies_clips import clips
from .strategies_ops import operations, refused_operations
from .strategies_programs import fused_programs, no_programs, programs, unknown_outputs
from .strategies_sums import blocks, passed, streams
from .strategies_tiles import additions, no_tiles, products, tilings
from .typed import LIVING, MEASURES, WATCHING, added, multiplied

# What the specification promises for a sum of exponentials, in float32 too.
NEAR = 1e-5

# Blocks come in another order, and weights shrink step by step: sums of a few numbers below 4, some of which cancel.
ROUNDING = {torch.float64: 1e-9, torch.float32: 1e-5}
# Each block may round the logarithm of a sum of weights; near 1000 that is 6e-5 in float32.
LARGE = 1e-2

# There are few kinds of cases, so each is drawn often; or a grid of many programs runs.
HALF = one_in(2)
FEW = one_in(4)

# Thousands of operations run one by one in Python while memory is watched.
LONG = one_in(20)

# torch.compile takes 40 to 90 ms after a reset.
COMPILED = one_in(20)

# Bytes of tensors for a few numbers of a block; a large block has 4096 or more.
KEPT = 64


def at_most(seen, limits):
    """Fail if a watched number is above its limit."""
    for name, limit in limits.items():
        got = seen.get(name)
        if type(got) is not int or got > limit:
            raise Mismatch(got, f"{limit}, or less", "should be", of=name)


@grades("eager_bytes")
@given(case=programs())
def test_eager_bytes_are_those_of_each_operation(kata, case):
    """Each operation reads each distinct operand once from memory and writes its result to memory."""
    expect(kata.eager_bytes(*case.eager), truth.eager_bytes(*case.eager), "torch moves")


@grades("eager_bytes")
@HALF
@given(case=no_programs())
def test_eager_bytes_refuses_what_is_no_program(kata, case):
    """An operation without inputs, or one that makes a name made or used before, raises a ValueError."""
    expect_error(ValueError, kata.eager_bytes, *case.eager, because=case.because)


@grades("eager_bytes")
@FEW
@given(case=programs())
def test_eager_bytes_leaves_the_program_alone(kata, case):
    """The program, and the lists of inputs in it, stay as they are."""
    leaves(kata, "eager_bytes", ["program"], case.eager)


def leaves(kata, function, names, given):
    """Fail unless the first arguments, which have these names, are the same after the call as before."""
    lists = dict(zip(names, given, strict=False))
    rest = [shown(one) for one in given[len(names) :]]
    lines = [f"{name} = {shown(one)}" for name, one in lists.items()]
    lines.append(f"{function}({', '.join([*names, *rest])})")
    expect_each(kata.run(scenarios.program, function, lines, names, "cpu"), lists, "should still be")


@grades("fused_bytes")
@given(case=fused_programs())
def test_fused_bytes_are_those_that_outputs_need(kata, case):
    """Each outside tensor that an output needs is read once, each output is written once, and nothing else moves."""
    expect(kata.fused_bytes(*case.fused), truth.fused_bytes(*case.fused), "torch.fx says")


@grades("fused_bytes")
@HALF
@given(case=no_programs())
def test_fused_bytes_refuses_what_is_no_program(kata, case):
    """An operation that has no inputs, or makes a name made or used before, raises a ValueError, even in dead code."""
    expect_error(ValueError, kata.fused_bytes, *case.fused, because=case.because)


@grades("fused_bytes")
@HALF
@given(case=unknown_outputs())
def test_fused_bytes_refuses_an_output_that_nobody_makes(kata, case):
    """An output that no operation makes, such as an outside tensor or an unknown name, raises a ValueError."""
    expect_error(ValueError, kata.fused_bytes, *case.fused, because=case.because)


@grades("fused_bytes")
@FEW
@given(case=fused_programs())
def test_fused_bytes_leaves_the_program_and_the_outputs_alone(kata, case):
    """The program, the lists of inputs in it, and outputs stay as they are."""
    leaves(kata, "fused_bytes", ["program", "outputs"], case.fused)


@grades("fuse")
@given(ops=operations())
def test_fuse_finds_the_fewest_kernels(kata, ops):
    """Each operation runs once and after what it needs, "other" ones alone, in as few kernels as possible."""
    answer = kata.fuse(ops)
    right = truth.fewest(tuple((kind, tuple(needs)) for kind, needs in ops))
    if not _are_kernels(answer):
        raise Mismatch(answer, shown(right), "for example", right)
    wrong = truth.fault(ops, answer)
    if not wrong and len(answer) != len(right):
        wrong = f"these are {len(answer)} kernels, and {len(right)} are enough"
    if wrong:
        draw = functools.partial(pictures.kernels, ops, right, answer, wrong)
        raise Mismatch(answer, shown(right), "for example", right, draw=draw)


def _are_kernels(answer):
    return type(answer) is list and all(
        type(one) is list and all(type(number) is int for number in one) for one in answer
    )


@grades("fuse")
@HALF
@given(case=refused_operations())
def test_fuse_refuses_what_is_no_operation(kata, case):
    """A word other than "pointwise" or "other", or a number of no earlier operation, raises a ValueError."""
    expect_error(ValueError, kata.fuse, case.ops, because=case.because)


@grades("fuse")
@FEW
@given(ops=operations())
def test_fuse_leaves_the_operations_alone(kata, ops):
    """The operations, and the lists of numbers in them, stay as they are."""
    leaves(kata, "fuse", ["ops"], [ops])


@grades("tiled_matmul_bytes")
@given(case=tilings())
def test_tiled_matmul_bytes_are_those_of_real_slices(kata, case):
    """Each tile reads its whole rows of the first matrix and its whole columns of the second, and is written once."""
    draw = functools.partial(pictures.tiles, case)
    expect(kata.tiled_matmul_bytes(*case), truth.tiled_matmul_bytes(*case), "slices have", draw=draw)


@grades("tiled_matmul_bytes")
@FEW
@given(case=no_tiles())
def test_tiled_matmul_bytes_refuses_what_is_no_tile(kata, case):
    """A block_m or block_n below 1 raises a ValueError."""
    name = "block_m" if case.block_m < 1 else "block_n"
    expect_error(ValueError, kata.tiled_matmul_bytes, *case, because=f"{name} is {getattr(case, name)}")


@grades("online_logsumexp")
@given(case=blocks())
def test_online_logsumexp_is_that_of_all_at_once(kata, device, case):
    """The result is the logsumexp of all elements of all blocks, in float32 or float64, and -inf without elements.

    The blocks stay as they are.
    """
    seen = kata.run(scenarios.program, "online_logsumexp", case.lines, ["y", "blocks"], device)
    made = [torch.tensor(row, dtype=getattr(torch, case.dtype), device=device) for row in case.rows]
    right = torch.cat([*(block.double() for block in made), torch.empty(0, device=device)]).logsumexp(0)
    expect_near(seen["y"] if type(seen) is dict else seen, right)
    expect_each(seen, {"blocks": made}, "should still be")


def expect_near(answer, right):
    """Fail unless the answer is a 0-d tensor, float64 or float32, right to NEAR: absolute, or relative if above 1."""
    if type(answer) is torch.Tensor and answer.dtype in (torch.float32, torch.float64) and not answer.shape:
        got, want = float(answer), float(right)
        if got == want or abs(got - want) <= NEAR * max(1, abs(want)) < math.inf:
            return
    raise Mismatch(answer, shown(right), "torch says", right, of="y")


@grades("online_logsumexp")
@HALF
@given(case=passed())
def test_online_logsumexp_lets_blocks_go(kata, device, case):
    """A block is gone when the next but one is requested.

    No tensor has more elements than the largest block has or than there are blocks, whichever is more.
    """
    limits = {"seen.largest": case.most}
    seen = kata.run(scenarios.program, "online_logsumexp", case.lines, ["blocks.held", *limits], device, limits)
    held = seen["blocks.held"] if type(seen) is dict else [[]]
    if type(seen) is not dict or any(held):
        raise Mismatch(held if type(seen) is dict else seen, shown([[]] * len(held)), "should be", of="blocks.held")
    at_most(seen, limits)


@grades("online_logsumexp")
@LONG
@given(case=streams())
def test_online_logsumexp_keeps_no_copies(kata, case):
    """At most one or two numbers of each block are kept: not its elements, nor a view of a copy of them.

    blocks.grown is the bytes of tensors that are left of earlier blocks; lists of elements count too.
    """
    limits = {"blocks.grown": KEPT * case.blocks}
    seen = kata.run(scenarios.program, "online_logsumexp", case.lines, [*limits, "blocks.objects"], "cpu", limits)
    measured(seen, limits)
    expect_each(seen, {"blocks.objects": False}, "should be")


@grades("add_kernel")
@given(case=additions())
def test_add_kernel_adds_each_number_once(kata, case):
    """Each number of x and y is loaded once, and each number of out stored once.

    A program stores one block, and masks what is beyond n.
    """
    n, block, more, seeds = case
    x, y = added(n, seeds)
    seen = kata.run(scenarios.add, n, block, more, seeds)
    right = {
        "run.result": x + y,
        "run.loads": {"x": n, "y": n, "out": 0},
        "run.stores": [1] * n,
    }
    draw = functools.partial(pictures.programs, seen, "out", n)
    expect_run(seen, right, {"run.most": block}, draw)


@grades("matmul_kernel")
@HALF
@given(case=products())
def test_matmul_kernel_makes_each_tile_once(kata, case):
    """Each program stores one tile of the product, each number once, and loads no more than its strips."""
    (m, k, n), block, seeds = case
    seen = kata.run(scenarios.multiply, case.sizes, block, seeds)
    a, b = multiplied(case.sizes, seeds)
    right = {"run.result": (a.reshape(m, k) @ b.reshape(k, n)).flatten(), "run.stores": [1] * (m * n)}
    loads = truth.tiled_matmul_bytes(m, k, n, block, block, 1) - m * n
    draw = functools.partial(pictures.programs, seen, "c", m * n)
    expect_run(seen, right, {"run.most": block * block}, draw)
    if sum(seen["run.loads"].values()) > loads:
        want = f"{loads} numbers in all, or fewer"
        raise Mismatch(seen["run.loads"], want, "should be", of="run.loads", draw=draw)


def expect_run(seen, right, limits, draw):
    """Fail with a picture of what each program did, unless a grid of programs left what is right."""
    if type(seen) is dict and "fault" in seen:
        told = Error("IndexError", ("IndexError",), seen["fault"])
        raise Mismatch(told, "a mask, which leaves out what is outside", "it needs")
    try:
        expect_each(seen, right, "should be")
        at_most(seen, limits)
    except Mismatch as wrong:
        wrong.picture = draw()
        raise


@grades("flash_attention")
@given(case=attentions())
def test_flash_attention_is_that_of_torch(kata, device, case):
    """The result is that of torch's attention, even for large scores, and if causal hides blocks entirely or partly."""
    attends(kata, device, case, [*case.made, case.call])


def attends(kata, device, case, lines):
    """Fail unless y is what torch says once these lines have run, and q, k and v are what they were."""
    given = ["q", "k", "v"]
    whole = execute(placed(lines, device), ["y", *given], {"flash_attention": truth.attention})
    right = whole["y"]
    seen = kata.run(scenarios.program, "flash_attention", lines, ["y", *given], device)
    answer = seen["y"] if type(seen) is dict else seen
    kind = type(answer) is torch.Tensor and answer.dtype is right.dtype and answer.shape == right.shape
    near = LARGE if case.large and right.dtype is torch.float32 else ROUNDING[right.dtype]
    if not kind or not torch.allclose(answer.to(right.device), right, rtol=0, atol=near):
        raise Mismatch(answer, shown(right), "torch says", right, of="y")
    expect_each(seen, {name: whole[name] for name in given}, "should still be")


@grades("flash_attention")
@FEW
@given(case=attentions())
def test_flash_attention_leaves_earlier_results_alone(kata, device, case):
    """Another call does not change what an earlier one has returned."""
    attends(kata, device, case, [*case.made, case.call, case.again])


@grades("flash_attention")
@HALF
@given(case=measured_attentions())
def test_flash_attention_makes_one_block_of_scores_at_a_time(kata, device, case):
    """No tensor is larger than q, k, v, the result or one block of scores, and hidden blocks are not computed."""
    lines = [MEASURES, *case.made, WATCHING, f"    {case.call}"]
    limits = {"seen.largest": case.most, "seen.flops": truth.attention_flops(case.shapes, case.block, case.hides)}
    seen = kata.run(scenarios.program, "flash_attention", lines, [*limits], device, limits)
    measured(seen, limits)


def measured(seen, limits):
    """Fail unless these numbers were measured and none is above its limit."""
    if type(seen) is not dict:
        raise Mismatch(seen, "\n".join(f"{name} = {limit}, or less" for name, limit in limits.items()), "should be")
    at_most(seen, limits)


@grades("flash_attention")
@LONG
@given(case=long_attentions())
def test_flash_attention_keeps_no_blocks_of_scores(kata, case):
    """Blocks of scores are not kept: all of them together are as large as the whole table."""
    lines = [LIVING, *case.made, "with Living((q, k, v)) as living:", f"    {case.call}"]
    seen = kata.run(scenarios.program, "flash_attention", lines, ["living.peak"], "cpu")
    measured(seen, {"living.peak": case.n * case.s * 8 // 2})


@grades("flash_attention")
@FEW
@given(case=no_blocks())
def test_flash_attention_refuses_blocks_of_nothing(kata, case):
    """A block below 1 raises a ValueError."""
    args = scenarios.program, "flash_attention", [*case.made, case.call], ["y"], "cpu"
    expect_error(ValueError, kata.run, *args, because=f"block is {case.block}")


@grades("clip_norm")
@given(case=clips())
def test_clip_norm_scales_what_is_too_long(kata, device, case):
    """If its norm is above limit, x is scaled down to a norm of limit; otherwise it stays as it is, zeros included."""
    lines = [case.made, f"y = clip_norm(x, {case.limit})"]
    right = execute(placed(lines, device), ["y", "x"], {"clip_norm": truth.clip_norm})
    seen = kata.run(scenarios.program, "clip_norm", lines, ["y", "x"], device)
    expect_each(seen, {"y": right["y"]}, rel=NEAR)
    expect_each(seen, {"x": right["x"]}, "should still be")


@grades("clip_norm")
@COMPILED
@given(case=clips())
def test_clip_norm_compiles_to_one_graph(kata, case):
    """torch.compile with fullgraph=True makes one graph: no if and no .item() takes a number out of a tensor."""
    scenarios.prepare()
    seen = kata.run(scenarios.compiled, [case.made], case.limit)
    right = execute([case.made, f"y = clip_norm(x, {case.limit})"], ["y"], {"clip_norm": truth.clip_norm})["y"]
    if type(seen) is not dict:
        raise Mismatch(seen, "len(graphs) = 1", "should be")
    graphs = seen["len(graphs)"]
    if graphs != 1:
        raise Mismatch(Words(graphs) if type(graphs) is str else graphs, "1", "should be", of="len(graphs)")
    if seen["numbers"]:
        because = Words(f"the graph takes a number out of a tensor: {', '.join(seen['numbers'])}")
        raise Mismatch(because, "no number is taken out of a tensor", "should be")
    expect_each(seen, {"y": right}, rel=NEAR)
