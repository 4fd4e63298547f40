"""Stand-ins for the names that a kata forbids: they refuse the learner's code and admit the name's own package."""

from __future__ import annotations

import functools
import importlib
import sys
from types import FrameType, ModuleType
from typing import Any

from dojo.forbidden import behind, may_use


class Forbidden(ImportError):
    """A module or a name that the kata forbids was used."""

    def __init__(self, name: str):
        super().__init__(f"this kata is solved without {name}")


class Nothing:
    """Replace a forbidden value, and raise Forbidden if it is called, subclassed or looked into.

    Code of the package that the name belongs to gets the original if it uses it by its name: `nn.Linear()` calls
    torch.nn.init. It does not if a learner passes it in, as in `torch.vmap(torch.einsum)`.
    """

    __slots__ = ("__weakref__", "_name", "_real")

    def __init__(self, name: str, real: object):
        self._name = name
        self._real = real

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Call the original, for code that may use it."""
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
    """Return whether a frame's code may use the original: only by its name, unless it may be `handed` the stand-in."""
    name, code = _look(stand_in, "_name"), frame.f_code
    last = name.rpartition(".")[2]
    return (handed or last in code.co_names or last in code.co_freevars) and may_use(module_of(frame.f_globals), name)


def _real(stand_in: Nothing, frame: FrameType, handed: bool = False) -> Any:
    if not _is_let_in(stand_in, frame, handed):
        raise Forbidden(_look(stand_in, "_name"))
    return _look(stand_in, "_real")


def module_of(names: dict[str, Any] | None) -> str:
    """Return the name of the module that has these globals; "" if they only claim to be a module's."""
    name = (names or {}).get("__name__")
    module = sys.modules.get(name) if type(name) is str else None
    return module.__name__ if module is not None and vars(module) is names else ""


class StandIns:
    """The stand-ins for the forbidden names of modules and classes."""

    def __init__(self, forbidden: tuple[str, ...]):
        self.forbidden = forbidden
        self.placed: list[Place] = []

    def place(self) -> None:
        """Put a stand-in in each place that exists now."""
        self.placed = _places(self.forbidden, len(sys.modules))
        for owner, name, nothing, _ in self.placed:
            setattr(owner, name, nothing)

    def remove(self) -> None:
        """Put the originals back."""
        for owner, name, _, real in self.placed:
            if real is INHERITED:
                delattr(owner, name)
            else:
                setattr(owner, name, real)
        self.placed = []


INHERITED = object()

Place = tuple[Any, str, Nothing, object]
"""A module or a class, a name in it, the stand-in, and the original; INHERITED if the owner itself had none."""
Name = tuple[Any, str, str]
"""A module or a class, a name in it, and the full name."""


@functools.lru_cache(maxsize=8)
def _places(forbidden: tuple[str, ...], loaded: int) -> list[Place]:
    """Make the stand-ins; if the number of loaded modules has changed, there may be other names."""
    return [
        (owner, name, Nothing(full, getattr(owner, name)), vars(owner).get(name, INHERITED))
        for owner, name, full in find_names(forbidden)
        if hasattr(owner, name)  # a jail may have removed it since
    ]


def find_names(forbidden: tuple[str, ...]) -> list[Name]:
    """Find the forbidden names. The result is kept until another module of their packages is loaded."""
    roots = _roots(forbidden)
    for root in roots:
        importlib.import_module(root)
    return _names(forbidden, sum(root_of(name) in roots for name in tuple(sys.modules)))


@functools.lru_cache(maxsize=8)
def _names(forbidden: tuple[str, ...], loaded: int) -> list[Name]:
    hides = behind(forbidden)
    modules = {name for name in hides.modules if "." in name}
    names: list[Name] = []
    values = set()
    for name in hides.names:
        owner, last = _owner(name)
        if owner is None or not hasattr(owner, last):  # not in this version, or not imported yet
            continue
        if isinstance(owner, ModuleType):
            values.add(id(getattr(owner, last)))
        else:
            names.append((owner, last, name))
    for module in _modules(_roots(forbidden)):
        for name, value in vars(module).items():
            defined = callable(value) and type(value) is not Nothing and getattr(value, "__module__", None) in modules
            full = f"{module.__name__}.{name}"
            if (defined or id(value) in values) and full not in hides.kept:
                names.append((module, name, full))
    return names


def _roots(forbidden: tuple[str, ...]) -> set[str]:
    """Return the packages of which a part is forbidden."""
    hides = behind(forbidden)
    return {root_of(name) for name in (*hides.modules, *hides.names) if "." in name}


def _modules(roots: set[str]) -> list[ModuleType]:
    """Return the loaded modules of these packages."""
    found = [module for name, module in sys.modules.items() if root_of(name) in roots]
    return [module for module in found if isinstance(module, ModuleType)]


def _owner(name: str) -> tuple[Any, str]:
    """Return the module or class that a dotted name belongs to, None if there is none, and the name's last part."""
    path, _, last = name.rpartition(".")
    parent = path
    while parent not in sys.modules:
        parent = parent.rpartition(".")[0]
    owner: Any = sys.modules[parent]
    for part in path[len(parent) + 1 :].split(".") if path != parent else ():
        owner = getattr(owner, part, None)
    return owner, last


def root_of(name: str) -> str:
    """Return the package that a dotted name begins with."""
    return name.partition(".")[0]
