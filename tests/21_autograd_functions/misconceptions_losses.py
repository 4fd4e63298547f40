"""Wrong answers that people give to kata 21 about cross_entropy."""

import torch
from torch.nn import functional as F

from dojo.judging.diagnose import believes, solution

from .making import Passing, own

solved = solution("21_autograd_functions")

# cross_entropy


def _kept_and_classes(targets, ignore_index):
    kept = targets != ignore_index
    return kept, targets.where(kept, 0)


def _loss(logits, targets, ignore_index):
    return F.cross_entropy(logits, targets, ignore_index=ignore_index)


def _forward(ctx, logits, targets, ignore_index):
    ctx.save_for_backward(logits, targets)
    ctx.ignore_index = ignore_index
    return _loss(logits, targets, ignore_index)


def _off(probabilities, classes):
    ones = probabilities.new_full((len(classes), 1), -1.0)
    return probabilities.scatter_add(1, classes[:, None], ones)


def _backward(ctx, grad):
    logits, targets = ctx.saved_tensors
    kept, classes = _kept_and_classes(targets, ctx.ignore_index)
    return _off(logits.softmax(1), classes) * kept[:, None] * (grad / kept.sum()), None, None


@believes("The log of a sum that is saved is as good as one computed anew", about="cross_entropy")
def keeps_the_log_of_the_sum(logits, targets, ignore_index=-100):
    """For one backward pass. To a second one it is a number: compute it anew, or refuse."""

    def forward(ctx, logits, targets, ignore_index):
        ctx.save_for_backward(logits, targets, logits.logsumexp(1))
        ctx.ignore_index = ignore_index
        return _loss(logits, targets, ignore_index)

    def backward(ctx, grad):
        logits, targets, log_sum = ctx.saved_tensors
        kept, classes = _kept_and_classes(targets, ctx.ignore_index)
        return _off((logits - log_sum[:, None]).exp(), classes) * kept[:, None] * (grad / kept.sum()), None, None

    return own(forward, backward, logits, targets, ignore_index)


@believes("The mean is over all rows", about="cross_entropy")
def divides_by_all_rows(logits, targets, ignore_index=-100):
    """Over those that are kept: an ignored row is as if it were not there."""

    def share(targets, ignore_index):
        return (targets != ignore_index).sum() / torch.tensor(len(targets), dtype=torch.float64)

    def forward(ctx, logits, targets, ignore_index):
        return _forward(ctx, logits, targets, ignore_index) * share(targets, ignore_index)

    def backward(ctx, grad):
        return _backward(ctx, grad * share(ctx.saved_tensors[1], ctx.ignore_index))

    return own(forward, backward, logits, targets, ignore_index)


@believes("The gradient is divided by the number of all rows", about="cross_entropy")
def divides_the_gradient_by_all_rows(logits, targets, ignore_index=-100):
    """The loss is a mean over the kept rows, and so is its gradient."""

    def backward(ctx, grad):
        logits, targets = ctx.saved_tensors
        kept, classes = _kept_and_classes(targets, ctx.ignore_index)
        return _off(logits.softmax(1), classes) * kept[:, None] * (grad / len(kept)), None, None

    return own(_forward, backward, logits, targets, ignore_index)


@believes("An ignored row has the gradient of its softmax", about="cross_entropy")
def forgets_ignored_gradients(logits, targets, ignore_index=-100):
    """It has no part in the loss: its gradient is 0."""

    def backward(ctx, grad):
        logits, targets = ctx.saved_tensors
        kept, classes = _kept_and_classes(targets, ctx.ignore_index)
        off = logits.softmax(1).scatter_add(1, classes[:, None], -kept[:, None].to(logits.dtype))
        return off * (grad / kept.sum()), None, None

    return own(_forward, backward, logits, targets, ignore_index)


@believes("The gradient of a mean is that of a sum", about="cross_entropy")
def forgets_the_mean(logits, targets, ignore_index=-100):
    """It is divided by the number of rows that are kept."""

    def backward(ctx, grad):
        return _backward(ctx, grad * (ctx.saved_tensors[1] != ctx.ignore_index).sum())

    return own(_forward, backward, logits, targets, ignore_index)


@believes("The loss is the sum over the rows", about="cross_entropy")
def sums_the_rows(logits, targets, ignore_index=-100):
    """It is their mean."""

    def forward(ctx, logits, targets, ignore_index):
        return _forward(ctx, logits, targets, ignore_index) * (targets != ignore_index).sum()

    def backward(ctx, grad):
        return _backward(ctx, grad * (ctx.saved_tensors[1] != ctx.ignore_index).sum())

    return own(forward, backward, logits, targets, ignore_index)


@believes("The mean is over all logits", about="cross_entropy")
def divides_by_the_classes(logits, targets, ignore_index=-100):
    """Each row has one loss."""

    def forward(ctx, logits, targets, ignore_index):
        return _forward(ctx, logits, targets, ignore_index) / logits.shape[1]

    def backward(ctx, grad):
        return _backward(ctx, grad / ctx.saved_tensors[0].shape[1])

    return own(forward, backward, logits, targets, ignore_index)


@believes("softmax is exp over its sum, and nothing more", about="cross_entropy")
def overflows_in_exp(logits, targets, ignore_index=-100):
    """exp(1000) is inf: subtract the largest logit of each row first, as logsumexp and softmax do."""

    def forward(ctx, logits, targets, ignore_index):
        ctx.save_for_backward(logits, targets)
        ctx.ignore_index = ignore_index
        kept, classes = _kept_and_classes(targets, ignore_index)
        logs = (logits.exp() / logits.exp().sum(1, keepdim=True)).log()
        return -logs.gather(1, classes[:, None])[kept].mean()

    return own(forward, _backward, logits, targets, ignore_index)


@believes("Targets that are clamped in place are nobody's loss", about="cross_entropy")
def writes_into_targets(logits, targets, ignore_index=-100):
    """They are the caller's: make new ones."""

    def forward(ctx, logits, targets, ignore_index):
        loss = _forward(ctx, logits, targets.clone(), ignore_index)
        targets[targets == ignore_index] = 0
        return loss

    return own(forward, _backward, logits, targets, ignore_index)


@believes("What is ignored has to be below 0", about="cross_entropy")
def ignores_what_is_negative(logits, targets, ignore_index=-100):
    """It is ignore_index, which may be a class, or a number beyond them."""
    if ignore_index >= 0:
        raise ValueError("ignore_index is not below 0")
    return solved.cross_entropy(logits, targets, ignore_index)


@believes("What is ignored is -100", about="cross_entropy")
def ignores_a_hundred(logits, targets, ignore_index=-100):
    """That is what it is where nothing else is said."""
    return solved.cross_entropy(logits, targets, -100)


@believes("What is ignored is no class", about="cross_entropy")
def ignores_no_class(logits, targets, ignore_index=-100):
    """It may be one, 0 for padding: then its rows are ignored."""
    is_class = 0 <= ignore_index < logits.shape[1]
    return solved.cross_entropy(logits, targets, -100 if is_class else ignore_index)


@believes("A loss is where the backward pass begins, so 1 comes in", about="cross_entropy")
def forgets_the_scale(logits, targets, ignore_index=-100):
    """Whoever scales a loss sends something else: multiply by it."""

    def backward(ctx, grad):
        return _backward(ctx, torch.ones_like(grad))

    return own(_forward, backward, logits, targets, ignore_index)


@believes("Logits and softmax are kept", about="cross_entropy")
def keeps_the_softmax_too(logits, targets, ignore_index=-100):
    """One of them is enough: softmax is computed again, or is all that is kept."""

    def forward(ctx, logits, targets, ignore_index):
        ctx.save_for_backward(logits, targets, logits.softmax(1))
        ctx.ignore_index = ignore_index
        return _loss(logits, targets, ignore_index)

    def backward(ctx, grad):
        logits, targets, _ = ctx.saved_tensors
        kept, classes = _kept_and_classes(targets, ctx.ignore_index)
        return _off(logits.softmax(1), classes) * kept[:, None] * (grad / kept.sum()), None, None

    return own(forward, backward, logits, targets, ignore_index)


@believes("The targets are kept as one-hot rows", about="cross_entropy")
def keeps_one_hot_rows(logits, targets, ignore_index=-100):
    """A number of each row says as much: subtract 1 at that place."""

    def forward(ctx, logits, targets, ignore_index):
        _, classes = _kept_and_classes(targets, ignore_index)
        ctx.save_for_backward(logits, targets, F.one_hot(classes, logits.shape[1]).int())
        ctx.ignore_index = ignore_index
        return _loss(logits, targets, ignore_index)

    def backward(ctx, grad):
        logits, targets, hot = ctx.saved_tensors
        kept = targets != ctx.ignore_index
        return (logits.softmax(1) - hot) * kept[:, None] * (grad / kept.sum()), None, None

    return own(forward, backward, logits, targets, ignore_index)


@believes("The gradient can wait on ctx", about="cross_entropy")
def keeps_the_gradient_on_ctx(logits, targets, ignore_index=-100):
    """It is a tensor, and goes through save_for_backward."""

    def forward(ctx, logits, targets, ignore_index):
        kept, classes = _kept_and_classes(targets, ignore_index)
        ctx.gradients = [_off(logits.softmax(1), classes) * kept[:, None] / kept.sum().double()]
        return _loss(logits, targets, ignore_index)

    def backward(ctx, grad):
        return ctx.gradients[0] * grad, None, None

    return own(forward, backward, logits, targets, ignore_index)


@believes("A list of numbers is no tensor, and may lie on ctx", about="cross_entropy")
def keeps_numbers_on_ctx(logits, targets, ignore_index=-100):
    """It takes more memory than the tensor: use save_for_backward."""

    def forward(ctx, logits, targets, ignore_index):
        kept, classes = _kept_and_classes(targets, ignore_index)
        ctx.gradients = (_off(logits.softmax(1), classes) * kept[:, None] / kept.sum().double()).tolist()
        ctx.logits = logits.tolist()
        return _loss(logits, targets, ignore_index)

    def backward(ctx, grad):
        return torch.tensor(ctx.gradients, dtype=grad.dtype, device=grad.device) * grad, None, None

    return own(forward, backward, logits, targets, ignore_index)


@believes("A Function around F.cross_entropy is one's own", about="cross_entropy")
def wraps_f_cross_entropy(logits, targets, ignore_index=-100):
    """What is computed before it is recorded by torch: compute inside of forward."""
    return Passing.apply(_loss(logits, targets, ignore_index))


@believes("The target's logit is added to the softmax", about="cross_entropy")
def turns_the_one_around(logits, targets, ignore_index=-100):
    """softmax - one-hot: the loss falls where the target's logit grows."""

    def backward(ctx, grad):
        logits, targets = ctx.saved_tensors
        kept, classes = _kept_and_classes(targets, ctx.ignore_index)
        ones = torch.ones_like(classes[:, None], dtype=logits.dtype)
        return (
            logits.softmax(1).scatter_add(1, classes[:, None], ones) * kept[:, None] * (grad / kept.sum()),
            None,
            None,
        )

    return own(_forward, backward, logits, targets, ignore_index)
