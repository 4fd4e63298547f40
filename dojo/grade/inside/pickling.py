"""What a call is given, as bytes, with random states and torch's modes: objects of one process go to another one.

Pickles, so only from a process that runs no code of a learner's to one that does. What is told the other way is data.
"""

from __future__ import annotations

import io
import marshal
import pickle
import random
from types import FunctionType
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from dojo.seam import torch_modes

OURS = ("dojo", "tests")
WHOLE = (torch.float32, torch.float64, torch.int64, torch.uint8, torch.bool)
"""Of these dtypes, a tensor that fills its storage is sent as its bytes; torch's own way takes ten times as long."""


def packed(args: tuple[object, ...]) -> bytes:
    """The arguments, random states and modes. Whatever cannot be copied raises what pickle has to say of it."""
    buffer = io.BytesIO()
    states = torch.get_rng_state(), np.random.get_state(), random.getstate(), torch_modes.now()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump((args, states))
    return buffer.getvalue()


def unpacked(data: bytes) -> tuple[Any, ...]:
    """The arguments; the random states and the modes become those that were sent."""
    args, (of_torch, of_numpy, of_python, of_process) = pickle.loads(data)
    torch.set_rng_state(of_torch)
    np.random.set_state(of_numpy)
    random.setstate(of_python)
    torch_modes.become(of_process)
    found: tuple[Any, ...] = args
    return found


class _Pickler(pickle.Pickler):
    def reducer_override(self, thing: Any) -> Any:
        kind = type(thing)
        if kind is nn.Parameter or kind is Tensor:
            return _of_tensor(thing)
        if kind is FunctionType and "<" in thing.__qualname__ and not thing.__closure__ and not thing.__code__.co_names:
            # A lambda of nothing but its arguments. From version 3 on, marshal's bytes tell how often a thing is used.
            return _function, (marshal.dumps(thing.__code__, 2), thing.__name__)
        if kind.__module__.partition(".")[0] in OURS:
            return object.__new__, (kind,), vars(thing)  # a file that is meant to be bad pickles as something else
        return NotImplemented


def _of_tensor(tensor: Tensor) -> Any:
    """A gradient is none of what torch pickles with a tensor."""
    data = tensor.detach()
    whole = data.dtype in WHOLE and data.is_cpu and data.is_contiguous()
    if whole and data.untyped_storage().nbytes() == data.numel() * data.element_size():
        elements = data.numpy().tobytes(), data.dtype, data.shape
        return _tensor, (type(tensor), elements, tensor.requires_grad, tensor.grad)
    if type(tensor) is Tensor and not tensor.requires_grad and tensor.grad is None:
        return NotImplemented
    return _leaf, (type(tensor), data, tensor.requires_grad, tensor.grad)


def _tensor(
    kind: type[Tensor], elements: tuple[bytes, torch.dtype, torch.Size], requires: bool, grad: Tensor | None
) -> Tensor:
    data, dtype, shape = elements
    filled = torch.frombuffer(bytearray(data), dtype=dtype) if data else torch.empty(0, dtype=dtype)
    return _leaf(kind, filled.reshape(shape), requires, grad)


def _leaf(kind: type[Tensor], data: Tensor, requires: bool, grad: Tensor | None) -> Tensor:
    made = nn.Parameter(data, requires) if kind is nn.Parameter else data.requires_grad_(requires)
    made.grad = grad
    return made


def _function(code: bytes, name: str) -> FunctionType:
    return FunctionType(marshal.loads(code), {}, name)
