"""Wrong answers that people give to kata 22 about online_logsumexp."""
# mypy: ignore-errors

import math

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("22_fusion")

EMPTY = torch.empty(0, dtype=torch.float64)


def _whole(numbers):
    """Of one tensor, in one go."""
    return solved.online_logsumexp([numbers])


def _finite(block):
    return block[block > -math.inf].double()


def _steps(blocks, shrink):
    """Blocks one after the other; shrink says what becomes of the sum when there is a new largest number."""
    top, total = torch.tensor(-math.inf), torch.tensor(0.0)
    for block in blocks:
        block = _finite(block)
        if block.numel():
            highest = block.max().maximum(top)
            total = total * shrink(top, highest) + (block - highest).exp().sum()
            top = highest
    return top + total.log()


@believes("exp of any number is a number", about="online_logsumexp")
def overflows(blocks):
    """exp(1000) is inf, and exp(-1000) is 0: take the largest number out first, and add it to the logarithm."""
    total = torch.tensor(0.0, dtype=torch.float64)
    for block in blocks:
        total = total + block.double().exp().sum()
    return total.log()


@believes("The largest number of the first block is good for all", about="online_logsumexp")
def takes_the_first_largest(blocks):
    """A later block may have a larger one, whose exponential overflows: then the sum so far has to shrink."""
    top, total = None, torch.tensor(0.0, dtype=torch.float64)
    for block in blocks:
        block = _finite(block)
        if block.numel():
            top = block.max() if top is None else top
            total = total + (block - top).exp().sum()
    return torch.tensor(-math.inf) if top is None else top + total.log()


@believes("A new largest number leaves the sum so far as it is", about="online_logsumexp")
def never_shrinks(blocks):
    """That sum was taken with the old one: multiply it by exp(old - new)."""
    return _steps(blocks, lambda old, new: 1.0)


@believes("The sum so far grows by exp(new - old)", about="online_logsumexp")
def grows_the_sum(blocks):
    """It shrinks, by exp(old - new): what is smaller than the new largest number weighs less."""
    return _steps(blocks, lambda old, new: (new - old).clamp(max=1e300).exp() if old > -math.inf else 0.0)


@believes("What is taken out of the exponents stays out", about="online_logsumexp")
def leaves_the_largest_out(blocks):
    """log(sum(exp(x - top))) is smaller than log(sum(exp(x))) by top: add it at the end."""
    top, total = torch.tensor(-math.inf), torch.tensor(0.0)
    for block in blocks:
        block = _finite(block)
        if block.numel():
            highest = block.max().maximum(top)
            total = total * (top - highest).exp() + (block - highest).exp().sum()
            top = highest
    return total.log()


@believes("The logarithm of a sum is the sum of logarithms", about="online_logsumexp")
def adds_logarithms(blocks):
    """Exponentials add up, and not their logarithms: log(exp(a) + exp(b)) is not a + b."""
    parts = [_whole(block) for block in blocks]
    return sum(parts, torch.tensor(0.0)) if parts else torch.tensor(-math.inf)


@believes("The largest number is all that counts", about="online_logsumexp")
def takes_the_largest(blocks):
    """It is near where one number is larger than all others by far: two equal ones give log 2 more."""
    top = torch.tensor(-math.inf, dtype=torch.float64)
    for block in blocks:
        top = torch.cat([block.double(), top[None]]).max()
    return top


@believes("Blocks may be put together at the end", about="online_logsumexp")
def joins_all_blocks(blocks):
    """Then they are all in memory at once: compute with each when it comes, and let it go."""
    return _whole(torch.cat([*(block.double() for block in blocks), EMPTY]))


@believes("A list of the blocks costs nothing", about="online_logsumexp")
def lists_the_blocks(blocks):
    """It keeps all of them in memory: go through the iterable once."""
    return solved.online_logsumexp(list(blocks))


@believes("A copy of a block is another matter than the block", about="online_logsumexp")
def keeps_copies(blocks):
    """It takes as much memory: keep a number or two of each block."""
    return solved.online_logsumexp([block.clone() for block in blocks])


@believes("Numbers in a list are no tensor, and take no memory", about="online_logsumexp")
def keeps_lists_of_numbers(blocks):
    """They take more than the tensor: keep a number or two of each block."""
    numbers = []
    for block in blocks:
        numbers += block.double().tolist()
    top = max(numbers, default=-math.inf)
    total = math.fsum(math.exp(x - top) for x in numbers) if top > -math.inf else 1.0
    return torch.tensor(top + math.log(total), dtype=torch.float64)


@believes("The block before is needed once more", about="online_logsumexp")
def keeps_two_blocks(blocks):
    """Its sum and its largest number say all: when the next but one comes, it has to be gone."""
    parts, window = [], []
    for block in blocks:
        window = [*window[-2:], block]
        parts.append(_whole(block))
    return solved.online_logsumexp([part[None] for part in parts])


@believes("-inf minus -inf is 0", about="online_logsumexp")
def subtracts_infinity(blocks):
    """It is NaN: where all numbers so far are -inf there is no largest one to take out."""
    top, total = torch.tensor(-math.inf), torch.tensor(0.0)
    for block in blocks:
        if block.numel():
            highest = block.double().max().maximum(top)
            total = total * (top - highest).exp() + (block.double() - highest).exp().sum()
            top = highest
    return top + total.log()


@believes("An element of -inf counts as 0", about="online_logsumexp")
def takes_infinity_for_0(blocks):
    """exp(-inf) is 0, and exp(0) is 1: an element of -inf adds nothing to the sum."""
    return solved.online_logsumexp(block.nan_to_num(neginf=0.0) for block in blocks)


@believes("Every block has a largest number", about="online_logsumexp")
def asks_an_empty_block_for_its_largest(blocks):
    """An empty one has none, and max() raises: leave it out."""

    def checked():
        for block in blocks:
            block.max()
            yield block

    return solved.online_logsumexp(checked())


@believes("A sum over nothing is 0", about="online_logsumexp")
def gives_0_for_nothing(blocks):
    """It is, and its logarithm is -inf."""
    found = [part for block in blocks if (part := _whole(block)) > -math.inf or block.numel()]
    return solved.online_logsumexp([part[None] for part in found]) if found else torch.tensor(0.0)


@believes("The result has the dtype of the blocks", about="online_logsumexp")
def keeps_the_dtype(blocks):
    """bfloat16 has 8 bits for 3000, which are steps of 16: the result is float32 or float64."""
    total, dtype = None, None
    for block in blocks:
        dtype = block.dtype
        part = _whole(block)
        total = part if total is None else torch.logaddexp(total, part)
    return torch.tensor(-math.inf) if total is None else total.to(dtype)


@believes("It is computed in the dtype of the blocks", about="online_logsumexp")
def computes_in_the_dtype(blocks):
    """Sums in bfloat16 are right to a hundredth: compute in float32 or float64."""
    total = None
    for block in blocks:
        part = _whole(block).to(block.dtype)
        total = part if total is None else torch.logaddexp(total, part)
    return torch.tensor(-math.inf) if total is None else total.float()


@believes("A number is a Python float", about="online_logsumexp")
def returns_a_float(blocks):
    """The result is a 0-d tensor, which a program can go on with on its device."""
    return float(solved.online_logsumexp(blocks))


@believes("The result has one element, so its shape is (1,)", about="online_logsumexp")
def returns_a_row(blocks):
    """It is 0-d, of shape (): a sum over all elements has no dimension left."""
    return solved.online_logsumexp(blocks).reshape(1)


@believes("It is the mean of exponentials", about="online_logsumexp")
def takes_the_mean(blocks):
    """It is the logarithm of their sum, however many there are."""
    count, kept = 0, []
    for block in blocks:
        count += block.numel()
        kept.append(_whole(block)[None])
    return solved.online_logsumexp(kept) - math.log(count or 1)
