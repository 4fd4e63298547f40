"""What torch is told for a whole process: whether it records gradients, its default dtype, its default device."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

Modes = tuple[Any, ...]
"""As plain data: a bool, a dtype, and the name of a device."""


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """Afterwards they are what they were: a file that sets them for itself sets them for nobody else.

    Where torch is not imported yet, that is how it begins.
    """
    before = now() if "torch" in sys.modules else None
    try:
        yield
    finally:
        if "torch" in sys.modules:
            become(before)


def now() -> Modes:
    """What they are, where torch is imported."""
    torch = sys.modules["torch"]
    return torch.is_grad_enabled(), torch.get_default_dtype(), str(torch.get_default_device())


def become(modes: Modes | None) -> None:
    """Set them, if they are others; None is how torch begins."""
    torch = sys.modules["torch"]
    grad, dtype, device = modes or (True, torch.float32, "cpu")
    if now() != (grad, dtype, device):
        torch.set_grad_enabled(grad)
        torch.set_default_dtype(dtype)
        torch.set_default_device(None if device == "cpu" else device)
