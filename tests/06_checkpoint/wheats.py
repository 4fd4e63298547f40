"""Right answers to kata 06 in styles that the solution does not use."""

import contextlib
import copy
import functools
import hashlib
import io
import mmap
import os
import random
import tempfile
from pathlib import Path

import numpy as np
import torch

from dojo.judging.diagnose import answers, solution

solved = solution("06_checkpoint")


def state_of(model, optimizer, step, scheduler):
    """What the file holds."""
    parts = {"model": model, "optimizer": optimizer, "scheduler": scheduler}
    states = {name: None if part is None else part.state_dict() for name, part in parts.items()}
    return {"step": step, "random": solved._random_states(), **states}


# save_checkpoint


class Hashing:
    """A file that knows the digest of what goes through it."""

    def __init__(self, file):
        self.file = file
        self.hash = hashlib.sha256()

    def write(self, data):
        """Write on."""
        data = bytes(data)
        self.hash.update(data)
        return self.file.write(data)

    def flush(self):
        """Write out what waits."""
        self.file.flush()


@answers("save_checkpoint")
def by_a_digest_that_is_filled_in_at_the_end(path, model, optimizer, step, scheduler=None):
    path = os.fspath(path)
    temporary = f"{path}.{os.getpid()}.part"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(bytes(32))
            hashing = Hashing(file)
            torch.save(state_of(model, optimizer, step, scheduler), hashing)
            file.seek(0)
            file.write(hashing.hash.digest())
            file.flush()
            os.fsync(file.fileno())
        os.rename(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


@answers("save_checkpoint")
def by_a_folder_that_goes_away(path, model, optimizer, step, scheduler=None):
    path = Path(path)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        body, whole = Path(folder, "body"), Path(folder, "whole")
        torch.save(state_of(model, optimizer, step, scheduler), body)
        content = body.read_bytes()
        whole.write_bytes(hashlib.sha256(content).digest() + content)
        whole.replace(path)


@answers("save_checkpoint")
def by_a_name_that_is_always_the_same(path, model, optimizer, step, scheduler=None):
    path = Path(path)
    beside = path.with_name(f".{path.name}.new")
    with contextlib.ExitStack() as undo:
        undo.callback(beside.unlink, missing_ok=True)
        with beside.open("w+b") as file:
            file.write(bytes(32))
            torch.save(state_of(model, optimizer, step, scheduler), file, _use_new_zipfile_serialization=False)
            file.seek(32)
            digest = hashlib.file_digest(file, "sha256").digest()
            file.seek(0)
            file.write(digest)
        beside.rename(path)


@answers("save_checkpoint")
def by_pieces_of_a_copy(path, model, optimizer, step, scheduler=None):
    state = copy.deepcopy(state_of(model, optimizer, step, scheduler))
    packed = io.BytesIO()
    torch.save(state, packed)
    content = packed.getbuffer()
    folder, name = os.path.split(os.path.abspath(path))
    file = tempfile.NamedTemporaryFile(dir=folder, prefix=name, delete=False)
    try:
        with file:
            for piece in (
                hashlib.sha256(content).digest(),
                *(content[at : at + 512] for at in range(0, len(content), 512)),
            ):
                file.write(piece)
        os.replace(file.name, os.path.join(folder, name))
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(file.name)


# load_checkpoint


def content_of(path):
    """What follows the digest, if it is the right one."""
    hash = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            digest = file.read(32)
            start = file.tell()
            while piece := file.read(1000):
                hash.update(piece)
            file.seek(start)
            content = file.read()
    except OSError as error:
        raise solved.CheckpointError(f"cannot read {path}") from error
    if hash.digest() != digest:
        raise solved.CheckpointError(f"{path} is damaged")
    return content


def unpacked(path):
    """The state in the file."""
    try:
        return torch.load(io.BytesIO(content_of(path)), weights_only=True)
    except solved.CheckpointError:
        raise
    except Exception:
        raise solved.CheckpointError(f"{path} would run code") from None


@answers("load_checkpoint")
def by_snapshots(path, model, optimizer, scheduler=None):
    state = unpacked(path)
    parts = [(model, state["model"]), (optimizer, state["optimizer"])]
    if scheduler is not None:
        parts.append((scheduler, state["scheduler"]))
    if any(held is None for _, held in parts):
        raise solved.CheckpointError(f"no schedule in {path}")
    before = [(part, copy.deepcopy(part.state_dict())) for part, _ in parts]
    numbers = solved._random_states()
    try:
        for part, held in parts:
            part.load_state_dict(held)
        solved._set_random_states(state["random"])
    except Exception as error:
        for part, held in before:
            part.load_state_dict(held)
        solved._set_random_states(numbers)
        raise solved.CheckpointError(f"{path}: {error}") from error
    return state["step"]


@answers("load_checkpoint")
def by_looking_at_all_of_it_first(path, model, optimizer, scheduler=None):
    state = unpacked(path)
    shapes = {name: tensor.shape for name, tensor in model.state_dict().items()}
    held = {name: tensor.shape for name, tensor in state["model"].items()}
    groups = [len(group["params"]) for group in optimizer.param_groups]
    held_groups = [len(group["params"]) for group in state["optimizer"]["param_groups"]]
    if shapes != held or groups != held_groups or (scheduler is not None and state["scheduler"] is None):
        raise solved.CheckpointError(f"{path}: {held} is not {shapes}, or {held_groups} not {groups}, or no schedule")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    if scheduler is not None:
        scheduler.load_state_dict(state["scheduler"])
    solved._set_random_states(state["random"])
    return state["step"]


@answers("load_checkpoint")
def by_hand(path, model, optimizer, scheduler=None):
    state = unpacked(path)
    own = {**dict(model.named_parameters()), **dict(model.named_buffers())}
    groups = list(zip(optimizer.param_groups, state["optimizer"]["param_groups"], strict=False))
    fits = own.keys() == state["model"].keys()
    fits = fits and all(own[name].shape == tensor.shape for name, tensor in state["model"].items())
    fits = fits and len(optimizer.param_groups) == len(state["optimizer"]["param_groups"])
    fits = fits and all(len(mine["params"]) == len(theirs["params"]) for mine, theirs in groups)
    if not fits or (scheduler and not state["scheduler"]):
        raise solved.CheckpointError(f"{path} is of another run")
    with torch.no_grad():
        for name, tensor in state["model"].items():
            own[name].copy_(tensor)
    optimizer.state.clear()
    for mine, theirs in groups:
        for parameter, number in zip(mine["params"], theirs["params"], strict=True):
            if number in state["optimizer"]["state"]:
                optimizer.state[parameter] = state["optimizer"]["state"][number]
        mine.update((key, value) for key, value in theirs.items() if key != "params")
    if scheduler:
        scheduler.load_state_dict(state["scheduler"])
    numbers = state["random"]
    torch.random.set_rng_state(numbers["cpu"])
    for place, held in enumerate(numbers["cuda"]):
        torch.cuda.set_rng_state(held, place)
    name, key, place, has_normal, normal = numbers["numpy"]
    np.random.set_state((name, key.tolist(), place, has_normal, normal))
    random.setstate((numbers["python"][0], tuple(map(int, numbers["python"][1])), numbers["python"][2]))
    return state["step"]


# latest_checkpoint


def step_of(path):
    """The step in the file, or -1 where it is no whole checkpoint."""
    try:
        return unpacked(path)["step"]
    except solved.CheckpointError:
        return -1


@answers("latest_checkpoint")
def by_sorting(directory):
    found = sorted((step_of(entry.path), entry.path) for entry in os.scandir(directory) if entry.is_file())
    return Path(found[-1][1]) if found and found[-1][0] >= 0 else None


@answers("latest_checkpoint")
def by_reduction(directory):
    def higher(best, name):
        path = Path(directory, name)
        return max(best, (step_of(path), path), key=lambda pair: pair[0])

    return functools.reduce(higher, os.listdir(directory), (-1, None))[1]


@answers("latest_checkpoint")
def by_looking_from_the_highest_down(directory):
    steps = []
    for path in Path(directory).glob("*"):
        with contextlib.suppress(Exception):
            steps.append((torch.load(io.BytesIO(path.read_bytes()[32:]), weights_only=True)["step"], path))
    for _, path in sorted(steps, key=lambda pair: pair[0], reverse=True):
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            if hashlib.sha256(data[32:]).digest() == data[:32]:
                return path
    return None


@answers("latest_checkpoint")
def by_recursion(directory):
    def best_of(paths):
        if len(paths) <= 1:
            return next((path for path in paths if step_of(path) >= 0), None)
        left, right = best_of(paths[: len(paths) // 2]), best_of(paths[len(paths) // 2 :])
        if left is None or right is None:
            return left or right
        return left if step_of(left) > step_of(right) else right

    return best_of(list(Path(directory).iterdir()))
