"""`dojo new 23 my_topic`: the skeleton of a kata in every room. `dojo check 23` says what to write next."""

from __future__ import annotations

import keyword
import re
from string import Template

from dojo.catalog import ROOT, katas
from dojo.tools import CommandError
from dojo.tools.skeleton import ROOMS


def new(number: str, name: str) -> list[str]:
    """Write the skeleton, and return the paths of its files. CommandError says why there can be none."""
    if not re.fullmatch(r"[0-9]{1,2}", number) or int(number) == 0:
        raise CommandError(f"a kata number must be 1 to 99, got {number!r}")
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise CommandError(f"a kata name must be a Python name such as my_topic, got {name!r}")
    if name == "run":
        raise CommandError("a kata's first function has its name, and a function cannot be called 'run'")
    for kata in katas().values():
        if int(kata.number) == int(number) or kata.filename == f"{name}.py":
            raise CommandError(f"{kata.slug} already exists")
    number = f"{int(number):02}"
    told = {"number": number, "name": name, "slug": f"{number}_{name}", "title": name.replace("_", " ").capitalize()}
    files = {ROOT / Template(place).substitute(told): Template(text).substitute(told) for place, text in ROOMS.items()}
    for path in files:
        if path.exists():
            raise CommandError(f"{path.relative_to(ROOT)} already exists")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [str(path.relative_to(ROOT)) for path in files]
