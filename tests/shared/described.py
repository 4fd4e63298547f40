"""Make tensors and models from the code that describes them, so that a failing example can be typed as shown."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from dojo.seam.seam import Broken

Lines = list[str]
"""Lines of a program."""

View = tuple[tuple[int, ...], tuple[int, ...], int]
"""Shape, strides and offset."""


def tensor(code: str, device: str = "cpu") -> Tensor:
    """Return the tensor that an expression makes."""
    with _on(device):
        made: Tensor = eval(code, _names())
    return made


def tensors(bases: list[str], views: str, device: str = "cpu") -> tuple[Tensor, ...]:
    """Return the tensors that a comma-separated list of expressions makes, after the assignments in `bases`."""
    names = _names()
    with _on(device):
        exec("\n".join(bases), names)
        made: tuple[Tensor, ...] = eval(f"({views},)" if views else "()", names)
    return made


def model(lines: list[str], device: str = "cpu") -> nn.Module:
    """Run these lines, and return the model that they call `model`."""
    names = _names()
    with _on(device):
        exec("\n".join(lines), names)
    made: nn.Module = names["model"]
    return made


def execute(lines: list[str], watched: list[str], names: dict[str, Any], device: str = "cpu") -> dict[str, Any]:
    """Run a program that may use these names, and return the values of the watched expressions afterwards.

    Gradient mode is restored, because a learner's code may forget to.
    """
    scope = {**_names(), **names}
    with torch.enable_grad(), contextlib.nullcontext() if device == "cpu" else torch.device(device):
        exec("\n".join(lines), scope)
        values = {expression: eval(expression, scope) for expression in watched}
    # A leaf may be of another type, such as Parameter. Only its numbers are compared.
    return {name: value.detach() if isinstance(value, Tensor) else value for name, value in values.items()}


def placed(lines: list[str], device: str) -> list[str]:
    """Return the lines, changed so that each tensor is made on the device.

    No default device is set, because tensors that an answer forgets to place would then be on the device anyway.
    """
    if device == "cpu":
        return lines
    return [line.replace("dtype=torch.", f"device={device!r}, dtype=torch.") for line in lines]


def view_of(x: Tensor) -> View:
    """Return what torch stores about a view."""
    return tuple(x.shape), x.stride(), int(x.storage_offset())


def on_device(device: str) -> Lines:
    """Return the lines, shown above a program, that make a device torch's default. The CPU needs none."""
    return [] if device == "cpu" else [f"torch.set_default_device({device!r})"]


def _names() -> dict[str, Any]:
    return {"torch": torch, "nn": nn, "io": io}


@contextlib.contextmanager
def _on(device: str) -> Iterator[None]:
    # The CPU is torch's default already, and the context manager slows down every call inside.
    place = contextlib.nullcontext() if device == "cpu" else torch.device(device)
    try:
        with warnings.catch_warnings(), place:
            warnings.simplefilter("ignore")  # torch calls some of its dtypes experimental
            yield
    except Exception as error:
        raise Broken("this description makes nothing") from error
