"""Right answers to kata 12 about accumulation, evaluation and training."""
# mypy: ignore-errors

import contextlib
import copy
import itertools
import math

import torch
from torch.utils.data import DataLoader, TensorDataset

from dojo.judging.diagnose import answers, solution

solved = solution("12_training_loop")

# accumulate_gradients


@answers("accumulate_gradients")
def accumulate_by_slices(model, loss_of, x, y, micro_batch):
    n = x.shape[0]
    if n == 0 or micro_batch <= 0:
        raise ValueError
    for p in model.parameters():
        p.grad = None
    total = 0.0
    for start in range(0, n, micro_batch):
        part = slice(start, min(start + micro_batch, n))
        loss = loss_of(model(x[part]), y[part])
        share = (part.stop - part.start) / n
        loss.backward(torch.full_like(loss, share))
        total += share * loss.item()
    return total


@answers("accumulate_gradients")
def accumulate_by_even_parts_backwards(model, loss_of, x, y, micro_batch):
    n = len(x)
    if micro_batch < 1 or n < 1:
        raise ValueError
    model.zero_grad(set_to_none=True)
    count = math.ceil(n / micro_batch)
    pairs = list(zip(x.tensor_split(count), y.tensor_split(count), strict=True))
    weighed = []
    for xs, ys in reversed(pairs):
        loss = len(xs) * loss_of(model(xs), ys)
        loss.backward()
        weighed.append(loss.detach())
    for p in model.parameters():
        if p.grad is not None:
            p.grad /= n
    return float(sum(weighed) / n)


@answers("accumulate_gradients")
def accumulate_by_asking_for_gradients(model, loss_of, x, y, micro_batch):
    if not (micro_batch > 0 and x.size(0) > 0):
        raise ValueError("nothing to do")
    learned = [p for p in model.parameters() if p.requires_grad]
    sums = [None] * len(learned)
    loss = 0.0
    for rows in torch.arange(len(x)).split(micro_batch):
        part = loss_of(model(x[rows]), y[rows]) / len(x) * len(rows)
        for place, grad in enumerate(torch.autograd.grad(part, learned, allow_unused=True)):
            if grad is not None:
                sums[place] = grad if sums[place] is None else sums[place] + grad
        loss += part.item()
    model.zero_grad()
    for p, grad in zip(learned, sums, strict=True):
        p.grad = grad
    return loss


@answers("accumulate_gradients")
def accumulate_row_by_row(model, loss_of, x, y, micro_batch):
    if micro_batch < 1 or not len(x):
        raise ValueError
    for p in model.parameters():
        p.grad = None
    losses = []
    for row in range(len(x)):
        loss = loss_of(model(x[row : row + 1]), y[row : row + 1])
        (loss / len(x)).backward()
        losses.append(loss.item())
    return math.fsum(losses) / len(x)


@answers("accumulate_gradients")
def accumulate_by_a_loader(model, loss_of, x, y, micro_batch):
    if micro_batch < 1 or not x.shape[0]:
        raise ValueError
    for p in model.parameters():
        p.grad = None
    total = torch.zeros((), dtype=torch.float64, device=x.device)
    for rows, targets in DataLoader(TensorDataset(x, y), micro_batch, shuffle=True):
        part = loss_of(model(rows), targets).mul(rows.size(0)).div(y.size(0))
        part.backward()
        total += part.detach()
    return total.item()


@answers("accumulate_gradients")
def accumulate_with_losses_at_hand(model, loss_of, x, y, micro_batch):
    if micro_batch < 1 or len(x) < 1:
        raise ValueError
    model.zero_grad()
    losses = []
    for place in range(0, len(x), micro_batch):
        prediction = model(x[place : place + micro_batch])
        losses.append(loss_of(prediction, y[place : place + micro_batch]) * (len(prediction) / len(x)))
        losses[-1].backward()
    return torch.stack(losses).sum().item()


# evaluate


@answers("evaluate")
def evaluate_a_copy(model, loss_of, batches):
    other = copy.deepcopy(model)
    other.eval()
    losses, sizes = [], []
    with torch.inference_mode():
        for x, y in batches:
            losses.append(float(loss_of(other(x), y)))
            sizes.append(x.shape[0])
    if not sizes:
        raise ValueError
    return math.fsum(loss * size for loss, size in zip(losses, sizes, strict=True)) / sum(sizes)


@answers("evaluate")
def evaluate_all_at_once(model, loss_of, batches):
    pairs = list(batches)
    if not pairs:
        raise ValueError("no batches")
    x, y = map(torch.cat, zip(*pairs, strict=True))
    modes = [(module, module.training) for module in model.modules()]
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    try:
        return loss_of(model.train(False)(x), y).item()
    finally:
        torch.set_grad_enabled(before)
        for module, mode in modes:
            module.train(mode)


@contextlib.contextmanager
def _quiet(model):
    trained = [module for module in model.modules() if module.training]
    for module in trained:
        module.training = False
    try:
        yield
    finally:
        for module in trained:
            module.training = True


@answers("evaluate")
@torch.no_grad()
def evaluate_by_a_context(model, loss_of, batches):
    mean, seen = torch.zeros((), dtype=torch.float64), 0
    with _quiet(model):
        for x, y in batches:
            seen += len(y)
            mean = mean.to(x.device) + (loss_of(model(x), y) - mean.to(x.device)) * len(y) / seen
    if seen == 0:
        raise ValueError
    return mean.item()


@answers("evaluate")
def evaluate_each_batch_by_itself(model, loss_of, batches):
    def one(pair):
        with _quiet(model), torch.no_grad():
            return loss_of(model(pair[0]), pair[1]).item(), len(pair[0])

    told = [one(pair) for pair in batches]
    try:
        return sum(loss * rows for loss, rows in told) / sum(rows for _, rows in told)
    except ZeroDivisionError:
        raise ValueError("no rows") from None


@answers("evaluate")
def evaluate_row_by_row(model, loss_of, batches):
    other = copy.deepcopy(model).eval().requires_grad_(False)
    losses = []
    with torch.set_grad_enabled(False):
        for x, y in iter(batches):
            losses += [loss_of(other(x[n : n + 1]), y[n : n + 1]).item() for n in range(len(x))]
    if not losses:
        raise ValueError
    return math.fsum(losses) / len(losses)


# train


@answers("train")
def train_by_hand(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    losses = []
    for x, y in batches:
        for module in model.modules():
            module.training = True
        optimizer.zero_grad(set_to_none=False)
        n = len(x)
        total = 0.0
        for start in range(0, n, micro_batch or n):
            rows = slice(start, start + (micro_batch or n))
            part = loss_of(model(x[rows]), y[rows]) * (len(x[rows]) / n)
            part.backward()
            total += part.item()
        grads = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        norm = torch.cat([grad.flatten() for grad in grads]).norm()
        if not (math.isfinite(total) and norm.isfinite()):
            raise FloatingPointError(f"not finite at step {len(losses)}: loss {total}, norm {norm}")
        if max_norm < norm + 1e-6:
            for grad in grads:
                grad *= max_norm / (norm + 1e-6)
        optimizer.step()
        if scheduler:
            scheduler.step()
        losses.append(total)
    return losses


@answers("train")
def train_by_an_iterator(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    losses = []
    batches = iter(batches)
    for step in itertools.count():
        batch = next(batches, None)
        if batch is None:
            return losses
        losses.append(_step(model, optimizer, loss_of, *batch, max_norm, micro_batch, step))
        if scheduler is not None:
            scheduler.step()


def _step(model, optimizer, loss_of, x, y, max_norm, micro_batch, step):
    loss = solved.accumulate_gradients(model.train(), loss_of, x, y, min(micro_batch or len(x), len(x)))
    parameters = [p for p in model.parameters() if p.grad is not None]
    if loss - loss != 0 or not all(p.grad.isfinite().all() for p in parameters):
        raise FloatingPointError(f"Stopped before step {step} was taken")
    norm = math.sqrt(sum(p.grad.square().sum().item() for p in parameters))
    for p in parameters:
        p.grad = p.grad * min(1.0, max_norm / (norm + 1e-6))
    optimizer.step()
    return loss


@answers("train")
def train_all_batches_at_hand(model, optimizer, loss_of, batches, max_norm=math.inf, scheduler=None, micro_batch=None):
    batches = list(batches)
    found = [math.nan] * len(batches)
    for step, (x, y) in enumerate(batches):
        model.train()
        model.zero_grad(set_to_none=True)
        if micro_batch is None:
            loss = loss_of(model(x), y)
            loss.backward()
            found[step] = loss.item()
        else:
            found[step] = solved.accumulate_gradients(model, loss_of, x, y, micro_batch)
        norm = solved.clip_gradients(iter(model.parameters()), max_norm)
        if math.isnan(norm) or math.isinf(norm) or math.isnan(found[step]) or math.isinf(found[step]):
            raise FloatingPointError(f"Step {step}: loss {found[step]}, norm {norm}")
        optimizer.step()
        _ = scheduler.step() if scheduler is not None else None
    return found
