"""The `dojo` command: what can be typed. What it does is in dojo/tools/ and dojo/grade/."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from dojo.catalog import CatalogError, Kata, find, katas
from dojo.tools import CommandError
from dojo.tools.completion import function_argument
from dojo.tools.grade_all_options import Cluster, Jobs, Required
from dojo.tools.options import FORMATS, Chosen, Device, Isolation, KataName, Level, On, OneOrAll, seed_option

app = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None)  # rich's boxes cut off at 80 columns

USAGE_ERROR: Any = typer.BadParameter.__bases__[0]  # click's own or typer's, as typer's version has it


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
        message = error.format_message().rstrip(".")
        status = _say(f"{message[:1].lower()}{message[1:]}; see {where} --help")
    except (CatalogError, CommandError) as error:
        status = _say(str(error))
    except OSError as error:
        status = _say(f"{error.filename}: {error.strerror}; run dojo doctor to see why")
    sys.exit(status)


def _say(error: str) -> int:
    typer.echo(f"dojo: {error}", err=True)
    return 2


def _fail(error: Exception) -> typer.Exit:
    return typer.Exit(_say(str(error)))


@app.callback(invoke_without_command=True, epilog="Example: dojo --refresh")
def overview(
    context: typer.Context,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Judge first what has changed since it was judged.")
    ] = False,
) -> None:
    """Show the map of the katas: what is done, wrong or to do, and what comes next."""
    if context.invoked_subcommand is None:
        _show_map(refresh)
    elif refresh:
        raise CommandError(f"--refresh takes no command: run dojo --refresh, then dojo {context.invoked_subcommand}")


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
    """Show the next function to do, and how to run it."""
    from dojo.progress import everything
    from dojo.report.console import screen
    from dojo.tools.overview import show_next

    show_next(screen(), everything())


@app.command(epilog="Example: dojo answer 70e9 15e12 1024")
def answer(
    parameters: Annotated[float, typer.Argument(help="Parameters of the model, such as 70e9.")],
    tokens: Annotated[float, typer.Argument(help="Tokens to train it on, such as 15e12.")],
    gpus: Annotated[int, typer.Argument(help="Number of H100s.")],
) -> None:
    """Answer the questions of the path with your own functions."""
    from dojo.report.console import screen
    from dojo.tools.answer import answer as reply

    reply(screen(), parameters, tokens, gpus)


@app.command(epilog="Example: dojo hint 03 matmul_flops")
def hint(
    kata: KataName,
    function: Annotated[str | None, function_argument("all are listed")] = None,
    again: Annotated[bool, typer.Option("--again", help="Repeat the hints shown so far, and add none.")] = False,
) -> None:
    """Show one more hint for a function each time."""
    from dojo.tools.hint import COUNTS, hints

    typer.echo(hints(find(kata), function or None, again, COUNTS))  # an editor hands on a selection of nothing


@app.command(epilog="Example: dojo watch 03")
def watch(kata: OneOrAll = None) -> None:
    """Judge a function whenever its file is saved.

    Start with the first function that is not done, and go on to the next one when n is pressed.
    """
    from dojo.watch.command import watch as begin

    begin(find(kata) if kata else None)


@app.command(epilog="Example: dojo solution 03 matmul_flops")
def solution(
    kata: KataName,
    function: Annotated[str | None, function_argument("all that are done")] = None,
    spoil: Annotated[bool, typer.Option("--spoil", help="Show the solution even if the function is not done.")] = False,
) -> None:
    """Compare a function that is done with the solution."""
    from dojo.report.console import screen
    from dojo.tools.solution import solutions

    solutions(screen(), find(kata), function, spoil)


@app.command(epilog="Example: dojo reset 03 matmul_flops")
def reset(
    kata: KataName,
    function: Annotated[str | None, function_argument("the whole file")] = None,
) -> None:
    """Restore the stub, and keep the old file beside it."""
    from dojo.tools.reset import reset as put_back

    typer.echo(put_back(find(kata), function))


@app.command(epilog="Example: dojo measure")
def measure() -> None:
    """Measure the roofline of this machine.

    A product, a copy and a chain of elementwise operations, on the CPU and on CUDA where there is one.
    """
    from dojo.measure import run  # imports torch, which a hint does without
    from dojo.report.console import screen

    run(screen())


@app.command(epilog="Example: dojo report 03 --html report.html")
def report(
    html: Annotated[Path, typer.Option(metavar="FILE", help="Page to write.")],
    kata: OneOrAll = None,
) -> None:
    """Judge the katas, and write the result as an HTML page.

    The page is a single file: the map, and each failure with its picture.
    """
    from dojo.tools.report import write

    typer.echo(write(_chosen(kata), html))


@app.command(epilog="Example: dojo doctor")
def doctor() -> None:
    """Check the installation, and say how to fix it.

    Exit status: 0 if there is no problem, 1 if there is one.
    """
    from dojo.report.console import screen
    from dojo.tools.doctor import examine

    raise typer.Exit(1 if examine(screen()) else 0)


@app.command(epilog="Example: dojo grade submission.zip --out result")
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


@app.command("grade-all", epilog="Example: dojo grade-all handed-in --jobs 2 --out results")
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
) -> None:
    """Grade every submission in a folder.

    Run the same command again to resume. Exit status: 0 if each submission has a grade, 1 if some have none, 2 if
    nothing could be graded.
    """
    from dojo.grade import command_grade, command_grade_all  # a hint does without

    try:
        summary, all_graded = command_grade_all.run(
            folder, jobs, out, katas, seed, isolation.value, device.value, require and require.value, cluster
        )
    except command_grade.NoGrade as error:
        raise _fail(error) from None
    except KeyboardInterrupt:
        typer.echo("dojo: stopped; run the same command to resume", err=True)
        raise typer.Exit(130) from None
    typer.echo(summary)
    raise typer.Exit(0 if all_graded else 1)


@app.command("gradescope-zip", epilog="Example: dojo gradescope-zip --out autograder.zip")
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


@app.command(epilog="Example: dojo check 03")
def check(kata: OneOrAll = None) -> None:
    """For maintainers: list what a kata lacks, and run its gates.

    Exit status: 0 if nothing is missing and every gate holds, 1 if not.
    """
    from dojo.tools.check import check as holds

    raise typer.Exit(0 if holds(_chosen(kata)) else 1)


@app.command(epilog="Example: dojo new 23_my_topic first_function second_function")
def new(
    name: Annotated[str, typer.Argument(help="Number and topic, such as 23_my_topic.")],
    functions: Annotated[
        list[str] | None, typer.Argument(help="Functions, in their order; one called like the topic if left out.")
    ] = None,
) -> None:
    """For maintainers: write the skeleton of a kata.

    Then dojo check lists what is still to be written.
    """
    from dojo.tools.new import new as begin

    written = [f"  written  {path}" for path in begin(name, functions or [])]
    typer.echo("\n".join([*written, f"  next     dojo check {name.partition('_')[0]}"]))


@app.command(epilog="Example: dojo tables")
def tables() -> None:
    """For maintainers: update the tables of the documents.

    They are made of what is declared and measured of each kata.
    """
    from dojo.tools.tables import write

    typer.echo("\n".join(f"  written  {name}" for name in write()) or "every table is up to date")


def _chosen(kata: str | None) -> list[Kata]:
    return [find(kata)] if kata else list(katas().values())
