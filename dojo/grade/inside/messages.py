"""Messages that a jail may send: their kinds, the fields of each with their values, and the requests each may answer.

A learner's process can write any bytes into its pipe. All readers go through `answer_to`, which returns a message of
this table or raises BadFrame. No later code checks types again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dojo.grade.inside.wire import BadFrame, split, split_batch, understood
from dojo.seam.data import Error

LINE = 2000
"""Maximum number of characters of a text."""
NAME = 200
"""Maximum number of characters of a name that a learner has given."""
MANY = 1000
"""Maximum number of entries of a field."""
LAST_LINE = 2**31 - 1
"""The largest number that Python gives a line of source."""

Check = Callable[[Any], bool]


def is_text(value: object) -> bool:
    """Return whether it is a string that is not too long."""
    return type(value) is str and len(value) <= LINE


def are_names(value: object) -> bool:
    """Return whether it is a list of names."""
    return type(value) is list and len(value) <= MANY and all(map(is_text, value))


def is_line(value: object) -> bool:
    """Return whether it is a line number, or another number in the same range."""
    return type(value) is int and 0 <= value <= LAST_LINE


def is_line_or_none(value: object) -> bool:
    """Return whether it is a line number, or None."""
    return value is None or is_line(value)


def are_lines(value: object) -> bool:
    """Return whether it maps names to line numbers."""
    return type(value) is dict and are_names(list(value)) and all(map(is_line, value.values()))


def is_status(value: object) -> bool:
    """Return whether it is an exit status, or a signal as a negative number."""
    return type(value) is int and -64 <= value <= 255


def is_bytes(value: object) -> bool:
    """Return whether it is the content of a file, or None for something that is not a file."""
    if value is None:
        return True
    import torch  # which not every jail has

    if not isinstance(value, torch.Tensor):
        return False
    return (value.dtype, value.ndim, value.device.type) == (torch.uint8, 1, "cpu")


def is_left(value: object) -> bool:
    """Return whether it is what a part left: its result, its files, the number of moments, what was seen in them."""
    match value:
        case {"value": _, "files": dict() as files, "moments": moments, "seen": list() as seen, **rest}:
            looks = all(type(look) is list and len(look) == 2 and type(look[1]) is bool for look in seen)
            datas = [*files.values(), *(look[0] for look in seen if looks)]
            return not rest and looks and is_line(moments) and all(map(is_bytes, datas)) and are_names(list(files))
    return False


def is_ending(value: object) -> bool:
    """Return whether it says how a part ended: by a kill, by itself, or with an answer, whose value is beside it."""
    kind = value.get("kind") if isinstance(value, dict) else None
    if type(kind) is not str or kind not in CALLED | {"killed", "ended"}:
        return False
    fields = {name: holds for name, holds in FIELDS.get(kind, {}).items() if name != "value"}
    assert isinstance(value, dict)
    return value.keys() == {"kind", *fields} and all(holds(value[name]) for name, holds in fields.items())


FIELDS: Mapping[str, Mapping[str, Check]] = {
    "done": {},
    "died": {"status": is_status},
    "unreadable": {"message": is_text},
    "loaded": {"trouble": is_text, "lines": are_lines, "stubs": are_names, "names": are_names},
    "value": {"value": lambda value: not isinstance(value, Error)},
    "error": {"name": is_text, "bases": are_names, "message": is_text, "line": is_line_or_none},
    "todo": {"function": is_text, "stub": is_text, "message": is_text, "line": is_line_or_none},
    "missing": {"function": is_text},
    "broken": {"message": is_text},
    "part": {"ended": is_ending, "value": is_left},
    "batch": {},
}
"""The fields of each kind of message besides id, kind and value. The value is None unless it is named."""

CALLED = frozenset({"value", "error", "todo", "missing", "broken"})
ENDED = frozenset({"died", "unreadable"})
"""What the host sends if a learner's process has ended."""
ANSWERS: Mapping[str, frozenset[str]] = {
    "import": frozenset({"done", "broken"}),
    "close": frozenset({"done"}),
    "open": ENDED | {"loaded"},
    "ask": ENDED | CALLED,
    "batch": ENDED | {"batch"},
    "lend": CALLED,
    "part": ENDED | {"part"},
    "act": CALLED,
}
"""The kinds of message that answer each request. The judge asks the host for a "part", the host a process to "act"."""


def answer_to(request: str, message: bytes, tensors: bytes) -> dict[str, Any]:
    """Decode an answer to this request. BadFrame says what is wrong with it."""
    return _checked(understood(message, tensors), ANSWERS[request], {"id": is_text})


def answer_to_batch(message: bytes, frames: bytes) -> dict[str, Any]:
    """Decode the answer to a batch, and leave each frame as its value as it came: see `answer_in`."""
    told = _checked(understood(message, b""), ANSWERS["batch"], {"id": is_text})
    if told["kind"] != "batch" and frames:
        raise BadFrame("frames, but of no batch")
    return {**told, "value": split_batch(frames)}


def answer_in(frame: bytes) -> dict[str, Any]:
    """Decode a frame of a batch: the answer to one call."""
    return _checked(understood(*split(frame)), CALLED, {})


def _checked(told: dict[str, Any], kinds: frozenset[str], also: Mapping[str, Check]) -> dict[str, Any]:
    """Return a message of one of these kinds, with the fields of its kind and `also` these."""
    kind = told.get("kind")
    if type(kind) is not str or kind not in kinds:
        raise BadFrame("no kind of answer to what it was asked")
    fields = {**also, "kind": is_text, "value": _is_none, **FIELDS[kind]}
    if told.keys() != fields.keys():
        raise BadFrame(f"other fields than those of {kind!r}")
    for name, holds in fields.items():
        if not holds(told[name]):
            raise BadFrame(f"{kind!r} with an odd {name!r}")
    return told


def _is_none(value: object) -> bool:
    return value is None
