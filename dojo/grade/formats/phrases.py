"""Texts that several formats share."""

from __future__ import annotations

from collections import Counter

from dojo.grade.result import FunctionResult, KataResult, Result
from dojo.judging.outcomes import Cause, Status

STATUSES: dict[str, str] = {Status.TO_DO: "still to do", Status.NOT_RUN: "was not run"}

KINDS: tuple[str, ...] = (Cause.NO_END, Status.WRONG, Status.TO_DO, Status.NOT_RUN)
"""Why functions have no points, in the order in which they are told."""
FILES = (Cause.MISSING, Cause.CANNOT_RUN)
"""Why none of a kata's functions has points."""


def why(result: Result) -> str:
    """Say in a few words why points are missing, `01 02 missing, 03 cannot be run, 2 did not end, 5 wrong`; else ""."""
    causes = {cause: [kata.slug[:2] for kata in result.katas if kata.cause == cause] for cause in FILES}
    functions = [function for kata in result.katas if not kata.cause for function in kata.functions]
    counts = Counter(kind(function) for function in functions if function.status != Status.DONE)
    if not any(causes.values()) and counts == {Status.TO_DO: len(functions)}:
        return "not started"
    kinds = sorted(counts, key=KINDS.index)
    files = [f"{' '.join(numbers)} {cause}" for cause, numbers in causes.items() if numbers]
    return ", ".join([*files, *(f"{counts[kind]} {kind}" for kind in kinds)])


def kind(function: FunctionResult) -> str:
    """Name the outcome of a function in a word or two. If not every property was run, it is `not run`."""
    return function.cause or (Status.NOT_RUN if function.status == Status.SO_FAR else function.status)


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
