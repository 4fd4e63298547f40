"""Environments of their own: with what this one has but the dojo, or with the wheel that comes of the sdist."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from dojo.catalog import ROOT
from tests.dojo.clone import Ran


@dataclass(frozen=True)
class Installed:
    """An environment with nothing but the wheel; torch and the rest are those of this Python."""

    root: Path

    @property
    def packages(self) -> Path:
        """Where the wheel lies."""
        return Path(sysconfig.get_path("purelib", "venv", {"base": str(self.root)}))

    def run(self, *command: str, folder: Path) -> Ran:
        """Run a command of the environment in a folder, 80 columns wide and without colour."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
        environment = {**kept, "COLUMNS": "80", "PATH": f"{self.root / 'bin'}:/usr/bin:/bin"}
        program = [str(self.root / "bin" / command[0]), *command[1:]]
        done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True)
        return Ran(done.returncode, done.stdout + done.stderr)


SCRIPTS = {
    "pip": "import sys\nfrom pip._internal.cli.main import main\nsys.exit(main())\n",
    "pytest": "import sys\nimport pytest\nsys.exit(pytest.main())\n",
}


def fresh(root: Path) -> Installed:
    """Make an environment in which torch and the rest are this Python's, and the dojo is not installed."""
    here = Installed(root)
    _quietly("-m", "venv", "--without-pip", str(root), cwd=root.parent)
    # A .pth in the folder that is named here is not read: this Python's own dojo stays out.
    (here.packages / "outer.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    for name, code in SCRIPTS.items():
        script = root / "bin" / name
        script.write_text(f"#!{root / 'bin' / 'python'}\n{code}", encoding="utf-8")
        script.chmod(0o755)
    return here


def make(folder: Path) -> Installed:
    """Build the sdist, the wheel from it, and install that in a fresh environment below this folder."""
    _quietly("-m", "hatchling", "build", "-t", "sdist", "-d", str(folder), cwd=ROOT)
    _quietly("-m", "tarfile", "-e", str(next(folder.glob("*.tar.gz"))), str(folder / "sdist"), cwd=folder)
    _quietly("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=next((folder / "sdist").iterdir()))
    here = fresh(folder / "environment")
    wheel = str(next(folder.glob("*.whl")))
    ran = here.run("pip", "install", "--quiet", "--no-index", "--no-deps", "--no-compile", wheel, folder=folder)
    assert ran.status == 0, ran.out
    return here


def _quietly(*arguments: str, cwd: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
