"""Parameters of tests that run once for each variant of a kata."""

import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from dojo.catalog import Kata, katas
from dojo.judging.diagnose import Variant


def parameters(kind: Callable[[Kata], Iterable[Variant]]) -> list[Any]:
    """Return what parametrize takes: every variant of that kind, with its kata."""
    return [
        pytest.param(kata, variant, id=f"{kata.slug}-{variant.name}")
        for kata in katas().values()
        for variant in kind(kata)
    ]


def is_dear(kata: Kata) -> bool:
    """Whether an example takes a hundred times as long as elsewhere: its programs run in parts, on ranks, or train."""
    texts = [path.read_text(encoding="utf-8") for path in kata.judge.glob("*.py")]
    long_ones = any("shared.ranks import" in text or re.search(r"\bin_turn\(", text) for text in texts)
    return long_ones or any(kata.judge.glob("programs_*.py"))
