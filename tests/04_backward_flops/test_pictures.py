"""Sums that a report draws for kata 04."""

from dojo.catalog import find
from dojo.judging import gates
from dojo.judging.diagnose import with_variant
from dojo.seam.seam import Functions

from . import pictures, truth


def test_terms_are_those_of_the_whole():
    """What is drawn term by term adds up to what torch counts of all at once."""
    kata = find("04")
    functions = Functions(with_variant(kata, gates.original(kata, "mlp_backward_flops")))
    for picture, total in (
        (
            pictures.gradients(functions, 0, "cpu", 2, (3, 4, 5), True, (1,)),
            truth.backward_flops("cpu", 2, (3, 4, 5), True, (1,)),
        ),
        (pictures.step(0, "cpu", 2, (3, 4, 5)), truth.step_flops("cpu", 2, (3, 4, 5))),
        (pictures.passes(0, "cpu", 2, (3, 4, 5)), truth.step_flops("cpu", 2, (3, 4, 5), True)),
    ):
        assert picture is not None
        assert len(picture.terms) > 1
        assert picture.total[2] == str(total)
