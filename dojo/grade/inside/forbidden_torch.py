"""In the jail, before a learner's file is run: what its kata forbids of torch is taken out of the process for good.

dojo/seam/forbidden.py stands in the way of the names, and tells whoever asks for one. Here goes what lies behind the
names and could be found without them: functions and classes in memory, their sources, operators, the engine of
autograd.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
import warnings
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from dojo.grade.inside.confine import hide
from dojo.seam.forbidden import Forbidden

OPTIMIZERS, AUTOGRAD = "torch.optim", "torch.autograd"
KEYS = ("CPU", "CUDA", "AutogradCPU", "AutogradCUDA", "ADInplaceOrView")
"""Under which torch looks for an operator's code, where there are elements to compute with."""
FUSED = "_fused_"
"""In the names of the operators that are a step of an optimizer."""
KEPT = {"__module__", "__qualname__", "__doc__", "__dict__", "__weakref__"}
SCRIPTS = """
    CompilationUnit.__init__ CompilationUnit.define CompilationUnit.create_function ScriptModule._define
    ScriptModule._create_method_from_graph ScriptModule._create_method_from_trace _create_function_from_graph
    _create_function_from_trace _create_function_from_trace_with_dict _create_method_from_trace _jit_script_compile
    _jit_script_class_compile _jit_interpret_graph _jit_differentiate import_ir_module import_ir_module_from_buffer
    _import_ir_module_from_package
"""
"""What makes a program of TorchScript of a text, a graph, a trace or a file, in torch._C."""

Refusal = Callable[..., Any]


def take_away(forbidden: tuple[str, ...]) -> None:
    """Take out of this process what a kata forbids of torch, where torch is in it. Nothing brings it back."""
    torch = sys.modules.get("torch")
    if torch is None:
        return
    optimizers = [entry for entry in forbidden if entry.startswith(f"{OPTIMIZERS}.")]
    if optimizers:
        for name in (*optimizers, f"{OPTIMIZERS}._functional"):
            _hollow(name)
        _override(lambda operator: FUSED in operator, _refusal(OPTIMIZERS))
        hide(f"{name.replace('.', '/')}.py" for name in optimizers)
    if AUTOGRAD in forbidden:
        refuse = _refusal(AUTOGRAD)
        for name in (AUTOGRAD, f"{AUTOGRAD}.functional"):
            _hollow(name)
        _override(lambda operator: "backward" in operator or operator.endswith("_make_dual"), refuse)
        _set(type(torch.autograd.Variable._execution_engine), "run_backward", refuse)
        _set(torch._C.TensorBase, "grad_fn", property(lambda tensor: None))  # which a tensor's repr looks at
        _set(torch._C._FunctionBase, "apply", classmethod(refuse))
        for place in SCRIPTS.split():  # which torch differentiates by itself, and whose own operators ask the engine
            owner, _, name = place.rpartition(".")
            kind = getattr(torch._C, owner) if owner else torch._C
            if hasattr(kind, name):
                setattr(kind, name, refuse)


def _refusal(name: str) -> Refusal:
    def refuse(*_: object, **__: object) -> Any:
        raise Forbidden(f"this kata is solved without {name}")

    return refuse


def _override(chosen: Callable[[str], bool], refuse: Refusal) -> None:
    """Put a refusal in the place of the code of operators, by whatever name, in whatever language they are called."""
    import torch

    names = [name.partition("::") for name in torch._C._dispatch_get_all_op_names() if chosen(name)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is one already
        for space in {space for space, _, _ in names}:
            for key in KEYS:
                library = torch._C._dispatch_library("IMPL", space, key)
                for other, _, name in names:
                    if other == space:
                        library.impl(name, key, refuse)
                # An operator has its own code back when the library goes. Now nothing in Python leads to it, and it
                # never goes.
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(library))


def _set(kind: type, name: str, value: object) -> None:
    """Set an attribute of a type that is written in C, and lets nobody do so."""
    (names,) = gc.get_referents(vars(kind))
    names[name] = value
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def _hollow(name: str) -> None:
    """Leave nothing of what a module's own functions and classes do, wherever somebody holds them."""
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
    raise Forbidden("this kata is solved without {name}")
"""
"""It has to stand by itself: its code is given to functions that see other globals."""


def _is_of(value: object, module: str) -> bool:
    return getattr(value, "__module__", None) == module


def _functions(value: Any, module: str) -> Iterator[FunctionType]:
    """A function and those that it wraps; or those of a class."""
    if isinstance(value, FunctionType) and _is_of(value, module):
        yield value
        for cell in value.__closure__ or ():
            with contextlib.suppress(ValueError):  # an empty one
                yield from _functions(cell.cell_contents, module) if type(cell.cell_contents) is FunctionType else ()
    elif isinstance(value, type):
        for inside in list(vars(value).values()):
            if not isinstance(inside, type):
                yield from _functions(getattr(inside, "__func__", inside), module)
