"""A part on the learner's own machine, run by a Python that is started for it."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from dojo.catalog import ROOT, find
from dojo.seam.data import Error
from dojo.seam.forked import fresh_folder
from dojo.seam.learner_file import load
from dojo.seam.parts import Ending, Part, put, taken

CODE = "import sys; sys.path.insert(0, {!r}); from dojo.seam import fresh_python; fresh_python.main()"


def run(module: ModuleType, part: Part) -> Ending:
    """Run a part for its files: its result is lost. What it raises is told by its last line."""
    told = pickle.dumps((module.__name__, str(module.__file__), part.function, part.args))
    command = [sys.executable, "-W", "ignore", "-c", CODE.format(str(ROOT))]
    with fresh_folder() as folder:
        put(folder, part.files)
        ran = subprocess.run(command, input=told, capture_output=True, cwd=folder)
        lines = ran.stderr.decode(errors="replace").strip().splitlines()
        kind, _, message = (lines or ["Killed"])[-1].partition(": ")
        outcome = Error(kind, (kind, "Exception"), f"in a new Python: {message}") if ran.returncode else None
        return Ending(outcome, False, taken(folder))


def main() -> None:
    """What the new Python runs. A pickle may name the learner's module, so it has its name there."""
    name, file, function, args = pickle.loads(sys.stdin.buffer.read())
    folder = Path(file).parent
    function(load(find(folder.name), folder.parent, name).module, *args)
