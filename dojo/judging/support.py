"""Count the calls that tell for a belief, for each kind of calls that may be left out."""

from __future__ import annotations

from collections import Counter

from dojo.judging.kinds import is_apart
from dojo.judging.naming import REFUSED


class Support:
    """The calls that beliefs answered as the learner did, and those that they missed, each by its kinds.

    A kind may be left out if all missed calls are of it, or all but those that had to be refused: who is wrong at an
    edge often checks nothing either. Then calls to be refused are left out too.
    """

    def __init__(self) -> None:
        self.telling: dict[int, frozenset[str]] = {}
        self.kinds: frozenset[str] | None = None
        """The kinds that all missed calls are of; None if none was missed."""
        self._besides: frozenset[str] | None = None
        self._unlike: list[frozenset[str]] = []

    def miss(self, kinds: frozenset[str], unlike: bool) -> bool:
        """Note a call that the beliefs missed, and return whether any kind may still be left out.

        unlike: whether the answers differ by more than their types or amounts.
        """
        self._unlike += [kinds] if unlike else []
        self.kinds = kinds if self.kinds is None else self.kinds & kinds
        if REFUSED not in kinds:
            self._besides = kinds if self._besides is None else self._besides & kinds
        return bool(self.kinds) or self._besides is None or bool(self._besides)

    def counts(self, alike: Counter[str]) -> dict[str, int]:
        """Return how many telling calls are left, by the kind that is left out.

        alike: for a kind by which answers differ, how many calls tell for the belief although theirs do.
        """
        told = self.telling.values()
        alone = frozenset().union(*told) if self.kinds is None else self.kinds
        outside = {kind: [here for here in told if kind not in here] for kind in alone}
        for kind in (self._besides or frozenset()) - alone:
            outside[kind] = [here for here in told if here.isdisjoint({kind, REFUSED})]
        counts = {kind: 0 if is_apart(here, self._unlike) else len(here) for kind, here in outside.items()}
        return counts | {kind: number for kind, number in alike.items() if self.kinds is None or kind in alone}
