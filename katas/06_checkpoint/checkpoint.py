"""Kata 06: save a training run, and go on as if nothing had happened. The lesson is in README.md beside this file.

A run is its model, its optimizer, its schedule, its step, and the random states of torch (the CPU's and every CUDA
device's), of numpy (numpy.random's own) and of Python (random's own).
"""

from pathlib import Path

from torch import nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler


class CheckpointError(Exception):
    """The file is no whole checkpoint, or not one of this run. The message names the file. This class is given."""


def save_checkpoint(
    path: str | Path, model: nn.Module, optimizer: Optimizer, step: int, scheduler: LRScheduler | None = None
) -> None:
    """Write one file with all that resuming needs.

    Parameters and buffers of the model (those of its state_dict), the optimizer's and the schedule's state, the step,
    and the random states. Saving changes none of them, nor the gradients, and draws no random number from them.
    Gradients are not saved. The folder of `path` is there; where `path` itself is a folder, saving raises and leaves no
    file in it. step is any int from 0 below 2**31, whatever optimizer and schedule have counted. A checkpoint that is
    there already is replaced, also one of a higher step; other files in the folder stay as they are.

    At every moment `path` holds the checkpoint that was there before or the new one, whole: also if the disk is full,
    the folder cannot be written to, or the process is killed in the middle. Where it fails it raises, whatever the
    error, and leaves no other file behind; a process that is killed may leave one. What a machine loses when its power
    goes is not asked: os.fsync is up to you.
    """
    raise NotImplementedError("save_checkpoint")


def load_checkpoint(
    path: str | Path, model: nn.Module, optimizer: Optimizer, scheduler: LRScheduler | None = None
) -> int:
    """Put everything back into a model, an optimizer and a schedule that were made anew, and return the step.

    Training then goes on to the bit as if it had never stopped, in another process, under whatever name the file has
    been moved to. The process that saved it is gone by then, and nothing but the file is left of it.

    Raises CheckpointError, with the path in its message, where the file is missing, is no whole checkpoint or has any
    one bit changed, where it would run code, where its model has other names or shapes than this one or its optimizer
    other parameter groups (another number of them, or of parameters in one), and where a schedule is asked for that it
    does not hold. Nothing in the file is run, and model, gradients, optimizer, schedule and random states are then as
    they were before. Whether the classes of optimizer and schedule are the same is not asked.
    """
    raise NotImplementedError("load_checkpoint")


def latest_checkpoint(directory: str | Path) -> Path | None:
    """The whole checkpoint in this folder with the highest step, or None if it holds none.

    The step in the file counts, not its name or its date. What is no whole checkpoint is passed over: damaged and
    partly written files, other people's files, folders with whatever is in them. Nothing in a file is run, no file
    comes, goes or changes, and no random state changes. No two checkpoints have the same step. Called again, it looks
    again.
    """
    raise NotImplementedError("latest_checkpoint")
