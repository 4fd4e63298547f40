"""`dojo hint`: show one more hint each time."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

from dojo.catalog import ROOT, Function, Kata
from dojo.files import write_whole

COUNTS = ROOT / ".dojo" / "hints.json"
"""File with the number of hints shown so far for each function. It may be deleted."""


def hints(kata: Kata, name: str | None, again: bool, counts: Path, width: int = 80) -> str:
    """Return the hints of a function shown so far, and one more unless `again`.

    Without a name, list the kata's functions. Raise CatalogError for a function that the kata does not have.
    """
    if name is None:
        listed = [f"  dojo hint {kata.number} {function.name}" for function in kata.functions.values()]
        return "\n".join([f"{kata.slug} · {kata.title}", *listed])
    function = kata.function(name)
    shown = _shown(counts)
    key = f"{kata.slug}.{name}"
    before = min(max(shown.get(key, 0), 0), len(function.hints))
    count = min(before + (not again), len(function.hints))
    if count > before:
        counts.parent.mkdir(parents=True, exist_ok=True)
        write_whole(counts, json.dumps({**shown, key: count}))
    lines = _hint_lines(kata, function, count, width)
    if count == before and not again:
        all_of_them = f"  that was all; dojo solution {kata.number} {name} --spoil shows the answer"
        lines.append(textwrap.fill(all_of_them, width, subsequent_indent="  "))
    return "\n".join(lines)


def _hint_lines(kata: Kata, function: Function, count: int, width: int) -> list[str]:
    lines = [textwrap.fill(f"{kata.slug} · {function.name}: {function.title}", width, subsequent_indent="  ")]
    for place, hint in enumerate(function.hints[:count], 1):
        label = f"  hint {place} of {len(function.hints)}  "
        lines.append(textwrap.fill(hint, width, initial_indent=label, subsequent_indent=" " * len(label)))
    if count == 0:
        lines.append("  none shown yet")
    return lines


def _shown(counts: Path) -> dict[str, int]:
    try:
        read = json.loads(counts.read_text(encoding="utf-8"))
        return {str(key): int(value) for key, value in read.items()}
    except (OSError, ValueError, TypeError, AttributeError):  # no file yet, or a damaged one
        return {}
