"""Text reports: a block for each function that is wrong, and a line for each function."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dojo import progress
from dojo.catalog import Kata, katas
from dojo.judging.findings import Finding, diagnosis, first_failure, status, wrong_together
from dojo.judging.outcomes import Outcome, Status
from dojo.judging.pictures import Picture, restored
from dojo.report.console import STYLES, pairs
from dojo.report.terminal_pictures import label
from dojo.seam.learner_file import nearby


def render(findings: Sequence[Finding], *, width: int, colour: bool, blocks: bool) -> str:
    """Render the whole report of a run, ready to print.

    width: columns of the terminal. colour: whether to color the report. blocks: whether to include the failures, or
    leave them to pytest's own tracebacks.
    """
    console = _buffer(width, colour)
    seen = dict.fromkeys((finding.kata, finding.tree) for finding in findings)
    for slug, tree in sorted(seen, key=lambda pair: (pair[1], pair[0])):
        mine = [finding for finding in findings if (finding.kata, finding.tree) == (slug, tree)]
        _kata(console, katas()[slug], tree, mine, blocks)
    return "\n".join(_lines(console))


def alone(kata: Kata, function: str, findings: Sequence[Finding], *, width: int, colour: bool) -> str:
    """Render the report on one function: its block if it is wrong, else its status and what to do next."""
    console = _buffer(width, colour)
    word, note = status(function, findings)
    names = next((names for names in wrong_together(kata, findings) if function in names), [])
    console.print(Text(f"{kata.slug} · {', '.join(names or [function])}", style="bold"))
    if names:
        pairs(console, block(kata, names, findings))
        return "\n".join(_lines(console))
    unreadable = next((finding.note for finding in findings if finding.outcome == Outcome.UNREADABLE), "")
    first = next((finding for finding in findings if finding.blames(function)), None)
    rows = [["cannot import", unreadable] if unreadable else [word, note or kata.functions[function].title]]
    rows += [["it printed", finding.printed] for finding in findings if finding.printed][:1]
    rows += [["your code", first.where]] if first and not unreadable else []
    rows += [["lesson", nearby(kata.lesson)]] if word == Status.TO_DO else []
    pairs(console, rows)
    return "\n".join(_lines(console))


def block_lines(rows: Sequence[tuple[str, str | Picture]], *, width: int) -> list[str]:
    """Render the rows of a block as plain lines, without its title."""
    console = _buffer(width, colour=False)
    pairs(console, rows)
    return _lines(console)


def _buffer(width: int, colour: bool) -> Console:
    return Console(
        file=io.StringIO(), width=width, force_terminal=colour, no_color=not colour, highlight=False, soft_wrap=False
    )


def _lines(console: Console) -> list[str]:
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def _kata(console: Console, kata: Kata, tree: str, findings: Sequence[Finding], blocks: bool) -> None:
    unreadable = next((finding for finding in findings if finding.outcome == Outcome.UNREADABLE), None)
    statuses = {name: status(name, findings) for name in kata.functions}
    for names in wrong_together(kata, findings) if blocks else ():
        console.print()
        console.print(Text(f"{kata.slug} · {', '.join(names)}", style="bold"))
        pairs(console, block(kata, names, findings))
    console.print()
    if tree == "solutions" and all(word == Status.DONE for word, _ in statuses.values()):
        console.print(f"{kata.slug}   all {len(statuses)} functions of the solution hold")
        return
    console.print(Text(f"{kata.slug} · {kata.title}", style="bold"))
    if unreadable:
        pairs(console, [["cannot import", unreadable.note]])
    strays = dict.fromkeys(stray for finding in findings for stray in finding.strays)
    pairs(console, [["not read", f"{stray}: only {kata.filename} counts"] for stray in strays])
    table = Table.grid(padding=(0, 2), pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    for name, (word, note) in statuses.items():
        printed = next((f.printed for f in findings if f.printed and name in f.functions), "")
        if printed and not (word == Status.WRONG and not note):
            note = f"{note}; " * bool(note) + f"printed {printed}"
        table.add_row(f"  {name}", Text(word, style=STYLES.get(word, "")), note)
    console.print(table)
    if tree == "katas" and not unreadable:
        pairs(console, _next(kata, statuses, findings))


def block(kata: Kata, functions: Sequence[str], findings: Sequence[Finding]) -> list[tuple[str, str | Picture]]:
    """Return the rows of a block: the first failing property, and the misconception that explains all failures.

    Functions that a property grades together share a block. A picture comes before the rule.
    """
    first = first_failure(functions[0], findings)
    lines: list[tuple[str, str | Picture]] = [(name, text) for name, text in first.lines]
    if first.picture:
        picture = restored(first.picture)
        place = next((at for at, (name, _) in enumerate(lines) if name == "the rule"), len(lines))
        lines.insert(place, (label(picture), picture))
    named = dict(diagnosis(functions, findings))
    for place, (belief, advice) in enumerate(named.items()):
        where = "looks like" if first.is_explained_by(belief, named) else "elsewhere"
        lines += [("and like" if place else where, belief), ("but", advice)]
    if first.printed:
        lines.append(("it printed", first.printed))
    lines.append(("your code", first.where))
    lines += [("" if place else "next", f"dojo hint {kata.number} {name}") for place, name in enumerate(functions)]
    return lines


def _finished(kata: Kata) -> list[list[str]]:
    """Return the rows below a finished kata: the learner's progress, what to remember, and what comes next."""
    states = [state for one in progress.everything() for state in one.states.values()]
    done = sum(state.is_done for state in states)
    lines = [["done", f"all {len(kata.functions)} functions of this kata, {done} of {len(states)} of all katas"]]
    name, count = max(progress.tries(kata).items(), key=lambda pair: pair[1])
    lines += [["most tries", f"{name}, {count}"]] if count > 1 else []
    *_, last = kata.lesson.read_text(encoding="utf-8").strip().split("\n\n")
    lines += [["the lesson", " ".join(last.split())], ["compare", f"dojo solution {kata.number}"]]
    following = [other for other in katas().values() if other.slug > kata.slug]
    return [*lines, *([["next", nearby(following[0].lesson)]] if following else [])]


def _next(kata: Kata, statuses: Mapping[str, tuple[Status, str]], findings: Sequence[Finding]) -> list[list[str]]:
    """Return the rows that say what comes next: the first function that is not done, or the next kata."""
    if all(word == Status.DONE for word, _ in statuses.values()):
        return [["", ""], *_finished(kata)]
    open_ones = [name for name, (word, _) in statuses.items() if word in (Status.WRONG, Status.TO_DO)]
    if not open_ones:
        return []
    lines = [["", ""], ["next", f"{open_ones[0]}: {kata.functions[open_ones[0]].title}"]]
    lines += [["your code", finding.where] for finding in findings if finding.function == open_ones[0]][:1]
    return [*lines, ["lesson", nearby(kata.lesson)]]
