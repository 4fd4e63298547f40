"""The map of the katas as an SVG. Each kata is below those that it comes after, with an arrow from each of them."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from dojo.catalog import Kata

WIDE, HIGH, APART = 124, 44, 34
"""Width and height of a box, and the gap between two rows, in pixels."""


def picture(katas: Mapping[str, Kata]) -> str:
    """Return the SVG. Each box links to its lesson; the colors are those of the page."""
    rows = _rows(katas)
    width = max(map(len, rows)) * (WIDE + 10)
    place: dict[str, tuple[float, float]] = {}
    for height, row in enumerate(rows):
        step = width / len(row)
        place |= {kata.number: ((at + 0.5) * step, height * (HIGH + APART) + 4.0) for at, kata in enumerate(row)}
    every = [kata for row in rows for kata in row]
    arrows = "".join(_arrow(place[number], place[kata.number]) for kata in every for number in kata.after)
    boxes = "".join(_box(kata, *place[kata.number]) for kata in every)
    high = len(rows) * (HIGH + APART) - APART + 8
    return (
        f'<div class="map"><svg viewBox="0 0 {width} {high}" role="img" aria-label="The order of the katas">'
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0L8 4L0 8z"/></marker></defs>{arrows}{boxes}</svg></div>'
    )


def _rows(katas: Mapping[str, Kata]) -> list[list[Kata]]:
    """Put each kata in the row below all katas that it comes after, near the middle of those."""
    depth: dict[str, int] = {}
    rows: list[list[Kata]] = []
    where: dict[str, float] = {}
    for kata in katas.values():
        depth[kata.number] = 1 + max((depth[number] for number in kata.after), default=-1)
    for height in range(1 + max(depth.values())):
        row = [kata for kata in katas.values() if depth[kata.number] == height]
        row.sort(key=lambda kata: sum(where[number] for number in kata.after) / max(1, len(kata.after)))
        where |= {kata.number: (at + 0.5) / len(row) for at, kata in enumerate(row)}
        rows.append(row)
    return rows


def _arrow(begin: tuple[float, float], end: tuple[float, float]) -> str:
    (x, y), (to_x, to_y) = (begin[0], begin[1] + HIGH), end
    bend = APART * 0.8
    return f'<path d="M{x:.0f} {y:.0f}C{x:.0f} {y + bend:.0f} {to_x:.0f} {to_y - bend:.0f} {to_x:.0f} {to_y:.0f}"/>'


def _box(kata: Kata, x: float, y: float) -> str:
    name = escape(kata.slug.partition("_")[2].replace("_", " "))
    return (
        f'<a href="katas/{kata.slug}/"><title>{escape(kata.title)}</title>'
        f'<rect x="{x - WIDE / 2:.0f}" y="{y:.0f}" width="{WIDE}" height="{HIGH}" rx="6"/>'
        f'<text x="{x:.0f}" y="{y + 18:.0f}">{kata.number}</text><text x="{x:.0f}" y="{y + 35:.0f}">{name}</text></a>'
    )
