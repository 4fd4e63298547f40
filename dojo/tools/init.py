"""`dojo init`: lay out the katas in a folder, for learners who have the wheel and no clone."""

from __future__ import annotations

import importlib.metadata
import shutil
from pathlib import Path
from shlex import quote

from dojo.catalog import IS_CLONE, LAID_OUT, ROOT, Kata, laid_out_by, read
from dojo.tools import CommandError

SETTINGS = """\
# Written by dojo init {version}: this file tells pytest and dojo where the katas are.

[tool.dojo]
version = "{version}"
# call_seconds = 60  # seconds of CPU after which a call is stopped; 20 if left out

[tool.pytest]
strict = true
testpaths = ["katas"]
addopts = ["--import-mode=importlib"]
pythonpath = ["."]
filterwarnings = ["error"]
"""


def init(folder: Path) -> str:
    """Lay out the katas in a new or empty folder. Return what to do next. Raise CommandError if that fails."""
    if IS_CLONE:
        raise CommandError(f"{ROOT} is a clone and has all that dojo init lays out: work in {ROOT / 'katas'}")
    version = importlib.metadata.version("torch-dojo")
    _check(folder, version)
    before = set(folder.iterdir()) if folder.is_dir() else set()
    try:
        katas = _fill(folder, version)
    except OSError as error:
        for path in set(folder.iterdir()) - before if folder.is_dir() else ():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        raise CommandError(f"{error.filename} cannot be written: {error.strerror}; nothing was laid out") from None
    return f"{len(katas)} katas are in {folder}\n  next  cd {quote(str(folder))} && dojo next"


def _check(folder: Path, version: str) -> None:
    """Raise CommandError unless the folder is missing or has only hidden files, such as .git and .venv."""
    then = laid_out_by(folder)
    if then == version:
        raise CommandError(f"{folder} was laid out before: nothing was changed; dojo reset restores a stub")
    if then is not None:
        raise CommandError(
            f"{folder} was laid out by torch-dojo {then}, and this is {version}: nothing was changed; "
            "run dojo init with another folder and copy your answers to it"
        )
    if folder.exists() and not folder.is_dir():
        raise CommandError(f"DIR must be a folder, got the file {folder}")
    there = sorted(path.name for path in folder.glob("*") if not path.name.startswith("."))
    if there:
        raise CommandError(f"{folder} must be new or empty, and has {there[0]} in it: nothing was changed")


def _fill(folder: Path, version: str) -> list[Kata]:
    """Write all files. The settings come last, because they mark the folder as complete."""
    katas = [read(path) for path in sorted(LAID_OUT.glob("katas/*/kata.toml"))]
    files = {folder / path.relative_to(LAID_OUT): path for path in LAID_OUT.rglob("*") if path.is_file()}
    files |= {kata.source(folder / "katas"): LAID_OUT / "tests" / kata.slug / "stub.py" for kata in katas}
    for target, source in files.items():
        if "__pycache__" not in target.parts and not target.exists():  # there may be a .gitignore already
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    (folder / "pyproject.toml").write_text(SETTINGS.format(version=version), encoding="utf-8")
    return katas
