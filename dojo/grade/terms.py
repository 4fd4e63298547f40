"""What a machine must have to grade for another one, and what one that differs says."""

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
"""Digits of a digest that are shown."""


@dataclass(frozen=True)
class Terms:
    """What has to be the same, by its name, and the isolation that a machine has to provide."""

    same: dict[str, str]
    slugs: tuple[str, ...]
    isolation: str
    require: str | None
    device: str


def terms(order: Order) -> Terms:
    """Return what this machine has, as the terms for all others."""
    return Terms(_facts(order.slugs, order.limits), order.slugs, order.level, order.require, order.device)


def differences(terms: Terms, threads: int = 1) -> str:
    """Say in one line what of this process, with so many threads for jobs, is not the same; "" if all is."""
    try:
        mine = _facts(terms.slugs, settings()) | {"threads": str(threads)}
    except (OSError, ValueError) as error:
        return str(error)
    theirs = terms.same | {"threads": "1"}
    return ", ".join(f"{name} {mine[name]} instead of {has}" for name, has in theirs.items() if mine[name] != has)


def refusal(terms: Terms, threads: int) -> str:
    """Say in one line why this process does not grade on these terms; "" if it does."""
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
    """The code that judges each kata as it was when it was loaded: files may change under a worker, which does not."""
    return {slug: sources((slug,)) for slug in katas()}
