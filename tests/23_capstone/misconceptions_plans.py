"""Wrong answers that people give to kata 23 about plans."""

import math

from dojo.judging.diagnose import believes, solution

solved = solution("23_capstone")


def divisors(batch):
    """Return the divisors, from the largest to 1."""
    return [micro for micro in range(batch, 0, -1) if batch % micro == 0]


def first(batch, layers, costs, budget, *, micros=divisors, order=None, fits=None, nothing=None):
    """Return the first plan in order that fits; its pieces can be replaced."""
    if batch < 1 or layers < 0:
        raise ValueError
    block, boundary, rest = costs
    plans = [(micro, again) for again in range(layers + 1) for micro in micros(batch)]
    for micro, again in plans if order is None else sorted(plans, key=order):
        kept = (layers - again) * block
        saved = micro * (rest + again * boundary + kept)
        if saved <= budget if fits is None else fits(saved, micro, again):
            return micro, again
    return nothing


@believes("A micro-batch may have any size", about="plan")
def takes_any_micro_batch(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """It has to divide the batch."""
    costs = block_bytes, boundary_bytes, rest_bytes
    return first(batch, layers, costs, budget, micros=lambda batch: range(batch, 0, -1))


@believes("The micro-batch is a power of two", about="plan")
def halves_the_batch(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """It may be any divisor of the batch, such as 3 or 6."""

    def halves(batch):
        found = [batch]
        while found[-1] % 2 == 0:
            found.append(found[-1] // 2)
        return found

    return first(batch, layers, (block_bytes, boundary_bytes, rest_bytes), budget, micros=halves)


@believes("A plan has to save less than the budget", about="plan")
def leaves_a_byte(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """A plan that saves exactly the budget fits."""
    return solved.plan(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget - 1)


@believes("The larger the micro-batch, the fewer FLOPs", about="plan")
def prefers_large_parts(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """It changes launches, not FLOPs: recomputed blocks cost FLOPs, so their number comes first."""
    costs = block_bytes, boundary_bytes, rest_bytes
    return first(batch, layers, costs, budget, order=lambda plan: (-plan[0], plan[1]))


@believes("A smaller micro-batch is better", about="plan")
def prefers_small_parts(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """Among plans with equally few FLOPs, the largest micro-batch that fits has the fewest launches."""
    costs = block_bytes, boundary_bytes, rest_bytes
    return first(batch, layers, costs, budget, order=lambda plan: (plan[1], plan[0]))


@believes("Either all blocks are recomputed, or none", about="plan")
def recomputes_all_or_none(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """Recompute as few as will fit: each block that is kept saves its forward pass."""
    costs = block_bytes, boundary_bytes, rest_bytes
    found = first(batch, min(layers, 1), (layers * block_bytes, layers * boundary_bytes, costs[2]), budget)
    return found and (found[0], layers * found[1])


@believes("rest_bytes count once for all sequences", about="plan")
def saves_the_rest_once(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """All bytes are those of one sequence: rest_bytes grow with the micro-batch too."""

    def fits(saved, micro, again):
        return saved - (micro - 1) * rest_bytes <= budget

    return first(batch, layers, (block_bytes, boundary_bytes, rest_bytes), budget, fits=fits)


@believes("A recomputed block saves nothing", about="plan")
def forgets_boundaries(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """It saves its input, boundary_bytes, from which it is recomputed."""
    return solved.plan(batch, layers, block_bytes, 0, rest_bytes, budget)


@believes("The block that is being recomputed counts whole", about="plan")
def counts_the_block_that_runs_again(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """A plan counts what the forward pass saves: boundary_bytes for each recomputed block."""

    def fits(saved, micro, again):
        return saved + micro * block_bytes * (again > 0) <= budget

    return first(batch, layers, (block_bytes, boundary_bytes, rest_bytes), budget, fits=fits)


@believes("Only blocks save bytes", about="plan")
def forgets_the_rest(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """The last norm, the head and the loss save rest_bytes for each sequence."""
    return solved.plan(batch, layers, block_bytes, boundary_bytes, 0, budget)


@believes("One sequence with all blocks recomputed always fits", about="plan")
def always_finds_a_plan(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """It does not if the budget is smaller than that: return None."""
    costs = block_bytes, boundary_bytes, rest_bytes
    return first(batch, layers, costs, budget, nothing=(1, layers))


@believes("The result is (recomputed blocks, micro-batch)", about="plan")
def turns_the_pair_around(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """The micro-batch comes first, as in train_step."""
    found = solved.plan(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget)
    return found and found[::-1]


@believes("A batch below 1 has no plan", about="plan")
def plans_for_no_batch(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """It is a mistake of the caller: raise ValueError."""
    if batch < 1 and layers >= 0:
        return None
    return solved.plan(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget)


@believes("If not even the rest fits, the answer is None whatever the arguments are", about="plan")
def looks_at_the_budget_first(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """A batch below 1 or fewer than 0 layers is a mistake of the caller: raise ValueError before anything else."""
    if budget < rest_bytes:
        return None
    return solved.plan(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget)


@believes("A negative number of layers has no plan", about="plan")
def plans_for_fewer_than_no_layers(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """It is a mistake of the caller: raise ValueError."""
    if layers < 0 and batch >= 1:
        return None
    return solved.plan(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget)


@believes("Bytes may be divided as floats", about="plan")
def divides_as_floats(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """A float loses single bytes beyond 2**53: divide integers with //, and round up with -(-a // b)."""
    if batch < 1 or layers < 0:
        raise ValueError
    missing = rest_bytes + layers * block_bytes - budget
    again = max(0, math.ceil(missing / (block_bytes - boundary_bytes)))
    if again > layers:
        return None
    one = rest_bytes + again * boundary_bytes + (layers - again) * block_bytes
    return next(((micro, again) for micro in divisors(batch) if micro * one <= budget), None)
