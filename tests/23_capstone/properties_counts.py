"""The properties of kata 23 about what is computed before anything runs: parameters, FLOPs, plans, and groups."""

import functools

from dojo.judging.examples import given, one_in
from dojo.judging.expect import expect, expect_each, expect_error, grades

from . import pictures, scenarios, truth
from .strategies_counts import gpts, large_gpts, large_steps, no_plans, no_steps, steps
from .strategies_counts import plans as planned
from .strategies_models import grouped

# There are few kinds of cases, so each is drawn often; or real models run forward and backward, large ones on meta.
HALF, THIRD, FEW, TENTH = one_in(2), one_in(3), one_in(5), one_in(10)


@grades("gpt_params")
@FEW
@given(case=gpts(), large=large_gpts())
def test_gpt_params_are_those_of_the_real_model(kata, case, large):
    """There are two embeddings, four matrices with biases and two norms in each block, and a last norm, but no head."""
    for one in (case, large):
        expect(kata.gpt_params(*one), truth.parameters(*one), "torch counts")


@grades("step_flops")
@THIRD
@given(case=steps())
def test_step_flops_are_what_torch_counts(kata, case):
    """Each product counts once forward and twice backward; the products of a recomputed block count once more."""
    expect(case.ask(kata.step_flops), truth.step_flops(*case[:7]), "torch counts")


@grades("step_flops", stays="an answer that computes in floats is right for small sizes")
@TENTH
@given(case=large_steps())
def test_step_flops_are_exact_for_large_models(kata, case):
    """The result is an exact int, however large."""
    expect(case.ask(kata.step_flops), truth.step_flops(*case[:7]), "torch counts")


@grades("step_flops")
@FEW
@given(case=no_steps())
def test_step_flops_refuses_to_recompute_what_is_not_there(kata, case):
    """A ValueError is raised unless 0 <= recomputed <= layers."""
    because = f"{case.recomputed} of {case.layers} blocks recomputed"
    expect_error(ValueError, kata.step_flops, 2, 4, 5, 6, case.layers, case.recomputed, because=because)


@grades("plan")
@HALF
@given(case=planned())
def test_plan_is_the_best_of_all_that_fit(kata, case):
    """Among all plans that fit, the answer has the fewest FLOPs, and among those the largest micro-batch.

    What a plan saves is measured on the real model.
    """
    plans = truth.plans(case.batch, case.layers, *case.sizes, times=case.times)
    weights = sorted({nbytes for nbytes, _ in plans.values()})
    budget = weights[case.place % len(weights)] + case.more
    costs = (case.times * nbytes for nbytes in truth.costs(*case.sizes))
    answer = kata.plan(case.batch, case.layers, *costs, budget)
    right = truth.best(plans, budget)
    draw = functools.partial(pictures.of_plans, plans, budget, answer, right)
    expect(answer, right, "torch says", draw=draw)


@grades("plan")
@FEW
@given(case=no_plans())
def test_plan_refuses_what_is_no_batch(kata, case):
    """A batch below 1, or layers below 0, raises a ValueError, whatever the budget."""
    because = " and ".join(
        [f"batch is {case.batch}"] * (case.batch < 1) + [f"layers is {case.layers}"] * (case.layers < 0)
    )
    expect_error(ValueError, kata.plan, *case[:2], 100, 10, 50, case.budget, because=because)


@grades("param_groups")
@HALF
@given(program=grouped())
def test_param_groups_are_those_that_adamw_decays(kata, program):
    """A step of AdamW with zero gradients shrinks the parameters of 2 or more dimensions, and moves no others.

    param_groups changes neither the model nor its gradients.
    """
    lines, watched = program
    right = truth.program("param_groups", lines, watched)
    expect_each(kata.run(scenarios.program, "param_groups", lines, watched), right, rel=1e-6)
