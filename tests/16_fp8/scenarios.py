"""The program that runs a learner's function on fp8 tensors, which do not cross the seam, and the product of fp8."""

from __future__ import annotations

import contextlib
from types import ModuleType
from typing import Any

import torch
from torch import Tensor
from torch import _scaled_mm as scaled_mm  # here, since a learner's code runs where its name is gone

from dojo.seam.forbidden import Forbidden
from dojo.seam.scenario import runs

from ..shared.described import Lines, execute, placed
from ..shared.random_states import seeded, seeding
from ..shared.threads import one_thread


@runs(lambda function, lines, watched, device: (function, placed(lines, device)))
def program(module: ModuleType, function: str, lines: Lines, watched: Lines, device: str) -> Any:
    """Run the lines with that function of the learner's, and return the values that are watched."""
    with seeded(), one_thread():
        names = {function: getattr(module, function), "strict_mm": StrictMM}
        return execute(seeding(placed(lines, device), device), watched, names)


def given_tensors(function: str, lines: Lines, names: Lines) -> dict[str, Any]:
    """What a program hands to the function, on the CPU."""
    before = next(at for at, line in enumerate(lines) if f"{function}(" in line)
    return execute(seeding(lines[:before], "cpu"), names, {"strict_mm": StrictMM})


class StrictMM:
    """A product of fp8 matrices that refuses what a GPU refuses, and counts its calls.

    out_dtype: of what it returns; on CUDA always bfloat16, since float32 is not there for scaled rows everywhere.
    times: how many times the product that is. An answer that computes without it shows.
    """

    def __init__(self, out_dtype: torch.dtype = torch.float32, times: float = 1.0):
        self.out_dtype = out_dtype
        self.times = times
        self.calls = 0

    def __call__(self, a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor) -> Tensor:
        """(a · scale_a) @ (b · scale_b)."""
        self.calls += 1
        if {a.dtype, b.dtype} != {torch.float8_e4m3fn} or {a.ndim, b.ndim} != {2}:
            raise ValueError(f"mm multiplies float8_e4m3fn matrices; got {_told(a)} and {_told(b)}")
        if {scale_a.dtype, scale_b.dtype} != {torch.float32}:
            raise ValueError(f"the scales of mm are float32; got {_told(scale_a)} and {_told(scale_b)}")
        scaled = {(scale_a.shape, scale_b.shape)}
        if a.shape[1] != b.shape[0] or not scaled & {((), ()), ((a.shape[0], 1), (1, b.shape[1]))}:
            scales = f"scales of shapes {tuple(scale_a.shape)} and {tuple(scale_b.shape)}"
            raise ValueError(f"mm does not multiply {_told(a)} and {_told(b)} by {scales}")
        scaled_mm(*map(_on_meta, (a, b, scale_a, scale_b)), out_dtype=torch.bfloat16)  # refuses what CUDA refuses
        return _product(a, b, scale_a, scale_b).to(self.out_dtype if a.device.type == "cpu" else torch.bfloat16).mul(
            self.times
        )


def _told(x: Tensor) -> str:
    return f"{str(x.dtype).removeprefix('torch.')} of shape {tuple(x.shape)}"


def _on_meta(x: Tensor) -> Tensor:
    return torch.empty_strided(x.shape, x.stride(), dtype=x.dtype, device="meta")


def _product(a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor) -> Tensor:
    if a.device.type == "cuda":
        with contextlib.suppress(Forbidden):  # a grader's process has no such operator any more, for nobody
            return scaled_mm(a, b, scale_a, scale_b, out_dtype=torch.bfloat16)
    return (a.double() * scale_a) @ (b.double() * scale_b)


def warm_up() -> None:
    """Make what the first product on meta imports."""
    a, b = torch.zeros(16, 16).to(torch.float8_e4m3fn), torch.zeros(16, 16).to(torch.float8_e4m3fn)
    StrictMM()(a, b.T, torch.ones(()), torch.ones(()))
