"""Text that untrusted code had a hand in, made harmless for what shows it: a terminal, a log, Markdown, a table.

What cannot be seen, or moves what is around it, is written as Python would escape it: `\\x1b`, `\\u202e`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

LINE = 500
"""Most characters of a line."""
LINES = 200
"""Most lines of a text."""

UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Letters and marks that Python calls printable and nobody sees: fillers, joiners, variation selectors."""

COMMAND = re.compile(r"^(\s*):(?=:)", re.MULTILINE)
"""What GitHub's runner takes for a command: `::` after any space at the start of a line …"""
OLD_COMMAND = "##["
"""… and this anywhere in it."""

FORMULA = tuple("=+-@＝＋－＠")  # the full-width signs count as well


def clean(text: str) -> str:
    """Lines of text with nothing unseen in them, bounded in number and length. Newlines and tabs stay."""
    return "\n".join(lines(text.split("\n")))


def lines(texts: Iterable[str]) -> tuple[str, ...]:
    """Each text as one line; where there are more than LINES, the last one says how many are left out."""
    told = list(texts)
    if len(told) > LINES:
        told[LINES - 1 :] = [f"… and {len(told) - LINES + 1} lines more"]
    return tuple(line(text) for text in told)


def line(text: str) -> str:
    """One line with nothing unseen in it, of LINE characters at most. Tabs stay."""
    told = text[: LINE + 1]
    if not told.isprintable() or UNSEEN.search(told):
        told = "".join(map(_seen, told))
    return told if len(told) <= LINE else f"{told[: LINE - 2]} …"


def for_log(text: str) -> str:
    """Clean text that GitHub's runner takes no command from, for whatever is printed; after wrapping, not before.

    It may have any number of lines.
    """
    told = "\n".join(map(line, text.split("\n")))
    return COMMAND.sub(r"\1: ", told).replace(OLD_COMMAND, "## [")


def code(text: str) -> str:
    """A span of code for Markdown, also in a cell of a table: no mention, link, image or HTML comes of it."""
    # A pipe ends the cell of a table, whatever stands around it.
    told = line(text).replace(OLD_COMMAND, "## [").replace("|", r"\x7c")
    if not told.strip():
        return ""
    mark = "`" * (1 + _longest_run(told))
    space = " " if told[0] in "` " or told[-1] in "` " else ""  # Markdown takes one off at each side
    return f"{mark}{space}{told}{space}{mark}"


def fenced(texts: Iterable[str]) -> str:
    """A block of code for Markdown. The fence is longer than any run of backticks inside, so nothing gets out."""
    told = for_log("\n".join(texts))
    mark = "`" * max(3, 1 + _longest_run(told))
    return f"{mark}text\n{told}\n{mark}"


def cell(text: str) -> str:
    """A cell of a CSV table that no spreadsheet takes for a formula."""
    told = line(text)
    return f"'{told}" if told.lstrip().startswith(FORMULA) or told.startswith("\t") else told


def _seen(character: str) -> str:
    if character == "\t" or (character.isprintable() and not UNSEEN.match(character)):
        return character
    return character.encode("unicode_escape").decode("ascii")


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
