"""The gates of CONTRIBUTING.md for `dojo check`, split into questions that several processes answer."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dojo.catalog import Kata, find
from dojo.judging import gates, profiles
from dojo.judging.diagnose import Variant
from dojo.judging.kata_folder import imported
from dojo.judging.lines import lines_of
from dojo.judging.property import marked

GATES = ("gate 1", "gate 2", "gate 3", "gate 4")
WANTED = {"gate 1": "wrong named", "gate 2": "right pass", "gate 3": "stubs to do", "gate 4": "all needed"}
"""What each gate requires: of misconceptions, of wheats and solutions, of stubs, and of properties."""


@dataclass(frozen=True)
class Question:
    """Whether a part of a kata passes a gate. about: a misconception, right answer or stub; "" for all properties."""

    slug: str
    gate: str
    about: str
    things: int = 1


@dataclass(frozen=True)
class Answer:
    """The answer to a question: a line for each thing that does not pass."""

    question: Question
    complaints: tuple[str, ...]


def questions(kata: Kata) -> Iterator[Question]:
    """Yield all questions about a kata, the slowest first."""
    yield Question(kata.slug, "gate 4", "", len(marked(imported(kata))))
    yield from (Question(kata.slug, "gate 2", name) for name in _right(kata))
    yield from (Question(kata.slug, "gate 1", variant.name) for variant in gates.misconceptions(kata))
    yield from (Question(kata.slug, "gate 3", name) for name in kata.functions)


def answers(asked: Sequence[Question]) -> Iterator[Answer]:
    """Answer the questions in one process per core. Yield each answer as soon as it is known."""
    methods = multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if "forkserver" in methods:
        context.set_forkserver_preload(["dojo.judging.gates"])  # imports torch once for all of them
    with context.Pool(min(os.cpu_count() or 1, len(asked)), _start) as pool:
        yield from pool.imap_unordered(_answer, asked)


def _start() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process stops the workers
    profiles.register()


def _right(kata: Kata) -> dict[str, Any]:
    """Return the wheats, and the solution of each function, by name."""
    solved = {f"{name} of solutions/": gates.original(kata, name) for name in kata.functions}
    return solved | {variant.name: variant for variant in gates.wheats(kata)}


def _misconception_complaints(kata: Kata, variant: Variant) -> list[str]:
    """Return a complaint if no property rejects a misconception, or if its report does not name exactly its belief."""
    if gates.survived(kata, variant, seeds=[0]):
        return [f"{variant.name} is wrong, and every property of {variant.about} lets it through"]
    beliefs = gates.diagnose(kata, variant, seed=0, all_of_them=False)
    if beliefs == [[variant.belief, variant.advice]]:
        return []
    named = ", ".join(repr(belief) for belief, _ in beliefs or []) or "no belief"
    return [f"{variant.name} is wrong, and its report names {named} in place of {variant.belief!r}"]


def _answer(asked: Question) -> Answer:
    kata = find(asked.slug)
    found: list[str] = []
    try:
        match asked.gate:
            case "gate 1":
                (variant,) = (one for one in gates.misconceptions(kata) if one.name == asked.about)
                found = _misconception_complaints(kata, variant)
            case "gate 2":
                right = _right(kata)[asked.about]
                for complaint in gates.complaints(kata, right, seeds=[0], examples=100, of_others=10):
                    told = " ".join(f"{label} {text}" for label, text in lines_of(complaint.verdict, "", ""))
                    told = told or complaint.verdict.note or complaint.verdict.outcome
                    found.append(f"{asked.about} is right, and {complaint.property} rejects it: {told}")
            case "gate 3":
                told = ", ".join(gates.begun(kata, asked.about))
                found = [f"{asked.about} is a stub, but these do not report it as to do: {told}"] if told else []
            case "gate 4":
                found = [
                    f"{name} rejects no misconception that another property lets through; add one, or say why it stays"
                    for name in gates.idle(kata, seed=0)
                ]
    except Exception as error:  # the property or the answer is broken
        found = [f"{asked.about or 'a property'} could not be checked: {type(error).__name__}: {error}"]
    return Answer(asked, tuple(found))
