"""The `dojo` command."""

from __future__ import annotations

import json
import textwrap
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dojo.catalog import ROOT, CatalogError, Function, Kata, find

COUNTS = ROOT / ".dojo" / "hints.json"
"""How many hints of each function were shown. Deleting it loses nothing but that count."""

app = typer.Typer(help="The tools of torch-dojo.", no_args_is_help=True, pretty_exceptions_enable=False)


class Isolation(StrEnum):
    """The levels of the jail; auto is the best one that holds."""

    AUTO = "auto"
    USERNS = "userns"
    ROOT = "root"
    BASIC = "basic"
    NONE = "none"


class Device(StrEnum):
    """Where tensors live."""

    CPU = "cpu"
    CUDA = "cuda"


def main() -> None:
    """Run the command; an error is one line, and exits with status 2."""
    app()


def _fail(error: Exception) -> typer.Exit:
    typer.echo(f"dojo: {error}", err=True)
    return typer.Exit(2)


@app.callback()
def _commands() -> None:
    """The tools of torch-dojo."""


@app.command()
def hint(
    kata: Annotated[str, typer.Argument(help="3, 03, flops or 03_flops")],
    function: Annotated[str | None, typer.Argument(help="matmul_flops; left out: the functions of the kata")] = None,
    again: Annotated[bool, typer.Option("--again", help="repeat the hints shown so far, and show no new one")] = False,
) -> None:
    """One hint more for a function, each time it is asked."""
    try:
        typer.echo(hints(find(kata), function, again, COUNTS))
    except CatalogError as error:
        raise _fail(error) from None


@app.command()
def grade(
    submission: Annotated[Path, typer.Argument(help="a folder like katas/, a checkout, a zip, a tar, or one .py file")],
    katas: Annotated[str | None, typer.Option(help="01,03: only these")] = None,
    seed: Annotated[str | None, typer.Option(envvar="DOJO_SEED", help="the secret that the examples come from")] = None,
    isolation: Annotated[
        Isolation, typer.Option(help="how the code is kept away; auto: the best that holds")
    ] = Isolation.AUTO,
    device: Annotated[Device, typer.Option(help="where tensors live")] = Device.CPU,
    out: Annotated[Path | None, typer.Option(help="the folder that the result is written to")] = None,
    format: Annotated[str, typer.Option(help="json,junit,gradescope,markdown,classroom50,prairielearn")] = "json",
) -> None:
    """Mark code that is not trusted. Status 0: a grade was given, whatever it is; 2: none could be given."""
    from dojo.grade import command  # imports hypothesis, which a hint does without

    try:
        typer.echo(command.run(submission, katas, seed, isolation.value, device.value, out, format))
    except command.NoGrade as error:
        raise _fail(error) from None


@app.command("grade-all")
def grade_all(
    folder: Annotated[Path, typer.Argument(help="each entry of it is one submission, as dojo grade takes one")],
    out: Annotated[Path, typer.Option(help="the folder for a result file each, scores.csv and scores.md")],
    jobs: Annotated[int, typer.Option(min=1, help="how many are graded at one time")] = 1,
    katas: Annotated[str | None, typer.Option(help="01,03: only these")] = None,
    seed: Annotated[
        str | None, typer.Option(envvar="DOJO_SEED", help="the secret; one kept in --out if left out")
    ] = None,
    isolation: Annotated[
        Isolation, typer.Option(help="how the code is kept away; auto: the best that holds")
    ] = Isolation.AUTO,
    device: Annotated[Device, typer.Option(help="where tensors live")] = Device.CPU,
) -> None:
    """Mark many submissions; started again, it goes on. Status 0: each has a grade; 1: some have none; 2: none has."""
    from dojo.grade import batch, command  # a hint does without

    try:
        said, all_of_them = batch.run(folder, jobs, out, katas, seed, isolation.value, device.value)
    except command.NoGrade as error:
        raise _fail(error) from None
    except KeyboardInterrupt:
        typer.echo("dojo: stopped; the same command goes on where it was", err=True)
        raise typer.Exit(130) from None
    typer.echo(said)
    raise typer.Exit(0 if all_of_them else 1)


@app.command("gradescope-zip")
def gradescope_zip(
    out: Annotated[Path, typer.Option(help="the zip that is written")] = Path("autograder.zip"),
    seed: Annotated[str | None, typer.Option(envvar="DOJO_SEED", help="the secret; a new one where left out")] = None,
    katas: Annotated[str | None, typer.Option(help="01,03: only these")] = None,
) -> None:
    """Write the autograder zip that Gradescope takes, with the seed inside."""
    from dojo.grade.gradescope import make_zip  # a hint does without

    try:
        make_zip(out, seed=seed, katas=katas)
    except (CatalogError, OSError, ValueError) as error:
        raise _fail(error) from None
    typer.echo(f"written {out}")


def hints(kata: Kata, name: str | None, again: bool, counts: Path) -> str:
    """The hints of a function shown so far, and one more unless `again`.

    Without a name, the kata's functions. CatalogError for a function that the kata does not have.
    """
    if name is None:
        listed = [f"  dojo hint {kata.number} {function.name}" for function in kata.functions.values()]
        return "\n".join([f"{kata.slug} · {kata.title}", *listed])
    if name not in kata.functions:
        raise CatalogError(f"{kata.slug} has no function {name!r}; it has {', '.join(kata.functions)}")
    function = kata.functions[name]
    shown = _shown(counts)
    key = f"{kata.slug}.{name}"
    count = min(shown.get(key, 0) + (not again), len(function.hints))
    if not again:
        counts.parent.mkdir(exist_ok=True)
        counts.write_text(json.dumps({**shown, key: count}), encoding="utf-8")
    return _told(kata, function, count)


def _told(kata: Kata, function: Function, count: int) -> str:
    lines = [f"{kata.slug} · {function.name}: {function.title}"]
    for place, hint in enumerate(function.hints[:count], 1):
        label = f"  hint {place} of {len(function.hints)}  "
        lines.append(textwrap.fill(hint, 80, initial_indent=label, subsequent_indent=" " * len(label)))
    if count == 0:
        lines.append("  none shown yet")
    return "\n".join(lines)


def _shown(counts: Path) -> dict[str, int]:
    try:
        read = json.loads(counts.read_text(encoding="utf-8"))
        return {str(key): int(value) for key, value in read.items()}
    except (OSError, ValueError, TypeError, AttributeError):  # nothing shown yet, or a file that somebody spoiled
        return {}
