"""Whether a kata is complete: what is missing in each of its rooms, in the order to write it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dojo.catalog import ROOT, Kata
from dojo.judging.diagnose import Variant, variants
from dojo.judging.kata_folder import imported
from dojo.judging.verdict import properties_of
from dojo.seam.learner_file import compile_source

MARK = "WRITE:"
"""What stands in a skeleton where something has to be written, and says what."""

HINTS, MISCONCEPTIONS, WHEATS, UNMATCHED = 3, 3, 2, 3
"""How many a function has of the first two, and a kata of the others."""


def missing(kata: Kata) -> Iterator[str]:
    """What is still to be written, first things first: a place, and what belongs there.

    Only the first is sure: what comes later may rest on it.
    """
    stub, solution = (kata.source(ROOT / tree) for tree in ("katas", "solutions"))
    properties, misconceptions = kata.judge / "properties.py", kata.judge / "misconceptions.py"
    table = kata.lesson.with_name("kata.toml")
    yield from _written(kata.lesson)
    yield from _written(stub)
    yield from _functions(kata, stub, stubs=True)
    yield from _copied(stub, kata.judge / "stub.py")
    yield from _written(solution)
    yield from _functions(kata, solution, stubs=False)
    yield from _written(properties)
    yield from _properties(kata, properties)
    yield from _written(misconceptions)
    yield from _misconceptions(kata, misconceptions)
    for part, least in (("wheats", WHEATS), ("unmatched", UNMATCHED)):
        yield from _written(kata.judge / f"{part}.py")
        yield from _variants(kata, part, least)
    yield from _written(kata.judge / "examples.py")
    yield from _written(table)
    yield from _described(kata, table)
    link = f"katas/{kata.slug}/README.md"
    if f"({link})" not in (ROOT / "README.md").read_text(encoding="utf-8"):
        yield f"README.md: the path has no line for [{kata.number} · {kata.title}]({link})"


def _place(path: Path, line: int | None = None) -> str:
    return f"{path.relative_to(ROOT).as_posix()}{f':{line}' if line else ''}"


def _written(path: Path) -> Iterator[str]:
    """A file that is not there, or what a skeleton still says is to be written."""
    if not path.is_file():
        yield f"{_place(path)}: is missing"
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        _, mark, rest = line.partition(MARK)
        what, _, _ = rest.partition('"')
        if mark:
            yield f"{_place(path, number)}: write {what.strip()}"


def _functions(kata: Kata, path: Path, *, stubs: bool) -> Iterator[str]:
    """Each function of kata.toml is there, as a stub or solved; of a stub, nothing else is."""
    compiled = compile_source(path, path.read_bytes())
    if compiled.trouble is not None:
        yield compiled.trouble
    for name in kata.functions:
        line = compiled.lines.get(name)
        if line is None:
            yield f"{_place(path)}: there is no {name}, which kata.toml names"
        elif (name in compiled.stubs) is not stubs:
            yield f"{_place(path, line)}: {name} is {'no stub' if stubs else 'still a stub'}"
    for name in compiled.stubs - set(kata.functions) if stubs else ():
        yield f"{_place(path, compiled.lines[name])}: {name} has no entry [functions.{name}] in kata.toml"


def _copied(stub: Path, copy: Path) -> Iterator[str]:
    """What `dojo reset` puts back is what is handed out."""
    if not copy.is_file() or copy.read_bytes() != stub.read_bytes():
        yield f"{_place(copy)}: is not the stub: cp {_place(stub)} {_place(copy)}"


def _properties(kata: Kata, path: Path) -> Iterator[str]:
    try:
        tests = properties_of(imported(kata))
    except Exception as error:
        yield f"{_place(path)}: cannot be imported: {type(error).__name__}: {error}"
        return
    for test in tests:
        if not test.__doc__:
            yield f"{_place(path)}: {test.__name__} has no docstring, which is the rule that a learner reads"
        for name in sorted(set(test.grades) - set(kata.functions)):
            yield f"{_place(path)}: {test.__name__} grades {name}, which kata.toml does not name"
    for name in kata.functions:
        if not any(name in test.grades and not test.only_device for test in tests):
            yield f"{_place(path)}: no property grades {name} on every machine"


def _misconceptions(kata: Kata, path: Path) -> Iterator[str]:
    found: list[Variant] = []
    yield from _read(kata, "misconceptions", found)
    for name in kata.functions:
        mine = [variant for variant in found if variant.about == name]
        if len(mine) < MISCONCEPTIONS:
            yield f"{_place(path)}: {name} has {len(mine)} misconceptions, and wants {MISCONCEPTIONS}"
    for variant in found:
        if not variant.advice:
            yield f"{_place(path)}: {variant.answer.__name__} has no docstring, which is the advice"


def _variants(kata: Kata, part: str, least: int) -> Iterator[str]:
    found: list[Variant] = []
    yield from _read(kata, part, found)
    if len(found) < least:
        yield f"{_place(kata.judge / f'{part}.py')}: there are {len(found)} answers, and {least} are wanted"


def _read(kata: Kata, part: str, found: list[Variant]) -> Iterator[str]:
    """Put what a file holds into `found`, and say what is wrong with it."""
    path = kata.judge / f"{part}.py"
    try:
        found += variants(kata.slug, part)
    except Exception as error:
        yield f"{_place(path)}: cannot be imported: {type(error).__name__}: {error}"
    for variant in found:
        if variant.about not in kata.functions:
            yield f"{_place(path)}: {variant.answer.__name__} is about {variant.about}, which kata.toml does not name"


def _described(kata: Kata, path: Path) -> Iterator[str]:
    for name, function in kata.functions.items():
        if len(function.hints) != HINTS:
            yield f"{_place(path)}: {name} has {len(function.hints)} hints, and wants {HINTS}"
        if function.points < 1:
            yield f"{_place(path)}: {name} has {function.points} points, and wants 1 or more"
