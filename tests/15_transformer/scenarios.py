"""A call, and what is left of its config."""

from __future__ import annotations

import contextlib
from types import ModuleType
from typing import Any

from dojo.seam.scenario import runs

Config = dict[str, Any]

Arguments = tuple[Any, ...]
"""A config, and what stands behind it in a call."""


def _program(function: str, config: Config, sizes: tuple[int, ...]) -> tuple[str, list[str]]:
    given = ", ".join(["config", *map(str, sizes)])
    return function, [f"config = {config}", f"{function}({given})", "config"]


def _refused(function: str, config: Config, sizes: tuple[int, ...]) -> tuple[str, list[str]]:
    _, [first, call, last] = _program(function, config, sizes)
    return function, [first, "try:", f"    {call}", "except ValueError:", "    pass", last]


@runs(_program)
def config_after(module: ModuleType, function: str, config: Config, sizes: tuple[int, ...]) -> Config:
    """The config after the call."""
    given = dict(config)
    getattr(module, function)(given, *sizes)
    return given


@runs(_refused)
def config_after_refusal(module: ModuleType, function: str, config: Config, sizes: tuple[int, ...]) -> Config:
    """The config after a call that is refused."""
    given = dict(config)
    with contextlib.suppress(ValueError):
        getattr(module, function)(given, *sizes)
    return given


def _two_calls(function: str, first: Arguments, second: Arguments) -> tuple[str, list[str]]:
    _, [known, call, _] = _program(function, first[0], first[1:])
    other = {name: value for name, value in second[0].items() if value != first[0][name]}
    given = ", ".join([f"config | {other}" if other else "config", *map(str, second[1:])])
    return function, [known, call, f"{function}({given})"]


@runs(_two_calls)
def second_answer(module: ModuleType, function: str, first: Arguments, second: Arguments) -> Any:
    """The answer to the second of two calls."""
    called = getattr(module, function)
    called(dict(first[0]), *first[1:])
    return called(dict(second[0]), *second[1:])
