"""`dojo new 23_my_topic f g`: the skeleton of a kata. `dojo check 23` says what is still to be written."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence

from dojo.catalog import ROOT, katas
from dojo.tools import CommandError
from dojo.tools.skeleton import files


def new(name: str, functions: Sequence[str]) -> list[str]:
    """Write the skeleton, and return the paths of its files; CommandError says why a kata cannot be called that."""
    found = re.fullmatch(r"([0-9]{1,2})_([a-z][a-z0-9]*(?:_[a-z0-9]+)*)", name)
    if found is None or not int(found[1]) or keyword.iskeyword(found[2]):
        raise CommandError(f"expected a number from 1 to 99 and a topic, such as 23_my_topic, and got {name!r}")
    number, topic = f"{int(found[1]):02}", found[2]
    functions = functions or [topic]
    for function in functions:
        if not function.isidentifier() or keyword.iskeyword(function) or function.startswith("_"):
            raise CommandError(f"expected the name of a public function, and got {function!r}")
    if len(set(functions)) < len(functions):
        raise CommandError(f"expected different functions, and got {', '.join(functions)}")
    for kata in katas().values():
        if kata.number == number or kata.filename == f"{topic}.py":
            raise CommandError(f"there is {kata.slug} already")
    texts = {ROOT / place: text for place, text in files(number, topic, functions).items()}
    for path in texts:
        if path.exists():
            raise CommandError(f"there is {path.relative_to(ROOT)} already")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [str(path.relative_to(ROOT)) for path in texts]
