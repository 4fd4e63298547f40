"""Wrong answers that people give to kata 09, each with the belief behind it."""
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from dojo.judging.diagnose import believes, solution

solved = solution("09_init")


# fans


@believes("The fans of a layer are its inputs and its outputs, whatever the kernel", about="fans")
def leaves_out_the_kernel(shape):
    """Each place of the kernel is one more input of an output, and one more output of an input."""
    solved.fans(shape)
    return shape[1], shape[0]


@believes("A weight is kept as (in, out)", about="fans")
def swaps_the_fans(shape):
    """Whoever writes x @ w keeps (in, out); torch keeps (out, in), and multiplies by the transpose."""
    return solved.fans(shape)[::-1]


@believes("A kernel makes an output of more inputs, and that is all", about="fans")
def counts_the_kernel_in_fan_in_alone(shape):
    """An input goes into the outputs of all its neighbours as well, so fan_out grows as fan_in does."""
    return solved.fans(shape)[0], shape[0]


@believes("A kernel is as wide as it is high", about="fans")
def squares_the_first_side(shape):
    """Each dimension of the kernel has a size of its own: the places are their product."""
    solved.fans(shape)
    places = shape[2] ** len(shape[2:]) if len(shape) > 2 else 1
    return shape[1] * places, shape[0] * places


@believes("The sides of a kernel are added", about="fans")
def adds_the_sides(shape):
    """A kernel (3, 3) has 9 places: its sizes are multiplied."""
    solved.fans(shape)
    places = sum(shape[2:]) or 1
    return shape[1] * places, shape[0] * places


@believes("The channels stand last", about="fans")
def reads_the_layout_of_tensorflow(shape):
    """TensorFlow keeps a kernel as (*kernel, in, out). In torch the outputs stand first and the inputs second."""
    solved.fans(shape)
    *kernel, fan_in, fan_out = shape
    return fan_in * math.prod(kernel), fan_out * math.prod(kernel)


@believes("A vector is a weight with one output", about="fans")
def takes_vectors(shape):
    """With one dimension nobody can tell inputs from outputs, as in a bias: that is a ValueError."""
    return (shape[0], 1) if len(shape) == 1 else solved.fans(shape)


@believes("What has fewer than two dimensions has fans of 1", about="fans")
def gives_everything_fans(shape):
    """Fewer than two dimensions are no weight of a layer, and a ValueError."""
    return solved.fans(shape) if len(shape) > 1 else (1, 1)


# init_std


def _fans(shape):
    return solved.fans(shape)


def _scheme(scheme, **variances):
    """One of these variances; ValueError for another name."""
    solved.init_std((1, 1), scheme)
    return math.sqrt(variances[scheme])


@believes("A scheme gives the standard deviation without a root", about="init_std")
def takes_no_root(shape, scheme):
    """1 / fan_in is the variance: a sum of fan_in products then has one of 1. The standard deviation is its root."""
    return solved.init_std(shape, scheme) ** 2


@believes("Xavier divides by the sum of the fans", about="init_std")
def forgets_the_two_of_xavier(shape, scheme):
    """It divides by their mean, (fan_in + fan_out) / 2, which puts a 2 above."""
    return solved.init_std(shape, scheme) / (math.sqrt(2) if scheme == "xavier" else 1)


@believes("Xavier is the mean of two standard deviations", about="init_std")
def averages_the_standard_deviations(shape, scheme):
    """The fans are averaged, and then comes the root."""
    fan_in, fan_out = _fans(shape)
    right = solved.init_std(shape, scheme)
    return (fan_in**-0.5 + fan_out**-0.5) / 2 if scheme == "xavier" else right


@believes("Xavier takes the mean of the two variances", about="init_std")
def averages_the_variances(shape, scheme):
    """The fans are averaged: the variance is 1 over their mean, not the mean of 1 / fan_in and 1 / fan_out."""
    fan_in, fan_out = _fans(shape)
    right = solved.init_std(shape, scheme)
    return math.sqrt((1 / fan_in + 1 / fan_out) / 2) if scheme == "xavier" else right


@believes("Xavier divides by the product of the fans", about="init_std")
def takes_the_geometric_mean(shape, scheme):
    """Its compromise is the arithmetic mean, half of fan_in + fan_out."""
    fan_in, fan_out = _fans(shape)
    right = solved.init_std(shape, scheme)
    return (fan_in * fan_out) ** -0.25 if scheme == "xavier" else right


@believes("The mean of the fans is a whole number", about="init_std")
def divides_the_sum_by_whole_twos(shape, scheme):
    """Where fan_in + fan_out is odd, their mean is not: // drops a half."""
    fan_in, fan_out = _fans(shape)
    right = solved.init_std(shape, scheme)
    return ((fan_in + fan_out) // 2) ** -0.5 if scheme == "xavier" else right


@believes("Kaiming looks at the outputs", about="init_std")
def takes_fan_out_for_kaiming(shape, scheme):
    """It keeps the forward pass, so it divides by fan_in, the number of products in a sum."""
    fan_in, fan_out = _fans(shape)
    return solved.init_std(shape, scheme) * (math.sqrt(fan_in / fan_out) if scheme == "kaiming" else 1)


@believes("Kaiming doubles the standard deviation", about="init_std")
def doubles_the_standard_deviation(shape, scheme):
    """A ReLU drops half of the mean square, so the variance is doubled, and the standard deviation grows by √2."""
    return solved.init_std(shape, scheme) * (math.sqrt(2) if scheme == "kaiming" else 1)


@believes("Kaiming halves what a ReLU halves", about="init_std")
def halves_for_the_relu(shape, scheme):
    """A ReLU takes half of the mean square away, and the weights make up for it: 2 / fan_in, not half of that."""
    return solved.init_std(shape, scheme) / (2 if scheme == "kaiming" else 1)


@believes("Kaiming is what nn.Linear does, with a = √5", about="init_std")
def takes_the_slope_of_nn_linear(shape, scheme):
    """That a makes 1 / (3 · fan_in) of the variance, by old habit. Kaiming's own has 2 / fan_in, for a ReLU."""
    return solved.init_std(shape, scheme) / (math.sqrt(6) if scheme == "kaiming" else 1)


@believes("A kernel does not count in a scheme", about="init_std")
def leaves_the_kernel_out_of_the_scheme(shape, scheme):
    """The sum has fan_in products, and the places of the kernel are among them."""
    return solved.init_std(shape[:2], scheme)


@believes("fan_in is the first size", about="init_std")
def swaps_the_fans_of_the_scheme(shape, scheme):
    """torch keeps (out, in): the first size is that of the outputs."""
    solved.fans(shape)
    return solved.init_std((shape[1], shape[0], *shape[2:]), scheme)


@believes("The bound of the uniform numbers is their standard deviation", about="init_std")
def returns_the_bound(shape, scheme):
    """√(6 / (fan_in + fan_out)) is how far uniform numbers reach; their standard deviation is that over √3."""
    return solved.init_std(shape, scheme) * math.sqrt(3)


@believes("A scheme that nobody knows is the usual one", about="init_std")
def falls_back_to_scaled(shape, scheme):
    """A name that is misspelled would go unnoticed for a whole training: it is a ValueError."""
    return solved.init_std(shape, scheme if scheme in ("scaled", "xavier", "kaiming") else "scaled")


@believes("Capital letters and blanks do not matter in a name", about="init_std")
def cleans_the_name(shape, scheme):
    """The names are three, as they are spelled; anything else is a ValueError."""
    return solved.init_std(shape, scheme.strip().lower())


@believes("A vector has fans as well", about="init_std")
def takes_vectors_in_a_scheme(shape, scheme):
    """A shape of fewer than two dimensions has no inputs and outputs, and is a ValueError."""
    return solved.init_std(shape if len(shape) > 1 else (*shape, 1, 1)[:2], scheme)


# uniform_bound


@believes("The bound is the whole width", about="uniform_bound")
def returns_the_width(std):
    """√12 · std is how far it is from -a to a; a is half of it."""
    return math.sqrt(12) * std


@believes("Numbers reach as far as their standard deviation", about="uniform_bound")
def returns_the_standard_deviation(std):
    """Most lie nearer to 0 than the bound, so their root mean square is less than a: a / √3."""
    return std


@believes("The bound is three standard deviations", about="uniform_bound")
def takes_three_standard_deviations(std):
    """The 3 belongs below a root: the variance is a² / 3."""
    return 3 * std


@believes("The 6 of xavier_uniform_ belongs to the bound", about="uniform_bound")
def takes_the_six_of_xavier(std):
    """√6 there is √3 · √2, and the √2 is Xavier's."""
    return math.sqrt(6) * std


@believes("Uniform numbers spread more than their bound", about="uniform_bound")
def divides_by_root_three(std):
    """std = a / √3, so a is the larger one of both."""
    return std / math.sqrt(3)


@believes("The standard deviation is the mean distance from 0", about="uniform_bound")
def takes_the_mean_distance(std):
    """That mean is a / 2. The standard deviation is the root of the mean square, a / √3."""
    return 2 * std


@believes("std is the variance", about="uniform_bound")
def takes_std_for_the_variance(std):
    """a² / 3 is the variance, which is std²."""
    return math.sqrt(3 * std)


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


# output_std


def _layers(dims, stds):
    """The layers: inputs, outputs and standard deviation of each; ValueError as it should be."""
    solved.output_std(dims, stds)
    return list(zip(dims, dims[1:], stds, strict=False))


@believes("A layer's outputs make the sum", about="output_std")
def takes_the_outputs(dims, stds):
    """Each output is a sum of as many products as there are inputs; how many outputs there are does not matter."""
    return math.prod(std * math.sqrt(b) for _, b, std in _layers(dims, stds))


@believes("Variances are multiplied, and that is it", about="output_std")
def returns_the_mean_square(dims, stds):
    """The variance of a sum is n · std². What is asked for is its root."""
    return solved.output_std(dims, stds) ** 2


@believes("The width does not matter", about="output_std")
def leaves_out_the_width(dims, stds):
    """Each output is a sum of n products, and a sum of n independent numbers is √n times as large as one."""
    return math.prod([1.0, *(std for _, _, std in _layers(dims, stds))])


@believes("A sum of n numbers is n times as large", about="output_std")
def multiplies_by_the_number(dims, stds):
    """Independent numbers partly cancel: their sum grows with √n."""
    return math.prod(std * a for a, _, std in _layers(dims, stds))


@believes("The layers' variances are added", about="output_std")
def adds_the_layers(dims, stds):
    """Each layer multiplies what the layer before has left: the factors are multiplied."""
    layers = _layers(dims, stds)
    return math.sqrt(sum(std * std * a for a, _, std in layers)) if layers else 1.0


@believes("All layers are as wide as the first", about="output_std")
def takes_the_first_width(dims, stds):
    """Each layer has the inputs that the layer before has left."""
    return math.prod(std * math.sqrt(dims[0]) for _, _, std in _layers(dims, stds))


@believes("A layer multiplies by the mean of its widths", about="output_std")
def takes_the_mean_width(dims, stds):
    """That is Xavier's compromise between forward and backward. Forward, the inputs alone count."""
    return math.prod(std * math.sqrt((a + b) / 2) for a, b, std in _layers(dims, stds))


@believes("The last layer decides", about="output_std")
def takes_the_last_layer(dims, stds):
    """What comes out of it is in proportion to what goes in, and that is what the layers before have left."""
    layers = _layers(dims, stds)
    return layers[-1][2] * math.sqrt(layers[-1][0]) if layers else 1.0


@believes("Nothing comes out of no layer", about="output_std")
def returns_zero_for_no_layer(dims, stds):
    """Without a layer the input itself comes out, and its root mean square is 1."""
    return solved.output_std(dims, stds) if stds else 0.0


@believes("Weights of 0 have no standard deviation", about="output_std")
def refuses_weights_of_zero(dims, stds):
    """Weights that are all 0 have a standard deviation of 0, and so has what comes out."""
    if 0 in stds:
        raise ValueError(stds)
    return solved.output_std(dims, stds)


@believes("zip sees to it that both lists fit", about="output_std")
def takes_the_shorter_list(dims, stds):
    """zip stops where the shorter one ends, without a word, unless it is told to be strict."""
    return math.prod(std * math.sqrt(size) for size, std in zip(dims[:-1], stds, strict=False))


@believes("There may be more standard deviations than layers", about="output_std")
def drops_what_is_too_much(dims, stds):
    """Which of them would be the ones that count? Unless there is one for each layer, that is a ValueError."""
    return solved.output_std(dims, stds[: len(dims) - 1])


@believes("There is a standard deviation for each size", about="output_std")
def takes_one_for_each_size(dims, stds):
    """n sizes have n - 1 layers between them."""
    return solved.output_std((*dims, 1), stds) if len(stds) == len(dims) else solved.output_std(dims, stds)


# Linear


class LinearParts(solved.Linear):
    """A linear layer in parts: each wrong answer below gets one of them wrong."""

    cut = 3.0

    def __init__(self, in_features, out_features, generator=None):
        nn.Module.__init__(self)
        self.keep(self.numbers(in_features, out_features, generator))

    def std(self, inputs, outputs):
        """The standard deviation before the cut."""
        return 1 / math.sqrt(inputs)

    def numbers(self, inputs, outputs, generator):
        """What the weight begins with."""
        return solved.truncated_normal((outputs, inputs), self.std(inputs, outputs), self.cut, generator)

    def keep(self, numbers):
        """Make a weight of it."""
        self.weight = nn.Parameter(numbers)


@believes("torch keeps weights as x @ w needs them", about="Linear")
class KeepsTheTranspose(LinearParts):
    """torch keeps (out_features, in_features) and multiplies by the transpose: its checkpoints fit nothing else."""

    def keep(self, numbers):
        super().keep(numbers.T.contiguous())

    def forward(self, x):
        return x @ self.weight


@believes("A tensor that requires grad is a parameter", about="Linear")
class KeepsAPlainTensor(LinearParts):
    """A Module finds an nn.Parameter alone: a plain tensor is in neither parameters() nor state_dict()."""

    def keep(self, numbers):
        self.weight = numbers.requires_grad_()


@believes("What is in the state_dict is trained", about="Linear")
class KeepsABuffer(LinearParts):
    """A buffer is saved and loaded, and no optimizer hears of it: a weight is an nn.Parameter."""

    def keep(self, numbers):
        self.register_buffer("weight", numbers)


@believes("A weight that is given is not trained", about="Linear")
class RequiresNoGrad(LinearParts):
    """The numbers are where training begins: the parameter has to require grad."""

    def keep(self, numbers):
        self.weight = nn.Parameter(numbers, requires_grad=False)


@believes("Every linear layer has a bias", about="Linear")
class HasABias(LinearParts):
    """This one has none, and its state_dict has one entry."""

    def keep(self, numbers):
        super().keep(numbers)
        self.bias = nn.Parameter(torch.zeros(len(numbers)))

    def forward(self, x):
        return super().forward(x) + self.bias


@believes("The numbers of a parameter are its .data", about="Linear")
class MultipliesByTheData(LinearParts):
    """.data is a plain tensor that autograd does not see: nothing flows back to the weight."""

    def forward(self, x):
        return x @ self.weight.data.mT


@believes("Inputs need no gradient", about="Linear")
class DetachesTheInput(LinearParts):
    """The layer before needs it: detached, nothing flows back beyond this layer."""

    def forward(self, x):
        return super().forward(x.detach())


@believes("x is a matrix", about="Linear")
class MultipliesMatricesAlone(LinearParts):
    """Whatever stands before the last dimension stays, be it nothing or two dimensions: @ and F.linear do that."""

    def forward(self, x):
        return torch.mm(x, self.weight.t())


@believes("Leading dimensions are one batch", about="Linear")
class FlattensTheBatch(LinearParts):
    """The result has the leading dimensions of x."""

    def forward(self, x):
        return super().forward(x.reshape(-1, self.weight.shape[1]))


@believes("A layer computes in float32", about="Linear")
class ComputesInFloat32(LinearParts):
    """After .double() the weight is float64, and so are the products."""

    def forward(self, x):
        return (x.float() @ self.weight.float().mT).to(x.dtype)


@believes("A weight is divided by the root of the outputs", about="Linear")
class DividesByTheOutputs(LinearParts):
    """An output is a sum of in_features products, and that is what has to be made up for."""

    def std(self, inputs, outputs):
        return 1 / math.sqrt(outputs)


@believes("Xavier is right for every layer", about="Linear")
class TakesXavier(LinearParts):
    """This layer keeps the forward pass alone: 1 / √in_features, whatever comes out."""

    def std(self, inputs, outputs):
        return math.sqrt(2 / (inputs + outputs))


@believes("Kaiming is right for every layer", about="Linear")
class TakesKaiming(LinearParts):
    """Its 2 makes up for a ReLU, and there is none here."""

    def std(self, inputs, outputs):
        return math.sqrt(2 / inputs)


@believes("A weight of N(0, 1) is a good beginning", about="Linear")
class DoesNotScale(LinearParts):
    """Then outputs are √in_features times as large as inputs: 128 times for 16384 of them."""

    def std(self, inputs, outputs):
        return 1.0


@believes("1 / in_features is the standard deviation", about="Linear")
class DividesByTheInputs(LinearParts):
    """That is the variance. The standard deviation is its root."""

    def std(self, inputs, outputs):
        return 1 / inputs


@believes("A layer draws as nn.Linear does", about="Linear")
class DrawsAsTorchDoes(LinearParts):
    """nn.Linear draws uniform numbers of ±1/√in_features, whose standard deviation is smaller by √3."""

    def numbers(self, inputs, outputs, generator):
        return (2 * torch.rand(outputs, inputs, generator=generator) - 1) / math.sqrt(inputs)


@believes("A cut at 3 is a cut at ±3", about="Linear")
class CutsAtThree(LinearParts):
    """With a standard deviation of 1 / √in_features nothing ever gets there. The cut counts standard deviations."""

    def numbers(self, inputs, outputs, generator):
        return (torch.randn(outputs, inputs, generator=generator) / math.sqrt(inputs)).clamp(-3, 3)


@believes("A layer clamps its weight at 3 standard deviations", about="Linear")
class ClampsTheWeight(LinearParts):
    """Numbers beyond the cut are drawn again, not moved to it."""

    def numbers(self, inputs, outputs, generator):
        return torch.randn(outputs, inputs, generator=generator).clamp(-3, 3) / math.sqrt(inputs)


@believes("Weights are cut at 2 standard deviations", about="Linear")
class CutsAtTwo(LinearParts):
    """That is the habit of other libraries; here the cut is at 3."""

    cut = 2.0


@believes("The weights of a layer come from the global state", about="Linear")
class IgnoresTheGenerator(LinearParts):
    """The generator is handed on to whatever draws."""

    def numbers(self, inputs, outputs, generator):
        return super().numbers(inputs, outputs, None)


@believes("Each layer begins with the same seed, so that a run can be repeated", about="Linear")
class SeedsEachLayer(LinearParts):
    """Then two layers of one shape have the same weight. Whoever makes the model chooses the seed, once."""

    def numbers(self, inputs, outputs, generator):
        return super().numbers(inputs, outputs, generator or torch.Generator().manual_seed(42))


@believes("A layer may seed torch for itself", about="Linear")
class SeedsTorch(LinearParts):
    """That sets the global state for everybody, and the next layer draws the same numbers."""

    def numbers(self, inputs, outputs, generator):
        torch.manual_seed(generator.initial_seed() if generator else 0)
        return super().numbers(inputs, outputs, None)


# Cruncher


class CruncherParts(solved.Cruncher):
    """The deep model in parts: each wrong answer below gets one of them wrong."""

    def __init__(self, dim, num_layers, generator=None):
        nn.Module.__init__(self)
        self.build(dim, num_layers, generator)

    def layer(self, inputs, outputs, generator):
        """One layer."""
        return solved.Linear(inputs, outputs, generator)

    def build(self, dim, num_layers, generator):
        """All layers, and the last one."""
        self.layers = nn.ModuleList(self.layer(dim, dim, generator) for _ in range(num_layers))
        self.final = self.layer(dim, 1, generator)

    def deep(self, x):
        """What comes out of the layers before the last."""
        for layer in self.layers:
            x = layer(x)
        return x

    def forward(self, x):
        return self.final(self.deep(x)).squeeze(-1)


@believes("A Module finds layers in a list", about="Cruncher")
class KeepsAList(CruncherParts):
    """It finds Modules and Parameters that are its own attributes; of several in a row, an nn.ModuleList."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        self.__dict__["layers"] = list(self._modules.pop("layers"))


@believes("[layer] * n makes n layers", about="Cruncher")
class RepeatsOneLayer(CruncherParts):
    """It is one layer, n times: all have the same weight, and the gradients of all n add up in it."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        self.layers = nn.ModuleList([self.layer(dim, dim, generator)] * num_layers)


@believes("squeeze() takes the last dimension away", about="Cruncher")
class SqueezesEverything(CruncherParts):
    """It takes every dimension of size 1: a batch of 1 goes as well. squeeze(-1) takes the last one."""

    def forward(self, x):
        return self.final(self.deep(x)).squeeze()


@believes("One output is a dimension of 1", about="Cruncher")
class KeepsTheLastDimension(CruncherParts):
    """Of the result the last dimension goes: x (…, dim) leads to (…)."""

    def forward(self, x):
        return self.final(self.deep(x))


@believes("The batch is the first dimension, and the only one", about="Cruncher")
class TakesOneColumn(CruncherParts):
    """The last dimension goes, wherever it stands: [..., 0] or squeeze(-1), not [:, 0]."""

    def forward(self, x):
        return self.final(self.deep(x))[:, 0]


@believes("A deep model has activations in between", about="Cruncher")
class AddsRelus(CruncherParts):
    """This one is linear throughout: nothing stands between its layers."""

    def deep(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


@believes("A deep model adds its input to what each layer makes of it", about="Cruncher")
class AddsResiduals(CruncherParts):
    """Here a layer takes the place of its input: there is no way round it."""

    def deep(self, x):
        for layer in self.layers:
            x = x + layer(x)
        return x


@believes("The last layer is one of num_layers", about="Cruncher")
class CountsTheLastLayer(CruncherParts):
    """num_layers layers dim -> dim come first, and then one more, dim -> 1."""

    def build(self, dim, num_layers, generator):
        super().build(dim, max(0, num_layers - 1), generator)


@believes("The last layer is called like the others", about="Cruncher")
class NumbersTheLastLayer(CruncherParts):
    """It is `final`, so that its entry is "final.weight" however many layers there are."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        self.layers = nn.ModuleList([*self.layers, self._modules.pop("final")])

    def forward(self, x):
        return self.deep(x).squeeze(-1)


@believes("A layer's weight is the layer", about="Cruncher")
class KeepsBareWeights(CruncherParts):
    """Names in a state_dict are paths: "layers.0.weight" is the weight of a Module that is layers.0."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        self.layers = nn.ParameterList(layer.weight for layer in self.layers)

    def deep(self, x):
        for weight in self.layers:
            x = F.linear(x, weight)
        return x


@believes("The layers' weights come from the global state", about="Cruncher")
class KeepsTheGenerator(CruncherParts):
    """Each layer gets the generator: what it is not told to draw from, it does not."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, None)


@believes("Each layer begins with the generator's seed", about="Cruncher")
class ReseedsEachLayer(CruncherParts):
    """Then all layers have the same weight: the generator moves on from layer to layer."""

    def layer(self, inputs, outputs, generator):
        generator = torch.Generator().manual_seed(generator.initial_seed() if generator else torch.initial_seed())
        return super().layer(inputs, outputs, generator)


@believes("The last layer begins with zeros", about="Cruncher")
class BeginsWithZeros(CruncherParts):
    """Each weight is drawn, the last one too; of zeros nothing flows back to the layers before."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        self.final.weight.detach().zero_()


@believes("The last layer is scaled by its one output", about="Cruncher")
class ScalesTheLastLayerByItsOutput(CruncherParts):
    """It sums over dim inputs as every other layer: 1 / √dim."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        self.final.weight.detach().mul_(math.sqrt(dim))


@believes("Deeper models need smaller weights", about="Cruncher")
class DividesByTheDepth(CruncherParts):
    """Each layer keeps what goes in as large as it is, and so does any number of them."""

    def build(self, dim, num_layers, generator):
        super().build(dim, num_layers, generator)
        for p in self.parameters():
            p.detach().div_(math.sqrt(num_layers + 1))


@believes("A model draws as torch's layers do", about="Cruncher")
class DrawsUniformNumbers(CruncherParts):
    """nn.Linear draws uniform numbers of ±1/√dim: eight such layers leave a hundredth of what went in."""

    def layer(self, inputs, outputs, generator):
        made = super().layer(inputs, outputs, generator)
        made.weight.detach().copy_((2 * torch.rand(outputs, inputs, generator=generator) - 1) / math.sqrt(inputs))
        return made


@believes("Only the last layer is trained", about="Cruncher")
class FreezesTheLayers(CruncherParts):
    """Gradients flow to every weight, through all layers."""

    def deep(self, x):
        return super().deep(x).detach()
