"""The programs that run in their own folder and from their own random states, and leave both as they were."""

from __future__ import annotations

import builtins
import collections
import contextlib
import itertools
import json
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from dojo.seam.scenario import runs

from ..shared.described import Lines, execute, placed
from ..shared.random_states import seeded, seeding
from ..shared.threads import one_thread


def on(lines: Lines, device: str) -> Lines:
    """Return the lines with the tensors that they make, and the batches that they ask for, on the device."""
    return [line.replace('device="cpu"', f"device={device!r}") for line in placed(lines, device)]


TEXT = "json.dumps(state)"
LENGTH = f"len({TEXT})"
MOST = 1000
"""Characters of a loader's state."""


@runs(
    lambda function, lines, watched, device: (function, on(lines, device)),
    limits=lambda function, lines, watched, device: {LENGTH: MOST},
)
def program(module: ModuleType, function: str, lines: Lines, watched: Lines, device: str) -> Any:
    """Run the lines with that function or class of the learner's, and return the values that are watched."""
    with folder_for(lines), seeded(), one_thread():
        return execute(seeding(on(lines, device), device), watched, names(module, function))


@runs(lambda function, made: (function, [f"a = {made}", "# in another process", f"b = {made}"]))
def elsewhere(module: ModuleType, function: str, made: str) -> Any:
    """Return what an expression makes, and what it makes in another process."""
    return {
        **program(module, function, [f"a = {made}"], ["a"], "cpu"),
        **program_elsewhere(module, function, [f"b = {made}"], ["b"], "cpu"),
    }


def program_elsewhere(module: ModuleType, function: str, lines: Lines, watched: Lines, device: str) -> Any:
    """Run the lines as `program` does, with the hashes of texts that another process has."""
    with other_hashes():
        return program(module, function, lines, watched, device)


@contextlib.contextmanager
def other_hashes() -> Iterator[None]:
    """Let hash() of a text, or of a tuple with a text in it, be another number, as in each new process.

    To start a new one takes seconds, and processes that are forked from one have the same hashes. What a class says of
    its own hash is left alone: it may rest on numbers from before.
    """
    usual = builtins.hash

    def other(value: object) -> int:
        own = sys._getframe(1).f_code.co_name == "__hash__"
        return usual(value) if own or not _has_text(value) else usual((value, "in another process"))

    builtins.hash = other
    try:
        yield
    finally:
        builtins.hash = usual


def _has_text(value: object) -> bool:
    return isinstance(value, str | bytes) or (isinstance(value, tuple) and any(map(_has_text, value)))


FILES = ("tokens.bin", "validation")


@contextlib.contextmanager
def folder_for(lines: Lines) -> Iterator[None]:
    """Enter an empty folder, if the lines name one of the files that they may use."""
    if not any(name in line for line in lines for name in FILES):
        yield  # to make and remove a folder takes longer than all the rest
        return
    with tempfile.TemporaryDirectory(prefix="dojo-") as folder, contextlib.chdir(folder):
        yield


def names(module: ModuleType, function: str) -> dict[str, Any]:
    """Return what a program may use beside torch."""
    used = (np, random, json, itertools, itertools.islice, collections, contextlib, time, Path)
    return {function: getattr(module, function), **{one.__name__: one for one in used}, "np": np, "resident": resident}


def measured(module: ModuleType, function: str, lines: Lines, watched: Lines) -> Any:
    """Run the lines with a file of a few bytes, and then with the file that they name.

    The first run reads into memory what is needed only once.
    """
    few = [line.replace(LARGE, "2**12") for line in lines]
    program(module, function, few, watched, "cpu")
    return program(module, function, lines, watched, "cpu")


LARGE = "2**25"
"""Bytes of a file that is too large to be read by mistake."""


def resident() -> int:
    """Return the MiB of memory that this process has in use, or the most so far if nobody says that, as in a jail."""
    if sys.platform != "linux":
        return 0
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20
