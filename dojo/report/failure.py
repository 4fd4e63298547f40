"""The parts that pages share: a progress bar, an item in a list of functions, and the block of wrong functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from xml.etree.ElementTree import Element

from dojo.judging.outcomes import Status
from dojo.judging.pictures import Cells, Picture, Terms
from dojo.report.console import BELIEFS, OUTCOMES
from dojo.report.html import node
from dojo.report.html_pictures import picture_element
from dojo.report.terminal_pictures import label

PROSE = ("the rule", "because", *BELIEFS, "but", "on")
"""Labels of rows that hold prose. The other rows of a block hold code, and keep their line breaks."""


def counted(words: Sequence[str]) -> str:
    """Summarize the statuses of functions: `12 of 38 functions done, 2 wrong, 24 to do`."""
    others = [f"{count} {word}" for word, count in Counter(words).items() if word != Status.DONE]
    return ", ".join([f"{words.count(Status.DONE)} of {len(words)} functions done", *others])


def bar(words: Sequence[str]) -> Element:
    """Return a progress bar that shows how many functions are done."""
    return node("progress", value=words.count(Status.DONE), max=len(words), aria_label=counted(words))


def function_item(name: str, word: str, note: str, target: str, told: str = "") -> Element:
    """Return a list item for a function: its name, its status and a note. `target` is the block to link to, or "".

    `told`, if given, is shown in place of the status.
    """
    shown = node("code", name)
    linked = node("a", shown, href=f"#{target}") if target else shown
    notes = [node("small", note)] if note else []
    return node("li", linked, node("span", told or word, class_="word"), *notes, class_=word.replace(" ", "-"))


def kata_row(
    slug: str, title: str, words: Sequence[str], below: Iterable[Element], *, count: str, bad: str, is_open: bool
) -> Element:
    """Return a kata on the map: a line with its bar and what is bad, which unfolds to show `below`."""
    line = (
        node("strong", slug),
        node("span", count, class_="count"),
        bar(words),
        node("span", bad, class_="trouble"),
        node("span", title, class_="title"),
    )
    return node("details", node("summary", *line), *below, **({"open": ""} if is_open else {}))


def failure(
    title: str, pairs: Sequence[tuple[str, str | Picture]], anchor: str, links: Mapping[str, Element], is_open: bool
) -> Element:
    """Return the block of functions that are wrong together, folded below a line that names them and the belief.

    `links` maps the label of a row to a link that replaces its text.
    """
    grouped = _grouped(pairs)
    beliefs = [str(line) for name, (line, *_) in grouped if name in BELIEFS]
    glance = beliefs[0] if beliefs else node("code", str(grouped[0][1][0]))
    rows = [_row(name, lines, links.get(name)) for name, lines in grouped]
    return node(
        "details",
        node("summary", node("strong", title), node("span", glance, class_="glance")),
        node("dl", *rows, id=anchor),  # inside the folded part, so that a link to it unfolds it
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


def _row(name: str, lines: Sequence[str | Picture], link: Element | None) -> Element:
    kind = "got" if name in OUTCOMES else "belief" if name in BELIEFS else ""
    texts = [line for line in lines if isinstance(line, str)]
    if texts:
        return node("div", node("dt", name), node("dd", link if link is not None else _told(name, texts)), class_=kind)
    (picture,) = lines
    assert not isinstance(picture, str)
    note = [node("p", picture.note)] if isinstance(picture, Cells | Terms) and picture.note else []
    drawn = node("div", picture_element(picture), class_="picture", tabindex="0")
    return node("div", node("dt", label(picture)), node("dd", drawn, *note))


def _told(name: str, texts: Sequence[str]) -> Element:
    if name in PROSE:
        return node("p", *texts)
    return node("pre", node("code", "\n".join(texts)), tabindex="0", class_="lines" if len(texts) > 1 else "")
