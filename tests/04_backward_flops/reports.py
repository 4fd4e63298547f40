"""Failures of kata 04 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from dojo.judging.expect import expect_each, grades
from tests.dojo.report.reported import believing, of

from . import properties, scenarios, truth

KATA = find("04")


@grades("matmul_backward")
def differentiates(kata):
    """Each gradient is a product of grad_out with the other operand, added up over every use of the operand."""
    b, grad_out = "b = torch.arange(6.0).reshape(3, 2)", "grad_out = torch.ones(1).expand(4, 2, 2)"
    for a in ("a = torch.zeros(4, 2, 3)", "a = torch.arange(24.0).reshape(4, 2, 3)", "a = torch.ones(4, 2, 3)"):
        lines = [a, b, grad_out]
        grad_b = kata.run(scenarios.matmul_backward, lines, "cpu")[1]
    expect_each({"grad_b": grad_b}, {"grad_b": truth.matmul_gradients(lines, "cpu")[1]}, "autograd says")


CASES = {
    "terms": (
        of(
            properties.test_mlp_backward_flops_are_what_torch_counts,
            case=(32, (784, 128, 10), False, (1,)),
            in_full=False,
            times=2**27,
        ),
        lambda tmp: believing(KATA, "mlp_backward_flops-counts_the_gradient_of_the_data"),
    ),
    "tensors": (differentiates, lambda tmp: believing(KATA, "matmul_backward-leaves_the_broadcast_batch")),
}
