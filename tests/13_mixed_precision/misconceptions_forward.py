"""Wrong answers that people give to kata 13 about what of a step runs under autocast, and how gradients are clipped."""

import math

import torch
from torch import nn

from dojo.judging.diagnose import believes, solution

from .misconceptions_steps import stepping

solved = solution("13_mixed_precision")


@believes("The input has to be cast to lower", about="mixed_step")
def narrows_the_input(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """Autocast casts the operands of products; anything else that takes x, e.g. a norm, would get it narrow: pass x."""
    return solved.mixed_step(model, optimizer, scaler, loss_of, x.to(lower), y, lower, max_norm, scheduler)


@believes("The target has to be cast to lower", about="mixed_step")
def narrows_the_target(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """A narrow target is rounded, and the gradients with it: pass y as it is."""
    return solved.mixed_step(model, optimizer, scaler, loss_of, x, y.to(lower), lower, max_norm, scheduler)


@believes("The prediction has to be cast to float32 for the loss", about="mixed_step")
def widens_the_prediction(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """Autocast already runs mse_loss and cross_entropy in float32: pass the prediction as the model returns it."""

    def of_float32(prediction, target):
        return loss_of(prediction.float(), target)

    return solved.mixed_step(model, optimizer, scaler, of_float32, x, y, lower, max_norm, scheduler)


@believes("Autocast has to be off for the loss", about="mixed_step")
def loss_without_autocast(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """Autocast already runs losses in float32: call loss_of under it, with the prediction as the model returns it."""

    def of_float32(prediction, target):
        with torch.autocast("cpu", enabled=False):
            return loss_of(prediction.float(), target)

    return solved.mixed_step(model, optimizer, scaler, of_float32, x, y, lower, max_norm, scheduler)


@believes("Switching autocast on and off by hand is enough", about="mixed_step")
def keeps_the_copies(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """Autocast keeps narrow copies of the weights until it ends, and would use old ones again: use a with block."""

    def forward(model, loss_of, x, y, lower):
        before = torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")
        torch.set_autocast_enabled("cpu", True)
        torch.set_autocast_dtype("cpu", lower)
        loss = loss_of(model(x), y)
        torch.set_autocast_enabled("cpu", before[0])
        torch.set_autocast_dtype("cpu", before[1])
        return loss

    take = stepping(forward=forward)
    return take(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("With a disabled scaler, there is no autocast", about="mixed_step")
def wide_when_disabled(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """bfloat16 needs no scale, and that is when a scaler is disabled: the forward pass is still narrow."""

    def forward(model, loss_of, x, y, lower):
        with torch.autocast("cpu", dtype=lower, enabled=scaler.is_enabled()):
            return loss_of(model(x), y)

    take = stepping(forward=forward)
    return take(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("With a disabled scaler, there is nothing to clip", about="mixed_step")
def never_clips_when_disabled(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """A norm can be too large with or without a scale: always clip."""
    most = max_norm if scaler.is_enabled() else math.inf
    return solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, most, scheduler)


@believes("A max_norm of 0 means that nothing is clipped", about="mixed_step")
def zero_clips_nothing(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """inf means that; with 0, the optimizer steps with gradients of 0. `if max_norm:` skips 0."""
    return solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm or math.inf, scheduler)


@believes("The norm of all gradients is the sum of their norms", about="mixed_step")
def adds_the_norms(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """It is the root of the sum of their squares, as in torch's clip_grad_norm_."""

    def clip(model, optimizer, scaler, max_norm):
        scaler.unscale_(optimizer)
        gradients = [p.grad for p in model.parameters() if p.grad is not None]
        norm = sum(gradient.norm() for gradient in gradients)
        nn.utils.clip_grads_with_norm_(model.parameters(), max_norm, norm)

    take = stepping(clip=clip)
    return take(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)
