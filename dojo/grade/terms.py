"""What a machine must have to grade for another one, and what one that differs says."""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass
from importlib.metadata import version

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


def refusal(terms: Terms, threads: int = 1) -> str:
    """Say in one line why this process, with so many threads for jobs, does not grade on these terms; "" if it does."""
    try:
        mine = _facts(terms.slugs, settings()) | {"threads": str(threads)}
    except (OSError, ValueError) as error:
        return str(error)
    theirs = terms.same | {"threads": "1"}
    if differing := [f"{name} {mine[name]} instead of {has}" for name, has in theirs.items() if mine[name] != has]:
        return ", ".join(differing)
    try:
        level_for(terms.isolation, terms.device, terms.require)
    except NoGrade as error:
        return str(error)
    return ""


def _facts(slugs: tuple[str, ...], limits: Limits) -> dict[str, str]:
    return {
        "clone": sources(slugs)[:SHOWN],
        "Python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
        **{f"limit {name}": str(value) for name, value in asdict(limits).items()},
    }
