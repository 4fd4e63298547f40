"""The table of what was measured of the suite, tests/strength/mutants.md, and the files that it speaks of."""

from __future__ import annotations

import hashlib
from pathlib import Path

from dojo.catalog import ROOT, Kata, katas
from dojo.progress import dependencies

TABLE = ROOT / "tests" / "strength" / "mutants.md"
COLUMNS = ("kata", "mutants", "killed", "surviving", "of", "examples", "seeds", "false alarms")
ABOUT = """# How strong the suite is

`python -m tests.strength.mutants` lets mutmut change the solutions in every small way that it knows, and runs the
properties on each: *killed* is what they reject, *surviving* what they let through because it is right. *of* is a
digest of the solution and of all that its properties are made of; a test fails where they have changed since.

`python -m tests.strength.nightly` asks the solution and the wheats, which are right, 10,000 examples of every property
in each seed: *examples* is how many answers to examples were judged, *seeds* how many seeds times how many examples of
a property, *false alarms* how many answers were rejected. A property whose examples are dear draws its share of them.
"""

Row = dict[str, str]


def files(kata: Kata) -> list[Path]:
    """The solution, the properties, and all of tests/ that they import; but for pictures, which decide nothing."""
    made = [path for path in dependencies(kata.slug) if path.is_relative_to(ROOT / "tests")]
    return [kata.source(ROOT / "solutions"), *made]


def digest(kata: Kata) -> str:
    """A digest of what these files hold."""
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files(kata))).hexdigest()[:12]


def rows() -> dict[str, Row]:
    """The first table of the file, by kata."""
    found = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else ():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == len(COLUMNS) and cells[0] in katas():
            found[cells[0]] = dict(zip(COLUMNS, cells, strict=True))
    return found


def survivors() -> str:
    """What stands below the table."""
    return TABLE.read_text(encoding="utf-8").partition("\n## ")[2] if TABLE.exists() else ""


def write(measured: dict[str, Row], below: str) -> None:
    """Write the file anew."""
    lines = [ABOUT, f"| {' | '.join(COLUMNS)} |", "| --- |" + " ---: |" * (len(COLUMNS) - 1)]
    for slug in katas():
        row = {"kata": slug} | measured.get(slug, {})
        lines.append(f"| {' | '.join(row.get(column, '') for column in COLUMNS)} |")
    TABLE.write_text("\n".join(lines) + f"\n\n## {below}", encoding="utf-8")
