"""Failures of kata 09 whose reports are held to the letter, each on one case that was chosen."""

from dojo.catalog import find
from dojo.judging.expect import grades
from tests.dojo.report.reported import believing, of

from ..shared.repeated import Again
from . import properties
from .strategies_draws import Draw

KATA = find("09")


def sample(cut):
    """A program that draws numbers with this cut."""
    lines = ["g = torch.Generator().manual_seed(5)", f"x = truncated_normal((64, 128), 0.5, {cut}, g)"]
    return Draw(lines, (64, 128), 0.5, cut)


DRAWN = [
    "torch.manual_seed(1), np.random.seed(1), random.seed(1)",
    "g = torch.Generator().manual_seed(5)",
    "x = truncated_normal((16, 16), 0.5, 1.0, g)",
    "y = truncated_normal((16, 16), 0.5, 1.0, g)",
    "torch.manual_seed(2), np.random.seed(2), random.seed(2)",
    "z = truncated_normal((16, 16), 0.5, 1.0, torch.Generator().manual_seed(5))",
]


@grades("truncated_normal")
def repeats(kata):
    """The same state gives the same numbers, a second call others."""
    properties.draws_alike(kata, "truncated_normal", Again(DRAWN, 2, True))


CASES = {
    "a_scheme": (
        of(properties.test_init_std_is_what_torch_draws_with, shape=(6, 8), scheme="kaiming"),
        lambda tmp: believing(KATA, "init_std-halves_for_the_relu"),
    ),
    "layers": (
        of(properties.test_output_std_is_that_of_orthonormal_layers, chain=((16, 4, 64, 64), [0.5, 1.0, 0.25])),
        lambda tmp: believing(KATA, "output_std-takes_the_outputs"),
    ),
    "numbers_at_the_edge": (
        of(properties.test_truncated_normal_has_the_distribution_that_is_left, case=sample(3.0)),
        lambda tmp: believing(KATA, "truncated_normal-clamps"),
    ),
    "numbers_beyond": (
        of(properties.test_truncated_normal_has_the_distribution_that_is_left, case=sample(1.0)),
        lambda tmp: believing(KATA, "truncated_normal-widens_the_result"),
    ),
    "another_spread": (
        of(properties.test_truncated_normal_has_the_distribution_that_is_left, case=sample(1.0)),
        lambda tmp: believing(KATA, "truncated_normal-draws_uniform_numbers"),
    ),
    "a_seed": (repeats, lambda tmp: believing(KATA, "truncated_normal-seeds_by_the_generator")),
}
