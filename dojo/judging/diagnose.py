"""Which misconception explains a failure: one that answers every recorded call exactly as the learner did."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from dojo.catalog import ROOT, Kata, find
from dojo.judging.kata_folder import imported
from dojo.seam.learner_file import Answers, load
from dojo.seam.seam import Call, Local, Stopped, sample

ENOUGH = 3
"""Fewer different calls than this are no evidence of a belief."""


@dataclass(frozen=True)
class Variant:
    """One function written differently from the solution: rightly (a wheat) or wrongly (a misconception).

    A misconception has a belief, and advice of one or two sentences; a wheat has neither.
    """

    about: str
    answer: Callable[..., Any]
    belief: str = ""
    advice: str = ""

    @property
    def name(self) -> str:
        """`matmul_flops-counts_multiply_adds`."""
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
    """The solved module of a kata. ImportError says what is the matter with it."""
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
    """Return the answers of a module that have a mark of their own; a class does not inherit one."""
    return tuple(
        vars(value)["variant"] for value in vars(module).values() if "variant" in getattr(value, "__dict__", ())
    )


def with_variant(kata: Kata, variant: Variant) -> Local:
    """The seam for the solution with one function replaced."""
    module = SimpleNamespace(**vars(solution(kata.slug)))
    setattr(module, variant.about, variant.answer)
    path = Path(sys.modules[variant.answer.__module__].__file__ or "")
    return Local(Answers(path, module), kata.forbidden)  # type: ignore[arg-type]


def explanations(
    kata: Kata, function: str, calls: Iterable[Call], together: Sequence[str] = ()
) -> list[Variant] | None:
    """The misconceptions about `function` that fit every one of the recorded calls of it.

    Where the function is "", the misconceptions are about those that answer `together`. None where fewer than ENOUGH
    different calls were recorded, which is no evidence for any and against none. The learner's code is not called
    again.
    """
    evidence = sample(call for call in calls if call.function == function)
    if len(evidence) < ENOUGH:
        return None
    about = [
        variant
        for variant in variants(kata.slug, "misconceptions")
        if variant.about in ([function] if function else together)
    ]
    return [variant for variant in about if _fits(with_variant(kata, variant), evidence)]


def _fits(seam: Local, calls: Iterable[Call]) -> bool:
    for call in calls:
        seam.calls.clear()
        with contextlib.suppress(Stopped):
            call.again(seam)
        if not seam.calls or not call.same_outcome(seam.calls[-1]):
            return False
    return True
