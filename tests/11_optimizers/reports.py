"""Failures of kata 11 whose reports must match letter for letter, each on one chosen case."""

import torch

from dojo.catalog import find
from dojo.judging.expect import expect_each, grades
from tests.dojo.report.reported import believing, of

from . import properties, scenarios, truth

KATA = find("11")


@grades("Adam")
def steps(kata):
    """Each element moves by two corrected averages, in place, in each parameter that has a gradient."""
    for grad in (4.0, 2.0, 1.0):
        lines = ["a = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)"]
        # 3 · 1 / (√1 + 1) = 3/2; before the correction, 3 · 1 / ((√(1/4) + 1) / √(1/4)) = 1
        lines += ["optimizer = Adam([a], lr=3.0, betas=(0.75, 0.75), eps=1.0)"]
        lines += [f"a.grad = torch.tensor([{grad}, -1.0], dtype=torch.float64)", "optimizer.step()"]
        seen = kata.run(scenarios.program, "Adam", lines, ["a"], "cpu")
    expect_each(seen, truth.program(lines, ["a"], "cpu"), rel=1e-10)


MODEL = ["model = nn.Sequential(nn.Linear(2, 3), nn.LayerNorm(3))"]
WIDER = [*MODEL, "model.gain = nn.Parameter(torch.ones(()))"]


@grades("decay_groups")
def groups(kata):
    """Matrices decay, vectors and scalars do not, and frozen parameters are left out."""
    for lines, weight_decay in ((WIDER, 0.5), (WIDER, 0.25), (MODEL, 0.5)):
        seen = kata.run(scenarios.decays, lines, weight_decay, "cpu")
    expect_each(seen, truth.decays(MODEL, 0.5, "cpu"), "should be")


CASES = {
    "step_of_adam": (steps, lambda tmp: believing(KATA, "Adam-AdamAddsEpsBeforeTheCorrection")),
    "average_of_values": (
        of(properties.test_running_average_is_adams, case=([8.0, 8.0], 0.5)),
        lambda tmp: believing(KATA, "running_average-never_corrects"),
    ),
    "groups_of_parameters": (groups, lambda tmp: believing(KATA, "decay_groups-spares_biases_alone")),
    "bytes_of_states": (
        of(
            properties.test_state_bytes_is_what_torch_keeps,
            cases=[("Adam", [(2, 3), (4,)]), ("AdamW", [(3, 4)], torch.bfloat16), ("Adagrad", [(5,)])],
        ),
        lambda tmp: believing(KATA, "state_bytes-forgets_the_counts"),
    ),
}
