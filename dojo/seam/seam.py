"""The seam: a learner's module as the properties see it. Data goes in and comes out, and every call is recorded."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from dojo.seam import cuda
from dojo.seam.data import ROUNDING, Error, copied, plain, same, shown
from dojo.seam.deadline import Endless
from dojo.seam.learner_file import Answers, describe
from dojo.seam.parts import Ending, Failed, Part

RECORD = 400
"""How many calls of a property are kept: enough to tell beliefs apart, and quick to replay."""
SAMPLE = 100
"""How many different calls are replayed for each belief, or written to a record; some of them train models."""
FIRST = 20
"""How many of these come from the start of the record, where the failed calls are."""


Asked = tuple[Any, tuple[object, ...], dict[str, object]]
"""A scenario, or None for a plain call; its positional arguments; its keyword arguments."""


class Stopped(Exception):
    """A call gave no answer to compare."""


class Todo(Stopped):
    """The function, or one that it calls, itself raised NotImplementedError; `stub` is the one that raised it.

    Whether it is to do follows from the record: a function that answered another call is not. `error` is what was
    raised, and `call` is the call that did not return. A scenario raises Todo itself if it cannot continue without a
    function other than the one that it is about.
    """

    call: Call | None = None

    def __init__(self, function: str, stub: str, error: Error | None = None):
        error = error or describe(NotImplementedError(), None)
        super().__init__(function, stub, error)
        self.function = function
        self.stub = stub
        self.error = error

    def __str__(self) -> str:
        return f"{self.stub} is still to do"


class Untouched(BaseException):
    """An untouched stub was called. Not an Exception: hypothesis would look for a smaller example."""

    def __init__(self, todo: Todo):
        super().__init__(str(todo))
        self.todo = todo


class Missing(Stopped):
    """The file has no such function."""

    def __init__(self, function: str):
        super().__init__(f"there is no function {function}")
        self.function = function


class Unreadable(Stopped):
    """The file could not be read or run; the message is one line."""


class Raised(Stopped):
    """The learner's code raised in this call.

    ask_again: runs the property's function on the same example, with other functions in place of the learner's.
    """

    ask_again: Callable[[Functions], object] | None = None

    def __init__(self, error: Error, call: Call):
        super().__init__(str(error))
        self.error = error
        self.call = call


class Broken(Exception):
    """A scenario failed before it reached the learner's code, which is not the learner's fault."""


@dataclass(frozen=True)
class Call:
    """One call through the seam: the function, the call as typed (a program has several lines), and the outcome.

    The function is "" for a program that several functions answer for together.
    """

    function: str
    written: str
    setup: tuple[str, ...]
    outcome: object
    """The result as plain data, or the Error that was raised."""
    scenario: Any
    """The scenario that was run; None for a plain call."""
    args: tuple[object, ...]
    named: dict[str, object]

    def again(self, seam: Seam) -> object:
        """Make the same call on another seam."""
        if self.scenario is None:
            return seam.call(self.function, *self.args, **self.named)
        return seam.run(self.scenario, *self.args)

    def same_outcome(self, other: Call, rel: float = ROUNDING) -> bool:
        """Return whether the other call gave the same result, up to rounding, or raised the same kind of error."""
        if isinstance(self.outcome, Error) and isinstance(other.outcome, Error):
            return self.outcome.name == other.outcome.name
        pairs = ((other.outcome, self.outcome), (self.outcome, other.outcome))  # here 24 is not 24.0
        return all(same(got, want, rel, bits=True) for got, want in pairs)


def sample(calls: Iterable[Call]) -> list[Call]:
    """Return the different calls, at most SAMPLE: the FIRST ones, and an even selection of the others."""
    different = list({call.written + "\n".join(call.setup): call for call in calls}.values())
    first, others = different[:FIRST], different[FIRST:]
    number = min(len(others), SAMPLE - FIRST)
    return first + [others[place * len(others) // number] for place in range(number)]


class Seam:
    """A learner's module, wherever its code runs, and a record of its calls.

    A call returns plain data, or raises Todo, Missing, Unreadable or Raised if there is none. `answered` names the
    functions that came back from a call in any property, with a result or with another kind of error. `accepted` are
    the calls of the latest property that it held for: their answers are right, whatever other right ones there are.
    """

    latest: Call | None = None
    """The last call through any seam, which a comparison is about."""

    def __init__(self, answers: Answers):
        self.answers = answers
        self.calls: deque[Call] = deque(maxlen=RECORD)
        self.accepted: list[Call] = []
        self.endless: dict[tuple[str, ...], Endless] = {}
        self.answered: set[str] = set()

    def call(self, name: str, *args: object, **named: object) -> object:
        """Call the learner's function of this name."""
        typed = [*map(shown, args), *(f"{key}={shown(value)}" for key, value in named.items())]
        return self._perform(name, f"{name}({', '.join(typed)})", (), (name,), (None, args, named))

    def run(self, scenario: Any, *args: object) -> object:
        """Run a scenario of the kata with the learner's module as its first argument."""
        name, written, setup = scenario.typed(*args)
        return self._perform(name, written, setup, scenario.uses or (name,), (scenario, args, {}))

    def _perform(self, name: str, written: str, setup: tuple[str, ...], uses: tuple[str, ...], asked: Asked) -> object:
        if self.answers.trouble is not None:
            raise Unreadable(self.answers.trouble)
        for needed in uses:
            if not self._has(needed):
                raise Missing(needed)
        if uses in self.endless:  # each further call could take as long
            raise self.endless[uses]
        try:
            if getattr(asked[0], "in_parts", False):
                outcome = self._of_parts(name, uses, *asked[:2])
            else:
                outcome = self._outcome(name, uses, *asked)
        except Todo as todo:
            todo.call = Call(name, written, setup, todo.error, *asked)
            if todo.stub in self.answers.stubs:
                raise Untouched(todo) from None
            raise
        except Endless as endless:
            endless.call = Call(name, written, setup, describe(endless, self.answers.path), *asked)
            self.endless[uses] = endless
            raise
        call = Call(name, written, setup, outcome, *asked)
        self.record(call)
        if isinstance(outcome, Error):
            if outcome.name == cuda.ERROR:
                raise cuda.DeviceLost(call)
            raise Raised(outcome, call)
        return outcome

    def record(self, call: Call) -> None:
        """Add a call that came back to the record."""
        self.calls.append(call)
        Seam.latest = call
        if call.function:
            self.answered.add(call.function)
        elif not isinstance(call.outcome, Error):  # of several that answer together, one may not be there yet
            self.answered.update(call.scenario.uses)

    def _of_parts(self, name: str, uses: tuple[str, ...], scenario: Any, args: tuple[object, ...]) -> object:
        """Return the outcome of a scenario that runs beside the judge: plain data, or the Error of a needed part."""

        def part(function: Callable[..., object], *given: object, **how: Any) -> Ending:
            return self._part(name, uses, Part(function, given, **how))

        try:
            return plain(scenario(part, *copied(args)))
        except Failed as failed:
            return failed.error

    def _has(self, name: str) -> bool:
        """Return whether the learner's file has such a function or class."""
        raise NotImplementedError

    def _part(self, name: str, uses: tuple[str, ...], part: Part) -> Ending:
        """Run one part of a scenario, and return what became of it."""
        raise NotImplementedError

    def _outcome(
        self, name: str, uses: tuple[str, ...], scenario: Any, args: tuple[object, ...], named: dict[str, object]
    ) -> object:
        """Return the outcome of a call or a scenario: plain data, or the Error that was raised."""
        raise NotImplementedError


class Functions:
    """What the properties see of a seam: `kata.f(*args)` calls the learner's `f`, whatever its name.

    Only `kata.run(scenario, *args)` is different: it calls the scenario with the learner's module.
    """

    def __init__(self, seam: Seam):
        self._seam = seam

    def __getattr__(self, name: str) -> Callable[..., object]:
        if name.startswith("_"):  # not a learner's function: hypothesis looks for _repr_pretty_
            raise AttributeError(name)
        return functools.partial(self._seam.call, name)

    def run(self, scenario: Any, *args: object) -> object:
        """Run a scenario."""
        return self._seam.run(scenario, *args)
