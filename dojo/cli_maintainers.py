"""Commands for maintainers, which read or write the files of a clone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dojo.catalog import chosen
from dojo.tools.options import OfAClone, OneOrAll


def check(kata: OneOrAll = None) -> None:
    """For maintainers: list what a kata lacks, and run its gates.

    Exit status: 0 if nothing is missing and every gate holds, 1 if not.
    """
    from dojo.tools.check import check as holds

    raise typer.Exit(0 if holds(chosen(kata)) else 1)


def new(
    name: Annotated[str, typer.Argument(help="Number and topic, such as 23_my_topic.")],
    functions: Annotated[
        list[str] | None, typer.Argument(help="Functions, in order; one with the name of the topic if left out.")
    ] = None,
) -> None:
    """For maintainers: write the skeleton of a kata.

    After that, dojo check lists what is still to be written.
    """
    from dojo.tools.new import new as begin

    written = [f"  written  {path}" for path in begin(name, functions or [])]
    typer.echo("\n".join([*written, f"  next     dojo check {name.partition('_')[0]}"]))


def tables() -> None:
    """For maintainers: update the tables of the documents.

    They are written from each kata's declarations and measured figures.
    """
    from dojo.tools.tables import write

    typer.echo("\n".join(f"  written  {name}" for name in write()) or "every table is up to date")


def site(
    out: Annotated[Path, typer.Option(metavar="DIR", help="New or empty folder to write it to.")],
) -> None:
    """For maintainers: write the documents as a web site.

    It needs the extra [site]. The pages load nothing from other hosts.
    """
    from dojo.site.build import build

    typer.echo(build(out))


def add_to(app: typer.Typer) -> None:
    """Add these commands to the app, each with an example."""
    for function, example in (
        (check, "dojo check 03"),
        (new, "dojo new 23_my_topic first_function second_function"),
        (tables, "dojo tables"),
        (site, "dojo site --out site"),
    ):
        app.command(cls=OfAClone, epilog=f"Example: {example}")(function)
