"""Keep what imports make out of garbage collection, since it stays."""

from __future__ import annotations

import gc
import sys

_modules = 0


def freeze_imports() -> None:
    """Freeze all objects, if a module was imported since the last call.

    hypothesis collects garbage before each property, and searching all of torch takes a tenth of a second.
    """
    global _modules
    if len(sys.modules) > _modules:
        gc.freeze()
        _modules = len(sys.modules)
