"""Failures of kata 03 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from tests.dojo.report.reported import believing, of

from . import properties

KATA = find("03")


CASES = {
    "terms_of_a_batch": (
        of(
            properties.test_matmul_flops_are_what_torch_counts,
            cases=[((8, 1, 2, 3), (8, 1, 3, 4))],
            huge=(((1, 1), (1, 1)), (1,), ((1, 1), (1, 1))),
        ),
        lambda tmp: believing(KATA, "matmul_flops-multiplies_both_batches"),
    ),
    "terms_of_a_ratio": (
        of(
            properties.test_arithmetic_intensity_is_flops_over_bytes_of_real_tensors,
            case=((4, 2, 4), (1, 1, 1)),
            size=4,
        ),
        lambda tmp: believing(KATA, "arithmetic_intensity-forgets_the_result"),
    ),
}
