"""Wrong answers that people give to kata 12 about the loop.

Each is the loop in parts with one of them wrong.
"""

import math

import torch

from dojo.judging.diagnose import believes, solution

from . import misconceptions_accumulation as accumulation

solved = solution("12_training_loop")

# train


def _gradients(model, loss_of, x, y, micro_batch):
    """Forward and backward of a batch; its loss."""
    return solved.accumulate_gradients(model, loss_of, x, y, len(x) if micro_batch is None else micro_batch)


def _added(model, loss_of, x, y, micro_batch):
    """The same, on top of the gradients that are there."""
    size = micro_batch or len(x)
    total = 0.0
    for rows, targets in zip(x.split(size), y.split(size), strict=True):
        loss = loss_of(model(rows), targets) * (len(rows) / len(x))
        loss.backward()
        total += loss.item()
    return total


def _check(step, *numbers):
    if not all(math.isfinite(number) for number in numbers):
        raise FloatingPointError(f"step {step}")


def _step(scheduler):
    if scheduler is not None:
        scheduler.step()


@believes("backward replaces the gradients from before", about="train")
def steps_along_old_gradients(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """backward adds to them: clear them before each batch."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        losses.append(_added(model, loss_of, x, y, micro_batch))
        _check(step, losses[-1], solved.clip_gradients(model.parameters(), max_norm))
        optimizer.step()
        _step(scheduler)
    return losses


@believes("Gradients are cleared after the step, so there are none at the start", about="train")
def clears_after_the_step(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """Before the first batch the model may have gradients already: clear them there as well."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        losses.append(_added(model, loss_of, x, y, micro_batch))
        _check(step, losses[-1], solved.clip_gradients(model.parameters(), max_norm))
        optimizer.step()
        optimizer.zero_grad()
        _step(scheduler)
    return losses


@believes("Gradients are cleared once, before the loop", about="train")
def clears_once(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """backward adds to them in each step: clear them before each batch."""
    optimizer.zero_grad()
    return steps_along_old_gradients(model, optimizer, loss_of, batches, max_norm, scheduler, micro_batch)


@believes("Between two steps no gradients come about", about="train")
def clears_before_the_loop_and_after_the_step(
    model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None
):
    """Whatever yields the batches may leave some: clear them in each step, before the forward."""
    optimizer.zero_grad()
    return clears_after_the_step(model, optimizer, loss_of, batches, max_norm, scheduler, micro_batch)


@believes("What is frozen has no gradient", about="train")
def clears_what_learns(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """It may have one from before, along which the optimizer moves it: clear the gradients of all parameters."""
    losses = []
    learning = [p for p in model.parameters() if p.requires_grad]
    for step, (x, y) in enumerate(batches):
        model.train()
        for p in learning:
            p.grad = None
        losses.append(_added(model, loss_of, x, y, micro_batch))
        _check(step, losses[-1], solved.clip_gradients(learning, max_norm))
        optimizer.step()
        _step(scheduler)
    return losses


@believes("Without a gradient nothing moves", about="train")
def leaves_out_steps_without_gradients(
    model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None
):
    """Momentum and weight decay move the parameters all the same: take a step for each batch."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        losses.append(_gradients(model, loss_of, x, y, micro_batch))
        norm = solved.clip_gradients(model.parameters(), max_norm)
        _check(step, losses[-1], norm)
        if norm > 0:
            optimizer.step()
        _step(scheduler)
    return losses


@believes("The loss is looked at in a forward of its own", about="train")
def looks_at_the_loss_first(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """Each row goes through once: the forward that the backward needs gives the loss, too."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        _check(step, _gradients(model, loss_of, x, y, micro_batch))
        losses.append(_gradients(model, loss_of, x, y, micro_batch))
        _check(step, solved.clip_gradients(model.parameters(), max_norm))
        optimizer.step()
        _step(scheduler)
    return losses


@believes("A schedule is stepped once per epoch", about="train")
def steps_the_schedule_once(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """This one counts steps: step it after each batch."""
    losses = solved.train(model, optimizer, loss_of, batches, max_norm, None, micro_batch)
    _step(scheduler)
    return losses


@believes("The schedule is stepped before the optimizer", about="train")
def steps_the_schedule_first(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """Then the first rate would never be used: step it after the optimizer."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        losses.append(_gradients(model, loss_of, x, y, micro_batch))
        _check(step, losses[-1], solved.clip_gradients(model.parameters(), max_norm))
        _step(scheduler)
        optimizer.step()
    return losses


@believes("A schedule moves by itself", about="train")
def forgets_the_schedule(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """It changes the rate when its step() is called: after each batch."""
    return solved.train(model, optimizer, loss_of, batches, max_norm, None, micro_batch)


@believes("Gradients may be clipped after the step, or not at all", about="train")
def forgets_to_clip(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """The optimizer uses the gradients as they are: clip to max_norm between backward and step."""
    return solved.train(model, optimizer, loss_of, batches, math.inf, scheduler, micro_batch)


@believes("Clipping limits each element", about="train")
def clips_numbers(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """That changes the direction of the step: clip the norm of all gradients."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        losses.append(_gradients(model, loss_of, x, y, micro_batch))
        _check(step, losses[-1], solved.clip_gradients(model.parameters(), math.inf))
        for p in model.parameters():
            if p.grad is not None:
                p.grad.clamp_(-max_norm, max_norm)
        optimizer.step()
        _step(scheduler)
    return losses


@believes("Each gradient is clipped to max_norm by itself", about="train")
def clips_each_parameter(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """That changes the direction of the step: clip the norm of all gradients together."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        losses.append(_gradients(model, loss_of, x, y, micro_batch))
        _check(step, losses[-1], *(solved.clip_gradients([p], max_norm) for p in model.parameters()))
        optimizer.step()
        _step(scheduler)
    return losses


@believes("Each micro-batch is clipped", about="train")
def clips_each_micro_batch(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """The gradient of the batch is clipped, once all micro-batches are in it."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        optimizer.zero_grad()
        size = micro_batch or len(x)
        losses.append(0.0)
        for rows, targets in zip(x.split(size), y.split(size), strict=True):
            loss = loss_of(model(rows), targets) * (len(rows) / len(x))
            loss.backward()
            losses[-1] += loss.item()
            _check(step, losses[-1], solved.clip_gradients(model.parameters(), max_norm))
        optimizer.step()
        _step(scheduler)
    return losses


@believes("Each micro-batch is a step", about="train")
def steps_each_micro_batch(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """A batch in micro-batches is one step, with the gradient of the whole."""
    losses = []
    for step, (x, y) in enumerate(batches):
        size = micro_batch or len(x)
        losses.append(0.0)
        for rows, targets in zip(x.split(size), y.split(size), strict=True):
            model.train()
            loss = solved.accumulate_gradients(model, loss_of, rows, targets, size)
            losses[-1] += loss * len(rows) / len(x)
            _check(step, losses[-1], solved.clip_gradients(model.parameters(), max_norm))
            optimizer.step()
        _step(scheduler)
    return losses


@believes("The mean of the micro-batches' means is that of the batch", about="train")
def weighs_all_micro_batches_alike(
    model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None
):
    """The last one may have fewer rows, and weighs less: weigh each by len(rows) / len(x)."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        optimizer.zero_grad()
        size = micro_batch or len(x)
        parts = list(zip(x.split(size), y.split(size), strict=True))
        losses.append(0.0)
        for rows, targets in parts:
            loss = loss_of(model(rows), targets) / len(parts)
            loss.backward()
            losses[-1] += loss.item()
        _check(step, losses[-1], solved.clip_gradients(model.parameters(), max_norm))
        optimizer.step()
        _step(scheduler)
    return losses


@believes("micro_batch need not be used if the model fits", about="train")
def takes_whole_batches(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """micro_batch is a limit: never more than so many rows go through the model at once."""
    return solved.train(model, optimizer, loss_of, batches, max_norm, scheduler)


@believes("The loss of a step is the loss after it", about="train")
def tells_the_loss_after(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """It is the loss before the step, from the forward that is there anyway."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        loss = _gradients(model, loss_of, x, y, micro_batch)
        _check(step, loss, solved.clip_gradients(model.parameters(), max_norm))
        optimizer.step()
        _step(scheduler)
        with torch.no_grad():
            losses.append(loss_of(model(x), y).item())
    return losses


@believes("The losses are returned as tensors", about="train")
def tells_tensors(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """The result is a list of Python floats: use .item(), so that no graph is held either."""
    return [
        torch.tensor(loss)
        for loss in solved.train(model, optimizer, loss_of, batches, max_norm, scheduler, micro_batch)
    ]


@believes("The result is the mean of all losses", about="train")
def tells_the_mean(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """The result is a list, with the loss of each batch."""
    losses = solved.train(model, optimizer, loss_of, batches, max_norm, scheduler, micro_batch)
    return sum(losses) / len(losses)


@believes("Where several backward passes run, each needs retain_graph=True", about="train")
def retains_each_graph_of_a_batch(
    model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None
):
    """Each micro-batch has a graph of its own. A graph that is retained keeps its activations: leave that out."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        losses.append(accumulation.retains_each_graph(model, loss_of, x, y, micro_batch or len(x)))
        _check(step, losses[-1], solved.clip_gradients(model.parameters(), max_norm))
        optimizer.step()
        _step(scheduler)
    return losses


@believes("Where several backward passes run, each needs retain_graph=True", about="train")
def retains_the_graphs_of_all_batches(
    model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None
):
    """Each micro-batch has a graph of its own. A graph that is retained keeps its activations: leave that out."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        model.zero_grad()
        size = micro_batch or len(x)
        total = torch.zeros((), dtype=torch.float64, device=x.device)
        for rows, targets in zip(x.split(size), y.split(size), strict=True):
            loss = loss_of(model(rows), targets) * (len(rows) / len(x))
            loss.backward(retain_graph=True)
            total = total + loss
        losses.append(total)
        _check(step, total.item(), solved.clip_gradients(model.parameters(), max_norm))
        optimizer.step()
        _step(scheduler)
    return [loss.item() for loss in losses]


@believes("Each module has its own parameters", about="train")
def measures_each_module(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    """Two modules may share one, whose gradient counts twice then: model.parameters() gives each once."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        losses.append(_gradients(model, loss_of, x, y, micro_batch))
        found = [p for module in model.modules() for p in module.parameters(recurse=False)]
        _check(step, losses[-1], solved.clip_gradients(found, max_norm))
        optimizer.step()
        _step(scheduler)
    return losses
