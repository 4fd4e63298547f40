"""Pictures as SVG, narrow enough for a phone, and readable without the colours of the page's style sheet."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from dojo.judging.pictures import Cells, Extents, Picture, Terms
from dojo.report.html import node
from dojo.report.terminal_pictures import MOST

WIDTH = 288
"""Pixels that fit a phone; a wider picture scrolls in its box."""
CHARACTER = 7.4
"""Width of a character at the style sheet's 12 pixels."""
LINE = 20
LINES = 8
"""Most lines of a row of cells; the rest is left out."""


def svg(picture: Picture) -> Element:
    """Draw the picture, without its note."""
    match picture:
        case Cells():
            return _cells(picture)
        case Extents():
            return _extents(picture)
        case Terms():
            return _terms(picture)


def _canvas(parts: list[Element], width: float, height: float) -> Element:
    box = f"0 0 {width:g} {height:g}"
    return node("svg", *parts, viewBox=box, width=f"{width:g}", height=f"{height:g}")


def _text(x: float, y: float, words: str, kind: str = "") -> Element:
    return node("text", words, x=f"{x:g}", y=f"{y:g}", class_=kind)


def _rect(x: float, y: float, width: float, height: float, kind: str) -> Element:
    return node("rect", x=f"{x:g}", y=f"{y:g}", width=f"{width:g}", height=f"{height:g}", class_=kind)


def _cells(picture: Cells) -> Element:
    contents, columns = picture.contents(), picture.columns()
    cell = picture.widest() * CHARACTER + 6
    named = max(len("place"), *(len(name) for name, _, _ in picture.rows)) * CHARACTER + 6
    fits = max(1, int((WIDTH - named) / cell))
    parts: list[Element] = []
    top = 0.0
    for begin in range(0, min(len(columns), LINES * fits), fits):
        part = [(named + place * cell, column) for place, column in enumerate(columns[begin : begin + fits])]
        parts.append(_text(0, top + 12, "place", "faint"))
        parts += [
            _text(x + cell / 2, top + 12, "…" if place is None else str(place), "faint middle") for x, place in part
        ]
        top += LINE - 3
        for (name, _, _), row in zip(picture.rows, contents, strict=True):
            parts.append(_text(0, top + 14, name))
            for x, place in part:
                inside = "…" if place is None else row.get(place, "")
                differs = name == "yours" and place is not None and inside != contents[-1].get(place, "")
                parts.append(_rect(x, top, cell - 1, LINE - 1, "cell differs" if differs else "cell"))
                parts.append(_text(x + cell / 2, top + 14, inside, "middle differs" if differs else "middle"))
            top += LINE
        top += LINE / 2
    if len(columns) > LINES * fits:
        parts.append(_text(0, top + 8, f"… and {len(columns) - LINES * fits} places more"))
        top += LINE
    return _canvas(parts, max(WIDTH, named + fits * cell), top)


def _extents(picture: Extents) -> Element:
    bars, most = picture.bars(), picture.largest()
    parts: list[Element] = []
    top = 0.0
    for name, spans, size, amount in bars[:MOST]:
        fits = int(WIDTH / CHARACTER) - len(amount) - 1
        parts.append(_text(0, top + 13, name if len(name) <= fits else name[: fits - 1] + "…"))
        parts.append(_text(WIDTH, top + 13, amount, "end"))
        if size:
            scale = WIDTH / most
            kind = "storage" if amount else "tensor"
            parts.append(_rect(0, top + 18, max(2, size * scale), 8, "empty"))
            parts += [
                _rect(first * scale, top + 18, max(1, (end - first) * scale), 8, kind)
                for first, end in spans
                if first < end
            ]
        top += 32
    if len(bars) > MOST:
        parts.append(_text(0, top + 13, f"… and {len(bars) - MOST} bars more", "faint"))
        top += LINE
    parts += [_text(0, top + 13, "in all", "strong"), _text(WIDTH, top + 13, picture.total(), "end strong")]
    return _canvas(parts, WIDTH, top + LINE)


def _terms(picture: Terms) -> Element:
    rows = [*picture.terms, picture.total]
    longest = max(len(number) for _, *numbers in rows for number in numbers)
    half = max(WIDTH / 2 - CHARACTER, (longest + 2) * CHARACTER)
    parts = [_text(half, 12, "yours", "faint end"), _text(2 * half, 12, "torch's", "faint end")]
    top = float(LINE)
    for name, yours, truth in rows:
        differs = yours not in ("", truth)
        parts.append(_text(0, top + 14, name))
        parts.append(_text(half, top + 30, yours, "end differs" if differs else "end"))
        parts.append(_text(2 * half, top + 30, truth, "end"))
        parts += [_text(2 * half + 4, top + 30, "≠", "differs")] if differs else []
        top += 2 * LINE - 2
    parts.append(_rect(0, top - 2 * LINE, 2 * half, 1, "rule"))  # above the total
    return _canvas(parts, max(2 * half + 2 * CHARACTER, *(len(name) * CHARACTER for name, _, _ in rows)), top)
