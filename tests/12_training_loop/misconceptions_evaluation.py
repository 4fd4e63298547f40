"""Wrong answers that people give to kata 12 about evaluation."""

import contextlib
import math

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("12_training_loop")

# evaluate


def _mean(model, loss_of, batches):
    """What is right of it, without a mode and with gradients as they are."""
    total, count = 0.0, 0
    for x, y in batches:
        total += loss_of(model(x), y).item() * len(x)
        count += len(x)
    if count == 0:
        raise ValueError
    return total / count


@contextlib.contextmanager
def _in_eval(model):
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        yield
    finally:
        for module, mode in modes.items():
            module.training = mode


@believes("The mean of the batches' losses is that of the rows", about="evaluate")
def takes_a_mean_of_the_batches(model, loss_of, batches):
    """A small batch would weigh as much as a large one: weigh each by its rows."""
    with _in_eval(model), torch.no_grad():
        losses = [loss_of(model(x), y).item() for x, y in batches]
    if not losses:
        raise ValueError
    return sum(losses) / len(losses)


@believes("The mean loss is that of the last batch", about="evaluate")
def takes_the_last_batch(model, loss_of, batches):
    """It is over the rows of all batches."""
    with _in_eval(model), torch.no_grad():
        losses = [loss_of(model(x), y).item() for x, y in batches]
    if not losses:
        raise ValueError
    return losses[-1]


@believes("An evaluation is the sum of its losses", about="evaluate")
def sums_over_the_rows(model, loss_of, batches):
    """It would grow with the data: divide by the rows."""
    batches = list(batches)
    return solved.evaluate(model, loss_of, batches) * sum(len(x) for x, _ in batches)


@believes("Without gradients a model is in eval mode", about="evaluate")
def forgets_eval_mode(model, loss_of, batches):
    """Dropout and batch norm ask for the mode, and not for gradients."""
    with torch.no_grad():
        return _mean(model, loss_of, batches)


@believes("In eval mode there are no gradients", about="evaluate")
def leaves_gradients_on(model, loss_of, batches):
    """The graph of each batch is recorded all the same: use torch.no_grad()."""
    with _in_eval(model):
        return _mean(model, loss_of, batches)


@believes("eval() on the model is enough, and train() is the next step's affair", about="evaluate")
def leaves_it_in_eval_mode(model, loss_of, batches):
    """Whoever was in training goes on without dropout: put each module back."""
    model.eval()
    with torch.no_grad():
        return _mean(model, loss_of, batches)


@believes("After an evaluation comes training", about="evaluate")
def leaves_it_in_training_mode(model, loss_of, batches):
    """A model that was in eval mode would wake up, and frozen norms with it: put each module back."""
    model.eval()
    try:
        with torch.no_grad():
            return _mean(model, loss_of, batches)
    finally:
        model.train()


@believes("The model's mode is that of all its modules", about="evaluate")
def keeps_one_mode(model, loss_of, batches):
    """A norm that was frozen in eval mode would wake up: keep the mode of each module."""
    before = model.training
    model.eval()
    try:
        with torch.no_grad():
            return _mean(model, loss_of, batches)
    finally:
        model.train(before)


@believes("A model in eval mode has all its modules there", about="evaluate")
def looks_at_the_model_alone(model, loss_of, batches):
    """One of them may be in training mode all the same: put each into eval mode, whatever the model says."""
    if model.training:
        return solved.evaluate(model, loss_of, batches)
    with torch.no_grad():
        return _mean(model, loss_of, batches)


@believes("A model does not raise", about="evaluate")
def sets_back_at_the_end_alone(model, loss_of, batches):
    """Where it does, nothing behind the loop runs: use try and finally."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    with torch.no_grad():
        mean = _mean(model, loss_of, batches)
    for module, mode in modes.items():
        module.training = mode
    return mean


@believes("A batch that raises is left out", about="evaluate")
def leaves_out_what_raises(model, loss_of, batches):
    """A mean of what happened to work tells nothing: let it through."""
    losses, rows = [], []
    with _in_eval(model), torch.no_grad():
        for x, y in batches:
            with contextlib.suppress(Exception):
                losses.append(loss_of(model(x), y).item() * len(x))
                rows.append(len(x))
    if not rows:
        raise ValueError
    return sum(losses) / sum(rows)


@believes("Gradients were on before, so they are on afterwards", about="evaluate")
def turns_gradients_on(model, loss_of, batches):
    """Whoever had turned them off finds them on: use torch.no_grad(), which puts back what was."""
    torch.set_grad_enabled(False)
    try:
        with _in_eval(model):
            return _mean(model, loss_of, batches)
    finally:
        torch.set_grad_enabled(True)


@believes("Gradients are turned on again by whoever needs them", about="evaluate")
def leaves_gradients_off(model, loss_of, batches):
    """The next backward would fail: use torch.no_grad(), which puts back what was."""
    torch.set_grad_enabled(False)
    with _in_eval(model):
        return _mean(model, loss_of, batches)


@believes("An evaluation begins with zero_grad", about="evaluate")
def clears_the_gradients(model, loss_of, batches):
    """Somebody may be accumulating them: leave them alone."""
    model.zero_grad()
    return solved.evaluate(model, loss_of, batches)


@believes("An evaluation is seeded, so that it can be repeated", about="evaluate")
def seeds_the_evaluation(model, loss_of, batches):
    """In eval mode nothing is drawn, and training would go on from your seed: leave the random states alone."""
    torch.manual_seed(0)
    return solved.evaluate(model, loss_of, batches)


@believes("Batches can be gone through twice", about="evaluate")
def counts_first(model, loss_of, batches):
    """A generator is empty after the first time: count the rows on the way."""
    count = sum(len(x) for x, _ in batches)
    if count == 0:
        raise ValueError
    with _in_eval(model), torch.no_grad():
        return sum(loss_of(model(x), y).item() * len(x) for x, y in batches) / count


@believes("Batches have a length", about="evaluate")
def asks_for_the_length(model, loss_of, batches):
    """A generator has none: count on the way."""
    if len(batches) == 0:
        raise ValueError
    return solved.evaluate(model, loss_of, batches)


@believes("No batches have the loss 0", about="evaluate")
def gives_0_for_no_batches(model, loss_of, batches):
    """No rows have no mean, and 0 would be the best of all losses: raise ValueError."""
    try:
        return solved.evaluate(model, loss_of, batches)
    except ValueError:
        return 0.0


@believes("No batches have the loss nan", about="evaluate")
def gives_nan_for_no_batches(model, loss_of, batches):
    """nan goes on silently into whatever is computed next: raise ValueError."""
    try:
        return solved.evaluate(model, loss_of, batches)
    except ValueError:
        return math.nan


@believes("Division by 0 says enough of no batches", about="evaluate")
def divides_by_no_rows(model, loss_of, batches):
    """Who catches a ValueError catches no ZeroDivisionError: check first."""
    try:
        return solved.evaluate(model, loss_of, batches)
    except ValueError:
        raise ZeroDivisionError from None


@believes("A loss is told as a tensor", about="evaluate")
def returns_the_mean_as_a_tensor(model, loss_of, batches):
    """A float is asked for: .item()."""
    return torch.tensor(solved.evaluate(model, loss_of, batches), dtype=torch.float64)
