"""The examples of a property: `given` says what is drawn, and `run` draws it with any profile and seed."""

from __future__ import annotations

import contextlib
import functools
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import hypothesis
from hypothesis import settings
from hypothesis.reporting import with_reporter
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test
from hypothesis.strategies import SearchStrategy

from dojo.seam.deadline import Endless
from dojo.seam.seam import Raised

Case = TypeVar("Case")

_running: ContextVar[tuple[settings, int] | None] = ContextVar("_running", default=None)
"""Profile and seed of the property that `run` is running; None if pytest runs it."""


def given(**strategies: SearchStrategy[Any]) -> Callable[[Any], Any]:
    """Apply hypothesis' own `given`, and keep the strategies for `run`."""

    def mark(inner: Any) -> Any:
        @functools.wraps(inner)
        def asked(*args: Any, **drawn: Any) -> None:
            try:
                inner(*args, **drawn)
            except (Raised, Endless) as failure:
                failure.ask_again = lambda functions: inner(**drawn | {"kata": functions})
                raise

        test: Any = hypothesis.given(**strategies)(asked)
        test.strategies = strategies
        return test

    return mark


SHRINKS = 60
"""How many smaller examples of an expensive property are tried after one has failed."""


class Shrinking:
    """End the search for a smaller failing example after SHRINKS examples, if each is expensive.

    Later examples count as right without being run, so hypothesis keeps the smallest one that failed.
    """

    def __init__(self) -> None:
        self._failed: set[str] = set()
        self._left = SHRINKS

    @contextlib.contextmanager
    def asking(self, example: object) -> Iterator[bool]:
        """Yield whether to run this example; if the body raises, the example has failed."""
        key = repr(example)
        if not self._failed or key in self._failed:
            asks = True
        else:
            self._left -= 1
            asks = self._left >= 0
        try:
            yield asks
        except Exception:
            self._failed.add(key)
            raise


def one_in(divisor: int) -> Callable[[Any], Any]:
    """Draw one in `divisor` of the loaded profile's examples, for a property whose examples are expensive."""

    def mark(test: Any) -> Any:
        assert settings.default is not None
        test.most = share(settings.default, divisor)
        inner = test.hypothesis.inner_test
        by_fixtures: WeakKeyDictionary[Any, dict[str, Shrinking]] = WeakKeyDictionary()

        @functools.wraps(inner)
        def asked(kata: Any, device: str = "", **drawn: Any) -> None:
            fixtures = {"kata": kata} | ({"device": device} if device else {})
            with by_fixtures.setdefault(kata, {}).setdefault(device, Shrinking()).asking(drawn) as asks:
                if asks:
                    inner(**fixtures, **drawn)

        test.hypothesis.inner_test = asked
        return settings(max_examples=test.most)(test)

    return mark


def in_turn(cases: Sequence[Case]) -> Sequence[Case]:
    """Return the fixed cases of an expensive property that draws none, each to be run once.

    These are all cases for a grade and for the gates, which remember nothing of earlier runs; all but the last in a
    learner's run; and only the first in a run that draws few examples.
    """
    profile, _ = _running.get() or (settings.default, None)
    assert profile is not None
    if profile.max_examples < MANY:
        return cases[:1]
    return cases[:-1] if profile.database is not None and len(cases) > 1 else cases


MANY = 100
"""A run of fewer examples than this runs only the first case."""


def share(profile: settings, divisor: int) -> int:
    """Return how many examples one in `divisor` of a profile's examples is; at least 1."""
    return max(1, profile.max_examples // divisor)


@contextlib.contextmanager
def unwarned() -> Iterator[None]:
    """Ignore warnings inside: torch warns about devices and dtypes, not about an answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@unwarned()
def run(
    test: Any, fixtures: dict[str, Any], *, profile: settings, seed: int, inner: Callable[..., None] | None = None
) -> None:
    """Run a property outside pytest, and raise what it raises.

    A property marked with `one_in` draws no more examples than that allows. inner: runs in place of the property's own
    function, on the same examples.
    """
    strategies = getattr(test, "strategies", None)
    if strategies is not None:
        again: Any = hypothesis.given(**strategies)(inner or test.hypothesis.inner_test)
        most = min(profile.max_examples, getattr(test, "most", profile.max_examples))
        hypothesis.seed(seed)(settings(profile, max_examples=most)(again))(**fixtures)
        return
    token = _running.set((profile, seed))
    try:
        test(**fixtures)
    finally:
        _running.reset(token)


def run_state_machine(machine: Callable[[], RuleBasedStateMachine], *, one_in: int = 1, steps: int = 10) -> None:
    """Run a state machine as a property, on one in `one_in` of the profile's examples, of up to `steps` steps each."""
    profile, seed = _running.get() or (settings.default, None)
    assert profile is not None
    chosen = settings(profile, max_examples=share(profile, one_in), stateful_step_count=steps)
    factory: Any = machine if seed is None else hypothesis.seed(seed)(machine)
    with with_reporter(lambda text: None):  # it prints how to reproduce a failure, as if the learner's code did
        run_state_machine_as_test(factory, settings=chosen)
