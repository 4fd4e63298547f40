"""Sums that a report draws for kata 03."""

import pytest

from dojo.seam.seam import Functions
from tests.dojo.report.reported import answering

from . import pictures, truth


@pytest.mark.parametrize(
    ("picture", "total"),
    [
        (pictures.layers(Functions(answering(None)), 0, "cpu", 2, (3, 4, 5)), truth.mlp_flops("cpu", 2, (3, 4, 5))),
        (pictures.attention(0, "cpu", 2, 3, 4, 5, 6), truth.attention_flops("cpu", 2, 3, 4, 5, 6)),
    ],
    ids=["layers", "attention"],
)
def test_terms_are_those_of_the_whole(picture, total):
    """What is drawn term by term adds up to what torch counts of all at once."""
    assert len(picture.terms) > 1
    assert picture.total[2] == str(total)
