"""A queue of submissions with a result file each, which skips what is graded already."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from dojo.files import write_whole
from dojo.grade.formats import FORMATS
from dojo.grade.intake.submission import SubmissionError
from dojo.grade.intake.submission import read as read_submission
from dojo.grade.order import Order
from dojo.grade.result import Result, read

Executors = Callable[[], AbstractContextManager[Executor]]
"""A factory of executors; each Executor of concurrent.futures is its own context manager."""
DIED = "the process that grades it died, also when it graded nothing else"
KEYS = ".keys"
LONGEST = 200
"""Most bytes of a file name, before a suffix is added."""


@dataclass(frozen=True)
class Graded:
    """The outcome of one submission."""

    name: str
    result: Result | None = None
    trouble: str = ""
    """Why there is no result, in one line."""
    fresh: bool = True
    """Whether it was graded in this run."""


class Unwritable(Exception):
    """The folder of the results cannot be written to; the message is one line that says why."""


@contextlib.contextmanager
def writing(out: Path) -> Iterator[None]:
    """Turn an OSError inside, where results are written, into Unwritable, to tell it from any other OSError."""
    try:
        yield
    except OSError as error:
        raise Unwritable(f"--out {out} cannot be written to: {error.strerror}") from None


class Results:
    """A folder with the result of each submission in NAME.json, and its key in .keys/NAME."""

    def __init__(self, folder: Path):
        self.folder = folder
        with writing(folder):
            (folder / KEYS).mkdir(parents=True, exist_ok=True)

    def load(self, name: str, key: str) -> Result | None:
        """Return the result that was stored with this key, if there is one and it can be read."""
        with contextlib.suppress(OSError, ValueError):
            if self._key(name).read_text(encoding="ascii") == key:
                return read(self.path(name))
        return None

    def keep(self, name: str, key: str, result: Result) -> None:
        """Write a result, then its key: a result without a key is graded again."""
        with writing(self.folder):
            self._key(name).unlink(missing_ok=True)
            write_whole(self.path(name), FORMATS["json"].text(result))
            write_whole(self._key(name), key)

    def drop(self, name: str) -> None:
        """Remove the result of a submission that can no longer be graded."""
        with writing(self.folder):
            self._key(name).unlink(missing_ok=True)
            self.path(name).unlink(missing_ok=True)

    def path(self, name: str) -> Path:
        """Return the path of a submission's result."""
        return self.folder / f"{_short(name)}.json"

    def _key(self, name: str) -> Path:
        return self.folder / KEYS / _short(name)


def _short(name: str) -> str:
    encoded = name.encode(errors="surrogateescape")
    if len(encoded) <= LONGEST:
        return name
    return f"{encoded[: LONGEST - 17].decode(errors='ignore')}-{hashlib.sha256(encoded).hexdigest()[:16]}"


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
                try:
                    submission = read_submission(path, order.katas)
                except SubmissionError as error:
                    results.drop(path.name)
                    yield Graded(path.name, trouble=str(error))
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


def _store(name: str, outcome: Result | str, key: str, results: Results) -> Graded:
    if isinstance(outcome, str):
        results.drop(name)
        return Graded(name, trouble=outcome)
    results.keep(name, key, outcome)
    return Graded(name, outcome)
