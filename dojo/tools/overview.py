"""`dojo`: show the map of the katas; `dojo next`: show where to go on."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from dojo.progress import DONE, TO_DO, UNKNOWN, WRONG, Progress, following
from dojo.report.console import STYLES, pairs
from dojo.seam.learner_file import nearby

Row = tuple[str, str | Text]

STALE = "changed since it was judged: dojo --refresh judges it again"
TO_JUDGE = "written, but not judged yet: dojo --refresh judges it"


def show(console: Console, every: Sequence[Progress]) -> None:
    """Print each kata with its functions done, wrong and to do, and the one to do next."""
    for one in every:
        done = sum(state.is_done for state in one.states.values())
        console.print(Text.assemble((one.kata.slug, "bold"), f" · {one.kata.title} · {done} of {len(one.states)} done"))
        pairs(console, _rows(one))
    console.print()
    pairs(console, [*_next(every), *_legend(every)])


def _rows(one: Progress) -> list[Row]:
    rows: list[Row] = [("cannot read", one.file.trouble)] if one.file.trouble else []
    for word in (DONE, WRONG, TO_DO, UNKNOWN):
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
    if any(state.word == UNKNOWN for state in states):
        rows.append((UNKNOWN, TO_JUDGE))
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
