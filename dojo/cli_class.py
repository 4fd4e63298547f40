"""The command `dojo class`, as it can be typed. What it does is in dojo/grade/command_class.py."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dojo.tools import CommandError


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
    from dojo.grade.command_class import NoPage, run  # a hint does without

    try:
        summary, all_read = run(folder, names, record)
    except NoPage as error:
        raise CommandError(str(error)) from None
    typer.echo(summary)
    raise typer.Exit(0 if all_read else 1)
