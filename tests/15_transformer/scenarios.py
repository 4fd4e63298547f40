"""A call, and what is left of its config."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from dojo.seam.scenario import calls


@calls("moe_parameters(config, {1}, {2}); config", setup=lambda config, *_: [f"config = {config}"])
def config_after(module: ModuleType, config: dict[str, Any], experts: int, active: int) -> dict[str, Any]:
    """The config after the call."""
    given = dict(config)
    module.moe_parameters(given, experts, active)
    return given
