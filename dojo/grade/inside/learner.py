"""In the jail: the process in which the learner's code runs. Whatever it says may be a lie."""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable
from mmap import mmap
from typing import Any, NoReturn

from dojo.catalog import Kata
from dojo.grade.inside import parts
from dojo.grade.inside.confine import confine_no_further, confined
from dojo.grade.inside.forbidden_torch import take_away
from dojo.grade.inside.landlock import keep_signals
from dojo.grade.inside.lending import borrowed
from dojo.grade.inside.loading import LINE, compiled, loaded, told
from dojo.grade.inside.messages import MANY, NAME
from dojo.grade.inside.wire import answer, answer_batch, opened, receive
from dojo.seam.data import Error
from dojo.seam.local import Local
from dojo.seam.parts import GONE, Ending, Failed, Part
from dojo.seam.seam import Broken, Missing, Seam, Todo

Told = tuple[dict[str, Any], object]
"""A message to the judge, and its value."""


class Learner:
    """Load the learner's file, and answer requests about it."""

    def __init__(self, kata: Kata, source: bytes, memory: mmap, requests: int, answers: int):
        self.requests = requests
        self.answers = answers
        self.memory = memory
        self.kata = kata
        take_away(kata.forbidden)
        if confined():
            keep_signals()
        confine_no_further()
        self.loaded = loaded(kata, compiled(kata, source))
        self.seam: Seam = Local(self.loaded, kata.forbidden)

    def serve(self) -> NoReturn:
        """Answer each request: say what the file holds, or what the outcome of a call, a batch or a part is."""
        while True:
            key, what, *rest = opened(receive(self.requests))
            if what == "open":
                answer(self.answers, {"id": key, "kind": "loaded", **told(self.kata, self.loaded)})
                continue
            if what == "part":
                answer(self.answers, *self.part(key, *rest))
                continue
            if what == "batch":
                calls = (functools.partial(self.seam._outcome, *pickle.loads(body)) for body in rest)
                answer_batch(self.answers, key, map(outcome, calls))
                continue
            if what == "lend":
                name, uses, asked, arguments = rest
                rest = [name, uses, borrowed(self.memory, asked), (arguments,), {}]
            message, value = outcome(functools.partial(self.seam._outcome, *rest))
            answer(self.answers, {"id": key, **message}, value)

    def part(self, key: str, name: str, uses: tuple[str, ...], part: Part, _: bytes) -> Told:
        """Run one part of a program as in a learner's own run, if the host computes nothing; return the outcome."""
        ending = Ending(None, False, {})

        def run() -> object:
            nonlocal ending
            ending = self.seam._part(name, uses, part)
            return ending.outcome

        try:
            ended, value = outcome(run)
        except (Failed, OSError) as error:
            return {"id": key, "kind": "unreadable", "message": str(error)[:LINE]}, None
        if ending.killed or ending.outcome == GONE:
            ended, value = {"kind": "killed" if ending.killed else "ended"}, None
        return {"id": key, "kind": "part", "ended": ended}, parts.left(value, ending.files, ending.moments, ending.seen)


def outcome(call: Callable[[], object]) -> Told:
    """Make one call; return its outcome as a message and a value."""
    try:
        value = call()
    except Todo as todo:
        said = {"message": todo.error.message[:LINE], "line": todo.error.line}
        return {"kind": "todo", "function": todo.function, "stub": todo.stub[:NAME], **said}, None
    except Missing as missing:
        return {"kind": "missing", "function": missing.function}, None
    except Broken as broken:
        return {"kind": "broken", "message": str(broken)[:LINE]}, None
    if not isinstance(value, Error):
        return {"kind": "value"}, value
    bases = [base[:NAME] for base in value.bases[:MANY]]
    error = {"name": value.name[:NAME], "bases": bases, "message": value.message[:LINE], "line": value.line}
    return {"kind": "error", **error}, None
