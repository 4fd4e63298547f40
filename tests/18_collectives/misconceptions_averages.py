"""Wrong answers that people give to kata 18 about the gradient of all samples."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


def _weighed(comm, p, samples):
    """samples · grad, or zeros where there is none or no sample."""
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
    """The average in parts, right: each wrong answer replaces one of them."""

    def average_gradients(comm, model, samples):
        with torch.no_grad():
            for p in which(model):
                some = solved.all_reduce(comm, torch.tensor(int(has(comm, p, samples))))
                total = solved.all_reduce(comm, weighed(comm, p, samples).to(p.dtype))
                p.grad = take(comm, p, total / divisor(comm, p, samples), some)

    return average_gradients


@believes("The mean of means is the mean", about="average_gradients")
def averages_means(comm, model, samples):
    """Only where all ranks have as many samples: weigh each by its own."""

    def weighed(comm, p, samples):
        return torch.zeros_like(p) if p.grad is None or not samples else p.grad

    _averaging(weighed=weighed, divisor=lambda comm, p, samples: comm.size)(comm, model, samples)


@believes("The mean of the means of those that have samples is the mean", about="average_gradients")
def averages_means_of_some(comm, model, samples):
    """Not if one has 1 sample and another one 3: weigh each by its samples."""

    def weighed(comm, p, samples):
        return torch.zeros_like(p) if p.grad is None or not samples else p.grad

    _averaging(weighed=weighed, divisor=lambda comm, p, samples: _total(comm, int(samples > 0)))(comm, model, samples)


@believes("A gradient of many is the sum of theirs", about="average_gradients")
def adds_gradients_up(comm, model, samples):
    """Each is that of a mean: weigh them, and divide by all samples."""

    def weighed(comm, p, samples):
        return torch.zeros_like(p) if p.grad is None or not samples else p.grad

    _averaging(weighed=weighed, divisor=lambda comm, p, samples: 1)(comm, model, samples)


@believes("Weighed by samples, they are divided by ranks", about="average_gradients")
def divides_by_ranks(comm, model, samples):
    """By the number of all samples, which makes the weights add up to 1."""
    _averaging(divisor=lambda comm, p, samples: comm.size)(comm, model, samples)


@believes("The weights need not add up to 1", about="average_gradients")
def never_divides(comm, model, samples):
    """The gradient of a mean is divided by the number of all samples."""
    _averaging(divisor=lambda comm, p, samples: 1)(comm, model, samples)


@believes("Samples of ranks that do not use a parameter do not count for it", about="average_gradients")
def counts_those_that_use_it(comm, model, samples):
    """Their loss does not depend on it, but is a part of the mean: divide by all samples."""

    def divisor(comm, p, samples):
        return _total(comm, samples if p.grad is not None else 0).clamp(min=1)

    _averaging(divisor=divisor)(comm, model, samples)


@believes("0 times anything is 0", about="average_gradients")
def multiplies_by_no_samples(comm, model, samples):
    """0 · NaN is NaN: a rank without samples adds zeros, whatever it holds."""

    def weighed(comm, p, samples):
        return torch.zeros_like(p) if p.grad is None else p.grad * samples

    _averaging(weighed=weighed)(comm, model, samples)


@believes("NaN counts as 0", about="average_gradients")
def takes_nan_for_0(comm, model, samples):
    """NaN of a rank with samples makes the average NaN, so that all ranks see that a loss has failed."""

    def weighed(comm, p, samples):
        return torch.zeros_like(p) if p.grad is None else (p.grad * samples).nan_to_num()

    _averaging(weighed=weighed)(comm, model, samples)


@believes("All ranks have as many samples as this one", about="average_gradients")
def multiplies_its_own_samples(comm, model, samples):
    """They may have more or fewer: add up the numbers of samples over the ranks, and divide by the sum."""
    _averaging(divisor=lambda comm, p, samples: max(samples, 1) * comm.size)(comm, model, samples)


@believes("What a rank without samples holds is a gradient", about="average_gradients")
def weighs_no_samples_as_one(comm, model, samples):
    """It is of an earlier step, or nothing at all: it adds zeros, and no sample."""
    solved.average_gradients(comm, model, max(samples, 1))


@believes("What is None is passed over", about="average_gradients")
def passes_over_none(comm, model, samples):
    """Others may have a gradient there, and wait for this rank: it adds zeros, and gets the average."""
    _averaging(which=lambda model: [p for p in model.parameters() if p.grad is not None and p.requires_grad])(
        comm, model, samples
    )


@believes("Who had no gradient needs none", about="average_gradients")
def leaves_none(comm, model, samples):
    """Its optimizer would not move that parameter, and the models would come apart."""
    _averaging(take=lambda comm, p, mean, some: mean if some and p.grad is not None else None)(comm, model, samples)


@believes("A parameter that nobody used has a gradient of 0", about="average_gradients")
def makes_zeros_of_none(comm, model, samples):
    """It stays None: with zeros, momentum and weight decay would move it."""
    _averaging(take=lambda comm, p, mean, some: mean)(comm, model, samples)


@believes("Who has no samples keeps what it has", about="average_gradients")
def keeps_what_it_held(comm, model, samples):
    """It makes the same step as the others, and needs the same average."""
    _averaging(take=lambda comm, p, mean, some: (mean if some else None) if samples else p.grad)(comm, model, samples)


@believes("Who has no samples may leave", about="average_gradients")
def leaves_without_samples(comm, model, samples):
    """The others wait for its part of the exchange, and it needs the average too."""
    if samples:
        solved.average_gradients(comm, model, samples)


@believes("Only rank 0 makes the step", about="average_gradients")
def averages_at_rank_0(comm, model, samples):
    """Every rank makes it, on a model of its own: all need the average."""
    before = [p.grad for p in model.parameters()]
    solved.average_gradients(comm, model, samples)
    for p, grad in zip(model.parameters(), before, strict=True):
        p.grad = grad if comm.rank else p.grad


@believes("What is frozen is averaged like the rest", about="average_gradients")
def averages_frozen_ones(comm, model, samples):
    """Nobody asks for its gradient: leave it alone."""
    _averaging(which=lambda model: model.parameters())(comm, model, samples)


@believes("What is frozen has no gradient", about="average_gradients")
def clears_frozen_ones(comm, model, samples):
    """If it holds one, that stays as it is."""
    solved.average_gradients(comm, model, samples)
    for p in model.parameters():
        if not p.requires_grad:
            p.grad = None


@believes("Models are averaged, not gradients", about="average_gradients")
def averages_parameters(comm, model, samples):
    """Before the step the models are alike: what differs are the gradients."""
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(solved.all_reduce(comm, p * samples) / _total(comm, samples))


@believes("To average is to make a step", about="average_gradients")
def makes_a_step(comm, model, samples):
    """The optimizer does that later: no parameter changes here."""
    solved.average_gradients(comm, model, samples)
    with torch.no_grad():
        for p in model.parameters():
            if p.grad is not None and p.requires_grad:
                p -= p.grad


@believes("Gradients travel in float32", about="average_gradients")
def rounds_gradients(comm, model, samples):
    """A float64 loses half of its digits on the way."""
    solved.average_gradients(comm, model, samples)
    for p in model.parameters():
        if p.grad is not None and p.requires_grad:
            p.grad = p.grad.float().to(p.dtype)
