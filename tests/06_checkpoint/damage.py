"""What may lie where a checkpoint should be: a damaged file, somebody else's, or one that would run code."""

from __future__ import annotations

import io
import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

Bytes = bytes | None
"""What a file holds; None for a folder."""

WHOLE, MISSING = "whole", "missing"


def flip(data: bytes, number: int) -> bytes:
    """Flip one bit, number / 2**20 of the way through the file."""
    return flipped(data, number * 8 * len(data) >> 20)


def flipped(data: bytes, bit: int) -> bytes:
    """Flip this bit of the file."""
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


END = 512
"""Bits at each end of a file, where a digest may stand."""


def spread(data: bytes, number: int, many: tuple[int, int, int]) -> list[int]:
    """So many bits of a file, all different, in each of three places: the first bytes, the last ones, and all over."""
    size = 8 * len(data)
    end = min(END, size)
    start = 104_729 * number
    front, back, over = (range(start, start + 7 * count, 7) for count in many)
    bits = [*(step % end for step in front), *(size - 1 - step % end for step in back)]
    return list(dict.fromkeys([*bits, *(104_729 * step % size for step in over)]))


def _foreign(data: bytes, number: int) -> bytes:
    kind, file = number % 6, io.BytesIO()
    if kind == 0:
        return b"step = 3\n"
    if kind in (1, 2):
        torch.save({"step": 10**9, "model": {}, "optimizer": {}}, file)
    elif kind == 3:
        return pickle.dumps({"step": 10**9})
    elif kind == 4:
        return bytes(range(256)) * 4
    else:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("data.pkl", b"no pickle")
    return file.getvalue()


DAMAGE: dict[str, tuple[str, Callable[[bytes, int], Bytes]]] = {
    WHOLE: ("{} is as it was saved", lambda data, number: data),
    MISSING: ("{} is not there", lambda data, number: None),
    "flipped": ("one bit of {} is flipped, {:.4%} of the way through", flip),
    "truncated": ("{} ends {:.4%} of the way through", lambda data, number: data[: number * len(data) >> 20]),
    "lengthened": ("{} has some zero bytes after its end", lambda data, number: data + bytes(1 + number % 64)),
    "foreign": ("{} is somebody else's file", _foreign),
    "empty": ("{} is empty", lambda data, number: b""),
    "a folder": ("{} is a folder", lambda data, number: None),
}
"""Each kind in words, and what the file of a checkpoint becomes."""


def told_damage(name: str, kind: str, number: int) -> str:
    """The damage in words."""
    if kind == "flipped" and not number:
        return f"the first bit of {name} is flipped"
    return DAMAGE[kind][0].format(name, number / 2**20)


def laid(name: str, data: bytes, kind: str, number: int) -> dict[str, Bytes]:
    """What lies under that name after the damage; a folder holds the whole file."""
    if kind == MISSING:
        return {}
    left = DAMAGE[kind][1](data, number)
    return {name: left} if left is not None else {name: None, f"{name}/inside": data}


GADGETS: tuple[Callable[..., object], ...] = (os.mkdir, exec, Path.touch, zipfile.ZipFile, torch.save, np.savetxt)
"""What a pickle may call to leave something behind.

A list of the names that are known to be bad is never complete, and torch and numpy have functions that write files too.
"""


class Evil:
    """What makes a file or a folder of that name in the current folder when it is unpickled."""

    def __init__(self, flag: str, number: int = 0):
        self.flag = flag
        self.number = number
        self.gadget = GADGETS[number % len(GADGETS)]

    def __reduce__(self) -> tuple[Any, ...]:
        arguments: dict[Any, tuple[object, ...]] = {
            exec: (f"import os; os.mkdir({self.flag!r})",),
            Path.touch: (Path(self.flag),),
            zipfile.ZipFile: (self.flag, "w"),
            torch.save: ([], self.flag),
            np.savetxt: (self.flag, [0]),
        }
        return self.gadget, arguments.get(self.gadget, (self.flag,))

    def __deepcopy__(self, memo: object) -> Evil:
        """Return itself, so that whoever saves a deep copy still has it in the file."""
        return self


def evil_pickle(evil: Evil) -> bytes:
    """A pickle that would run code."""
    return pickle.dumps({"step": 1, "model": evil})


def evil_torch(evil: Evil, *, legacy: bool = False) -> bytes:
    """A file of torch.save that would run code."""
    file = io.BytesIO()
    torch.save({"step": 10**9, "model": evil}, file, _use_new_zipfile_serialization=not legacy)
    return file.getvalue()


LARGEST = 2**24
"""Bytes of a learner's zip file that are unpacked."""


def evil_member(data: bytes, evil: Evil) -> bytes:
    """The same zip file with an evil pickle in it; where it is none, a file of torch.save."""
    made = io.BytesIO()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(made, "w") as other:
            if sum(member.file_size for member in archive.infolist()) > LARGEST:
                return evil_torch(evil)
            for member in archive.infolist():
                is_pickle = member.filename.endswith(".pkl")
                other.writestr(member.filename, pickle.dumps(evil, 2) if is_pickle else archive.read(member))
    except Exception:  # whatever is the matter with a file that is not ours
        return evil_torch(evil)
    return made.getvalue()
