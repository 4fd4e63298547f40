"""`dojo answer`: answer the questions of the path with the learner's own functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from decimal import Decimal
from functools import partial

from rich.console import Console
from rich.text import Text

from dojo import progress
from dojo.catalog import ROOT, Kata, katas
from dojo.judging.kata_folder import imported
from dojo.judging.outcomes import Status
from dojo.report.console import pairs
from dojo.seam.deadline import Endless
from dojo.seam.learner_file import nearby
from dojo.seam.local import for_file
from dojo.seam.seam import Functions, Stopped
from dojo.tools import CommandError


def answer(console: Console, parameters: float, tokens: float, gpus: int) -> None:
    """Print each question with its answer, or with what is missing. Raise CommandError unless all numbers are above 0.

    A kata's questions are the functions in its questions.py that have the name of a function of the kata. The docstring
    is the question. The function gets the learner's functions and returns the answer.
    """
    for name, value in (("PARAMETERS", parameters), ("TOKENS", tokens), ("GPUS", gpus)):
        if not 0 < value < float("inf"):
            raise CommandError(f"{name} must be a number above 0, got {value:g}")
    numbers = {"parameters": parameters, "tokens": tokens, "gpus": gpus}
    for kata in katas().values():
        if (kata.judge / "questions.py").is_file():
            questions, known = imported(kata, "questions"), progress.read(kata)
            for name in kata.functions:
                if question := getattr(questions, name, None):
                    asked = (inspect.getdoc(question) or "").format(**{key: exact(it) for key, it in numbers.items()})
                    console.print(Text(asked, style="bold"))
                    pairs(console, _rows(kata, known.states[name], name, partial(question, **numbers)))


def exact(number: float) -> str:
    """Write a number in engineering notation, with an exponent that is a multiple of 3: 70e9."""
    text = Decimal(repr(number)).normalize().to_eng_string().lower()
    return text.replace("e+", "e")


def _rows(kata: Kata, state: progress.State, name: str, question: Callable[[Functions], str]) -> list[tuple[str, str]]:
    if state.stale or state.word == Status.NOT_JUDGED:
        return [("not judged", f"{name} of {kata.slug}: run pytest {nearby(kata.lesson.parent)}")]
    if not state.is_done:
        return [("missing", f"{name} of {kata.slug} is {state.word}"), ("lesson", nearby(kata.lesson))]
    try:
        found = ("answer", question(Functions(for_file(kata, ROOT / "katas", kata.module("katas")))))
    except (Stopped, Endless) as stopped:
        found = ("no answer", str(stopped))
    return [found, ("computed by", f"{name} of {kata.slug}")]
