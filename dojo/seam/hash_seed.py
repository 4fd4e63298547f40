"""Give the learner's code another seed of `hash()`, as each new process of Python has one. Its forks keep theirs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from dojo.seam.parts import Files

SEEDED = (str, bytes, memoryview)
"""What Python hashes with its seed, alone or in a tuple or frozenset."""


def hashing(files: Files) -> Callable[[object], int]:
    """Return a `hash` whose seed follows from the files that a process starts with, so that a run can be repeated."""
    written = hashlib.sha256(repr(sorted(files.items())).encode()).digest()
    seed = int.from_bytes(written[:7], "big")

    def hash_with_seed(value: object, /) -> int:
        return hash(value) ^ seed if _is_seeded(value) else hash(value)

    return hash_with_seed


def _is_seeded(value: object) -> bool:
    if isinstance(value, tuple | frozenset):
        return any(map(_is_seeded, value))
    return isinstance(value, SEEDED)
