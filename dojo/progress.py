"""Progress of the learner: the verdicts of earlier runs, and a digest of the inputs that they depend on.

Each kata has a small file in .dojo/progress/. It is a cache: a verdict counts as long as the learner's file, the
properties and torch are unchanged, and deleting the folder costs only the time to run again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dojo.catalog import ROOT, Kata, katas
from dojo.files import write_whole
from dojo.judging.outcomes import Status
from dojo.seam.learner_file import Compiled, compile_source

WHOLE = (Status.DONE, Status.WRONG, Status.TO_DO)
"""The verdicts that are stored. Other statuses come from runs of only some properties."""

FOLDER = ROOT / ".dojo" / "progress"


@dataclass(frozen=True)
class State:
    """The last verdict on a function."""

    word: str
    """done, wrong, to do or not judged."""
    stale: bool = False
    """Whether the learner's file, the properties or torch have changed since."""

    @property
    def is_done(self) -> bool:
        """Whether it is done in its current state."""
        return self.word == Status.DONE and not self.stale


@dataclass(frozen=True)
class Progress:
    """The progress of one kata."""

    kata: Kata
    states: dict[str, State]
    """By function, in order."""
    file: Compiled
    """The learner's file in its current state."""
    ran: bool = False
    """Whether a verdict is stored."""

    @property
    def is_stale(self) -> bool:
        """Whether a run of the kata would bring new verdicts."""
        return any(state.stale or state.word == Status.NOT_JUDGED for state in self.states.values())


def key(kata: Kata) -> str:
    """Return a digest of all inputs of a verdict in their current state; "" if they cannot be read."""
    try:
        return _digest(_basis(kata))
    except (OSError, SyntaxError, ImportError):  # in the properties, whose import reports it
        return ""


def store(kata: Kata, key: str, words: Mapping[str, str]) -> None:
    """Store the verdicts of a run that began with this key, and skip words that are no verdicts.

    Errors of writing are ignored, since the next run gives the same verdicts.
    """
    if not key:
        return
    known = _load(kata)[1]
    verdicts = {name: [word, key] for name, word in words.items() if word in WHOLE}
    tried = tries(kata)
    for name, (word, _) in verdicts.items():
        before, then = known.get(name, (Status.TO_DO, ""))
        tried[name] += word != Status.TO_DO and before != Status.DONE and key != then
    record = {
        "of": [str(path.relative_to(ROOT)) for path in _basis(kata)],
        "functions": known | verdicts,
        "tries": tried,
    }
    with contextlib.suppress(OSError):
        FOLDER.mkdir(parents=True, exist_ok=True)
        write_whole(_file(kata), json.dumps(record, indent=1) + "\n")


def read(kata: Kata) -> Progress:
    """Read the progress of a kata. A function that is still a stub is to do, without any run."""
    path = kata.source(ROOT / "katas")
    try:
        file = compile_source(path, path.read_bytes())
    except OSError as error:
        file = Compiled(path, None, f"{path.name} cannot be read: {error.strerror}")
    paths, verdicts = _load(kata)
    now = _digest(paths)
    states = {}
    for name in kata.functions:
        word, then = verdicts.get(name, (Status.NOT_JUDGED, now))
        if then != now and name in file.stubs:
            word, then = Status.TO_DO, now
        elif word == Status.NOT_JUDGED and name in file.stubs:
            word = Status.TO_DO
        states[name] = State(word, stale=then != now)
    return Progress(kata, states, file, ran=bool(verdicts))


def tries(kata: Kata) -> dict[str, int]:
    """Count the versions of the file in which each function was judged, up to the first in which it was done."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        stored = json.loads(_file(kata).read_text(encoding="utf-8"))["tries"]
        return {name: int(stored.get(name, 0)) for name in kata.functions}
    return dict.fromkeys(kata.functions, 0)


@functools.cache
def dependencies(slug: str) -> tuple[Path, ...]:
    """List the properties of a kata and what they import from this clone, except pictures, which decide nothing."""
    from modulefinder import ModuleFinder  # not needed to read progress

    kata = katas()[slug]
    finder = ModuleFinder(path=[str(ROOT)], excludes=[kata.part("pictures")])
    finder.import_hook(kata.part("properties"))
    return tuple(sorted(Path(str(vars(module)["__file__"])) for name, module in finder.modules.items() if "." in name))


def _basis(kata: Kata) -> list[Path]:
    return [kata.source(ROOT / "katas"), kata.lesson.with_name("kata.toml"), *dependencies(kata.slug)]


def _digest(paths: Iterable[Path]) -> str:
    """Return a digest of these files and of torch's version; "" if a file is missing."""
    digest = hashlib.sha256(_torch().encode())
    try:
        for path in paths:
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    except OSError:
        return ""
    return digest.hexdigest()[:16]


@functools.cache
def _torch() -> str:
    """Return the version of torch without importing it, which takes seconds."""
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return ""


def _file(kata: Kata) -> Path:
    return FOLDER / f"{kata.slug}.json"


def _load(kata: Kata) -> tuple[list[Path], dict[str, list[str]]]:
    """Read the files that the stored verdicts depend on, and each verdict's word and key; nothing if damaged."""
    try:
        record = json.loads(_file(kata).read_text(encoding="utf-8"))
        verdicts = {name: [word, then] for name, (word, then) in record["functions"].items() if name in kata.functions}
        if all(word in WHOLE and isinstance(then, str) for word, then in verdicts.values()):
            return [ROOT / path for path in record["of"]], verdicts
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    return [], {}


def everything() -> list[Progress]:
    """Read the progress of every kata, in order."""
    return [read(kata) for kata in katas().values()]


def following(every: Sequence[Progress]) -> tuple[Progress, str] | None:
    """Find the function to do next: in the first kata that has one, cyclically from the one that was edited last.

    A wrong function comes before those that are to do. If all are still to do, start from the first kata that was run.
    """
    begun = [one for one in every if any(state.word != Status.TO_DO for state in one.states.values())]
    first = next((one for one in every if one.ran), every[0])
    start = every.index(max(begun, key=lambda one: _edited(one.file.path), default=first))
    for one in (*every[start:], *every[:start]):
        left = [name for name, state in one.states.items() if state.word != Status.DONE]
        wrong = [name for name in left if one.states[name].word == Status.WRONG]
        if left:
            return one, (wrong or left)[0]
    return None


def _edited(path: Path) -> float:
    return path.stat().st_mtime if path.exists() else 0.0
