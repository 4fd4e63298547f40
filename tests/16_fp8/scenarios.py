"""The program that runs a learner's function on fp8 tensors, which do not cross the seam, and the product of fp8."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
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

CALLS = "calls of mm"


@runs(lambda function, lines, watched, device: (function, placed(lines, device)))
def program(module: ModuleType, function: str, lines: Lines, watched: Lines, device: str) -> Any:
    """Run the lines with that function of the learner's, and return the values that are watched."""
    with seeded(), one_thread():
        calls: list[int] = []
        names = {function: getattr(module, function), "strict_mm": functools.partial(strict_mm, calls)}
        values = execute(seeding(placed(lines, device), device), watched, names)
    return values | ({CALLS: len(calls)} if function == "fp8_linear" else {})


def given_tensors(function: str, lines: Lines, names: Lines) -> dict[str, Any]:
    """What a program hands to the function, on the CPU."""
    before = next(at for at, line in enumerate(lines) if f"{function}(" in line)
    return execute(seeding(lines[:before], "cpu"), names, {})


class WrongDtype(ValueError):
    """The matrices are not e4m3, or the scales are not float32."""


class WrongSize(ValueError):
    """The shapes do not match, or k or n is not a multiple of 16, as a GPU needs."""


class WrongScales(ValueError):
    """There is neither one scale per matrix, nor one per row of a and per column of b."""


class WrongLayout(ValueError):
    """a is not row-major, b is not column-major, or scales are not contiguous."""


Product = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


def strict_mm(calls: list[int], out_dtype: torch.dtype = torch.float32, times: float = 1.0) -> Product:
    """Return a product of fp8 matrices that refuses what a GPU refuses, and notes each call.

    out_dtype: the dtype of the result. On CUDA it is always bfloat16, since float32 is not available everywhere for
    scaled rows. times: the factor on the product; it reveals an answer that does not use mm's result.
    """

    def mm(a: Tensor, b: Tensor, scale_a: Tensor, scale_b: Tensor) -> Tensor:
        calls.append(1)
        if {a.dtype, b.dtype} != {torch.float8_e4m3fn} or {scale_a.dtype, scale_b.dtype} != {torch.float32}:
            given = ", ".join(map(_told, (a, b, scale_a, scale_b)))
            raise WrongDtype(f"mm multiplies float8_e4m3fn matrices with float32 scales; got {given}")
        of = f"{_told(a)} and {_told(b)}"
        if {a.ndim, b.ndim} != {2} or a.shape[1] != b.shape[0] or b.shape[0] % 16 or b.shape[1] % 16:
            raise WrongSize(f"mm multiplies (m, k) and (k, n), k and n multiples of 16; got {of}")
        if (scale_a.shape, scale_b.shape) not in (((), ()), ((a.shape[0], 1), (1, b.shape[1]))):
            given = f"{tuple(scale_a.shape)} and {tuple(scale_b.shape)}"
            raise WrongScales(f"scales of mm are both 0-d, or (m, 1) and (1, n); got {given} for {of}")
        try:
            asked = _on_meta(a), _on_meta(b), _on_meta(scale_a), _on_meta(scale_b)
            scaled_mm(*asked, out_dtype=torch.bfloat16)  # refuses what CUDA refuses
        except RuntimeError as error:
            raise WrongLayout(f"mm: {str(error).splitlines()[0]}") from None
        product = _product(a, b, scale_a, scale_b)
        return product.to(out_dtype if a.device.type == "cpu" else torch.bfloat16) * times

    return mm


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
    """Make the imports that the first product on meta makes."""
    a, b = torch.zeros(16, 16).to(torch.float8_e4m3fn), torch.zeros(16, 16).to(torch.float8_e4m3fn)
    strict_mm([])(a, b.T, torch.ones(()), torch.ones(()))
