"""Shell completion for the names of katas and functions."""

from __future__ import annotations

from typing import Any

import typer

from dojo.catalog import CatalogError, find, katas


def kata_names(incomplete: str) -> list[str]:
    """Complete a kata by its number, or by the name after the number."""
    try:
        names = [name for slug in katas() for name in (slug, slug.partition("_")[2])]
    except CatalogError:
        return []
    return [name for name in names if name.startswith(incomplete) and (incomplete or name[0].isdecimal())]


def function_names(context: typer.Context, incomplete: str) -> list[str]:
    """Complete a function of the kata that the previous argument names."""
    try:
        return [name for name in find(context.params.get("kata") or "").functions if name.startswith(incomplete)]
    except CatalogError:
        return []


def function_argument(without: str) -> Any:
    """Return the argument for a function; `without` says what is taken if it is left out."""
    return typer.Argument(help=f"Function; {without} if left out.", autocompletion=function_names)
