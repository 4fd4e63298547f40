"""Replay a property's examples for many submissions. With the same seed, hypothesis would draw the same ones again.

Drawing takes half of the time of a right submission. The calls of all examples are made in a few batches, and an
example is not judged again if its answers are, byte for byte, those of a submission for which it held. A replay can
only show that a property holds: if an example fails, hypothesis runs the property from its beginning, and shrinks.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import hashlib
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from dojo.grade.jailed import Jailed, Request, Unclear
from dojo.judging.examples import unwarned
from dojo.seam.seam import RECORD, Call, Untouched

MOST = 1000
"""Maximum number of properties with cached examples; examples of another seed are useless."""
MOST_BYTES = 2**27
"""Maximum number of bytes of the answers to all calls of a property; if they are more, calls are made one by one."""
STYLES = 2
"""How many different right answers to the calls of an example are remembered."""


@dataclass
class Example:
    """The arguments of an example by name, the values that it draws on the way, and the calls that it makes.

    requests: [] if they cannot be made in a batch. right: the calls with right answers, by a digest of these answers.
    """

    arguments: dict[str, Any]
    drawn: list[Any]
    requests: list[Request]
    right: dict[bytes, list[Call]] = field(default_factory=dict)

    def run(self, test: Any, fixtures: dict[str, Any]) -> None:
        """Run the property on this example."""
        copied = {name: copy.deepcopy(value) for name, value in self.arguments.items()}
        data = {name: _Data(list(self.drawn)) for name, value in self.arguments.items() if value is _Data}
        test.hypothesis.inner_test(**fixtures, **copied | data)


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
def holds(test: Any, origin: object, fixtures: dict[str, Any], seam: Jailed) -> bool | None:
    """Return whether a property holds for its cached examples; None if there are none, or if that is unclear.

    origin: the source of the examples: the seed, and how many are drawn.
    """
    examples = _cache.get(_key(test, origin, fixtures))
    if examples is None:
        return None
    try:
        for example, frames in zip(examples, _answers(examples, seam), strict=True):
            _ask(example, test, fixtures, seam, frames)
    except Unclear:
        return None
    except (Exception, Untouched):
        return False
    return True


def _answers(examples: list[Example], seam: Jailed) -> list[list[bytes]]:
    """Make the calls of all examples, and return the frames of the answers for each example.

    The first call of each example is made, then the second one of each: what a call is given may tell the right answer
    to an earlier one of its example, and a process can look at the whole batch.
    """
    frames: list[list[bytes]] = [[] for _ in examples]
    left = MOST_BYTES
    for number in range(max((len(example.requests) for example in examples), default=0)):
        asked = [place for place, example in enumerate(examples) if number < len(example.requests)]
        answers = seam.ahead([examples[place].requests[number] for place in asked])
        for place, frame in zip(asked, answers, strict=True):
            frames[place].append(frame)
            left -= len(frame)
            if left < 0:
                raise Unclear
    return frames


def _ask(example: Example, test: Any, fixtures: dict[str, Any], seam: Jailed, frames: list[bytes]) -> None:
    """Run an example whose calls have these answers, unless they are known to be right. It raises if it fails."""
    digest = hashlib.sha256(b"".join(frames)).digest() if frames else b""
    if digest in example.right:
        for call in example.right[digest]:
            seam.record(call)
        return
    before, seam.calls = seam.calls, deque(maxlen=RECORD)
    try:
        with seam.answering(example.requests, frames) as made:
            example.run(test, fixtures)
            if frames and made() and len(example.right) < STYLES:
                example.right[digest] = list(seam.calls)
    finally:
        before.extend(seam.calls)
        seam.calls = before


@contextlib.contextmanager
def noting(test: Any, origin: object, fixtures: dict[str, Any], seam: Jailed) -> Iterator[Callable[[], None]]:
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
        with seam.noting() as requests:
            real(**arguments | {name: _Data(drawn, value) for name, value in data.items()})
        together = all(request.body for request in requests)
        examples.append(Example(replayable, drawn, requests if together else []))

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
