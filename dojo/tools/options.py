"""Arguments and options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from dojo.catalog import check_clone
from dojo.tools.completion import kata_names

KataName = Annotated[str, typer.Argument(help="Kata, as 3, 03, flops or 03_flops.", autocompletion=kata_names)]
OneOrAll = Annotated[
    str | None, typer.Argument(help="Kata, as 3, 03, flops or 03_flops; all if left out.", autocompletion=kata_names)
]


class Isolation(StrEnum):
    """The isolation levels of the jail; auto is the best one available."""

    AUTO = "auto"
    USERNS = "userns"
    ROOT = "root"
    BASIC = "basic"
    NONE = "none"


class Device(StrEnum):
    """The device of the tensors."""

    CPU = "cpu"
    CUDA = "cuda"


class Gradebook(StrEnum):
    """The course platforms with a gradebook format."""

    CANVAS = "canvas"
    MOODLE = "moodle"


BookFor = Annotated[Gradebook | None, typer.Option(help="Course platform to write the gradebook for.")]
ROSTER = "CSV file with each student's id on that platform, and folder."
Roster = Annotated[Path | None, typer.Option(metavar="FILE", help=ROSTER)]
Chosen = Annotated[
    str | None, typer.Option(metavar="KATAS", help="Katas or routes to grade, such as 01,03; all if left out.")
]
JAIL = "Jail: auto (the best one available), userns, root, basic or none."
Level = Annotated[Isolation, typer.Option(metavar="LEVEL", help=JAIL)]
FORMATS = "Formats, separated by commas: json, junit, gradescope, markdown, html, classroom50, prairielearn."
JOBS = "Submissions to grade at the same time on this machine; 1 if left out."
Jobs = Annotated[int | None, typer.Option(metavar="N", min=1, help=JOBS)]
REQUIRE = "Grade only if the jail is at least this strong: userns, root or basic."
Required = Annotated[Isolation | None, typer.Option(metavar="LEVEL", help=REQUIRE)]
CLUSTER = "Grade on a Dask cluster: the address of its scheduler, or local to start workers on this machine."
Cluster = Annotated[str | None, typer.Option(metavar="ADDRESS", help=CLUSTER)]
On = Annotated[Device, typer.Option(help="Device of the tensors.")]


def seed_option(without: str) -> Any:
    """Return the option --seed; `without` says what is taken if it is left out."""
    help = f"Secret that the examples are drawn from; {without} if left out."
    return typer.Option(metavar="TEXT", envvar="DOJO_SEED", help=help)


class OfAClone(TyperCommand):
    """A command that needs more files than a wheel has."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Raise CatalogError if there is no clone."""
        check_clone(str(self.name))
        return super().invoke(ctx)
