"""A queue of submissions with a result file each, which skips what is graded already."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from dojo.grade.intake.submission import Submission, SubmissionError, read
from dojo.grade.order import Order
from dojo.grade.result import Result, unforeseen
from dojo.grade.result_files import Results

Executors = Callable[[], AbstractContextManager[Executor]]
"""A factory of executors; each Executor of concurrent.futures is its own context manager."""
DIED = "the process that grades it died, also when it graded nothing else"


@dataclass(frozen=True)
class Graded:
    """The outcome of one submission."""

    name: str
    result: Result | None = None
    trouble: str = ""
    """Why there is no result, in one line."""
    fresh: bool = True
    """Whether it was graded in this run."""


def grade_all(
    paths: Iterable[Path], order: Order, results: Results, executor: Executors, jobs: int
) -> Iterator[Graded]:
    """Yield the outcome of each submission as soon as there is one, grading those that have no stored result.

    `executor` makes an executor that runs so many jobs at a time. If one of its processes dies, a new executor is made,
    and each submission that may have killed it is graded alone.
    """
    waiting = {path.name: path for path in paths}
    while waiting:
        suspects: list[Path] = []
        for graded in _grade(list(waiting.values()), order, results, executor, jobs, suspects):
            del waiting[graded.name]
            yield graded
        for path in suspects:
            del waiting[path.name]
            alone = list(_grade([path], order, results, executor, 1, []))
            yield from alone or [Graded(path.name, trouble=DIED)]


def _grade(
    paths: Iterable[Path],
    order: Order,
    results: Results,
    executor: Executors,
    jobs: int,
    suspects: list[Path],
) -> Iterator[Graded]:
    """Grade these until a process dies, then add to `suspects` those that were being graded, or else the next one."""
    from dojo.grade.job import mark  # imports hypothesis

    remaining = iter(paths)
    running: dict[Future[Result | str], tuple[Path, str]] = {}
    with executor() as pool:
        while True:
            while len(running) < jobs and (path := next(remaining, None)):
                submission = _read(path, order)
                if isinstance(submission, str):
                    results.drop(path.name)
                    yield Graded(path.name, trouble=submission)
                    continue
                key = order.key(submission)
                if stored := results.load(path.name, key):
                    yield Graded(path.name, stored, fresh=False)
                    continue
                try:
                    running[pool.submit(mark, submission, order)] = path, key
                except BrokenExecutor:
                    suspects += [path for path, _ in running.values()] or [path]
                    return
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                try:
                    outcome = future.result()
                except BrokenExecutor:
                    suspects += [path for path, _ in running.values()]
                    return
                path, key = running.pop(future)
                yield _store(path.name, outcome, key, results)


def _read(path: Path, order: Order) -> Submission | str:
    """Return what was handed in, or one line that says why it cannot be graded."""
    try:
        return read(path, order.katas)
    except SubmissionError as error:
        return str(error)
    except Exception as error:  # an unforeseen error must not stop the grading of the others
        return unforeseen(error)


def _store(name: str, outcome: Result | str, key: str, results: Results) -> Graded:
    if isinstance(outcome, str):
        results.drop(name)
        return Graded(name, trouble=outcome)
    results.keep(name, key, outcome)
    return Graded(name, outcome)
