"""A failure in words: one block for each function that fails, and one line for each function."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dojo.answers import nearby
from dojo.catalog import Kata, katas
from dojo.data import Error, Foreign, kind_of, shown
from dojo.diagnose import explanations
from dojo.draw import drawn, label
from dojo.judge import HELD, TODO, UNREADABLE, WRONG, Verdict
from dojo.kata import Local
from dojo.pictures import Picture, plain, restored

DONE, NOT_RUN = "done", "not run"
STYLES = {DONE: "green", WRONG: "bold red", "to do": "yellow", NOT_RUN: "dim"}
LABEL = 16
"""Width of the column of labels."""


@dataclass
class Finding:
    """What became of one property in one tree, as plain values: it travels from a worker to the run that reports it.

    total: for each function, how many properties judge it. fits: belief and advice of every misconception that answers
    just as the learner did, None where too few calls were made to tell, or nobody asked. printed: the last line that
    the learner's code printed, and how many there were. stubs: the functions of the file that nobody has touched.
    picture: the plain dict of one. calls: what was asked and what came, where the run is recorded.
    """

    kata: str
    tree: str
    property: str
    place: int
    device: str
    functions: list[str]
    total: dict[str, int]
    outcome: str
    function: str = ""
    note: str = ""
    lines: list[list[str]] = field(default_factory=list)
    picture: dict[str, Any] | None = None
    calls: list[dict[str, Any]] = field(default_factory=list)
    fits: list[list[str]] | None = None
    where: str = ""
    printed: str = ""
    strays: list[str] = field(default_factory=list)
    stubs: list[str] = field(default_factory=list)

    def plain(self) -> dict[str, Any]:
        """As a dict that pytest-xdist can send."""
        return asdict(self)

    def is_unclear(self) -> bool:
        """Whether several beliefs explain it."""
        return len(self.fits or ()) > 1

    def blames(self, function: str) -> bool:
        """Whether this failure is that function's own."""
        return self.outcome != HELD and self.function in ("", function) and function in self.functions


def lines_of(verdict: Verdict, rule: str, device: str) -> list[list[str]]:
    """What is said of a failure that has an example, as pairs of label and text."""
    call, got, wanted = verdict.call, verdict.got, verdict.wanted
    if call is None:
        return []
    first, *program = call.written.split("\n")
    lines = [["you ran" if program else "you called", first], *(["", line] for line in program)]
    lines += [["where" if place == 0 else "", line] for place, line in enumerate(call.setup)]
    mistyped = wanted is not None and not isinstance(got, Error) and kind_of(got) != kind_of(wanted)
    value_of = f"{verdict.of} = " if verdict.of else ""
    if isinstance(got, Error):
        lines.append(["it raised", _error(got)])
    else:
        typed = mistyped and not isinstance(got, Foreign)  # what is foreign is shown by its type alone
        text = value_of + shown(got) + (f", {kind_of(got)}" if typed else "")
        lines.append(["then" if program else "it returned", text])
    if verdict.want:
        lines.append([verdict.says, value_of + verdict.want + (f", {kind_of(wanted)}" if mistyped else "")])
    if verdict.note:
        lines.append(["but", verdict.note])
    if rule:
        lines.append(["the rule", rule])
    if device not in ("", "cpu"):
        lines.append(["on", device])
    return lines


def find(
    kata: Kata,
    seam: Local,
    verdict: Verdict,
    *,
    tree: str,
    test: Any,
    place: int,
    device: str,
    total: dict[str, int],
    earlier: Sequence[Finding] = (),
) -> Finding:
    """The finding of one property that was run, after the `earlier` ones of the same file."""
    rule = " ".join((test.__doc__ or "").split())
    found = None
    if verdict.outcome == WRONG:
        found = explanations(kata, verdict.function, seam.calls, test.grades)
    elif verdict.outcome == HELD and len(test.grades) == 1:
        (graded,) = test.grades
        # Where several beliefs explain a failure, what the function does right tells them apart as well.
        if any(other.is_unclear() and other.function == graded for other in earlier):
            found = explanations(kata, graded, seam.calls)
    line = verdict.got.line if isinstance(verdict.got, Error) else None
    line = line or seam.answers.lines.get(verdict.function or test.grades[0])
    return Finding(
        kata=kata.slug,
        tree=tree,
        property=test.__name__,
        place=place,
        device=device,
        functions=list(test.grades),
        total=total,
        outcome=verdict.outcome,
        function=verdict.function,
        note=verdict.note,
        lines=lines_of(verdict, rule, device),
        picture=plain(verdict.picture) if verdict.picture else None,
        fits=None if found is None else [[variant.belief, variant.advice] for variant in found],
        where=nearby(seam.answers.path) + (f":{line}" if line else ""),
        strays=[nearby(stray) for stray in seam.answers.strays],
        stubs=sorted(seam.answers.stubs),
    )


def status(function: str, findings: Sequence[Finding]) -> tuple[str, str]:
    """What one line says of a function, and why: done only where every property that judges it was run and held."""
    mine = [finding for finding in findings if function in finding.functions]
    blamed = [finding for finding in mine if finding.blames(function)]
    for outcome, word in ((WRONG, WRONG), (TODO, "to do"), (UNREADABLE, NOT_RUN)):
        for finding in blamed:
            if finding.outcome == outcome:
                return word, "" if outcome == UNREADABLE or finding.lines else finding.note
    names = {finding.property for finding in mine}
    held = names - {finding.property for finding in mine if finding.outcome != HELD}
    if not names:
        return NOT_RUN, ""
    if function in mine[0].stubs and not held:
        return "to do", ""
    total = mine[0].total[function]
    if len(held) < total:
        return "so far", f"{len(held)} of its {total} properties were run and held"
    return DONE, ""


def block(kata: Kata, functions: Sequence[str], findings: Sequence[Finding]) -> list[tuple[str, str | Picture]]:
    """The block of a function that is wrong: its first failing property, and the belief that explains all of them.

    Several functions share one if they answer for that property together. A picture stands before the rule.
    """
    first = first_failure(functions[0], findings)
    lines: list[tuple[str, str | Picture]] = [(name, text) for name, text in first.lines]
    if first.picture:
        picture = restored(first.picture)
        place = next((at for at, (name, _) in enumerate(lines) if name == "the rule"), len(lines))
        lines.insert(place, (label(picture), picture))
    if found := diagnosis(functions, findings):
        lines += [("looks like", found[0]), ("but", found[1])]
    if first.printed:
        lines.append(("it printed", first.printed))
    lines.append(("your code", first.where))
    lines += [("" if place else "next", f"dojo hint {kata.number} {name}") for place, name in enumerate(functions)]
    return lines


def diagnosis(functions: Sequence[str], findings: Sequence[Finding]) -> tuple[str, str] | None:
    """The one belief that explains all that these functions answered, with its advice. Several would be a guess."""
    wrong = [finding for finding in findings if any(map(finding.blames, functions)) and finding.outcome == WRONG]
    held = [finding for finding in findings if finding.outcome == HELD and finding.functions == list(functions)]
    evidence = [finding.fits for finding in wrong + held if finding.fits is not None]
    if not evidence:
        return None
    # By their words: a belief may be about each of several functions that answer together.
    shared = {fit[0]: fit[1] for fit in evidence[0] if all(fit in fits for fits in evidence)}
    return next(iter(shared.items())) if len(shared) == 1 else None


def first_failure(function: str, findings: Sequence[Finding]) -> Finding:
    """The first failing property of a function that is wrong."""
    wrong = [finding for finding in findings if finding.outcome == WRONG and finding.blames(function)]
    return min(wrong, key=lambda finding: (finding.place, finding.device))


def _error(error: Error) -> str:
    if error.name == "RecursionError":
        return "RecursionError: it calls itself without end"
    if error.name == "SystemExit":
        return "SystemExit: it ends the program instead of returning"
    return str(error)


def unforeseen(findings: Sequence[Finding]) -> Iterator[tuple[str, list[str], list[dict[str, Any]]]]:
    """Of each wrong answer that got no diagnosis: the kata, the functions, and the calls that were recorded."""
    for slug in sorted({finding.kata for finding in findings}):
        mine = [finding for finding in findings if finding.kata == slug]
        for names in wrong_together(katas()[slug], mine):
            calls = [call for finding in mine if any(map(finding.blames, names)) for call in finding.calls]
            if calls and diagnosis(names, mine) is None:
                yield slug, names, calls


def render(findings: Sequence[Finding], *, width: int, colour: bool, blocks: bool) -> str:
    """The whole report of a run, ready to print.

    width: columns of the terminal. colour: whether to colour it. blocks: whether failures are told here, or left to
    pytest's own tracebacks.
    """
    console = Console(
        file=io.StringIO(), width=width, force_terminal=colour, no_color=not colour, highlight=False, soft_wrap=False
    )
    seen = dict.fromkeys((finding.kata, finding.tree) for finding in findings)
    for slug, tree in sorted(seen, key=lambda pair: (pair[1], pair[0])):
        mine = [finding for finding in findings if (finding.kata, finding.tree) == (slug, tree)]
        _kata(console, katas()[slug], tree, mine, blocks)
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def wrong_together(kata: Kata, findings: Sequence[Finding]) -> list[list[str]]:
    """The functions of a kata that are wrong and have an example for it; those that fail the same example together."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for name in kata.functions:
        if status(name, findings) == (WRONG, ""):
            first = first_failure(name, findings)
            groups.setdefault((first.property, first.device, first.function), []).append(name)
    return list(groups.values())


def _kata(console: Console, kata: Kata, tree: str, findings: Sequence[Finding], blocks: bool) -> None:
    unreadable = next((finding for finding in findings if finding.outcome == UNREADABLE), None)
    said = {name: status(name, findings) for name in kata.functions}
    for names in wrong_together(kata, findings) if blocks else ():
        console.print()
        console.print(Text(f"{kata.slug} · {', '.join(names)}", style="bold"))
        _pairs(console, block(kata, names, findings))
    console.print()
    if tree == "solutions" and all(word == DONE for word, _ in said.values()):
        console.print(f"{kata.slug}   all {len(said)} functions of the solution hold")
        return
    console.print(Text(f"{kata.slug} · {kata.title}", style="bold"))
    if unreadable:
        _pairs(console, [["cannot import", unreadable.note]])
    strays = dict.fromkeys(stray for finding in findings for stray in finding.strays)
    _pairs(console, [["not read", f"{stray}: only {kata.filename} counts"] for stray in strays])
    table = Table.grid(padding=(0, 2), pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    for name, (word, note) in said.items():
        printed = next((f.printed for f in findings if f.printed and name in f.functions), "")
        if printed and not (word == WRONG and not note):
            note = f"{note}; " * bool(note) + f"printed {printed}"
        table.add_row(f"  {name}", Text(word, style=STYLES.get(word, "")), note)
    console.print(table)
    if tree == "katas" and not unreadable:
        _pairs(console, _next(kata, said, findings))


def _next(kata: Kata, said: dict[str, tuple[str, str]], findings: Sequence[Finding]) -> list[list[str]]:
    """Where to go on: the first function that is not done, or the next kata."""
    if all(word == DONE for word, _ in said.values()):
        following = [other for other in katas().values() if other.slug > kata.slug]
        return [["", ""], ["next", nearby(following[0].lesson)]] if following else []
    open_ones = [name for name, (word, _) in said.items() if word in (WRONG, "to do")]
    if not open_ones:
        return []
    lines = [["", ""], ["next", f"{open_ones[0]}: {kata.functions[open_ones[0]].title}"]]
    lines += [["your code", finding.where] for finding in findings if finding.function == open_ones[0]][:1]
    return [*lines, ["lesson", nearby(kata.lesson)]]


def _pairs(console: Console, pairs: Sequence[Sequence[str | Picture]]) -> None:
    grid = Table.grid(padding=(0, 1), pad_edge=False)
    grid.add_column(width=LABEL - 1, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, text in pairs:
        style = {"it returned": "red", "then": "red", "it raised": "red", "looks like": "bold"}.get(str(name), "")
        told = Text(text, style=style) if isinstance(text, str) else drawn(text, console.width - LABEL)
        grid.add_row(Text(f"  {name}"), told)
    if pairs:
        console.print(grid)
