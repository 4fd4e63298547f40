"""Wrong answers that people give to kata 18 about the gradient of all samples."""

import weakref

import torch
from torch import nn

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


def _weighed(comm, p, samples):
    """Return samples · grad, or zeros if there is no gradient or no sample."""
    return torch.zeros_like(p) if p.grad is None or not samples else p.grad * samples


def _has(comm, p, samples):
    return p.grad is not None and samples > 0


def _total(comm, samples):
    return solved.all_reduce(comm, torch.tensor(samples))


def _learning(model):
    return [parameter for parameter in model.parameters() if parameter.requires_grad]


def _averaging(
    which=_learning,
    weighed=_weighed,
    has=_has,
    divisor=lambda comm, p, samples: _total(comm, samples),
    take=lambda comm, p, mean, some: mean if some else None,
):
    """Make a right average out of parts: each wrong answer replaces one of them."""

    def average_gradients(comm, model, samples):
        with torch.no_grad():
            for p in which(model):
                some = solved.all_reduce(comm, torch.tensor(int(has(comm, p, samples))))
                total = solved.all_reduce(comm, weighed(comm, p, samples).to(p.dtype))
                p.grad = take(comm, p, total / divisor(comm, p, samples), some)

    return average_gradients


@believes("The average is the mean over the ranks", about="average_gradients")
def averages_means(comm, model, samples):
    """That is so only if all ranks have equally many samples: weight each gradient by its samples."""

    def weighed(comm, p, samples):
        return torch.zeros_like(p) if p.grad is None or not samples else p.grad

    _averaging(weighed=weighed, divisor=lambda comm, p, samples: comm.size)(comm, model, samples)


@believes("The average is the mean over the ranks that have samples", about="average_gradients")
def averages_means_of_some(comm, model, samples):
    """A rank with 3 samples counts three times as much as one with 1: weight each by its samples."""

    def weighed(comm, p, samples):
        return torch.zeros_like(p) if p.grad is None or not samples else p.grad

    _averaging(weighed=weighed, divisor=lambda comm, p, samples: _total(comm, int(samples > 0)))(comm, model, samples)


@believes("Gradients are only summed", about="average_gradients")
def adds_gradients_up(comm, model, samples):
    """Each is the gradient of a mean: weight them by samples, and divide by the number of all samples."""

    def weighed(comm, p, samples):
        return torch.zeros_like(p) if p.grad is None or not samples else p.grad

    _averaging(weighed=weighed, divisor=lambda comm, p, samples: 1)(comm, model, samples)


@believes("The weighted sum is divided by the number of ranks", about="average_gradients")
def divides_by_ranks(comm, model, samples):
    """It is divided by the number of all samples, so that the weights add up to 1."""
    _averaging(divisor=lambda comm, p, samples: comm.size)(comm, model, samples)


@believes("The weighted sum need not be divided", about="average_gradients")
def never_divides(comm, model, samples):
    """It is divided by the number of all samples."""
    _averaging(divisor=lambda comm, p, samples: 1)(comm, model, samples)


@believes("Samples of ranks whose .grad is None do not count", about="average_gradients")
def counts_those_that_use_it(comm, model, samples):
    """Their loss does not depend on the parameter, but belongs to the mean: divide by all samples."""

    def divisor(comm, p, samples):
        return _total(comm, samples if p.grad is not None else 0).clamp(min=1)

    _averaging(divisor=divisor)(comm, model, samples)


@believes("0 times anything is 0", about="average_gradients")
def multiplies_by_no_samples(comm, model, samples):
    """0 · NaN and 0 · inf are NaN: a rank without samples has to add zeros, whatever its .grad holds."""

    def weighed(comm, p, samples):
        return torch.zeros_like(p) if p.grad is None else p.grad * samples

    _averaging(weighed=weighed)(comm, model, samples)


@believes("NaN counts as 0", about="average_gradients")
def takes_nan_for_0(comm, model, samples):
    """NaN of a rank with samples makes the average NaN."""

    def weighed(comm, p, samples):
        return torch.zeros_like(p) if p.grad is None else (p.grad * samples).nan_to_num()

    _averaging(weighed=weighed)(comm, model, samples)


@believes("All ranks have as many samples as this one", about="average_gradients")
def multiplies_its_own_samples(comm, model, samples):
    """They may have more or fewer: sum the numbers of samples over the ranks."""
    _averaging(divisor=lambda comm, p, samples: max(samples, 1) * comm.size)(comm, model, samples)


@believes("A rank without samples counts as one sample", about="average_gradients")
def weighs_no_samples_as_one(comm, model, samples):
    """Its .grad may hold anything: it adds zeros, and no samples."""
    solved.average_gradients(comm, model, max(samples, 1))


@believes("A rank whose .grad is None may skip the parameter", about="average_gradients")
def passes_over_none(comm, model, samples):
    """Others may have a gradient, and wait for this rank: it adds zeros, and gets the average."""
    _averaging(which=lambda model: [p for p in model.parameters() if p.grad is not None and p.requires_grad])(
        comm, model, samples
    )


@believes("A rank whose .grad is None keeps None", about="average_gradients")
def leaves_none(comm, model, samples):
    """Its optimizer would not move the parameter, and the models would differ: it gets the average."""
    _averaging(take=lambda comm, p, mean, some: mean if some and p.grad is not None else None)(comm, model, samples)


@believes("A parameter that no rank uses gets zeros", about="average_gradients")
def makes_zeros_of_none(comm, model, samples):
    """It stays None: with zeros, momentum and weight decay would move it."""
    _averaging(take=lambda comm, p, mean, some: mean)(comm, model, samples)


@believes("A rank without samples keeps its .grad", about="average_gradients")
def keeps_what_it_held(comm, model, samples):
    """It takes the same step as the others, and needs the same average."""
    _averaging(take=lambda comm, p, mean, some: (mean if some else None) if samples else p.grad)(comm, model, samples)


@believes("A rank without samples need not take part", about="average_gradients")
def leaves_without_samples(comm, model, samples):
    """The others wait for its messages, and it also needs the average."""
    if samples:
        solved.average_gradients(comm, model, samples)


@believes("Only rank 0 needs the average", about="average_gradients")
def averages_at_rank_0(comm, model, samples):
    """Every rank takes the step on its own model: all need it."""
    before = [p.grad for p in model.parameters()]
    solved.average_gradients(comm, model, samples)
    for p, grad in zip(model.parameters(), before, strict=True):
        p.grad = grad if comm.rank else p.grad


@believes("Gradients of frozen parameters are also averaged", about="average_gradients")
def averages_frozen_ones(comm, model, samples):
    """They keep their .grad as it is."""
    _averaging(which=lambda model: model.parameters())(comm, model, samples)


@believes("Frozen parameters get None", about="average_gradients")
def clears_frozen_ones(comm, model, samples):
    """They keep their .grad as it is."""
    solved.average_gradients(comm, model, samples)
    for p in model.parameters():
        if not p.requires_grad:
            p.grad = None


@believes("Parameters are also averaged", about="average_gradients")
def averages_parameters(comm, model, samples):
    """No parameter changes here: only the gradients do."""
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(solved.all_reduce(comm, p * samples) / _total(comm, samples))


@believes("The step is also taken", about="average_gradients")
def makes_a_step(comm, model, samples):
    """The optimizer takes it later: no parameter changes here."""
    solved.average_gradients(comm, model, samples)
    with torch.no_grad():
        for p in model.parameters():
            if p.grad is not None and p.requires_grad:
                p -= p.grad


@believes("Gradients may be sent in float32", about="average_gradients")
def rounds_gradients(comm, model, samples):
    """Then a float64 loses half of its digits."""
    solved.average_gradients(comm, model, samples)
    for p in model.parameters():
        if p.grad is not None and p.requires_grad:
            p.grad = p.grad.float().to(p.dtype)


_totals: weakref.WeakKeyDictionary[nn.Module, torch.Tensor] = weakref.WeakKeyDictionary()


@believes("The ranks together have as many samples in each step as in the first", about="average_gradients")
def counts_samples_once(comm, model, samples):
    """The last batch of an epoch may be smaller: sum the numbers of samples in each call."""
    if model not in _totals:
        _totals[model] = _total(comm, samples)
    _averaging(divisor=lambda comm, p, samples: _totals[model])(comm, model, samples)


_used: weakref.WeakKeyDictionary[nn.Module, list[bool]] = weakref.WeakKeyDictionary()


@believes("Each step uses the parameters that the first one used", about="average_gradients")
def notes_what_is_used_once(comm, model, samples):
    """Another step may use others: find out in each call which of them have a gradient somewhere."""
    if model not in _used:
        has = [int(_has(comm, p, samples)) for p in _learning(model)]
        _used[model] = solved.all_reduce(comm, torch.tensor(has)).bool().tolist()
    some = iter(_used[model])
    _averaging(take=lambda comm, p, mean, _: mean if next(some) else None)(comm, model, samples)


@believes("A flag for each parameter fits into one int64", about="average_gradients")
def packs_its_flags(comm, model, samples):
    """It has 64 bits, and a model may have more parameters: send a number for each."""
    learning = _learning(model)
    flags = sum(1 << place for place, p in enumerate(learning[:62]) if _has(comm, p, samples))
    every = solved.all_gather(comm, torch.tensor([flags])).tolist()
    some = iter([any(one >> place & 1 for one in every) for place in range(len(learning))])
    _averaging(take=lambda comm, p, mean, _: mean if next(some) else None)(comm, model, samples)


@believes("A float32 can hold every number of samples", about="average_gradients")
def counts_samples_in_float32(comm, model, samples):
    """It holds whole numbers only up to 2**24, and float32 is the default of torch.tensor(1.0): count in int64."""
    total = solved.all_reduce(comm, torch.tensor(float(samples)))
    _averaging(divisor=lambda comm, p, samples: total)(comm, model, samples)


@believes("Every parameter has a dimension 0", about="average_gradients")
def cuts_parameters_along_dimension_0(comm, model, samples):
    """One of shape () has none: use all_reduce, or flatten the gradient first."""
    total = _total(comm, samples)
    with torch.no_grad():
        for p in _learning(model):
            some = solved.all_reduce(comm, torch.tensor(int(_has(comm, p, samples))))
            part = solved.reduce_scatter(comm, _weighed(comm, p, samples)) / total
            p.grad = solved.all_gather(comm, part) if some else None


_kept: weakref.WeakKeyDictionary[nn.Module, torch.Tensor] = weakref.WeakKeyDictionary()


@believes("Ranks that send no numbers have no gradient", about="average_gradients")
@torch.no_grad()
def sends_nothing_for_none(comm, model, samples):
    """A parameter may have no elements, and then neither has its gradient: send a flag that says if there is one."""
    total = _total(comm, samples)
    for p in _learning(model):
        mine = _weighed(comm, p, samples)[None] if _has(comm, p, samples) else torch.zeros(0, *p.shape, dtype=p.dtype)
        every = solved.all_gather(comm, mine)
        p.grad = every.sum(0) / total if every.numel() else None


@believes("Each module has parameters of its own", about="average_gradients")
@torch.no_grad()
def weighs_module_by_module(comm, model, samples):
    """A tied parameter would be weighted twice: model.parameters() has it only once."""
    total = _total(comm, samples)
    every = [p for module in model.modules() for p in module.parameters(recurse=False) if p.requires_grad]
    used = [solved.all_reduce(comm, torch.tensor(int(_has(comm, p, samples)))) for p in every]
    for p, some in zip(every, used, strict=True):
        p.grad = _weighed(comm, p, samples) / total if some else None
    for p, some in zip(every, used, strict=True):
        if some:
            p.grad = solved.all_reduce(comm, p.grad)


@believes("No gradient still lies in the bucket of the last call", about="average_gradients")
def empties_the_bucket_first(comm, model, samples):
    """The next backward writes into each .grad, a view of it: read all gradients before you zero the bucket."""
    learning = _learning(model)
    some = solved.all_reduce(comm, torch.tensor([int(_has(comm, p, samples)) for p in learning]))
    bucket = _kept.setdefault(model, torch.zeros(sum(p.numel() for p in learning), dtype=torch.float64))
    bucket.zero_()
    parts = [part.view_as(p) for p, part in zip(learning, bucket.split([p.numel() for p in learning]), strict=True)]
    with torch.no_grad():
        for p, part in zip(learning, parts, strict=True):
            part.copy_(_weighed(comm, p, samples))
        bucket.copy_(solved.all_reduce(comm, bucket) / _total(comm, samples))
    for p, part, used in zip(learning, parts, some, strict=True):
        p.grad = part if used else None
