"""CUDA in this process: a kernel fails later than the call that started it, and after some failures nothing works."""

from __future__ import annotations

import sys
from typing import Any

from dojo.seam.deadline import Gone

ERROR = "AcceleratorError"
"""The name of torch's error for a kernel that failed."""


class DeviceLost(Gone):
    """CUDA can no longer be used in this process. `call` is the Call that ended it; None if it was an earlier one."""

    def __init__(self, call: Any = None):
        super().__init__(call)
        self.call = call

    def __str__(self) -> str:
        return "an earlier call ended CUDA: try --device cpu"


def synchronize() -> None:
    """Wait for the kernels that this process has started; raise AcceleratorError if CUDA cannot be used any more."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_initialized():
        torch.cuda.synchronize()


def reason(error: BaseException) -> BaseException:
    """Return the error that has ended CUDA, raised where this one was; this one itself if CUDA works or is not used."""
    try:
        synchronize()
    except Exception as lost:
        return lost.with_traceback(error.__traceback__)
    return error


def check() -> None:
    """Raise DeviceLost if CUDA can no longer be used. Then much fails on the CPU as well, even torch.manual_seed."""
    try:
        synchronize()
    except Exception:
        raise DeviceLost from None
