"""What a kata forbids is absent while a learner's code runs: modules, and names such as torch.Tensor.backward."""

from __future__ import annotations

import builtins
import contextlib
import functools
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.machinery import ModuleSpec, SourceFileLoader
from threading import Lock
from types import FrameType, ModuleType
from typing import Any

from dojo.forbidden import LIBRARIES, Behind, behind, may_use, refused


class Forbidden(ImportError):
    """A module or a name that the kata forbids was used."""

    def __init__(self, name: str):
        super().__init__(f"this kata is solved without {name}")


class Nothing:
    """Stands where a forbidden name was, and raises Forbidden if it is called, subclassed or looked into.

    Code of the package that the name belongs to, and that uses it by its name, gets what was there: `nn.Linear()` calls
    torch.nn.init. A learner who hands it to such code, as in `torch.vmap(torch.einsum)`, does not.
    """

    __slots__ = ("__weakref__", "_name", "_real")

    def __init__(self, name: str, real: object):
        self._name = name
        self._real = real

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call what was there, for code that may."""
        return _real(self, sys._getframe(1))(*args, **named)

    def __getattribute__(self, name: str) -> Any:
        if name in ("__class__", "__mro_entries__"):
            return _look(self, name)
        return getattr(_real(self, sys._getframe(1), handed=True), name)

    def __get__(self, instance: object, kind: type | None = None) -> Any:
        frame = sys._getframe(1)
        return _look(self, "_real").__get__(instance, kind) if _is_let_in(self, frame) else self

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return (_real(self, sys._getframe(1)),)

    def __instancecheck__(self, instance: object) -> bool:
        return _is_let_in(self, sys._getframe(1)) and isinstance(instance, _look(self, "_real"))

    def __subclasscheck__(self, kind: type) -> bool:
        return issubclass(kind, _real(self, sys._getframe(1)))

    def __eq__(self, other: object) -> bool:
        return bool(_look(self, "_real") == (_look(other, "_real") if type(other) is Nothing else other))

    def __hash__(self) -> int:
        return hash(_look(self, "_real"))


_look = object.__getattribute__


def _is_let_in(stand_in: Nothing, frame: FrameType, handed: bool = False) -> bool:
    """Whether the code of a frame may use what is forbidden; by its name, unless it may have been handed the thing."""
    name, code = _look(stand_in, "_name"), frame.f_code
    last = name.rpartition(".")[2]
    return (handed or last in code.co_names or last in code.co_freevars) and may_use(_module(frame.f_globals), name)


def _real(stand_in: Nothing, frame: FrameType, handed: bool = False) -> Any:
    if not _is_let_in(stand_in, frame, handed):
        raise Forbidden(_look(stand_in, "_name"))
    return _look(stand_in, "_real")


def _module(names: dict[str, Any] | None) -> str:
    """The name of the module that has these globals; "" where they only say that they are a module's."""
    name = (names or {}).get("__name__")
    module = sys.modules.get(name) if type(name) is str else None
    return module.__name__ if module is not None and vars(module) is names else ""


@contextlib.contextmanager
def absent(forbidden: tuple[str, ...]) -> Iterator[None]:
    """Inside, importing, calling or subclassing what is forbidden raises Forbidden, in whatever way it is spelled.

    dojo/forbidden.py says what lies behind an entry. A package may still import and use what is its own. A guard
    against shortcuts, not against sabotage: code that is not trusted belongs in a process of its own.
    """
    if not forbidden:
        yield
        return
    stand_ins = _StandIns(forbidden)
    stand_ins.place()
    try:
        with _Imports(behind(forbidden), stand_ins).guarded():
            yield
    finally:
        stand_ins.remove()


class _Imports:
    """Refuses to import what is forbidden, and to find it for whoever asks importlib by whichever of its functions.

    A module of a library finds all that is forbidden there when it is run, and so does all that it imports: torch
    imports some of its own with the first call that needs them. user: the module whose import is under way, "" where
    none is. running: how many modules of libraries are being run.
    """

    def __init__(self, hides: Behind, stand_ins: _StandIns):
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
            return self.load(_module(globals), names, lambda: real_import(name, globals, locals, fromlist, level))

        def guarded_import_module(name: str, package: str | None = None) -> Any:
            return self.load(_module(sys._getframe(1).f_globals), [name], lambda: real_import_module(name, package))

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
        """Take forbidden packages out of those that are loaded."""
        gone = [name for name in self.packages if name in sys.modules and name not in stay]
        self.hidden.update({name: sys.modules.pop(name) for name in gone})

    def load(self, user: str, names: list[str], real: Callable[[], Any]) -> Any:
        """Import for this user; Forbidden if one of the names is."""
        if self.running:
            return real()
        for name in names:
            entry = refused(name, self.hides.modules, self.hides.names)
            if entry and not may_use(user, entry):
                raise Forbidden(entry)
        importing = self.present()  # by an import that this one is part of
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
        """Leave it to the other finders, or raise Forbidden."""
        entry = refused(name, self.packages)
        if entry and not self.running and not may_use(self.user, entry):
            raise Forbidden(entry)
        if _root(name) not in LIBRARIES:
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
        """Have all that is forbidden there; no lock is held inside, where threads wait for modules of each other."""
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


class _StandIns:
    """What stands for the forbidden names of modules and classes."""

    def __init__(self, forbidden: tuple[str, ...]):
        self.forbidden = forbidden
        self.placed: list[Place] = []

    def place(self) -> None:
        """Put one in each place that there is by now."""
        self.placed = _places(self.forbidden, len(sys.modules))
        for owner, name, nothing, _ in self.placed:
            setattr(owner, name, nothing)

    def remove(self) -> None:
        """Put back what was there."""
        for owner, name, _, real in self.placed:
            if real is INHERITED:
                delattr(owner, name)
            else:
                setattr(owner, name, real)
        self.placed = []


INHERITED = object()

Place = tuple[Any, str, Nothing, object]
"""A module or a class, a name in it, what stands there meanwhile, and what was there: INHERITED where nothing was."""


@functools.lru_cache(maxsize=8)
def _places(forbidden: tuple[str, ...], loaded: int) -> list[Place]:
    """Find the names that are forbidden; a new number of loaded modules means that there may be others."""
    hides = behind(forbidden)
    modules = {name for name in hides.modules if "." in name}
    roots = {_root(name) for name in (*modules, *hides.names)}
    for root in roots:
        importlib.import_module(root)
    places: list[Place] = []
    values = set()
    for name in hides.names:
        owner, last = _owner(name)
        if owner is None or not hasattr(owner, last):  # not in this version, or not imported yet
            continue
        real = getattr(owner, last)
        if isinstance(owner, ModuleType):
            values.add(id(real))
        else:
            places.append((owner, last, Nothing(name, real), vars(owner).get(last, INHERITED)))
    for module in _modules(roots):
        for name, value in vars(module).items():
            defined = callable(value) and type(value) is not Nothing and getattr(value, "__module__", None) in modules
            full = f"{module.__name__}.{name}"
            if (defined or id(value) in values) and full not in hides.kept:
                places.append((module, name, Nothing(full, value), value))
    return places


def _modules(roots: set[str]) -> list[ModuleType]:
    """The loaded modules of these packages."""
    found = [module for name, module in sys.modules.items() if _root(name) in roots]
    return [module for module in found if isinstance(module, ModuleType)]


def _owner(name: str) -> tuple[Any, str]:
    """The module or class that a dotted name belongs to, None where there is none, and the last part of the name."""
    path, _, last = name.rpartition(".")
    parent = path
    while parent not in sys.modules:
        parent = parent.rpartition(".")[0]
    owner: Any = sys.modules[parent]
    for part in path[len(parent) + 1 :].split(".") if path != parent else ():
        owner = getattr(owner, part, None)
    return owner, last


def _root(name: str) -> str:
    return name.partition(".")[0]
