"""Short programs that use a learner's module and return what they saw, for what is not a plain call."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from dojo.seam.scenario import calls, runs

from ..shared.described import Lines, execute, model, on_device, tensor, tensors


@calls("get_memory_usage({0})")
def memory_usage(module: ModuleType, code: str, device: str) -> Any:
    """get_memory_usage of one tensor."""
    return module.get_memory_usage(tensor(code, device))


@calls("get_storage_usage({1})", setup=lambda bases, views, device: bases)
def storage_usage(module: ModuleType, bases: Lines, views: str, device: str) -> Any:
    """get_storage_usage of views of some tensors."""
    return module.get_storage_usage(*tensors(bases, views, device))


@calls("get_model_memory(model)", setup=lambda lines, device: [*on_device(device), *lines])
def model_memory(module: ModuleType, lines: Lines, device: str) -> Any:
    """get_model_memory of one model."""
    return module.get_model_memory(model(lines, device))


@runs(lambda function, lines, watched: (function, lines))
def program(module: ModuleType, function: str, lines: Lines, watched: Lines) -> Any:
    """Run the lines, which call that function, and return the values that are watched."""
    return execute(lines, watched, {function: getattr(module, function)})
