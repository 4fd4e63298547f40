"""The HTML report: overall progress, the map of the katas, and the block of each function that is wrong."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from urllib.parse import quote
from xml.etree.ElementTree import Element

from dojo.catalog import ROOT, Kata
from dojo.judging.findings import Finding, status, wrong_together
from dojo.judging.outcomes import Outcome, Status
from dojo.progress import State, following, read
from dojo.report.blocks import block
from dojo.report.failure import bar, counted, failure, function_item, kata_row
from dojo.report.html import STYLE, document, node
from dojo.seam.learner_file import nearby


@dataclass(frozen=True)
class Run:
    """A kata, its findings, and the folder of the page, to which links to files are relative."""

    kata: Kata
    findings: list[Finding]
    folder: Path

    @cached_property
    def words(self) -> dict[str, tuple[Status, str]]:
        """The status of each function, and why."""
        return {name: status(name, self.findings) for name in self.kata.functions}

    def lesson(self) -> Element:
        """Return a link to the lesson."""
        return _link(nearby(self.kata.lesson), self.kata.lesson, self.folder)

    def code(self, where: str) -> Element:
        """Return a link to the learner's file; its text `where` says where in it."""
        return _link(where, self.kata.source(ROOT / "katas"), self.folder)

    def anchor(self, names: Sequence[str]) -> str:
        """Return the id of the block of functions that are wrong together."""
        return f"{self.kata.slug}.{names[0]}"


def page(katas: Sequence[Kata], findings: Sequence[Finding], made: str, folder: Path) -> str:
    """Render the page for a run of these katas, as a file in this folder.

    `made` says when it was written, and with which versions.
    """
    runs = [Run(kata, [finding for finding in findings if finding.kata == kata.slug], folder) for kata in katas]
    words = [word for run in runs for word, _ in run.words.values()]
    run, name = _following(runs)
    wrong = [(run, names) for run in runs for names in wrong_together(run.kata, run.findings)]
    first = next((pair for pair in wrong if pair[0] is run and name in pair[1]), wrong[0] if wrong else None)
    body = [
        node("header", node("h1", "torch-dojo"), node("p", made, class_="faint")),
        node("p", node("strong", counted(words)), bar(words), class_="all"),
        node("div", *(_row_of_map(one, one is run) for one in runs), class_="map"),
        *([_next(run, name)] if run else []),
        *([node("h2", "What is wrong")] if wrong else []),
        *(_failure(*pair, is_open=pair is first) for pair in wrong),
    ]
    title = f"torch-dojo: {counted(words)}"
    return document(title, STYLE.read_text(encoding="utf-8"), [node("main", *body)])


def summary(katas: Sequence[Kata], findings: Sequence[Finding]) -> str:
    """Summarize a run: `12 of 38 functions done, 2 wrong, 24 to do`."""
    return counted([status(name, findings)[0] for kata in katas for name in kata.functions])


def _link(text: str, path: Path, folder: Path) -> Element:
    return node("a", node("code", text), href=quote(Path(os.path.relpath(path, folder)).as_posix()))


def _following(runs: Sequence[Run]) -> tuple[Run | None, str]:
    """Return the function to do next, the same one as on the terminal's map, or (None, "") if all are done."""
    every = [
        replace(read(run.kata), states={name: State(word) for name, (word, _) in run.words.items()}, ran=True)
        for run in runs
    ]
    found = following(every)
    return (runs[every.index(found[0])], found[1]) if found else (None, "")


def _next(run: Run, name: str) -> Element:
    what = f" of {run.kata.slug}, {run.kata.functions[name].title}. Lesson: "
    return node("p", "Next: ", node("code", name), what, run.lesson())


def _row_of_map(run: Run, is_open: bool) -> Element:
    """Return a kata on the map: a line that unfolds to show its functions."""
    kata, findings = run.kata, run.findings
    words = [word for word, _ in run.words.values()]
    targets = {name: run.anchor(names) for names in wrong_together(kata, findings) for name in names}
    troubles = [f"cannot import {finding.note}" for finding in findings if finding.outcome == Outcome.UNREADABLE]
    strays = [f"not read: {stray}, only {kata.filename} counts" for finding in findings for stray in finding.strays]
    bad = f"{words.count(Status.WRONG)} wrong" if Status.WRONG in words else "cannot read" if troubles else ""
    rows = [function_item(name, word, note, targets.get(name, "")) for name, (word, note) in run.words.items()]
    below = [
        *(node("p", message, class_="trouble") for message in dict.fromkeys(troubles + strays)),
        node("ul", *rows),
        node("p", "Lesson: ", run.lesson()),
    ]
    count = f"{words.count(Status.DONE)} of {len(words)}"
    return kata_row(kata.slug, kata.title, words, below, count=count, bad=bad, is_open=is_open)


def _failure(run: Run, names: Sequence[str], is_open: bool) -> Element:
    """Return the block of functions that are wrong together, with links to their file and to the lesson."""
    pairs = [*block(run.kata, names, run.findings), ("lesson", "")]
    links = {name: run.code(text) for name, text in pairs if name == "your code" and isinstance(text, str)}
    links["lesson"] = run.lesson()
    return failure(f"{run.kata.slug} · {', '.join(names)}", pairs, run.anchor(names), links, is_open)
