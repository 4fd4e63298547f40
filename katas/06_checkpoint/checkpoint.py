"""Kata 06: save a training run, and resume it as if nothing had happened. The lesson is in README.md beside this file.

A run is its model, its optimizer, its schedule, its step, and the random states of torch (of the CPU and of every CUDA
device), of numpy (the global one of numpy.random) and of Python (the global one of random).
"""

from pathlib import Path

from torch import nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler


class CheckpointError(Exception):
    """The file is not a whole checkpoint, or not one of this run. The message names the file. This class is given."""


def save_checkpoint(
    path: str | Path, model: nn.Module, optimizer: Optimizer, step: int, scheduler: LRScheduler | None = None
) -> None:
    """Write one file with everything that resuming needs.

    That is the model's parameters and buffers (those in its state_dict, of any dtype), the state of the optimizer (also
    what is no tensor), with its settings as they are now, and of the schedule, the step, and the random states. Saving
    changes none of them, nor the gradients, and draws no random number from them. Gradients are not saved. The folder
    of `path` exists. If `path` itself is a folder, saving raises an error and leaves no file in it. step is any int
    that is at least 0 and below 2**31, whatever the optimizer and the schedule have counted. An existing checkpoint is
    replaced, even one with a higher step. Other files in the folder stay as they are.

    At every moment, `path` holds the checkpoint that was there before or the new one, whole, even if the disk is full,
    the folder is not writable, or the process is killed in the middle. A save that fails raises, whatever the error,
    and leaves no other file behind. A process that is killed may leave one. What a machine loses in a power failure is
    not tested: os.fsync is up to you.
    """
    raise NotImplementedError("save_checkpoint")


def load_checkpoint(
    path: str | Path, model: nn.Module, optimizer: Optimizer, scheduler: LRScheduler | None = None
) -> int:
    """Restore everything into a newly made model, optimizer and schedule, and return the step.

    Training then continues, bit for bit, as if it had never stopped. This happens in another process, and the file may
    have been moved to any name. The process that saved it is gone by then, and nothing but the file is left of it.

    Raises CheckpointError, with the path in its message, if the file is missing, is not a whole checkpoint, has any one
    bit changed, or would run code. It is also raised if the file's model has other names or shapes than this one, if
    its optimizer has other parameter groups (a different number of groups, or of parameters in one), or if a schedule
    is passed and the file holds none. If none is passed, one in the file is ignored. Nothing in the file is run. After
    the error, model, gradients, optimizer, schedule and random states are as they were before. Whether the classes of
    optimizer and schedule are the same is not tested. Loading changes no file.
    """
    raise NotImplementedError("load_checkpoint")


def latest_checkpoint(directory: str | Path) -> Path | None:
    """Return the whole checkpoint with the highest step in this folder, or None if there is none.

    The step in the file counts, not its name or its date. Anything that is not a whole checkpoint is skipped: damaged
    and partly written files, other people's files, and folders, whatever is in them. Nothing in a file is run, no
    file is created, deleted or changed, and no random state changes. No two checkpoints have the same step. Each call
    reads the files again: one may be damaged now, though its size and date are as before.
    """
    raise NotImplementedError("latest_checkpoint")
