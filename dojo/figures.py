"""Measure and draw the figures of the lessons. Run: python -m dojo.figures [03]

tests/NN_name/figure.py measures and draws one. figure.json beside it keeps the numbers, and katas/NN_name/figure.svg
shows them.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dojo.catalog import ROOT, CatalogError, Kata, find, katas
from dojo.files import write_whole
from dojo.judging.kata_folder import imported

INK, FAINT, PAPER = "#1c2024", "#5c6570", "#ffffff"
BLUE, ORANGE, GREEN, PURPLE = "#0072b2", "#c04f00", "#007a55", "#a3478a"
DARK = {
    INK: "#e4e7eb", FAINT: "#9aa4b0", PAPER: "#0d1117",
    BLUE: "#56b4e9", ORANGE: "#f0a030", GREEN: "#2fc79a", PURPLE: "#e08fc4",
}  # fmt: skip
"""Each color's counterpart on dark pages. After Okabe and Ito: color-blind people can tell them apart in both."""

STYLE: dict[Any, object] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "dojo",
    "font.family": "DejaVu Sans",  # wide, so that text in other fonts needs no more room
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": f"cycler(color={[BLUE, ORANGE, GREEN, PURPLE]})",
    "axes.edgecolor": FAINT,
    "axes.facecolor": "none",
    "figure.facecolor": PAPER,
    "hatch.color": FAINT,
    "legend.frameon": False,
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.titlecolor", "patch.edgecolor"), INK),
    **dict.fromkeys(("xtick.color", "ytick.color"), FAINT),
    **dict.fromkeys(("xtick.labelcolor", "ytick.labelcolor"), INK),
}
WIDTH = 7.2
"""In inches; 691 pixels, as wide as a page on GitHub."""


def caption(kata: Kata) -> str | None:
    """Return the caption of the figure, from the lesson; None if it shows no figure."""
    found = re.search(r"^!\[(.+)\]\(figure\.svg\)$", kata.lesson.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else None


def drawing(kata: Kata) -> Path:
    """Return the path of the figure."""
    return kata.lesson.with_name("figure.svg")


def digest(kata: Kata) -> str:
    """Return a digest of the numbers, the code and the caption of the figure; "" if one of them is missing."""
    try:
        parts = [(kata.judge / name).read_bytes() for name in ("figure.json", "figure.py")]
        parts.append((caption(kata) or "").encode())
    except OSError:
        return ""
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]


def is_current(kata: Kata) -> bool:
    """Return whether the drawn figure has the current digest."""
    path, now = drawing(kata), digest(kata)
    return bool(now) and path.is_file() and f">{now}<" in path.read_text(encoding="utf-8")


def measure(kata: Kata) -> None:
    """Measure the numbers of the figure again, and store them one per line."""
    numbers = imported(kata, "figure").measure()
    lines = (f" {json.dumps(name)}: {json.dumps(value)}" for name, value in numbers.items())
    write_whole(kata.judge / "figure.json", "{\n" + ",\n".join(lines) + "\n}\n")


def draw(kata: Kata) -> str:
    """Draw the stored numbers as an SVG for light and dark pages. The same numbers give the same bytes."""
    import matplotlib
    from matplotlib.figure import Figure

    numbers = json.loads((kata.judge / "figure.json").read_text(encoding="utf-8"))
    file = io.StringIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        figure = Figure(figsize=(WIDTH, WIDTH / 2), layout="constrained")
        imported(kata, "figure").draw(numbers, figure)
        figure.supxlabel(caption(kata) or "", x=0.01, ha="left", size=9, color=FAINT)
        unknown = dict.fromkeys(("Creator", "Date"))
        figure.savefig(file, format="svg", metadata={**unknown, "Identifier": digest(kata)})
    return for_light_and_dark(file.getvalue())


def for_light_and_dark(svg: str) -> str:
    """Replace each color with a variable, and the font with one that every machine has."""
    for place, colour in enumerate(DARK):
        svg = svg.replace(colour, f"var(--c{place})")
    if left := re.search(r": (#[0-9a-f]{6})", svg):
        raise ValueError(f"{left[1]} is not a color of dojo/figures.py")
    light, dark = (
        "".join(f"--c{place}:{colour};" for place, colour in enumerate(colours)) for colours in (DARK, DARK.values())
    )
    style = f":root{{font-family:system-ui,sans-serif;{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"
    svg = svg.replace("<metadata>", f"<style>{style}</style>\n <metadata>", 1)
    svg = re.sub(r" font-family: 'DejaVu Sans';| transform=\"rotate\(-0 [^\"]+\"", "", svg)
    svg = re.sub(r"\d+\.\d{3,}(?=[^<>]*>)", lambda found: f"{float(found[0]):.2f}", svg)  # in tags: parts of a pixel
    svg = re.sub(r" *\n(?=[LCz\"])", "", svg)
    return re.sub(r'<g id="\w+">\s*(<path [^>]*/>|<text [^>]*>[^<]*</text>)\s*</g>', r"\1", svg)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and draw the figures of these katas, or of all."""
    parser = argparse.ArgumentParser(
        prog="python -m dojo.figures", description="Measure and draw the lessons' figures."
    )
    parser.add_argument("katas", nargs="*", help="numbers of the katas; all by default")
    parser.add_argument("--draw", action="store_true", help="draw the stored numbers without measuring")
    given = parser.parse_args(arguments)
    try:
        for kata in [find(word) for word in given.katas] or katas().values():
            if not given.draw:
                measure(kata)
            write_whole(drawing(kata), draw(kata))
            print(f"  written  {drawing(kata).relative_to(ROOT)}")
    except (CatalogError, OSError) as error:
        sys.exit(f"dojo.figures: {error}")
    except ImportError as error:
        sys.exit(f"dojo.figures: {error}: pip install -e '.[figures]'")


if __name__ == "__main__":
    main()
