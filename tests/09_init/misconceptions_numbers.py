"""Wrong answers that people give to kata 09 about fans and spreads."""

import math

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("09_init")


# fans


@believes("Fans are the channels, whatever the kernel", about="fans")
def leaves_out_the_kernel(shape):
    """Each place of the kernel adds the inputs of another place to an output: multiply by the kernel's size."""
    solved.fans(shape)
    return shape[1], shape[0]


@believes("A weight has the shape (in, out)", about="fans")
def swaps_the_fans(shape):
    """Code that computes x @ w keeps (in, out); torch keeps (out, in), and multiplies by the transpose."""
    return solved.fans(shape)[::-1]


@believes("The kernel counts in fan_in alone", about="fans")
def counts_the_kernel_in_fan_in_alone(shape):
    """An input goes into the outputs of all its neighbors too, so fan_out grows as fan_in does."""
    return solved.fans(shape)[0], shape[0]


@believes("A kernel has equal sides", about="fans")
def squares_the_first_side(shape):
    """Each dimension of the kernel has a size of its own: multiply all of them."""
    solved.fans(shape)
    places = shape[2] ** len(shape[2:]) if len(shape) > 2 else 1
    return shape[1] * places, shape[0] * places


@believes("The sides of a kernel are added", about="fans")
def adds_the_sides(shape):
    """A kernel (3, 3) has 9 places: its sizes are multiplied."""
    solved.fans(shape)
    places = sum(shape[2:]) or 1
    return shape[1] * places, shape[0] * places


@believes("A kernel has three dimensions at most", about="fans")
def stops_after_three_dimensions(shape):
    """A kernel may have any number of dimensions: multiply all sizes after the first two."""
    return solved.fans(shape[:5])


@believes("The channels come last", about="fans")
def reads_the_layout_of_tensorflow(shape):
    """TensorFlow keeps a kernel as (*kernel, in, out). In torch the outputs come first and the inputs second."""
    solved.fans(shape)
    *kernel, fan_in, fan_out = shape
    return fan_in * math.prod(kernel), fan_out * math.prod(kernel)


@believes("A vector is a weight with one output", about="fans")
def takes_vectors(shape):
    """With one dimension, inputs cannot be told from outputs, as in a bias: raise ValueError."""
    return (shape[0], 1) if len(shape) == 1 else solved.fans(shape)


@believes("A shape of fewer than two dimensions has fans of 1", about="fans")
def gives_everything_fans(shape):
    """It is not the weight of a layer: raise ValueError."""
    return solved.fans(shape) if len(shape) > 1 else (1, 1)


# init_std


def _fans(shape):
    return solved.fans(shape)


def _scheme(scheme, **variances):
    """Return the root of one of these variances; raise ValueError for another name."""
    solved.init_std((1, 1), scheme)
    return math.sqrt(variances[scheme])


@believes("The standard deviation of a scheme needs no root", about="init_std")
def takes_no_root(shape, scheme):
    """That is the variance: the standard deviation is its root."""
    return solved.init_std(shape, scheme) ** 2


@believes("Xavier divides by the sum of the fans", about="init_std")
def forgets_the_two_of_xavier(shape, scheme):
    """It divides by their mean, (fan_in + fan_out) / 2, which brings a 2 into the numerator."""
    return solved.init_std(shape, scheme) / (math.sqrt(2) if scheme == "xavier" else 1)


@believes("Xavier is the mean of two standard deviations", about="init_std")
def averages_the_standard_deviations(shape, scheme):
    """The fans are averaged first, and then the root is taken."""
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
    """Where fan_in + fan_out is odd, their mean is not a whole number, and // drops a half."""
    fan_in, fan_out = _fans(shape)
    right = solved.init_std(shape, scheme)
    return ((fan_in + fan_out) // 2) ** -0.5 if scheme == "xavier" else right


@believes("float32 holds every fan", about="init_std")
def averages_in_float32(shape, scheme):
    """It holds whole numbers up to 2**24 = 16,777,216: use Python's own numbers, or float64."""
    solved.init_std(shape, scheme)
    fan_in, fan_out = torch.tensor(_fans(shape)).float()
    return _scheme(scheme, scaled=1 / fan_in, xavier=2 / (fan_in + fan_out), kaiming=2 / fan_in)


@believes('"scaled" uses fan_out', about="init_std")
def takes_fan_out_for_scaled(shape, scheme):
    """It keeps the size of the outputs, and each output is a sum of fan_in products."""
    fan_in, fan_out = _fans(shape)
    return solved.init_std(shape, scheme) * (math.sqrt(fan_in / fan_out) if scheme == "scaled" else 1)


@believes('"kaiming" uses fan_out', about="init_std")
def takes_fan_out_for_kaiming(shape, scheme):
    """It keeps the size in the forward pass, so it divides by fan_in, the number of products in a sum."""
    fan_in, fan_out = _fans(shape)
    return solved.init_std(shape, scheme) * (math.sqrt(fan_in / fan_out) if scheme == "kaiming" else 1)


@believes("Kaiming doubles the standard deviation", about="init_std")
def doubles_the_standard_deviation(shape, scheme):
    """A ReLU halves the mean square, so the variance is doubled and the standard deviation grows by a factor of √2."""
    return solved.init_std(shape, scheme) * (math.sqrt(2) if scheme == "kaiming" else 1)


@believes('"kaiming" halves the variance, as a ReLU does', about="init_std")
def halves_for_the_relu(shape, scheme):
    """A ReLU halves the mean square, and the weights make up for it: 2 / fan_in."""
    return solved.init_std(shape, scheme) / (2 if scheme == "kaiming" else 1)


@believes('"kaiming" is what nn.Linear does, with a = √5', about="init_std")
def takes_the_slope_of_nn_linear(shape, scheme):
    """With that a the variance is 1 / (3 · fan_in). Kaiming's own is 2 / fan_in, for a ReLU."""
    return solved.init_std(shape, scheme) / (math.sqrt(6) if scheme == "kaiming" else 1)


@believes("The kernel does not count in a scheme", about="init_std")
def leaves_the_kernel_out_of_the_scheme(shape, scheme):
    """An output is a sum of fan_in products, which include all places of the kernel."""
    return solved.init_std(shape[:2], scheme)


@believes("fan_in is the first size", about="init_std")
def swaps_the_fans_of_the_scheme(shape, scheme):
    """torch keeps (out, in): the first size is the number of outputs."""
    solved.fans(shape)
    return solved.init_std((shape[1], shape[0], *shape[2:]), scheme)


@believes("The bound of the uniform numbers is their standard deviation", about="init_std")
def returns_the_bound(shape, scheme):
    """√(6 / (fan_in + fan_out)) is how far uniform numbers reach; their standard deviation is that over √3."""
    return solved.init_std(shape, scheme) * math.sqrt(3)


@believes('An unknown scheme means "scaled"', about="init_std")
def falls_back_to_scaled(shape, scheme):
    """A misspelled name would go unnoticed for a whole training: raise ValueError."""
    return solved.init_std(shape, scheme if scheme in ("scaled", "xavier", "kaiming") else "scaled")


@believes("Capitals and blanks in a name do not matter", about="init_std")
def cleans_the_name(shape, scheme):
    """The three names must match exactly: raise ValueError for any other."""
    return solved.init_std(shape, scheme.strip().lower())


@believes("A vector has fans too", about="init_std")
def takes_vectors_in_a_scheme(shape, scheme):
    """A shape of fewer than two dimensions has no fans: raise ValueError."""
    return solved.init_std(shape if len(shape) > 1 else (*shape, 1, 1)[:2], scheme)


# uniform_bound


@believes("The bound is the distance from -a to a", about="uniform_bound")
def returns_the_width(std):
    """That distance is √12 · std; a is half of it."""
    return math.sqrt(12) * std


@believes("The bound is the standard deviation", about="uniform_bound")
def returns_the_standard_deviation(std):
    """Most numbers lie nearer to 0 than a, so their root mean square is less than a: a / √3."""
    return std


@believes("The bound is three standard deviations", about="uniform_bound")
def takes_three_standard_deviations(std):
    """The variance is a² / 3, so the 3 is under a root: a = √3 · std."""
    return 3 * std


@believes("The bound is √6 · std, as in xavier_uniform_", about="uniform_bound")
def takes_the_six_of_xavier(std):
    """√6 there is √3 · √2, and the √2 is Xavier's."""
    return math.sqrt(6) * std


@believes("The bound is std / √3", about="uniform_bound")
def divides_by_root_three(std):
    """It is the other way round: std = a / √3, so a is the larger one."""
    return std / math.sqrt(3)


@believes("The standard deviation is the mean distance from 0", about="uniform_bound")
def takes_the_mean_distance(std):
    """That mean is a / 2. The standard deviation is the root of the mean square, a / √3."""
    return 2 * std


@believes("std is the variance", about="uniform_bound")
def takes_std_for_the_variance(std):
    """a² / 3 is the variance, which is std²."""
    return math.sqrt(3 * std)
