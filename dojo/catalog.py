"""The katas of this clone, or of the folder that `dojo init` laid out, read from katas/*/kata.toml."""

from __future__ import annotations

import functools
import re
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dojo.forbidden import TABLE

TREES = ("katas", "solutions")

LAID_OUT = Path(__file__).resolve().with_name("laid_out")
"""What `dojo init` lays out, if the dojo was installed from a wheel; a clone has no such folder."""

IS_CLONE = not LAID_OUT.is_dir()


def laid_out_by(folder: Path) -> str | None:
    """Return the version of the dojo that laid this folder out; None if none did."""
    try:
        text = (folder / "pyproject.toml").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
    # Not parsed, so that the folder is found even with a slip in the settings below.
    found = re.search(r'^\[tool\.dojo\]\nversion = "([^"\n]+)"', text, re.MULTILINE)
    return found[1] if found else None


def _root() -> Path:
    """Return the clone; without one, the laid-out folder on the path, or the one around the current folder."""
    if IS_CLONE:
        return LAID_OUT.parent.parent
    here = Path.cwd()
    folders = (*map(Path, sys.path), here, *here.parents)  # pytest puts the folder with its settings on the path
    return next((folder.resolve() for folder in folders if laid_out_by(folder)), here)


ROOT = _root()
"""The folder with katas/, solutions/ and tests/: a clone, or what `dojo init` laid out."""

ROUTES = {
    "memory": "What fits: bytes of tensors, states and activations, and how to get by with fewer",
    "compute": "What it takes: FLOPs, kernels, and how close they come to the machine's peak",
    "systems": "What a whole training run consists of, on one GPU and on many",
}
"""The routes through the katas, and what each teaches."""


class CatalogError(Exception):
    """A kata.toml that cannot be used, or a kata that does not exist."""


@dataclass(frozen=True)
class Function:
    """One function (or class) of a kata, as in kata.toml."""

    name: str
    title: str
    points: int
    hints: tuple[str, ...]


@dataclass(frozen=True)
class Kata:
    """One kata."""

    slug: str
    """Its name: `03_flops`."""
    title: str
    question: str
    forbidden: tuple[str, ...]
    functions: dict[str, Function]
    """By name, in the order to write them."""
    after: tuple[str, ...] = ()
    """The numbers of the katas whose lessons it takes as known; it does not need their answers."""
    routes: tuple[str, ...] = ()
    """The ROUTES that it is on."""
    imports: tuple[str, ...] = ()
    """Modules that its jail imports once, because otherwise every process of an answer would import them."""

    @property
    def number(self) -> str:
        """`03` of `03_flops`."""
        return self.slug.partition("_")[0]

    @property
    def filename(self) -> str:
        """`flops.py` of `03_flops`."""
        return f"{self.slug.partition('_')[2]}.py"

    def function(self, name: str) -> Function:
        """Return one of its functions; CatalogError suggests a close match, or lists all."""
        if name in self.functions:
            return self.functions[name]
        near = _near(name, self.functions)
        raise CatalogError(f"{self.slug} has no function {name!r}: {_instead(near, self.functions)}")

    def source(self, tree: Path) -> Path:
        """Return the path of the answers in a tree: TREE/03_flops/flops.py."""
        return tree / self.slug / self.filename

    @property
    def lesson(self) -> Path:
        """The README.md beside the stub."""
        return ROOT / "katas" / self.slug / "README.md"

    def module(self, tree: str) -> str:
        """Return the dotted name of the answers in a tree: `solutions.03_flops.flops`."""
        return f"{tree}.{self.slug}.{self.filename.removesuffix('.py')}"

    @property
    def judge(self) -> Path:
        """The folder with everything that judges this kata: tests/03_flops."""
        return ROOT / "tests" / self.slug

    def part(self, name: str) -> str:
        """Return the dotted name of a module of the judging folder: `tests.03_flops.properties`."""
        return f"tests.{self.slug}.{name}"


def read(path: Path) -> Kata:
    """Read one kata.toml; CatalogError names the file and what is wrong with it."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        functions = {
            name: Function(name, entry["title"], entry["points"], tuple(entry["hints"]))
            for name, entry in table["functions"].items()
        }
        for name in functions:
            if name == "run" or name.startswith("_"):
                raise CatalogError(f"{path} has a function {name!r}; it may not be 'run', nor begin with an underscore")
        forbidden = tuple(table.get("forbidden", ()))
        unknown = [entry for entry in forbidden if entry not in TABLE]
        if unknown:
            raise CatalogError(
                f"{path} forbids {unknown[0]!r}, which is not an entry of dojo/forbidden.py: {', '.join(TABLE)}"
            )
        after, routes = tuple(table.get("after", ())), tuple(table.get("routes", ()))
        for number in after:
            if not re.fullmatch(r"\d\d", number) or number >= path.parent.name[:2]:
                raise CatalogError(
                    f"{path} comes after {number!r}; expected the number of an earlier kata, such as '01'"
                )
        for route in routes:
            if route not in ROUTES:
                raise CatalogError(f"{path} lies on the route {route!r}; expected some of {', '.join(ROUTES)}")
        imports = tuple(table.get("imports", ()))
        return Kata(path.parent.name, table["title"], table["question"], forbidden, functions, after, routes, imports)
    except KeyError as missing:
        raise CatalogError(f"{path} has no entry {missing}") from None
    except tomllib.TOMLDecodeError as error:
        raise CatalogError(f"{path} is not valid TOML: {error}") from None
    except (AttributeError, TypeError) as error:
        raise CatalogError(f"{path} has an entry of the wrong type: {error}") from None


@functools.cache
def katas() -> dict[str, Kata]:
    """Read every kata, by name, in order."""
    if not IS_CLONE:
        check_version()
    found = {path.parent.name: read(path) for path in sorted(ROOT.glob("katas/*/kata.toml"))}
    if not found:
        raise CatalogError(f"no katas in {ROOT / 'katas'}: run `pip install -e .` in a clone")
    return found


def check_version() -> None:
    """Raise CatalogError unless this installed dojo laid out the folder: the judging files must match its version."""
    from importlib.metadata import version  # a clone does without

    then, now = laid_out_by(ROOT), version("torch-dojo")
    if then is None:
        raise CatalogError(f"no katas in {ROOT}: run dojo init DIR, and then cd DIR")
    if then != now:
        raise CatalogError(
            f"{ROOT} was laid out by torch-dojo {then}, and {now} is installed: pip install torch-dojo=={then}, "
            "or run dojo init with another folder and copy your answers to it"
        )


def check_clone(command: str) -> None:
    """Raise CatalogError unless this dojo belongs to a clone."""
    if not IS_CLONE:
        raise CatalogError(f"dojo {command} needs a clone of torch-dojo, and this one was installed from a wheel")


def find(word: str) -> Kata:
    """Find a kata by `3`, `03`, `flops` or `03_flops`; CatalogError suggests a close match, or lists all."""
    named = {kata.slug: kata for kata in katas().values()}
    named |= {slug.partition("_")[2]: kata for slug, kata in named.items()}
    if word in named:
        return named[word]
    for slug, kata in katas().items():
        if word.isdecimal() and int(word) == int(kata.number):
            return kata
        if word in kata.functions:
            raise CatalogError(f"unknown kata {word!r}: it is a function of {slug}")
    near = _near(word, named)
    raise CatalogError(f"unknown kata {word!r}: {_instead(near and named[near].slug, katas())}")


def select(words: str | None) -> list[Kata]:
    """Return the katas of a list such as `01,flops` or `memory,23`, in order; all without a list.

    Raise CatalogError if a word is neither a kata nor a route.
    """
    chosen = set[str]()
    for word in words.split(",") if words else ():
        route = [kata.slug for kata in katas().values() if word.strip() in kata.routes]
        chosen.update(route or [find(word.strip()).slug])
    return [kata for kata in katas().values() if kata.slug in chosen or not words]


def chosen(word: str | None) -> list[Kata]:
    """Return one kata as `find` does; all without a word."""
    return [find(word)] if word else list(katas().values())


def _instead(near: str | None, names: Iterable[str]) -> str:
    return f"did you mean {near}?" if near else f"expected one of {', '.join(names)}"


def _near(word: str, names: Iterable[str]) -> str | None:
    import difflib  # only after a slip

    return next(iter(difflib.get_close_matches(word, names, n=1)), None)
