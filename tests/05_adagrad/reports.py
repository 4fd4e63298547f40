"""Failures of kata 05 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from dojo.judging.expect import expect_each, grades
from tests.dojo.report.reported import believing, handing_in, of

from . import properties, scenarios, truth

KATA = find("05")


@grades("AdaGrad")
def steps(kata):
    """Each parameter that has a gradient is updated in place, each element by its own sum of squares."""
    for grad in (4.0, 2.0, 1.0):
        lines = ["a = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)"]
        # 0.5 · 1 / (√1 + 3) = 1/8; inside the root, 0.5 · 1 / √(1 + 3) = 1/4
        lines += ["optimizer = AdaGrad([a], lr=0.5, eps=3.0)"]
        lines += [f"a.grad = torch.tensor([{grad}, -1.0], dtype=torch.float64)", "optimizer.step()"]
        watched = ["a", "a.grad"]
        kata.run(scenarios.program, "AdaGrad", lines, watched, "cpu")
    seen = kata.run(scenarios.program, "AdaGrad", lines, watched, "cpu")
    expect_each(seen, truth.program(lines, watched, "cpu"), rel=1e-10)


class Failing:
    """An optimizer that ends a program before there is anything to compare."""

    def __init__(self, params, lr=0.01):
        self.settings = {"lr": lr}

    def step(self):
        """Take no step."""
        return self.settings["params"]


DESCENT = [
    "x = torch.tensor([2.0], dtype=torch.float64, requires_grad=True)",
    "optimizer = SGD([x], lr=0.5)",
    "losses = []",
    "for _ in range(3):",
    "    loss = x.square().sum() / 2",
    "    x.grad = None",
    "    loss.backward()",
    "    optimizer.step()",
    "    losses.append(loss.item())",
]


CASES = {
    "terms_of_a_sum": (
        of(
            properties.test_training_memory_is_what_a_real_step_keeps,
            model=(8, 3, 64),
            settings=(),
        ),
        lambda tmp: believing(KATA, "training_memory-forgets_the_gradients"),
    ),
    "program_that_raises": (
        of(
            properties.test_sgd_moves_parameters_as_torchs_does,
            program=(
                [
                    "a = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)",
                    "optimizer = SGD([a], lr=0.5)",
                    "a.grad = torch.tensor([1.0, -1.0], dtype=torch.float64)",
                    "optimizer.step()",
                ],
                ["a", "a.grad"],
            ),
        ),
        lambda tmp: handing_in(KATA, SGD=Failing),
    ),
    "descent": (
        of(properties.test_sgd_descends_a_convex_quadratic, program=(DESCENT, ["losses"])),
        lambda tmp: believing(KATA, "SGD-WalksAlongTheGradient"),
    ),
    "program": (steps, lambda tmp: believing(KATA, "AdaGrad-PutsEpsInsideTheRoot")),
}
