"""Sanitize untrusted text for a terminal, a log, Markdown or a table.

Characters that are invisible or that move other text are escaped as in Python: `\\x1b`, `\\u202e`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

LINE = 500
"""Most characters of a line."""
LINES = 200
"""Most lines of a text."""

UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Invisible letters and marks that Python calls printable: fillers, joiners, variation selectors."""

COMMAND = re.compile(r"^(\s*):(?=:)", re.MULTILINE)
"""What GitHub's runner takes for a command: `::` at the start of a line, after any spaces …"""
OLD_COMMAND = "##["
"""… and this anywhere in a line."""

FORMULA = re.compile(r"(^|[;,])([\s\"']*)(?=[=+\-@＝＋－＠])")
"""Where a formula begins in a spreadsheet, even one that separates cells by `;`. Full-width signs count too."""


def clean(text: str) -> str:
    """Escape invisible characters, and limit the number and length of lines. Newlines and tabs stay."""
    return "\n".join(lines(text.split("\n")))


def lines(texts: Iterable[str]) -> tuple[str, ...]:
    """Sanitize each text as one line; if there are more than LINES, the last one says how many are left out."""
    rows = list(texts)
    if len(rows) > LINES:
        rows[LINES - 1 :] = [f"… and {len(rows) - LINES + 1} lines more"]
    return tuple(line(text) for text in rows)


def line(text: str) -> str:
    """Sanitize one line and cut it to LINE characters. Tabs stay."""
    short = text[: LINE + 1]
    if not short.isprintable() or UNSEEN.search(short):
        short = "".join(map(_seen, short))
    return short if len(short) <= LINE else f"{short[: LINE - 2]} …"


def for_log(text: str) -> str:
    """Sanitize text for a log, so that GitHub's runner finds no command in it. Call it after wrapping, not before.

    The number of lines is not limited.
    """
    sanitized = "\n".join(map(line, text.split("\n")))
    return COMMAND.sub(r"\1: ", sanitized).replace(OLD_COMMAND, "## [")


def no_commands(markup: str) -> str:
    """Break up the commands of GitHub's runner in XML or HTML, with character references."""
    return COMMAND.sub(r"\1&#58;", markup).replace(OLD_COMMAND, "&#35;#[")


def code(text: str) -> str:
    """Return a Markdown code span, also valid in a table cell, in which mentions, links, images and HTML do nothing."""
    # A pipe ends a table cell, even inside a code span.
    sanitized = line(text).replace(OLD_COMMAND, "## [").replace("|", r"\x7c")
    if not sanitized.strip():
        return ""
    mark = "`" * (1 + _longest_run(sanitized))
    space = " " if sanitized[0] in "` " or sanitized[-1] in "` " else ""  # Markdown removes one on each side
    return f"{mark}{space}{sanitized}{space}{mark}"


def fenced(texts: Iterable[str]) -> str:
    """Return a code block for Markdown, with a fence longer than any run of backticks inside."""
    sanitized = for_log("\n".join(texts))
    mark = "`" * max(3, 1 + _longest_run(sanitized))
    return f"{mark}text\n{sanitized}\n{mark}"


def cell(text: str) -> str:
    """Return a CSV cell with an apostrophe before the start of any formula, so that no spreadsheet runs it."""
    return FORMULA.sub(r"\1'\2", line(text).replace("\t", r"\t"))


def _seen(character: str) -> str:
    if character == "\t" or (character.isprintable() and not UNSEEN.match(character)):
        return character
    return character.encode("unicode_escape").decode("ascii")


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
