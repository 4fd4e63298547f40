"""Frames between the judge and the jail: pickles to the jail, strict JSON from the jail.

A frame is two lengths of four bytes each, then a message and tensors of these lengths, the tensors as safetensors. The
answer to a batch of calls has the frames of their answers in place of tensors.
"""

from __future__ import annotations

import io
import json
import math
import os
import pickle
import struct
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from dojo.seam.data import DEPTH, Foreign, tensors_for
from dojo.seam.json_codec import decode, encode, strict_json

if TYPE_CHECKING:
    from torch import Tensor

HEAD = struct.Struct(">II")
MESSAGE = 4 * 2**20
"""Maximum bytes of a message from the jail."""
TENSORS = 64 * 2**20
"""Maximum bytes of the tensors of one message."""
RANK = 64
"""Maximum number of dimensions of a tensor. Torch cannot compare tensors with more."""
ELEMENTS = 2**63
"""The product of a tensor's nonzero sizes must be less, since torch has no strides beyond it."""


ENOUGH = 2**20
"""Bytes of answers after which no more calls of a batch are made."""
LONGEST = ENOUGH + HEAD.size + MESSAGE + TENSORS
"""Maximum bytes of what follows a message from the jail: tensors, or the frames of a batch."""


class BadFrame(Exception):
    """The jail sent something other than the expected frame."""


def frame(request: tuple[Any, ...]) -> bytes:
    """Pack a frame from the judge to the jail: an id, what is asked, and its arguments."""
    body = pickled(request[:2]) + pickled(request[2:])
    return HEAD.pack(len(body), 0) + body


def pickled(value: object) -> bytes:
    """Pickle what goes to the jail."""
    written = io.BytesIO()
    _Pickler(written, pickle.HIGHEST_PROTOCOL).dump(value)
    return written.getvalue()


class _Pickler(pickle.Pickler):
    """Writes a tensor as its bytes where nothing is lost: as torch writes it, it takes ten times as long."""

    def reducer_override(self, value: Any) -> Any:
        tensors = tensors_for(value)
        if tensors is None or not tensors.is_whole(value) or value.device.type != "cpu":
            return NotImplemented
        return tensors.of_bytes, (value.dtype, tuple(value.shape), tensors.bytes_of(value))


def receive(descriptor: int, *, trusted: bool = True) -> bytes:
    """Read the next frame in the jail, unparsed; EOFError if the pipe is closed.

    BadFrame if it is not `trusted` and longer than one from the jail may be.
    """
    head = _read(descriptor, HEAD.size)
    return head + _read(descriptor, sum(HEAD.unpack(head) if trusted else lengths(head)))


def heading(data: bytes) -> tuple[str, str]:
    """Return the id of a frame from the judge, and what is asked."""
    key, what = pickle.loads(data[HEAD.size :])
    return key, what


def opened(data: bytes) -> tuple[Any, ...]:
    """Unpack a frame from the judge, in the jail."""
    body = io.BytesIO(data[HEAD.size :])
    return (*pickle.load(body), *pickle.load(body))


def write(descriptor: int, data: bytes) -> None:
    """Write all of the data."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def answer(descriptor: int, message: dict[str, Any], value: object = None) -> None:
    """Write a frame to the judge. `value` is plain data, sent as the message's "value"."""
    write(descriptor, packed(message, value))


def answer_batch(descriptor: int, key: str, told: Iterable[tuple[dict[str, Any], object]]) -> None:
    """Write one frame with those of the calls of a batch. Once they are long ENOUGH, `told` is not asked for more."""
    frames = bytearray()
    for message, value in told:
        frames += packed(message, value)
        if len(frames) > ENOUGH:
            break
    body = json.dumps({"id": key, "kind": "batch", "value": None}).encode()
    write(descriptor, HEAD.pack(len(body), len(frames)) + body + frames)


def packed(message: dict[str, Any], value: object) -> bytes:
    """Pack a frame from the jail to the judge."""
    beside: dict[str, Any] = {}

    def apart(tensor: Tensor) -> list[str]:
        name = str(len(beside))
        beside[name] = tensor.cpu()
        return [name, tensor.device.type]

    body = json.dumps({**message, "value": encode(value, apart)}, allow_nan=False).encode()
    tensors = _save(beside)
    if tensors is None or len(body) > MESSAGE or len(tensors) > TENSORS:
        kind = "value too large to look at" if tensors is not None else "tensor that nobody has asked for"
        return packed(message, Foreign(kind))
    return HEAD.pack(len(body), len(tensors)) + body + tensors


def _save(tensors: dict[str, Any]) -> bytes | None:
    if not tensors:
        return b""
    from safetensors.torch import save  # imports torch, as every tensor has already

    if any(tensor.ndim > RANK for tensor in tensors.values()):
        return None
    try:
        return save(tensors)
    except KeyError:  # dtypes that safetensors does not support: complex128, sub-byte ones
        return None


def split(data: bytes) -> tuple[bytes, bytes]:
    """Split a frame into message and tensors."""
    message, _ = HEAD.unpack_from(data)
    return data[HEAD.size : HEAD.size + message], data[HEAD.size + message :]


def split_batch(frames: bytes) -> list[bytes]:
    """Split the answer to a batch into frames. BadFrame if the last one is not whole."""
    found, place = [], 0
    while place < len(frames):
        if len(frames) - place < HEAD.size:
            raise BadFrame("a frame that ends too early")
        end = place + HEAD.size + sum(lengths(frames[place : place + HEAD.size]))
        if end > len(frames):
            raise BadFrame("a frame that ends too early")
        found.append(frames[place:end])
        place = end
    return found


def understood(message: bytes, tensors: bytes, depth: int = DEPTH) -> dict[str, Any]:
    """Decode a message, its value as plain data. BadFrame says what is wrong with it."""
    try:
        parsed = strict_json(message)
        if type(parsed) is not dict:
            raise ValueError("a message is an object")
        beside = _load(tensors)
        parsed["value"] = decode(parsed.get("value"), lambda place: _taken(beside, place), depth)
        return parsed
    except ValueError as error:
        raise BadFrame(str(error)) from None


def _load(data: bytes) -> dict[str, Any]:
    if not data:
        return {}
    from safetensors import SafetensorError
    from safetensors.torch import load

    try:
        _check_header(data)
        loaded: dict[str, Any] = load(data)
        if any(_is_no_bool(tensor) for tensor in loaded.values()):
            raise ValueError("a bool that is neither True nor False")
    except (SafetensorError, KeyError, ValueError) as error:
        raise ValueError(f"no tensors: {error}") from None
    return loaded


def _check_header(data: bytes) -> None:
    """Raise ValueError if it asks for a tensor that torch cannot make. Safetensors checks the bytes of each."""
    length = int.from_bytes(data[:8], "little")
    if length > min(MESSAGE, len(data) - 8):
        raise ValueError("their header is too long")
    header = strict_json(data[8 : 8 + length])
    if type(header) is not dict:
        raise ValueError("their header is no object")
    for entry in header.values():
        match entry:
            case {"dtype": str(), "shape": list() as shape, "data_offsets": [int(), int()], **rest} if not rest:
                if len(shape) > RANK or not all(type(size) is int and size >= 0 for size in shape):
                    raise ValueError(f"a shape is at most {RANK} sizes")
                if math.prod(max(size, 1) for size in shape) >= ELEMENTS:
                    raise ValueError("a shape is beyond what torch can count")
            case _:
                raise ValueError("an entry is a dtype, a shape and two offsets")


def _is_no_bool(tensor: Tensor) -> bool:
    """Return whether it is a bool tensor with bytes other than 0 and 1, on which comparisons disagree."""
    import torch  # already imported to load the tensor

    return tensor.dtype == torch.bool and bool((tensor.view(torch.uint8) > 1).any())


def _taken(beside: dict[str, Any], place: Any) -> Any:
    """Return the tensor of this name, once: a few bytes that name a large one repeatedly would take hours to check."""
    match place:
        case [str() as name, "cpu" | "cuda" as device] if name in beside:
            try:
                return beside.pop(name).to(device)
            except (RuntimeError, AssertionError):  # AssertionError if torch was built without CUDA
                raise ValueError(f"a tensor on {device}, which is not there") from None
    raise ValueError("a tensor that is not there")


def lengths(head: bytes) -> tuple[int, int]:
    """Read the lengths of message and tensors from a head; BadFrame if they are too large."""
    message, tensors = HEAD.unpack(head)
    if message > MESSAGE or tensors > LONGEST:
        raise BadFrame(f"{message:,} and {tensors:,} bytes are more than a frame may have")
    return message, tensors


def _read(descriptor: int, length: int) -> bytes:
    return b"".join(_parts(descriptor, length))


def _parts(descriptor: int, length: int) -> Iterator[bytes]:
    while length:
        part = os.read(descriptor, min(length, 2**20))
        if not part:
            raise EOFError
        length -= len(part)
        yield part
