"""Texts that several formats share."""

from __future__ import annotations

from dojo.grade.result import FunctionResult, KataResult, Result

STATUSES = {"to do": "still to do", "not run": "was not run"}


def failure(kata: KataResult, function: FunctionResult) -> tuple[str, ...]:
    """Return the lines that say why a function has no points; none if it is done."""
    if function.status == "done":
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
