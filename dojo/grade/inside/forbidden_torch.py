"""In the jail, before a learner's file runs: remove what its kata forbids of torch from the process for good.

dojo/seam/stand_ins.py refuses the names, with an error that says so. This module removes what is behind the names and
could be found without them: functions and classes in memory, their sources, operators, the engine of autograd.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import operator
import sys
import warnings
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from types import FunctionType
from typing import Any

from dojo.forbidden import TABLE, behind
from dojo.grade.inside.confine import hide, readable_without
from dojo.seam.stand_ins import Forbidden, find_names

KEYS = ("CPU", "CUDA", "AutogradCPU", "AutogradCUDA", "ADInplaceOrView")
"""Dispatch keys under which torch looks for an operator's code if tensors have elements, unlike those on meta."""
KEPT = {"__module__", "__qualname__", "__doc__", "__dict__", "__weakref__"}
Refusal = Callable[..., Any]


def take_away(forbidden: tuple[str, ...]) -> None:
    """Remove what a kata forbids of torch from this process, if torch is in it. Nothing brings it back."""
    if "torch" not in sys.modules:
        return
    for entry in forbidden:
        hides, refuse = TABLE[entry], _refusal(entry)
        for name in hides.hollow:
            _hollow(name)
        if hides.operators:
            _override(hides.operators, refuse)
        for name in hides.refusing:
            _set(name, refuse)
        for name in hides.blank:
            _set(name, property(lambda _: None))
    if sources := _sources(forbidden):
        hide(sources)


def look_up(forbidden: tuple[str, ...]) -> None:
    """Look up what `take_away` and dojo.seam.stand_ins need, so that the processes that this one forks need not."""
    if "torch" not in sys.modules:
        return
    find_names(forbidden)
    readable_without(_sources(forbidden))
    for entry in forbidden:
        _operators(TABLE[entry].operators)


def _sources(forbidden: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files of hollow modules, relative to site-packages."""
    return tuple(f"{name.replace('.', '/')}.py" for name in behind(forbidden).hollow)


@functools.cache
def _operators(patterns: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the namespaces and names of torch's operators that match one of the patterns."""
    import torch

    every = torch._C._dispatch_get_all_op_names() if patterns else []
    names = [name for name in every if any(fnmatchcase(name, pattern) for pattern in patterns)]
    return [(space, name) for space, _, name in (name.partition("::") for name in names)]


def _refusal(name: str) -> Refusal:
    def refuse(*_: object, **__: object) -> Any:
        raise Forbidden(name)

    return refuse


def _override(patterns: tuple[str, ...], refuse: Refusal) -> None:
    """Replace the code of operators by a refusal, whatever the name and language by which they are called."""
    import torch

    names = _operators(patterns)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about code that is there already
        for space in {space for space, _ in names}:
            for key in KEYS:
                library = torch._C._dispatch_library("IMPL", space, key)
                for other, name in names:
                    if other == space:
                        library.impl(name, key, refuse)
                # An operator gets its own code back when the library is freed. This extra reference keeps it alive,
                # and nothing in Python leads to it.
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(library))


def _set(path: str, value: object) -> None:
    """Set an attribute of a module, or of a class there, even of a class written in C that does not allow it."""
    module = path
    while module not in sys.modules:
        module = module.rpartition(".")[0]
    place, _, name = path.removeprefix(f"{module}.").rpartition(".")
    owner = operator.attrgetter(place)(sys.modules[module]) if place else sys.modules[module]
    if not hasattr(owner, name):  # not in this version of torch
        return
    try:
        setattr(owner, name, value)
    except TypeError:
        (names,) = gc.get_referents(vars(owner))
        names[name] = value
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(owner))


def _hollow(name: str) -> None:
    """Disable a module's own functions and classes, wherever they are referenced."""
    module = sys.modules.get(name)
    names: dict[str, Any] = {}
    exec(REFUSAL.format(name=name), names)
    refuse: FunctionType = names["refuse"]
    own = [value for value in vars(module).values() if _is_of(value, name)] if module else []
    for value in own:
        for function in _functions(value, name):
            function.__code__ = refuse.__code__.replace(co_freevars=function.__code__.co_freevars)
    for kind in [value for value in own if isinstance(value, type)]:
        for inside in [inside for inside in vars(kind) if inside not in KEPT]:
            delattr(kind, inside)
        kind.__new__ = refuse  # type: ignore[method-assign]


REFUSAL = """
def refuse(*_, **__):
    from dojo.seam.forbidden import Forbidden
    raise Forbidden("{name}")
"""
"""It must be self-contained: its code is given to functions that see other globals."""


def _is_of(value: object, module: str) -> bool:
    return getattr(value, "__module__", None) == module


def _functions(value: Any, module: str) -> Iterator[FunctionType]:
    """Yield a function and those that it wraps, or the functions of a class."""
    if isinstance(value, FunctionType) and _is_of(value, module):
        yield value
        for cell in value.__closure__ or ():
            with contextlib.suppress(ValueError):  # an empty one
                yield from _functions(cell.cell_contents, module) if type(cell.cell_contents) is FunctionType else ()
    elif isinstance(value, type):
        for inside in list(vars(value).values()):
            if not isinstance(inside, type):
                yield from _functions(getattr(inside, "__func__", inside), module)
