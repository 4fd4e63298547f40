"""Programs about what outlives a call: the list that it was given, and what it returned."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from dojo.seam.data import shown
from dojo.seam.scenario import runs

from .formats import Format


def _with_a_list(function: str, name: str, items: list[Any], before: list[Any], after: list[Any]) -> list[str]:
    arguments = [*map(shown, before), name, *map(shown, after)]
    return [f"{name} = {shown(items)}", f"{function}({', '.join(arguments)})"]


@runs(lambda function, *given: (function, _with_a_list(function, *given)))
def with_a_list(
    module: ModuleType, function: str, name: str, items: list[Any], before: list[Any], after: list[Any]
) -> dict[str, Any]:
    """The list of this name as a call has left it, among the arguments that come before and after it."""
    getattr(module, function)(*before, items, *after)
    return {name: items}


@runs(lambda fmt, other: ("limits", [f"first = limits({shown(fmt)})", f"second = limits({shown(other)})"]))
def two_limits(module: ModuleType, fmt: Format, other: Format) -> dict[str, Any]:
    """What the first of two calls returned, when the second is over."""
    first = module.limits(fmt)
    module.limits(other)
    return {"first": first}
