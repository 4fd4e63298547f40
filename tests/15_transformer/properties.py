"""The properties of kata 15: what a model costs is what torch finds in a real model on the meta device."""

import functools
import math

from hypothesis import strategies as st

from dojo.judging.examples import given, one_in
from dojo.judging.expect import expect, expect_error, expect_that, grades
from dojo.seam.data import is_number

from . import pictures, scenarios, truth
from .strategies_configs import configs, crossed_configs, large_configs, large_crossings
from .strategies_experts import budgets, large_mixtures, mixtures, refused_budgets, refused_mixtures
from .strategies_pairs import pairs
from .strategies_passes import (
    caches,
    intensities,
    large_caches,
    large_intensities,
    large_passes,
    large_steps,
    passes,
    refused_passes,
    steps,
)

# A handful of multiplications, divisions and roots, each within 2**-53 of its result, stay well within this.
ROUNDING = 1e-12

# Norms and activations are decomposed in Python on meta, which is slow; the lean model has been checked before. Or
# there is only one kind.
TENTH = one_in(10)

# A function that changes one config changes most of them.
FIFTH = one_in(5)

ALONE = "the only one that looks at the config afterwards"

# There are few kinds, and each is drawn often; or real models run forward and backward.
HALF = one_in(2)


def adds_up(answer, parts, says="torch counts"):
    """Fail, and show the parts, unless the answer is their sum."""
    expect(answer, sum(parts.values()), says, draw=functools.partial(pictures.parts, parts, answer))


def leaves(kata, function, config, *sizes):
    """Fail unless the function leaves the config as it was."""
    expect(kata.run(scenarios.config_after, function, config, sizes), config, "it was")


def survives(kata, function, config, *sizes):
    """Fail unless the function, which refuses the sizes, leaves the config as it was."""
    expect(kata.run(scenarios.config_after_refusal, function, config, sizes), config, "it was")


def answers_anew(kata, function, case, measure, says="torch counts", **close):
    """Fail unless the second of two calls is answered by its own arguments."""
    for pair in case:
        answer = kata.run(scenarios.second_answer, function, pair.first, pair.second)
        right = measure(*pair.second)
        expect(answer, sum(right.values()) if isinstance(right, dict) else right, says, **close)


@grades("block_parameters")
@given(config=configs(), large=large_configs())
def test_block_parameters_are_those_of_a_real_block(kata, config, large):
    """Count attention's four matrices, the MLP's two or three, two norms, and with bias one for each output."""
    for one in (config, large):
        adds_up(kata.block_parameters(one), truth.block_parameters(one))


@grades("block_parameters")
@FIFTH
@given(case=pairs())
def test_block_parameters_remembers_no_other_call(kata, case):
    """The result depends only on the config, and not on earlier calls."""
    answers_anew(kata, "block_parameters", case, truth.block_parameters)


@grades("block_parameters", stays=ALONE)
@FIFTH
@given(config=configs())
def test_block_parameters_leaves_the_config(kata, config):
    """The config stays as it is."""
    leaves(kata, "block_parameters", config)


@grades("parameters")
@given(config=configs(), large=large_configs())
def test_parameters_are_those_of_a_real_model(kata, config, large):
    """Count tables, blocks, the last norm and the head; a table that is tied to the head counts once."""
    for one in (config, large):
        adds_up(kata.parameters(one), truth.parameters(one))


@grades("parameters")
@FIFTH
@given(case=pairs())
def test_parameters_remembers_no_other_call(kata, case):
    """The result depends only on the config, and not on earlier calls."""
    answers_anew(kata, "parameters", case, truth.parameters)


@grades("parameters", stays=ALONE)
@FIFTH
@given(config=configs())
def test_parameters_leaves_the_config(kata, config):
    """The config stays as it is."""
    leaves(kata, "parameters", config)


@grades("forward_flops")
@given(case=passes(), large=large_passes())
def test_forward_flops_are_what_torch_counts(kata, case, large):
    """Each new token is multiplied by every matrix, even the head, and in each block attends to all cached + tokens."""
    for one in (case, large):
        adds_up(one.ask(kata.forward_flops), truth.flops(one.config, **one.sizes))


@grades("forward_flops", stays="the only one with norms, softmax and activations around the products")
@TENTH
@given(case=passes())
def test_forward_flops_are_those_of_a_whole_decoder(kata, case):
    """Norms, softmax, activations, masks and lookups are free, as in torch's counter."""
    expect(case.ask(kata.forward_flops), truth.decoder_flops(case.config, **case.sizes), "torch counts")


@grades("forward_flops")
@HALF
@given(case=refused_passes())
def test_forward_flops_refuses_tokens_beyond_the_positions(kata, case):
    """If cached + tokens is more than the learned positions, a ValueError is raised."""
    there = case.at("cached") + case.at("tokens")
    because = f"there are {there} tokens, and {case.config['positions']} learned positions"
    expect_error(ValueError, case.ask, kata.forward_flops, because=because)


@grades("forward_flops")
@FIFTH
@given(case=pairs("batch", "tokens", "cached"))
def test_forward_flops_remembers_no_other_call(kata, case):
    """The result depends only on the arguments, and not on earlier calls."""
    answers_anew(kata, "forward_flops", case, truth.flops)


@grades("forward_flops", stays=ALONE)
@FIFTH
@given(case=passes())
def test_forward_flops_leaves_the_config(kata, case):
    """The config stays as it is."""
    leaves(kata, "forward_flops", case.config, *case.sizes.values())


@grades("forward_flops")
@FIFTH
@given(case=refused_passes())
def test_forward_flops_leaves_the_config_of_a_refused_call(kata, case):
    """The config stays as it is even if a ValueError is raised."""
    survives(kata, "forward_flops", case.config, *case.sizes.values())


@grades("crossover_tokens")
@HALF
@given(config=crossed_configs(), large=large_crossings())
def test_crossover_tokens_is_where_torch_counts_more(kata, config, large):
    """For this many tokens, attention's two products cost more than the MLP; for one fewer, they do not."""
    for one in (config, large):
        answer = kata.crossover_tokens(one)
        right = answer if crosses(one, answer) else truth.crossover_tokens(one)
        expect(answer, right, "torch counts")


def crosses(config, tokens):
    """Return whether attention begins to cost more at this number of tokens."""
    if type(tokens) is not int or tokens < 1:
        return False
    return truth.attention_costs_more(config, tokens) and not truth.attention_costs_more(config, tokens - 1)


@grades("crossover_tokens")
@FIFTH
@given(case=pairs())
def test_crossover_tokens_remembers_no_other_call(kata, case):
    """The result depends only on the config, and not on earlier calls."""
    answers_anew(kata, "crossover_tokens", case, truth.crossover_tokens)


@grades("crossover_tokens", stays=ALONE)
@FIFTH
@given(config=crossed_configs())
def test_crossover_tokens_leaves_the_config(kata, config):
    """The config stays as it is."""
    leaves(kata, "crossover_tokens", config)


@grades("kv_cache_bytes")
@given(case=caches(), large=large_caches())
def test_kv_cache_bytes_are_those_of_real_storages(kata, case, large):
    """Each token has a key and a value in each block, with kv_heads · head_dim numbers each."""
    for one in (case, large):
        size, tokens = one.at("bytes_per_value"), one.at("tokens")
        expect(one.ask(kata.kv_cache_bytes), truth.storages(one.config, one.at("batch"), tokens, 0, size).cache)


@grades("kv_cache_bytes")
@FIFTH
@given(case=pairs("batch", "tokens", "bytes_per_value"))
def test_kv_cache_bytes_remembers_no_other_call(kata, case):
    """The result depends only on the arguments, and not on earlier calls."""
    answers_anew(kata, "kv_cache_bytes", case, truth.cache_bytes, "torch says")


@grades("kv_cache_bytes", stays=ALONE)
@FIFTH
@given(case=caches())
def test_kv_cache_bytes_leaves_the_config(kata, case):
    """The config stays as it is."""
    leaves(kata, "kv_cache_bytes", case.config, *case.sizes.values())


@grades("intensity")
@given(case=intensities(), large=large_intensities())
def test_intensity_is_flops_over_bytes_of_real_storages(kata, case, large):
    """Every matrix is moved once, however large the batch, and so are the keys and values of each sequence."""
    for one in (case, large):
        batch, tokens, cached, size = (one.at(name) for name in ("batch", "tokens", "cached", "bytes_per_value"))
        found = truth.storages(one.config, batch, tokens, cached, size)
        flops = sum(truth.flops(one.config, batch, tokens, cached).values())
        right, answer = flops / (found.matrices + found.cache), one.ask(kata.intensity)
        draw = functools.partial(pictures.ratio, answer, right, flops, found.matrices, found.cache)
        expect(answer, right, "torch finds", rel=ROUNDING, draw=draw)


@grades("intensity")
@FIFTH
@given(case=pairs("batch", "tokens", "cached", "bytes_per_value"))
def test_intensity_remembers_no_other_call(kata, case):
    """The result depends only on the arguments, and not on earlier calls."""
    answers_anew(kata, "intensity", case, truth.intensity, "torch finds", rel=ROUNDING)


@grades("intensity", stays=ALONE)
@FIFTH
@given(case=intensities())
def test_intensity_leaves_the_config(kata, case):
    """The config stays as it is."""
    leaves(kata, "intensity", case.config, *case.sizes.values())


@grades("training_bytes")
@given(case=steps(), large=large_steps())
def test_training_bytes_are_those_of_parameters_and_operands(kata, case, large):
    """Count bytes_per_param for each parameter, and once each number that a product reads and is not a parameter."""
    for one in (case, large):
        sizes = (one.at(name) for name in ("batch", "tokens", "bytes_per_param", "bytes_per_value"))
        adds_up(one.ask(kata.training_bytes), truth.step(one.config, *sizes), "torch keeps")


@grades("training_bytes")
@FIFTH
@given(case=pairs("batch", "tokens", "bytes_per_param", "bytes_per_value"))
def test_training_bytes_remembers_no_other_call(kata, case):
    """The result depends only on the arguments, and not on earlier calls."""
    answers_anew(kata, "training_bytes", case, truth.step, "torch keeps")


@grades("training_bytes", stays=ALONE)
@FIFTH
@given(case=steps())
def test_training_bytes_leaves_the_config(kata, case):
    """The config stays as it is."""
    leaves(kata, "training_bytes", case.config, *case.sizes.values())


@grades("moe_parameters")
@HALF
@given(case=mixtures(), large=large_mixtures())
def test_moe_parameters_are_those_of_a_real_mixture(kata, case, large):
    """The first number counts all parameters, the second those that get a gradient from one token."""
    for one in (case, large):
        expect(kata.moe_parameters(*one), truth.moe_parameters(*one), "torch counts")


@grades("moe_parameters")
@FIFTH
@given(case=pairs("experts", "active"))
def test_moe_parameters_remembers_no_other_call(kata, case):
    """The result depends only on the arguments, and not on earlier calls."""
    answers_anew(kata, "moe_parameters", case, truth.moe_parameters)


@grades("moe_parameters")
@FIFTH
@given(case=mixtures())
def test_moe_parameters_leaves_the_config(kata, case):
    """The config stays as it is."""
    leaves(kata, "moe_parameters", *case)


@grades("moe_parameters")
@HALF
@given(case=refused_mixtures())
def test_moe_parameters_refuses_experts_that_are_not_there(kata, case):
    """A ValueError is raised unless 1 <= active <= experts."""
    expect_error(ValueError, kata.moe_parameters, *case, because=f"{case[2]} of {case[1]} experts are active")


@grades("moe_parameters")
@FIFTH
@given(case=refused_mixtures())
def test_moe_parameters_leaves_the_config_of_a_refused_call(kata, case):
    """The config stays as it is even if a ValueError is raised."""
    survives(kata, "moe_parameters", *case)


@grades("compute_optimal")
@given(case=budgets(), by_name=st.booleans())
def test_compute_optimal_spends_the_flops(kata, case, by_name):
    """The answer (N, D) satisfies 6 · N · D = flops and D = tokens_per_param · N."""
    flops, ratio = (*case, 20.0)[:2]
    named = {"tokens_per_param": case[1]} if by_name and len(case) > 1 else {}
    answer, count = kata.compute_optimal(*(case[:1] if named else case), **named), math.sqrt(flops / ratio / 6)
    holds = False
    if type(answer) is tuple and len(answer) == 2 and all(map(is_number, answer)) and min(answer) > 0:
        spends = math.isclose(6 * answer[0] * answer[1], flops, rel_tol=ROUNDING)
        holds = spends and math.isclose(answer[1], ratio * answer[0], rel_tol=ROUNDING)
    expect_that(holds, answer, (count, ratio * count), "should be")


@grades("compute_optimal")
@HALF
@given(case=refused_budgets())
def test_compute_optimal_refuses_what_is_not_above_0(kata, case):
    """flops or tokens_per_param of 0 or less raises a ValueError."""
    names = ("flops", "tokens_per_param")
    bad = [f"{name} is {value}" for name, value in zip(names, case, strict=False) if value <= 0]
    expect_error(ValueError, kata.compute_optimal, *case, because=" and ".join(bad))
