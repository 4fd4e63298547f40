"""`dojo grade-all`: check the options, grade many submissions, and write the tables of scores."""

from __future__ import annotations

import csv
import io
import multiprocessing
import os
import secrets
import shlex
import shutil
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from dojo.catalog import Kata
from dojo.files import write_whole
from dojo.grade import order_file
from dojo.grade.command_grade import NoGrade, chosen_katas, level_for
from dojo.grade.formats.phrases import why
from dojo.grade.gradebook import PLATFORMS, gradebook
from dojo.grade.jail.limits import settings
from dojo.grade.order import Order
from dojo.grade.progress_bar import Bar
from dojo.grade.queue import Graded, Machines, grade_all
from dojo.grade.result_files import SCORES, Results, Unwritable, writing
from dojo.grade.roster import RosterError, Student
from dojo.grade.roster import read as read_roster
from dojo.report.sanitize import cell, code, for_log, line

Book = tuple[str, list[Student]]
"""The platform of a gradebook, and the students of its roster."""
SEED = "seed"
"""The file in the folder of the results with the generated seed, if none was given."""


def run(
    folder: Path,
    jobs: int | None,
    out: Path,
    katas: str | None,
    seed: str | None,
    isolation: str,
    device: str,
    require: str | None = None,
    cluster: str | None = None,
    *,
    html: bool = False,
    book: Book | None = None,
) -> tuple[str, bool]:
    """Grade a folder; return the text to print, and whether everything got a grade. NoGrade says why nothing did."""
    if cluster not in (None, "local") and jobs:
        raise NoGrade(f"--jobs {jobs} is for this machine; --cluster {cluster} grades one submission per worker")
    graded = chosen_katas(katas)
    try:
        paths = submissions(folder, out)
    except OSError as error:
        raise NoGrade(f"{folder} cannot be read: {error.strerror}") from None
    if os.path.realpath(out) == os.path.realpath(folder):
        raise NoGrade(f"--out {out} is the folder of the submissions; results need one of their own")
    if not paths:
        raise NoGrade(f"there is nothing in {folder}; each file or folder in it is one submission")
    level = isolation if cluster else level_for(isolation, device, require)
    try:
        results = Results(out, [path.name for path in paths], html=html)
        order = Order(tuple(graded), seed or generated_seed(out), level, device, settings(), require)
        with writing(out):
            (out / order_file.FILE).unlink(missing_ok=True)  # until the results are whole
        every = sorted(outcomes(paths, order, results, jobs or 1, cluster), key=lambda one: one.name)
        told = write_tables(every, graded, results, book)
        with writing(out):
            order_file.write(out, folder, order)
            shutil.rmtree(out / order_file.AGAIN, ignore_errors=True)  # every result is newer
    except OSError as error:
        raise NoGrade(f"grading stopped: {line(str(error))}; run the same command to resume") from None
    except (Unwritable, ValueError) as error:
        raise NoGrade(str(error)) from None
    fresh = sum(one.fresh and one.result is not None for one in every)
    without = sum(one.result is None for one in every)
    counts = [f"{fresh} graded", f"{len(every) - fresh - without} known before", f"{without} without a grade"]
    written = f"  written  {out / 'scores.csv'}, scores.md, a result and a page for each"
    then = f"  next     dojo class {shlex.quote(str(out))}  what they have done and believe, on one page"
    levels = " and ".join(sorted({one.result.isolation for one in every if one.result})) or level
    return for_log("\n".join([f"{', '.join(counts)}, isolation {levels}", *told, written, then])), not without


def book_for(platform: str | None, roster: Path | None) -> Book | None:
    """Read the roster for a gradebook, if one is wanted. NoGrade says what is wrong with it."""
    if platform is None and roster is None:
        return None
    if platform is None or roster is None:
        raise NoGrade("--gradebook and --roster need each other: for which platform, and who is graded")
    try:
        return platform, read_roster(roster, PLATFORMS[platform].ids, PLATFORMS[platform].others)
    except RosterError as error:
        raise NoGrade(str(error)) from None


def write_tables(every: Sequence[Graded], katas: Sequence[Kata], results: Results, book: Book | None) -> list[str]:
    """Write the tables of scores, and the gradebook if one is wanted; return lines to print about the gradebook."""
    with writing(results.folder):
        write_whole(results.folder / f"{SCORES}.csv", as_csv(every, katas, results))
        write_whole(results.folder / f"{SCORES}.md", as_markdown(every, katas))
        if book is None:
            return []
        text, told = gradebook(*book, every, katas)
        path = results.folder / f"{book[0]}.csv"
        write_whole(path, text)
    return [f"  {one}" for one in (*told, f"written  {path}: {len(book[1])} students")]


def submissions(folder: Path, out: Path) -> list[Path]:
    """List the entries of a folder, except hidden ones and the folder of the results."""
    here, results = os.path.realpath(folder), os.path.realpath(out)
    # No entry is followed: it may be a link to itself.
    shown = [path for path in folder.iterdir() if not path.name.startswith(".")]
    return sorted(path for path in shown if os.path.join(here, path.name) != results)


def generated_seed(out: Path) -> str:
    """Return the generated seed of these results, or a new one, so that an interrupted run continues with the same."""
    path = out / SEED
    if not path.exists():
        with writing(out):
            write_whole(path, f"{secrets.token_hex(8)}\n", mode=0o600)
    return path.read_text(encoding="ascii").strip()


def outcomes(
    paths: Sequence[Path], order: Order, results: Results, jobs: int, cluster: str | None = None
) -> Iterator[Graded]:
    """Grade, and print a line for each submission with a progress bar below them to stderr."""
    bar = Bar(len(paths))
    with _machines(cluster, jobs, order, bar.say) as machines, bar:
        for one in grade_all(paths, order, results, machines, bar.begin):
            bar.end(one)
            # The results of a thousand submissions may be held in memory, so they lose their reports.
            yield replace(one, result=one.result and one.result.without_reports())


def _machines(
    cluster: str | None, jobs: int, order: Order, say: Callable[[str], object]
) -> AbstractContextManager[Machines]:
    """Return what runs the jobs; NoGrade if Dask, which a cluster needs, is not installed."""
    if cluster is None:
        return nullcontext(Machines(lambda: workers(jobs), lambda: jobs))
    try:
        from dojo.grade.cluster import connected  # an extra
    except ModuleNotFoundError as error:
        raise NoGrade(f"--cluster needs Dask (no {error.name} here): pip install -e '.[cluster]'") from None
    return connected(cluster, jobs, order, say)


@contextmanager
def workers(jobs: int) -> Iterator[Executor]:
    """Run jobs in processes of this machine, which are killed when this one is interrupted."""
    from dojo.grade.job import tied  # imports hypothesis

    spawn = multiprocessing.get_context("spawn")
    with uninterrupted():  # a semaphore that is half made would be reported as leaked at the end
        pool = _Pool(jobs, spawn, initializer=tied, initargs=(os.getpid(),))
    try:
        yield pool
    except BaseException:
        for process in multiprocessing.active_children():
            process.kill()
        raise
    finally:
        pool.shutdown()


class _Pool(ProcessPoolExecutor):
    """A pool that is not interrupted while it starts a process: one that is half started ends in a traceback."""

    def submit(self, *args: Any, **named: Any) -> Future[Any]:
        """Submit a job, and start a process for it if none is free."""
        with uninterrupted():
            return super().submit(*args, **named)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block. A process that is started inside begins with it blocked."""
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which a new process inherits
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
    if came:
        signal.raise_signal(signal.SIGINT)


def as_csv(every: Sequence[Graded], katas: Sequence[Kata], results: Results) -> str:
    """Render the table for spreadsheets and programs. The column `result` tells apart names that look alike."""
    page = io.StringIO()
    table = csv.writer(page, lineterminator="\n")
    table.writerow(["submission", "score", "points", *(kata.slug for kata in katas), "why", "result"])
    for one in every:
        file = results.path(one.name).name if one.result else ""
        table.writerow([cell(one.name), *_scores(one, katas), cell(_why(one)), file])
    return page.getvalue()


def as_markdown(every: Sequence[Graded], katas: Sequence[Kata]) -> str:
    """Render the table for people."""
    titles = ["submission", "score", "points", *(kata.number for kata in katas), "why"]
    rows = [titles, ["---", *["---:"] * (len(titles) - 2), "---"]]
    rows += [[code(one.name), *_scores(one, katas), code(_why(one))] for one in every]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _why(one: Graded) -> str:
    return why(one.result) if one.result else one.trouble


def _scores(one: Graded, katas: Sequence[Kata]) -> list[str]:
    if one.result is None:
        return [""] * (2 + len(katas))
    return [str(number) for number in (one.result.score, one.result.points, *(kata.score for kata in one.result.katas))]
