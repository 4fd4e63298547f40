"""Many submissions graded: one result file each. What was graded is not graded again."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import hmac
import platform
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from dojo.catalog import ROOT, Kata
from dojo.files import write_whole
from dojo.grade.formats import FORMATS
from dojo.grade.intake.submission import Submission, SubmissionError
from dojo.grade.intake.submission import read as handed_in
from dojo.grade.jail.limits import Limits
from dojo.grade.result import Result, read

Executors = Callable[[], AbstractContextManager[Executor]]
"""Makes what runs the jobs; each Executor of concurrent.futures is a context manager of itself."""
DIED = "the process that grades it died, also when it graded nothing else"
KEYS = ".keys"
LONGEST = 200
"""Bytes of the name of a file: with what is added to it there is room for it everywhere."""


@dataclass(frozen=True)
class Order:
    """How each submission is graded, as plain data that can go to another machine.

    katas: those that are graded. seed: the secret. level, device, limits: as for dojo.grade.grading.grade.
    """

    katas: tuple[Kata, ...]
    seed: str
    level: str
    device: str
    limits: Limits

    def key(self, submission: Submission) -> str:
        """A digest of all that a result rests on. It tells nothing of the seed that could not be guessed anyway."""
        slugs = tuple(kata.slug for kata in self.katas)
        told = (submission, slugs, self.level, self.device, self.limits, rules(slugs))
        return hmac.new(self.seed.encode(), repr(told).encode(), hashlib.sha256).hexdigest()


@dataclass(frozen=True)
class Graded:
    """What became of one submission: a result, or one line why there is none. fresh: it was graded just now."""

    name: str
    result: Result | None = None
    trouble: str = ""
    fresh: bool = True


class Unwritable(Exception):
    """The folder of the results cannot be written to; one line why."""


@contextlib.contextmanager
def writing(out: Path) -> Iterator[None]:
    """Raise Unwritable where a file of the results cannot be written, so that no other OSError is taken for that."""
    try:
        yield
    except OSError as error:
        raise Unwritable(f"--out {out} cannot be written to: {error.strerror}") from None


class Results:
    """A folder with the result of each submission as NAME.json, and its key in .keys beside them."""

    def __init__(self, folder: Path):
        self.folder = folder
        with writing(folder):
            (folder / KEYS).mkdir(parents=True, exist_ok=True)

    def known(self, name: str, key: str) -> Result | None:
        """The result that was kept with this key, if there is one that can be read."""
        with contextlib.suppress(OSError, ValueError):
            if self._key(name).read_text(encoding="ascii") == key:
                return read(self.path(name))
        return None

    def keep(self, name: str, key: str, result: Result) -> None:
        """Write a result, and only then its key: one without the other is graded once more."""
        with writing(self.folder):
            self._key(name).unlink(missing_ok=True)
            write_whole(self.path(name), FORMATS["json"].text(result))
            write_whole(self._key(name), key)

    def drop(self, name: str) -> None:
        """Have nothing of a submission: what was handed in cannot be graded any more."""
        with writing(self.folder):
            self._key(name).unlink(missing_ok=True)
            self.path(name).unlink(missing_ok=True)

    def path(self, name: str) -> Path:
        """The result file of a submission."""
        return self.folder / f"{_short(name)}.json"

    def _key(self, name: str) -> Path:
        return self.folder / KEYS / _short(name)


def _short(name: str) -> str:
    told = name.encode(errors="surrogateescape")
    if len(told) <= LONGEST:
        return name
    return f"{told[: LONGEST - 17].decode(errors='ignore')}-{hashlib.sha256(told).hexdigest()[:16]}"


@functools.cache
def rules(slugs: tuple[str, ...]) -> str:
    """A digest of what judges these katas here, and of what that stands on."""
    total = hashlib.sha256()
    for name in ("torch", "hypothesis", "numpy"):
        total.update(f"{name} {version(name)}\0".encode())
    total.update(platform.python_version().encode())
    folders = [f"tests/{name}/*.py" for name in ("shared", *slugs)]
    for pattern in ("dojo/**/*.py", *folders, *(f"katas/{slug}/kata.toml" for slug in slugs)):
        for path in sorted(ROOT.glob(pattern)):
            total.update(f"{path.relative_to(ROOT)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def grade_all(
    paths: Iterable[Path], order: Order, results: Results, executor: Executors, jobs: int
) -> Iterator[Graded]:
    """Tell what becomes of each submission, as soon as it is known; those that are not graded yet are.

    `executor` makes what runs the jobs, so many at one time. Where one of its processes dies, another is made, and each
    submission that it may have died of is graded alone.
    """
    waiting = {path.name: path for path in paths}
    while waiting:
        suspects: list[Path] = []
        for graded in _graded(list(waiting.values()), order, results, executor, jobs, suspects):
            del waiting[graded.name]
            yield graded
        for path in suspects:
            del waiting[path.name]
            alone = list(_graded([path], order, results, executor, 1, []))
            yield from alone or [Graded(path.name, trouble=DIED)]


def _graded(
    paths: Iterable[Path],
    order: Order,
    results: Results,
    executor: Executors,
    jobs: int,
    suspects: list[Path],
) -> Iterator[Graded]:
    """Grade these until a process dies; `suspects` are then those that were being graded, or else the next one."""
    from dojo.grade.job import mark  # imports hypothesis

    left = iter(paths)
    flying: dict[Future[Result | str], tuple[Path, str]] = {}
    with executor() as pool:
        while True:
            while len(flying) < jobs and (path := next(left, None)):
                try:
                    handed = handed_in(path, order.katas)
                except SubmissionError as error:
                    results.drop(path.name)
                    yield Graded(path.name, trouble=str(error))
                    continue
                key = order.key(handed)
                if known := results.known(path.name, key):
                    yield Graded(path.name, known, fresh=False)
                    continue
                try:
                    flying[pool.submit(mark, handed, order)] = path, key
                except BrokenExecutor:
                    suspects += [path for path, _ in flying.values()] or [path]
                    return
            if not flying:
                return
            for future in wait(flying, return_when=FIRST_COMPLETED).done:
                try:
                    told = future.result()
                except BrokenExecutor:
                    suspects += [path for path, _ in flying.values()]
                    return
                path, key = flying.pop(future)
                yield _kept(path.name, told, key, results)


def _kept(name: str, told: Result | str, key: str, results: Results) -> Graded:
    if isinstance(told, str):
        results.drop(name)
        return Graded(name, trouble=told)
    results.keep(name, key, told)
    return Graded(name, told)
