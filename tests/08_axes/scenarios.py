"""Calls with tensors that are made by the code beside them."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from torch import Tensor

from dojo.seam.scenario import calls, runs

from ..shared.described import Lines, execute, on_device, tensors
from ..shared.threads import one_thread


def _lines(function: str, lines: Lines, arguments: str, *rest: str) -> Lines:
    return [*on_device(rest[-1]), *lines]


@calls("{0}({2})", setup=_lines)
def result(module: ModuleType, function: str, lines: Lines, arguments: str, device: str) -> Any:
    """What a function makes of these arguments."""
    with one_thread():
        return getattr(module, function)(*tensors(lines, arguments, device))


@calls("{0}({2}); sizes", setup=_lines)
def sizes(module: ModuleType, function: str, lines: Lines, arguments: str, device: str) -> Any:
    """`sizes`, the last argument, as it is after the call."""
    with one_thread():
        *given, last = tensors(lines, arguments, device)
        getattr(module, function)(*given, last)
    return last


@calls("{0}({2}); {3}", setup=_lines, returns_arguments=True)
def arguments(module: ModuleType, function: str, lines: Lines, arguments: str, names: str, device: str) -> Any:
    """The tensors among the arguments as they are after the call."""
    given = tensors(lines, arguments, device)
    getattr(module, function)(*given)
    return tuple(value for value in given if isinstance(value, Tensor))


@runs(lambda function, lines, watched, device: (function, [*on_device(device), *lines]))
def program(module: ModuleType, function: str, lines: Lines, watched: Lines, device: str) -> Any:
    """Run the lines with that function of the learner's, and return the values that are watched."""
    with one_thread():
        return execute(lines, watched, {function: getattr(module, function)}, device)
