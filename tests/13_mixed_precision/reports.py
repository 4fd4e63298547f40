"""Failures of kata 13 whose reports are held to the letter, each on one case that was chosen."""

import torch

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties
from .strategies_gradients import Stored
from .strategies_rounding import Repeated

KATA = find("13")

STORY = [
    "a = torch.tensor([0.0, 2.0], requires_grad=True)",
    "of_a = torch.optim.SGD([a], lr=0.5)",
    "scaler = LossScaler(init_scale=1024.0)",
    "scaler.scale((a * torch.tensor([1.0, -math.inf])).sum()).backward()",
    "scaler.step(of_a)",
    "scaler.update()",
]
MASTERS = [
    "a = torch.tensor([1.0, 0.125], dtype=torch.bfloat16, requires_grad=True)",
    "weights = MasterWeights([a], lambda masters: torch.optim.SGD(masters, lr=2**-10))",
    "a.grad = torch.tensor([-1.0, -1.0], dtype=torch.bfloat16)",
    "for _ in range(6): weights.step()",
]
ROUNDS = [
    "x = torch.full((4096,), 1.001953125)",
    "g = torch.Generator().manual_seed(5)",
    "rounded = stochastic_round(x, g)",
]
SKIPPED = [
    "model = nn.Linear(1, 1)",
    "optimizer = torch.optim.SGD(model.parameters(), lr=0.5)",
    'scaler = GradScaler("cpu", init_scale=256.0)',
    "scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)",
    "x, y = torch.full((1, 1), 1e6), torch.zeros(1, 1)",
    "moved = mixed_step(",
    "    model, optimizer, scaler, nn.functional.mse_loss, x, y, torch.float16, scheduler=scheduler",
    ")",
]


def wrong(name):
    """The answer of that name, as a learner would hand it in."""
    return lambda tmp: believing(KATA, name)


CASES = {
    "bytes_of_masters": (
        of(properties.test_training_bytes_are_those_that_are_kept, cases=[(1000, "float32"), (1000, "master", 0)]),
        wrong("training_bytes-masters_alone"),
    ),
    "half_of_the_least": (
        of(
            properties.test_lost_gradients_are_those_that_a_cast_loses,
            case=Stored(
                ["grads = torch.tensor([2.9802322387695312e-08, 1.0])", "lost = lost_gradients(grads)"],
                ("half of the least", "ordinary"),
                "float16",
                1.0,
            ),
        ),
        wrong("lost_gradients-half_rounds_up"),
    ),
    "a_sum_of_both_narrow_ones": (
        of(
            properties.test_autocast_dtype_is_that_of_the_result,
            calls=[("add", (torch.bfloat16, torch.float16), {})],
        ),
        wrong("autocast_dtype-promotes_by_bytes"),
    ),
    "a_step_that_is_skipped": (
        of(properties.test_loss_scaler_tells_the_story_of_torchs, program=(STORY, ["scaler.get_scale()", "a"])),
        wrong("LossScaler-LooksForPositiveInfinity"),
    ),
    "updates_that_are_lost": (
        of(properties.test_master_weights_move_as_float32_does, program=(MASTERS, ["a"])),
        wrong("MasterWeights-MovesNarrowWeights"),
    ),
    "a_coin": (
        of(
            properties.test_stochastic_round_is_right_on_average,
            case=Repeated(ROUNDS, (1.001953125,), ("ordinary",), (4096,)),
        ),
        wrong("stochastic_round-flips_a_coin"),
    ),
    "a_schedule_that_moves": (
        of(
            properties.test_mixed_step_is_that_of_torchs_parts,
            program=(SKIPPED, ["moved", 'optimizer.param_groups[0]["lr"]']),
        ),
        wrong("mixed_step-always_schedules"),
    ),
}
