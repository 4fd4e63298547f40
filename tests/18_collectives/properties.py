"""The properties of kata 18: what each rank gets, and what goes over the wire for it."""

import math

import torch

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect, expect_each, expect_error, grades
from dojo.seam.data import same, shown, unlike

from . import scenarios, truth
from .strategies_models import averages, starts
from .strategies_numbers import gradients, no_rings, programs, rings
from .strategies_tensors import gathered, reduced, rough, scattered, spread

# A few multiplications and divisions, or a sum of as many steps as there are in the largest ring.
ROUNDING = 1e-12

# Two right orders of the same sums of a few float64 numbers.
AVERAGED = 1e-10

# Each example starts threads, some of them eight, and a thread that waits for another one takes its time.
HALF = one_in(2)

# There are few kinds of cases, and each is drawn often.
FEW = one_in(4)


def asked(kata, function, case):
    """Run the function on all ranks, and compare what each gets; the arguments must stay as they are."""
    seen = kata.run(scenarios.collective, function, case.xs, case.root, case.again)
    wanted: dict[str, object] = {"ranks.results": truth.collective(function, case.xs, case.root)}
    if case.again:
        wanted["later.results"] = truth.collective(function, [2 * x for x in case.xs], case.root)
    expect_each(seen, wanted, "should be")
    expect_each(seen, {"x" if function == "broadcast" else "xs": case.xs}, "should still be")


def counted(kata, function, case):
    """Return the bytes that each rank sends and receives, and the rounds, as whole numbers."""
    seen = kata.run(scenarios.traffic, function, case.xs, case.root)
    for name, kind in (("ranks.sent", list), ("ranks.received", list), ("ranks.rounds", int)):
        if type(seen) is not dict or type(seen.get(name)) is not kind:
            raise Mismatch(seen, f"a number for {name}", "should be")
    return seen["ranks.sent"], seen["ranks.received"], seen["ranks.rounds"]


def at_most(limit, number, name):
    """Fail if more went over the wire than allowed."""
    if number > limit:
        raise Mismatch(number, f"{limit}, or less", "should be", of=name)


def at_least(limits, received):
    """Fail if a rank has received less than what it cannot know by itself."""
    for rank, (limit, number) in enumerate(zip(limits, received, strict=True)):
        if number < limit:
            raise Mismatch(number, f"{limit}, or more", "should be", of=f"ranks.received[{rank}]")


def of_rank(rank, seen, kind):
    """Return the tensors of that kind that a program has left on a rank, by name."""
    every = seen.get(kind) if type(seen) is dict else None
    mine = every[rank] if type(every) is list and len(every) > rank else None
    return mine if type(mine) is dict else {}


@grades("ring_seconds")
@given(case=rings())
def test_ring_seconds_are_those_of_its_steps(kata, case):
    """There are 2 · (world - 1) steps, each of latency + nbytes / world / bandwidth."""
    right = truth.ring_seconds(case.nbytes, case.world, case.bandwidth, case.latency or 0.0)
    expect(kata.ring_seconds(*case.given), right, "steps take", rel=ROUNDING)


@grades("ring_seconds")
@FEW
@given(case=no_rings())
def test_ring_seconds_refuses_what_is_no_ring(kata, case):
    """A world below 1, or a bandwidth of 0 or less, raises a ValueError."""
    because = f"world is {case.world}" if case.world < 1 else f"bandwidth is {case.bandwidth}"
    expect_error(ValueError, kata.ring_seconds, *case.given, because=because)


@grades("stuck_ranks")
@given(case=programs())
def test_stuck_ranks_are_those_that_the_network_finds(kata, case):
    """A send returns only when the other rank is at its receive from this one, and a receive likewise."""
    right = truth.stuck_ranks(tuple(map(tuple, case)))
    expect(kata.stuck_ranks(case), right, "network says")


@grades("stuck_ranks")
@FEW
@given(case=programs())
def test_stuck_ranks_leaves_the_programs_as_they_are(kata, case):
    """The programs are those of the caller: no step may be taken out of them."""
    expect_each(kata.run(scenarios.programs_after, case), {"programs": case}, "should still be")


@grades("broadcast")
@HALF
@given(case=spread())
def test_broadcast_gives_every_rank_the_tensor_of_root(kata, case):
    """Every rank gets root's tensor, in its shape and dtype."""
    asked(kata, "broadcast", case)


@grades("broadcast")
@HALF
@given(case=spread())
def test_broadcast_takes_few_rounds(kata, case):
    """The last message arrives after at most ⌈log₂ size⌉ rounds."""
    _, received, rounds = counted(kata, "broadcast", case)
    at_most(math.ceil(math.log2(case.size)), rounds, "ranks.rounds")
    nbytes = truth.nbytes(case.xs[case.root or 0])
    at_least([0 if rank == (case.root or 0) else nbytes for rank in range(case.size)], received)


@grades("reduce_scatter")
@HALF
@given(case=scattered())
def test_reduce_scatter_gives_each_rank_its_part_of_the_sum(kata, case):
    """The result is this rank's part, by torch.tensor_split, of the sum of all x, in the dtype of x."""
    asked(kata, "reduce_scatter", case)


@grades("reduce_scatter")
@HALF
@given(case=scattered())
def test_reduce_scatter_sends_each_part_but_one(kata, case):
    """Each rank sends at most (size - 1) times the bytes of the largest part."""
    sent, received, _ = counted(kata, "reduce_scatter", case)
    limit = (case.size - 1) * truth.largest_part(case.xs[0], case.size)
    for rank, number in enumerate(sent):
        at_most(limit, number, f"ranks.sent[{rank}]")
    parts = map(truth.nbytes, torch.tensor_split(case.xs[0], case.size))
    at_least([nbytes if case.size > 1 else 0 for nbytes in parts], received)


@grades("all_gather")
@HALF
@given(case=gathered())
def test_all_gather_joins_the_tensors_of_all_ranks(kata, case):
    """Every rank gets all x in the order of ranks, joined along dimension 0."""
    asked(kata, "all_gather", case)


@grades("all_gather")
@HALF
@given(case=gathered())
def test_all_gather_sends_each_tensor_to_each_rank_once(kata, case):
    """All ranks together send at most (size - 1) times the result, and each receives the others' tensors."""
    sent, received, _ = counted(kata, "all_gather", case)
    nbytes = list(map(truth.nbytes, case.xs))
    at_most((case.size - 1) * sum(nbytes), sum(sent), "sum(ranks.sent)")
    at_least([sum(nbytes) - own for own in nbytes], received)


@grades("all_reduce")
@HALF
@given(case=reduced())
def test_all_reduce_gives_every_rank_the_sum(kata, case):
    """Every rank gets the sum of all x, in the shape and dtype of x."""
    asked(kata, "all_reduce", case)


@grades("all_reduce")
@HALF
@given(case=reduced())
def test_all_reduce_sends_no_rank_everything_of_everybody(kata, case):
    """Each rank sends at most 2 · (size - 1) times the bytes of the largest part."""
    sent, received, _ = counted(kata, "all_reduce", case)
    limit = 2 * (case.size - 1) * truth.largest_part(case.xs[0], case.size)
    for rank, number in enumerate(sent):
        at_most(limit, number, f"ranks.sent[{rank}]")
    at_least([truth.nbytes(case.xs[0]) if case.size > 1 else 0] * case.size, received)


@grades("all_reduce")
@FEW
@given(case=rough())
def test_all_reduce_leaves_the_same_bits_everywhere(kata, case):
    """All ranks have the same bits, even for -0.0: each number must be added up in one order, on one rank."""
    seen = kata.run(scenarios.collective, "all_reduce", case.rough, None)
    results = seen["ranks.results"] if type(seen) is dict else None
    first, says = torch.stack(case.rough).sum(0), "for example"
    if type(results) is list and results:
        first, says = results[0], "as on rank 0"
    expect(results, [first] * case.size, says)
    if type(first) is not torch.Tensor:
        return  # another property says what is wrong with that
    for rank, result in enumerate(results or []):
        if not result.signbit().equal(first.signbit()):
            raise Mismatch(result, shown(first), says, first, of=f"ranks.results[{rank}]")


@grades("gradient_buckets")
@given(case=gradients())
def test_gradient_buckets_are_those_of_torch(kata, case):
    """Gradients come from the last parameter to the first; a bucket is closed once it holds cap bytes or more.

    sizes stays as it is, and each call returns new lists.
    """
    right = truth.gradient_buckets(case.sizes, case.cap)
    if case.again:
        expect(kata.run(scenarios.buckets_again, case.sizes, case.cap), right)
    else:
        expect(kata.gradient_buckets(case.sizes, case.cap), right)


@grades("start_alike")
@HALF
@given(case=starts())
def test_start_alike_gives_every_rank_the_numbers_of_rank_0(kata, case):
    """All parameters, even frozen and tied ones, and all buffers get rank 0's numbers, in the same memory.

    They stay the same objects. Nothing of rank 0's model changes, neither gradients nor modes.
    """
    right, nbytes = truth.start_alike(case.lines, case.again)
    least = [0, *[nbytes] * (case.size - 1)]
    seen = kata.run(scenarios.start, case.size, case.lines, case.again, least)
    for rank in range(case.size):
        mine = of_rank(rank, seen, "the tensors of models")
        for name, want in right.items():
            if not same(mine.get(name), want):
                raise Mismatch(mine.get(name), shown(want), "should be", want, of=f"{name} of models[{rank}]")
    wanted = {
        "the tensors of models": [right] * case.size,
        "those of models that lie elsewhere than before": [[]] * case.size,
        "those of models that are other parameters than before": [[]] * case.size,
        "requires_grad of models": "as before",
        "changed of models[0]": [],
    }
    expect_each(seen, wanted, "should be")
    at_least(least, seen["ranks.received"])


@grades("average_gradients")
@HALF
@given(case=averages())
def test_average_gradients_are_those_of_all_samples_at_once(kata, case):
    """Each rank's gradient counts in proportion to its samples, and a rank without samples adds nothing."""
    right = truth.average_gradients(case)
    seen = kata.run(scenarios.average, case.samples, case.lines, case.before, case.in_place, right.least)
    for rank, frozen in enumerate(right.frozen):
        grads = of_rank(rank, seen, "gradients")
        for name, want in (right.grads | frozen).items():
            got = grads.get(name)
            if name in right.unsaid and type(got) is torch.Tensor and not got.any():
                continue
            if not same(got, want, AVERAGED):
                place, got, want = unlike(got, want, AVERAGED)
                raise Mismatch(got, shown(want), "should be", want, of=f"{name}.grad{place} on rank {rank}")
    expect_each(seen, {"parameters": [right.parameters] * len(case.samples)}, "should still be")
    at_least(right.least, seen["ranks.received"])
