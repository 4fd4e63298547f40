"""Wrong answers that people give to kata 23 about plans."""

from dojo.judging.diagnose import believes, solution

solved = solution("23_capstone")


def divisors(batch):
    """From the largest to 1."""
    return [micro for micro in range(batch, 0, -1) if batch % micro == 0]


def first(batch, layers, costs, budget, *, micros=divisors, order=None, fits=None, nothing=None):
    """The first plan that fits, of those in order, in parts."""
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
    """It divides the batch, so that all parts are alike."""
    costs = block_bytes, boundary_bytes, rest_bytes
    return first(batch, layers, costs, budget, micros=lambda batch: range(batch, 0, -1))


@believes("Micro-batches are powers of two", about="plan")
def halves_the_batch(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """Any divisor of the batch will do: 6 and 3 as well."""

    def halves(batch):
        found = [batch]
        while found[-1] % 2 == 0:
            found.append(found[-1] // 2)
        return found

    return first(batch, layers, (block_bytes, boundary_bytes, rest_bytes), budget, micros=halves)


@believes("A budget must not be spent to the last byte", about="plan")
def leaves_a_byte(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """A plan that takes the budget exactly fits."""
    return solved.plan(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget - 1)


@believes("The larger the micro-batch, the fewer FLOPs", about="plan")
def prefers_large_parts(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """The size of the parts changes launches, not FLOPs: recomputed blocks cost FLOPs, so their number comes first."""
    costs = block_bytes, boundary_bytes, rest_bytes
    return first(batch, layers, costs, budget, order=lambda plan: (-plan[0], plan[1]))


@believes("Smaller parts are always safer", about="plan")
def prefers_small_parts(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """Among plans of the same FLOPs the largest micro-batch that fits has the fewest launches."""
    costs = block_bytes, boundary_bytes, rest_bytes
    return first(batch, layers, costs, budget, order=lambda plan: (plan[1], plan[0]))


@believes("Either all blocks are recomputed or none", about="plan")
def recomputes_all_or_none(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """As many as are needed: each one that is kept saves its forward pass."""
    costs = block_bytes, boundary_bytes, rest_bytes
    found = first(batch, min(layers, 1), (layers * block_bytes, layers * boundary_bytes, costs[2]), budget)
    return found and (found[0], layers * found[1])


@believes("What is no block is saved once for all sequences", about="plan")
def saves_the_rest_once(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """Logits and norms are there for each sequence: all that is saved grows with the micro-batch."""

    def fits(saved, micro, again):
        return saved - (micro - 1) * rest_bytes <= budget

    return first(batch, layers, (block_bytes, boundary_bytes, rest_bytes), budget, fits=fits)


@believes("A block that is recomputed keeps nothing", about="plan")
def forgets_boundaries(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """It keeps what goes into it, or there would be nothing to recompute it from."""
    return solved.plan(batch, layers, block_bytes, 0, rest_bytes, budget)


@believes("One block is whole while it is recomputed, and counts", about="plan")
def counts_the_block_that_runs_again(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """It is whole for a while, but a plan counts what the forward pass saves: boundary_bytes of it."""

    def fits(saved, micro, again):
        return saved + micro * block_bytes * (again > 0) <= budget

    return first(batch, layers, (block_bytes, boundary_bytes, rest_bytes), budget, fits=fits)


@believes("Blocks are all that is saved", about="plan")
def forgets_the_rest(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """The last norm, the head and the loss save as well, in each sequence."""
    return solved.plan(batch, layers, block_bytes, boundary_bytes, 0, budget)


@believes("A single sequence with everything recomputed always fits", about="plan")
def always_finds_a_plan(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """If the budget is smaller than that there is no plan: None."""
    costs = block_bytes, boundary_bytes, rest_bytes
    return first(batch, layers, costs, budget, nothing=(1, layers))


@believes("A plan begins with the recomputed blocks", about="plan")
def turns_the_pair_around(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """The micro-batch comes first, as in train_step."""
    found = solved.plan(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget)
    return found and found[::-1]


@believes("No sequences need no plan", about="plan")
def plans_for_no_batch(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """A batch below 1 is a mistake, and a ValueError."""
    if batch < 1 and layers >= 0:
        return None
    return solved.plan(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget)


@believes("Fewer than no layers have no plan that fits", about="plan")
def plans_for_fewer_than_no_layers(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    """There is no such model, and it is a ValueError."""
    if layers < 0 and batch >= 1:
        return None
    return solved.plan(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget)
