"""A copy of this clone in a folder of its own, to be spoiled, and pytest and dojo run on it as a learner would."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from dojo.catalog import ROOT

BIN = Path(sys.executable).parent
FILES = ("README.md", "GRADING.md", "AGENTS.md", "Dockerfile", "pyproject.toml", "conftest.py")
FOLDERS = (".devcontainer", ".github", ".vscode", "benchmarks", "dojo", "katas", "solutions", "tests")


@dataclass(frozen=True)
class Ran:
    """What a run printed, and its exit status."""

    status: int
    out: str

    def line_of(self, function: str) -> str:
        """The line of the table for one function, less its name."""
        found = re.search(rf"^  {function} +(.+)$", self.out, re.MULTILINE)
        assert found, f"no line for {function} in:\n{self.out}"
        return found[1]

    def block_of(self, title: str) -> str:
        """The block under a title such as `03_flops · mfu`."""
        _, found, rest = self.out.partition(f"\n{title}\n")
        assert found, f"no block {title} in:\n{self.out}"
        return rest.partition("\n\n")[0]


@dataclass(frozen=True)
class Clone:
    """A copy of the clone at `root`."""

    root: Path

    def answers(self, slug: str, tree: str = "katas") -> Path:
        """The file with the answers to a kata."""
        return self.root / tree / slug / f"{slug.partition('_')[2]}.py"

    def solve(self, slug: str) -> str:
        """Put the solution in the place of the stub, and return its text."""
        text = self.answers(slug, "solutions").read_text(encoding="utf-8")
        self.answers(slug).write_text(text, encoding="utf-8")
        return text

    def spoil(self, slug: str, old: str, new: str) -> None:
        """Replace one piece of the answers, which must be there."""
        text = self.answers(slug).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {slug}"
        self.answers(slug).write_text(text.replace(old, new), encoding="utf-8")

    def pytest(self, *arguments: str, folder: Path | None = None, module: bool = False) -> Ran:
        """Run pytest (or `python -m pytest`) in the clone, or in another folder, 80 columns wide and without colour."""
        script = [sys.executable, "-m", "pytest"] if module else [str(BIN / "pytest")]
        return _ran([*script, *arguments], folder or self.root, {})

    def dojo(self, *arguments: str, folder: Path | None = None, **environment: str) -> Ran:
        """Run the clone's own `dojo` in the clone, or in another folder, in the same way."""
        environment = {"PYTHONPATH": str(self.root), **environment}
        return _ran([str(BIN / "dojo"), *arguments], folder or self.root, environment)

    def python(self, *arguments: str) -> Ran:
        """Run Python with the clone's own modules."""
        return _ran([sys.executable, *arguments], self.root, {"PYTHONPATH": str(self.root)})


def _ran(command: list[str], folder: Path, environment: dict[str, str]) -> Ran:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST", "COLUMNS", "PYTHONDONTWRITEBYTECODE"))
    }
    environment = {**kept, "COLUMNS": "80", **environment}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return Ran(done.returncode, done.stdout + done.stderr)


def make(folder: Path) -> Clone:
    """A clone below this folder, under a path with a space in it."""
    root = folder / "my dojo"
    root.mkdir()
    for name in FILES:
        shutil.copy(ROOT / name, root / name)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    return Clone(root)
