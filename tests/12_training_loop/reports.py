"""Failures of kata 12 whose reports must match letter for letter, each on one chosen case."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties
from .strategies_accumulation import LOOK, Parts
from .strategies_gradients import Gradients
from .strategies_schedules import Schedule
from .strategies_training import NAMED, Spoiled
from .typed import LOOK as LOOK_AT_MODES
from .typed import MODES, SEEN

KATA = find("12")

MODEL = [
    "model = nn.Sequential(nn.Linear(1, 1, bias=False, dtype=torch.float64), nn.Dropout(0.0))",
    "_ = model[0].weight.data.fill_(1.0)",
]
LOSS = ["def loss_of(prediction, target):", "    return (prediction - target).square().mean()"]
FIVE = ["x, y = (torch.ones(5, 1, dtype=torch.float64), torch.tensor([[1.0]] * 4 + [[5.0]], dtype=torch.float64))"]
SGD = ["optimizer = torch.optim.SGD(model.parameters(), lr=0.25)"]
CALL = "train(model, optimizer, loss_of, [(x, y)] * 2)"

CLIPPED = Gradients(
    [
        "a = nn.Parameter(torch.zeros(2, dtype=torch.float64))",
        "a.grad = torch.tensor([3.0, 4.0], dtype=torch.float64)",
        "grad_a = a.grad",
        "norm = clip_gradients([a], 0.0)",
    ],
    "a",
    0.0,
)


def wrong(name):
    """Return the answer of that name, as a learner would hand it in."""
    return lambda tmp: believing(KATA, name)


CASES = {
    "seeds": (
        of(properties.test_seed_everything_refuses_what_numpy_does_not_take, seed=2**32),
        wrong("seed_everything-wraps_the_seed"),
    ),
    "a_schedule": (
        of(
            properties.test_learning_rate_is_that_of_torchs_schedules,
            case=Schedule(1.0, 4, 8, None, False, [4, 0, 3, 7, 8, 9]),
        ),
        wrong("learning_rate-begins_at_0"),
    ),
    "a_replaced_gradient": (
        of(properties.test_clip_gradients_shortens_them_together, case=CLIPPED),
        wrong("clip_gradients-replaces_the_gradients"),
    ),
    "a_mean_of_means": (
        of(
            properties.test_accumulate_gradients_leaves_those_of_the_whole_batch,
            case=Parts(
                [*MODEL, *FIVE, *LOSS, *LOOK_AT_MODES, "loss = accumulate_gradients(model, loss_of, x, y, 2)"], 5, 2
            ),
        ),
        wrong("accumulate_gradients-weighs_nothing"),
    ),
    "all_graphs_at_once": (
        of(
            properties.test_accumulate_gradients_holds_one_micro_batch_at_a_time,
            case=Parts([*MODEL, *FIVE, *LOSS, *LOOK, "loss = accumulate_gradients(model, loss_of, x, y, 2)"], 5, 2),
        ),
        wrong("accumulate_gradients-goes_backward_at_the_end"),
    ),
    "a_frozen_part": (
        of(
            properties.test_evaluate_is_the_mean_over_rows_and_changes_nothing,
            program=(
                [*MODEL, *FIVE, *LOSS, "_ = model[1].eval()", "loss = evaluate(model, loss_of, [(x, y)])"],
                [MODES],
            ),
        ),
        wrong("evaluate-keeps_one_mode"),
    ),
    "a_mode": (
        of(
            properties.test_train_runs_every_module_in_training_mode,
            program=(
                [*MODEL, *SGD, *FIVE, *LOSS, *LOOK_AT_MODES, "_ = model.eval()", f"losses = {CALL}"],
                [SEEN],
            ),
        ),
        wrong("train-forgets_training_mode"),
    ),
    "not_finite": (
        of(
            properties.test_train_stops_before_what_is_not_finite,
            case=Spoiled(
                [
                    *MODEL,
                    *SGD,
                    "x, y = (torch.ones(1, 1, dtype=torch.float64), torch.full((1, 1), torch.inf, dtype=torch.double))",
                    *LOSS,
                    "named = None",
                    "try:",
                    f"    {CALL}",
                    *NAMED,
                ],
                "a loss of inf",
                0,
                0,
                ["named", "model[0].weight"],
            ),
        ),
        wrong("train-never_looks"),
    ),
}
