"""Texts that several formats share."""

from __future__ import annotations

import re
from collections import Counter

from dojo.grade.result import FunctionResult, KataResult, Result
from dojo.judging.outcomes import Status

STATUSES: dict[str, str] = {Status.TO_DO: "still to do", Status.NOT_RUN: "was not run"}

LATE = re.compile(r"it (gave no answer within|took more than) \S+ seconds")
"""How the note of a function begins that used up its time."""
KINDS = ("did not end", *(status.value for status in (Status.WRONG, Status.TO_DO, Status.NOT_RUN)))
"""Why functions have no points, the first what is told first."""


def why(result: Result) -> str:
    """Say in a few words why points are missing, `01 02 missing, 03 cannot be run, 2 did not end, 5 wrong`; else ""."""
    words = {"missing": list[str](), "cannot be run": list[str]()}
    for kata in result.katas:
        if kata.trouble:
            words["missing" if kata.trouble.startswith("there is no ") else "cannot be run"].append(kata.slug[:2])
    functions = [function for kata in result.katas if not kata.trouble for function in kata.functions]
    counts = Counter(_kind(function) for function in functions if function.status != Status.DONE)
    if not any(words.values()) and counts == {Status.TO_DO: len(functions)}:
        return "not started"
    kinds = sorted(counts, key=lambda kind: KINDS.index(kind) if kind in KINDS else len(KINDS))
    files = [f"{' '.join(numbers)} {word}" for word, numbers in words.items() if numbers]
    return ", ".join([*files, *(f"{counts[kind]} {kind}" for kind in kinds)])


def _kind(function: FunctionResult) -> str:
    return KINDS[0] if not function.report and LATE.match(function.note) else str(function.status)


def failure(kata: KataResult, function: FunctionResult) -> tuple[str, ...]:
    """Return the lines that say why a function has no points; none if it is done."""
    if function.status == Status.DONE:
        return ()
    lines = tuple(text for text in (kata.trouble, function.note) if text) + function.report
    return lines or (STATUSES.get(function.status, function.status),)


def holds(function: FunctionResult) -> str:
    """Say how many of a function's properties held."""
    return f"{function.held} of {function.total} properties held"


def beside(kata: KataResult) -> tuple[str, ...]:
    """Return the lines on a kata's file as a whole."""
    printed = (f"printed {kata.printed}",) if kata.printed else ()
    return (*filter(None, (kata.trouble,)), *kata.notes, *printed)


def heading(result: Result) -> tuple[str, ...]:
    """Return the lines on the submission as a whole: what was graded, and how."""
    return (
        f"submission  {result.submission}",
        f"isolation   {result.isolation}",
        f"run by      torch-dojo {result.dojo}, torch {result.torch}, Python {result.python}, {result.device}",
        *result.notes,
        *(f"{kata.slug}: {line}" for kata in result.katas for line in beside(kata)),
    )
