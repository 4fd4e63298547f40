"""What a second grading of some katas changes in a result, and why."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dojo.grade.formats.phrases import holds, kind
from dojo.grade.result import FunctionResult, KataResult, Result
from dojo.report.sanitize import cell, code, line


@dataclass(frozen=True)
class Change:
    """A function whose points have changed."""

    submission: str
    kata: str
    function: str
    before: int
    now: int
    why: str

    def row(self) -> list[str]:
        """Return the cells of a table."""
        return [self.submission, self.kata, self.function, str(self.before), str(self.now), self.why]


TITLES = ["submission", "kata", "function", "before", "now", "why"]


def obstacle(old: Result, new: Result) -> str:
    """Say why a new result of some katas cannot be merged into the old result; "" if it can."""
    for name in ("isolation", "device", "torch", "python"):
        before, now = getattr(old, name), getattr(new, name)
        if before != now:
            return f"it was graded with {name} {before}, and this is {now}"
    before = {kata.slug: kata.file for kata in old.katas}
    changed = [kata.slug for kata in new.katas if before.get(kata.slug) != kata.file]
    return f"another {changed[0]} has been handed in since" if changed else ""


def merged(old: Result, new: Result) -> Result:
    """Return the old result with its katas replaced by those of the new one."""
    again = {kata.slug: kata for kata in new.katas}
    graded = tuple(again.get(kata.slug, kata) for kata in old.katas)
    return replace(old, katas=graded, dojo=new.dojo, times=new.times)


def changes(name: str, old: Result, new: Result) -> Iterator[Change]:
    """Yield the functions whose points have changed."""
    before = {kata.slug: kata for kata in old.katas}
    for kata in new.katas:
        was = {function.name: function for function in before[kata.slug].functions}
        now = {function.name: function for function in kata.functions}
        for function in {**was, **now}:
            old_score, new_score = _score(was.get(function)), _score(now.get(function))
            if old_score != new_score:
                why = f"{_state(before[kata.slug], was.get(function))}; now {_state(kata, now.get(function))}"
                yield Change(name, kata.slug, function, old_score, new_score, why)


def _score(function: FunctionResult | None) -> int:
    return function.score if function else 0


def _state(kata: KataResult, function: FunctionResult | None) -> str:
    if function is None:
        return "no function of the kata"
    return kata.cause or f"{kind(function)}, {holds(function)}"


def as_csv(every: Sequence[Change]) -> str:
    """Render the changes for spreadsheets and programs."""
    page = io.StringIO()
    csv.writer(page, lineterminator="\n").writerows([TITLES, *(map(cell, change.row()) for change in every)])
    return page.getvalue()


def as_markdown(every: Sequence[Change]) -> str:
    """Render the changes for people."""
    rows = [TITLES, ["---", "---", "---", "---:", "---:", "---"]]
    rows += [[one if one.isdecimal() else code(one) for one in change.row()] for change in every]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def as_lines(table: str) -> tuple[list[str], int]:
    """Render a table of changes for the screen, from its CSV, and count the submissions in it."""
    rows = list(csv.reader(io.StringIO(table)))[1:]
    lines = [line(f"{name}  {kata} {function}  {was} → {now}  {why}") for name, kata, function, was, now, why in rows]
    return lines, len({name for name, *_ in rows})
