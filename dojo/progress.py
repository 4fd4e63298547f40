"""What is known of each function without running it: the verdicts of earlier runs, and what they rest on.

One small file for each kata, in .dojo/progress/. It is a memory and no more: a verdict counts as long as the learner's
file, the properties and torch are what they were, and who deletes the folder loses nothing but the time to run again.
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
from dojo.seam.learner_file import Compiled, compile_source

DONE, WRONG, TO_DO, UNKNOWN = "done", "wrong", "to do", "not judged"
WHOLE = (DONE, WRONG, TO_DO)
"""The verdicts that are kept. What a run of a part of the properties says besides is none."""

FOLDER = ROOT / ".dojo" / "progress"


@dataclass(frozen=True)
class State:
    """What is known of a function: done, wrong, to do or not judged.

    stale: whether that was said before the learner's file, the properties or torch changed.
    """

    word: str
    stale: bool = False

    @property
    def is_done(self) -> bool:
        """Whether it is done as it is now."""
        return self.word == DONE and not self.stale


@dataclass(frozen=True)
class Progress:
    """What is known of a kata: its functions, in order, the learner's file as it is, and whether it was ever run."""

    kata: Kata
    states: dict[str, State]
    file: Compiled
    ran: bool = False

    @property
    def is_stale(self) -> bool:
        """Whether running the kata would tell more."""
        return any(state.stale or state.word == UNKNOWN for state in self.states.values())


def key(kata: Kata) -> str:
    """A digest of all that a verdict on the learner's file rests on, as it is now; "" where that cannot be read."""
    try:
        return _digest(_basis(kata))
    except (OSError, SyntaxError, ImportError):  # of the properties: whoever imports them will tell
        return ""


def store(kata: Kata, key: str, words: Mapping[str, str]) -> None:
    """Keep the verdicts of a run; `key` is what it was when the run began. Words that are no verdict are passed over.

    Where nothing can be written, nothing is: the next run says the same again.
    """
    if not key:
        return
    known = {name: [word, key] for name, word in words.items() if word in WHOLE}
    told = {"of": [str(path.relative_to(ROOT)) for path in _basis(kata)], "functions": _kept(kata)[1] | known}
    with contextlib.suppress(OSError):
        FOLDER.mkdir(parents=True, exist_ok=True)
        write_whole(_file(kata), json.dumps(told, indent=1) + "\n")


def read(kata: Kata) -> Progress:
    """What is known of a kata. A function that is a stub as it stands is to do, and no run is needed to tell."""
    path = kata.source(ROOT / "katas")
    try:
        file = compile_source(path, path.read_bytes())
    except OSError as error:
        file = Compiled(path, None, f"{path.name} cannot be read: {error.strerror}")
    of, kept = _kept(kata)
    now = _digest(of)
    states = {}
    for name in kata.functions:
        word, then = kept.get(name, (UNKNOWN, now))
        if then != now and name in file.stubs:
            word, then = TO_DO, now
        elif word == UNKNOWN and name in file.stubs:
            word = TO_DO
        states[name] = State(word, stale=then != now)
    return Progress(kata, states, file, ran=bool(kept))


@functools.cache
def made_of(slug: str) -> tuple[Path, ...]:
    """The properties of a kata and all of the clone that they import; but for pictures, which decide nothing."""
    from modulefinder import ModuleFinder  # reading does without

    kata = katas()[slug]
    finder = ModuleFinder(path=[str(ROOT)], excludes=[kata.part("pictures")])
    finder.import_hook(kata.part("properties"))
    return tuple(sorted(Path(str(vars(module)["__file__"])) for name, module in finder.modules.items() if "." in name))


def _basis(kata: Kata) -> list[Path]:
    return [kata.source(ROOT / "katas"), kata.lesson.with_name("kata.toml"), *made_of(kata.slug)]


def _digest(paths: Iterable[Path]) -> str:
    """Of what these files hold and of torch's version; "" where one of them is gone."""
    digest = hashlib.sha256(_torch().encode())
    try:
        for path in paths:
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    except OSError:
        return ""
    return digest.hexdigest()[:16]


@functools.cache
def _torch() -> str:
    """The version of torch, which takes seconds to import."""
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return ""


def _file(kata: Kata) -> Path:
    return FOLDER / f"{kata.slug}.json"


def _kept(kata: Kata) -> tuple[list[Path], dict[str, list[str]]]:
    """What the verdicts that are kept rest on, and word and key of each; none where the file is damaged."""
    try:
        told = json.loads(_file(kata).read_text(encoding="utf-8"))
        kept = {name: [word, then] for name, (word, then) in told["functions"].items() if name in kata.functions}
        if all(word in WHOLE and isinstance(then, str) for word, then in kept.values()):
            return [ROOT / path for path in told["of"]], kept
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    return [], {}


def everything() -> list[Progress]:
    """What is known of every kata, in order."""
    return [read(kata) for kata in katas().values()]


def following(known: Sequence[Progress]) -> tuple[Progress, str] | None:
    """The function to do next: the first that is not done, from the kata that was edited last onward and round.

    Where all are as they were given, that is the first one that was run.
    """
    begun = [one for one in known if any(state.word != TO_DO for state in one.states.values())]
    first = next((one for one in known if one.ran), known[0])
    start = known.index(max(begun, key=lambda one: _edited(one.file.path), default=first))
    for one in (*known[start:], *known[:start]):
        for name, state in one.states.items():
            if state.word != DONE:
                return one, name
    return None


def _edited(path: Path) -> float:
    return path.stat().st_mtime if path.exists() else 0.0
