"""Frames between the judge and the jail: to the jail anything, from the jail strict JSON.

A frame is two lengths of four bytes each, and what they are the lengths of: the message, and the tensors beside it, as
safetensors.
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
"""Bytes of a message from the jail, at most."""
TENSORS = 64 * 2**20
"""Bytes of the tensors of one message, at most."""


class BadFrame(Exception):
    """What came from the jail is no frame, or not the one that was due."""


def frame(message: object) -> bytes:
    """In the judge: a frame to the jail."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return HEAD.pack(len(body), 0) + body


def receive(descriptor: int) -> bytes:
    """In the jail: the next frame, as it came; EOFError where there will be none."""
    head = _read(descriptor, HEAD.size)
    return head + _read(descriptor, sum(HEAD.unpack(head)))


def opened(data: bytes) -> Any:
    """In the jail: what a frame of the judge's says."""
    return pickle.loads(data[HEAD.size :])


def write(descriptor: int, data: bytes) -> None:
    """Write all of it."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def answer(descriptor: int, message: dict[str, Any], value: object = None) -> None:
    """In the jail: write a frame to the judge. `value` is plain data; it travels as the message's "value"."""
    beside: dict[str, Any] = {}

    def apart(tensor: Any) -> list[str]:
        name = str(len(beside))
        beside[name] = tensor.cpu()
        return [name, tensor.device.type]

    body = json.dumps({**message, "value": encode(value, apart)}, allow_nan=False).encode()
    tensors = _saved(beside)
    if tensors is None or len(body) > MESSAGE or len(tensors) > TENSORS:
        told = "value too large to look at" if tensors is not None else "tensor of a dtype that is never asked for"
        return answer(descriptor, message, Foreign(told))
    write(descriptor, HEAD.pack(len(body), len(tensors)) + body + tensors)


def _saved(tensors: dict[str, Any]) -> bytes | None:
    if not tensors:
        return b""
    from safetensors.torch import save  # imports torch, which a tensor has done already

    try:
        return save(tensors)
    except KeyError:  # the dtypes that safetensors does not know: complex128, those of a few bits
        return None


def split(data: bytes) -> tuple[bytes, bytes]:
    """The message and the tensors of a whole frame."""
    message, _ = HEAD.unpack_from(data)
    return data[HEAD.size : HEAD.size + message], data[HEAD.size + message :]


def understood(message: bytes, tensors: bytes, depth: int = DEPTH) -> dict[str, Any]:
    """The message of a frame, its value as plain data. BadFrame says what it is not."""
    try:
        told = strict_json(message)
        if type(told) is not dict:
            raise ValueError("a message is an object")
        beside = _loaded(tensors)
        told["value"] = decode(told.get("value"), lambda place: _placed(beside, place), depth)
        return told
    except ValueError as error:
        raise BadFrame(str(error)) from None


def _loaded(data: bytes) -> dict[str, Any]:
    if not data:
        return {}
    from safetensors import SafetensorError
    from safetensors.torch import load

    try:
        return load(data)
    except (SafetensorError, KeyError) as error:
        raise ValueError(f"no tensors: {error}") from None


def _placed(beside: dict[str, Any], place: Any) -> Any:
    match place:
        case [str() as name, "cpu" | "cuda" as device] if name in beside:
            try:
                return beside[name].to(device)
            except (RuntimeError, AssertionError):  # AssertionError where torch was built without it
                raise ValueError(f"a tensor on {device}, which is not there") from None
    raise ValueError("a tensor that is not there")


def lengths(head: bytes) -> tuple[int, int]:
    """In the judge: how long message and tensors of a frame are; BadFrame where they are longer than they may be."""
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
