"""The properties of kata 09: formulas are torch's, and numbers are drawn as they should be.

Random results are checked against bounds that hold for any number of draws (samples.py, tests/shared/chance.py); each
bound rejects a right answer with a probability of at most 10**-12.
"""

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect, expect_each, expect_error, grades
from dojo.seam.data import shown

from ..shared.repeated import expect_again
from . import pictures, scenarios, truth
from .samples import expect_none_beyond, expect_sample, expect_shape, expect_spread
from .strategies_draws import (
    cruncher_draws,
    large_draws,
    linear_draws,
    odd_draws,
    refused_draws,
    repeated_draws,
    small_draws,
    spread_draws,
)
from .strategies_layers import loaded_crunchers, loaded_linears, made_crunchers, made_linears
from .strategies_numbers import (
    chains,
    cuts,
    large_weights,
    layers_alike,
    no_chains,
    no_cuts,
    no_schemes,
    no_weights,
    schemes,
    stds,
    used_lists,
    weights,
    wide_weights,
)

# A few roundings; truth's integral is accurate to a few 1e-8, and its decompositions to a few 1e-14 for each layer.
ROUNDED, INTEGRATED, DECOMPOSED = 1e-12, 1e-6, 1e-9

# 8,192 numbers are drawn, sorted and compared, which takes a hundred times as long as one call.
LARGE = one_in(4)

# Three times 256 numbers or more: what is wrong with a generator, or without one, is wrong in nearly every example.
REPEATED = one_in(4)

# There are few of them, and each is drawn often.
FEW = one_in(4)

# A few examples show it, and an answer that counts one by one counts to 17 million, or draws 65,536 numbers.
RARE = one_in(50)


@grades("fans")
@given(shape=weights())
def test_fans_are_those_that_are_counted(kata, shape):
    """fan_in is the number of products in one output, and fan_out the number of outputs that one input goes into."""
    expect(kata.fans(shape), truth.fans(shape), "torch counts")


@grades("fans")
@RARE
@given(shape=large_weights())
def test_fans_are_exact_where_float32_is_not(kata, shape):
    """A fan beyond 2**24 is exact too."""
    expect(kata.fans(shape), truth.fans(shape), "torch counts")


@grades("fans")
@FEW
@given(shape=no_weights())
def test_fans_refuse_fewer_than_two_dimensions(kata, shape):
    """A shape of fewer than two dimensions raises a ValueError."""
    because = "a weight has two dimensions or more"
    expect_error(ValueError, kata.fans, shape, because=because)


@grades("init_std")
@given(shape=weights(), scheme=schemes())
def test_init_std_is_what_torch_draws_with(kata, shape, scheme):
    """The result is the standard deviation of the scheme: 1 / √fan_in, √(2 / (fan_in + fan_out)) or √(2 / fan_in)."""
    answer, right = kata.init_std(shape, scheme), truth.init_std(shape, scheme)
    expect(answer, right, "torch takes", rel=ROUNDED, draw=lambda: pictures.variance(answer, shape, scheme, right))


@grades("init_std")
@RARE
@given(shape=wide_weights(), scheme=schemes())
def test_init_std_is_accurate_where_fans_are_large(kata, shape, scheme):
    """A fan beyond 2**24, which float32 does not hold, counts to its last digit."""
    expect(kata.init_std(shape, scheme), truth.init_std(shape, scheme), "torch takes", rel=ROUNDED)


@grades("init_std")
@given(shape=weights(), scheme=no_schemes())
def test_init_std_refuses_other_schemes(kata, shape, scheme):
    """A scheme that is not exactly one of the three names raises a ValueError."""
    because = "the schemes are scaled, xavier and kaiming"
    expect_error(ValueError, kata.init_std, shape, scheme, because=because)


@grades("init_std")
@FEW
@given(shape=no_weights(), scheme=schemes())
def test_init_std_refuses_fewer_than_two_dimensions(kata, shape, scheme):
    """A shape of fewer than two dimensions raises a ValueError."""
    because = "a weight has two dimensions or more"
    expect_error(ValueError, kata.init_std, shape, scheme, because=because)


@grades("uniform_bound")
@given(std=stds())
def test_uniform_bound_is_what_torch_draws_between(kata, std):
    """Numbers drawn uniformly between -a and a have the given standard deviation."""
    expect(kata.uniform_bound(std), truth.uniform_bound(std), "torch takes", rel=ROUNDED)


@grades("truncated_std")
@given(cut=cuts())
def test_truncated_std_is_the_integral(kata, cut):
    """The result is the standard deviation of the standard normal distribution between -cut and cut."""
    expect(kata.truncated_std(cut), truth.truncated_std(cut), "integrated", rel=INTEGRATED)


@grades("truncated_std")
@FEW
@given(cut=no_cuts())
def test_truncated_std_refuses_what_keeps_nothing(kata, cut):
    """A cut of 0 or less raises a ValueError."""
    expect_error(ValueError, kata.truncated_std, cut, because="no numbers lie between")


def drawn(kata, function, case):
    """Return `x` of a program and whether it requires grad; fail unless it is a float32 tensor of the right shape."""
    seen = kata.run(scenarios.program, function, case.lines, ["x", "x.requires_grad"], "cpu")
    expect_shape(seen["x"] if type(seen) is dict else seen, "x", case.shape)
    return seen["x"], seen["x.requires_grad"]


@grades("truncated_normal")
@LARGE
@given(case=large_draws())
def test_truncated_normal_has_the_distribution_that_is_left(kata, case):
    """No number lies beyond ±cut · std, and none pile up there: within the cut, the distribution is the normal one."""
    x, _ = drawn(kata, "truncated_normal", case)
    expect_sample(x, "x", case.std, case.cut)


@grades("truncated_normal")
@RARE
@given(case=spread_draws())
def test_truncated_normal_draws_again_from_the_same_distribution(kata, case):
    """The root mean square is that of normal numbers within the cut, those that were drawn again among them."""
    x, _ = drawn(kata, "truncated_normal", case)
    expect_spread(x, "x", case.std, case.cut)


@grades("truncated_normal")
@RARE
@given(case=odd_draws())
def test_truncated_normal_draws_each_number_of_a_small_tensor(kata, case):
    """The numbers of many tensors with one number or a few, an odd number of them, have that distribution as well."""
    x, _ = drawn(kata, "truncated_normal", case)
    expect_sample(x, "x", case.std, case.cut)


@grades("truncated_normal")
@given(case=small_draws())
def test_truncated_normal_has_any_shape(kata, case):
    """The tensor is float32, of any given shape, even () or empty, and requires no grad; a std of 0 gives zeros."""
    x, requires_grad = drawn(kata, "truncated_normal", case)
    expect_none_beyond(x, "x", case.std, case.cut)
    if requires_grad is not False:
        raise Mismatch(requires_grad, "False", "should be", False, of="x.requires_grad")


@grades("truncated_normal")
@REPEATED
@given(case=repeated_draws("truncated_normal"))
def test_truncated_normal_draws_from_the_generator_alone(kata, case):
    """The same state gives the same numbers, a second call others; without a generator torch's global state counts."""
    draws_alike(kata, "truncated_normal", case)


@grades("truncated_normal")
@given(case=refused_draws())
def test_truncated_normal_refuses_what_is_no_spread(kata, case):
    """A std below 0, or a cut of 0 or less, raises a ValueError."""
    lines, because = case
    expect_error(ValueError, kata.run, scenarios.program, "truncated_normal", lines, ["x"], "cpu", because=because)


def draws_alike(kata, function, case):
    """Fail unless the same state draws the same numbers, and another state draws others."""
    expect_again(kata.run(scenarios.program, function, case.lines, case.watched, "cpu"), case)


@grades("output_std")
@given(chain=chains())
def test_output_std_is_that_of_orthonormal_layers(kata, chain):
    """Each layer multiplies the root mean square by its standard deviation and by the root of its number of inputs."""
    dims, stds = chain
    answer, right = kata.output_std(dims, stds), truth.output_std(dims, stds)
    draw = lambda: pictures.layers(kata.output_std, answer, dims, stds)  # noqa: E731
    expect(answer, right, "measured", rel=DECOMPOSED, draw=draw)


@grades("output_std")
@FEW
@given(case=layers_alike())
def test_output_std_is_the_gain_of_a_layer_to_the_power_of_their_number(kata, case):
    """A standard deviation of gain / √inputs multiplies the root mean square by the gain, in each layer."""
    expect(kata.output_std(*case.chain), case.gain**case.layers, "should be", rel=DECOMPOSED)


@grades("output_std")
@FEW
@given(case=used_lists())
def test_output_std_leaves_the_list_as_it_is(kata, case):
    """The list of standard deviations is the caller's: it holds the same numbers after the call."""
    lines, stds = case
    seen = kata.run(scenarios.program, "output_std", lines, ["stds"], "cpu")
    expect_each(seen, {"stds": stds}, "untouched")


@grades("output_std")
@given(chain=no_chains())
def test_output_std_refuses_other_numbers_of_layers(kata, chain):
    """A ValueError is raised unless there is one standard deviation for each layer."""
    dims, stds = chain
    because = f"{len(dims)} sizes make {len(dims) - 1} layers, and there are {len(stds)} standard deviations"
    expect_error(ValueError, kata.output_std, dims, stds, because=because)


@grades("Linear")
@FEW
@given(lines=made_linears())
def test_linear_has_torchs_names_and_shapes(kata, lines):
    """The state_dict has exactly one entry, the parameter "weight", of shape (out_features, in_features)."""
    names(kata, "Linear", lines)


@grades("Linear")
@given(case=loaded_linears())
def test_linear_computes_with_the_weight_that_is_loaded(kata, device, case):
    """The last dimension of x is multiplied by the weight; gradients reach weight and x, and earlier results stay."""
    computes(kata, "Linear", case, device)


@grades("Linear")
@LARGE
@given(case=linear_draws())
def test_linear_begins_with_a_truncated_normal_weight(kata, case):
    """The weight is truncated normal: its standard deviation is 1 / √in_features, before the cut at 3 of these."""
    x, _ = drawn(kata, "Linear", case)
    expect_sample(x, "x", case.std, case.cut)


@grades("Linear")
@REPEATED
@given(case=repeated_draws("Linear"))
def test_linear_draws_from_the_generator_alone(kata, case):
    """The same state gives the same weight, a second layer another; without a generator torch's global state counts."""
    draws_alike(kata, "Linear", case)


@grades("Cruncher")
@FEW
@given(lines=made_crunchers())
def test_cruncher_has_torchs_names_and_shapes(kata, lines):
    """The state_dict has "layers.0.weight", … and "final.weight" in this order, and all of them are parameters."""
    names(kata, "Cruncher", lines)


@grades("Cruncher")
@given(case=loaded_crunchers())
def test_cruncher_computes_with_the_weights_that_are_loaded(kata, device, case):
    """x goes through all layers; the last dimension is dropped, gradients reach each weight, earlier results stay."""
    computes(kata, "Cruncher", case, device)


@grades("Cruncher")
@LARGE
@given(case=cruncher_draws())
def test_cruncher_begins_with_truncated_normal_weights(kata, case):
    """Every weight is truncated normal: its standard deviation is 1 / √dim, before the cut at 3 of these."""
    x, _ = drawn(kata, "Cruncher", case)
    expect_sample(x, "x", case.std, case.cut)


@grades("Cruncher")
@REPEATED
@given(case=repeated_draws("Cruncher"))
def test_cruncher_draws_from_the_generator_alone(kata, case):
    """The same state gives the same weights, a second model others; without a generator torch's global state counts."""
    draws_alike(kata, "Cruncher", case)


def names(kata, function, lines):
    """Fail unless state_dict and parameters have the names and shapes that torch's own layer would give them."""
    watched = ["state", "trained"]
    compare(
        kata.run(scenarios.program, function, lines, watched, "cpu"), truth.program(function, lines, watched, "cpu")
    )


def computes(kata, function, case, device):
    """Fail unless the layer answers as torch's own one does with these weights."""
    right = truth.program(function, case.lines, case.watched, device)
    compare(kata.run(scenarios.program, function, case.lines, case.watched, device), right)


def compare(seen, right):
    """Fail unless each value is the right one; if the program raised, say what the first one should be."""
    if type(seen) is not dict:
        name, value = next(iter(right.items()))
        raise Mismatch(seen, shown(value), "torch says", value, of=name)
    expect_each(seen, right, rel=DECOMPOSED)
