"""What a kata forbids is absent while a learner's code runs: modules, and names such as torch.Tensor.backward."""

from __future__ import annotations

import builtins
import contextlib
import functools
import importlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NoReturn


class Forbidden(ImportError):
    """A module or a name that the kata forbids was asked for."""


class Nothing:
    """Stands where a forbidden name was: to call it, to subclass it or to look inside raises Forbidden."""

    def __init__(self, name: str):
        self._name = name

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise Forbidden(f"this kata is solved without {self._name}")

    __call__ = __getattr__ = __mro_entries__ = _refuse

    def __instancecheck__(self, instance: object) -> bool:
        return False


@contextlib.contextmanager
def absent(forbidden: tuple[str, ...]) -> Iterator[None]:
    """Inside, importing, calling or subclassing what is forbidden raises Forbidden, in whatever way it is spelled.

    `torch` forbids a package. `torch.optim.sgd` forbids a module and whatever is defined in it, also where its package
    passes that on (torch.optim.SGD). `torch.Tensor.backward` forbids one name. A package may still import its own
    modules. A guard against shortcuts, not against sabotage: code that is not trusted belongs in a process of its own.
    """
    if not forbidden:
        yield
        return

    real_import, real_import_module = builtins.__import__, importlib.import_module

    def refuse(name: str, importer: str = "") -> None:
        for entry in forbidden:
            own = importer.partition(".")[0] == entry.partition(".")[0]
            if (name == entry or name.startswith(f"{entry}.")) and not own:
                raise Forbidden(f"this kata is solved without {entry}")

    def guarded_import(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if level == 0:
            importer = (globals or {}).get("__name__") or ""
            for full in (name, *(f"{name}.{part}" for part in fromlist or ())):
                refuse(full, importer)
        return real_import(name, globals, locals, fromlist, level)

    def guarded_import_module(name: str, package: str | None = None) -> Any:
        refuse(name)
        return real_import_module(name, package)

    packages = [entry for entry in forbidden if "." not in entry]
    hidden = {name: sys.modules.pop(name) for name in packages if name in sys.modules}
    names = [place for entry in forbidden if "." in entry for place in _places(entry)]
    real = [(owner, name, vars(owner)[name]) for owner, name, _ in names]
    for owner, name, nothing in names:
        setattr(owner, name, nothing)
    builtins.__import__ = guarded_import
    importlib.import_module = guarded_import_module
    try:
        yield
    finally:
        builtins.__import__ = real_import
        importlib.import_module = real_import_module
        for owner, name, value in real:
            setattr(owner, name, value)
        sys.modules.update(hidden)


@functools.cache
def _places(entry: str) -> list[tuple[Any, str, Nothing]]:
    """Where the names lie that an entry with a dot forbids, and what stands there instead."""
    importlib.import_module(entry.partition(".")[0])
    module = sys.modules.get(entry)
    parent, _, last = entry.rpartition(".")
    if module is None:  # no module, or one that nobody has imported yet: then the guard of imports is enough
        owner = functools.reduce(getattr, parent.split(".")[1:], sys.modules[parent.partition(".")[0]])
        return [(owner, last, Nothing(entry))] if last in vars(owner) else []
    package = parent if "." in parent else entry
    around = [other for name, other in sys.modules.items() if name == package or name.startswith(f"{package}.")]
    return [
        (owner, name, Nothing(f"{owner.__name__}.{name}"))
        for owner in around
        if isinstance(owner, ModuleType)
        for name, value in vars(owner).items()
        if callable(value) and getattr(value, "__module__", None) == entry
    ]
