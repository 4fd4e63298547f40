"""A call, and what is left of its config."""

from __future__ import annotations

import contextlib
from types import ModuleType
from typing import Any

from dojo.seam.scenario import runs

Config = dict[str, Any]


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
