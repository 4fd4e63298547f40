"""Wrong answers that people give to kata 22 about online_logsumexp."""
# mypy: ignore-errors

import math
from collections import Counter

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("22_fusion")

EMPTY = torch.empty(0, dtype=torch.float64)


def _whole(numbers):
    """Return the logsumexp of one tensor, in one go."""
    return solved.online_logsumexp([numbers])


def _finite(block):
    return block[block > -math.inf].double()


def _steps(blocks, shrink):
    """Take blocks one after the other; shrink gives the factor for the sum when there is a new largest number."""
    top, total = torch.tensor(-math.inf), torch.tensor(0.0)
    for block in blocks:
        block = _finite(block)
        if block.numel():
            highest = block.max().maximum(top)
            total = total * shrink(top, highest) + (block - highest).exp().sum()
            top = highest
    return top + total.log()


@believes("exp of an element is finite", about="online_logsumexp")
def overflows(blocks):
    """exp(1000) is inf, and exp(-1000) is 0: subtract the largest element first, and add it to the logarithm."""
    total = torch.tensor(0.0, dtype=torch.float64)
    for block in blocks:
        total = total + block.double().exp().sum()
    return total.log()


@believes("The largest element of the first block is enough", about="online_logsumexp")
def takes_the_first_largest(blocks):
    """A later block may have a larger one, whose exp overflows: rescale the sum so far when one comes."""
    top, total = None, torch.tensor(0.0, dtype=torch.float64)
    for block in blocks:
        block = _finite(block)
        if block.numel():
            top = block.max() if top is None else top
            total = total + (block - top).exp().sum()
    return torch.tensor(-math.inf) if top is None else top + total.log()


@believes("When a larger element comes, the sum so far stays as it is", about="online_logsumexp")
def never_shrinks(blocks):
    """It was computed with the old largest element: multiply it by exp(old - new)."""
    return _steps(blocks, lambda old, new: 1.0)


@believes("The sum so far is multiplied by exp(new - old)", about="online_logsumexp")
def grows_the_sum(blocks):
    """It is multiplied by exp(old - new), which is below 1: old terms count less beside a larger element."""
    return _steps(blocks, lambda old, new: (new - old).clamp(max=1e300).exp() if old > -math.inf else 0.0)


@believes("What is subtracted from the exponents need not be added again", about="online_logsumexp")
def leaves_the_largest_out(blocks):
    """log(sum(exp(x - top))) is too small by top: add it at the end."""
    top, total = torch.tensor(-math.inf), torch.tensor(0.0)
    for block in blocks:
        block = _finite(block)
        if block.numel():
            highest = block.max().maximum(top)
            total = total * (top - highest).exp() + (block - highest).exp().sum()
            top = highest
    return total.log()


@believes("The results of the blocks add up", about="online_logsumexp")
def adds_logarithms(blocks):
    """Exponentials add up, not their logarithms: log(exp(a) + exp(b)) is not a + b."""
    parts = [_whole(block) for block in blocks]
    return sum(parts, torch.tensor(0.0)) if parts else torch.tensor(-math.inf)


@believes("The result is the largest element", about="online_logsumexp")
def takes_the_largest(blocks):
    """It is close to that only if one element is far larger than all others: two equal ones give log 2 more."""
    top = torch.tensor(-math.inf, dtype=torch.float64)
    for block in blocks:
        top = torch.cat([block.double(), top[None]]).max()
    return top


@believes("Blocks may be concatenated at the end", about="online_logsumexp")
def joins_all_blocks(blocks):
    """Then all are in memory at once: use each one when it comes, and drop it."""
    return _whole(torch.cat([*(block.double() for block in blocks), EMPTY]))


@believes("A list of the blocks takes no memory", about="online_logsumexp")
def lists_the_blocks(blocks):
    """It keeps all of them in memory: iterate over blocks once."""
    return solved.online_logsumexp(list(blocks))


@believes("Copies of the blocks may be kept", about="online_logsumexp")
def keeps_copies(blocks):
    """They take as much memory as the blocks: keep a number or two of each block."""
    return solved.online_logsumexp([block.clone() for block in blocks])


@believes("Elements in a Python list or dict take no memory", about="online_logsumexp")
def keeps_lists_of_numbers(blocks):
    """They take more than a tensor: keep a number or two of each block."""
    numbers = []
    for block in blocks:
        numbers += block.double().tolist()
    top = max(numbers, default=-math.inf)
    total = math.fsum(math.exp(x - top) for x in numbers) if top > -math.inf else 1.0
    return torch.tensor(top + math.log(total), dtype=torch.float64)


@believes("Elements in a Python list or dict take no memory", about="online_logsumexp")
def counts_equal_numbers(blocks):
    """They take more than a tensor: keep a number or two of each block."""
    counts = Counter()
    for block in blocks:
        counts.update(_finite(block).tolist())
    top = max(counts, default=-math.inf)
    total = math.fsum(count * math.exp(x - top) for x, count in counts.items())
    return torch.tensor(top + math.log(total) if total else -math.inf)


@believes("block.double() makes a copy", about="online_logsumexp")
def changes_float64_blocks(blocks):
    """It returns the block itself if that is float64 already: subtract without an underscore, which makes a copy."""
    top, total = -math.inf, 0.0
    for block in blocks:
        block = block.double()
        highest = max([top, *block.max(0, keepdim=True).values.tolist()] if len(block) else [top])
        if highest > -math.inf:
            total = total * math.exp(top - highest) + float(block.sub_(highest).exp_().sum())
            top = highest
    return torch.tensor(top + math.log(total) if total else -math.inf)


@believes("A block may be changed in place", about="online_logsumexp")
def replaces_infinity_in_place(blocks):
    """It belongs to the caller: compute with a copy."""

    def replaced():
        for block in blocks:
            block[block == -math.inf] = -60000.0
            yield block

    result = solved.online_logsumexp(replaced())
    return result if result > -50000 else torch.tensor(-math.inf)


@believes("The block before is still needed", about="online_logsumexp")
def keeps_two_blocks(blocks):
    """Its sum and its largest element are enough: it has to be gone when the next but one is requested."""
    parts, window = [], []
    for block in blocks:
        window = [*window[-2:], block]
        parts.append(_whole(block))
    return solved.online_logsumexp([part[None] for part in parts])


@believes("A number of a tensor needs no more memory than a number", about="online_logsumexp")
def keeps_a_view_of_a_copy(blocks):
    """x[-1] is a view, which keeps all of x in memory: x.max(), x[-1].clone() and .item() give the number alone."""
    top, total = torch.tensor(-math.inf, dtype=torch.float64), torch.tensor(0.0)
    for block in blocks:
        ordered = _finite(block).sort().values
        if ordered.numel():
            old = top
            if ordered[-1] > top:
                top = ordered[-1]
            total = total * (old - top).exp() + (ordered - top).exp().sum()
    return top + total.log()


@believes("-inf minus -inf is 0", about="online_logsumexp")
def subtracts_infinity(blocks):
    """It is NaN: if all elements so far are -inf, there is no largest one to subtract."""
    top, total = torch.tensor(-math.inf), torch.tensor(0.0)
    for block in blocks:
        if block.numel():
            highest = block.double().max().maximum(top)
            total = total * (top - highest).exp() + (block.double() - highest).exp().sum()
            top = highest
    return top + total.log()


@believes("An element of -inf counts as 0", about="online_logsumexp")
def takes_infinity_for_0(blocks):
    """exp(-inf) is 0, so such an element adds nothing, while an element of 0 would add 1."""
    return solved.online_logsumexp(block.nan_to_num(neginf=0.0) for block in blocks)


@believes("-inf counts as the smallest finite element", about="online_logsumexp")
def takes_infinity_for_the_smallest(blocks):
    """exp(-inf) is 0, so such an element adds nothing, while one of -3000 counts if the others are as small."""
    some, parts = False, []
    for block in blocks:
        some = some or bool((block > -math.inf).any())
        parts.append(_whole(block.double().clamp(min=-3000.0))[None])
    return solved.online_logsumexp(parts) if some else torch.tensor(-math.inf)


@believes("A block 10 below the largest element adds nothing", about="online_logsumexp")
def skips_small_blocks(blocks):
    """exp(-10) is 4.5e-5, and there may be many such elements: add them all."""
    top, parts = -math.inf, []
    for block in blocks:
        highest = float(block.max()) if block.numel() else -math.inf
        if highest >= top - 10:
            top = max(top, highest)
            parts.append(_whole(block)[None])
    return solved.online_logsumexp(parts)


@believes("Every block has a largest element", about="online_logsumexp")
def asks_an_empty_block_for_its_largest(blocks):
    """An empty one has none, and max() raises an error: skip it."""

    def checked():
        for block in blocks:
            block.max()
            yield block

    return solved.online_logsumexp(checked())


@believes("Without elements the result is 0", about="online_logsumexp")
def gives_0_for_nothing(blocks):
    """The sum is 0, and its logarithm is -inf."""
    found = [part for block in blocks if (part := _whole(block)) > -math.inf or block.numel()]
    return solved.online_logsumexp([part[None] for part in found]) if found else torch.tensor(0.0)


@believes("The result has the dtype of the blocks", about="online_logsumexp")
def keeps_the_dtype(blocks):
    """bfloat16 has 8 bits, so numbers near 3000 are 16 apart: the result is float32 or float64."""
    total, dtype = None, None
    for block in blocks:
        dtype = block.dtype
        part = _whole(block)
        total = part if total is None else torch.logaddexp(total, part)
    return torch.tensor(-math.inf) if total is None else total.to(dtype)


@believes("The sum may be computed in the dtype of the blocks", about="online_logsumexp")
def computes_in_the_dtype(blocks):
    """In bfloat16 it would only be right to about a hundredth: compute in float32 or float64."""
    total = None
    for block in blocks:
        part = _whole(block).to(block.dtype)
        total = part if total is None else torch.logaddexp(total, part)
    return torch.tensor(-math.inf) if total is None else total.float()


@believes("A difference of numbers of 16 bits is exact", about="online_logsumexp")
def subtracts_in_the_dtype(blocks):
    """It is rounded to 16 bits again: convert the block to float32 or float64 first, then subtract."""
    parts = []
    for block in blocks:
        if block.numel() and (top := block.max()) > -math.inf:
            parts.append((top.double() + (block - top).double().exp().sum().log())[None])
    return solved.online_logsumexp(parts)


@believes("The result is a Python float", about="online_logsumexp")
def returns_a_float(blocks):
    """The result is a 0-d tensor, with which a program can continue on its device."""
    return float(solved.online_logsumexp(blocks))


@believes("The result has the shape (1,)", about="online_logsumexp")
def returns_a_row(blocks):
    """Its shape is (): a sum over all elements has no dimension."""
    return solved.online_logsumexp(blocks).reshape(1)


@believes("The result is the logarithm of the mean", about="online_logsumexp")
def takes_the_mean(blocks):
    """It is the logarithm of the sum of the exponentials."""
    count, kept = 0, []
    for block in blocks:
        count += block.numel()
        kept.append(_whole(block)[None])
    return solved.online_logsumexp(kept) - math.log(count or 1)
