"""Programs about what outlives a call: the list that it was given, and what it returned."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from dojo.seam.data import shown
from dojo.seam.scenario import runs


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


def _twice(function: str, given: tuple[Any, ...], other: tuple[Any, ...]) -> list[str]:
    calls = (f"{function}({', '.join(map(shown, arguments))})" for arguments in (given, other))
    return [f"{name} = {call}" for name, call in zip(("first", "second"), calls, strict=True)]


@runs(lambda function, given, other: (function, _twice(function, given, other)))
def two_calls(module: ModuleType, function: str, given: tuple[Any, ...], other: tuple[Any, ...]) -> dict[str, Any]:
    """What the first of two calls returned, when the second is over."""
    first = getattr(module, function)(*given)
    getattr(module, function)(*other)
    return {"first": first}
