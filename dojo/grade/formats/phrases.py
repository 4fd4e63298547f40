"""What a result says in words, for the formats that have room for them."""

from __future__ import annotations

from dojo.grade.result import FunctionResult, KataResult, Result

SAID = {"to do": "still to do", "not run": "was not run"}


def failure(kata: KataResult, function: FunctionResult) -> tuple[str, ...]:
    """Why a function has no points, as a learner would read it; nothing where it is done."""
    if function.status == "done":
        return ()
    said = tuple(text for text in (kata.trouble, function.note) if text) + function.report
    return said or (SAID.get(function.status, function.status),)


def holds(function: FunctionResult) -> str:
    """How many of a function's properties held."""
    return f"{function.held} of {function.total} properties held"


def beside(kata: KataResult) -> tuple[str, ...]:
    """What there is to say of a kata's file as a whole."""
    printed = (f"printed {kata.printed}",) if kata.printed else ()
    return (*filter(None, (kata.trouble,)), *kata.notes, *printed)


def heading(result: Result) -> tuple[str, ...]:
    """What was graded, how, and what there is to say of the submission as a whole."""
    return (
        f"submission  {result.submission}",
        f"isolation   {result.isolation}",
        f"run by      torch-dojo {result.dojo}, torch {result.torch}, Python {result.python}, {result.device}",
        *result.notes,
        *(f"{kata.slug}: {said}" for kata in result.katas for said in beside(kata)),
    )
