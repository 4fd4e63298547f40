"""Give the learner's code another seed of `hash()`, as each new process of Python has one. Its forks keep theirs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from dojo.seam.parts import Files

SEEDED = (str, bytes, memoryview)
"""The built-in types that Python hashes with its seed, alone or in a tuple or frozenset."""


def hash_for(files: Files) -> Callable[[object], int]:
    """Return a `hash` whose seed follows from the files that a process starts with, so that a run can be repeated."""
    digest = hashlib.sha256()
    for name, data in files.items():
        digest.update(f"{name}\0".encode())
        digest.update(data or b"")
    seed = int.from_bytes(digest.digest()[:7], "big")

    def hash_with_seed(value: object, /) -> int:
        return hash(value) ^ seed if _is_seeded(value) else hash(value)

    return hash_with_seed


def _is_seeded(value: object) -> bool:
    if isinstance(value, tuple | frozenset):
        return any(map(_is_seeded, value))
    return isinstance(value, SEEDED)
