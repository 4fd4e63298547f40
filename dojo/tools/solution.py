"""`dojo solution`: compare the learner's function with the solution, once it is done."""

from __future__ import annotations

import ast
import shutil
import tokenize
from collections.abc import Collection, Sequence
from pathlib import Path

from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from dojo import progress
from dojo.catalog import ROOT, Kata
from dojo.judging.outcomes import Status
from dojo.report.console import pairs
from dojo.seam.learner_file import Definition, nearby
from dojo.tools import CommandError
from dojo.tools.pieces import definition, needed, span

GAP = 4
"""Columns between two functions that are shown side by side."""


def solutions(console: Console, kata: Kata, name: str | None, spoil: bool) -> None:
    """Print the solution of a function, or of all functions, that are done. With `spoil`, print those not done too.

    Raise CommandError if there is nothing to show.
    """
    recorded = progress.read(kata)
    wanted = list(kata.functions) if name is None else [kata.function(name).name]
    shown = [one for one in wanted if spoil or recorded.states[one].is_done]
    if not shown:
        raise CommandError(f"{_why(kata, name, recorded)}, or add --spoil to see the solution now")
    for one in shown:
        _show(console, kata, one, recorded)
    hidden = [one for one in wanted if one not in shown]
    pairs(console, [("not shown", f"{', '.join(hidden)}: not known to be done (--spoil)")] if hidden else [])


def _why(kata: Kata, name: str | None, recorded: progress.Progress) -> str:
    run = f"pytest {nearby(kata.lesson.parent)}"
    if name is None:
        return f"no function of {kata.slug} is known to be done: run {run}"
    state = recorded.states[name]
    if state.stale or state.word == Status.NOT_JUDGED:
        return f"{name} has not been judged since its last change: run {run}"
    return f"{name} is {state.word}: run {run}"


def _show(console: Console, kata: Kata, name: str, recorded: progress.Progress) -> None:
    """Print both functions, or only the solution if the learner's is a stub or cannot be read."""
    path, own = kata.source(ROOT / "solutions"), recorded.file
    others = set(kata.functions) - {name}
    solved, reason = _piece(path, name, others)
    console.print(Text(f"{kata.slug} · {name}", style="bold"))
    console.print(Text(f"  {reason}", style="dim"))
    if own.trouble is not None or name in own.stubs or name not in own.lines:
        console.print(_code(solved), soft_wrap=True)
        return
    mine, _ = _piece(own.path, name, others)
    if mine == solved:
        console.print("  yours says the same\n")
        return
    _compare(console, {nearby(own.path): mine, nearby(path): solved})


def _compare(console: Console, pieces: dict[str, list[str]]) -> None:
    """Print the pieces under their names: side by side if the terminal is wide enough, else one below the other."""
    widths = [max(map(len, [name, *lines])) for name, lines in pieces.items()]
    if sum(widths) + GAP <= shutil.get_terminal_size().columns:
        console.width = max(console.width, sum(widths) + GAP)
        table = Table.grid(padding=(0, GAP, 0, 0))
        table.add_row(*(Text(name, style="dim") for name in pieces))
        table.add_row(*map(_code, pieces.values()))
        console.print(table)
    else:
        for name, lines in pieces.items():
            console.print(Text(name, style="dim"))
            console.print(_code(lines), soft_wrap=True)


def _code(lines: Sequence[str]) -> Text:
    return Syntax("", "python", theme="ansi_dark").highlight("\n".join(lines))


def _piece(path: Path, name: str, others: Collection[str]) -> tuple[list[str], str]:
    """Return the lines of a function and of what it needs, without docstrings, and the first line of its docstring."""
    with tokenize.open(path) as file:
        source = file.read()
    tree = ast.parse(source)
    lines = dict(enumerate(source.split("\n")))
    node = definition(tree, name)
    assert node is not None
    for each in ast.walk(node):
        if isinstance(each, Definition) and ast.get_docstring(each) and each.body[0].lineno > each.lineno:
            for at in range(*span(each.body[0]).indices(len(lines))):
                lines.pop(at, None)
    piece: list[str] = []
    for statement in needed(tree, name, others):
        apart = [""] if piece and isinstance(statement, Definition) else []
        piece += [*apart, *(lines[at] for at in range(*span(statement).indices(len(source))) if at in lines)]
    return piece, (ast.get_docstring(node) or "").partition("\n")[0]
