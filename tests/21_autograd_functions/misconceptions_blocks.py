"""Wrong answers that people give to kata 21 about a loss in blocks."""
# mypy: ignore-errors

import torch
from torch.nn import functional as F

from dojo.judging.diagnose import believes, solution

from .making import Passing, own

solved = solution("21_autograd_functions")

# linear_cross_entropy


def _check(x, rows):
    if rows < 1 or len(x) < 1:
        raise ValueError(f"{len(x)} rows in blocks of {rows}")


def _pairs(x, targets, rows):
    return zip(x.split(rows), targets.split(rows), strict=True)


def _sum(part, weight, classes):
    return F.cross_entropy(part @ weight.mT, classes, reduction="sum")


def _loss(x, weight, targets, rows):
    return sum(_sum(part, weight, classes) for part, classes in _pairs(x, targets, rows)) / len(x)


def _forward(ctx, x, weight, targets, rows):
    ctx.save_for_backward(x, weight, targets)
    ctx.rows = rows
    return _loss(x, weight, targets, rows)


def _off(logits, classes):
    """softmax - one-hot of a block."""
    off = logits.softmax(1)
    off[torch.arange(len(classes), device=off.device), classes] -= 1
    return off


def _block(part, weight, classes):
    return _off(part @ weight.mT, classes)


def _gradients(x, weight, targets, rows, grad, by_block=False):
    for_x, for_weight = [], torch.zeros_like(weight)
    for part, classes in _pairs(x, targets, rows):
        off = _block(part, weight, classes) * grad / len(part if by_block else x)
        for_x.append(off @ weight)
        for_weight += off.mT @ part
    return torch.cat(for_x), for_weight


def _loss_and_gradients(x, weight, targets, rows):
    """All in one pass, with the logits of each block computed once."""
    total, for_x, for_weight = 0, [], torch.zeros_like(weight)
    for part, classes in _pairs(x, targets, rows):
        logits = part @ weight.mT
        total = total + F.cross_entropy(logits, classes, reduction="sum")
        off = _off(logits, classes) / len(x)
        for_x.append(off @ weight)
        for_weight += off.mT @ part
    return total / len(x), torch.cat(for_x), for_weight


def _backward(ctx, grad):
    return *_gradients(*ctx.saved_tensors, ctx.rows, grad), None, None


@believes("The forward pass may have all logits at once", about="linear_cross_entropy")
def makes_all_logits_forward(x, weight, targets, rows):
    """They take the memory even for a short time: compute a block at a time."""

    def forward(ctx, x, weight, targets, rows):
        ctx.save_for_backward(x, weight, targets)
        ctx.rows = rows
        return F.cross_entropy(x @ weight.mT, targets)

    _check(x, rows)
    return own(forward, _backward, x, weight, targets, rows)


@believes("The backward pass may have all logits at once", about="linear_cross_entropy")
def makes_all_logits_backward(x, weight, targets, rows):
    """Logits and their gradient are equally large: compute a block at a time there, too."""

    def backward(ctx, grad):
        x, weight, targets = ctx.saved_tensors
        return *_gradients(x, weight, targets, len(x), grad), None, None

    _check(x, rows)
    return own(_forward, backward, x, weight, targets, rows)


@believes("The softmax may be kept in blocks", about="linear_cross_entropy")
def keeps_the_blocks(x, weight, targets, rows):
    """All blocks together are as large as the whole: compute each one again."""

    def forward(ctx, x, weight, targets, rows):
        offs = [_block(part, weight, classes) for part, classes in _pairs(x, targets, rows)]
        ctx.save_for_backward(x, weight, targets, *offs)
        ctx.rows = rows
        return _loss(x, weight, targets, rows)

    def backward(ctx, grad):
        x, weight, _, *offs = ctx.saved_tensors
        parts = x.split(ctx.rows)
        for_weight = sum(off.mT @ part for off, part in zip(offs, parts, strict=True))
        return torch.cat([off @ weight for off in offs]) * grad / len(x), for_weight * grad / len(x), None, None

    _check(x, rows)
    return own(forward, backward, x, weight, targets, rows)


@believes("No tensor has all logits, so the blocks may all be there at once", about="linear_cross_entropy")
def makes_all_blocks_first(x, weight, targets, rows):
    """Together they take as much memory as the whole: use up each block before you make the next."""

    def backward(ctx, grad):
        x, weight, targets = ctx.saved_tensors
        parts = x.split(ctx.rows)
        offs = [_block(part, weight, classes) * grad / len(x) for part, classes in _pairs(x, targets, ctx.rows)]
        for_weight = sum(off.mT @ part for off, part in zip(offs, parts, strict=True))
        return torch.cat([off @ weight for off in offs]), for_weight, None, None

    _check(x, rows)
    return own(_forward, backward, x, weight, targets, rows)


@believes("Computing in blocks is enough for autograd to save memory", about="linear_cross_entropy")
def leaves_blocks_to_autograd(x, weight, targets, rows):
    """Autograd keeps the logits of every block until the backward pass: write a Function that computes them again."""
    _check(x, rows)
    return _loss(x, weight, targets, rows)


def _forward_with_means(ctx, x, weight, targets, rows):
    ctx.save_for_backward(x, weight, targets)
    ctx.rows = rows
    means = [_sum(part, weight, classes) / len(part) for part, classes in _pairs(x, targets, rows)]
    return sum(means) / len(means)


@believes("The loss is the mean of the blocks' means", about="linear_cross_entropy")
def averages_means(x, weight, targets, rows):
    """A shorter last block would count too much: sum, and divide by n once."""

    def backward(ctx, grad):
        x, weight, targets = ctx.saved_tensors
        grad = grad / len(x.split(ctx.rows))
        return *_gradients(x, weight, targets, ctx.rows, grad, by_block=True), None, None

    _check(x, rows)
    return own(_forward_with_means, backward, x, weight, targets, rows)


@believes("The loss is the mean of the blocks' means", about="linear_cross_entropy")
def averages_means_forward(x, weight, targets, rows):
    """A shorter last block would count too much: sum, and divide by n once."""
    _check(x, rows)
    return own(_forward_with_means, _backward, x, weight, targets, rows)


@believes("Each block's gradient is divided by its own rows", about="linear_cross_entropy")
def divides_by_the_block(x, weight, targets, rows):
    """The loss is a mean over all n rows: divide each block's part by n."""

    def backward(ctx, grad):
        return *_gradients(*ctx.saved_tensors, ctx.rows, grad, by_block=True), None, None

    _check(x, rows)
    return own(_forward, backward, x, weight, targets, rows)


@believes("n is a multiple of rows", about="linear_cross_entropy")
def drops_the_last_block(x, weight, targets, rows):
    """The last block may be shorter, and counts too."""
    _check(x, rows)
    whole = max(len(x) // rows * rows, min(rows, len(x)))
    return solved.linear_cross_entropy(x[:whole], weight, targets[:whole], rows)


@believes("n has to be a multiple of rows", about="linear_cross_entropy")
def refuses_a_shorter_block(x, weight, targets, rows):
    """The last block may be shorter."""
    if rows > 0 and len(x) % rows and rows < len(x):
        raise ValueError("no multiple")
    return solved.linear_cross_entropy(x, weight, targets, rows)


@believes("rows may not exceed the rows of x", about="linear_cross_entropy")
def refuses_large_blocks(x, weight, targets, rows):
    """rows is an upper limit: if it is more than n, there is one block."""
    if rows > len(x):
        raise ValueError("too many rows")
    return solved.linear_cross_entropy(x, weight, targets, rows)


@believes("rows is the number of blocks", about="linear_cross_entropy")
def takes_a_number_of_blocks(x, weight, targets, rows):
    """It is the largest number of rows in a block."""
    _check(x, rows)
    return solved.linear_cross_entropy(x, weight, targets, -(-len(x) // rows))


@believes("The gradient of weight is that of the last block", about="linear_cross_entropy")
def keeps_the_last_gradient(x, weight, targets, rows):
    """The gradients of all blocks are summed."""

    def backward(ctx, grad):
        x, weight, targets = ctx.saved_tensors
        for_x, _ = _gradients(x, weight, targets, ctx.rows, grad)
        part, classes = list(_pairs(x, targets, ctx.rows))[-1]
        return for_x, _block(part, weight, classes).mT @ part * grad / len(x), None, None

    _check(x, rows)
    return own(_forward, backward, x, weight, targets, rows)


@believes("The forward pass may always compute the gradients", about="linear_cross_entropy")
def computes_gradients_that_nobody_wants(x, weight, targets, rows):
    """If nothing requires grad, that is three times the work: look at ctx.needs_input_grad."""

    def forward(ctx, x, weight, targets, rows):
        loss, *grads = _loss_and_gradients(x, weight, targets, rows)
        ctx.save_for_backward(*grads)
        return loss

    def backward(ctx, grad):
        for_x, for_weight = ctx.saved_tensors
        return for_x * grad, for_weight * grad, None, None

    _check(x, rows)
    return own(forward, backward, x, weight, targets, rows)


@believes("Gradients from the forward pass are returned as they are", about="linear_cross_entropy")
def forgets_the_scale_of_the_loss(x, weight, targets, rows):
    """They have to be multiplied by the incoming gradient."""

    def backward(ctx, grad):
        return _backward(ctx, torch.ones_like(grad))

    _check(x, rows)
    return own(_forward, backward, x, weight, targets, rows)


@believes("Gradients and arguments are both kept", about="linear_cross_entropy")
def keeps_gradients_and_arguments(x, weight, targets, rows):
    """One of the two is enough for the backward pass."""

    def forward(ctx, x, weight, targets, rows):
        if any(ctx.needs_input_grad):
            loss, *grads = _loss_and_gradients(x, weight, targets, rows)
        else:
            loss, grads = _loss(x, weight, targets, rows), ()
        ctx.save_for_backward(x, weight, targets, *grads)
        return loss

    def backward(ctx, grad):
        *_, for_x, for_weight = ctx.saved_tensors
        return for_x * grad, for_weight * grad, None, None

    _check(x, rows)
    return own(forward, backward, x, weight, targets, rows)


def _keeping_one_hot(x, weight, targets, rows, dtype):
    def forward(ctx, x, weight, targets, rows):
        hot = [F.one_hot(classes, len(weight)).to(dtype) for classes in targets.split(rows)]
        ctx.save_for_backward(x, weight, *hot)
        ctx.rows = rows
        return _loss(x, weight, targets, rows)

    def backward(ctx, grad):
        x, weight, *hot = ctx.saved_tensors
        parts = x.split(ctx.rows)
        offs = [(part @ weight.mT).softmax(1) - h.to(x.dtype) for part, h in zip(parts, hot, strict=True)]
        for_weight = sum(off.mT @ part for off, part in zip(offs, parts, strict=True))
        return torch.cat([off @ weight for off in offs]) * grad / len(x), for_weight * grad / len(x), None, None

    _check(x, rows)
    return own(forward, backward, x, weight, targets, rows)


@believes("One-hot rows may be kept", about="linear_cross_entropy")
def keeps_one_hot_blocks(x, weight, targets, rows):
    """They have as many elements as the logits: the targets say the same with a number per row."""
    return _keeping_one_hot(x, weight, targets, rows, torch.int64)


@believes("One-hot rows may be kept", about="linear_cross_entropy")
def keeps_one_hot_bools(x, weight, targets, rows):
    """They have as many elements as the logits: the targets say the same with a number per row."""
    return _keeping_one_hot(x, weight, targets, rows, torch.bool)


@believes("tensor_split(n // rows) has blocks of at most that many rows", about="linear_cross_entropy")
def splits_into_fewer_blocks(x, weight, targets, rows):
    """If n is no multiple of rows, some of its blocks have more rows: use x.split(rows)."""
    _check(x, rows)
    return solved.linear_cross_entropy(x, weight, targets, -(-len(x) // max(len(x) // rows, 1)))


@believes("exp of a logit is finite", about="linear_cross_entropy")
def overflows_in_blocks(x, weight, targets, rows):
    """exp(1000) is inf: use logsumexp, which subtracts the largest logit first."""

    def forward(ctx, x, weight, targets, rows):
        ctx.save_for_backward(x, weight, targets)
        ctx.rows, total = rows, 0
        for part, classes in _pairs(x, targets, rows):
            logits = part @ weight.mT
            total = total + (logits.exp().sum(1).log() - logits.gather(1, classes[:, None])[:, 0]).sum()
        return total / len(x)

    _check(x, rows)
    return own(forward, _backward, x, weight, targets, rows)


@believes("rows of 0 means all rows at once", about="linear_cross_entropy")
def takes_no_rows_for_all(x, weight, targets, rows):
    """There is no such block: raise ValueError."""
    return solved.linear_cross_entropy(x, weight, targets, rows if rows > 0 else max(len(x), 1))


@believes("Without rows the loss is 0", about="linear_cross_entropy")
def gives_0_for_no_rows(x, weight, targets, rows):
    """The mean over no rows is 0 / 0: raise ValueError."""
    if len(x) == 0 and rows > 0:
        return own(lambda ctx, x: x.sum(), lambda ctx, grad: None, x)
    return solved.linear_cross_entropy(x, weight, targets, rows)


@believes("Only x has a gradient", about="linear_cross_entropy")
def forgets_the_weight(x, weight, targets, rows):
    """weight has a gradient as well, of its own shape."""

    def backward(ctx, grad):
        return _backward(ctx, grad)[0], None, None, None

    _check(x, rows)
    return own(_forward, backward, x, weight, targets, rows)


@believes("Calling a Function on the final result is enough", about="linear_cross_entropy")
def wraps_the_whole(x, weight, targets, rows):
    """torch records what is computed before it, with all logits: compute inside forward."""
    _check(x, rows)
    return Passing.apply(F.cross_entropy(x @ weight.mT, targets))
