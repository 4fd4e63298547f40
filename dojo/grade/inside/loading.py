"""In the jail: a learner's file, and what the judge hears of it."""

from __future__ import annotations

import linecache
import os
from importlib.util import decode_source
from pathlib import Path
from typing import Any

from dojo.catalog import Kata
from dojo.grade.inside.messages import LINE as LINE
from dojo.seam.learner_file import Answers, Compiled, compile_source, run


def compiled(kata: Kata, source: bytes) -> Compiled:
    """The learner's file, which is in memory alone; so are its lines, for whoever asks for them, as torch.jit does."""
    made = compile_source(kata.source(Path()), source)
    if made.code is not None:
        text = decode_source(source)
        for path in (str(made.path), os.path.abspath(made.path)):  # of functions, and of the module and its classes
            linecache.cache[path] = len(text), None, text.splitlines(keepends=True), path
    return made


def loaded(kata: Kata, file: Compiled) -> Answers:
    """The learner's file run, in this process."""
    return run(file, kata, f"submission.{kata.slug}")


def told(kata: Kata, loaded: Answers) -> dict[str, Any]:
    """What the judge hears of a file: its trouble, its lines, its stubs, and which of the kata's names it has."""
    names = [name for name in kata.functions if loaded.module is not None and hasattr(loaded.module, name)]
    lines = {name: line for name, line in loaded.lines.items() if name in kata.functions}
    stubs = sorted(loaded.stubs & kata.functions.keys())
    return {"trouble": (loaded.trouble or "")[:LINE], "lines": lines, "stubs": stubs, "names": names}
