"""`dojo new 23_my_topic f g`: write the skeleton of a kata. `dojo check 23` says what is still to be written."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence

from dojo.catalog import ROOT, katas
from dojo.tools import CommandError
from dojo.tools.skeleton import files


def new(name: str, functions: Sequence[str]) -> list[str]:
    """Write the skeleton, and return the paths of its files. Raise CommandError if a name is not allowed or taken."""
    found = re.fullmatch(r"([0-9]{1,2})_([a-z][a-z0-9]*(?:_[a-z0-9]+)*)", name)
    if found is None or not int(found[1]) or keyword.iskeyword(found[2]):
        raise CommandError(f"a kata must be a number from 1 to 99 and a topic, such as 23_my_topic, got {name!r}")
    number, topic = f"{int(found[1]):02}", found[2]
    functions = functions or [topic]
    for function in functions:
        if not function.isidentifier() or keyword.iskeyword(function) or function.startswith("_") or function == "run":
            raise CommandError(f"a function must be a public Python name other than 'run', got {function!r}")
    if len(set(functions)) < len(functions):
        raise CommandError(f"the functions must differ, got {', '.join(functions)}")
    for kata in katas().values():
        if kata.number == number or kata.filename == f"{topic}.py":
            raise CommandError(f"{kata.slug} already exists")
    texts = {ROOT / place: text for place, text in files(number, topic, functions).items()}
    for path in texts:
        if path.exists():
            raise CommandError(f"{path.relative_to(ROOT)} already exists")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [str(path.relative_to(ROOT)) for path in texts]
