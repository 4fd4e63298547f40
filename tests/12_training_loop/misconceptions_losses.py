"""Wrong answers that people give to kata 12 about cross entropy."""

import math

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("12_training_loop")

# cross_entropy


def _parts(logits, targets, ignore_index):
    """What is right: the losses of all rows, of which some do not count, and which do."""
    if targets.shape != logits.shape[:-1]:
        raise ValueError(targets.shape)
    counted = targets != ignore_index
    return _picked(logits.log_softmax(-1), targets, counted), counted


def _picked(logp, targets, counted):
    return -logp.gather(-1, targets.where(counted, torch.zeros_like(targets)).unsqueeze(-1)).squeeze(-1)


def _mean(losses, counted):
    return losses[counted].sum() / counted.sum()


def _kept(logits, targets, ignore_index):
    """The rows that count, and their targets."""
    if targets.shape != logits.shape[:-1]:
        raise ValueError(targets.shape)
    counted = targets != ignore_index
    return logits[counted], targets[counted]


def _gathered(rows, targets):
    return rows.gather(-1, targets.unsqueeze(-1))


@believes("The mean is over all rows, ignored or not", about="cross_entropy")
def divides_by_all_rows(logits, targets, ignore_index=-100):
    """An ignored row counts neither in the sum nor in the number of rows."""
    losses, counted = _parts(logits, targets, ignore_index)
    return losses[counted].sum() / counted.numel()


@believes("An ignored row has the target 0", about="cross_entropy")
def counts_ignored_rows(logits, targets, ignore_index=-100):
    """An ignored row has no target: leave it out of the sum and of the number of rows."""
    losses, _ = _parts(logits, targets, ignore_index)
    return losses.mean()


@believes("Ignored rows are left out of the number of rows alone", about="cross_entropy")
def sums_ignored_rows(logits, targets, ignore_index=-100):
    """They are left out of the sum of the losses as well."""
    losses, counted = _parts(logits, targets, ignore_index)
    return losses.sum() / counted.sum()


@believes("A row is ignored by making its logits 0", about="cross_entropy")
def zeroes_ignored_rows(logits, targets, ignore_index=-100):
    """Logits of 0 are uniform: such a row adds log V to the sum, and counts in the mean."""
    _, counted = _parts(logits, targets, ignore_index)
    logp = (logits * counted.unsqueeze(-1)).log_softmax(-1)
    return _picked(logp, targets, counted).mean()


@believes("Only -100 is ignored", about="cross_entropy")
def ignores_100_alone(logits, targets, ignore_index=-100):
    """ignore_index says what is ignored; -100 is only its default."""
    losses, _ = _parts(logits, targets, ignore_index)
    return _mean(losses, targets != -100)


@believes("Every negative target is ignored", about="cross_entropy")
def ignores_the_negative(logits, targets, ignore_index=-100):
    """Only ignore_index is ignored, which may be the index of a class as well, such as padding."""
    losses, _ = _parts(logits, targets.clamp(-1, logits.shape[-1] - 1), -1)
    return _mean(losses, (targets >= 0) & (targets < logits.shape[-1]))


@believes("log(softmax(x)) is log_softmax(x)", about="cross_entropy")
def takes_the_log_of_softmax(logits, targets, ignore_index=-100):
    """exp(-800) is 0 in any float, and its log is -inf: use log_softmax."""
    rows, targets = _kept(logits, targets, ignore_index)
    return -_gathered(rows.softmax(-1).log(), targets).mean()


@believes("log(softmax(x)) is log_softmax(x)", about="cross_entropy")
def takes_the_log_of_probabilities(logits, targets, ignore_index=-100):
    """exp(-800) is 0 in any float, and its log is -inf: use log_softmax."""
    rows, targets = _kept(logits, targets, ignore_index)
    return -_gathered(rows.softmax(-1), targets).log().mean()


def _log_of_more(logits, targets, ignore_index, more):
    rows, targets = _kept(logits, targets, ignore_index)
    return -(_gathered(rows.softmax(-1), targets) + more).log().mean()


@believes("A small number inside the log only keeps it from -inf", about="cross_entropy")
def adds_1e_12(logits, targets, ignore_index=-100):
    """It caps the loss, and where p is smaller the gradient vanishes: use log_softmax."""
    return _log_of_more(logits, targets, ignore_index, 1e-12)


@believes("A small number inside the log only keeps it from -inf", about="cross_entropy")
def adds_1e_9(logits, targets, ignore_index=-100):
    """It caps the loss, and where p is smaller the gradient vanishes: use log_softmax."""
    return _log_of_more(logits, targets, ignore_index, 1e-9)


@believes("A small number inside the log only keeps it from -inf", about="cross_entropy")
def adds_1e_8(logits, targets, ignore_index=-100):
    """It caps the loss, and where p is smaller the gradient vanishes: use log_softmax."""
    return _log_of_more(logits, targets, ignore_index, 1e-8)


@believes("Clamping a probability before its log loses nothing", about="cross_entropy")
def clamps_probabilities(logits, targets, ignore_index=-100):
    """Where it is clamped the gradient is 0, so the worst rows teach nothing: use log_softmax."""
    rows, targets = _kept(logits, targets, ignore_index)
    return -_gathered(rows.softmax(-1).clamp(min=1e-7).log(), targets).mean()


@believes("Where p underflows, log p is the logit minus the largest", about="cross_entropy")
def takes_off_the_largest_where_p_is_0(logits, targets, ignore_index=-100):
    """If several logits are the largest, their number counts as well: use log_softmax."""
    rows, targets = _kept(logits, targets, ignore_index)
    p = rows.softmax(-1)
    tiny = torch.finfo(p.dtype).tiny
    logp = torch.where(p > tiny, p.clamp(min=tiny).log(), rows - rows.amax(-1, keepdim=True))
    return -_gathered(logp, targets).mean()


@believes("exp of a logit fits into a float", about="cross_entropy")
def exponentiates_logits(logits, targets, ignore_index=-100):
    """exp(710) is inf in float64, and exp(89) in float32: subtract the largest logit of the row first."""
    rows, targets = _kept(logits, targets, ignore_index)
    return (rows.exp().sum(-1, keepdim=True).log() - _gathered(rows, targets)).mean()


@believes("The largest of all logits can be subtracted in each row", about="cross_entropy")
def takes_off_the_largest_of_all(logits, targets, ignore_index=-100):
    """In a row whose logits are 800 below it every exp is 0: subtract the largest of each row."""
    rows, targets = _kept(logits - logits.detach().max(), targets, ignore_index)
    return (rows.exp().sum(-1, keepdim=True).log() - _gathered(rows, targets)).mean()


@believes("Logits can be clamped to what exp can take", about="cross_entropy")
def clamps_logits(logits, targets, ignore_index=-100):
    """Clamped logits have another softmax, and no gradient: subtract the largest of the row instead."""
    return solved.cross_entropy(logits.clamp(-80, 80), targets, ignore_index)


@believes("The logits are probabilities already", about="cross_entropy")
def takes_logits_for_probabilities(logits, targets, ignore_index=-100):
    """They may be any numbers: softmax turns them into probabilities."""
    rows, targets = _kept(logits, targets, ignore_index)
    return -_gathered(rows.log(), targets).mean()


@believes("Softmax is over the rows", about="cross_entropy")
def takes_the_first_dimension(logits, targets, ignore_index=-100):
    """The probabilities of one row are over its V classes, in the last dimension."""
    _, counted = _parts(logits, targets, ignore_index)
    return _mean(_picked(logits.log_softmax(0), targets, counted), counted)


@believes("The loss of a batch is the sum of its losses", about="cross_entropy")
def sums_the_losses(logits, targets, ignore_index=-100):
    """It is their mean, so that it does not grow with the batch."""
    losses, counted = _parts(logits, targets, ignore_index)
    return losses[counted].sum()


@believes("Cross entropy is 1 - p", about="cross_entropy")
def takes_the_missing_probability(logits, targets, ignore_index=-100):
    """It is -log p, which 1 - p approximates only for p near 1."""
    losses, counted = _parts(logits, targets, ignore_index)
    return _mean(1 - (-losses).exp(), counted)


@believes("Cross entropy uses the logarithm to base 2", about="cross_entropy")
def counts_in_bits(logits, targets, ignore_index=-100):
    """torch uses the natural logarithm; in bits the loss would be 1.44 times as large."""
    return solved.cross_entropy(logits, targets, ignore_index) / math.log(2)


@believes("Cross entropy is log p", about="cross_entropy")
def forgets_the_sign(logits, targets, ignore_index=-100):
    """log p is 0 or less; a loss is -log p, which falls as p grows."""
    return -solved.cross_entropy(logits, targets, ignore_index)


@believes("The loss is the mean of the means of the sequences", about="cross_entropy")
def takes_a_mean_of_the_rows_means(logits, targets, ignore_index=-100):
    """A sequence with fewer rows that count would then weigh as much as the others."""
    losses, counted = _parts(logits, targets, ignore_index)
    if targets.ndim < 2:
        return _mean(losses, counted)
    kept = [_mean(one, which) for one, which in zip(losses, counted, strict=True) if which.any()]
    return torch.stack(kept).mean()


@believes("The loss is computed in float32 anyway", about="cross_entropy")
def computes_in_float32(logits, targets, ignore_index=-100):
    """The loss has the dtype of the logits, and its precision."""
    return solved.cross_entropy(logits.float(), targets, ignore_index)


@believes("The loss is returned as a Python float", about="cross_entropy")
def returns_a_float(logits, targets, ignore_index=-100):
    """Nothing can go backward from a float: return the 0-d tensor."""
    return solved.cross_entropy(logits, targets, ignore_index).item()


@believes("As many targets as rows are enough, whatever their shape", about="cross_entropy")
def flattens_whatever_comes(logits, targets, ignore_index=-100):
    """Targets in another shape may be in another order: their shape has to be logits.shape[:-1]."""
    if targets.numel() != logits.shape[:-1].numel():
        raise ValueError(targets.shape)
    return solved.cross_entropy(logits.flatten(0, -2) if logits.ndim > 1 else logits[None], targets.flatten())


@believes("If the first and the last size fit, so do those between", about="cross_entropy")
def looks_at_both_ends(logits, targets, ignore_index=-100):
    """Compare the whole shapes: targets.shape with logits.shape[:-1]."""
    fits = len(targets.shape) == len(logits.shape) - 1
    if not fits or targets.shape[:1] != logits.shape[:-1][:1] or targets.shape[-1:] != logits.shape[:-1][-1:]:
        raise ValueError
    return solved.cross_entropy(logits, targets.expand(logits.shape[:-1]), ignore_index)


@believes("Targets may broadcast", about="cross_entropy")
def broadcasts_targets(logits, targets, ignore_index=-100):
    """One target for all rows is usually a mistake: their shape has to be logits.shape[:-1]."""
    try:
        targets = targets.expand(logits.shape[:-1])
    except RuntimeError as error:
        raise ValueError(targets.shape) from error
    return solved.cross_entropy(logits, targets, ignore_index)


@believes("Logits have at least one dimension of rows", about="cross_entropy")
def wants_a_dimension_of_rows(logits, targets, ignore_index=-100):
    """Logits of shape (V,) with a target of shape () are one row."""
    if logits.ndim < 2:
        raise ValueError(logits.shape)
    return solved.cross_entropy(logits, targets, ignore_index)


class _Forgets(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, targets, ignore_index):
        with torch.enable_grad():
            inner = logits.detach().requires_grad_()
            loss = solved.cross_entropy(inner, targets, ignore_index)
            ctx.save_for_backward(torch.autograd.grad(loss, inner)[0])
        return loss.detach()

    @staticmethod
    def backward(ctx, grad):
        return ctx.saved_tensors[0], None, None


@believes("Targets may be overwritten", about="cross_entropy")
def fills_in_targets(logits, targets, ignore_index=-100):
    """They belong to the caller, who may need the ignored ones again: fill a copy, or leave these rows out."""
    loss = solved.cross_entropy(logits, targets, ignore_index)
    targets[targets == ignore_index] = 0
    return loss


@believes("Logits always require a gradient", about="cross_entropy")
def hooks_the_logits(logits, targets, ignore_index=-100):
    """In an evaluation they require none, and register_hook raises a RuntimeError."""
    loss = solved.cross_entropy(logits, targets, ignore_index)
    logits.register_hook(lambda grad: grad.masked_fill((targets == ignore_index).unsqueeze(-1), 0.0))
    return loss


@believes("The logits have to be told that they require a gradient", about="cross_entropy")
def asks_for_a_gradient(logits, targets, ignore_index=-100):
    """In an evaluation they require none, and they belong to the caller: leave them as they are."""
    return solved.cross_entropy(logits.requires_grad_(), targets, ignore_index)


@believes("The gradient that comes into a loss is 1", about="cross_entropy")
def forgets_the_incoming_gradient(logits, targets, ignore_index=-100):
    """A loss may be scaled before it goes backward: multiply by the gradient that comes in."""
    return _Forgets.apply(logits, targets, ignore_index)


class _Kept(torch.autograd.Function):
    gradient = torch.empty(0)

    @staticmethod
    def forward(ctx, logits, targets, ignore_index):
        with torch.enable_grad():
            inner = logits.detach().requires_grad_()
            loss = solved.cross_entropy(inner, targets, ignore_index)
            _Kept.gradient = torch.autograd.grad(loss, inner)[0]
        return loss.detach()

    @staticmethod
    def backward(ctx, grad):
        return grad * _Kept.gradient, None, None


@believes("What the backward pass needs is kept in one place for all losses", about="cross_entropy")
def keeps_the_last_gradient(logits, targets, ignore_index=-100):
    """Another loss may be computed before this one goes backward: keep what belongs to it in its ctx."""
    return _Kept.apply(logits, targets, ignore_index)
