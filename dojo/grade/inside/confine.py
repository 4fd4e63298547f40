"""Confinement of a jail's process, before any untrusted code runs in it.

This module imports the standard library only, since no file of the clone is in the jail.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import os
import resource
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any

from dojo.grade.inside import landlock, namespaces, reaper

REQUESTS, ANSWERS = 3, 4
"""The descriptors inside, in addition to 0, 1 and 2."""
HIGH = 64
"""Higher than any descriptor that the jail starts with."""

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 36, 38
SECCOMP_MODE_FILTER = 2
SIGKILL = 9

_libc = ctypes.CDLL(None, use_errno=True)
_sites: list[str] = []
_readable: list[str] = []


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


class Without:
    """A finder that wraps another one and hides absent modules."""

    def __init__(self, finder: Any, absent: Sequence[str]) -> None:
        self.finder = finder
        self.absent = absent

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        """Find a module; None if it is absent."""
        return None if name in self.absent else self.finder.find_spec(name, path, target)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.finder, name)


class Memory(MetaPathFinder):
    """A finder of the modules that the judge has sent, which have no file."""

    def __init__(self, codes: dict[str, CodeType | None]) -> None:
        self.codes = codes

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        """Return the spec of a module that was sent; None for any other module."""
        if name not in self.codes:
            return None
        package = any(other.startswith(f"{name}.") for other in self.codes)
        return ModuleSpec(name, self, is_package=package)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Let Python create the module."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code; a package has none."""
        code = self.codes[module.__name__]
        if code is not None:
            module.__file__ = code.co_filename
            exec(code, module.__dict__)


def start(spec: dict[str, Any]) -> None:
    """Confine this process to the spec, then call its main."""
    enter(spec)
    others: list[Any] = [Without(finder, spec["absent"]) if spec["absent"] else finder for finder in sys.meta_path]
    sys.meta_path[:] = [Memory(spec["modules"]), *others]
    module, _, function = spec["main"].partition(":")
    getattr(importlib.import_module(module), function)(REQUESTS, ANSWERS)


def enter(spec: dict[str, Any]) -> None:
    """Give up everything that the spec does not grant."""
    sys.path += spec["sites"]
    _sites[:], _readable[:] = spec["sites"], [*spec["read"], *spec["write"]]
    if spec["lifeline"] >= 0:
        reaper.fork(spec["lifeline"], spec["held"], spec["uid"], spec["folder"])
        _prctl(PR_SET_PDEATHSIG, SIGKILL)
    _descriptors(spec["requests"], spec["answers"])
    os.environ.update(spec["environment"])
    for kind, soft, hard in spec["rlimits"]:
        resource.setrlimit(kind, (soft, hard))
    if spec["uid"]:
        if spec["namespaces"]:
            namespaces.keep_capabilities()
        os.setgroups([])
        os.setresgid(*[spec["uid"]] * 3)
        os.setresuid(*[spec["uid"]] * 3)
        _prctl(PR_SET_PDEATHSIG, SIGKILL)  # a change of uid clears it
    if spec["namespaces"]:
        namespaces.keep()
    os.chdir(spec["work"])
    if spec["filter"]:
        _prctl(PR_SET_DUMPABLE, 0)
        _prctl(PR_SET_CHILD_SUBREAPER, 1)
        _prctl(PR_SET_NO_NEW_PRIVS, 1)
        rules = [(path, landlock.READ) for root in spec["read"] for path in landlock.around(root, spec["hidden"])]
        rules += [(path, landlock.READ_DIR) for path in spec["listed"]]
        rules += [(path, landlock.READ_FILE | landlock.WRITE_FILE | landlock.IOCTL) for path in spec["devices"]]
        rules += [(path, landlock.WORK) for path in spec["write"]]
        landlock.restrict(rules)
        os.access = _access([*spec["write"], *spec["devices"]])
        _add_filter(spec["filter"])
        _last.append(spec["last"])
    _confined.append(bool(spec["filter"]))


_confined: list[bool] = []


def confined() -> bool:
    """Return whether this process is in a jail; at the level none it is not."""
    return any(_confined)


_last: list[bytes] = []


def confine_no_further() -> None:
    """Give up the right to confine this process further, before untrusted code runs in it: rules take memory."""
    if _last:
        _add_filter(_last[0])


def _add_filter(program: bytes) -> None:
    instructions = _Program(len(program) // 8, program)  # of 8 bytes each
    _prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(instructions))


def hide(paths: tuple[str, ...]) -> None:
    """Make files or folders unreadable for this process and its children, for good.

    The paths are relative to site-packages: "torch/optim/sgd.py", "torch/autograd". The compiled files of a module
    are hidden with it. Modules imported before stay in memory. At the level none, nothing is hidden.
    """
    if confined():
        landlock.restrict_reading(readable_without(paths))


@functools.cache
def readable_without(paths: tuple[str, ...]) -> list[str]:
    """List the largest readable files and folders that contain none of these paths."""
    hidden = [os.path.join(site, path) for site in _sites for path in paths]
    for path in [path for path in hidden if path.endswith(".py")]:
        cache = os.path.join(os.path.dirname(path), "__pycache__")
        stem = f"{os.path.basename(path).removesuffix('.py')}."
        if os.path.isdir(cache):
            hidden += [os.path.join(cache, name) for name in os.listdir(cache) if name.startswith(stem)]
    return [path for root in _readable for path in landlock.around(root, hidden)]


def _access(writable: Sequence[str]) -> Any:
    """Wrap os.access, for which the kernel ignores Landlock."""
    real = os.access

    def access(path: Any, mode: int, **named: Any) -> bool:
        if mode & os.W_OK:
            wanted = os.path.realpath(os.fsdecode(path))
            if not any(wanted == place or wanted.startswith(f"{place}/") for place in writable):
                return False
        return real(path, mode, **named)

    return access


def _descriptors(requests: int, answers: int) -> None:
    """Close all descriptors but 0 to 4, whatever the judge or bubblewrap had open."""
    null = os.open(os.devnull, os.O_RDWR)
    for place, fd in enumerate((null, requests, answers)):
        os.dup2(fd, HIGH + place)
    for place, fd in zip((0, REQUESTS, ANSWERS), range(HIGH, HIGH + 3), strict=True):
        os.dup2(fd, place, inheritable=False)
    os.closerange(ANSWERS + 1, 2**31 - 1)


def _prctl(option: int, *values: Any) -> None:
    if _libc.prctl(option, *values, *[0] * (4 - len(values))) < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"prctl {option}: {os.strerror(error)}")
