"""Import the modules of the folder that judges a kata."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from dojo.catalog import ROOT, Kata
from dojo.seam import dynamo


def imported(kata: Kata, part: str = "properties") -> ModuleType:
    """Import a module of the folder that judges a kata, from this clone.

    A submission may be a clone as well, whose conftest.py has put its own tests/ first on the path.
    """
    sys.path.insert(0, str(ROOT))
    try:
        module = importlib.import_module(kata.part(part))
    finally:
        sys.path.remove(str(ROOT))
    dynamo.keep_out()
    return module
