"""Failures of kata 21 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties
from .strategies_operators import DEFINED
from .typed import KEEPING, MEASURES, WATCHING, Case

KATA = find("21")

X = "x = torch.tensor([-1.0, 0.0, 2.0], dtype=torch.float64, requires_grad=True)"


def wrong(name):
    """The answer of that name, as a learner would hand it in."""
    return lambda tmp: believing(KATA, name)


CASES = {
    "at_zero": (
        of(
            properties.test_relu_and_its_gradient_are_those_of_torch,
            case=Case([X, "y = relu(x)", "y.sum().backward()"], ["y", "x.grad", "x"]),
        ),
        wrong("relu-lets_0_through"),
    ),
    "on_ctx": (
        of(
            properties.test_relu_keeps_a_byte_of_each_element,
            case=Case(
                [MEASURES, X, KEEPING, "    y = relu(x)"], ["hidden(relu, x)", "not_yours(y)"], {"kept.bytes": 3}
            ),
        ),
        wrong("relu-keeps_it_on_ctx"),
    ),
    "a_leaf": (
        of(properties.test_relu__refuses_a_leaf_that_requires_grad, case=Case([X, "y = relu_(x)"], ["y"])),
        wrong("relu_-changes_leaves"),
    ),
    "in_vain": (
        of(
            properties.test_linear_keeps_and_computes_what_a_gradient_needs,
            case=Case(
                [
                    MEASURES,
                    "x = torch.tensor([[1.0, -0.5]], dtype=torch.float64)",
                    "weight = torch.tensor([[1.5, 2.0], [-1.0, 0.5]], dtype=torch.float64, requires_grad=True)",
                    KEEPING,
                    "    y = linear(x, weight)",
                    "k = torch.tensor([[1.0, -0.5]], dtype=torch.float64)",
                    WATCHING,
                    "    grads = torch.autograd.grad(y, [weight], k)",
                ],
                ["grads", "not_yours(y)"],
                {"kept.bytes": None, "seen.flops": None},
            ),
        ),
        wrong("linear-keeps_both"),
    ),
    "all_logits": (
        of(
            properties.test_linear_cross_entropy_never_has_all_logits,
            case=Case(
                [
                    MEASURES,
                    "x = torch.tensor([[1.0], [-0.5], [1.5]], dtype=torch.float64, requires_grad=True)",
                    "weight = torch.tensor([[2.0], [-1.0], [0.5], [0.75]], dtype=torch.float64, requires_grad=True)",
                    "targets = torch.tensor([0, 3, 1], dtype=torch.int64)",
                    WATCHING,
                    f"    {KEEPING}",
                    "        loss = linear_cross_entropy(x, weight, targets, 2)",
                    "    loss.backward()",
                ],
                ["not_yours(loss)"],
                {"seen.largest": 8, "kept.bytes": 8 * (3 + 4 + 3 + 6)},
            ),
        ),
        wrong("linear_cross_entropy-makes_all_logits_backward"),
    ),
    "strides": (
        of(
            properties.test_define_swiglu_passes_the_checks_of_torch,
            case=Case(
                [
                    *DEFINED,
                    "gate = torch.tensor([[1.0, -0.5], [1.5, 2.0], [-1.0, 0.5]], dtype=torch.float64).mT",
                    "up = torch.tensor([[1.0, -0.5, 1.5], [2.0, -1.0, 0.5]], dtype=torch.float64, requires_grad=True)",
                ],
                ["checked(op, gate, up)"],
            ),
        ),
        wrong("define_swiglu-fakes_contiguous"),
    ),
}
