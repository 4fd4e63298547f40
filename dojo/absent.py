"""Forbidden modules are absent while a learner's code runs."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import sys
from collections.abc import Iterator
from typing import Any


class Forbidden(ImportError):
    """A module that the kata forbids was asked for."""


@contextlib.contextmanager
def absent(modules: tuple[str, ...]) -> Iterator[None]:
    """Inside, importing one of `modules`, in whatever way an import is spelled, raises Forbidden.

    A guard against shortcuts, not against sabotage: code that is not trusted belongs in a process of its own.
    """
    if not modules:
        yield
        return

    real_import, real_import_module = builtins.__import__, importlib.import_module

    def refuse(name: str) -> None:
        if name.partition(".")[0] in modules:
            raise Forbidden(f"this kata is solved without {name.partition('.')[0]}")

    def guarded_import(name: str, *args: Any, **kwargs: Any) -> Any:
        refuse(name)
        return real_import(name, *args, **kwargs)

    def guarded_import_module(name: str, package: str | None = None) -> Any:
        refuse(name)
        return real_import_module(name, package)

    hidden = {name: sys.modules.pop(name) for name in modules if name in sys.modules}
    builtins.__import__ = guarded_import
    importlib.import_module = guarded_import_module
    try:
        yield
    finally:
        builtins.__import__ = real_import
        importlib.import_module = real_import_module
        sys.modules.update(hidden)
