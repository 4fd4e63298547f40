"""In the jail: torch's compiler, 800 modules that torch imports for an optimizer's first step, and does not use."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

NAME = "torch._dynamo"


class Spared(ModuleType):
    """Does what torch asks of the compiler where nothing is compiled; at anything else it is the real one."""

    def graph_break(self, msg: str = "") -> None:
        """There is no graph."""

    def disable(self, fn: Any = None, recursive: bool = True, **_: Any) -> Any:
        """A function that is not to be compiled: itself."""
        return fn if fn is not None else lambda fn: fn

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(NAME) is self:
            del sys.modules[NAME]
        return getattr(importlib.import_module(NAME), name)


def spare_compiler() -> None:
    """Have no process here import it before somebody needs it, where there is torch."""
    torch = sys.modules.get("torch")
    if torch is not None and NAME not in sys.modules:
        sys.modules[NAME] = torch._dynamo = Spared(NAME)  # type: ignore[attr-defined]
