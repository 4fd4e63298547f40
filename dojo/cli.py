"""The `dojo` command: one hint more."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from pathlib import Path

from dojo.catalog import ROOT, CatalogError, Function, Kata, find

COUNTS = ROOT / ".dojo" / "hints.json"
"""How many hints of each function were shown. Deleting it loses nothing but that count."""


def main() -> None:
    """Run the command; an error is one line, and exits with status 2."""
    parser = argparse.ArgumentParser(prog="dojo", description="The learner's tools of torch-dojo.")
    commands = parser.add_subparsers(required=True, metavar="command")
    hint = commands.add_parser("hint", help="one hint more for a function, each time it is asked")
    hint.add_argument("kata", help="3, 03, flops or 03_flops")
    hint.add_argument("function", nargs="?", help="matmul_flops; the functions of the kata where it is left out")
    hint.add_argument("--again", action="store_true", help="repeat the hints shown so far, and show no new one")
    arguments = parser.parse_args()
    try:
        print(hints(find(arguments.kata), arguments.function, arguments.again, COUNTS))
    except CatalogError as error:
        print(f"dojo: {error}", file=sys.stderr)
        sys.exit(2)


def hints(kata: Kata, name: str | None, again: bool, counts: Path) -> str:
    """The hints of a function shown so far, and one more unless `again`.

    Without a name, the kata's functions. CatalogError for a function that the kata does not have.
    """
    if name is None:
        listed = [f"  dojo hint {kata.number} {function.name}" for function in kata.functions.values()]
        return "\n".join([f"{kata.slug} · {kata.title}", *listed])
    if name not in kata.functions:
        raise CatalogError(f"{kata.slug} has no function {name!r}; it has {', '.join(kata.functions)}")
    function = kata.functions[name]
    shown = _shown(counts)
    key = f"{kata.slug}.{name}"
    count = min(shown.get(key, 0) + (not again), len(function.hints))
    if not again:
        counts.parent.mkdir(exist_ok=True)
        counts.write_text(json.dumps({**shown, key: count}), encoding="utf-8")
    return _told(kata, function, count)


def _told(kata: Kata, function: Function, count: int) -> str:
    lines = [f"{kata.slug} · {function.name}: {function.title}"]
    for place, hint in enumerate(function.hints[:count], 1):
        label = f"  hint {place} of {len(function.hints)}  "
        lines.append(textwrap.fill(hint, 80, initial_indent=label, subsequent_indent=" " * len(label)))
    if count == 0:
        lines.append("  none shown yet")
    return "\n".join(lines)


def _shown(counts: Path) -> dict[str, int]:
    try:
        read = json.loads(counts.read_text(encoding="utf-8"))
        return {str(key): int(value) for key, value in read.items()}
    except (OSError, ValueError, TypeError, AttributeError):  # nothing shown yet, or a file that somebody spoiled
        return {}
