"""`dojo grade`: check the options, grade, print and write the result."""

from __future__ import annotations

import io
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dojo.catalog import CatalogError, Kata, select
from dojo.files import write_whole
from dojo.grade.formats import FORMATS
from dojo.grade.grading import WIDTH, grade
from dojo.grade.intake.submission import SubmissionError, read
from dojo.grade.jail.jail import NoJail
from dojo.grade.jail.levels import at_least, choose
from dojo.grade.jail.limits import settings
from dojo.grade.result import Result
from dojo.report.sanitize import for_log


class NoGrade(Exception):
    """No grade could be given; the message is one line that says why."""


def run(
    submission: Path,
    chosen: str | None,
    seed: str | None,
    isolation: str,
    device: str,
    out: Path | None,
    formats: str,
) -> str:
    """Grade, write the requested files, and return the text to print. NoGrade says why there is no grade."""
    wanted = [_format(name) for name in formats.split(",")]
    try:
        result = _grade(submission, chosen_katas(chosen), seed, isolation, device)
    except (SubmissionError, NoJail, ValueError) as error:
        raise NoGrade(str(error)) from None
    lines = [render(result)]
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
            for name in dict.fromkeys(wanted):
                path = out / FORMATS[name].filename
                write_whole(path, FORMATS[name].text(result))
                lines.append(f"  written        {path}")
        except OSError as error:
            raise NoGrade(f"--out {out} cannot be written to: {error.strerror}") from None
    return for_log("\n".join(lines))


def _format(name: str) -> str:
    if name.strip() not in FORMATS:
        raise NoGrade(f"--format knows {', '.join(FORMATS)}; got {name.strip()!r}")
    return name.strip()


def _grade(submission: Path, graded: Sequence[Kata], seed: str | None, isolation: str, device: str) -> Result:
    answers = read(submission, graded)
    level = level_for(isolation, device)
    if seed is None:
        seed = secrets.token_hex(8)
        print(f"dojo: no --seed was given; --seed {seed} gives the same grade once more", file=sys.stderr)
    return grade(answers, katas=graded, seed=seed, level=level, device=device, limits=settings())


def chosen_katas(chosen: str | None) -> list[Kata]:
    """Return the katas that --katas names, ordered by number; all if it is left out. NoGrade if one is unknown."""
    try:
        return select(chosen)
    except CatalogError as error:
        raise NoGrade(str(error)) from None


def level_for(isolation: str, device: str, require: str | None = None) -> str:
    """Return the level for --isolation, if it works with this device and is as good as --require.

    NoGrade says why there is none.
    """
    try:
        level = choose(isolation)
    except NoJail as error:
        raise NoGrade(str(error)) from None
    if require and level not in at_least(require):
        raise NoGrade(f"isolation {level} is weaker than {require}, which is required")
    if device == "cuda":
        if level != "none":
            raise NoGrade("--device cuda: no jail gives code access to a GPU; only --isolation none grades on CUDA")
        import torch  # slow: without --device cuda it is imported while the jail imports it too

        if not torch.cuda.is_available():
            raise NoGrade(f"--device cuda: torch {torch.__version__} sees no CUDA device on this machine")
    return level


def render(result: Result) -> str:
    """Render a result for a terminal: the reports of what is wrong, then a line for each function, then the score."""
    page = io.StringIO()
    console = Console(file=page, width=WIDTH, highlight=False, markup=False, emoji=False)
    for kata in result.katas:
        for function in kata.functions:
            if function.report:
                console.print(f"\n{kata.slug} · {function.name}", *function.report, sep="\n", soft_wrap=True)
        console.print(f"\n{kata.slug} · {kata.title}: {kata.score} of {kata.points}")
        for line in (kata.trouble, *kata.notes):
            if line:
                console.print(f"  {line}")
        table = Table.grid(padding=(0, 2), pad_edge=False)
        for function in kata.functions:
            points = f"{function.score} of {function.points}"
            table.add_row(f"  {function.name}", function.status, points, Text(function.note))
        console.print(table)
    for line in result.notes:
        console.print(f"  {line}")
    console.print(f"\n{result.submission}: {result.score} of {result.points} points, isolation {result.isolation}")
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines())
