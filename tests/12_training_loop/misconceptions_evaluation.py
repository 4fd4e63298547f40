"""Wrong answers that people give to kata 12 about evaluation."""

import contextlib
import copy
import math
import weakref

import torch
from torch import nn

from dojo.judging.diagnose import believes, solution

solved = solution("12_training_loop")

# evaluate


def _sums(model, loss_of, batches):
    """The sum of the losses of all rows, and their number, without a mode and with gradients as they are."""
    total, count = 0.0, 0
    for x, y in batches:
        total += loss_of(model(x), y).item() * len(x)
        count += len(x)
    return total, count


def _divided(total, count):
    if count == 0:
        raise ValueError
    return total / count


def _mean(model, loss_of, batches):
    return _divided(*_sums(model, loss_of, batches))


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
    """The mean is over the rows of all batches."""
    with _in_eval(model), torch.no_grad():
        losses = [loss_of(model(x), y).item() for x, y in batches]
    if not losses:
        raise ValueError
    return losses[-1]


@believes("The result is the sum of the losses", about="evaluate")
def sums_over_the_rows(model, loss_of, batches):
    """A sum would grow with the data: divide by the number of rows."""
    batches = list(batches)
    return solved.evaluate(model, loss_of, batches) * sum(len(x) for x, _ in batches)


@believes("Without gradients a model is in eval mode", about="evaluate")
def forgets_eval_mode(model, loss_of, batches):
    """Dropout and batch norm look at the mode, not at whether gradients are on: call eval()."""
    with torch.no_grad():
        return _mean(model, loss_of, batches)


@believes("In eval mode there are no gradients", about="evaluate")
def leaves_gradients_on(model, loss_of, batches):
    """The graph of each batch is recorded all the same: use torch.no_grad()."""
    with _in_eval(model):
        return _mean(model, loss_of, batches)


@believes("A model may be left in eval mode", about="evaluate")
def leaves_it_in_eval_mode(model, loss_of, batches):
    """Training would go on without dropout: put each module back into the mode it was in."""
    model.eval()
    with torch.no_grad():
        return _mean(model, loss_of, batches)


@believes("After an evaluation comes training", about="evaluate")
def leaves_it_in_training_mode(model, loss_of, batches):
    """A model that was in eval mode, or a frozen norm, would be switched to training: put each module back."""
    model.eval()
    try:
        with torch.no_grad():
            return _mean(model, loss_of, batches)
    finally:
        model.train()


@believes("The model's mode is that of all its modules", about="evaluate")
def keeps_one_mode(model, loss_of, batches):
    """A norm that was frozen in eval mode would be switched to training: keep the mode of each module."""
    before = model.training
    model.eval()
    try:
        with torch.no_grad():
            return _mean(model, loss_of, batches)
    finally:
        model.train(before)


@believes("If a model is in eval mode, all its modules are", about="evaluate")
def looks_at_the_model_alone(model, loss_of, batches):
    """A module in it may still be in training mode: put each into eval mode, whatever model.training says."""
    if model.training:
        return solved.evaluate(model, loss_of, batches)
    with torch.no_grad():
        return _mean(model, loss_of, batches)


@believes("The model does not raise", about="evaluate")
def sets_back_at_the_end_alone(model, loss_of, batches):
    """Where it does, the lines after the loop do not run: use try and finally."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    with torch.no_grad():
        sums = _sums(model, loss_of, batches)
    for module, mode in modes.items():
        module.training = mode
    return _divided(*sums)


@believes("Only the model can raise", about="evaluate")
def tries_the_model_alone(model, loss_of, batches):
    """loss_of and the batches may raise as well: put the whole loop into the try."""
    modes = {module: module.training for module in model.modules()}

    def set_back():
        for module, mode in modes.items():
            module.training = mode

    def tried(x):
        model.eval()
        try:
            return model(x)
        except BaseException:
            set_back()
            raise

    with torch.no_grad():
        sums = _sums(tried, loss_of, batches)
    set_back()
    return _divided(*sums)


@believes("Whatever yields the batches does not raise", about="evaluate")
def collects_the_batches_in_eval_mode(model, loss_of, batches):
    """They may come from a file that cannot be read: put the whole loop into the try."""
    modes = {module: module.training for module in model.modules()}
    model.eval()
    batches = list(batches)
    for module, mode in modes.items():
        module.training = mode
    return solved.evaluate(model, loss_of, batches)


@believes("An error of the same type is the same error", about="evaluate")
def raises_another_of_its_type(model, loss_of, batches):
    """What its message says would be lost: put the modes back in a finally, and let the error through."""
    try:
        return solved.evaluate(model, loss_of, batches)
    except ValueError:
        raise
    except BaseException as error:
        raise type(error)("evaluation failed") from error


@believes("A batch that raises is left out", about="evaluate")
def leaves_out_what_raises(model, loss_of, batches):
    """A mean over the batches that happened to work is misleading: let the error through."""
    losses, rows = [], []
    with _in_eval(model), torch.no_grad():
        for x, y in batches:
            with contextlib.suppress(Exception):
                losses.append(loss_of(model(x), y).item() * len(x))
                rows.append(len(x))
    if not rows:
        raise ValueError
    return sum(losses) / sum(rows)


@believes("A batch whose loss is nan can be left out", about="evaluate")
def drops_losses_of_nan(model, loss_of, batches):
    """A mean over the other batches hides that the model has diverged: the result is nan."""
    losses, rows = [0.0], [0]
    with _in_eval(model), torch.no_grad():
        for x, y in batches:
            loss = loss_of(model(x), y).item()
            losses.append(loss * len(x) if math.isfinite(loss) else 0.0)
            rows.append(len(x) if math.isfinite(loss) else 0)
    if len(rows) == 1:
        raise ValueError
    return sum(losses) / sum(rows) if sum(rows) else math.nan


@believes("Whatever goes wrong in an evaluation is a ValueError", about="evaluate")
def turns_errors_into_value_errors(model, loss_of, batches):
    """Whoever waits for the error of the model would miss it: let it through, and raise ValueError for no batches."""
    try:
        return solved.evaluate(model, loss_of, batches)
    except Exception as error:
        raise ValueError(f"cannot evaluate: {error}") from error


@believes("Whatever the model raises is an Exception", about="evaluate")
def sets_back_after_exceptions(model, loss_of, batches):
    """A KeyboardInterrupt is none, and stops many an evaluation: put the modes back in a finally."""
    modes = {module: module.training for module in model.modules()}

    def set_back():
        for module, mode in modes.items():
            module.training = mode

    model.eval()
    try:
        with torch.no_grad():
            sums = _sums(model, loss_of, batches)
    except Exception:
        set_back()
        raise
    set_back()
    return _divided(*sums)


@believes("Gradients were enabled before, so they have to be enabled afterwards", about="evaluate")
def turns_gradients_on(model, loss_of, batches):
    """The caller may have disabled them: use torch.no_grad(), which restores what was before."""
    torch.set_grad_enabled(False)
    try:
        with _in_eval(model):
            return _mean(model, loss_of, batches)
    finally:
        torch.set_grad_enabled(True)


@believes("Gradients may stay disabled after an evaluation", about="evaluate")
def leaves_gradients_off(model, loss_of, batches):
    """The next backward would fail: use torch.no_grad(), which restores what was before."""
    torch.set_grad_enabled(False)
    with _in_eval(model):
        return _mean(model, loss_of, batches)


@believes("An evaluation begins with zero_grad", about="evaluate")
def clears_the_gradients(model, loss_of, batches):
    """The caller may be accumulating gradients: leave them as they are."""
    model.zero_grad()
    return solved.evaluate(model, loss_of, batches)


@believes("An evaluation is seeded, so that it can be repeated", about="evaluate")
def seeds_the_evaluation(model, loss_of, batches):
    """In eval mode nothing is drawn, and training would go on from that seed: leave the random states alone."""
    torch.manual_seed(0)
    return solved.evaluate(model, loss_of, batches)


@believes("Batches can be iterated over twice", about="evaluate")
def counts_first(model, loss_of, batches):
    """A generator is empty after the first time: count the rows in the same loop."""
    count = sum(len(x) for x, _ in batches)
    if count == 0:
        raise ValueError
    with _in_eval(model), torch.no_grad():
        return sum(loss_of(model(x), y).item() * len(x) for x, y in batches) / count


@believes("Batches have a length", about="evaluate")
def asks_for_the_length(model, loss_of, batches):
    """A generator has no length: count in the loop."""
    if len(batches) == 0:
        raise ValueError
    return solved.evaluate(model, loss_of, batches)


@believes("Without batches the loss is 0", about="evaluate")
def gives_0_for_no_batches(model, loss_of, batches):
    """Without rows there is no mean, and 0 would be the best loss of all: raise ValueError."""
    try:
        return solved.evaluate(model, loss_of, batches)
    except ValueError:
        return 0.0


@believes("Without batches the loss is nan", about="evaluate")
def gives_nan_for_no_batches(model, loss_of, batches):
    """nan goes on silently into whatever is computed next: raise ValueError."""
    try:
        return solved.evaluate(model, loss_of, batches)
    except ValueError:
        return math.nan


@believes("Without batches, a ZeroDivisionError will do", about="evaluate")
def divides_by_no_rows(model, loss_of, batches):
    """`except ValueError` does not catch a ZeroDivisionError: check first, and raise ValueError."""
    try:
        return solved.evaluate(model, loss_of, batches)
    except ValueError:
        raise ZeroDivisionError from None


@believes("The mean is returned as a tensor", about="evaluate")
def returns_the_mean_as_a_tensor(model, loss_of, batches):
    """The result is a Python float: use .item()."""
    return torch.tensor(solved.evaluate(model, loss_of, batches), dtype=torch.float64)


_copies: weakref.WeakKeyDictionary[nn.Module, nn.Module] = weakref.WeakKeyDictionary()


@believes("A copy of the model can be kept for later evaluations", about="evaluate")
def keeps_a_copy(model, loss_of, batches):
    """The model learns in between, and the copy does not: copy it in each call, or evaluate the model itself."""
    if model not in _copies:
        _copies[model] = copy.deepcopy(model)
    return solved.evaluate(_copies[model], loss_of, batches)


_modes: weakref.WeakKeyDictionary[nn.Module, list[bool]] = weakref.WeakKeyDictionary()


@believes("The modes of a model stay what they were at its first evaluation", about="evaluate")
def notes_the_modes_once(model, loss_of, batches):
    """They may change between two evaluations: note them in each call."""
    modes = _modes.setdefault(model, [module.training for module in model.modules()])
    try:
        return solved.evaluate(model, loss_of, batches)
    finally:
        for module, training in zip(model.modules(), modes, strict=True):
            module.training = training


@believes("Only the direct children of a model have modes of their own", about="evaluate")
def keeps_the_modes_of_the_children(model, loss_of, batches):
    """Modules inside them may have other modes too: note the mode of each of model.modules()."""
    training, modes = model.training, [(child, child.training) for child in model.children()]
    try:
        return solved.evaluate(model, loss_of, batches)
    finally:
        model.train(training)
        for child, mode in modes:
            child.train(mode)


@believes("Gradients are turned off by freezing the parameters", about="evaluate")
def freezes_and_thaws(model, loss_of, batches):
    """torch.no_grad() needs no change of the model. What was frozen before learns after this."""
    try:
        return solved.evaluate(model.requires_grad_(False), loss_of, batches)
    finally:
        model.requires_grad_(True)
