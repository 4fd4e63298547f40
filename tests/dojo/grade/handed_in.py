"""What a learner would hand in who believes as a misconception does, or writes as a wheat is written."""

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
for _name, _source in {variants!r}.items():
    _variants = _module(_name, _source)
del sys.modules["dojo.judging.diagnose"]
if _diagnose is not None:  # where the judge is in this process as well
    sys.modules["dojo.judging.diagnose"] = _diagnose

globals().update({{name: value for name, value in vars(_solved).items() if not name.startswith("__")}})
{about} = _variants.{name}
"""
"""The file of the variant finds the solution where it looks for it, in modules of its own: their names may clash."""


def solution(kata: Kata) -> str:
    """The solution's source."""
    return kata.source(ROOT / "solutions").read_text(encoding="utf-8")


def handed_in(kata: Kata, source: str, name: str = "learner") -> Submission:
    """A submission of this one file."""
    return Submission(name, {kata.slug: source.encode()}, {kata.slug: f"{kata.slug}/{kata.filename}"})


def variant_source(kata: Kata, variant: Variant) -> str:
    """The solution with one function as the variant has it, in one file that needs nothing of this project."""
    # Under other names: where the judge is in this process as well, its own modules stay.
    variants = {name.replace("tests.", "handed_in.", 1): text for name, text in _sources(variant.answer.__module__)}
    return SOURCE.format(
        slug=kata.slug, solution=solution(kata), variants=variants, about=variant.about, name=variant.answer.__name__
    )


def _sources(module: str) -> list[tuple[str, str]]:
    """The name and source of a module, behind those that it imports from beside it."""
    source = inspect.getsource(sys.modules[module])
    beside = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom) and node.level]
    names = [resolve_name("." * node.level + (node.module or ""), module.rpartition(".")[0]) for node in beside]
    return [*(found for name in names for found in _sources(name)), (module, source)]
