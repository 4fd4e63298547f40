"""Wrong answers that people give to kata 12 about the modes of a model in the loop, and about what is not finite."""

import math

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("12_training_loop")

# train


def _loop(optimizer, batches, scheduler, prepare, take):
    """The loop: of each batch first `prepare`; then `take` makes the gradients, checks, and tells the loss."""
    losses = []
    for step, (x, y) in enumerate(batches):
        prepare(step)
        losses.append(take(step, x, y))
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
    return losses


def _gradients(model, loss_of, x, y, max_norm, micro_batch):
    loss = solved.accumulate_gradients(model, loss_of, x, y, len(x) if micro_batch is None else micro_batch)
    return loss, solved.clip_gradients(model.parameters(), max_norm)


def _checked(step, loss, norm):
    if not math.isfinite(loss) or not math.isfinite(norm):
        raise FloatingPointError(f"step {step}")
    return loss


def _taker(model, loss_of, max_norm, micro_batch, checked=_checked):
    return lambda step, x, y: checked(step, *_gradients(model, loss_of, x, y, max_norm, micro_batch))


@believes("The model is in training mode already", about="train")
def forgets_training_mode(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """After an evaluation it may be in eval mode, without dropout: model.train()."""
    take = _taker(model, loss_of, max_norm, micro_batch)
    return _loop(optimizer, batches, scheduler, lambda step: None, take)


@believes("A model that is put into training mode stays there", about="train")
def sets_the_mode_once(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """Whatever yields the batches may evaluate in between: call model.train() before each forward."""
    take = _taker(model, loss_of, max_norm, micro_batch)
    return _loop(optimizer, batches, scheduler, lambda step: step or model.train(), take)


@believes("If a model is in training mode, all its modules are", about="train")
def looks_at_the_model_alone_in_training(
    model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None
):
    """A module in it may be in eval mode: call model.train() before each forward, whatever model.training says."""
    take = _taker(model, loss_of, max_norm, micro_batch)
    return _loop(optimizer, batches, scheduler, lambda step: (step and model.training) or model.train(), take)


@believes("accumulate_gradients puts the model into training mode", about="train")
def leaves_the_mode_to_micro_batches(
    model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None
):
    """It leaves each module in its mode: call model.train() before micro-batches as well."""
    take = _taker(model, loss_of, max_norm, micro_batch)
    return _loop(optimizer, batches, scheduler, lambda step: micro_batch or model.train(), take)


def _with_check(checked):
    def train(model, optimizer, loss_of, batches, max_norm, scheduler, micro_batch):
        take = _taker(model, loss_of, max_norm, micro_batch, checked)
        return _loop(optimizer, batches, scheduler, lambda step: model.train(), take)

    return train


def _loss_alone(step, loss, norm):
    return _checked(step, loss, 0.0)


def _norm_alone(step, loss, norm):
    _checked(step, 0.0, norm)
    return loss


def _nan_alone(step, loss, norm):
    if math.isnan(loss) or math.isnan(norm):
        raise FloatingPointError(f"step {step}")
    return loss


def _from_1(step, loss, norm):
    return _checked(step + 1, loss, norm)


def _a_value(step, loss, norm):
    if not math.isfinite(loss) or not math.isfinite(norm):
        raise ValueError(f"step {step}")
    return loss


@believes("If the loss is finite, so are the gradients", about="train")
def looks_at_the_loss_alone(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """The backward pass may overflow by itself: check the norm of the gradients as well."""
    return _with_check(_loss_alone)(model, optimizer, loss_of, batches, max_norm, scheduler, micro_batch)


@believes("If the gradients are finite, so is the loss", about="train")
def looks_at_the_norm_alone(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """The loss |inf - p| is infinite, and its slope is 1: check the loss as well."""
    return _with_check(_norm_alone)(model, optimizer, loss_of, batches, max_norm, scheduler, micro_batch)


@believes("Only nan is not finite", about="train")
def looks_for_nan_alone(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """inf is not finite either: use math.isfinite."""
    return _with_check(_nan_alone)(model, optimizer, loss_of, batches, max_norm, scheduler, micro_batch)


@believes("The step in the message is counted from 1", about="train")
def counts_from_1(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """The first step is step 0, and the message names the step that failed."""
    return _with_check(_from_1)(model, optimizer, loss_of, batches, max_norm, scheduler, micro_batch)


@believes("A loss that is not finite raises a ValueError", about="train")
def raises_a_value_error(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """Raise FloatingPointError, which the caller can tell from a wrong argument."""
    return _with_check(_a_value)(model, optimizer, loss_of, batches, max_norm, scheduler, micro_batch)


@believes("What is not finite shows in the next loss", about="train")
def never_looks(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """By then every parameter may be nan: check before the optimizer steps."""
    return _with_check(lambda step, loss, norm: loss)(
        model, optimizer, loss_of, batches, max_norm, scheduler, micro_batch
    )


@believes("The check may come after the step", about="train")
def looks_after_the_step(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """By then every parameter may be nan, and the last good state is lost: check before the optimizer steps."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        loss, norm = _gradients(model, loss_of, x, y, max_norm, micro_batch)
        optimizer.step()
        losses.append(_checked(step, loss, norm))
        if scheduler is not None:
            scheduler.step()
    return losses


@believes("A batch whose loss is not finite is skipped", about="train")
def leaves_bad_batches_out(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """The failure would go unnoticed: raise FloatingPointError."""
    losses = []
    for x, y in batches:
        model.train()
        loss, norm = _gradients(model, loss_of, x, y, max_norm, micro_batch)
        if math.isfinite(loss) and math.isfinite(norm):
            optimizer.step()
            losses.append(loss)
            if scheduler is not None:
                scheduler.step()
    return losses


@believes("Gradients that are not finite can be set to 0", about="train")
def mends_gradients(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """The failure would go unnoticed: raise FloatingPointError."""
    losses = []
    for x, y in batches:
        model.train()
        loss, _ = _gradients(model, loss_of, x, y, math.inf, micro_batch)
        for p in model.parameters():
            if p.grad is not None:
                torch.nan_to_num_(p.grad, 0.0, 0.0, 0.0)
        solved.clip_gradients(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss)
        if scheduler is not None:
            scheduler.step()
    return losses


@believes("The schedule is stepped before the check", about="train")
def moves_the_schedule_before_it_looks(
    model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None
):
    """Where a step fails, the schedule is as the step before left it: check first."""
    try:
        return solved.train(model, optimizer, loss_of, batches, max_norm, scheduler, micro_batch)
    except FloatingPointError:
        if scheduler is not None:
            scheduler.step()
        raise


@believes("The schedule is stepped between two batches alone", about="train")
def leaves_the_last_step_of_the_schedule_out(
    model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None
):
    """It is stepped after the last one too, since training may go on from there."""
    take = _taker(model, loss_of, max_norm, micro_batch)

    def checked(step, x, y):
        loss = take(step, x, y)
        if step and scheduler is not None:
            scheduler.step()
        return loss

    return _loop(optimizer, batches, None, lambda step: model.train(), checked)
