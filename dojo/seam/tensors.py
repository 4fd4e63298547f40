"""Tensors and dtypes as data. Imported only if there is one, so that a run without torch starts without it."""

from __future__ import annotations

import functools
from typing import Any

import torch
from torch import Tensor


def is_data(value: object) -> bool:
    """Return whether a value is exactly a torch.dtype, or a dense torch.Tensor with elements to look at."""
    if type(value) is torch.Tensor:
        return value.layout == torch.strided and value.device.type != "meta" and not value.is_quantized
    return is_dtype(value)


def is_dtype(value: object) -> bool:
    """Return whether a value is exactly a torch.dtype."""
    return type(value) is torch.dtype


def plain(value: Tensor | torch.dtype) -> Tensor | torch.dtype:
    """Return a contiguous copy of the elements, without gradient."""
    return value.detach().contiguous().clone() if isinstance(value, Tensor) else value


def is_whole(value: Tensor | torch.dtype) -> bool:
    """Return whether a value is a tensor that is all of its storage, in order, without a graph or attributes."""
    if not isinstance(value, Tensor) or value.requires_grad or not value.is_contiguous():
        return False
    is_plain = not value.is_conj() and not value.is_neg() and not vars(value)
    return is_plain and value.untyped_storage().nbytes() == value.nbytes


def bytes_of(x: Tensor) -> bytes:
    """Return the bytes of a tensor on the CPU that is whole."""
    return x.reshape(-1).view(torch.uint8).numpy().tobytes()


def of_bytes(dtype: torch.dtype, shape: tuple[int, ...], data: bytes) -> Tensor:
    """Return the tensor with these bytes, in memory of torch's own."""
    if not data:  # frombuffer refuses to make an empty tensor
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(bytearray(data), dtype=torch.uint8).clone().view(dtype).reshape(shape)


def room(dtype: torch.dtype, rel: float) -> float:
    """Return a relative tolerance, widened to what a few roundings in this dtype amount to: its eps to the power 2/3.

    This is 3.7e-11 for float64, 2.4e-5 for float32 and 0.04 for bfloat16. A tolerance of 0 stays 0.
    """
    floats = dtype.is_floating_point or dtype.is_complex
    return max(rel, torch.finfo(dtype).eps ** (2 / 3)) if rel and floats else rel


def same(got: Tensor | torch.dtype, want: Tensor | torch.dtype, rel: float) -> bool:
    """Return whether two tensors agree in dtype, shape, kind of device and elements, or two dtypes are the same.

    Floats may differ by room(dtype, rel), relative plus absolute; whole numbers and bools may not. NaN equals NaN: if a
    sum of float16 overflows, it does so in every right answer.
    """
    if not isinstance(got, Tensor) or not isinstance(want, Tensor):
        return got is want
    if (got.dtype, got.shape, got.device.type) != (want.dtype, want.shape, want.device.type):
        return False
    exact = got.equal(want)
    if exact or not (want.dtype.is_floating_point or want.dtype.is_complex):
        return exact
    tolerance = room(want.dtype, rel)
    return bool(got.isclose(want, rtol=tolerance, atol=tolerance, equal_nan=True).all())


def kind_of(value: Tensor | torch.dtype) -> str:
    """Return the kind in words, such as `a float32 tensor of shape (2, 3)`."""
    if not isinstance(value, Tensor):
        return "a torch.dtype"
    name = str(value.dtype).removeprefix("torch.")
    return f"{'an' if name[0] == 'i' else 'a'} {name} tensor of shape {tuple(value.shape)}"


MOST = 10_000
"""The most elements that are written out: no report shows that many, and millions take minutes to write."""


def shown(value: Tensor | torch.dtype, most: int = MOST) -> str:
    """Return a value as it could be typed, such as `torch.tensor([1.0, 2.0], dtype=torch.float64)`.

    Floats are as short as their dtype allows. A tensor of more than `most` elements is not written out.
    """
    if not isinstance(value, Tensor):
        return str(value)
    told = "" if value.dtype in (torch.float32, torch.int64, torch.bool) and value.numel() else f", dtype={value.dtype}"
    device = "" if value.device.type == "cpu" else f", device={value.device.type!r}"
    if value.numel() > most:
        return f"<{kind_of(value)}>"
    if value.numel() == 0 and value.ndim != 1:
        return f"torch.empty({tuple(value.shape)}{told}{device})"
    return f"torch.tensor({_elements(value.detach().cpu())}{told}{device})"


def _elements(value: Tensor) -> str:
    if value.ndim:
        return f"[{', '.join(map(_elements, value))}]"
    if value.dtype in (torch.float32, torch.float16):
        return repr(float(str(value.numpy())))  # numpy writes the fewest digits that identify the number
    if value.dtype == torch.bfloat16:
        return repr(float(f"{float(value):.4g}"))
    return repr(value.item())


def size(value: Tensor | torch.dtype) -> int:
    """Return the number of elements."""
    return value.numel() if isinstance(value, Tensor) else 0


def encode(value: Tensor | torch.dtype) -> dict[str, Any]:
    """Return JSON: the name of a dtype, or dtype, shape and elements of a tensor, two numbers for a complex one."""
    if not isinstance(value, Tensor):
        return {"dtype": str(value)}
    elements = torch.view_as_real(value.resolve_conj()) if value.is_complex() else value
    return {"tensor": [str(value.dtype), list(value.shape), elements.cpu().flatten().tolist()]}


def decode(kind: str, told: Any) -> Tensor | torch.dtype:
    """Return the dtype or the tensor (on the CPU) that was encoded; raise ValueError for anything else."""
    dtypes = _dtypes()
    try:
        if kind == "dtype":
            return dtypes[told]
        dtype, shape, elements = dtypes[told[0]], told[1], told[2]
        if dtype.is_complex:
            pairs = torch.tensor(elements, dtype=dtype.to_real()).reshape(*shape, 2)
            return torch.view_as_complex(pairs)
        return torch.tensor(elements, dtype=dtype).reshape(shape)
    except (LookupError, TypeError, RuntimeError, OverflowError) as error:
        raise ValueError(f"no {kind}: {error}") from None


@functools.cache
def _dtypes() -> dict[str, torch.dtype]:
    """Return every dtype by its name. Searching torch for each one takes seconds if a message has many."""
    return {str(dtype): dtype for dtype in vars(torch).values() if isinstance(dtype, torch.dtype)}
