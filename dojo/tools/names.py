"""Find old names of a kata or a function that were left behind when it was renamed."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from dojo.catalog import ROOT, Kata
from dojo.seam.local import Local
from dojo.tools.gap import Gap

DOCUMENTS = ("README.md", "GRADING.md", "AGENTS.md", "CONTRIBUTING.md")
ROOMS = ("katas", "solutions", "tests")


def gaps(kata: Kata) -> Iterator[Gap]:
    """Find each place in the kata's files and the documents that names a missing folder or function."""
    for room in ROOMS:
        for folder in sorted((ROOT / room).glob(f"{kata.number}_*")):
            if folder.name != kata.slug:
                yield Gap(folder, f"has the number of {kata.slug}, but another name")
    for path in (kata.lesson, *(ROOT / name for name in DOCUMENTS)):
        if path.is_file():
            yield from _in_text(kata, path)
    stubs = (kata.source(ROOT / "katas"), kata.judge / "stub.py")
    for path in (*stubs, *sorted(kata.judge.glob("*.py"))):
        if path.is_file() and not path.name.startswith("test_"):
            yield from in_code(kata, path, stub=path in stubs)


def _in_text(kata: Kata, path: Path) -> Iterator[Gap]:
    """Check commands and paths that begin with the number of the kata, and titles of reports."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        slugs = re.findall(rf"\b(?:katas|solutions|tests)/({kata.number}_\w+)", line)
        functions = re.findall(rf"\bdojo (?:hint|solution|reset) (?:{kata.number}|{kata.slug}) (\w+)", line)
        for slug, function in re.findall(rf"^({kata.number}_\w+) · (\w+)$", line):
            slugs.append(slug)
            functions.append(function)
        for slug in slugs:
            if slug != kata.slug:
                yield Gap(path, f"names {slug}, and the kata is {kata.slug}", number)
        for function in functions:
            if function not in kata.functions:
                yield Gap(path, f"names {function}, which kata.toml does not", number)


def in_code(kata: Kata, path: Path, *, stub: bool) -> Iterator[Gap]:
    """Check attributes of seams, solutions and learners' modules, calls in scenarios, and the errors of stubs."""
    try:
        tree = ast.parse(path.read_bytes())
    except SyntaxError:
        return  # reported when the file is imported
    known = {*kata.functions, *_defined(kata.source(ROOT / "solutions"))}
    for node in tree.body:
        if stub and isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from _stub(node, path)
    modules = {*_solutions(tree), *(["module"] if path.name.startswith("scenarios") else [])}
    for each in ast.walk(tree):
        match each:
            case ast.Attribute(value=ast.Name(id="kata") | ast.Attribute(attr="kata"), attr=name):
                allowed: Collection[str] = {*kata.functions, *dir(Local), "answers", "forbidden", "calls"}
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in modules:
                allowed = known
            case ast.Call(func=ast.Name(id="calls"), args=[ast.Constant(value=str(text)), *_]) if text[:1] != "{":
                name, allowed = text.partition("(")[0], kata.functions
            case _:
                continue
        if name not in allowed and not name.startswith("__"):
            yield Gap(path, f"names {name}, which the kata does not have", getattr(each, "lineno", 0))


def _stub(node: ast.FunctionDef | ast.ClassDef, path: Path) -> Iterator[Gap]:
    for each in ast.walk(node):
        match each:
            case ast.Call(func=ast.Name(id="NotImplementedError"), args=[ast.Constant(value=str(name))]):
                if name.partition(".")[0] != node.name:
                    yield Gap(path, f"raises NotImplementedError({name!r}) in {node.name}", each.lineno)


def _solutions(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a file gives to the solution of its kata."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="solution"))):
                yield name


def _defined(path: Path) -> Iterator[str]:
    """Yield the names that a file defines, assigns or imports."""
    if not path.is_file():
        return
    try:
        tree = ast.parse(path.read_bytes())
    except SyntaxError:
        return
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name.partition(".")[0]
