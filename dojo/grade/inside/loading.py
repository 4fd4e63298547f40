"""In the jail: load a learner's file, and describe it to the judge."""

from __future__ import annotations

import linecache
import os
from importlib.util import decode_source
from pathlib import Path
from typing import Any

from dojo.catalog import Kata
from dojo.grade.inside.messages import LINE as LINE
from dojo.seam.learner_file import Answers, Compiled, Hash, compile_source, run


def compiled(kata: Kata, source: bytes) -> Compiled:
    """Compile the learner's file, which is only in memory, and keep its lines for readers such as torch.jit."""
    made = compile_source(kata.source(Path()), source)
    if made.code is not None:
        text = decode_source(source)
        for path in (str(made.path), os.path.abspath(made.path)):  # of functions, and of the module and its classes
            linecache.cache[path] = len(text), None, text.splitlines(keepends=True), path
    return made


def loaded(kata: Kata, file: Compiled, own_hash: Hash = hash) -> Answers:
    """Run the learner's file in this process. It sees `own_hash` as `hash`."""
    return run(file, kata, f"submission.{kata.slug}", own_hash=own_hash)


def told(kata: Kata, loaded: Answers) -> dict[str, Any]:
    """Describe a file to the judge: its trouble, its lines, its stubs, and which of the kata's names it has."""
    names = [name for name in kata.functions if loaded.module is not None and hasattr(loaded.module, name)]
    lines = {name: line for name, line in loaded.lines.items() if name in kata.functions}
    stubs = sorted(loaded.stubs & kata.functions.keys())
    return {"trouble": (loaded.trouble or "")[:LINE], "lines": lines, "stubs": stubs, "names": names}
