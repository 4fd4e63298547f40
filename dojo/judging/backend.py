"""The backend of hypothesis by which properties draw: https://hypothesis.readthedocs.io, "Alternative backends"."""

from __future__ import annotations

from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider

INDEPENDENT = "independent"
"""The name of the backend in a profile."""


class Independent(HypothesisProvider):
    """Draw like hypothesis itself, but each example independently of the others.

    After an example of its own provider, hypothesis tries up to five more in which one part is copied over another. Of
    100 examples some 20 are then independent, and a wrong answer that one example in 30 shows slips through. Examples
    of any other provider are not mutated.
    """

    def _maybe_draw_constant(self, *_: object, **__: object) -> None:
        """Draw no constants.

        Some of hypothesis' constants are the literals of whatever modules of the clone happen to be imported: the same
        seed would give other examples after another kata, and after an edit of the learner's own file. Where a release
        of hypothesis does not call this method, a test notices.
        """
        return None


AVAILABLE_PROVIDERS[INDEPENDENT] = f"{__name__}.{Independent.__name__}"
