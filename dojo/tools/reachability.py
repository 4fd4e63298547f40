"""Find the code that decides whether a mutant of one function is killed: all that the properties of it need.

A definition needs the names that its text holds, in strings too, because programs are texts; and what those need in
turn. Where a name could mean two things, both count.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import resolve_name
from pathlib import Path
from typing import NamedTuple

from dojo.catalog import ROOT, Kata
from dojo.judging.kata_folder import imported
from dojo.judging.property import marked
from dojo.tools import measured

WORD = re.compile(r"[^\W\d]\w*")
IMPORTED = re.compile(r"\bfrom (tests[\w.]+) import ([\w, ]+|\*)")
NAMED = re.compile(r"\btests(?:\.\w+)+(?! import)")
"""What a program imports, and a module that it gets by its name."""
CALLED = re.compile(r"(?<![.\w])(?<!def )(\w+)\(")
"""A call by a bare name, as programs call the learner's functions."""
ALL = "*"


class Name(NamedTuple):
    """A name in a module, or ALL of its names."""

    module: str
    name: str


class Module:
    """The statements of a module, by the names that they bind, and what it imports from where.

    defined: its functions and classes. loose: statements that bind nothing, and so act on something else.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.defined: list[str] = []
        self.bound: dict[str, list[str]] = {}
        self.loose: list[str] = []
        self.imported: dict[str, Name] = {}
        self.starred: list[str] = []
        lines, tree = measured.code_lines(text), ast.parse(text)
        for node in tree.body:
            if not isinstance(node, ast.Import | ast.ImportFrom):
                self._add(node, lines)
        for one in ast.walk(tree):
            if isinstance(one, ast.ImportFrom):
                source = resolve_name("." * one.level + (one.module or ""), name.rpartition(".")[0])
                self.imported |= {alias.asname or alias.name: Name(source, alias.name) for alias in one.names}
                self.starred += [source] * (one.names[0].name == ALL)

    def _add(self, node: ast.stmt, lines: list[str]) -> None:
        first = min(one.lineno for one in (node, *getattr(node, "decorator_list", ())))
        text = "\n".join(line for line in lines[first - 1 : node.end_lineno] if line)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            self.defined.append(node.name)
            self.bound.setdefault(node.name, []).append(text)
            return
        stored = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        for name in stored:
            self.bound.setdefault(name, []).append(text)
        if text and not stored:
            self.loose.append(text)

    def texts(self, name: str) -> list[str]:
        """Return the statements that bind a name, or all; and those that bind nothing."""
        asked = self.bound if name == ALL else [name]
        return [*self.loose, *(text for one in asked for text in self.bound.get(one, ()))]


def outdated(kata: Kata, now: Mapping[str, str]) -> list[str]:
    """Return the functions and classes of the solution whose [mutants] are missing, or have other digests than now.

    All if [mutants] has a name that is no longer in the solution.
    """
    figures = measured.read(kata).get("mutants", {})
    gone = figures.keys() - now.keys()
    return [part for part, digest in now.items() if gone or figures.get(part, {}).get("digest") != digest]


def digests(kata: Kata) -> dict[str, str]:
    """Return, for each function and class of the solution, a digest of the code that decides about its mutants.

    That is the functions of the kata that need it, the properties that grade or call one of these, and all that these
    need.
    """
    modules = {one.name: one for one in map(_parsed, measured.files(kata))}
    solution = _dotted(kata.source(ROOT / "solutions"))
    needs = {function: reached(modules, [Name(solution, function)]) for function in kata.functions}
    tests = {test: reached(modules, [Name(kata.part("properties"), test.__name__)]) for test in marked(imported(kata))}
    judged = {test: {*test.grades} | _called(modules, names) & needs.keys() for test, names in tests.items()}
    found = {}
    for part in modules[solution].defined:
        users = {function for function, names in needs.items() if Name(solution, part) in names} or {*needs}
        names = set().union(*(needs[function] for function in users))
        names |= set().union(*(tests[test] for test, functions in judged.items() if users & functions))
        texts = sorted({f"{name.module}\n{text}" for name in names for text in modules[name.module].texts(name.name)})
        found[part] = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]
    return found


def _called(modules: Mapping[str, Module], names: Iterable[Name]) -> set[str]:
    """Return what the texts of these names call, as the programs of kata 06 call all of its functions."""
    return {word for name in names for text in modules[name.module].texts(name.name) for word in CALLED.findall(text)}


def _parsed(path: Path) -> Module:
    return Module(_dotted(path), path.read_text(encoding="utf-8"))


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def reached(modules: Mapping[str, Module], roots: Iterable[Name]) -> set[Name]:
    """Return these names and all that they need, in these modules."""
    met, left = set[Name](), [*roots]
    while left:
        name = left.pop()
        if name.module in modules and name not in met:
            met.add(name)
            left += _needed(modules, name)
    return met


def _needed(modules: Mapping[str, Module], name: Name) -> Iterator[Name]:
    module = modules[name.module]
    if name.name in module.imported:
        yield module.imported[name.name]
    elif name.name not in module.bound:
        yield from (Name(source, name.name) for source in module.starred)
    for text in module.texts(name.name):
        words = {*WORD.findall(text)}
        yield from (Name(module.name, word) for word in words & module.bound.keys())
        yield from (Name(source, ALL) for source in NAMED.findall(text))
        yield from (Name(source, one) for source, names in IMPORTED.findall(text) for one in names.split(", "))
        for word in words & module.imported.keys():
            yield from _meant(modules, word, module.imported[word], text)


def _meant(modules: Mapping[str, Module], word: str, means: Name, text: str) -> Iterator[Name]:
    """Yield what a text needs by an imported word: of a module, the names that stand after it and a dot, else all."""
    whole = f"{means.module}.{means.name}"
    if whole not in modules:
        yield means
    elif re.search(rf"\b{word}\b(?!\.)", text):
        yield Name(whole, ALL)
    else:
        yield from (Name(whole, part) for part in re.findall(rf"\b{word}\.(\w+)", text))
