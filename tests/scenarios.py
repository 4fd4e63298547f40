"""Short programs that use a learner's module and return what they saw, for what is not a plain call.

A tensor or a model is described by the code that makes it, and made on the side where the learner's code runs.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import torch

from dojo.kata import calls, runs
from tests.described import execute, model, placed, tensor, tensors

Lines = list[str]


@calls("get_memory_usage({0})")
def memory_usage(module: ModuleType, code: str, device: str) -> Any:
    """get_memory_usage of one tensor."""
    return module.get_memory_usage(tensor(code, device))


@calls("get_storage_usage({1})", setup=lambda bases, views, device: bases)
def storage_usage(module: ModuleType, bases: Lines, views: str, device: str) -> Any:
    """get_storage_usage of views of some tensors."""
    return module.get_storage_usage(*tensors(bases, views, device))


@calls("get_model_memory(model)", setup=lambda lines, device: [*_on(device), *lines])
def model_memory(module: ModuleType, lines: Lines, device: str) -> Any:
    """get_model_memory of one model."""
    return module.get_model_memory(model(lines, device))


@calls("matmul_backward(a, b, grad_out)", setup=lambda lines, device: [*_on(device), *lines])
def matmul_backward(module: ModuleType, lines: Lines, device: str) -> Any:
    """The gradients of a and b. No graph is recorded: to walk one by its grad_fn is autograd by another door."""
    with torch.inference_mode():
        return module.matmul_backward(*tensors(lines, "a, b, grad_out", device))


@calls(
    "matmul_backward(a, b, grad_out); a, b, grad_out",
    setup=lambda lines, device: [*_on(device), *lines],
    returns_arguments=True,
)
def matmul_backward_arguments(module: ModuleType, lines: Lines, device: str) -> Any:
    """The arguments as they are after the call."""
    arguments = tensors(lines, "a, b, grad_out", device)
    module.matmul_backward(*arguments)
    return arguments


@runs(lambda function, lines, watched, device: (function, placed(lines, device)))
def program(module: ModuleType, function: str, lines: Lines, watched: Lines, device: str) -> Any:
    """Run the lines with that function or class of the learner's, and return the values that are watched."""
    return execute(placed(lines, device), watched, {function: getattr(module, function)})


def _on(device: str) -> Lines:
    return [] if device == "cpu" else [f"torch.set_default_device({device!r})"]
