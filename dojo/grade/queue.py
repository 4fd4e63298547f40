"""Grade a queue of submissions into a result file each, and skip those that are already graded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from dojo.grade.intake.submission import Submission, SubmissionError, read
from dojo.grade.order import Order
from dojo.grade.result import Result, unforeseen
from dojo.grade.result_files import Results

LOOK = 10.0
"""Seconds after which the executor is asked again how many jobs it runs, if none has ended."""
DIED = "the process that grades it died, even when it graded nothing else"


@dataclass(frozen=True)
class Machines:
    """What runs the jobs."""

    executor: Callable[[], AbstractContextManager[Executor]]
    """Makes an executor; each Executor of concurrent.futures is its own context manager."""
    jobs: Callable[[], int]
    """Returns how many it runs at a time now, since a cluster grows and shrinks."""
    deaths: tuple[type[Exception], ...] = ()
    """Exceptions of a job whose processes died, if the executor continues without them."""


@dataclass(frozen=True)
class Graded:
    """The outcome of one submission."""

    name: str
    result: Result | None = None
    trouble: str = ""
    """Why there is no result, in one line."""
    fresh: bool = True
    """Whether it was graded in this run."""
    alone: bool = False
    """Whether it was graded alone, since processes that graded it had died."""


def grade_all(
    paths: Iterable[Path],
    order: Order,
    results: Results,
    machines: Machines,
    begun: Callable[[str], object] = lambda name: None,
) -> Iterator[Graded]:
    """Yield the outcome of each submission as soon as there is one, grading those that have no stored result.

    If the executor breaks, a new one is made, and each submission that may have broken it is graded alone. Otherwise,
    those whose processes died are graded alone at the end. `begun` is called with each name when its grading begins.
    """
    waiting = {path.name: path for path in paths}
    one = replace(machines, jobs=lambda: 1)
    while waiting:
        suspects: list[Path] = []
        for graded in _grade(list(waiting.values()), order, results, machines, begun, suspects):
            del waiting[graded.name]
            yield graded
        for path in suspects:
            del waiting[path.name]
            alone = list(_grade([path], order, results, one, begun, [])) or [Graded(path.name, trouble=DIED)]
            yield from (replace(graded, alone=True) for graded in alone)


def _grade(
    paths: Iterable[Path],
    order: Order,
    results: Results,
    machines: Machines,
    begun: Callable[[str], object],
    suspects: list[Path],
) -> Iterator[Graded]:
    """Grade these submissions, and add those whose processes died to `suspects`.

    If the executor breaks, stop, and add those that were being graded, or the next one if there were none.
    """
    from dojo.grade.job import mark  # imports hypothesis

    remaining = iter(paths)
    running: dict[Future[Result | str], tuple[Path, dict[str, str]]] = {}
    with machines.executor() as pool:
        while True:
            jobs = machines.jobs()
            while len(running) < jobs and (path := next(remaining, None)):
                submission = _read(path, order)
                if isinstance(submission, str):
                    results.drop(path.name)
                    yield Graded(path.name, trouble=submission)
                    continue
                keys = order.keys(submission)
                if stored := next(filter(None, (results.load(path.name, key) for key in keys.values())), None):
                    yield Graded(path.name, stored, fresh=False)
                    continue
                begun(path.name)
                try:
                    running[pool.submit(mark, submission, order)] = path, keys
                except BrokenExecutor:
                    suspects += [path for path, _ in running.values()] or [path]
                    return
            if not running:
                return
            for future in wait(running, timeout=LOOK, return_when=FIRST_COMPLETED).done:
                try:
                    outcome = future.result()
                except BrokenExecutor:
                    suspects += [path for path, _ in running.values()]
                    return
                except machines.deaths:
                    suspects.append(running.pop(future)[0])
                    continue
                except (CancelledError, OSError):  # what runs the jobs is gone
                    raise
                except Exception as error:  # the job could not be sent, or its result could not be read
                    outcome = unforeseen(error)
                path, keys = running.pop(future)
                yield _store(path.name, outcome, keys, results)


def _read(path: Path, order: Order) -> Submission | str:
    """Return what was handed in, or one line that says why it cannot be graded."""
    try:
        return read(path, order.katas)
    except SubmissionError as error:
        return str(error)
    except Exception as error:  # an unforeseen error must not stop the grading of the others
        return unforeseen(error)


def _store(name: str, outcome: Result | str, keys: dict[str, str], results: Results) -> Graded:
    if isinstance(outcome, str):
        results.drop(name)
        return Graded(name, trouble=outcome)
    results.keep(name, keys[outcome.isolation], outcome)
    return Graded(name, outcome)
