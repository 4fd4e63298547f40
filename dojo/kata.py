"""The seam: a learner's module as the properties see it. Data goes in, data comes out, and every call is recorded."""

from __future__ import annotations

import copy
import functools
import opcode
import warnings
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dojo.absent import absent
from dojo.answers import Answers, describe
from dojo.data import Error, plain, same, shown

RECORD = 400
"""How many calls of a property are kept: enough to tell beliefs apart, and soon replayed."""


class Stopped(Exception):
    """A call that gave no answer to compare."""


class Todo(Stopped):
    """The function, or one that it calls, is still a stub. `stub` is the name of the stub."""

    def __init__(self, function: str, stub: str):
        super().__init__(f"{stub} is still to do")
        self.function = function
        self.stub = stub


class Missing(Stopped):
    """The file has no such function."""

    def __init__(self, function: str):
        super().__init__(f"there is no function {function}")
        self.function = function


class Unreadable(Stopped):
    """The file could not be read or run; the message is one line."""


class Raised(Stopped):
    """The learner's code raised, in this call."""

    def __init__(self, error: Error, call: Call):
        super().__init__(str(error))
        self.error = error
        self.call = call


class Broken(Exception):
    """A scenario failed before it came to the learner's code: no fault of the learner's."""


@dataclass(frozen=True)
class Call:
    """One call through the seam: which function, as it would be typed, and what came of it."""

    function: str
    written: str
    setup: tuple[str, ...]
    outcome: object
    """The result as plain data, or the Error that was raised."""
    again: Callable[[Local], object]
    """Makes the same call on other answers."""

    def same_outcome(self, other: Call) -> bool:
        """Whether the other call gave exactly this result, or raised the same kind of error."""
        if isinstance(self.outcome, Error) and isinstance(other.outcome, Error):
            return self.outcome.name == other.outcome.name
        return same(other.outcome, self.outcome) and same(self.outcome, other.outcome)  # 24 is no 24.0 here


def calls(function: str, *, setup: Callable[..., list[str]] | None = None) -> Callable[[Any], Any]:
    """Say of a scenario which function it calls and how that call is typed.

    The scenario's own arguments fill the template: `@calls("get_memory_usage({0})")`. `setup`, given the same
    arguments, returns the lines that come before the call.
    """

    def mark(scenario: Any) -> Any:
        scenario.template = function
        scenario.setup = setup
        return scenario

    return mark


class Local:
    """The seam for code that is trusted: it is called in this process.

    `kata.f(*args)` calls the learner's `f`; `kata.run(scenario, *args)` calls the scenario with the learner's module.
    Both return plain data, and raise Todo, Missing, Unreadable or Raised where there is none.
    """

    latest: Call | None = None
    """The last call through any seam: the one that a comparison is about."""

    def __init__(self, answers: Answers, forbidden: tuple[str, ...] = ()):
        self.answers = answers
        self.forbidden = forbidden
        self.calls: deque[Call] = deque(maxlen=RECORD)

    def __getattr__(self, name: str) -> Callable[..., object]:
        if name.startswith("_"):  # no name of the learner's: hypothesis asks for _repr_pretty_
            raise AttributeError(name)
        return functools.partial(self._call, name)

    def _call(self, name: str, *args: object) -> object:
        written = f"{name}({', '.join(map(shown, args))})"
        return self._perform(
            name,
            written,
            (),
            lambda module: getattr(module, name)(*copy.deepcopy(args)),
            lambda other: other._call(name, *args),
        )

    def run(self, scenario: Any, *args: object) -> object:
        """Run a function of tests/scenarios.py with the learner's module as its first argument."""
        return self._perform(
            scenario.template.partition("(")[0],
            scenario.template.format(*args),
            tuple(scenario.setup(*args)) if scenario.setup else (),
            lambda module: scenario(module, *copy.deepcopy(args)),
            lambda other: other.run(scenario, *args),
        )

    def _perform(
        self,
        name: str,
        written: str,
        setup: tuple[str, ...],
        act: Callable[[Any], object],
        again: Callable[[Local], object],
    ) -> object:
        module = self.answers.module
        if module is None:
            raise Unreadable(self.answers.trouble)
        if not hasattr(module, name):
            raise Missing(name)
        outcome: object
        with absent(self.forbidden), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a right answer may warn; the run's own filter would make that an error
            try:
                outcome = plain(act(module))
            except (KeyboardInterrupt, Broken):
                raise
            except BaseException as error:  # sys.exit, too, is only one wrong answer
                stub = _stub(error, self.answers.path)
                if stub is not None:
                    raise Todo(name, stub) from None
                outcome = describe(error, self.answers.path)
        call = Call(name, written, setup, outcome, again)
        self.calls.append(call)
        Local.latest = call
        if isinstance(outcome, Error):
            raise Raised(outcome, call)
        return outcome


def _stub(error: BaseException, path: Path) -> str | None:
    """The function of the learner's file whose own `raise NotImplementedError` this is, if it is one.

    torch raises NotImplementedError as well, for a dtype without a kernel: that is no stub.
    """
    if type(error) is not NotImplementedError or error.__traceback__ is None:
        return None
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    by_statement = code.co_code[trace.tb_lasti] == opcode.opmap["RAISE_VARARGS"]
    return code.co_name if by_statement and code.co_filename == str(path) else None
