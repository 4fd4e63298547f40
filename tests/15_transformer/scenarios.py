"""A call, and what is left of its config."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from dojo.seam.scenario import runs

Config = dict[str, Any]


def _program(function: str, config: Config, sizes: tuple[int, ...]) -> tuple[str, list[str]]:
    given = ", ".join(["config", *map(str, sizes)])
    return function, [f"config = {config}", f"{function}({given})", "config"]


@runs(_program)
def config_after(module: ModuleType, function: str, config: Config, sizes: tuple[int, ...]) -> Config:
    """The config after the call."""
    given = dict(config)
    getattr(module, function)(given, *sizes)
    return given
