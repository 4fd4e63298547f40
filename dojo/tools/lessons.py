"""Check a lesson: it is one screen long, lists the functions in order, and predicts what its snippet prints."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dojo.catalog import Kata
from dojo.tools.gap import MARK, Gap

LINES, COLUMNS = 75, 105
"""The size of one screen, tables and snippet included."""
ECHO = "import sys; sys.displayhook = lambda value: value is None or print('Error: it echoes', value, file=sys.stderr)"
"""Makes `python` report each value that it echoes as an error, because echoes mix with what the snippet prints."""
HEADING, LAST = "## Predict, then measure\n", "You should have seen "


def gaps(kata: Kata) -> Iterator[Gap]:
    """Find out what the lesson of a kata lacks."""
    if not kata.lesson.is_file():
        return
    text = kata.lesson.read_text(encoding="utf-8")
    yield from (Gap(kata.lesson, complaint, line) for line, complaint in _form(kata, text))
    yield from (Gap(kata.lesson, complaint) for complaint in _prediction(text))


def _form(kata: Kata, text: str) -> Iterator[tuple[int, str]]:
    lines = text.splitlines()
    if len(lines) > LINES:
        yield 0, f"has {len(lines)} lines, and one screen has {LINES}"
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS:
            yield number, f"has {len(line)} columns, and a screen has {COLUMNS}"
    named = re.findall(r"^\d+\. `(\w+)`", text, re.MULTILINE)
    if named != list(kata.functions):
        wanted = ", ".join(kata.functions)
        yield 0, f"numbers the functions {', '.join(named) or 'nowhere'}; kata.toml has them as {wanted}"
    if not text.startswith(f"# {kata.number} · "):
        yield 1, f"does not begin with # {kata.number} · "
    for command in (f"pytest katas/{kata.slug}", f"dojo hint {kata.number}"):
        if f"`{command}`" not in text:
            yield 0, f"does not name the command `{command}`"


def _prediction(text: str) -> Iterator[str]:
    """Check that the snippet runs when pasted into `python`, and that the last paragraph gives each number it prints.

    Numbers are compared to one part in a thousand, because the size of a file depends on the version of torch.
    """
    _, found, rest = text.partition(HEADING)
    snippet = re.search(r"```python\n(.*?)```", rest, re.DOTALL)
    answer = text.rstrip().rpartition("\n\n")[2]
    if not found or snippet is None:
        yield f"has no snippet of Python below {HEADING.strip()}"
        return
    if not answer.startswith(LAST):
        yield f"has a last paragraph that does not begin with {LAST.strip()}"
        return
    if MARK in snippet[1] or MARK in answer:
        return
    with tempfile.TemporaryDirectory() as folder:
        pasted = [sys.executable, "-i", "-q"]
        ran = subprocess.run(pasted, input=f"{ECHO}\n{snippet[1]}\n", cwd=folder, capture_output=True, text=True)
        left = [path.name for path in Path(folder).iterdir()]
    if said := re.sub(r">>> |\.\.\. ", "", ran.stderr).strip():
        first = next((line for line in said.splitlines() if "Error: " in line), said)
        yield f"has a snippet that fails or warns when it is pasted into python: {first}"
    if not _numbers(ran.stdout):
        yield "has a snippet that prints no number"
    for number in _numbers(ran.stdout):
        if not any(abs(number - value) <= 1e-3 * abs(value) for value in _numbers(answer)):
            yield f"has a snippet that prints {number:g}, which the last paragraph does not say"
    if left:
        yield f"has a snippet that leaves a file behind: {', '.join(left)}"


def _numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]
