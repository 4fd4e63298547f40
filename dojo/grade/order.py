"""What a submission is graded for, and a digest of all that its result rests on."""

from __future__ import annotations

import functools
import hashlib
import hmac
import platform
from dataclasses import dataclass
from importlib.metadata import version

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

    def key(self, submission: Submission) -> str:
        """Return a digest of all inputs of a result, keyed with the seed, which it does not reveal."""
        slugs = tuple(kata.slug for kata in self.katas)
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
        for path in sorted(ROOT.glob(pattern)):
            total.update(f"{path.relative_to(ROOT)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
