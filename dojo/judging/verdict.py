"""The verdict of a property: it held, or which function failed it, and how."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import settings
from hypothesis.errors import Flaky

from dojo.judging import examples
from dojo.judging.expect import Mismatch
from dojo.judging.outcomes import Cause, Outcome
from dojo.judging.owed import owed
from dojo.judging.pictures import Picture
from dojo.seam import cuda
from dojo.seam.cuda import DeviceLost
from dojo.seam.deadline import Endless, Gone
from dojo.seam.seam import Call, Functions, Missing, Raised, Seam, Stopped, Todo, Unreadable, Untouched

ENDS_CUDA = "nothing works on CUDA after this: a kernel failed, often for an index that is out of range"


@dataclass(frozen=True)
class Verdict:
    """What became of one property.

    outcome: held, wrong, todo or unreadable. function: the one that failed it, "" if all of the property's functions
    did. call: the call that shows it; for todo, only if no untouched stub raised, since the function may then be wrong.
    got, want, says: what came, what should have come, and who says so; of: the name of this value. note: the one line
    of a failure without an example. picture: the example as a picture. cause: one of Cause, if the failure has one.
    """

    outcome: str
    function: str = ""
    call: Call | None = None
    got: object = None
    want: str = ""
    says: str = ""
    wanted: object = None
    of: str = ""
    note: str = ""
    picture: Picture | None = None
    cause: str = ""


def verdict(failure: BaseException | None, seam: Seam) -> Verdict | None:
    """Return what an exception from a property says about the learner's code; None if it says nothing about it."""
    last = seam.calls[-1] if seam.calls else None
    if isinstance(failure, ExceptionGroup) and not isinstance(failure, Flaky):
        failure = failure.exceptions[-1]  # one for each kind of failure, and the simplest example is last
    match failure:
        case None:
            return Verdict(Outcome.HELD)
        case Untouched(todo=Todo() as todo):
            return Verdict(Outcome.TO_DO, todo.function, note=_note(todo))
        case Todo(function=function, call=call, error=error):
            if call is not None and function in seam.answered:
                return Verdict(Outcome.WRONG, function, call, error)
            return Verdict(Outcome.TO_DO, function, call, error, note=_note(failure))
        case Unreadable():
            return Verdict(Outcome.UNREADABLE, note=str(failure))
        case Missing():
            return Verdict(Outcome.WRONG, failure.function, note=f"{seam.answers.path.name} has no {failure.function}")
        case Endless(call=call):
            return Verdict(Outcome.WRONG, call.function, call, call.outcome, **owed(failure, seam), cause=Cause.NO_END)
        case DeviceLost(call=Call() as call):
            return Verdict(Outcome.WRONG, call.function, call, call.outcome, note=ENDS_CUDA)
        case DeviceLost():
            return Verdict(Outcome.NOT_RUN, note=str(failure))
        case Raised(call=call):
            return Verdict(Outcome.WRONG, call.function, call, failure.error, **owed(failure, seam))
        case Mismatch(call=Call() as call):
            said = (failure.got, failure.want, failure.says, failure.wanted, failure.of)
            return Verdict(Outcome.WRONG, call.function, call, *said, picture=failure.picture)
        case Flaky() if last is not None and _of_an_answer(failure):
            return changeable(last)
        case _:
            return None


def _of_an_answer(failure: Flaky) -> bool:
    """Return whether an answer failed the first time; False if the property did, which is not the answer's fault."""
    first = failure.exceptions if isinstance(failure, ExceptionGroup) else ()
    return not first or any(isinstance(one, Stopped | Mismatch) for one in first)


def _note(todo: Todo) -> str:
    return "" if todo.stub == todo.function else f"it calls {todo.stub}, which is to do"


def changeable(call: Call) -> Verdict:
    """Return the verdict on a function that failed in this call, but not when the call was repeated."""
    note = "when the call was repeated, it answered differently"
    return Verdict(
        Outcome.WRONG, call.function, call, call.outcome, "the same answer every time", "should give", note=note
    )


def unjudged(error: Exception) -> Verdict:
    """Return the verdict on a function whose result neither the property nor the report can deal with."""
    return Verdict(Outcome.WRONG, note=f"its result cannot be judged: {type(error).__name__}")


def run(
    test: Callable[..., Any],
    seam: Seam,
    *,
    device: str,
    seed: int,
    profile: settings,
    inner: Callable[..., None] | None = None,
) -> Verdict:
    """Run one property on one seam in this process, without pytest, and return the verdict.

    An exception that says nothing about the learner's code is raised again: the property itself is at fault. inner: as
    for `examples.run`.
    """
    arguments = fixtures(test, seam, device)
    seam.calls.clear()
    try:
        cuda.check()
        examples.run(test, arguments, profile=profile, seed=seed, inner=inner)
    except (Exception, Gone, Untouched) as failure:
        found = verdict(failure, seam)
        if found is None:
            raise
        return found
    return Verdict(Outcome.HELD)


def fixtures(test: Callable[..., Any], seam: Seam, device: str) -> dict[str, Any]:
    """Return the fixtures that a property takes, as plugin.py gives them to pytest."""
    wanted = inspect.signature(test).parameters
    return {name: value for name, value in (("kata", Functions(seam)), ("device", device)) if name in wanted}
