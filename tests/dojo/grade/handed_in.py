"""What a learner would hand in who believes as misconceptions do, or writes as wheats are written."""

from __future__ import annotations

import ast
import inspect
import sys
from importlib.util import resolve_name

from dojo.catalog import ROOT, Kata
from dojo.grade.intake.submission import Submission
from dojo.judging.diagnose import Variant

SOURCE = """
import sys
import types


def _module(name, source):
    module = sys.modules[name] = types.ModuleType(name)
    module.__package__ = name.rpartition(".")[0]
    exec(compile(source, __file__, "exec"), vars(module))
    return module


_solved = _module("solved_{slug}", {solution!r})
_diagnose = sys.modules.get("dojo.judging.diagnose")
_marks = _module("dojo.judging.diagnose", "")
_marks.solution = lambda slug: _solved
_marks.answers = lambda *_, **__: lambda answer: answer
_marks.believes = _marks.answers
_variants = {{name: _module(name, source) for name, source in {variants!r}.items()}}
del sys.modules["dojo.judging.diagnose"]
if _diagnose is not None:  # where the judge is in this process as well
    sys.modules["dojo.judging.diagnose"] = _diagnose

globals().update({{name: value for name, value in vars(_solved).items() if not name.startswith("__")}})
for _about, (_where, _name) in {answers!r}.items():
    globals()[_about] = getattr(_variants[_where], _name)
"""
"""The file of the variant finds the solution where it looks for it, in modules of its own: their names may clash."""


def solution(kata: Kata) -> str:
    """The solution's source."""
    return kata.source(ROOT / "solutions").read_text(encoding="utf-8")


def handed_in(kata: Kata, source: str, name: str = "learner") -> Submission:
    """A submission of this one file."""
    return Submission(name, {kata.slug: source.encode()}, {kata.slug: f"{kata.slug}/{kata.filename}"})


def variant_source(kata: Kata, *variants: Variant) -> str:
    """The solution with a function as each variant has it, in one file that needs nothing of this project."""
    modules = [variant.answer.__module__ for variant in variants]
    sources = {_elsewhere(name): text for module in modules for name, text in _sources(module)}
    answers = {variant.about: (_elsewhere(variant.answer.__module__), variant.answer.__name__) for variant in variants}
    return SOURCE.format(slug=kata.slug, solution=solution(kata), variants=sources, answers=answers)


def _elsewhere(module: str) -> str:
    """Another name for a module of this project: where the judge is in this process as well, its own stays."""
    return module.replace("tests.", "handed_in.", 1)


def _sources(module: str) -> list[tuple[str, str]]:
    """The name and source of a module, behind those that it imports from beside it."""
    source = inspect.getsource(sys.modules[module])
    beside = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom) and node.level]
    names = [resolve_name("." * node.level + (node.module or ""), module.rpartition(".")[0]) for node in beside]
    return [*(found for name in names for found in _sources(name)), (module, source)]
