"""`dojo doctor`: find problems of the installation and a remedy for each, without importing torch or pytest."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

from rich.console import Console
from rich.text import Text

from dojo.catalog import IS_CLONE, ROOT, TREES, CatalogError, check_version, katas, laid_out_by
from dojo.report.console import pairs
from dojo.seam.learner_file import nearby

INSTALL = f"pip install -e {quote(str(ROOT))}" if IS_CLONE else "pip install --force-reinstall torch-dojo"
FRESH = f"get that file back from {'a fresh clone' if IS_CLONE else 'a folder that dojo init makes'}"
ASK_TORCH = """
import json, torch
report = {"version": torch.__version__, "built": torch.version.cuda, "devices": [], "trouble": ""}
if torch.cuda.is_available():
    try:
        report["devices"] = [torch.cuda.get_device_name(at) for at in range(torch.cuda.device_count())]
        torch.ones(2, device="cuda").sum().item()
    except Exception as error:
        report["trouble"] = str(error).partition(chr(10))[0]
print(json.dumps(report))
"""
PATIENCE = 120
"""Seconds that importing torch may take."""


@dataclass(frozen=True)
class Found:
    """The outcome of one check."""

    what: str
    how: str
    remedy: str = ""
    """What to do about it, if it is a problem."""


def look() -> Iterator[Found]:
    """Check everything that commands and verdicts depend on."""
    if IS_CLONE and not (ROOT / "pyproject.toml").exists():
        yield Found("dojo", f"{ROOT} is not a clone", "run pip install -e . in a clone")
        return
    if not IS_CLONE:
        try:
            check_version()
        except CatalogError as error:
            how, _, remedy = str(error).rpartition(": ")
            yield Found("dojo", how, remedy)
            return
    for check in (_python, _packages, _torch, _install, _pytest, _katas, _folders):
        yield from check()


def examine(console: Console) -> int:
    """Print all findings, and a remedy for each problem; return the number of problems."""
    problems = 0
    for found in look():
        problems += bool(found.remedy)
        pairs(console, [(found.what, Text(found.how, "bold red" if found.remedy else ""))])
        pairs(console, [("  do this", Text(found.remedy, "bold"))] if found.remedy else [])
    console.print(f"\n{problems or 'no'} problem{'s' * (problems > 1)} found")
    return problems


def _project() -> dict[str, Any]:
    """Read [project] of pyproject.toml, or the same data from the metadata of an installed wheel."""
    if not IS_CLONE:
        told = importlib.metadata.metadata("torch-dojo")
        plain = [line for line in told.get_all("Requires-Dist", []) if "extra ==" not in line]
        return {"requires-python": told["Requires-Python"], "dependencies": plain}
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def _python() -> Iterator[Found]:
    wanted = _project()["requires-python"]
    have = ".".join(map(str, sys.version_info[:3]))
    fits = sys.version_info >= tuple(int(part) for part in wanted.removeprefix(">=").split("."))
    remedy = "" if fits else f"create a virtual environment with Python {wanted}"
    yield Found("python", f"{have}, {sys.executable}", remedy)


def _packages() -> Iterator[Found]:
    try:
        from packaging.requirements import Requirement
    except ImportError:
        yield Found("packages", "packaging is missing", INSTALL)
        return
    wanted = [Requirement(line) for line in _project()["dependencies"]]
    troubled = False
    for package in wanted:
        try:
            version = importlib.metadata.version(package.name)
        except importlib.metadata.PackageNotFoundError:
            version = ""
        if not package.specifier.contains(version or "0", prereleases=True) or not version:
            troubled = True
            how = f"must be {package.specifier}, got {version}" if version else "is missing"
            yield Found("packages", f"{package.name} {how}", f"pip install '{package}'")
    if not troubled:
        yield Found("packages", f"{', '.join(package.name for package in wanted)}: installed, in range")


def _torch() -> Iterator[Found]:
    """Import torch in a separate process, since a damaged torch may crash."""
    try:
        importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return  # reported by _packages
    wanted = next(line for line in _project()["dependencies"] if line.startswith("torch"))
    again = f"pip install --force-reinstall '{wanted}'"
    try:
        ran = subprocess.run([sys.executable, "-c", ASK_TORCH], capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        yield Found("torch", f"did not start within {PATIENCE} s", again)
        return
    if ran.returncode != 0:
        last = (ran.stderr.strip().splitlines() or [f"status {ran.returncode}"])[-1]
        yield Found("torch", f"cannot be imported: {last}", again)
        return
    report = json.loads(ran.stdout.splitlines()[-1])
    yield Found("torch", report["version"])
    if report["trouble"]:
        leave_out = "run pytest katas --device cpu without CUDA; a newer driver may fix it"
        yield Found("cuda", f"built for {report['built']}, but does not work: {report['trouble']}", leave_out)
    elif report["devices"]:
        yield Found("cuda", f"{report['built']}, {', '.join(report['devices'])}")
    else:
        yield Found("cuda", "no device that this torch can use; the CPU is enough for everything but the CUDA checks")


def _install() -> Iterator[Found]:
    if not IS_CLONE:
        yield Found("dojo", f"{ROOT}, laid out by dojo init {laid_out_by(ROOT)}")
        return
    standing = Path.cwd()
    here = next((path for path in (standing, *standing.parents) if (path / "dojo" / "catalog.py").exists()), None)
    if here is not None and here.resolve() != ROOT:
        yield Found(
            "dojo", f"{ROOT}, but the current folder is in another clone, {here}", f"pip install -e {quote(str(here))}"
        )
    else:
        yield Found("dojo", f"{ROOT}, {'the current clone' if here else 'and the current folder is not in a clone'}")


def _pytest() -> Iterator[Found]:
    """Check that `pytest` on the PATH belongs to this Python."""
    found, folder = shutil.which("pytest"), Path(sys.executable).parent
    if found is not None and (Path(found).parent == folder or _names(Path(found), folder)):
        yield Found("pytest", found)
    else:
        remedy = f"source {quote(str(folder / 'activate'))}, or type {quote(sys.executable)} -m pytest"
        yield Found("pytest", f"{found} belongs to another Python" if found else "is not on the PATH", remedy)


def _names(script: Path, folder: Path) -> bool:
    """Return whether the first line of a script names the Python of this folder."""
    return bytes(folder) + b"/" in script.read_bytes().partition(b"\n")[0]


def _katas() -> Iterator[Found]:
    try:
        every = katas()
    except CatalogError as error:
        yield Found("katas", str(error), FRESH)
        return
    troubled = False
    for kata in every.values():
        for path in (kata.lesson, *(kata.source(ROOT / tree) for tree in TREES), kata.judge / "properties.py"):
            if not path.exists():
                troubled = True
                stub = path == kata.source(ROOT / "katas")
                remedy = f"dojo reset {kata.number}" if stub else FRESH
                yield Found("katas", f"{nearby(path)} is missing", remedy)
            elif path == kata.source(ROOT / "katas") and not os.access(path, os.W_OK):
                troubled = True
                yield Found("katas", f"{nearby(path)} cannot be written", f"chmod u+w {quote(nearby(path))}")
    if not troubled:
        yield Found("katas", f"{len(every)}, with all their files")


def _folders() -> Iterator[Found]:
    """Check the folders for verdicts, counts of hints and failing examples."""
    troubled = False
    for name in (".dojo", ".hypothesis"):
        try:
            (ROOT / name).mkdir(exist_ok=True)
            tempfile.TemporaryFile(dir=ROOT / name).close()
        except OSError as error:
            troubled = True
            remedy = f"make {ROOT / name} writable, or move it away"
            yield Found("folders", f"{name} cannot be written: {error.strerror}", remedy)
    if not troubled:
        yield Found("folders", ".dojo and .hypothesis can be written")
