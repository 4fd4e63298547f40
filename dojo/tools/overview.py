"""`dojo`: show the map of the katas. `dojo next`: show what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.console import Console
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from dojo.judging.outcomes import Status
from dojo.progress import Progress, following
from dojo.report.console import STYLES, pairs
from dojo.seam.learner_file import nearby

Row = tuple[str, str | Text]

STALE = "changed since it was judged: dojo --refresh judges it again"
NAME = 21
"""Columns for the name of a kata."""
WIDE = 80
"""Least columns of a terminal that shows the title of a kata."""
SPARE = 5
"""Other rows that the map needs: its headline, blank lines, and the prompt below it."""
TO_JUDGE = "written, but not judged yet: dojo --refresh judges it"


def show(console: Console, every: Sequence[Progress]) -> None:
    """Print a line for each kata, the functions of the current one, and what to do next.

    If the terminal has too few rows, neighboring katas that are all done, or all to do, share a line.
    """
    found = following(every)
    count, total = sum(map(_done, every)), sum(len(one.states) for one in every)
    head = Table.grid(padding=(0, 2), pad_edge=False)
    head.add_column(no_wrap=True)
    head.add_row(Text(f"{count} of {total} functions done", style="bold"), ProgressBar(total, count, width=24))
    console.print(head)
    console.print()
    below = [*_next(every), *_legend(every)]
    opened = _rows(found[0]) if found else []
    low = console.is_terminal and len(every) + 2 * len(opened) + len(below) + SPARE > console.height
    for group in _groups(every, found[0] if found else None, low):
        console.print(_line(group, console.width), soft_wrap=True)
        if found and group == [found[0]]:
            pairs(console, opened)
    console.print()
    pairs(console, below)


def _groups(every: Sequence[Progress], opened: Progress | None, low: bool) -> list[list[Progress]]:
    """If the terminal is `low`, group neighboring katas whose functions all have the same status, except `opened`."""

    def kind(one: Progress) -> object:
        words = {(state.word, state.stale) for state in one.states.values()}
        plain = one is not opened and one.file.trouble is None and len(words) == 1
        return words.pop() if low and plain else one.kata.slug

    return [list(group) for _, group in groupby(every, kind)]


def _line(group: Sequence[Progress], width: int) -> Text:
    first, last = group[0].kata, group[-1].kata
    states = [state for one in group for state in one.states.values()]
    name = first.slug if len(group) == 1 else f"{first.number} to {last.number}"
    count = f"{sum(map(_done, group))} of {len(states)}"
    line = Text.assemble(
        (f"{name:{NAME}}", "bold"), f"{count:>9}", ("?" if any(s.stale for s in states) else " ", "dim")
    )
    for word in (Status.WRONG, Status.NOT_JUDGED):
        if number := sum(state.word == word for state in states):
            line.append(f" {number} {word} ", STYLES[word])
    if group[0].file.trouble:
        line.append(" cannot read ", STYLES[Status.WRONG])
    if len(group) == 1 and width >= WIDE:
        line.append(f" {first.title}")
    return line


def _done(one: Progress) -> int:
    return sum(state.is_done for state in one.states.values())


def _rows(one: Progress) -> list[Row]:
    rows: list[Row] = [("cannot read", one.file.trouble)] if one.file.trouble else []
    for word in (Status.DONE, Status.WRONG, Status.TO_DO, Status.NOT_JUDGED):
        names = [
            Text(f"{name}?", "dim") if state.stale else Text(name, STYLES[word])
            for name, state in one.states.items()
            if state.word == word
        ]
        if names:
            rows.append((word, Text(", ").join(names)))
    return rows


def _legend(every: Sequence[Progress]) -> list[Row]:
    states = [state for one in every if one.file.trouble is None for state in one.states.values()]
    rows: list[Row] = [("?", STALE)] if any(state.stale for state in states) else []
    if any(state.word == Status.NOT_JUDGED for state in states):
        rows.append((Status.NOT_JUDGED, TO_JUDGE))
    return rows


def show_next(console: Console, every: Sequence[Progress]) -> None:
    """Print the function to do next, its lesson, its source line, and how to run it."""
    pairs(console, _next(every))


def _next(every: Sequence[Progress]) -> list[Row]:
    found = following(every)
    if found is None:
        if any(one.is_stale for one in every):
            return [("next", "dojo --refresh: all were done before")]
        return [("next", f"nothing: all {sum(len(one.states) for one in every)} functions are done")]
    one, name = found
    kata = one.kata
    line = one.file.lines.get(name)
    return [
        ("next", f"{name} of {kata.slug}: {kata.functions[name].title}"),
        ("lesson", nearby(kata.lesson)),
        ("your code", nearby(one.file.path) + (f":{line}" if line else "")),
        ("run", f"pytest {nearby(kata.lesson.parent)}"),
        ("stuck", f"dojo hint {kata.number} {name}"),
    ]
