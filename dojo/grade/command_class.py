"""`dojo class`: make a page from a folder of results, and a file of the wrong answers that no belief explains."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from dojo.files import write_whole
from dojo.grade.class_page import many, page
from dojo.grade.result import Result, read
from dojo.grade.result_files import CLASS
from dojo.grade.tally import Tally
from dojo.report.sanitize import for_log, line


class NoPage(Exception):
    """No page could be made; the message is one line that says why."""


def run(folder: Path, names: bool, record: Path | None) -> tuple[str, bool]:
    """Write the page into a folder of results; return the text to print, and whether every result could be read.

    NoPage says why there is no page.
    """
    if not folder.is_dir():
        raise NoPage(f"{folder} is no folder of results; dojo grade-all writes one")
    if record is not None and (record.is_dir() or not record.absolute().parent.is_dir()):
        raise NoPage(f"--record must be a file in an existing folder, got {record}")
    troubles: list[str] = []
    tally = Tally(_results(folder, troubles))
    left_out = [f"  left out {trouble}" for trouble in troubles]
    if not tally.names:
        why = f"{len(troubles)} that cannot be read: {line(troubles[0])}" if troubles else "none"
        raise NoPage(f"{folder} should hold results of dojo grade-all, and holds {why}")
    path = folder / f"{CLASS}.html"
    made = f"{datetime.now().astimezone():%d %B %Y, %H:%M %Z}"
    with _writing(path):
        write_whole(path, page(tally, made, names=names))
    told = [f"  written  {path}"]
    if record is not None:
        with _writing(record):
            told.append(f"  written  {_add(record, tally)}")
    results, beliefs = many(len(tally.names), "result"), many(len(tally.beliefs), "belief")
    count = f"{results}, {beliefs} named, {many(len(tally.unexplained), 'mistake')} unexplained"
    return for_log("\n".join([count, *left_out, *told])), not troubles


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, UnicodeError) as error:
        raise NoPage(f"{path} cannot be written: {getattr(error, 'strerror', '') or error}") from None


def _results(folder: Path, troubles: list[str]) -> Iterator[Result]:
    """Yield each result of a folder; add to `troubles` which files hold none."""
    for path in sorted(folder.glob("*.json")):
        if path.name.startswith(".") or not path.is_file():
            continue
        try:
            yield read(path)
        except (OSError, ValueError) as error:
            troubles.append(str(error))


def _add(path: Path, tally: Tally) -> str:
    """Add the records to a file, except those that it already has; return its name and the counts."""
    lines = [json.dumps(one.record) for one in tally.unexplained if one.record]
    known = set(path.read_text(encoding="utf-8").splitlines()) if path.exists() else set()
    new = [text for text in lines if text not in known]
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{text}\n" for text in new)
    return f"{path}: {len(new)} new records, {len(lines) - len(new)} known before"
