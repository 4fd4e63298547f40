"""Kata 06 solved."""

import copy
import hashlib
import io
import os
import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler


class CheckpointError(Exception):
    """The file is not a whole checkpoint, or not one of this run. The message names the file. This class is given."""


def save_checkpoint(
    path: str | Path, model: nn.Module, optimizer: Optimizer, step: int, scheduler: LRScheduler | None = None
) -> None:
    """Write a digest and the content that it covers beside `path`, and move the file onto `path`."""
    state = {
        "step": step,
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict() if scheduler is not None else None,
        "random": _random_states(),
    }
    buffer = io.BytesIO()
    torch.save(state, buffer)
    content = buffer.getvalue()
    path = Path(path)
    descriptor, temporary = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(hashlib.sha256(content).digest() + content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def load_checkpoint(
    path: str | Path, model: nn.Module, optimizer: Optimizer, scheduler: LRScheduler | None = None
) -> int:
    """Rehearse on copies, so that anything that can fail does so before anything is changed."""
    state = _read(path)
    if scheduler is not None and state["scheduler"] is None:
        raise CheckpointError(f"{path} holds no schedule")
    parts = {"model": model, "optimizer": optimizer} | ({"scheduler": scheduler} if scheduler is not None else {})
    try:
        for name, part in parts.items():
            copy.deepcopy(part).load_state_dict(state[name])
    except Exception as error:
        raise CheckpointError(f"{path} is of another run: {error}") from error
    for name, part in parts.items():
        part.load_state_dict(state[name])
    _set_random_states(state["random"])
    step: int = state["step"]
    return step


def latest_checkpoint(directory: str | Path) -> Path | None:
    """Read every file, and skip those that are not whole checkpoints."""
    steps = {}
    for path in Path(directory).iterdir():
        try:
            steps[path] = _read(path)["step"]
        except CheckpointError:
            continue
    return max(steps, key=lambda path: steps[path], default=None)


def _read(path: str | Path) -> dict[str, Any]:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror}") from error
    digest, content = data[:32], data[32:]
    if hashlib.sha256(content).digest() != digest:
        raise CheckpointError(f"{path} is no whole checkpoint")
    try:
        state: dict[str, Any] = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    except Exception as error:
        raise CheckpointError(f"{path} holds more than data: {error}") from error
    return state


def _random_states() -> dict[str, Any]:
    """Return tensors and plain numbers. The last one of numpy and of Python is a normal number for the next call."""
    name, numpy_bits, *numpy_rest = np.random.get_state()
    version, bits, normal = random.getstate()
    return {
        "cpu": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
        "numpy": (name, torch.tensor(numpy_bits.astype(np.int64)), *numpy_rest),
        "python": (version, torch.tensor(bits), normal),
    }


def _set_random_states(states: dict[str, Any]) -> None:
    torch.set_rng_state(states["cpu"])
    torch.cuda.set_rng_state_all(states["cuda"])
    name, numpy_bits, *numpy_rest = states["numpy"]
    np.random.set_state((name, numpy_bits.numpy(), *numpy_rest))
    version, bits, normal = states["python"]
    random.setstate((version, tuple(bits.tolist()), normal))
