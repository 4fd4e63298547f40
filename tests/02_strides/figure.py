"""The figure of lesson 02: three views of one storage, and the places that each reads."""

from typing import Any

import torch

from dojo.figures import BLUE, FAINT, GREEN, INK, ORANGE, PURPLE

ROWS = (BLUE, ORANGE, GREEN, PURPLE)
"""The colour of each row of a view."""


def measure() -> dict[str, Any]:
    """Ask torch for shape, strides and offset of each view, for the storage, and for what each element is."""
    x = torch.arange(12).view(3, 4)
    views = {"x": x, "x.t()": x.t(), "x[1:, ::2]": x[1:, ::2], "x[1].expand(3, 4)": x[1].expand(3, 4)}
    return {
        name: {
            "shape": list(view.shape),
            "strides": list(view.stride()),
            "offset": view.storage_offset(),
            "places": view.tolist(),  # each element is its own place
            "storage of x": view.untyped_storage().data_ptr() == x.untyped_storage().data_ptr(),
            "bytes": view.untyped_storage().nbytes(),
        }
        for name, view in views.items()
    }


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw each view as a matrix, and beside it the storage, each place in the colours of the rows that read it."""
    figure.set_figheight(4.9)
    axes = figure.add_subplot()
    axes.axis("off")
    top = 0.0
    for name, view in numbers.items():
        shape, strides = (f"({', '.join(map(str, view[kind]))})" for kind in ("shape", "strides"))
        axes.text(0, top + 0.5, name, weight="bold", va="center")
        words = f"shape {shape}\nstrides {strides}\noffset {view['offset']}"
        axes.text(0, top + 1.0, words, va="top", linespacing=1.3)
        reads: dict[int, list[int]] = {place: [] for place in range(12)}
        for row, places in enumerate(view["places"]):
            for column, place in enumerate(places):
                _cell(axes, 6.2 + column, top + row, place, [row])
                reads[place].append(row)
        for place, rows in reads.items():
            _cell(axes, 11.2 + place, top + 0.5, place, rows)
        shared = "the storage of x" if view["storage of x"] else "a storage of its own"
        axes.text(11.2, top + 2.0, f"{shared}, {view['bytes']} bytes", color=FAINT, va="center", size=8)
        top += max(len(view["places"]), 2.8) + 0.9
    axes.set_xlim(-0.1, 23.3)
    axes.set_ylim(top - 0.6, -0.2)
    axes.set_aspect("equal")


def _cell(axes: Any, x: float, y: float, place: int, rows: list[int]) -> None:
    """Draw one cell, in as many bands as rows read it."""
    for number, row in enumerate(rows):
        axes.bar(x, 1 / len(rows), 1, y + number / len(rows), align="edge", facecolor=(ROWS[row], 0.35), clip_on=False)
    axes.bar(x, 1, 1, y, align="edge", facecolor="none", edgecolor=FAINT, linewidth=0.6, clip_on=False)
    axes.text(x + 0.5, y + 0.52, str(place), ha="center", va="center", color=INK if rows else FAINT)
