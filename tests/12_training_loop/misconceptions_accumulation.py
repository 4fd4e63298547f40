"""Wrong answers that people give to kata 12 about batches in parts."""

import weakref
from functools import partial

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from dojo.judging.diagnose import believes, solution

solved = solution("12_training_loop")

# accumulate_gradients


def _check(x, micro_batch):
    if micro_batch < 1 or len(x) == 0:
        raise ValueError(micro_batch)


def _parts(x, y, micro_batch):
    return list(zip(x.split(micro_batch), y.split(micro_batch), strict=True))


def _run(model, loss_of, parts, weight):
    """Forward and backward of each part, its loss times `weight` of its number of rows; the sum of these."""
    total = 0.0
    for rows, targets in parts:
        loss = loss_of(model(rows), targets) * weight(len(rows))
        loss.backward()
        total += loss.item()
    return total


@believes("The mean of the micro-batches' means is that of the batch", about="accumulate_gradients")
def takes_a_mean_of_means(model, loss_of, x, y, micro_batch):
    """The last one may have fewer rows, and weighs less: weigh each by len(rows) / len(x)."""
    _check(x, micro_batch)
    model.zero_grad()
    parts = _parts(x, y, micro_batch)
    return _run(model, loss_of, parts, lambda rows: 1 / len(parts))


@believes("Every micro-batch has micro_batch rows", about="accumulate_gradients")
def weighs_all_as_full_ones(model, loss_of, x, y, micro_batch):
    """The last one may have fewer: weigh each by len(rows) / len(x)."""
    _check(x, micro_batch)
    model.zero_grad()
    return _run(model, loss_of, _parts(x, y, micro_batch), lambda rows: micro_batch / len(x))


@believes("Without weights, the gradients add up to that of the batch", about="accumulate_gradients")
def weighs_nothing(model, loss_of, x, y, micro_batch):
    """They add up to a sum, and the loss is a mean: weigh each by len(rows) / len(x)."""
    _check(x, micro_batch)
    model.zero_grad()
    return _run(model, loss_of, _parts(x, y, micro_batch), lambda rows: 1)


@believes("Without weights, the gradients add up to that of the batch", about="accumulate_gradients")
def weighs_losses_alone(model, loss_of, x, y, micro_batch):
    """They add up to a sum, and the loss is a mean: weigh each by len(rows) / len(x)."""
    _check(x, micro_batch)
    model.zero_grad()
    total = 0.0
    for rows, targets in _parts(x, y, micro_batch):
        loss = loss_of(model(rows), targets)
        loss.backward()
        total += loss.item() * len(rows)
    return total / len(x)


@believes("A micro-batch is divided by its rows", about="accumulate_gradients")
def divides_by_the_rows(model, loss_of, x, y, micro_batch):
    """loss_of has divided by them already: multiply by the rows, and divide by those of the batch."""
    _check(x, micro_batch)
    model.zero_grad()
    return _run(model, loss_of, _parts(x, y, micro_batch), lambda rows: 1 / len(x))


@believes("Only the gradients are weighted by rows", about="accumulate_gradients")
def returns_the_mean_of_the_losses(model, loss_of, x, y, micro_batch):
    """The loss of the batch weights each micro-batch by its rows as well."""
    _check(x, micro_batch)
    model.zero_grad()
    losses = []
    for rows, targets in _parts(x, y, micro_batch):
        loss = loss_of(model(rows), targets)
        (loss * (len(rows) / len(x))).backward()
        losses.append(loss.item())
    return sum(losses) / len(losses)


@believes("The last loss is that of the batch", about="accumulate_gradients")
def returns_the_last_loss(model, loss_of, x, y, micro_batch):
    """The last loss is that of the last rows alone: add all of them up, weighted by their rows."""
    _check(x, micro_batch)
    model.zero_grad()
    loss = torch.zeros(())
    for rows, targets in _parts(x, y, micro_batch):
        loss = loss_of(model(rows), targets)
        (loss * (len(rows) / len(x))).backward()
    return loss.item()


@believes("The sum of the losses is that of the batch", about="accumulate_gradients")
def returns_the_sum_of_the_losses(model, loss_of, x, y, micro_batch):
    """Each is a mean over its rows: add them up by their share of all rows."""
    _check(x, micro_batch)
    model.zero_grad()
    total = 0.0
    for rows, targets in _parts(x, y, micro_batch):
        loss = loss_of(model(rows), targets)
        (loss * (len(rows) / len(x))).backward()
        total += loss.item()
    return total


@believes("There are no gradients before the call", about="accumulate_gradients")
def keeps_old_gradients(model, loss_of, x, y, micro_batch):
    """backward adds to the gradients that are there: begin with zero_grad."""
    _check(x, micro_batch)
    return _run(model, loss_of, _parts(x, y, micro_batch), lambda rows: rows / len(x))


@believes("A gradient of 0 is as good as none", about="accumulate_gradients")
def leaves_zeros(model, loss_of, x, y, micro_batch):
    """AdamW decays a parameter whose gradient is 0, and leaves one alone that has none: set it to None."""
    _check(x, micro_batch)
    model.zero_grad(set_to_none=False)
    return _run(model, loss_of, _parts(x, y, micro_batch), lambda rows: rows / len(x))


@believes("Every parameter has a gradient after a backward pass", about="accumulate_gradients")
def fills_up_with_zeros(model, loss_of, x, y, micro_batch):
    """One that is frozen or not used has none, and stays None."""
    loss = solved.accumulate_gradients(model, loss_of, x, y, micro_batch)
    for p in model.parameters():
        p.grad = torch.zeros_like(p) if p.grad is None else p.grad
    return loss


@believes("What is frozen keeps its gradient", about="accumulate_gradients")
def clears_what_is_trained(model, loss_of, x, y, micro_batch):
    """A gradient that a frozen parameter had before is gone as well, as it is after model.zero_grad()."""
    _check(x, micro_batch)
    for p in model.parameters():
        if p.requires_grad:
            p.grad = None
    return _run(model, loss_of, _parts(x, y, micro_batch), lambda rows: rows / len(x))


@believes("Each micro-batch begins with zero_grad", about="accumulate_gradients")
def clears_each_time(model, loss_of, x, y, micro_batch):
    """Then only the last one is left: clear once, before the first."""
    _check(x, micro_batch)
    total = 0.0
    for rows, targets in _parts(x, y, micro_batch):
        model.zero_grad()
        loss = loss_of(model(rows), targets) * (len(rows) / len(x))
        loss.backward()
        total += loss.item()
    return total


_begun: weakref.WeakSet[nn.Module] = weakref.WeakSet()


@believes("Gradients are cleared once, before the first batch of all", about="accumulate_gradients")
def clears_at_the_first_call(model, loss_of, x, y, micro_batch):
    """Those of the batch before are there in each later call: clear them in every one."""
    _check(x, micro_batch)
    if model not in _begun:
        model.zero_grad()
    _begun.add(model)
    return _run(model, loss_of, _parts(x, y, micro_batch), lambda rows: rows / len(x))


@believes("Accumulating is a part of training, and so the model is in training mode", about="accumulate_gradients")
def trains_the_model(model, loss_of, x, y, micro_batch):
    """Each module stays in its mode, a frozen norm too: whoever calls this has chosen it."""
    return solved.accumulate_gradients(model.train(), loss_of, x, y, micro_batch)


@believes("Only in eval mode are the parts of a batch the same as the whole", about="accumulate_gradients")
def accumulates_in_eval_mode(model, loss_of, x, y, micro_batch):
    """Dropout and norms belong to training: each module stays in its mode, also while the rows go through."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        return solved.accumulate_gradients(model, loss_of, x, y, micro_batch)
    finally:
        for module, mode in modes:
            module.training = mode


@believes("Each row is a vector", about="accumulate_gradients")
def flattens_the_rows(model, loss_of, x, y, micro_batch):
    """It may have any shape, and the model needs that one: cut along the first dimension, and leave the others."""
    return solved.accumulate_gradients(model, loss_of, x.flatten(1), y, micro_batch)


@believes("The rows lie one behind the other in memory", about="accumulate_gradients")
def views_the_rows(model, loss_of, x, y, micro_batch):
    """They need not: view() raises a RuntimeError then. split() cuts any tensor along its first dimension."""
    _check(x, micro_batch)
    return solved.accumulate_gradients(model, loss_of, x.view(-1).view(x.shape), y, micro_batch)


@believes("x.shape[-2] is the number of rows", about="accumulate_gradients")
def counts_the_last_dimension_but_one(model, loss_of, x, y, micro_batch):
    """Rows may have several dimensions themselves: len(x) is their number."""
    _check(x, micro_batch)
    model.zero_grad()
    total = 0.0
    for rows, targets in _parts(x, y, micro_batch):
        loss = loss_of(model(rows), targets) * (rows.shape[-2] / x.shape[-2])
        loss.backward()
        total += loss.item()
    return total


@believes("One backward at the end does for all", about="accumulate_gradients")
def goes_backward_at_the_end(model, loss_of, x, y, micro_batch):
    """Until then the graphs of all micro-batches are held, and no memory is saved: go backward after each."""
    _check(x, micro_batch)
    model.zero_grad()
    losses = [loss_of(model(rows), targets) * (len(rows) / len(x)) for rows, targets in _parts(x, y, micro_batch)]
    total = sum(losses)
    total.backward()
    return total.item()


@believes("Where several backward passes run, each needs retain_graph=True", about="accumulate_gradients")
def retains_each_graph(model, loss_of, x, y, micro_batch):
    """Each micro-batch has a graph of its own. A graph that is retained keeps its activations: leave that out."""
    _check(x, micro_batch)
    model.zero_grad()
    losses = []
    for rows, targets in _parts(x, y, micro_batch):
        loss = loss_of(model(rows), targets) * (len(rows) / len(x))
        loss.backward(retain_graph=True)
        losses.append(loss)
    return sum(losses).item()


@believes("Where several backward passes run, each needs retain_graph=True", about="accumulate_gradients")
def retains_the_graph_before(model, loss_of, x, y, micro_batch):
    """Each micro-batch has a graph of its own. A graph that is retained keeps its activations: leave that out."""
    _check(x, micro_batch)
    model.zero_grad()
    total = 0.0
    for rows, targets in _parts(x, y, micro_batch):
        loss = loss_of(model(rows), targets) * (len(rows) / len(x))
        loss.backward(retain_graph=True)
        total += loss.item()
    return total


@believes("To save memory, each forward is run again in the backward pass", about="accumulate_gradients")
def goes_forward_again_in_the_backward_pass(model, loss_of, x, y, micro_batch):
    """Micro-batches bound the memory already. Checkpointing sends each row through again: call model(rows) itself."""
    _check(x, micro_batch)
    model.zero_grad()
    again = partial(checkpoint, model, use_reentrant=False)
    return _run(again, loss_of, _parts(x, y, micro_batch), lambda rows: rows / len(x))


@believes("Each module has its own parameters", about="accumulate_gradients")
def divides_in_each_module(model, loss_of, x, y, micro_batch):
    """Two modules may share one, whose gradient is divided twice then: model.parameters() gives each once."""
    _check(x, micro_batch)
    model.zero_grad()
    total = _run(model, loss_of, _parts(x, y, micro_batch), lambda rows: rows)
    for module in model.modules():
        for p in module.parameters(recurse=False):
            if p.grad is not None:
                p.grad /= len(x)
    return total / len(x)


@believes("Backward passes need inputs that require a gradient", about="accumulate_gradients")
def asks_for_gradients_of_the_inputs(model, loss_of, x, y, micro_batch):
    """The parameters are enough. This x belongs to the caller, and x.grad takes as much memory as x itself."""
    _check(x, micro_batch)
    return solved.accumulate_gradients(model, loss_of, x.requires_grad_(), y, micro_batch)


@believes("Whatever comes, the gradients are cleared first", about="accumulate_gradients")
def clears_before_it_checks(model, loss_of, x, y, micro_batch):
    """A call that is refused leaves the gradients alone: check first."""
    model.zero_grad()
    return solved.accumulate_gradients(model, loss_of, x, y, micro_batch)


@believes("Only the gradients matter, however many rows go through at once", about="accumulate_gradients")
def takes_the_whole_batch(model, loss_of, x, y, micro_batch):
    """The whole batch does not fit: never more than micro_batch rows."""
    _check(x, micro_batch)
    model.zero_grad()
    loss = loss_of(model(x), y)
    loss.backward()
    return loss.item()


@believes("The loss of the batch needs one more forward, of the whole batch", about="accumulate_gradients")
def goes_forward_once_more(model, loss_of, x, y, micro_batch):
    """The whole batch does not fit, and the losses of the micro-batches already give that of the batch."""
    solved.accumulate_gradients(model, loss_of, x, y, micro_batch)
    with torch.no_grad():
        return loss_of(model(x), y).item()


@believes("The model is run on all rows, and only the loss is cut", about="accumulate_gradients")
def cuts_the_predictions(model, loss_of, x, y, micro_batch):
    """The activations of the model are what takes the memory: cut the rows before they go into it."""
    _check(x, micro_batch)
    model.zero_grad()
    prediction = model(x)
    total = 0.0
    for rows, targets in _parts(prediction, y, micro_batch):
        loss = loss_of(rows, targets) * (len(rows) / len(x))
        loss.backward(retain_graph=True)
        total += loss.item()
    return total


@believes("micro_batch is the number of parts", about="accumulate_gradients")
def takes_as_many_parts(model, loss_of, x, y, micro_batch):
    """micro_batch is the number of rows in each part."""
    _check(x, micro_batch)
    return solved.accumulate_gradients(model, loss_of, x, y, -(-len(x) // micro_batch))


@believes("A batch is a whole number of micro-batches", about="accumulate_gradients")
def drops_the_rest(model, loss_of, x, y, micro_batch):
    """The last one may be smaller, and its rows count too."""
    _check(x, micro_batch)
    count = max(min(len(x), micro_batch), len(x) // micro_batch * micro_batch)
    return solved.accumulate_gradients(model, loss_of, x[:count], y[:count], micro_batch)


@believes("len(x) has to be a multiple of micro_batch", about="accumulate_gradients")
def refuses_a_rest(model, loss_of, x, y, micro_batch):
    """The last micro-batch may be smaller."""
    if micro_batch < 1 or len(x) % micro_batch:
        raise ValueError(micro_batch)
    return solved.accumulate_gradients(model, loss_of, x, y, micro_batch)


@believes("micro_batch is no larger than the batch", about="accumulate_gradients")
def refuses_too_large_a_part(model, loss_of, x, y, micro_batch):
    """micro_batch is an upper limit: where it is larger, the whole batch goes through at once."""
    if micro_batch > len(x):
        raise ValueError(micro_batch)
    return solved.accumulate_gradients(model, loss_of, x, y, micro_batch)


@believes("micro_batch 0 means all at once", about="accumulate_gradients")
def takes_0_for_all(model, loss_of, x, y, micro_batch):
    """None means that in `train`; here a micro_batch of 0 is a mistake: raise ValueError."""
    return solved.accumulate_gradients(model, loss_of, x, y, len(x) if micro_batch == 0 else micro_batch)


@believes("A micro_batch below 1 means one row at a time", about="accumulate_gradients")
def takes_a_row_at_least(model, loss_of, x, y, micro_batch):
    """It is a mistake in the settings: raise ValueError."""
    return solved.accumulate_gradients(model, loss_of, x, y, max(1, micro_batch))


@believes("Without rows the loss is 0", about="accumulate_gradients")
def gives_0_for_no_rows(model, loss_of, x, y, micro_batch):
    """No rows have no mean: raise ValueError."""
    return solved.accumulate_gradients(model, loss_of, x, y, micro_batch) if len(x) else 0.0


@believes("The loss is returned as a tensor", about="accumulate_gradients")
def returns_a_tensor(model, loss_of, x, y, micro_batch):
    """The result is a Python float: use .item() for each loss, so that no graph is held either."""
    return torch.tensor(solved.accumulate_gradients(model, loss_of, x, y, micro_batch), dtype=torch.float64)
