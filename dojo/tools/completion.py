"""What the shell offers for the names of katas and functions."""

from __future__ import annotations

import typer

from dojo.catalog import CatalogError, find, katas


def kata_names(incomplete: str) -> list[str]:
    """The katas that begin so: by number, or by what comes behind it."""
    try:
        names = [name for slug in katas() for name in (slug, slug.partition("_")[2])]
    except CatalogError:
        return []
    return [name for name in names if name.startswith(incomplete) and (incomplete or name[0].isdecimal())]


def function_names(context: typer.Context, incomplete: str) -> list[str]:
    """The functions of the kata before it that begin so."""
    try:
        return [name for name in find(context.params.get("kata") or "").functions if name.startswith(incomplete)]
    except CatalogError:
        return []
