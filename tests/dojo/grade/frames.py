"""Frames as a jail writes them, one of each kind, and a strategy that makes others of them, as no jail writes them."""

from __future__ import annotations

import copy
import functools
import json
import math
import struct
import tempfile
from collections.abc import Iterator
from functools import cache
from typing import Any

import torch
from hypothesis import strategies as st

from dojo.catalog import find
from dojo.grade.inside import wire
from dojo.grade.inside.learner import outcome
from dojo.grade.inside.loading import compiled, loaded, told
from dojo.seam.local import Local
from dojo.seam.seam import Broken
from tests.dojo.grade.fuzz import Draw, damaged

KEY = "0123456789abcdef" * 2
KATA = find("01")
SOURCE = b"""
import torch

def get_memory_usage(tensor):
    tensors = [torch.arange(6.0).reshape(2, 3), torch.empty(0, 2, 3), torch.ones(2, dtype=torch.bool)]
    return [*tensors, {"a": (1, 2.5, None), 2: 10**30}, torch.float32, float("inf"), "text", range(3)]

def get_storage_usage(tensors):
    raise ValueError("no")

def get_model_memory(layers):
    raise NotImplementedError("get_model_memory")

def packed_bytes(count, bits):
    return [None, torch.ones(2, 2)]
"""


def breaks(module: Any) -> None:
    """A scenario that fails."""
    raise Broken("it cannot be asked")


@cache
def recorded() -> dict[str, bytes]:
    """The bytes of a frame of each kind."""
    file = loaded(KATA, compiled(KATA, SOURCE))
    seam = Local(file)
    asked = {"value": "get_memory_usage", "error": "get_storage_usage", "todo": "get_model_memory"}
    said = {
        kind: outcome(functools.partial(seam._outcome, name, (name,), None, (1,), {})) for kind, name in asked.items()
    }
    said["lend"] = outcome(functools.partial(seam._outcome, "packed_bytes", (), None, (1, 2), {}))
    said["broken"] = outcome(functools.partial(seam._outcome, "packed_bytes", (), breaks, (), {}))
    said["loaded"] = {"kind": "loaded", **told(KATA, file)}, None
    said["missing"] = {"kind": "missing", "function": "packed_bytes"}, None
    said["died"] = {"kind": "died", "status": -9}, None
    said["unreadable"] = {"kind": "unreadable", "message": "more than a frame may have"}, None
    file_of = torch.tensor(list(b"its bytes"), dtype=torch.uint8)
    left = {
        "value": [1, torch.ones(2)],
        "files": {"a": file_of, "b": None},
        "moments": 3,
        "seen": [[file_of.clone(), True]],
    }
    said["part"] = {"kind": "part", "ended": {"kind": "value"}}, left
    said["done"] = {"kind": "done"}, None
    return {kind: _joined(*framed({"id": KEY, **message}, value)) for kind, (message, value) in said.items()}


def _joined(message: bytes, tensors: bytes) -> bytes:
    return wire.HEAD.pack(len(message), len(tensors)) + message + tensors


def framed(message: dict[str, Any], value: object) -> tuple[bytes, bytes]:
    """A message and its tensors, as a jail writes them."""
    with tempfile.TemporaryFile(buffering=0) as file:
        wire.answer(file.fileno(), message, value)
        file.seek(0)
        return wire.split(file.read())


class Raw(str):
    """What is written into JSON as it is."""


class Object(list[Any]):
    """A JSON object as pairs, in which a key may stand twice."""


def _nested(text: str, depth: int) -> Raw:
    return Raw(text * depth + {"[": "]", '{"tuple":[': "]}", '{"a":': "}"}[text] * depth)


NUMBERS = [0, 1, -1, 4, 2**31, 2**32, 2**53, 2**62, 2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**400, 0.5, -0.0, 1e308]
ODD = [Raw("NaN"), Raw("-Infinity"), Raw("1e999"), Raw("1" * 5000), Raw("0" * 9), Raw("tru"), Raw(""), Raw("\x00")]
NESTED = [_nested("[", 30), _nested("[", 3000), _nested('{"tuple":[', 25), _nested('{"a":', 2000)]
TEXTS = ["", "a", "\ud800", "\0", "a\nb", "x" * 3000, "ü" * 300, "value", "died", "loaded", KEY, "cuda"]
VALUES: list[dict[str, Any]] = [
    {"int": "0x" + "f" * 9000},
    {"int": 1},
    {"float": "nan"},
    {"float": "1"},
    {"tuple": []},
    {"dict": [[1, 2], [1, 2]]},
    {"dict": [[[], 1]]},
    {"dict": [[{"tensor": ["0", "cpu"]}, 1]]},
    {"foreign": ""},
    {"foreign": "x" * 3000},
    {"error": ""},
    {"error": "ValueError"},
    {"dtype": "torch.float32"},
    {"dtype": "torch.nn"},
    {"tensor": ["0", "cpu"]},
    {"tensor": ["0", "cuda"]},
    {"tensor": [["0"], {}]},
    {"tensor": ["0", "cpu", "cpu"]},
]
WIDTHS = {"F64": 8, "F32": 4, "BF16": 2, "U64": 8, "BOOL": 1, "C64": 8, "F8_E4M3": 1, "F4": 0.5, "X99": 1}
"""Types of elements by their names, and their bytes."""
SHAPES = [[0, 2**62, 2**62], [2**62, 2**62, 0], [2**64, 0], [2**63, 0], [2**32, 2**32], [0] * 70, [1] * 65, [1] * 3000]
OFFSETS = [[0, 0], [0, 2**40], [-4, 0], [4, 0], [0, 24], [2**64, 2**64]]
EXTREMES: list[Any] = [
    *NUMBERS, *ODD, *NESTED, *TEXTS, None, True, False, [], [[]], {}, *VALUES, *WIDTHS, *SHAPES, *OFFSETS
]  # fmt: skip


def _opened(node: Any) -> Any:
    """JSON with its objects as pairs."""
    if isinstance(node, dict):
        return Object([key, _opened(item)] for key, item in node.items())
    return [_opened(item) for item in node] if isinstance(node, list) else node


def _written(node: Any) -> str:
    if isinstance(node, Object):
        return "{" + ",".join(f"{json.dumps(key)}:{_written(item)}" for key, item in node) + "}"
    if isinstance(node, list):
        return f"[{','.join(map(_written, node))}]"
    return node if isinstance(node, Raw) else json.dumps(node)


def _places(node: list[Any]) -> Iterator[tuple[list[Any], int]]:
    """Each place of a value in a tree: an item of a list, or of a pair."""
    for at, item in enumerate(node):
        where, place = (item, 1) if isinstance(node, Object) else (node, at)
        yield where, place
        if isinstance(where[place], list):
            yield from _places(where[place])


def changed(draw: Draw, text: bytes) -> bytes:
    """JSON of which one to three values, or entries of objects and lists, are changed."""
    tree = [_opened(json.loads(text))]
    for _ in range(draw(st.integers(1, 3))):
        places = list(_places(tree))
        where, at = draw(st.sampled_from(places))
        inside = [where[at] for where, at in places if isinstance(where[at], list) and where[at]]
        alike = [value for value in EXTREMES if type(value) is type(where[at])]
        other = _opened(draw(st.sampled_from(alike if alike and draw(st.booleans()) else EXTREMES)))
        what = draw(st.sampled_from(["replace", "replace", "replace", "swap", "remove", "repeat", "add", "rename"]))
        if what == "swap":
            there, its = draw(st.sampled_from(places))
            where[at], there[its] = copy.deepcopy((there[its], where[at]))
        elif what == "replace" or not inside:
            where[at] = other
        else:
            entries = draw(st.sampled_from(inside))
            place, keyed = draw(st.integers(0, len(entries) - 1)), isinstance(entries, Object)
            if what == "remove":
                del entries[place]
            elif what == "repeat":
                times = draw(st.sampled_from([1, 2, 70]))
                entries[place:place] = [copy.deepcopy(entries[place]) for _ in range(times)]
            elif what == "add" or not keyed:
                entries.insert(place, [draw(st.sampled_from(TEXTS)), other] if keyed else other)
            else:
                entries[place] = [draw(st.sampled_from(TEXTS)), entries[place][1]]
    return _written(tree[0]).encode()


def odd_tensors(draw: Draw, number: int) -> bytes:
    """So many tensors of odd types and shapes, of which as much is right as can be."""
    header: dict[str, Any] = {}
    data = b""
    for name in range(number):
        dtype, shape = draw(st.sampled_from(list(WIDTHS))), draw(st.sampled_from(SHAPES))
        size = int(WIDTHS[dtype] * math.prod(shape))
        size = size if size < 2**12 else 0
        header[str(name)] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + size]}
        data += draw(st.sampled_from([b"\0", b"\1", b"\xff", b"\x7f\xc0"])) * size
    told = json.dumps(header).encode()
    return struct.pack("<Q", len(told)) + told + data[: header[str(number - 1)]["data_offsets"][1]]


@st.composite
def frames(draw: Draw, kinds: tuple[str, ...] = (), *, in_batch: bool = False) -> bytes:
    """A frame of one of these kinds, or of any, which no honest jail writes in this way."""
    told = in_a_batch() if in_batch else recorded()
    data = told[draw(st.sampled_from(kinds or (*told, "value", "value")))]
    message, tensors = wire.split(data)
    if tensors and draw(st.sampled_from([False, False, True])):
        tensors = odd_tensors(draw, draw(st.integers(1, 3)))
    what = draw(st.sampled_from(["message", "tensors", "both", "bytes", "head"]))
    if what in ("message", "both"):
        message = changed(draw, message)
    if what in ("tensors", "both") and tensors:
        (length,) = struct.unpack_from("<Q", tensors)
        header, rest = changed(draw, tensors[8 : 8 + length]), tensors[8 + length :]
        length = draw(st.sampled_from([len(header)] * 8 + [0, len(header) + 1, 2**24, 2**63, 2**64 - 1]))
        rest = damaged(draw, rest) if draw(st.sampled_from([False, False, True])) else rest
        tensors = struct.pack("<Q", length) + header + rest
    if what == "bytes":
        if tensors and draw(st.booleans()):
            tensors = damaged(draw, tensors)
        else:
            message = damaged(draw, message)
    made = _joined(message, tensors)
    return damaged(draw, made) if what == "head" else made


@cache
def in_a_batch() -> dict[str, bytes]:
    """The bytes of a frame of each kind that answers a call of a batch: they have no id."""
    said = {kind: wire.split(recorded()[kind]) for kind in ("value", "error", "todo", "missing", "broken")}
    messages = {kind: json.loads(message) for kind, (message, _) in said.items()}
    for message in messages.values():
        del message["id"]
    return {kind: _joined(json.dumps(messages[kind]).encode(), tensors) for kind, (_, tensors) in said.items()}


@st.composite
def batches(draw: Draw) -> bytes:
    """A frame with the answers to a batch of two calls, which no honest jail writes in this way."""
    well = st.sampled_from([*in_a_batch().values()])
    answers = b"".join(draw(st.lists(frames(in_batch=True) | well, max_size=3)))
    message = json.dumps({"id": KEY, "kind": "batch", "value": None}).encode()
    what = draw(st.sampled_from(["frames", "frames", "frames", "message", "end", "head"]))
    if what == "message":
        message = changed(draw, message)
    if what == "end":
        answers = damaged(draw, answers) if answers else b"\0"
    made = _joined(message, answers)
    return damaged(draw, made) if what == "head" else made
