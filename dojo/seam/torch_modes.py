"""Process-wide modes of torch: recording of gradients, default dtype and device, determinism and checks."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

Modes = tuple[Any, ...]
"""As plain data: gradients; dtype; name of the device; deterministic algorithms, and only warnings; autograd's anomaly
mode, and its check for NaN; whether subnormal numbers are flushed to zero, which Python's own floats then are too."""


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """Restore the modes afterwards, so that a file that sets them does not affect others.

    If torch is not imported yet, restore its defaults.
    """
    before = now() if "torch" in sys.modules else None
    try:
        yield
    finally:
        if "torch" in sys.modules:
            become(before)


def now() -> Modes:
    """Return the current modes; torch must be imported."""
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
    """Set these modes if they are not set yet; None means torch's defaults."""
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
