"""The options of the grader's commands. The code of each command is imported when it runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from dojo.catalog import CatalogError
from dojo.tools.options import (
    FORMATS,
    BookFor,
    Chosen,
    Cluster,
    Device,
    Isolation,
    Jobs,
    Level,
    OfAClone,
    On,
    Required,
    Roster,
    seed_option,
)


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
    from dojo.grade import command_grade  # imports hypothesis, which other commands do not need

    try:
        typer.echo(command_grade.run(submission, katas, seed, isolation.value, device.value, out, format))
    except command_grade.NoGrade as error:
        raise _fail(error) from None


def grade_all(
    folder: Annotated[Path, typer.Argument(help="Folder in which each entry is a submission as dojo grade takes it.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for results, a page for each student, and scores.")],
    jobs: Jobs = None,
    katas: Chosen = None,
    seed: Annotated[str | None, seed_option("one kept in --out")] = None,
    isolation: Level = Isolation.AUTO,
    device: On = Device.CPU,
    require: Required = None,
    cluster: Cluster = None,
    html: Annotated[bool, typer.Option("--html", help="Write each page as HTML as well.")] = False,
    gradebook: BookFor = None,
    roster: Roster = None,
) -> None:
    """Grade every submission in a folder.

    Run the same command again to resume. Exit status: 0 if each submission has a grade, 1 if some have none, 2 if
    nothing could be graded.
    """
    from dojo.grade import command_grade_all  # imports hypothesis, which other commands do not need

    with _resumable():
        book = command_grade_all.book_for(gradebook, roster)
        summary, all_graded = command_grade_all.run(
            folder,
            jobs,
            out,
            katas,
            seed,
            isolation.value,
            device.value,
            require and require.value,
            cluster,
            html=html,
            book=book,
        )
    typer.echo(summary)
    raise typer.Exit(0 if all_graded else 1)


def regrade(
    out: Annotated[Path, typer.Argument(help="Folder of results that dojo grade-all has written.")],
    kata: Annotated[str | None, typer.Option(metavar="KATAS", help="Katas to grade again; all if left out.")] = None,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Submissions to grade at the same time.")] = 1,
    seed: Annotated[str | None, seed_option("the one kept in the folder")] = None,
    gradebook: BookFor = None,
    roster: Roster = None,
) -> None:
    """Grade again the katas whose rules have changed.

    Other katas keep their results. Run the same command again to resume. Exit status: 0 if all affected results
    were graded, 1 if some results are kept as they were, 2 if nothing could be graded.
    """
    from dojo.grade import command_grade_all  # other commands do not need it
    from dojo.grade import regrade as grader

    with _resumable():
        summary, is_whole = grader.run(out, jobs, kata, seed, command_grade_all.book_for(gradebook, roster))
    typer.echo(summary)
    raise typer.Exit(0 if is_whole else 1)


def class_page(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of results that dojo grade-all wrote.")],
    names: Annotated[bool, typer.Option("--names", help="Name the submissions; nobody is named if left out.")] = False,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File to add the answers to that no belief explains.")
    ] = None,
) -> None:
    """Write a page on what a class has done, and what it believes.

    The page is DIR/class.html. Exit status: 0 if every result was read, 1 if some could not be, 2 if there is no page.
    """
    from dojo.grade.command_class import NoPage, run  # other commands do not need it

    try:
        summary, all_read = run(folder, names, record)
    except NoPage as error:
        raise _fail(error) from None
    typer.echo(summary)
    raise typer.Exit(0 if all_read else 1)


def gradescope_zip(
    out: Annotated[Path, typer.Option(metavar="FILE", help="Zip to write.")] = Path("autograder.zip"),
    seed: Annotated[str | None, seed_option("a random one")] = None,
    katas: Chosen = None,
) -> None:
    """Write an autograder zip for Gradescope, seed included."""
    from dojo.grade.gradescope_zip import make_zip  # other commands do not need it

    try:
        make_zip(out, seed=seed, katas=katas)
    except (CatalogError, OSError, ValueError) as error:
        raise _fail(error) from None
    typer.echo(f"written {out}")


def add_to(app: typer.Typer) -> None:
    """Add these commands, each with an example."""
    for function, name, example in (
        (grade, "grade", "dojo grade submission.zip --out result"),
        (grade_all, "grade-all", "dojo grade-all handed-in --jobs 2 --out results"),
        (regrade, "regrade", "dojo regrade results --kata 03"),
        (class_page, "class", "dojo class results"),
        (gradescope_zip, "gradescope-zip", "dojo gradescope-zip --out autograder.zip"),
    ):
        app.command(name, cls=OfAClone, epilog=f"Example: {example}")(function)


@contextmanager
def _resumable() -> Iterator[None]:
    """End the command with one line if nothing can be graded, or at Ctrl-C."""
    from dojo.grade.command_grade import NoGrade  # other commands do not need it

    try:
        yield
    except NoGrade as error:
        raise _fail(error) from None
    except KeyboardInterrupt:
        typer.echo("dojo: stopped; run the same command to resume", err=True)
        raise typer.Exit(130) from None


def _fail(error: Exception) -> typer.Exit:
    typer.echo(f"dojo: {error}", err=True)
    return typer.Exit(2)
