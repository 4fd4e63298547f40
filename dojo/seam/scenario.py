"""Decorators for scenarios: which function a scenario is about, how it is typed, and where it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def calls(
    function: str, *, setup: Callable[..., list[str]] | None = None, returns_arguments: bool = False
) -> Callable[[Any], Any]:
    """Say which function a scenario calls, and how that call is typed.

    The scenario's own arguments fill the template, as in `@calls("first_function({0})")` or `@calls("{0}({1})")`.
    `setup` takes the same arguments and returns the lines that come before the call.

    returns_arguments: the scenario calls the function with tensors, and returns them as the call left them. A jail runs
    it outside the learner's process, so that no code can hide what it has changed.
    """

    def typed(*args: object) -> tuple[str, str, tuple[str, ...]]:
        call = function.format(*args)
        return call.partition("(")[0], call, tuple(setup(*args)) if setup else ()

    return _typed(typed, returns_arguments=returns_arguments)


def runs(
    program: Callable[..., tuple[str, list[str]]],
    uses: tuple[str, ...] = (),
    *,
    in_parts: bool = False,
    dear: bool = False,
    limits: Callable[..., Mapping[str, int]] | None = None,
) -> Callable[[Any], Any]:
    """Say that a scenario runs a program.

    `program` takes the same arguments, and returns the function (or class) that this is about, and the lines.
    `uses` names all functions that the program needs; if it is about "", they answer for it together.
    in_parts: the scenario gets a `Parts` in place of the learner's module, and runs beside the judge.
    dear: it takes a second or more, so a diagnosis does without it if other calls are enough.
    limits: takes the same arguments, and returns the upper limit of each measured value, by name.
    """

    def typed(*args: object) -> tuple[str, str, tuple[str, ...]]:
        function, lines = program(*args)
        return function, "\n".join(lines), ()

    return _typed(typed, uses, in_parts=in_parts, dear=dear, limits=limits)


def _typed(
    typed: Callable[..., tuple[str, str, tuple[str, ...]]],
    uses: tuple[str, ...] = (),
    *,
    returns_arguments: bool = False,
    in_parts: bool = False,
    dear: bool = False,
    limits: Callable[..., Mapping[str, int]] | None = None,
) -> Callable[[Any], Any]:
    def mark(scenario: Any) -> Any:
        scenario.typed = typed
        scenario.uses = uses
        scenario.returns_arguments = returns_arguments
        scenario.in_parts = in_parts
        scenario.dear = dear
        scenario.limits = limits
        return scenario

    return mark
