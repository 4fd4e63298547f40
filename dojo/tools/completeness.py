"""Find out what a kata lacks: every gap in its three folders and in the documents, in the order to fill them."""

from __future__ import annotations

import ast
import re
import tomllib
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dojo import figures
from dojo.catalog import ROOT, ROUTES, Kata, katas
from dojo.judging import gates
from dojo.judging.classes import unnamed
from dojo.judging.diagnose import Variant, variants
from dojo.judging.kata_folder import imported
from dojo.judging.property import marked
from dojo.seam.learner_file import Definition, compile_source, load
from dojo.seam.local import Local
from dojo.seam.seam import Functions
from dojo.tools import CommandError, lessons, measured, names, reachability, tables
from dojo.tools.gap import Gap, unwritten

HINTS, MISCONCEPTIONS, WHEATS, UNMATCHED = 3, 3, 2, 3
"""How many hints and misconceptions each function needs, and how many wheats and unmatched answers each kata."""


JUDGED = ("properties", "misconceptions", "wheats")
"""The files that the gates use."""


def gaps(kata: Kata) -> list[Gap]:
    """Return everything that a kata lacks, except what only the gates can find out."""
    stub, solution = (kata.source(ROOT / tree) for tree in ("katas", "solutions"))
    table, copy = kata.lesson.with_name("kata.toml"), kata.judge / "stub.py"
    properties, misconceptions, wheats = (kata.judge / f"{part}.py" for part in JUDGED)
    unmatched, examples = kata.judge / "unmatched.py", kata.judge / "examples.py"
    found = [*unwritten(kata.lesson), *lessons.gaps(kata)]
    found += [*unwritten(table), *_declared(kata, table)]
    found += [*unwritten(stub, blocks=True), *_functions(kata, stub, stubs=True), *_copied(stub, copy)]
    found += [*unwritten(solution, blocks=True), *_functions(kata, solution, stubs=False)]
    found += [*unwritten(properties, blocks=True), *_properties(kata, properties)]
    found += [*unwritten(misconceptions, blocks=True), *_misconceptions(kata, misconceptions)]
    found += [*unwritten(wheats, blocks=True), *_variants(kata, wheats, WHEATS)]
    found += [*unwritten(unmatched), *_variants(kata, unmatched, UNMATCHED), *unwritten(examples)]
    asked = {copy, properties, misconceptions, wheats, unmatched, examples}
    for path in sorted({*kata.judge.glob("*.py")} - asked):
        found += unwritten(path)
    found += names.gaps(kata)
    if not any(gap.blocks for gap in found):
        found += [*_raised(kata, properties), *_examples(kata), *stale(kata)]
    return [*found, *figure_gaps(kata), *_unmeasured(kata), *_tables(kata)]


def _declared(kata: Kata, path: Path) -> Iterator[Gap]:
    for name, function in kata.functions.items():
        if len(function.hints) != HINTS:
            yield Gap(path, f"{name} has {len(function.hints)} hints, and needs {HINTS}")
        if function.points < 1:
            yield Gap(path, f"{name} has {function.points} points, and needs 1 or more")
    if not kata.routes:
        yield Gap(path, f"is on no route; expected some of {', '.join(ROUTES)}")
    for route in kata.routes:
        for earlier in katas().values():
            if earlier.number in kata.after and route not in earlier.routes:
                yield Gap(path, f"is on the route {route}, but {earlier.slug}, which it comes after, is not")


def _functions(kata: Kata, path: Path, *, stubs: bool) -> Iterator[Gap]:
    """Check that the public functions of a file are those of kata.toml, in its order, all stubs or all solved.

    A class whose docstring contains "is given" does not count.
    """
    if not path.is_file():
        return
    compiled = compile_source(path, path.read_bytes())
    if compiled.trouble is not None:
        yield Gap(path, compiled.trouble, blocks=True)
        return
    public = {
        node.name: node.lineno
        for node in ast.parse(path.read_bytes()).body
        if isinstance(node, Definition) and node.name[0] != "_" and not _given(node)
    }
    for name in kata.functions:
        if name not in public:
            yield Gap(path, f"there is no {name}, which kata.toml names", blocks=True)
        elif (name in compiled.stubs) is not stubs:
            yield Gap(path, f"{name} is {'not a stub' if stubs else 'still a stub'}", public[name], blocks=True)
    for name, line in public.items():
        if name not in kata.functions:
            yield Gap(path, f"{name} has no entry [functions.{name}] in kata.toml", line)
    if public.keys() == kata.functions.keys() and list(public) != list(kata.functions):
        yield Gap(path, f"the functions are not in the order of kata.toml: {', '.join(kata.functions)}")


def _given(node: ast.stmt) -> bool:
    return isinstance(node, ast.ClassDef) and "is given" in (ast.get_docstring(node) or "")


def _copied(stub: Path, copy: Path) -> Iterator[Gap]:
    """Check that the copy of the stub, which `dojo reset` restores, equals the stub that learners get."""
    if stub.is_file() and (not copy.is_file() or copy.read_bytes() != stub.read_bytes()):
        command = f"cp {stub.relative_to(ROOT).as_posix()} {copy.relative_to(ROOT).as_posix()}"
        yield Gap(copy, f"is not the stub: {command}", blocks=True)


def _properties(kata: Kata, path: Path) -> Iterator[Gap]:
    if not path.is_file():
        return
    try:
        tests = marked(imported(kata))
    except Exception as error:
        yield Gap(path, f"cannot be imported: {type(error).__name__}: {error}", blocks=True)
        return
    for test in tests:
        if not test.__doc__:
            yield Gap(path, f"{test.__name__} has no docstring, which is the rule that a learner reads", blocks=True)
        for name in sorted(set(test.grades) - set(kata.functions)):
            yield Gap(path, f"{test.__name__} grades {name}, which kata.toml does not name", blocks=True)
    for test in unnamed(tests):
        yield Gap(path, f"{test} draws only from strategies that name no classes of their cases")
    for name in kata.functions:
        if not any(name in test.grades and not test.only_device for test in tests):
            yield Gap(path, f"no property grades {name} on every machine", blocks=True)


def _misconceptions(kata: Kata, path: Path) -> Iterator[Gap]:
    if not path.is_file():
        return
    found: list[Variant] = []
    yield from _read(kata, path, found)
    for name in kata.functions:
        count = sum(variant.about == name for variant in found)
        if count < MISCONCEPTIONS:
            yield Gap(path, f"{name} has {count} misconceptions, and needs {MISCONCEPTIONS}")
    for variant in found:
        name, advice = variant.answer.__name__, variant.advice
        if not advice.endswith(".") or advice.replace("e.g.", "").count(". ") > 1:
            yield Gap(path, f"{name} needs a docstring of one or two sentences, which is the advice")
        if variant.belief.endswith("."):
            yield Gap(path, f"{name} has a belief with a full stop")


def _variants(kata: Kata, path: Path, least: int) -> Iterator[Gap]:
    if not path.is_file():
        return
    found: list[Variant] = []
    yield from _read(kata, path, found)
    if len(found) < least:
        yield Gap(path, f"there are {len(found)} answers, and {least} are needed")


def _read(kata: Kata, path: Path, found: list[Variant]) -> Iterator[Gap]:
    """Add the answers in a file to `found`, and yield what is wrong with them."""
    try:
        found += variants(kata.slug, path.stem)
    except Exception as error:
        yield Gap(path, f"cannot be imported: {type(error).__name__}: {error}", blocks=True)
    for variant in found:
        if variant.about not in kata.functions:
            name = variant.answer.__name__
            yield Gap(path, f"{name} is about {variant.about}, which kata.toml does not name", blocks=True)


def errors_named(kata: Kata) -> dict[str, list[str]]:
    """Return the errors named after "Raises" in the docstrings of each function or class of the stub."""
    found: dict[str, list[str]] = {}
    for node in ast.parse((kata.judge / "stub.py").read_bytes()).body:
        for each in ast.walk(node):
            if isinstance(each, Definition) and getattr(node, "name", "") in kata.functions:
                paragraphs = re.findall(r"\bRaises (.*?)(?:\n\n|\Z)", ast.get_docstring(each) or "", re.DOTALL)
                names_of = re.findall(r"\b[A-Z]\w*Error\b", " ".join(paragraphs))
                found.setdefault(getattr(node, "name", ""), []).extend(names_of)
    return found


def _raised(kata: Kata, path: Path) -> Iterator[Gap]:
    for function, errors in errors_named(kata).items():
        for error in gates.unasked(kata, function, errors) if errors else ():
            yield Gap(path, f"no property makes {function} raise {error}, which its stub names")


def _examples(kata: Kata) -> Iterator[Gap]:
    """Check that the worked examples hold for the solution."""
    path = kata.judge / "examples.py"
    if not path.is_file():
        return
    try:
        examples: Any = imported(kata, "examples")
        answers = load(kata, ROOT / "solutions", f"examples_{kata.number}")
        examples.check(Functions(Local(answers, kata.forbidden)))
    except Exception as error:
        lines = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == path]
        line = (lines[-1].lineno or 0) if lines else 0
        what = " ".join(f"{type(error).__name__}: {error}".split())
        yield Gap(path, f"does not hold for the solution: {what}", line)


def stale(kata: Kata) -> Iterator[Gap]:
    """Find measured figures that are out of date, or bad."""
    path, found = measured.path_of(kata), measured.read(kata)
    mutants, nightly = found.get("mutants"), found.get("nightly")
    if mutants is not None:
        if old := reachability.outdated(kata, reachability.digests(kata)):
            what = f"the solution or the properties of {', '.join(old)}"
            yield Gap(path, f"[mutants] is older than {what}: {_command(kata, 'mutants')}")
        count, killed, surviving = (measured.total(mutants, key) for key in ("count", "killed", "surviving"))
        if count != killed + surviving or not count:
            yield Gap(path, "[mutants] does not add up, or there are none")
    if nightly is not None and (not nightly["answers"] or nightly["false_alarms"]):
        yield Gap(path, "[nightly] has false alarms, or no right answer was judged")
    reasons = kata.judge / "equivalent.toml"
    if reasons.is_file():
        try:
            tomllib.loads(reasons.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            yield Gap(reasons, f"is not TOML: {error}")


def _unmeasured(kata: Kata) -> Iterator[Gap]:
    """Find the sections of measured.toml that are still missing."""
    found = measured.read(kata)
    for name in measured.COMMANDS:
        if name not in found:
            yield Gap(measured.path_of(kata), f"has no [{name}] yet: {_command(kata, name)}")


def figure_gaps(kata: Kata) -> Iterator[Gap]:
    """Check that the lesson shows its figure, and that the figure is up to date."""
    if kata.lesson.is_file() and figures.caption(kata) is None:
        yield Gap(kata.lesson, "has no line ![what was measured, and by what](figure.svg)")
    if not figures.is_current(kata):
        command = f"pip install -e '.[figures]' && python -m dojo.figures {kata.number}"
        yield Gap(figures.drawing(kata), f"does not match figure.json, figure.py and the caption: {command}")


def _command(kata: Kata, name: str) -> str:
    return measured.COMMANDS[name].format(kata.number)


def _tables(kata: Kata) -> Iterator[Gap]:
    try:
        for document, name in tables.outdated(kata):
            yield Gap(ROOT / document, f"the table of the {name} is not up to date: dojo tables")
    except CommandError as error:
        yield Gap(ROOT / "README.md", str(error))
