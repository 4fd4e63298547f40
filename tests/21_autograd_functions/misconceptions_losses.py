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


@believes("A saved logsumexp is as good as one computed again", about="cross_entropy")
def keeps_the_log_of_the_sum(logits, targets, ignore_index=-100):
    """It is for the first backward pass. To a second one it is a constant: compute it again, or refuse."""

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
    """It is over the rows that are not ignored."""

    def share(targets, ignore_index):
        return (targets != ignore_index).sum() / torch.tensor(len(targets), dtype=torch.float64)

    def forward(ctx, logits, targets, ignore_index):
        return _forward(ctx, logits, targets, ignore_index) * share(targets, ignore_index)

    def backward(ctx, grad):
        return _backward(ctx, grad * share(ctx.saved_tensors[1], ctx.ignore_index))

    return own(forward, backward, logits, targets, ignore_index)


@believes("The gradient is divided by the number of all rows", about="cross_entropy")
def divides_the_gradient_by_all_rows(logits, targets, ignore_index=-100):
    """The loss is a mean over the rows that are not ignored, and so is its gradient."""

    def backward(ctx, grad):
        logits, targets = ctx.saved_tensors
        kept, classes = _kept_and_classes(targets, ctx.ignore_index)
        return _off(logits.softmax(1), classes) * kept[:, None] * (grad / len(kept)), None, None

    return own(_forward, backward, logits, targets, ignore_index)


@believes("An ignored row has a gradient, too", about="cross_entropy")
def forgets_ignored_gradients(logits, targets, ignore_index=-100):
    """It takes no part in the loss, so its gradient is 0."""

    def backward(ctx, grad):
        logits, targets = ctx.saved_tensors
        kept, classes = _kept_and_classes(targets, ctx.ignore_index)
        off = logits.softmax(1).scatter_add(1, classes[:, None], -kept[:, None].to(logits.dtype))
        return off * (grad / kept.sum()), None, None

    return own(_forward, backward, logits, targets, ignore_index)


@believes("The gradient need not be divided", about="cross_entropy")
def forgets_the_mean(logits, targets, ignore_index=-100):
    """The loss is a mean: divide by the number of rows that are not ignored."""

    def backward(ctx, grad):
        return _backward(ctx, grad * (ctx.saved_tensors[1] != ctx.ignore_index).sum())

    return own(_forward, backward, logits, targets, ignore_index)


@believes("The loss is the sum over the rows", about="cross_entropy")
def sums_the_rows(logits, targets, ignore_index=-100):
    """It is the mean over the rows that are not ignored."""

    def forward(ctx, logits, targets, ignore_index):
        return _forward(ctx, logits, targets, ignore_index) * (targets != ignore_index).sum()

    def backward(ctx, grad):
        return _backward(ctx, grad * (ctx.saved_tensors[1] != ctx.ignore_index).sum())

    return own(forward, backward, logits, targets, ignore_index)


@believes("The mean is over all logits", about="cross_entropy")
def divides_by_the_classes(logits, targets, ignore_index=-100):
    """Each row has one loss: the mean is over the rows."""

    def forward(ctx, logits, targets, ignore_index):
        return _forward(ctx, logits, targets, ignore_index) / logits.shape[1]

    def backward(ctx, grad):
        return _backward(ctx, grad / ctx.saved_tensors[0].shape[1])

    return own(forward, backward, logits, targets, ignore_index)


@believes("softmax is exp(x) / sum(exp(x)), and nothing more", about="cross_entropy")
def overflows_in_exp(logits, targets, ignore_index=-100):
    """exp(1000) is inf: subtract the largest logit of each row first, as torch's softmax does."""

    def forward(ctx, logits, targets, ignore_index):
        ctx.save_for_backward(logits, targets)
        ctx.ignore_index = ignore_index
        kept, classes = _kept_and_classes(targets, ignore_index)
        logs = (logits.exp() / logits.exp().sum(1, keepdim=True)).log()
        return -logs.gather(1, classes[:, None])[kept].mean()

    return own(forward, _backward, logits, targets, ignore_index)


@believes("targets may be clamped in place", about="cross_entropy")
def writes_into_targets(logits, targets, ignore_index=-100):
    """They belong to the caller: make a new tensor."""

    def forward(ctx, logits, targets, ignore_index):
        loss = _forward(ctx, logits, targets.clone(), ignore_index)
        targets[targets == ignore_index] = 0
        return loss

    return own(forward, _backward, logits, targets, ignore_index)


@believes("ignore_index has to be below 0", about="cross_entropy")
def ignores_what_is_negative(logits, targets, ignore_index=-100):
    """It may be any integer: a class such as 0, or a number beyond the classes."""
    if ignore_index >= 0:
        raise ValueError("ignore_index is not below 0")
    return solved.cross_entropy(logits, targets, ignore_index)


@believes("Only -100 is ignored", about="cross_entropy")
def ignores_a_hundred(logits, targets, ignore_index=-100):
    """ignore_index says what is ignored; -100 is only its default."""
    return solved.cross_entropy(logits, targets, -100)


@believes("ignore_index is never a class", about="cross_entropy")
def ignores_no_class(logits, targets, ignore_index=-100):
    """It may be one, such as 0 for padding: then the rows with that target are ignored."""
    is_class = 0 <= ignore_index < logits.shape[1]
    return solved.cross_entropy(logits, targets, -100 if is_class else ignore_index)


@believes("The incoming gradient of a loss is 1", about="cross_entropy")
def forgets_the_scale(logits, targets, ignore_index=-100):
    """It is another number if the loss is scaled: multiply by it."""

    def backward(ctx, grad):
        return _backward(ctx, torch.ones_like(grad))

    return own(_forward, backward, logits, targets, ignore_index)


@believes("Both logits and softmax are saved", about="cross_entropy")
def keeps_the_softmax_too(logits, targets, ignore_index=-100):
    """One of them is enough: the softmax can be computed again, or be all that is saved."""

    def forward(ctx, logits, targets, ignore_index):
        ctx.save_for_backward(logits, targets, logits.softmax(1))
        ctx.ignore_index = ignore_index
        return _loss(logits, targets, ignore_index)

    def backward(ctx, grad):
        logits, targets, _ = ctx.saved_tensors
        kept, classes = _kept_and_classes(targets, ctx.ignore_index)
        return _off(logits.softmax(1), classes) * kept[:, None] * (grad / kept.sum()), None, None

    return own(forward, backward, logits, targets, ignore_index)


@believes("The targets are saved as one-hot rows", about="cross_entropy")
def keeps_one_hot_rows(logits, targets, ignore_index=-100):
    """The targets themselves are enough: subtract 1 at each row's target."""

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


@believes("The targets are saved as one-hot rows", about="cross_entropy")
def keeps_one_hot_bool_rows(logits, targets, ignore_index=-100):
    """The targets themselves are enough: subtract 1 at each row's target."""

    def forward(ctx, logits, targets, ignore_index):
        kept, classes = _kept_and_classes(targets, ignore_index)
        hot = F.one_hot(classes, logits.shape[1]).bool() & kept[:, None]
        ctx.save_for_backward(logits, hot)
        return _loss(logits, targets, ignore_index)

    def backward(ctx, grad):
        logits, hot = ctx.saved_tensors
        kept = hot.any(1, keepdim=True)
        return (logits.softmax(1) - hot.to(logits.dtype)) * kept * (grad / kept.sum()), None, None

    return own(forward, backward, logits, targets, ignore_index)


@believes("The targets may be kept on ctx, since they need no gradient", about="cross_entropy")
def keeps_targets_on_ctx(logits, targets, ignore_index=-100):
    """Every tensor goes through save_for_backward, where autograd can check whether it was changed."""

    def forward(ctx, logits, targets, ignore_index):
        loss = _forward(ctx, logits, targets, ignore_index)
        ctx.save_for_backward(logits)
        ctx.targets = targets
        return loss

    def backward(ctx, grad):
        (logits,) = ctx.saved_tensors
        kept, classes = _kept_and_classes(ctx.targets, ctx.ignore_index)
        return _off(logits.softmax(1), classes) * kept[:, None] * (grad / kept.sum()), None, None

    return own(forward, backward, logits, targets, ignore_index)


@believes("The gradient may be kept on ctx", about="cross_entropy")
def keeps_the_gradient_on_ctx(logits, targets, ignore_index=-100):
    """It is a tensor, and has to go through save_for_backward."""

    def forward(ctx, logits, targets, ignore_index):
        kept, classes = _kept_and_classes(targets, ignore_index)
        ctx.gradients = [_off(logits.softmax(1), classes) * kept[:, None] / kept.sum().double()]
        return _loss(logits, targets, ignore_index)

    def backward(ctx, grad):
        return ctx.gradients[0] * grad, None, None

    return own(forward, backward, logits, targets, ignore_index)


@believes("A list of numbers may be kept on ctx", about="cross_entropy")
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


@believes("Calling a Function on the result of F.cross_entropy is enough", about="cross_entropy")
def wraps_f_cross_entropy(logits, targets, ignore_index=-100):
    """torch records what is computed before it: compute inside forward."""
    return Passing.apply(_loss(logits, targets, ignore_index))


@believes("The gradient is softmax + one-hot", about="cross_entropy")
def turns_the_one_around(logits, targets, ignore_index=-100):
    """It is softmax - one-hot: the loss falls as the target's logit grows."""

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
