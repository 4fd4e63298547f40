"""Pictures as HTML that fills the width of its column, and is readable without the colors of the style sheet."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from dojo.judging.pictures import Cells, Extents, Picture, Span, Spent, Terms
from dojo.report.html import node
from dojo.report.terminal_pictures import MOST

CHARACTERS = 32
"""Characters in a line of cells; so many fit on a phone."""
LINES = 8
"""Most lines of cells that are drawn; the rest is left out."""


def picture_element(picture: Picture) -> Element:
    """Draw the picture, without its note."""
    match picture:
        case Cells():
            return _cells(picture)
        case Extents() | Spent():
            return _extents(picture)
        case Terms():
            return _terms(picture)


def _cells(picture: Cells) -> Element:
    """Draw lines of cells. If the column is wide, several are side by side."""
    contents, columns = picture.contents(), picture.columns()
    named = max(len("place"), *(len(name) for name, _, _ in picture.rows))
    fits = max(1, (CHARACTERS - named) // (picture.widest() + 1))
    lines = []
    for begin in range(0, min(len(columns), LINES * fits), fits):
        part = columns[begin : begin + fits]
        spare = [node("td")] * (min(fits, len(columns)) - len(part))
        rows = [node("tr", node("th", "place"), *(node("th", _place(place)) for place in part), *spare)]
        for (name, _, _), row in zip(picture.rows, contents, strict=True):
            cells = []
            for place in part:
                inside = "…" if place is None else row.get(place, "")
                differs = name == "yours" and place is not None and inside != contents[-1].get(place, "")
                cells.append(node("td", inside, class_="cell differs" if differs else "cell"))
            rows.append(node("tr", node("th", name, scope="row"), *cells, *spare))
        lines.append(node("table", *rows))
    left = len(columns) - LINES * fits
    return node("div", *lines, *([node("p", f"… and {left} places more")] if left > 0 else []), class_="cells")


def _place(place: int | None) -> str:
    return "…" if place is None else str(place)


def _extents(picture: Extents | Spent) -> Element:
    """Draw bars, scaled to the largest storage or to a budget."""
    bars, most = picture.bars(), picture.largest()
    rows = [
        node("div", node("span", name), node("span", amount), *_bar(spans, size, most, bool(amount)), class_="extent")
        for name, spans, size, amount in bars[:MOST]
    ]
    rows += [node("p", f"… and {len(bars) - MOST} more bars", class_="faint")] if len(bars) > MOST else []
    if picture.total():
        rows.append(node("div", node("strong", "in all"), node("strong", picture.total()), class_="extent"))
    return node("div", *rows)


def _bar(spans: Sequence[Span], size: int, most: int, is_storage: bool) -> list[Element]:
    """Return a bar whose frame has the size of the storage, or no bar if the storage is empty."""
    if not size:
        return []
    kind = "storage" if is_storage else "tensor"
    frame = node("rect", width=_share(size, most), height=10, class_="empty")
    filled = [
        node("rect", x=_share(first, most), width=_share(end - first, most), height=10, class_=kind)
        for first, end in spans
        if first < end
    ]
    return [node("svg", frame, *filled, width="100%", height=10, aria_hidden="true")]


def _share(size: int, most: int) -> str:
    """Return a percentage, large enough to be visible unless the size is 0."""
    return f"{max(100 * size / most, 0.3 * (size > 0)):.4g}%"


def _terms(picture: Terms) -> Element:
    """Draw a row for each term, and one for the total."""
    head = node("tr", node("td"), node("th", "yours"), node("th", "torch's"), node("td"))
    return node(
        "table",
        node("thead", head),
        node("tbody", *(_term(*term) for term in picture.terms)),
        node("tfoot", _term(*picture.total)),
        class_="terms",
    )


def _term(name: str, yours: str, truth: str) -> Element:
    differs = yours not in ("", truth)
    return node(
        "tr",
        node("th", name, scope="row"),
        node("td", yours, class_="differs" if differs else ""),
        node("td", truth),
        node("td", "≠" if differs else "", class_="differs" if differs else ""),
    )
