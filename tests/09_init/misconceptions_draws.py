"""Wrong answers that people give to kata 09 about numbers that are drawn."""

import math

import numpy as np
import torch

from dojo.judging.diagnose import believes, solution

solved = solution("09_init")


# truncated_std


def _density(cut):
    return math.exp(-cut * cut / 2) / math.sqrt(2 * math.pi)


def _kept(cut):
    solved.truncated_std(cut)
    return math.erf(cut / math.sqrt(2))


@believes("A cut leaves the standard deviation as it is", about="truncated_std")
def leaves_it_at_one(cut):
    """What is cut off lies farthest out, and made most of the spread: without it there is less."""
    solved.truncated_std(cut)
    return 1.0


@believes("The variance is what is asked for", about="truncated_std")
def returns_the_variance(cut):
    """The standard deviation is the root of it."""
    return solved.truncated_std(cut) ** 2


@believes("The spread shrinks by the share that is kept", about="truncated_std")
def returns_the_share_that_is_kept(cut):
    """That share says how many numbers are left, not how far they lie from 0."""
    return _kept(cut)


@believes("The density stays a density when it is cut", about="truncated_std")
def does_not_divide_by_what_is_kept(cut):
    """What is left has to be divided by its share, or the probabilities do not sum to 1."""
    return math.sqrt(solved.truncated_std(cut) ** 2 * _kept(cut))


@believes("erf(cut) is the share that is kept", about="truncated_std")
def forgets_the_root_of_two(cut):
    """erf counts in units of √2 standard deviations: of standard normal numbers erf(cut / √2) lie within ±cut."""
    solved.truncated_std(cut)
    return math.sqrt(1 - 2 * cut * _density(cut) / math.erf(cut))


@believes("Numbers are cut off at one end", about="truncated_std")
def cuts_one_end(cut):
    """There is a term for each of the two ends: 2 · cut · density."""
    return math.sqrt(1 - cut * _density(cut) / _kept(cut))


@believes("What lies beyond a cut is moved to it", about="truncated_std")
def clamps_in_the_integral(cut):
    """Only what is within is kept. Numbers moved to the edge would add cut² for each of them."""
    kept = _kept(cut)
    return math.sqrt(kept - 2 * cut * _density(cut) + cut * cut * (1 - kept))


@believes("The standard deviation is the cut, if that is less than 1", about="truncated_std")
def takes_the_smaller_one(cut):
    """All numbers lie within the cut, so their root mean square is less than it."""
    solved.truncated_std(cut)
    return min(1.0, cut)


@believes("What is left of the normal distribution is uniform", about="truncated_std")
def takes_it_for_uniform(cut):
    """That holds for a small cut alone: numbers near 0 are still more likely than those at the edge."""
    solved.truncated_std(cut)
    return min(cut / math.sqrt(3), 1.0)


@believes("The standard deviation is the mean distance from 0", about="truncated_std")
def takes_the_mean_distance_within(cut):
    """It is the root of the mean square, which counts what lies far out more."""
    return 2 * (_density(0.0) - _density(cut)) / _kept(cut)


@believes("A sample is exact enough", about="truncated_std")
def measures_a_sample(cut):
    """A million numbers give three digits, and it takes a hundred times as many for one more: an integral gives all."""
    solved.truncated_std(cut)
    x = np.random.RandomState(0).standard_normal(200_000)
    return float(x[np.abs(x) <= cut].std())


@believes("A cut at 0 leaves zeros", about="truncated_std")
def takes_zero_for_a_cut(cut):
    """No number is exactly 0, so nothing is left whose spread could be measured: a ValueError."""
    return 0.0 if cut == 0 else solved.truncated_std(cut)


@believes("The sign of a cut does not matter", about="truncated_std")
def takes_the_size_of_the_cut(cut):
    """Between -cut and cut there is nothing if cut is negative: a ValueError."""
    return solved.truncated_std(abs(cut))


# truncated_normal


def _checked(std, cut):
    solved.truncated_normal((0,), std, cut)


def _redrawn(x, cut, generator):
    """Standard normal numbers, those beyond the cut drawn again as the solution draws them."""
    while (beyond := x.abs() > cut).any():
        x[beyond] = torch.randn(int(beyond.sum()), generator=generator)
    return x


@believes("To cut is to clamp", about="truncated_normal")
def clamps(shape, std, cut, generator=None):
    """A clamp piles all numbers from beyond up at the edge, where there should be hardly any: they are drawn again."""
    _checked(std, cut)
    return torch.randn(shape, generator=generator).clamp(-cut, cut) * std


@believes("Normal numbers need no cut", about="truncated_normal")
def does_not_cut(shape, std, cut, generator=None):
    """Three in a thousand lie beyond 3 standard deviations, so in a large weight there are always some."""
    _checked(std, cut)
    return torch.randn(shape, generator=generator) * std


@believes("cut is an absolute value", about="truncated_normal")
def cuts_at_an_absolute_value(shape, std, cut, generator=None):
    """Here it counts standard deviations. torch's trunc_normal_ takes absolute ones, and ±3 is far out for a weight."""
    _checked(std, cut)
    x = torch.randn(shape, generator=generator) * std
    while (beyond := x.abs() > cut).any():
        x[beyond] = torch.randn(int(beyond.sum()), generator=generator) * std
    return x


@believes("What is drawn again lies within", about="truncated_normal")
def draws_again_once(shape, std, cut, generator=None):
    """Of the new numbers as large a share lies beyond as of the first ones: look again until there are none."""
    _checked(std, cut)
    x = torch.randn(shape, generator=generator)
    beyond = x.abs() > cut
    x[beyond] = torch.randn(int(beyond.sum()), generator=generator)
    return x * std


@believes("What lies beyond the cut becomes 0", about="truncated_normal")
def puts_zeros_in_place(shape, std, cut, generator=None):
    """That piles numbers up in the middle. Each gets a new number instead."""
    _checked(std, cut)
    x = torch.randn(shape, generator=generator)
    return torch.where(x.abs() > cut, 0.0, x) * std


@believes("The result has to have the standard deviation that is asked for", about="truncated_normal")
def widens_the_result(shape, std, cut, generator=None):
    """std is that of the normal distribution before the cut. Widened, numbers would lie beyond cut · std again."""
    x = solved.truncated_normal(shape, std, cut, generator)
    return x / solved.truncated_std(cut)


@believes("Within a cut all numbers are equally likely", about="truncated_normal")
def draws_uniform_numbers(shape, std, cut, generator=None):
    """Those near 0 are more likely, as in any normal distribution."""
    _checked(std, cut)
    return (2 * torch.rand(shape, generator=generator) - 1) * cut * std


@believes("std is the variance", about="truncated_normal")
def takes_std_for_a_variance(shape, std, cut, generator=None):
    """Numbers are multiplied by std itself. A root would be for whoever gives a variance."""
    x = solved.truncated_normal(shape, 1.0, cut, generator)
    _checked(std, cut)
    return x * math.sqrt(std)


@believes("Normal numbers are cut at the upper end", about="truncated_normal")
def cuts_above_alone(shape, std, cut, generator=None):
    """There are as many below -cut as above cut."""
    _checked(std, cut)
    x = torch.randn(shape, generator=generator)
    while (beyond := x > cut).any():
        x[beyond] = torch.randn(int(beyond.sum()), generator=generator)
    return x * std


@believes("A weight is positive", about="truncated_normal")
def takes_the_sizes_alone(shape, std, cut, generator=None):
    """The mean is 0: as many numbers are negative as positive."""
    return solved.truncated_normal(shape, std, cut, generator).abs()


@believes("What is kept can be used again", about="truncated_normal")
def repeats_what_is_kept(shape, std, cut, generator=None):
    """Each place has a number of its own. Copies of others are not independent of them."""
    _checked(std, cut)
    x = torch.randn(shape, generator=generator)
    kept = x[x.abs() <= cut]
    if not kept.numel():
        return solved.truncated_normal(shape, std, cut, generator)
    return kept.repeat(-(-x.numel() // kept.numel()))[: x.numel()].reshape(shape) * std


@believes("The generator is for the first draw", about="truncated_normal")
def draws_again_from_the_global_state(shape, std, cut, generator=None):
    """What is drawn again comes from the generator too, or the same seed gives other numbers the next time."""
    _checked(std, cut)
    return _redrawn(torch.randn(shape, generator=generator), cut, None) * std


@believes("torch.manual_seed is all that one needs", about="truncated_normal")
def ignores_the_generator(shape, std, cut, generator=None):
    """With a generator of one's own a draw can be repeated whatever else was drawn before: torch.randn takes it."""
    return solved.truncated_normal(shape, std, cut)


@believes("A generator is a seed", about="truncated_normal")
def seeds_by_the_generator(shape, std, cut, generator=None):
    """A generator has a state that moves on with each draw. By its seed every call gives the same numbers."""
    if generator is not None:
        generator = torch.Generator().manual_seed(generator.initial_seed())
    return solved.truncated_normal(shape, std, cut, generator)


@believes("The generator's seed may become the global one", about="truncated_normal")
def seeds_the_global_state(shape, std, cut, generator=None):
    """That changes what everybody else draws: the global state has to stay as it was."""
    if generator is not None:
        torch.manual_seed(int(torch.randint(2**31, (), generator=generator)))
    return solved.truncated_normal(shape, std, cut)


@believes("To be repeatable, a draw begins with a seed of its own", about="truncated_normal")
def begins_with_a_seed_of_its_own(shape, std, cut, generator=None):
    """Then every call gives the same numbers, and all weights are alike. Whoever calls chooses the seed."""
    return solved.truncated_normal(shape, std, cut, generator or torch.Generator().manual_seed(0))


@believes("Random numbers come from numpy", about="truncated_normal")
def draws_with_numpy(shape, std, cut, generator=None):
    """numpy has a state of its own, which neither a generator of torch's nor torch.manual_seed sets."""
    _checked(std, cut)
    x = torch.from_numpy(np.asarray(np.random.standard_normal(shape), dtype=np.float32))
    while (beyond := x.abs() > cut).any():
        x[beyond] = torch.from_numpy(np.random.standard_normal(int(beyond.sum())).astype(np.float32))
    return x * std


@believes("What is drawn for a weight requires grad", about="truncated_normal")
def requires_grad(shape, std, cut, generator=None):
    """Numbers are a plain tensor. A layer makes an nn.Parameter of them, which requires grad."""
    return solved.truncated_normal(shape, std, cut, generator).requires_grad_()


@believes("Numbers are as narrow as Python's", about="truncated_normal")
def returns_float64(shape, std, cut, generator=None):
    """A weight is float32 unless somebody asks for more: twice the bytes are not what was asked for."""
    return solved.truncated_normal(shape, std, cut, generator).double()


@believes("A tensor has at least one dimension", about="truncated_normal")
def makes_a_vector_of_a_number(shape, std, cut, generator=None):
    """() is a shape as well, of one number without any dimension."""
    return solved.truncated_normal(shape or (1,), std, cut, generator)


@believes("There is always a largest number", about="truncated_normal")
def asks_for_the_largest(shape, std, cut, generator=None):
    """An empty tensor has none, and max raises an error: ask whether any lies beyond."""
    _checked(std, cut)
    x = torch.randn(shape, generator=generator)
    if x.abs().max() > cut:
        x = _redrawn(x, cut, generator)
    return x * std


@believes("A standard deviation of 0 is no spread", about="truncated_normal")
def refuses_a_std_of_zero(shape, std, cut, generator=None):
    """It is a fine one: all numbers are 0."""
    if std == 0:
        raise ValueError(std)
    return solved.truncated_normal(shape, std, cut, generator)


@believes("The sign of std does not matter", about="truncated_normal")
def takes_a_negative_std(shape, std, cut, generator=None):
    """A standard deviation is a root, and so never negative: it is a slip, and a ValueError."""
    return solved.truncated_normal(shape, abs(std), cut, generator)


@believes("A cut of 0 or less cuts nothing", about="truncated_normal")
def takes_no_cut(shape, std, cut, generator=None):
    """No number lies between, so there is nothing to draw: a ValueError."""
    return solved.truncated_normal(shape, std, cut if cut > 0 else 8.0, generator)
