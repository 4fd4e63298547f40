"""How submissions are to be graded, and a digest of everything that a result depends on."""

from __future__ import annotations

import functools
import hashlib
import hmac
import platform
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from dojo.catalog import ROOT, Kata
from dojo.grade.intake.submission import Submission
from dojo.grade.jail.levels import at_least
from dojo.grade.jail.limits import Limits

PACKAGES = ("torch", "hypothesis", "numpy")
"""The packages that judge."""


@dataclass(frozen=True)
class Order:
    """How each submission is graded, as plain data; level, device and limits are as for dojo.grade.grading.grade."""

    katas: tuple[Kata, ...]
    seed: str
    """The secret from which examples are drawn."""
    level: str
    device: str
    limits: Limits
    require: str | None = None
    """The weakest acceptable level if `level` is auto, which takes the best one of the grading machine."""
    only: tuple[str, ...] = ()
    """The slugs of the katas to grade now, among those that are read; empty for all of them."""

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels that a submission may be graded at."""
        return at_least(self.require or "basic") if self.level == "auto" else (self.level,)

    @property
    def slugs(self) -> tuple[str, ...]:
        """The slugs of the katas."""
        return tuple(kata.slug for kata in self.katas)

    @property
    def graded(self) -> tuple[Kata, ...]:
        """The katas to grade now."""
        return tuple(kata for kata in self.katas if kata.slug in self.only or not self.only)

    def keys(self, submission: Submission) -> dict[str, str]:
        """Return a digest of all inputs of a result, for each level. The seed is its key, and is not revealed."""
        return {level: self._key(submission, level) for level in self.levels}

    def _key(self, submission: Submission, level: str) -> str:
        slugs = tuple(kata.slug for kata in self.graded)
        inputs = (submission, slugs, level, self.device, self.limits, rules(slugs))
        return hmac.new(self.seed.encode(), repr(inputs).encode(), hashlib.sha256).hexdigest()


@functools.cache
def rules(slugs: tuple[str, ...]) -> str:
    """Return a digest of the code and packages that judge these katas."""
    total = hashlib.sha256()
    for name in PACKAGES:
        total.update(f"{name} {version(name)}\0".encode())
    total.update(platform.python_version().encode())
    total.update(sources(slugs).encode())
    return total.hexdigest()


def sources(slugs: tuple[str, ...]) -> str:
    """Return a digest of the code that judges these katas."""
    total = hashlib.sha256()
    folders = [f"tests/{name}/*.py" for name in ("shared", *slugs)]
    for pattern in ("dojo/**/*.py", *folders, *(f"katas/{slug}/kata.toml" for slug in slugs)):
        total.update(_files(ROOT, pattern))
    return total.hexdigest()


@functools.cache
def _files(root: Path, pattern: str) -> bytes:
    """Return a digest of the names and contents of the files that match a pattern."""
    total = hashlib.sha256()
    for path in sorted(root.glob(pattern)):
        total.update(f"{path.relative_to(root)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.digest()
