"""Replay a property's examples for many submissions. With the same seed, hypothesis would draw the same ones again.

Drawing takes half of the time of a right submission. A replay can only show that a property holds: if an example fails,
hypothesis runs the property from its beginning, and shrinks.
"""

from __future__ import annotations

import contextlib
import copy
import functools
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

from dojo.judging.examples import unwarned
from dojo.seam.seam import Untouched

Example = tuple[dict[str, Any], list[Any]]
"""The arguments of an example by name, and the values that it draws on the way."""

MOST = 1000
"""Maximum number of properties with cached examples; examples of another seed are useless."""

_cache: dict[tuple[Any, ...], list[Example]] = {}


class _Data:
    """A stand-in for hypothesis' data object, which replays earlier draws, or records those of a real one."""

    def __init__(self, drawn: list[Any], real: Any = None):
        self.drawn = drawn
        self.real = real

    def draw(self, strategy: Any, label: Any = None) -> Any:
        if self.real is None:
            return copy.deepcopy(self.drawn.pop(0))
        value = self.real.draw(strategy, label)
        self.drawn.append(copy.deepcopy(value))
        return value


@unwarned()
def holds(test: Any, origin: object, fixtures: dict[str, Any]) -> bool | None:
    """Return whether a property holds for its cached examples; None if there are none.

    origin: the source of the examples: the seed, and how many are drawn.
    """
    examples = _cache.get(_key(test, origin, fixtures))
    if examples is None:
        return None
    try:
        for arguments, drawn in examples:
            copied = {name: copy.deepcopy(value) for name, value in arguments.items()}
            data = {name: _Data(list(drawn)) for name, value in arguments.items() if value is _Data}
            test.hypothesis.inner_test(**fixtures, **copied | data)
    except (Exception, Untouched):
        return False
    return True


@contextlib.contextmanager
def noting(test: Any, origin: object, fixtures: dict[str, Any]) -> Iterator[Callable[[], None]]:
    """Record the examples that hypothesis runs inside; the yielded function caches them, if the property held."""
    handle = getattr(test, "hypothesis", None)
    if handle is None:  # a state machine, whose draws depend on its earlier steps
        yield lambda: None
        return
    real = handle.inner_test
    examples: list[Example] = []

    @functools.wraps(real)
    def noted(**arguments: Any) -> None:
        drawn: list[Any] = []
        data = {name: value for name, value in arguments.items() if isinstance(value, st.DataObject)}
        replayable = {name: value for name, value in arguments.items() if name not in fixtures and name not in data}
        replayable = copy.deepcopy(replayable) | dict.fromkeys(data, _Data)
        real(**arguments | {name: _Data(drawn, value) for name, value in data.items()})
        examples.append((replayable, drawn))

    def keep() -> None:
        if len(_cache) >= MOST:
            _cache.clear()
        _cache[_key(test, origin, fixtures)] = examples

    handle.inner_test = noted
    try:
        yield keep
    finally:
        handle.inner_test = real


def _key(test: Any, origin: object, fixtures: dict[str, Any]) -> tuple[Any, ...]:
    return test, origin, fixtures.get("device")
