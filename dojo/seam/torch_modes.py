"""What torch is told for a whole process: whether to record gradients, default dtype and device, how careful to be."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

Modes = tuple[Any, ...]
"""As plain data: gradients; dtype; name of the device; deterministic algorithms, or only warnings; checks of autograd,
and for NaN; whether subnormal numbers are taken for zero, by Python's own floats as well."""


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
    careful = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    checks = torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()
    flushes = sys.float_info.min / 2 == 0
    return (
        torch.is_grad_enabled(),
        torch.get_default_dtype(),
        str(torch.get_default_device()),
        *careful,
        *checks,
        flushes,
    )


def become(modes: Modes | None) -> None:
    """Set them, if they are others; None is how torch begins."""
    torch = sys.modules["torch"]
    told = modes or (True, torch.float32, "cpu", False, False, False, True, False)
    if now() == told:
        return
    grad, dtype, device, careful, warns, checks, for_nan, flushes = told
    torch.set_grad_enabled(grad)
    torch.set_default_dtype(dtype)
    torch.set_default_device(None if device == "cpu" else device)
    torch.use_deterministic_algorithms(careful, warn_only=warns)
    torch.autograd.set_detect_anomaly(checks, for_nan)
    torch.set_flush_denormal(flushes)
