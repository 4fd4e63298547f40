"""The HTML report: overall progress, the map of the katas, and the block of each function that is wrong."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from urllib.parse import quote
from xml.etree.ElementTree import Element

from dojo.catalog import ROOT, Kata
from dojo.judging.findings import Finding, status, wrong_together
from dojo.judging.outcomes import Outcome, Status
from dojo.judging.pictures import Cells, Picture, Terms
from dojo.progress import State, following, read
from dojo.report.blocks import block
from dojo.report.console import BELIEFS, OUTCOMES
from dojo.report.html import document, node
from dojo.report.html_pictures import picture_element
from dojo.report.terminal_pictures import label
from dojo.seam.learner_file import nearby

STYLE = Path(__file__).with_name("style.css")
PROSE = ("the rule", *BELIEFS, "but", "on")
"""Labels of rows in prose; the other rows of a block are code, and keep their lines."""


@dataclass(frozen=True)
class Run:
    """A kata, its findings, and the folder of the page, from which it links to files."""

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
        """Return a link to the learner's file, by a text that says where in it."""
        return _link(where, self.kata.source(ROOT / "katas"), self.folder)

    def anchor(self, names: Sequence[str]) -> str:
        """Return the id of the block of functions that are wrong together."""
        return f"{self.kata.slug}.{names[0]}"


def page(katas: Sequence[Kata], findings: Sequence[Finding], made: str, folder: Path) -> str:
    """Render the page on a run of these katas, for a file in this folder.

    `made` says when it was written, and by which versions.
    """
    runs = [Run(kata, [finding for finding in findings if finding.kata == kata.slug], folder) for kata in katas]
    words = [word for run in runs for word, _ in run.words.values()]
    run, name = _following(runs)
    wrong = [(run, names) for run in runs for names in wrong_together(run.kata, run.findings)]
    first = next((pair for pair in wrong if pair[0] is run and name in pair[1]), wrong[0] if wrong else None)
    body = [
        node("header", node("h1", "torch-dojo"), node("p", made, class_="faint")),
        node("p", node("strong", _summary(words)), _bar(words), class_="all"),
        node("div", *(_row_of_map(one, one is run) for one in runs), class_="map"),
        *([_next(run, name)] if run else []),
        *([node("h2", "What is wrong")] if wrong else []),
        *(_failure(*pair, is_open=pair is first) for pair in wrong),
    ]
    title = f"torch-dojo: {_summary(words)}"
    return document(title, STYLE.read_text(encoding="utf-8"), [node("main", *body)])


def summary(katas: Sequence[Kata], findings: Sequence[Finding]) -> str:
    """Summarize a run: `12 of 38 functions done, 2 wrong, 24 to do`."""
    return _summary([status(name, findings)[0] for kata in katas for name in kata.functions])


def _summary(words: Sequence[str]) -> str:
    others = [f"{count} {word}" for word, count in Counter(words).items() if word != Status.DONE]
    return ", ".join([f"{words.count(Status.DONE)} of {len(words)} functions done", *others])


def _bar(words: Sequence[str]) -> Element:
    return node("progress", value=words.count(Status.DONE), max=len(words), aria_label=_summary(words))


def _link(text: str, path: Path, folder: Path) -> Element:
    return node("a", node("code", text), href=quote(Path(os.path.relpath(path, folder)).as_posix()))


def _following(runs: Sequence[Run]) -> tuple[Run | None, str]:
    """Return the function to go on with, as the terminal's map has it; None where all are done."""
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
    """Return one kata of the map: a line that unfolds to its functions."""
    kata, findings = run.kata, run.findings
    words = [word for word, _ in run.words.values()]
    targets = {name: run.anchor(names) for names in wrong_together(kata, findings) for name in names}
    troubles = [f"cannot import {finding.note}" for finding in findings if finding.outcome == Outcome.UNREADABLE]
    strays = [f"not read: {stray}, only {kata.filename} counts" for finding in findings for stray in finding.strays]
    bad = f"{words.count(Status.WRONG)} wrong" if Status.WRONG in words else "cannot read" if troubles else ""
    rows = []
    for name, (word, note) in run.words.items():
        shown = node("code", name)
        linked = node("a", shown, href=f"#{targets[name]}") if name in targets else shown
        notes = [node("small", note)] if note else []
        rows.append(node("li", linked, node("span", word, class_="word"), *notes, class_=word.replace(" ", "-")))
    return node(
        "details",
        node(
            "summary",
            node("strong", kata.slug),
            node("span", f"{words.count(Status.DONE)} of {len(words)}", class_="count"),
            _bar(words),
            node("span", bad, class_="trouble"),
            node("span", kata.title, class_="title"),
        ),
        *(node("p", message, class_="trouble") for message in dict.fromkeys(troubles + strays)),
        node("ul", *rows),
        node("p", "Lesson: ", run.lesson()),
        **({"open": ""} if is_open else {}),
    )


def _failure(run: Run, names: Sequence[str], is_open: bool) -> Element:
    """Return the block of functions that are wrong together, below a line that says which, and what they look like."""
    grouped = _grouped(block(run.kata, names, run.findings))
    beliefs = [str(line) for name, (line, *_) in grouped if name in BELIEFS]
    glance = beliefs[0] if beliefs else node("code", str(grouped[0][1][0]))
    rows = [_row(run, name, lines) for name, lines in grouped]
    rows.append(node("div", node("dt", "lesson"), node("dd", run.lesson())))
    return node(
        "details",
        node("summary", node("strong", f"{run.kata.slug} · {', '.join(names)}"), node("span", glance, class_="glance")),
        node("dl", *rows, id=run.anchor(names)),  # in what is folded: a link to it unfolds it
        class_="failure",
        **({"open": ""} if is_open else {}),
    )


def _grouped(pairs: Sequence[tuple[str, str | Picture]]) -> list[tuple[str, list[str | Picture]]]:
    """Join each line without a label to the row above it."""
    rows: list[tuple[str, list[str | Picture]]] = []
    for name, line in pairs:
        if name or not rows:
            rows.append((name, []))
        rows[-1][1].append(line)
    return rows


def _row(run: Run, name: str, lines: Sequence[str | Picture]) -> Element:
    kind = "got" if name in OUTCOMES else "belief" if name in BELIEFS else ""
    texts = [line for line in lines if isinstance(line, str)]
    if texts:
        return node("div", node("dt", name), node("dd", _told(run, name, texts)), class_=kind)
    (picture,) = lines
    assert not isinstance(picture, str)
    note = [node("p", picture.note)] if isinstance(picture, Cells | Terms) and picture.note else []
    drawn = node("div", picture_element(picture), class_="picture", tabindex="0")
    return node("div", node("dt", label(picture)), node("dd", drawn, *note))


def _told(run: Run, name: str, texts: Sequence[str]) -> Element:
    if name == "your code":
        return run.code(*texts)
    if name in PROSE:
        return node("p", *texts)
    return node("pre", node("code", "\n".join(texts)), tabindex="0", class_="lines" if len(texts) > 1 else "")
