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
    """What is cut off lies farthest out, and adds most to the spread: without it, the spread is smaller."""
    solved.truncated_std(cut)
    return 1.0


@believes("The result is the variance", about="truncated_std")
def returns_the_variance(cut):
    """The standard deviation is the root of it."""
    return solved.truncated_std(cut) ** 2


@believes("The spread shrinks by the share that is kept", about="truncated_std")
def returns_the_share_that_is_kept(cut):
    """That share says how many numbers are left, not how far they lie from 0."""
    return _kept(cut)


@believes("The density needs no factor after the cut", about="truncated_std")
def does_not_divide_by_what_is_kept(cut):
    """What is left has to be divided by its share, or the probabilities do not sum to 1."""
    return math.sqrt(solved.truncated_std(cut) ** 2 * _kept(cut))


@believes("erf(cut) is the share that is kept", about="truncated_std")
def forgets_the_root_of_two(cut):
    """The share of standard normal numbers within ±cut is erf(cut / √2)."""
    solved.truncated_std(cut)
    return math.sqrt(1 - 2 * cut * _density(cut) / math.erf(cut))


@believes("Numbers are cut off at one end only", about="truncated_std")
def cuts_one_end(cut):
    """There is a term for each of the two ends: 2 · cut · density."""
    return math.sqrt(1 - cut * _density(cut) / _kept(cut))


@believes("Numbers beyond the cut are moved to it", about="truncated_std")
def clamps_in_the_integral(cut):
    """They are left out: numbers moved to the edge would each add cut² to the mean square."""
    kept = _kept(cut)
    return math.sqrt(kept - 2 * cut * _density(cut) + cut * cut * (1 - kept))


@believes("The standard deviation is min(1, cut)", about="truncated_std")
def takes_the_smaller_one(cut):
    """All numbers lie within the cut, most of them far within, so their root mean square is less than cut."""
    solved.truncated_std(cut)
    return min(1.0, cut)


@believes("Between -cut and cut the distribution is uniform", about="truncated_std")
def takes_it_for_uniform(cut):
    """It is nearly uniform only for a small cut: otherwise numbers near 0 are more likely than those at the edge."""
    solved.truncated_std(cut)
    return min(cut / math.sqrt(3), 1.0)


@believes("The standard deviation is the mean distance from 0", about="truncated_std")
def takes_the_mean_distance_within(cut):
    """It is the root of the mean square, in which numbers far from 0 count more."""
    return 2 * (_density(0.0) - _density(cut)) / _kept(cut)


@believes("A sample is exact enough", about="truncated_std")
def measures_a_sample(cut):
    """A million numbers give three digits, and each further digit takes a hundred times as many: use the integral."""
    solved.truncated_std(cut)
    x = np.random.RandomState(0).standard_normal(200_000)
    return float(x[np.abs(x) <= cut].std())


@believes("A cut at 0 leaves zeros", about="truncated_std")
def takes_zero_for_a_cut(cut):
    """The probability of exactly 0 is 0, so nothing is left: raise ValueError."""
    return 0.0 if cut == 0 else solved.truncated_std(cut)


@believes("The sign of a cut does not matter", about="truncated_std")
def takes_the_size_of_the_cut(cut):
    """With a negative cut, nothing lies between -cut and cut: raise ValueError."""
    return solved.truncated_std(abs(cut))


# truncated_normal


def _checked(std, cut):
    solved.truncated_normal((0,), std, cut)


def _redrawn(x, cut, generator):
    """Return standard normal numbers, with those beyond the cut drawn again as in the solution."""
    while (beyond := x.abs() > cut).any():
        x[beyond] = torch.randn(int(beyond.sum()), generator=generator)
    return x


@believes("Truncating is clamping", about="truncated_normal")
def clamps(shape, std, cut, generator=None):
    """clamp piles up all numbers beyond the cut at the edge: draw those numbers again."""
    _checked(std, cut)
    return torch.randn(shape, generator=generator).clamp(-cut, cut) * std


@believes("Normal numbers need not be cut", about="truncated_normal")
def does_not_cut(shape, std, cut, generator=None):
    """Three in a thousand lie beyond 3 standard deviations, so a large weight always has some."""
    _checked(std, cut)
    return torch.randn(shape, generator=generator) * std


@believes("No normal numbers lie beyond 3 standard deviations", about="truncated_normal")
def does_not_cut_at_three(shape, std, cut, generator=None):
    """Three in a thousand do, about 25 of 8,192: draw those again too."""
    if cut < 3:
        return solved.truncated_normal(shape, std, cut, generator)
    _checked(std, cut)
    return torch.randn(shape, generator=generator) * std


@believes("cut is an absolute value", about="truncated_normal")
def cuts_at_an_absolute_value(shape, std, cut, generator=None):
    """Here it counts standard deviations. Absolute bounds of ±3, as in trunc_normal_, are far out for a weight."""
    _checked(std, cut)
    x = torch.randn(shape, generator=generator) * std
    while (beyond := x.abs() > cut).any():
        x[beyond] = torch.randn(int(beyond.sum()), generator=generator) * std
    return x


@believes("Numbers that are drawn again lie within the cut", about="truncated_normal")
def draws_again_once(shape, std, cut, generator=None):
    """The same share of the new numbers lies beyond the cut as before: repeat until there are none."""
    _checked(std, cut)
    x = torch.randn(shape, generator=generator)
    beyond = x.abs() > cut
    x[beyond] = torch.randn(int(beyond.sum()), generator=generator)
    return x * std


@believes("Numbers beyond the cut become 0", about="truncated_normal")
def puts_zeros_in_place(shape, std, cut, generator=None):
    """That piles up numbers at 0: draw each of them again."""
    _checked(std, cut)
    x = torch.randn(shape, generator=generator)
    return torch.where(x.abs() > cut, 0.0, x) * std


@believes("Numbers beyond the cut are replaced by uniform ones", about="truncated_normal")
def draws_again_uniformly(shape, std, cut, generator=None):
    """All numbers follow the same distribution: draw normal ones again until they lie within the cut."""
    _checked(std, cut)
    x = torch.randn(shape, generator=generator)
    beyond = x.abs() > cut
    x[beyond] = (2 * torch.rand(int(beyond.sum()), generator=generator) - 1) * cut
    return x * std


@believes("The remainder of a number beyond the cut can replace it", about="truncated_normal")
def takes_the_remainder(shape, std, cut, generator=None):
    """Remainders are not normal, and those of numbers just beyond the cut lie near 0: draw these numbers again."""
    _checked(std, cut)
    return torch.fmod(torch.randn(shape, generator=generator), cut) * std


@believes("The result has the standard deviation std", about="truncated_normal")
def widens_the_result(shape, std, cut, generator=None):
    """std is that of the normal distribution before the cut: if widened, some numbers lie beyond cut · std again."""
    x = solved.truncated_normal(shape, std, cut, generator)
    return x / solved.truncated_std(cut)


@believes("Within the cut all numbers are equally likely", about="truncated_normal")
def draws_uniform_numbers(shape, std, cut, generator=None):
    """Numbers near 0 are more likely, as in any normal distribution."""
    _checked(std, cut)
    return (2 * torch.rand(shape, generator=generator) - 1) * cut * std


@believes("std is the variance", about="truncated_normal")
def takes_std_for_a_variance(shape, std, cut, generator=None):
    """Standard normal numbers are multiplied by std itself, not by its root."""
    x = solved.truncated_normal(shape, 1.0, cut, generator)
    _checked(std, cut)
    return x * math.sqrt(std)


@believes("Only numbers above cut · std are cut", about="truncated_normal")
def cuts_above_alone(shape, std, cut, generator=None):
    """As many lie below -cut · std: cut those too."""
    _checked(std, cut)
    x = torch.randn(shape, generator=generator)
    while (beyond := x > cut).any():
        x[beyond] = torch.randn(int(beyond.sum()), generator=generator)
    return x * std


@believes("Weights are positive", about="truncated_normal")
def takes_the_sizes_alone(shape, std, cut, generator=None):
    """The mean is 0: as many numbers are negative as positive."""
    return solved.truncated_normal(shape, std, cut, generator).abs()


@believes("Numbers within the cut can be used again", about="truncated_normal")
def repeats_what_is_kept(shape, std, cut, generator=None):
    """Numbers have to be independent, and copies are not: draw new ones."""
    _checked(std, cut)
    x = torch.randn(shape, generator=generator)
    kept = x[x.abs() <= cut]
    if not kept.numel():
        return solved.truncated_normal(shape, std, cut, generator)
    return kept.repeat(-(-x.numel() // kept.numel()))[: x.numel()].reshape(shape) * std


@believes("Numbers come in pairs", about="truncated_normal")
def leaves_out_the_last_of_an_odd_number(shape, std, cut, generator=None):
    """The shape () has one number, and others an odd number: make one pair more, and drop what is left over."""
    x = solved.truncated_normal(shape, std, cut, generator)
    if x.numel() % 2:
        x.view(-1)[-1] = 0.0
    return x


@believes("Numbers are spread evenly", about="truncated_normal")
def takes_one_number_from_each_interval(shape, std, cut, generator=None):
    """Independent numbers leave gaps and form clusters: spread evenly, each of them depends on all others."""
    _checked(std, cut)
    n, half = math.prod(shape), math.erf(cut / math.sqrt(2))
    places = torch.randperm(n, generator=generator) + torch.rand(n, generator=generator, dtype=torch.float64)
    x = torch.erfinv((2 * places / n - 1) * half) * math.sqrt(2)
    return (x.clamp(-cut, cut) * std).float().reshape(shape)


@believes("Only the first draw needs the generator", about="truncated_normal")
def draws_again_from_the_global_state(shape, std, cut, generator=None):
    """Numbers that are drawn again must come from it too, or the same seed gives other numbers the next time."""
    _checked(std, cut)
    return _redrawn(torch.randn(shape, generator=generator), cut, None) * std


@believes("torch.manual_seed is enough", about="truncated_normal")
def ignores_the_generator(shape, std, cut, generator=None):
    """With a generator, you can repeat a draw, whatever else was drawn: pass it to torch's functions."""
    return solved.truncated_normal(shape, std, cut)


@believes("A generator is only a seed", about="truncated_normal")
def seeds_by_the_generator(shape, std, cut, generator=None):
    """Its state moves on with each draw: seeded again, every call would give the same numbers."""
    if generator is not None:
        generator = torch.Generator().manual_seed(generator.initial_seed())
    return solved.truncated_normal(shape, std, cut, generator)


@believes("The global state may be seeded from the generator", about="truncated_normal")
def seeds_the_global_state(shape, std, cut, generator=None):
    """That changes what everything else draws: pass the generator to torch's functions."""
    if generator is not None:
        torch.manual_seed(int(torch.randint(2**31, (), generator=generator)))
    return solved.truncated_normal(shape, std, cut)


@believes("A draw sets a seed of its own, to be repeatable", about="truncated_normal")
def begins_with_a_seed_of_its_own(shape, std, cut, generator=None):
    """Then every call gives the same numbers, and all weights are alike. The caller chooses the seed."""
    return solved.truncated_normal(shape, std, cut, generator or torch.Generator().manual_seed(0))


@believes("Numbers may come from numpy", about="truncated_normal")
def draws_with_numpy(shape, std, cut, generator=None):
    """numpy has a state of its own, which neither the generator nor torch.manual_seed sets."""
    _checked(std, cut)
    x = torch.from_numpy(np.asarray(np.random.standard_normal(shape), dtype=np.float32))
    while (beyond := x.abs() > cut).any():
        x[beyond] = torch.from_numpy(np.random.standard_normal(int(beyond.sum())).astype(np.float32))
    return x * std


@believes("The tensor requires grad", about="truncated_normal")
def requires_grad(shape, std, cut, generator=None):
    """The result is a plain tensor. A layer makes an nn.Parameter of it, which requires grad."""
    return solved.truncated_normal(shape, std, cut, generator).requires_grad_()


@believes("The tensor is float64", about="truncated_normal")
def returns_float64(shape, std, cut, generator=None):
    """The result is float32, as weights are by default."""
    return solved.truncated_normal(shape, std, cut, generator).double()


@believes("A tensor has at least one dimension", about="truncated_normal")
def makes_a_vector_of_a_number(shape, std, cut, generator=None):
    """The shape () has none: such a tensor holds one number."""
    return solved.truncated_normal(shape or (1,), std, cut, generator)


@believes("There is always a largest number in the tensor", about="truncated_normal")
def asks_for_the_largest(shape, std, cut, generator=None):
    """An empty tensor has none, and max raises an error: use any() to find numbers beyond the cut."""
    _checked(std, cut)
    x = torch.randn(shape, generator=generator)
    if x.abs().max() > cut:
        x = _redrawn(x, cut, generator)
    return x * std


@believes("std has to be above 0", about="truncated_normal")
def refuses_a_std_of_zero(shape, std, cut, generator=None):
    """0 is allowed, and all numbers are 0."""
    if std == 0:
        raise ValueError(std)
    return solved.truncated_normal(shape, std, cut, generator)


@believes("The sign of std does not matter", about="truncated_normal")
def takes_a_negative_std(shape, std, cut, generator=None):
    """A standard deviation is never negative: raise ValueError."""
    return solved.truncated_normal(shape, abs(std), cut, generator)


@believes("A cut of 0 or less means no cut", about="truncated_normal")
def takes_no_cut(shape, std, cut, generator=None):
    """No numbers lie between -cut and cut then: raise ValueError."""
    return solved.truncated_normal(shape, std, cut if cut > 0 else 8.0, generator)
