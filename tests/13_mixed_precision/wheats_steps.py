"""Right answers to kata 13 about a whole step, in styles that the solution does not use."""

import contextlib
import math

import torch

from dojo.judging.diagnose import answers


@answers("mixed_step")
def step_by_a_hook(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    moved = []
    hook = optimizer.register_step_post_hook(lambda *_: moved.append(True))
    try:
        model.zero_grad(set_to_none=False)
        with torch.amp.autocast(x.device.type, lower, cache_enabled=False):
            scaled = scaler.scale(loss_of(model(x), y))
            scaled.backward()
        scaler.unscale_(optimizer)
        if max_norm < math.inf:
            torch.nn.utils.clip_grad_norm_([p for group in optimizer.param_groups for p in group["params"]], max_norm)
        scaler.step(optimizer)
        scaler.update()
    finally:
        hook.remove()
    if scheduler and moved:
        scheduler.step()
    return bool(moved)


@answers("mixed_step")
def step_by_the_gradients(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    for p in model.parameters():
        p.grad = None
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.autocast(device_type="cpu", dtype=lower))
        loss = loss_of(model(x), y)
    torch.autograd.backward(scaler.scale(loss))
    scaler.unscale_(optimizer)
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    takes = not scaler.is_enabled() or all(gradient.isfinite().all() for gradient in gradients)
    norm = math.hypot(*(gradient.norm().item() for gradient in gradients))
    if max_norm / (norm + 1e-6) < 1:
        for gradient in gradients:
            gradient.mul_(max_norm / (norm + 1e-6))
    scaler.step(optimizer)
    scaler.update()
    if takes and scheduler is not None:
        scheduler.step()
    return takes


@answers("mixed_step")
def step_that_asks_for_gradients(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    optimizer.zero_grad()
    trained = [p for p in model.parameters() if p.requires_grad]
    with torch.autocast("cpu", dtype=lower):
        loss = scaler.scale(loss_of(model(x), y))
    for p, gradient in zip(trained, torch.autograd.grad(loss, trained), strict=True):
        p.grad = gradient
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(trained, max_norm)
    scale = scaler.get_scale()
    scaler.step(optimizer)
    scaler.update()
    if scaler.get_scale() < scale:
        return False
    if scheduler is not None:
        scheduler.step()
    return True


@answers("mixed_step")
def step_by_its_state(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    def forward():
        return loss_of(model(x), y)

    optimizer.zero_grad()
    scaler.scale(torch.autocast("cpu", dtype=lower)(forward)()).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    before = scaler.state_dict().get("scale", 1.0)
    scaler.update()
    skipped = scaler.is_enabled() and scaler.state_dict()["scale"] < before
    if not skipped and scheduler is not None:
        scheduler.step()
    return not skipped


@answers("mixed_step")
def step_by_hand(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    count = []
    original = optimizer.step
    before = torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")
    optimizer.zero_grad()
    torch.set_autocast_enabled("cpu", True)
    torch.set_autocast_dtype("cpu", lower)
    torch.autocast_increment_nesting()
    try:
        loss = loss_of(model.forward(x), y)
    finally:
        if torch.autocast_decrement_nesting() == 0:
            torch.clear_autocast_cache()
        torch.set_autocast_enabled("cpu", before[0])
        torch.set_autocast_dtype("cpu", before[1])
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.grad is not None], max_norm)

    def counted(*arguments, **named):
        count.append(1)
        return original(*arguments, **named)

    optimizer.step = counted
    try:
        scaler.step(optimizer)
    finally:
        optimizer.step = original
    scaler.update()
    if count and scheduler is not None:
        scheduler.step()
    return len(count) > 0
