"""Frames between the judge and the jail: pickles to the jail, strict JSON from the jail.

A frame is two lengths of four bytes each, then a message and tensors of these lengths, the tensors as safetensors.
"""

from __future__ import annotations

import json
import os
import pickle
import struct
from collections.abc import Iterator
from typing import Any

from dojo.seam.data import DEPTH, Foreign
from dojo.seam.json_codec import decode, encode, strict_json

HEAD = struct.Struct(">II")
MESSAGE = 4 * 2**20
"""Most bytes of a message from the jail."""
TENSORS = 64 * 2**20
"""Most bytes of the tensors of one message."""


class BadFrame(Exception):
    """The jail sent something other than the expected frame."""


def frame(message: object) -> bytes:
    """Pack a frame from the judge to the jail."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return HEAD.pack(len(body), 0) + body


def receive(descriptor: int) -> bytes:
    """Read the next frame in the jail, unparsed; EOFError if the pipe is closed."""
    head = _read(descriptor, HEAD.size)
    return head + _read(descriptor, sum(HEAD.unpack(head)))


def opened(data: bytes) -> Any:
    """Unpack a frame of the judge in the jail."""
    return pickle.loads(data[HEAD.size :])


def write(descriptor: int, data: bytes) -> None:
    """Write all of the data."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def answer(descriptor: int, message: dict[str, Any], value: object = None) -> None:
    """Write a frame to the judge. `value` is plain data, sent as the message's "value"."""
    beside: dict[str, Any] = {}

    def apart(tensor: Any) -> list[str]:
        name = str(len(beside))
        beside[name] = tensor.cpu()
        return [name, tensor.device.type]

    body = json.dumps({**message, "value": encode(value, apart)}, allow_nan=False).encode()
    tensors = _save(beside)
    if tensors is None or len(body) > MESSAGE or len(tensors) > TENSORS:
        kind = "value too large to look at" if tensors is not None else "tensor of a dtype that is never asked for"
        return answer(descriptor, message, Foreign(kind))
    write(descriptor, HEAD.pack(len(body), len(tensors)) + body + tensors)


def _save(tensors: dict[str, Any]) -> bytes | None:
    if not tensors:
        return b""
    from safetensors.torch import save  # imports torch, as every tensor has already

    try:
        return save(tensors)
    except KeyError:  # dtypes that safetensors does not support: complex128, sub-byte ones
        return None


def split(data: bytes) -> tuple[bytes, bytes]:
    """Split a frame into message and tensors."""
    message, _ = HEAD.unpack_from(data)
    return data[HEAD.size : HEAD.size + message], data[HEAD.size + message :]


def understood(message: bytes, tensors: bytes, depth: int = DEPTH) -> dict[str, Any]:
    """Decode a message, its value as plain data. BadFrame says what is wrong with it."""
    try:
        parsed = strict_json(message)
        if type(parsed) is not dict:
            raise ValueError("a message is an object")
        beside = _load(tensors)
        parsed["value"] = decode(parsed.get("value"), lambda place: _tensor_at(beside, place), depth)
        return parsed
    except ValueError as error:
        raise BadFrame(str(error)) from None


def _load(data: bytes) -> dict[str, Any]:
    if not data:
        return {}
    from safetensors import SafetensorError
    from safetensors.torch import load

    try:
        return load(data)
    except (SafetensorError, KeyError) as error:
        raise ValueError(f"no tensors: {error}") from None


def _tensor_at(beside: dict[str, Any], place: Any) -> Any:
    match place:
        case [str() as name, "cpu" | "cuda" as device] if name in beside:
            try:
                return beside[name].to(device)
            except (RuntimeError, AssertionError):  # AssertionError if torch was built without CUDA
                raise ValueError(f"a tensor on {device}, which is not there") from None
    raise ValueError("a tensor that is not there")


def lengths(head: bytes) -> tuple[int, int]:
    """Read the lengths of message and tensors from a head; BadFrame if they are too large."""
    message, tensors = HEAD.unpack(head)
    if message > MESSAGE or tensors > TENSORS:
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
