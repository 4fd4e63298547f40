"""The programs that run a learner's function, in a folder of their own where they need one."""

from __future__ import annotations

import contextlib
import functools
import gc
import io
import os
import stat
import sys
import tempfile
import traceback
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import torch

from dojo.seam.scenario import runs

from ..shared.alive import Alive
from ..shared.collector import import_the_rest, without_collector
from ..shared.described import Lines, execute, placed
from ..shared.random_states import seeded, seeding
from ..shared.threads import one_thread

DESCRIPTORS = 256
"""A new descriptor has the lowest free number, and few are open."""


@runs(lambda function, lines, watched, device: (function, placed(lines, device)))
def program(module: ModuleType, function: str, lines: Lines, watched: Lines, device: str) -> Any:
    """Run the lines with that function or class of the learner's, and return the values that are watched."""
    _looked_once()
    with seeded(), one_thread(), without_collector(), no_words(), folder_for(lines) as folder, no_hooks_left():
        names = {function: getattr(module, function), "os": os, "folder": folder}
        names["collect"] = lambda: gc.collect(0)
        names["open_files"] = open_files
        return execute(seeding(placed(lines, device), device), watched, names)


@runs(lambda function, lines, watched, device: (function, placed(lines, device)))
def measured(module: ModuleType, function: str, lines: Lines, watched: Lines, device: str) -> Any:
    """Run the lines, and measure the second time: what is made only once is no part of it.

    Now and then a table of Python's own grows, such as that of all weak references; so what is too much has to be so
    three times.
    """
    program(module, function, lines, watched, device)
    for _ in range(3):
        values = program(module, function, lines, watched, device)
        if not any(over for name, over in values.items() if "python" in name):
            break
    return values


@contextlib.contextmanager
def folder_for(lines: Lines) -> Iterator[str]:
    """An empty folder where the lines name it, else nothing."""
    if not any("folder" in line for line in lines):
        yield ""
        return
    with none_left_open(), tempfile.TemporaryDirectory(prefix="dojo-") as folder:
        try:
            yield folder
        except Exception as error:
            forget(error)
            raise
        finally:
            gc.collect(0)  # the program's functions and its names hold each other, and a graph may hold files


def open_files(inodes: list[int]) -> int:
    """Count the descriptors that are open on these files of the temporary folder, removed or not."""
    return sum(status.st_ino in inodes for status in _descriptors().values())


@contextlib.contextmanager
def none_left_open() -> Iterator[None]:
    """Close what is left open of removed files, except by Python's own objects: a process has few descriptors."""
    before = _descriptors()
    try:
        yield
    finally:
        left = {number for number, status in _descriptors().items() if not status.st_nlink} - before.keys()
        if left:
            left -= {file.fileno() for file in gc.get_objects() if type(file) is io.FileIO and not file.closed}
        for number in left:
            os.close(number)


def _descriptors() -> dict[int, os.stat_result]:
    """Return what is known of each file that is open on the device of the temporary folder."""
    device = os.stat(tempfile.gettempdir()).st_dev
    found = {}
    for number in range(DESCRIPTORS):
        with contextlib.suppress(OSError):
            status = os.fstat(number)
            if status.st_dev == device and stat.S_ISREG(status.st_mode):
                found[number] = status
    return found


@contextlib.contextmanager
def no_hooks_left() -> Iterator[None]:
    """Hooks on what is saved that a program has left on are taken off: they would be there for all others."""
    top: Any = torch._C._autograd._top_saved_tensors_default_hooks
    before = top(False)
    try:
        yield
    finally:
        while (now := top(False)) and now != before:
            torch._C._autograd._pop_saved_tensors_default_hooks()


def forget(error: BaseException | None) -> None:
    """Let go of what a program has made that raised: files of a graph go while their folder is there."""
    while error is not None:
        for frame, _ in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename == "<string>":
                frame.f_globals.clear()
        traceback.clear_frames(error.__traceback__)
        error = error.__context__


@contextlib.contextmanager
def no_words() -> Iterator[None]:
    """Inside, nothing is printed of what a `__del__` raises: whether the files are gone is asked by the properties."""
    before = sys.unraisablehook
    sys.unraisablehook = lambda _: None
    try:
        yield
    finally:
        sys.unraisablehook = before


@functools.cache
def _looked_once() -> None:
    """Make what the first look at what is alive makes."""
    with Alive():
        torch.ones(1)


def warm_up() -> None:
    """Make what the first backward and the first look at what is alive make."""
    import_the_rest()
    x = torch.ones(1, 1, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t), Alive():
        y = (x @ x).exp()
    y.sum().backward()
