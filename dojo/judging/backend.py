"""The hypothesis backend of the properties: https://hypothesis.readthedocs.io, "Alternative backends"."""

from __future__ import annotations

from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider

INDEPENDENT = "independent"
"""The name of this backend in a profile."""


class Independent(HypothesisProvider):
    """Draw like hypothesis itself, but each example independently of the others.

    After an example of its own provider, hypothesis tries up to five more in which one part is copied over another. Of
    100 examples, only about 20 are then independent, and a wrong answer that shows in one example of 30 slips through.
    hypothesis does not mutate the examples of other providers.
    """

    def _maybe_draw_constant(self, *_: object, **__: object) -> None:
        """Draw no constants.

        Some of hypothesis' constants are literals from whichever modules of the clone are imported. With them, the same
        seed would give other examples after another kata, or after an edit of the learner's own file. A test notices if
        a release of hypothesis does not call this method.
        """
        return None


AVAILABLE_PROVIDERS[INDEPENDENT] = f"{__name__}.{Independent.__name__}"
