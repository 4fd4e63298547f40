"""Hands in an attack as a learner's submission, with bait beside it, and looks at what it left behind.

An attack is one file, in a folder of attacks that want the same: a docstring that says what it tries, then lines that say
what is attacked:

    # like: loops               the attack that stands for this one where only one of each kind is run
    # kata: 03_flops            the kata that it hands in
    # attacks: matmul_flops     what must get no credit, * for all of it; the others must get theirs
    # honest: none              where the others cannot run any more
    # place: alone              where the file is all that is handed in; else it stands below the solution
    # seconds: 3                a limit of its own
    # levels: userns, root      where alone it is promised to get nothing
    # examples: 100             as many as a course asks, where few would not show that it is wrong

What follows a line `# file: NAME` is another file of the submission. Each finds MARK, which it should write whatever it
writes, CANARY, a folder that everybody may write to, and PORT, at which the judge's machine listens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dojo.catalog import ROOT, Kata, find
from dojo.grade.intake.submission import Submission, read
from dojo.grade.jail.levels import LEVELS
from dojo.grade.jail.limits import Limits
from tests.attacks.bait import Bait

HERE = Path(__file__).parent
SEED = "the-courses-seed-5eed5eed5eed5eed"
"""In the form in which an attack looks for it."""

EXAMPLES = 5
"""Of each property, where nothing more is said: most attacks are wrong each time, and are about something else."""

HEADER = re.compile(r"^# (like|kata|attacks|honest|place|seconds|levels|examples): (.+)$", re.MULTILINE)
FILE = re.compile(r"^# file: (.+)\n", re.MULTILINE)


@dataclass(frozen=True)
class Attack:
    """attacked: the functions that must get no credit. honest: those that must get theirs. files: others, by name.

    like: the attack that stands for this one in the plain form, "" where it stands for itself. levels: of isolation, at
    which it gets nothing.
    """

    folder: str
    like: str
    kata: Kata
    attacked: frozenset[str]
    honest: frozenset[str]
    limits: Limits
    examples: int
    levels: tuple[str, ...]
    alone: bool
    text: str
    files: dict[str, str]

    def hand_in(self, folder: Path, bait: Bait) -> Submission:
        """Write the submission into an empty folder, and read it as the grader does."""
        solution = "" if self.alone else self.kata.source(ROOT / "solutions").read_text(encoding="utf-8")
        answers = str(self.kata.source(Path()))
        for name, text in {answers: f"{solution}\n\n{bait.told()}\n\n{self.text}", **self.files}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text if name == answers else bait.filled(text), encoding="utf-8")
        return read(folder, [self.kata])


def attacks() -> dict[str, Attack]:
    """Every attack, by its name; ValueError where one is like another one that does not stand for its kind."""
    found = {path.stem: _attack(path) for path in sorted(HERE.glob("*/*.py"))}
    for name, attack in found.items():
        if attack.like and (attack.like not in found or found[attack.like].like):
            raise ValueError(f"{name} should be like an attack that stands for its kind; got {attack.like}")
    return found


def _attack(path: Path) -> Attack:
    text, *others = FILE.split(path.read_text(encoding="utf-8"))
    said = dict(HEADER.findall(text))
    kata = find(said["kata"])
    levels = tuple(said["levels"].split(", ")) if "levels" in said else LEVELS
    named = set(kata.functions) if said["attacks"] == "*" else set(said["attacks"].split(", "))
    unknown = named - set(kata.functions)
    odd = said.get("honest", "none") != "none" or said.get("place", "alone") != "alone"
    if unknown or odd or not set(levels) <= set(LEVELS):
        raise ValueError(f"{path}: its first lines should say what is attacked; got {said}")
    return Attack(
        folder=path.parent.name,
        like=said.get("like", ""),
        kata=kata,
        attacked=frozenset(named),
        honest=frozenset() if "honest" in said else frozenset(kata.functions) - named,
        limits=Limits(seconds=float(said["seconds"])) if "seconds" in said else Limits(),
        examples=int(said.get("examples", EXAMPLES)),
        levels=levels,
        alone="place" in said,
        text=text,
        files=dict(_pairs(others)),
    )


def _pairs(parts: Sequence[str]) -> Iterator[tuple[str, str]]:
    return zip(parts[::2], parts[1::2], strict=True)
