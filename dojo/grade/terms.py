"""What a machine must have in common with the one it grades for, and messages about differences."""

from __future__ import annotations

import functools
import hashlib
import platform
from dataclasses import asdict, dataclass
from importlib.metadata import version

from dojo.catalog import katas
from dojo.grade.command_grade import NoGrade, level_for
from dojo.grade.jail.limits import Limits, settings
from dojo.grade.order import PACKAGES, Order, sources

SHOWN = 12
"""How many digits of a digest are shown."""


@dataclass(frozen=True)
class Terms:
    """Facts that must be the same, by name, and the isolation that a machine must provide."""

    same: dict[str, str]
    slugs: tuple[str, ...]
    isolation: str
    require: str | None
    device: str


def terms(order: Order) -> Terms:
    """Return the facts of this machine, as the terms for all others."""
    return Terms(_facts(order.slugs, order.limits), order.slugs, order.level, order.require, order.device)


def differences(terms: Terms, threads: int = 1) -> str:
    """Say in one line how this process, with this many threads for jobs, differs from the terms; "" if it does not."""
    try:
        mine = _facts(terms.slugs, settings()) | {"threads": str(threads)}
    except (OSError, ValueError) as error:
        return str(error)
    theirs = terms.same | {"threads": "1"}
    return ", ".join(f"{name} {mine[name]} instead of {has}" for name, has in theirs.items() if mine[name] != has)


def refusal(terms: Terms, threads: int) -> str:
    """Say in one line why this process cannot grade on these terms; "" if it can."""
    if differing := differences(terms, threads):
        return differing
    try:
        level_for(terms.isolation, terms.device, terms.require)
    except NoGrade as error:
        return str(error)
    return ""


def _facts(slugs: tuple[str, ...], limits: Limits) -> dict[str, str]:
    return {
        "clone": hashlib.sha256("".join(_loaded()[slug] for slug in slugs).encode()).hexdigest()[:SHOWN],
        "Python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
        **{f"limit {name}": str(value) for name, value in asdict(limits).items()},
    }


@functools.cache
def _loaded() -> dict[str, str]:
    """Return a digest of the code of each kata, computed once: files may change, but a worker keeps what it loaded."""
    return {slug: sources((slug,)) for slug in katas()}
