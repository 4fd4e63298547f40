"""The `dojo` command line. What the commands do is in dojo/tools/ and dojo/grade/."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from dojo import cli_maintainers
from dojo.catalog import CatalogError, chosen, find
from dojo.grade import commands
from dojo.tools import CommandError
from dojo.tools.completion import function_argument
from dojo.tools.options import KataName, OneOrAll

app = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None)  # rich's boxes are cut off at 80 columns

USAGE_ERROR: Any = typer.BadParameter.__bases__[0]  # click's class or typer's, depending on the version of typer


def main() -> None:
    """Run the command. An error is printed as one line; the exit status is then 2."""
    status: int | None = None
    try:
        if sys.argv[1:] or "_DOJO_COMPLETE" in os.environ:  # shell completion sets the variable
            status = app(standalone_mode=False)
        else:
            _show_map(refresh=False)  # without typer, whose parsing takes as long as the map itself
    except USAGE_ERROR as error:
        where = error.ctx.command_path if error.ctx else "dojo"
        message = error.format_message().rstrip(".")
        status = _say(f"{message[:1].lower()}{message[1:]}; see {where} --help")
    except (CatalogError, CommandError) as error:
        status = _say(str(error))
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""
        status = _say(f"{what}{error.strerror or error}; run dojo doctor to see why")
    sys.exit(status)


def _say(error: str) -> int:
    typer.echo(f"dojo: {error}", err=True)
    return 2


@app.callback(invoke_without_command=True, epilog="Example: dojo --refresh")
def overview(
    context: typer.Context,
    refresh: Annotated[bool, typer.Option("--refresh", help="First judge what has changed.")] = False,
) -> None:
    """Show the map of the katas: what is done, wrong or to do, and what comes next."""
    if context.invoked_subcommand is None:
        _show_map(refresh)
    elif refresh:
        raise CommandError(f"--refresh takes no command: run dojo --refresh, then dojo {context.invoked_subcommand}")


def _show_map(refresh: bool) -> None:
    from dojo.progress import everything
    from dojo.report.console import screen  # late: imports rich, which shell completion does not need
    from dojo.tools.overview import show

    console, known = screen(), everything()
    if refresh:
        from dojo.tools.refresh import refresh as judge

        known = judge(console, known)
    show(console, known)


@app.command(epilog="Example: dojo init my-dojo")
def init(folder: Annotated[Path, typer.Argument(metavar="DIR", help="New or empty folder.")]) -> None:
    """Lay out the katas in a folder, without a clone.

    No existing file is overwritten.
    """
    from dojo.tools.init import init as lay_out

    typer.echo(lay_out(folder))


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
    again: Annotated[bool, typer.Option("--again", help="Repeat the hints shown so far, without a new one.")] = False,
) -> None:
    """Show one more hint for a function each time."""
    from dojo.tools.hint import COUNTS, hints

    typer.echo(hints(find(kata), function or None, again, COUNTS))  # an editor passes "" if nothing is selected


@app.command(epilog="Example: dojo watch 03")
def watch(kata: OneOrAll = None) -> None:
    """Judge a function whenever its file is saved.

    Start with the first function that is not done. Press n to go to the next one.
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

    Time a matrix product, a copy and a chain of elementwise operations, on the CPU and on CUDA if available.
    """
    from dojo.measure import run  # late: imports torch, which other commands do not need
    from dojo.report.console import screen

    run(screen())


@app.command(epilog="Example: dojo report 03 --html report.html")
def report(
    html: Annotated[Path, typer.Option(metavar="FILE", help="Page to write.")],
    kata: OneOrAll = None,
) -> None:
    """Judge the katas, and write the results as an HTML page.

    The page is a single file with the map, and each failure with its picture.
    """
    from dojo.tools.report import write

    typer.echo(write(chosen(kata), html))


@app.command(epilog="Example: dojo doctor")
def doctor() -> None:
    """Check the installation, and say how to fix problems.

    Exit status: 0 if there is no problem, 1 if there is one.
    """
    from dojo.report.console import screen
    from dojo.tools.doctor import examine

    raise typer.Exit(1 if examine(screen()) else 0)


commands.add_to(app)
cli_maintainers.add_to(app)
