"""Right and wrong variants of one function of a solution, and the belief behind each wrong one."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

from dojo.catalog import ROOT, Kata, find
from dojo.judging.kata_folder import imported
from dojo.seam.learner_file import Answers, load
from dojo.seam.local import Local


@dataclass(frozen=True)
class Variant:
    """One function written differently from the solution: rightly (a wheat) or wrongly (a misconception).

    A misconception has a belief, and advice of one or two sentences. A wheat has neither.
    """

    about: str
    answer: Callable[..., Any]
    belief: str = ""
    advice: str = ""

    @property
    def name(self) -> str:
        """The name of the variant, such as `matmul_flops-counts_multiply_adds`."""
        return f"{self.about}-{self.answer.__name__}"


def believes(belief: str, *, about: str) -> Callable[[Any], Any]:
    """Mark a wrong answer with the belief behind it; its docstring is the advice."""

    def mark(answer: Any) -> Any:
        answer.variant = Variant(about, answer, belief, " ".join((answer.__doc__ or "").split()))
        return answer

    return mark


def answers(function: str) -> Callable[[Any], Any]:
    """Mark a right answer that is written differently from the solution."""

    def mark(answer: Any) -> Any:
        answer.variant = Variant(function, answer)
        return answer

    return mark


@functools.cache
def solution(slug: str) -> ModuleType:
    """Return the solved module of a kata; ImportError says what is wrong with it."""
    kata = find(slug)
    loaded = load(kata, ROOT / "solutions", kata.module("solutions"))
    if loaded.module is None:
        raise ImportError(loaded.trouble)
    return loaded.module


@functools.cache
def variants(kata: str, part: str) -> tuple[Variant, ...]:
    """Return the `misconceptions`, `wheats` or `unmatched` answers of a kata, in the order of their file."""
    return marked(imported(find(kata), part))


def marked(module: ModuleType) -> tuple[Variant, ...]:
    """Return the marked answers of a module; a class does not inherit a mark."""
    return tuple(
        vars(value)["variant"] for value in vars(module).values() if "variant" in getattr(value, "__dict__", ())
    )


def with_variant(kata: Kata, variant: Variant) -> Local:
    """Return the seam for the solution with one function replaced."""
    module = SimpleNamespace(**vars(solution(kata.slug)))
    setattr(module, variant.about, variant.answer)
    path = Path(sys.modules[variant.answer.__module__].__file__ or "")
    return Local(Answers(path, module), kata.forbidden)  # type: ignore[arg-type]


def combined(kata: Kata, outer: Variant, inner: Variant) -> Variant:
    """Return both at once: `outer`, which sees `inner` as the solution; for classes, one that inherits from both.

    Return `outer` itself if it does not use the solution, if one class is a base of the other, or if `outer` is a class
    in place of a function, such as a context manager, and `inner` is not.
    """
    one, other = outer.answer, inner.answer
    if isinstance(one, type) and isinstance(other, type):
        try:
            return Variant(outer.about, type(one.__name__, (one, other), {"__module__": one.__module__}))
        except TypeError:  # one of them is the other's base
            return outer
    solved = solution(kata.slug)
    if isinstance(one, type) or not any(asked is solved for asked in _asked(one)):
        return outer
    below = SimpleNamespace(**{**vars(solved), outer.about: other})
    seen: dict[str, Any] = {}
    for name, value in one.__globals__.items():
        helps = isinstance(value, FunctionType) and value.__globals__ is one.__globals__
        seen[name] = below if value is solved else _copied(value, seen) if helps else value
    return Variant(outer.about, _copied(one, seen))


def _copied(function: Any, seen: dict[str, Any]) -> FunctionType:
    """Return the same function with other globals."""
    copied = FunctionType(function.__code__, seen, function.__name__, function.__defaults__, function.__closure__)
    copied.__kwdefaults__ = function.__kwdefaults__
    return copied


def _asked(function: Any) -> list[Any]:
    """Return the globals that a function uses, directly or through functions of the same module."""
    asked: list[Any] = []
    functions = [function]
    for one in functions:
        found = [one.__globals__[name] for name in names(one.__code__) if name in one.__globals__]
        asked += found
        beside = (value for value in found if getattr(value, "__globals__", None) is function.__globals__)
        functions += [value for value in beside if value not in functions]
    return asked


def names(code: CodeType) -> Iterator[str]:
    """Yield the names of globals and attributes that a function and its inner functions use."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from names(inner)
