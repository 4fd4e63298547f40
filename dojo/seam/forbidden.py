"""Hide what a kata forbids while a learner's code runs: modules, and names such as torch.Tensor.backward."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.machinery import ModuleSpec, SourceFileLoader
from threading import Lock
from types import ModuleType
from typing import Any

from dojo.forbidden import LIBRARIES, Behind, behind, may_use, refused
from dojo.seam.stand_ins import Forbidden as Forbidden
from dojo.seam.stand_ins import StandIns, module_of, root_of


@contextlib.contextmanager
def absent(forbidden: tuple[str, ...]) -> Iterator[None]:
    """Raise Forbidden inside if forbidden things are imported, called or subclassed, in whatever way they are spelled.

    dojo/forbidden.py says what an entry covers. A package may still import and use its own parts. This guards against
    shortcuts, not against sabotage: code that is not trusted belongs in a process of its own.
    """
    if not forbidden:
        yield
        return
    stand_ins = StandIns(forbidden)
    stand_ins.place()
    try:
        with _Imports(behind(forbidden), stand_ins).guarded():
            yield
    finally:
        stand_ins.remove()


class _Imports:
    """Refuse to import what is forbidden, and to find it through any function of importlib.

    While a module of a library is being executed, it and all that it imports see what is forbidden, because torch
    imports some of its modules at the first call that needs them. user: the module whose import is under way, or "".
    running: how many modules of libraries are being executed.
    """

    def __init__(self, hides: Behind, stand_ins: StandIns):
        self.hides = hides
        self.stand_ins = stand_ins
        self.packages = [name for name in hides.modules if "." not in name]
        self.hidden: dict[str, ModuleType] = {}
        self.user = ""
        self.running = 0
        self.staying: list[str] = []
        self.lock = Lock()

    @contextlib.contextmanager
    def guarded(self) -> Iterator[None]:
        """Guard all imports inside."""
        real_import, real_import_module = builtins.__import__, importlib.import_module

        def guarded_import(
            name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
        ) -> Any:
            names = [name, *(f"{name}.{part}" for part in fromlist or ())] if level == 0 else []
            return self.load(module_of(globals), names, lambda: real_import(name, globals, locals, fromlist, level))

        def guarded_import_module(name: str, package: str | None = None) -> Any:
            return self.load(module_of(sys._getframe(1).f_globals), [name], lambda: real_import_module(name, package))

        self.hide()
        builtins.__import__ = guarded_import
        importlib.import_module = guarded_import_module
        sys.meta_path.insert(0, self)
        try:
            yield
        finally:
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            builtins.__import__ = real_import
            importlib.import_module = real_import_module
            sys.modules.update(self.hidden)

    def hide(self, stay: Iterable[str] = ()) -> None:
        """Take forbidden packages out of sys.modules, except those in `stay`."""
        gone = [name for name in self.packages if name in sys.modules and name not in stay]
        self.hidden.update({name: sys.modules.pop(name) for name in gone})

    def load(self, user: str, names: list[str], real: Callable[[], Any]) -> Any:
        """Import for this user; raise Forbidden if one of the names is forbidden to it."""
        if self.running:
            return real()
        for name in names:
            entry = refused(name, self.hides.modules, self.hides.names)
            if entry and not may_use(user, entry):
                raise Forbidden(entry)
        importing = self.present()  # brought back by an import that this one is part of
        sys.modules.update({name: module for name, module in self.hidden.items() if may_use(user, name)})
        before, self.user = self.user, user
        try:
            return real()
        finally:
            self.user = before
            self.hide(stay=importing)

    def present(self) -> list[str]:
        """List the forbidden packages that are not hidden now."""
        return [name for name in self.packages if name in sys.modules]

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Raise Forbidden, or leave it to the other finders; a library's module is then executed inside `lifted`."""
        entry = refused(name, self.packages)
        if entry and not self.running and not may_use(self.user, entry):
            raise Forbidden(entry)
        if root_of(name) not in LIBRARIES:
            return None
        found = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not self)
        spec = next(filter(None, found), None)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            loader = spec.loader
            run = loader.exec_module

            def exec_module(module: ModuleType) -> None:
                del loader.exec_module  # the class has it
                with self.lifted():
                    run(module)

            loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec

    @contextlib.contextmanager
    def lifted(self) -> Iterator[None]:
        """Make all that is forbidden available. No lock is held inside: threads may wait for each other's modules."""
        with self.lock:
            if not self.running:
                self.staying = self.present()
                sys.modules.update(self.hidden)
                self.stand_ins.remove()
            self.running += 1
        try:
            yield
        finally:
            with self.lock:
                self.running -= 1
                if not self.running:
                    self.stand_ins.place()
                    self.hide(stay=self.staying)
