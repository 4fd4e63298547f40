"""The Python that a jail runs, and its packages."""

from __future__ import annotations

import functools
import importlib.util
import os
import shutil
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from dojo.grade.jail.scratch import reachable, scratch

TORCH = ("torch", "torchgen", "functorch")
UNUSED = ("site-packages", "dist-packages", "test", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3")


@dataclass(frozen=True)
class Runtime:
    """The paths of a Python."""

    program: Path
    lib: Path
    """The folder above the standard library."""
    stdlib: Path


def installed() -> Runtime:
    """Find the Python that runs this, without a virtual environment."""
    program = Path(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
    stdlib = Path(os.path.realpath(sysconfig.get_path("stdlib")))
    return Runtime(program, stdlib.parent, stdlib)


@functools.cache
def copied() -> Runtime:
    """Copy that Python to a folder that another user may enter, for as long as this process lives."""
    here = installed()
    top = scratch()
    lib = top / here.lib.name
    shutil.copytree(here.stdlib, lib / here.stdlib.name, ignore=shutil.ignore_patterns(*UNUSED, "config-*"))
    for library in here.lib.glob("lib*.so*"):
        shutil.copy2(library, lib / library.name)
    program = top / "bin" / here.program.name
    program.parent.mkdir()
    shutil.copy2(here.program, program)
    for path in (top, program.parent, lib):
        path.chmod(0o755)
    return Runtime(program, lib, lib / here.stdlib.name)


def runtime(*, other_user: bool) -> Runtime:
    """Return the Python for a jail: a copy if another user cannot reach the installed one."""
    here = installed()
    if other_user and not (reachable(here.program) and reachable(here.stdlib)):
        return copied()
    return here


@functools.cache
def sites() -> tuple[Path, ...]:
    """Find the folders with torch, numpy and safetensors."""
    found = [importlib.util.find_spec(name) for name in ("torch", "numpy", "safetensors")]
    folders = [Path(os.path.realpath(spec.origin)).parent.parent for spec in found if spec and spec.origin]
    return tuple(dict.fromkeys(folders))


@functools.cache
def library_bytes() -> int:
    """Return the bytes of the shared libraries of torch, and of CUDA if its packages are beside it."""
    folders = [site / name for site in sites() for name in ("torch", "nvidia")]
    return sum(path.stat().st_size for folder in folders for path in folder.rglob("*.so*"))


def torch_parts() -> list[Path]:
    """List the paths of torch in those folders."""
    return [
        path
        for site in sites()
        for path in sorted(site.iterdir())
        if path.name in TORCH or (path.name.startswith("torch-") and path.suffix == ".dist-info")
    ]
