"""Failures of kata 23 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties
from .strategies_counts import NoStep, Plan, Sizes, Step
from .strategies_runs import Budget, TooShort
from .strategies_steps import Cut

KATA = find("23")

MODEL = ["torch.manual_seed(3)", "model = GPT(5, 4, 6, 2, 2).double()", "tokens = torch.randint(5, (5, 5))"]
SGD = "optimizer = torch.optim.SGD(model.parameters(), lr=0.25)"


def wrong(name):
    """The answer of that name, as a learner would hand it in."""
    return lambda tmp: believing(KATA, name)


CASES = {
    "a_head_of_its_own": (
        of(
            properties.test_gpt_params_are_those_of_the_real_model,
            case=Sizes(5, 4, 3, 2),
            large=Sizes(10**5, 10**5, 10**5, 1000),
        ),
        wrong("gpt_params-unties_the_head"),
    ),
    "half_of_attention": (
        of(properties.test_step_flops_are_what_torch_counts, case=Step(2, 4, 5, 3, 2, 0, 1)),
        wrong("step_flops-halves_attention"),
    ),
    "more_blocks_than_there_are": (
        of(properties.test_step_flops_refuses_to_recompute_what_is_not_there, case=NoStep(2, 3)),
        wrong("step_flops-takes_all_there_are"),
    ),
    "large_parts_first": (
        of(properties.test_plan_is_the_best_of_all_that_fit, case=Plan(4, 2, (5, 4, 8), 6, 0)),
        wrong("plan-prefers_large_parts"),
    ),
    "recomputes_the_last_blocks": (
        of(
            properties.test_train_step_runs_each_block_once_for_each_part,
            case=Cut(
                [
                    *MODEL,
                    SGD,
                    "noted, counted = Noted(), Flops()",
                    "with noted, counted:",
                    "    loss = train_step(model, optimizer, tokens, 3, 1)",
                ],
                ["noted.ran", "sum(counted.parts.values())"],
                5,
                3,
                2,
                1,
            ),
        ),
        wrong("train_step-recomputes_the_last"),
    ),
    "gradients_of_zeros": (
        of(
            properties.test_train_step_is_the_step_of_the_whole_batch,
            case=Cut(
                [*MODEL, SGD, "losses = [train_step(model, optimizer, tokens, 2) for _ in range(1)]"],
                ["[p.grad is None for p in model.parameters()]"],
                5,
                2,
                2,
                0,
            ),
        ),
        wrong("train_step-zeroes_afterwards"),
    ),
    "a_text_without_a_window": (
        of(
            properties.test_trainer_refuses_a_text_without_a_window,
            case=TooShort(
                [
                    "model = GPT(5, 3, 4, 1)",
                    "tokens = torch.arange(3)",
                    "trainer = Trainer(model, tokens, batch=2, context=3, lr=0.01, seed=3)",
                ],
                3,
                3,
            ),
        ),
        wrong("Trainer-TakesAnyText"),
    ),
    "more_flops_than_there_are": (
        of(properties.test_fit_spends_no_more_than_there_is, case=Budget((8, 8, 16, 2, 2), 3, 5, 4)),
        wrong("fit-always_takes_a_step"),
    ),
}
