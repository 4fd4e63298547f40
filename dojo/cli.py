"""The `dojo` command: what can be typed. What it does is in dojo/tools/ and dojo/grade/."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from dojo.catalog import CatalogError, Kata, find, katas
from dojo.tools import CommandError
from dojo.tools.completion import function_names, kata_names

app = typer.Typer(pretty_exceptions_enable=False)

KataName = Annotated[str, typer.Argument(help="3, 03, flops or 03_flops", autocompletion=kata_names)]
OneOrAll = Annotated[str | None, typer.Argument(help="one kata; left out: all", autocompletion=kata_names)]
USAGE_ERROR: Any = typer.BadParameter.__bases__[0]  # click's own or typer's, as typer's version has it


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


OnlyThese = Annotated[str | None, typer.Option(help="01,03: only these")]
KeptAway = Annotated[Isolation, typer.Option(help="how the code is kept away; auto: the best that holds")]
On = Annotated[Device, typer.Option(help="where tensors live")]


def main() -> None:
    """Run the command; an error is one line, and exits with status 2."""
    status: int | None = None
    try:
        if sys.argv[1:] or "_DOJO_COMPLETE" in os.environ:  # the shell asks by a variable
            status = app(standalone_mode=False)
        else:
            _show_map(refresh=False)  # typer takes as long to read what may be typed as the map does
    except USAGE_ERROR as error:
        where = error.ctx.command_path if error.ctx else "dojo"
        said = error.format_message().rstrip(".")
        status = _say(f"{said[:1].lower()}{said[1:]}; {where} --help tells more")
    except (CatalogError, CommandError) as error:
        status = _say(str(error))
    except OSError as error:
        status = _say(f"{error.filename}: {error.strerror}; dojo doctor tells more")
    sys.exit(status)


def _say(error: str) -> int:
    typer.echo(f"dojo: {error}", err=True)
    return 2


def _fail(error: Exception) -> typer.Exit:
    return typer.Exit(_say(str(error)))


@app.callback(invoke_without_command=True, epilog="Example: dojo --refresh")
def overview(
    context: typer.Context,
    refresh: Annotated[bool, typer.Option("--refresh", help="first judge what is not judged as it is now")] = False,
) -> None:
    """The map of the katas: what is done, wrong and to do, and where to go on."""
    if context.invoked_subcommand is None:
        _show_map(refresh)
    elif refresh:
        raise CommandError(f"--refresh is for the map: dojo --refresh, and then dojo {context.invoked_subcommand}")


def _show_map(refresh: bool) -> None:
    from dojo.progress import everything
    from dojo.report.console import screen  # rich: completion in the shell does without
    from dojo.tools.overview import show

    console, known = screen(), everything()
    if refresh:
        from dojo.tools.refresh import refresh as judge

        known = judge(console, known)
    show(console, known)


@app.command("next", epilog="Example: dojo next")
def next_function() -> None:
    """The function to do next: its lesson, its place, and how to run it."""
    from dojo.progress import everything
    from dojo.report.console import screen
    from dojo.tools.overview import show_next

    show_next(screen(), everything())


@app.command(epilog="Example: dojo hint 03 matmul_flops")
def hint(
    kata: KataName,
    function: Annotated[
        str | None, typer.Argument(help="left out: the functions of the kata", autocompletion=function_names)
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="repeat the hints shown so far, and show no new one")] = False,
) -> None:
    """One hint more for a function, each time it is asked."""
    from dojo.tools.hint import COUNTS, hints

    typer.echo(hints(find(kata), function or None, again, COUNTS))  # an editor hands on a selection of nothing


@app.command(epilog="Example: dojo watch 03")
def watch(
    kata: Annotated[
        str | None, typer.Argument(help="3, 03, flops or 03_flops; left out: all of them", autocompletion=kata_names)
    ] = None,
) -> None:
    """Judge the function that is worked on whenever its file is saved.

    It begins with the first function that is not done, and goes on to the next one when n is typed.
    """
    from dojo.watch.command import watch as begin

    begin(find(kata) if kata else None)


@app.command(epilog="Example: dojo solution 03 matmul_flops")
def solution(
    kata: KataName,
    function: Annotated[
        str | None, typer.Argument(help="left out: all that are done", autocompletion=function_names)
    ] = None,
    spoil: Annotated[bool, typer.Option("--spoil", help="show it even where it is not done")] = False,
) -> None:
    """The solution of a function that is done, and how yours differs."""
    from dojo.report.console import screen
    from dojo.tools.solution import solutions

    solutions(screen(), find(kata), function, spoil)


@app.command(epilog="Example: dojo reset 03 matmul_flops")
def reset(
    kata: KataName,
    function: Annotated[
        str | None, typer.Argument(help="left out: the whole file", autocompletion=function_names)
    ] = None,
) -> None:
    """Put the stub back. The old file is kept beside it."""
    from dojo.tools.reset import reset as put_back

    typer.echo(put_back(find(kata), function))


@app.command(epilog="Example: dojo report 03 --html report.html")
def report(
    html: Annotated[Path, typer.Option(help="the page that is written")],
    kata: OneOrAll = None,
) -> None:
    """Judge the katas, and write one page that needs nothing else: the map, and each failure with its picture."""
    from dojo.tools.report import write

    typer.echo(write(_chosen(kata), html))


@app.command(epilog="Example: dojo doctor")
def doctor() -> None:
    """What is wrong with this installation, and what to do about it. Status 1: there is a problem."""
    from dojo.report.console import screen
    from dojo.tools.doctor import examine

    raise typer.Exit(1 if examine(screen()) else 0)


@app.command(epilog="Example: dojo grade submission.zip --out result")
def grade(
    submission: Annotated[Path, typer.Argument(help="a folder like katas/, a checkout, a zip, a tar, or one .py file")],
    katas: OnlyThese = None,
    seed: Annotated[str | None, typer.Option(envvar="DOJO_SEED", help="the secret that the examples come from")] = None,
    isolation: KeptAway = Isolation.AUTO,
    device: On = Device.CPU,
    out: Annotated[Path | None, typer.Option(help="the folder that the result is written to")] = None,
    format: Annotated[str, typer.Option(help="json,junit,gradescope,markdown,classroom50,prairielearn")] = "json",
) -> None:
    """Mark code that is not trusted. Status 0: a grade was given, whatever it is; 2: none could be given."""
    from dojo.grade import command_grade  # imports hypothesis, which a hint does without

    try:
        typer.echo(command_grade.run(submission, katas, seed, isolation.value, device.value, out, format))
    except command_grade.NoGrade as error:
        raise _fail(error) from None


@app.command("grade-all", epilog="Example: dojo grade-all handed-in --jobs 2 --out results")
def grade_all(
    folder: Annotated[Path, typer.Argument(help="each entry of it is one submission, as dojo grade takes one")],
    out: Annotated[Path, typer.Option(help="the folder for a result file each, scores.csv and scores.md")],
    jobs: Annotated[int, typer.Option(min=1, help="how many are graded at one time")] = 1,
    katas: OnlyThese = None,
    seed: Annotated[
        str | None, typer.Option(envvar="DOJO_SEED", help="the secret; one kept in --out if left out")
    ] = None,
    isolation: KeptAway = Isolation.AUTO,
    device: On = Device.CPU,
) -> None:
    """Mark many submissions; started again, it goes on. Status 0: each has a grade; 1: some have none; 2: none has."""
    from dojo.grade import (
        command_grade,
        command_grade_all,  # a hint does without
    )

    try:
        said, all_of_them = command_grade_all.run(folder, jobs, out, katas, seed, isolation.value, device.value)
    except command_grade.NoGrade as error:
        raise _fail(error) from None
    except KeyboardInterrupt:
        typer.echo("dojo: stopped; the same command goes on where it was", err=True)
        raise typer.Exit(130) from None
    typer.echo(said)
    raise typer.Exit(0 if all_of_them else 1)


@app.command("gradescope-zip", epilog="Example: dojo gradescope-zip --out autograder.zip")
def gradescope_zip(
    out: Annotated[Path, typer.Option(help="the zip that is written")] = Path("autograder.zip"),
    seed: Annotated[str | None, typer.Option(envvar="DOJO_SEED", help="the secret; a new one where left out")] = None,
    katas: OnlyThese = None,
) -> None:
    """Write the autograder zip that Gradescope takes, with the seed inside."""
    from dojo.grade.gradescope_zip import make_zip  # a hint does without

    try:
        make_zip(out, seed=seed, katas=katas)
    except (CatalogError, OSError, ValueError) as error:
        raise _fail(error) from None
    typer.echo(f"written {out}")


@app.command(epilog="Example: dojo check 03")
def check(kata: OneOrAll = None) -> None:
    """For maintainers: all that a kata lacks, and the gates as soon as they can be asked. Status 1: not all holds."""
    from dojo.tools.check import check as holds

    raise typer.Exit(0 if holds(_chosen(kata)) else 1)


@app.command(epilog="Example: dojo new 23_my_topic first_function second_function")
def new(
    name: Annotated[str, typer.Argument(help="number and topic: 23_my_topic")],
    functions: Annotated[
        list[str] | None, typer.Argument(help="its functions, in their order; left out: one, called like the topic")
    ] = None,
) -> None:
    """For maintainers: write the skeleton of a kata, three folders. `dojo check` says what is still to be written."""
    from dojo.tools.new import new as begin

    written = [f"  written  {path}" for path in begin(name, functions or [])]
    typer.echo("\n".join([*written, f"  next     dojo check {name.partition('_')[0]}"]))


@app.command(epilog="Example: dojo tables")
def tables() -> None:
    """For maintainers: write the tables of README.md and GRADING.md from what is declared and measured of each kata."""
    from dojo.tools.tables import write

    typer.echo("\n".join(f"  written  {name}" for name in write()) or "every table is up to date")


def _chosen(kata: str | None) -> list[Kata]:
    return [find(kata)] if kata else list(katas().values())
