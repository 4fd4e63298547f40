"""What wrong answers to kata 06 are made of."""

import hashlib
import io
import os
import tempfile
from pathlib import Path

import torch

from dojo.judging.diagnose import solution

solved = solution("06_checkpoint")


def sealed(state):
    """The bytes of the file."""
    buffer = io.BytesIO()
    torch.save(state, buffer)
    return hashlib.sha256(buffer.getvalue()).digest() + buffer.getvalue()


def write_beside(path, data):
    """Write to a file in the same folder; its name."""
    handle, temporary = tempfile.mkstemp(dir=Path(path).parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
    except BaseException:
        os.remove(temporary)
        raise
    return temporary


def write(path, state):
    """Write the file as it should be written."""
    temporary = write_beside(path, sealed(state))
    try:
        os.replace(temporary, path)
    except BaseException:
        os.remove(temporary)
        raise
