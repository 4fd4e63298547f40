"""The HTML report: overall progress, the map of the katas, and the block of each function that is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

from dojo.catalog import Kata
from dojo.judging.findings import Finding, status, wrong_together
from dojo.judging.outcomes import Outcome, Status
from dojo.judging.pictures import Cells, Picture, Terms
from dojo.report.blocks import block
from dojo.report.console import BELIEFS, OUTCOMES
from dojo.report.html import document, node
from dojo.report.svg_pictures import svg
from dojo.report.terminal_pictures import label
from dojo.seam.learner_file import nearby

STYLE = Path(__file__).with_name("style.css")
PROSE = ("the rule", *BELIEFS, "but", "on")
"""Labels of rows in prose; the other rows of a block are code, and keep their lines."""

Run = tuple[Kata, list[Finding]]
"""A kata and its findings."""


def page(katas: Sequence[Kata], findings: Sequence[Finding], footer: str) -> str:
    """Render the page on a run of these katas. `footer` says when it was written, and by which versions."""
    runs = _runs(katas, findings)
    words = _words(runs)
    wrong = [article for kata, mine in runs for article in _wrong(kata, mine)]
    body = [
        node("header", node("h1", "torch-dojo"), node("p", _summary(words)), _progress(words), *_next(runs)),
        node("h2", "The map"),
        node("div", *(_card(kata, mine) for kata, mine in runs), class_="map"),
        *([node("h2", "What is wrong"), *wrong] if wrong else []),
        node("footer", footer),
    ]
    title = f"torch-dojo: {_summary(words)}"
    return document(title, STYLE.read_text(encoding="utf-8"), [node("main", *body)])


def summary(katas: Sequence[Kata], findings: Sequence[Finding]) -> str:
    """Summarize a run: `12 of 38 functions done, 2 wrong, 24 to do`."""
    return _summary(_words(_runs(katas, findings)))


def _runs(katas: Sequence[Kata], findings: Sequence[Finding]) -> list[Run]:
    return [(kata, [finding for finding in findings if finding.kata == kata.slug]) for kata in katas]


def _words(runs: Sequence[Run]) -> list[str]:
    return [status(name, mine)[0] for kata, mine in runs for name in kata.functions]


def _summary(words: Sequence[str]) -> str:
    others = [f"{count} {word}" for word, count in Counter(words).items() if word != Status.DONE]
    return ", ".join([f"{words.count(Status.DONE)} of {len(words)} functions done", *others])


def _progress(words: Sequence[str]) -> Element:
    return node("progress", value=words.count(Status.DONE), max=len(words), aria_label=_summary(words))


def _next(runs: Sequence[Run]) -> Iterator[Element]:
    """Yield the first function that is not done, and its lesson."""
    for kata, mine in runs:
        for name, function in kata.functions.items():
            if status(name, mine)[0] != Status.DONE:
                yield node("p", "Next: ", node("code", name), f" of {kata.slug}, {function.title}.", class_="next")
                yield node("p", "Lesson: ", node("code", nearby(kata.lesson)), class_="next")
                return


def _card(kata: Kata, findings: Sequence[Finding]) -> Element:
    """Return one kata of the map: a line for each function."""
    words = {name: status(name, findings) for name in kata.functions}
    targets = {name: _anchor(kata, names) for names in wrong_together(kata, findings) for name in names}
    troubles = [f"cannot import {finding.note}" for finding in findings if finding.outcome == Outcome.UNREADABLE]
    strays = [f"not read: {stray}, only {kata.filename} counts" for finding in findings for stray in finding.strays]
    rows = []
    for name, (word, note) in words.items():
        shown = node("code", name)
        linked = node("a", shown, href=f"#{targets[name]}") if name in targets else shown
        notes = [node("small", note)] if note else []
        rows.append(node("li", linked, node("span", word, class_="word"), *notes, class_=word.replace(" ", "-")))
    return node(
        "section",
        node("h3", f"{kata.slug} · {kata.title}"),
        _progress([word for word, _ in words.values()]),
        *(node("p", message, class_="trouble") for message in dict.fromkeys(troubles + strays)),
        node("ul", *rows),
    )


def _anchor(kata: Kata, names: Sequence[str]) -> str:
    return f"{kata.slug}.{names[0]}"


def _wrong(kata: Kata, findings: Sequence[Finding]) -> Iterator[Element]:
    for names in wrong_together(kata, findings):
        rows = [_row(name, lines) for name, lines in _grouped(block(kata, names, findings))]
        title = f"{kata.slug} · {', '.join(names)}"
        yield node("article", node("h3", title), node("dl", *rows), id=_anchor(kata, names))


def _grouped(pairs: Sequence[tuple[str, str | Picture]]) -> list[tuple[str, list[str | Picture]]]:
    """Join each line without a label to the row above it."""
    rows: list[tuple[str, list[str | Picture]]] = []
    for name, line in pairs:
        if name or not rows:
            rows.append((name, []))
        rows[-1][1].append(line)
    return rows


def _row(name: str, lines: Sequence[str | Picture]) -> Element:
    kind = "got" if name in OUTCOMES else "belief" if name in BELIEFS else ""
    texts = [line for line in lines if isinstance(line, str)]
    if texts:
        content = node("p", *texts) if name in PROSE else node("pre", node("code", "\n".join(texts)), tabindex="0")
        return node("div", node("dt", name), node("dd", content), class_=kind)
    (picture,) = lines
    assert not isinstance(picture, str)
    note = [node("p", picture.note)] if isinstance(picture, Cells | Terms) and picture.note else []
    drawn = node("div", svg(picture), class_="picture", tabindex="0")
    return node("div", node("dt", label(picture)), node("dd", drawn, *note))
