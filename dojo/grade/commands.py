"""The options of the grader's commands; what they do is imported when they run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dojo.catalog import CatalogError
from dojo.tools.options import FORMATS, BookFor, Chosen, Device, Isolation, Level, On, Roster, seed_option


def grade(
    submission: Annotated[
        Path, typer.Argument(help="A folder like katas/, a checkout, a zip, a tar, or one .py file.")
    ],
    katas: Chosen = None,
    seed: Annotated[str | None, seed_option("a random one")] = None,
    isolation: Level = Isolation.AUTO,
    device: On = Device.CPU,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder to write the result to.")] = None,
    format: Annotated[str, typer.Option(metavar="FORMATS", help=FORMATS)] = "json",
) -> None:
    """Grade a submission that is not trusted.

    Exit status: 0 if there is a grade, whatever it is; 2 if there is none.
    """
    from dojo.grade import command_grade  # imports hypothesis, which a hint does without

    try:
        typer.echo(command_grade.run(submission, katas, seed, isolation.value, device.value, out, format))
    except command_grade.NoGrade as error:
        raise _fail(error) from None


def regrade(
    out: Annotated[Path, typer.Argument(help="Folder of results that dojo grade-all has written.")],
    kata: Annotated[str | None, typer.Option(metavar="KATAS", help="Katas to grade again; all if left out.")] = None,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Submissions to grade at the same time.")] = 1,
    seed: Annotated[str | None, seed_option("the one kept in the folder")] = None,
    gradebook: BookFor = None,
    roster: Roster = None,
) -> None:
    """Grade again what is judged by other rules than before.

    Other katas keep their results. Run the same command again to resume. Exit status: 0 if all that is touched was
    graded, 1 if some results are kept as they were, 2 if nothing could be graded.
    """
    from dojo.grade import command_grade, command_grade_all  # a hint does without
    from dojo.grade import regrade as grader

    try:
        summary, is_whole = grader.run(out, jobs, kata, seed, command_grade_all.book_for(gradebook, roster))
    except command_grade.NoGrade as error:
        raise _fail(error) from None
    except KeyboardInterrupt:
        typer.echo("dojo: stopped; run the same command to resume", err=True)
        raise typer.Exit(130) from None
    typer.echo(summary)
    raise typer.Exit(0 if is_whole else 1)


def gradescope_zip(
    out: Annotated[Path, typer.Option(metavar="FILE", help="Zip to write.")] = Path("autograder.zip"),
    seed: Annotated[str | None, seed_option("a random one")] = None,
    katas: Chosen = None,
) -> None:
    """Write an autograder zip for Gradescope, seed included."""
    from dojo.grade.gradescope_zip import make_zip  # a hint does without

    try:
        make_zip(out, seed=seed, katas=katas)
    except (CatalogError, OSError, ValueError) as error:
        raise _fail(error) from None
    typer.echo(f"written {out}")


def _fail(error: Exception) -> typer.Exit:
    typer.echo(f"dojo: {error}", err=True)
    return typer.Exit(2)
