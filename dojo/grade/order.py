"""What a submission is graded for, and a digest of all that its result rests on."""

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
from dojo.grade.jail.limits import Limits


@dataclass(frozen=True)
class Order:
    """How each submission is graded, as plain data; level, device and limits are as for dojo.grade.grading.grade."""

    katas: tuple[Kata, ...]
    seed: str
    """The secret from which examples are drawn."""
    level: str
    device: str
    limits: Limits
    only: tuple[str, ...] = ()
    """The names of the katas to grade now, of those that are read; all of them if there are none."""

    @property
    def graded(self) -> tuple[Kata, ...]:
        """The katas to grade now."""
        return tuple(kata for kata in self.katas if kata.slug in self.only or not self.only)

    def key(self, submission: Submission) -> str:
        """Return a digest of all inputs of a result, keyed with the seed, which it does not reveal."""
        slugs = tuple(kata.slug for kata in self.graded)
        inputs = (submission, slugs, self.level, self.device, self.limits, rules(slugs))
        return hmac.new(self.seed.encode(), repr(inputs).encode(), hashlib.sha256).hexdigest()


@functools.cache
def rules(slugs: tuple[str, ...]) -> str:
    """Return a digest of the code and packages that judge these katas."""
    total = hashlib.sha256()
    for name in ("torch", "hypothesis", "numpy"):
        total.update(f"{name} {version(name)}\0".encode())
    total.update(platform.python_version().encode())
    folders = [f"tests/{name}/*.py" for name in ("shared", *slugs)]
    for pattern in ("dojo/**/*.py", *folders, *(f"katas/{slug}/kata.toml" for slug in slugs)):
        total.update(_files(ROOT, pattern))
    return total.hexdigest()


@functools.cache
def _files(root: Path, pattern: str) -> bytes:
    """Return a digest of the files that are called so."""
    total = hashlib.sha256()
    for path in sorted(root.glob(pattern)):
        total.update(f"{path.relative_to(root)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.digest()
