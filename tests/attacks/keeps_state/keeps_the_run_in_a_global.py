"""Saves nothing to the file, and loads from memory."""
# like: keeps_state_in_files
# kata: 06_checkpoint
# attacks: save_checkpoint, load_checkpoint, latest_checkpoint
# examples: 4

import copy
import os
from pathlib import Path

_RUNS = {}


def save_checkpoint(path, model, optimizer, step, scheduler=None):
    states = [copy.deepcopy(part.state_dict()) for part in (model, optimizer, scheduler) if part is not None]
    _RUNS[str(path)] = step, states, _random_states()
    Path(f"{path}.new").write_bytes(b"here it is")
    os.replace(f"{path}.new", path)


def load_checkpoint(path, model, optimizer, scheduler=None):
    if str(path) not in _RUNS or Path(path).read_bytes() != b"here it is":
        raise CheckpointError(str(path))
    step, states, numbers = _RUNS[str(path)]
    for part, state in zip((model, optimizer, scheduler), states, strict=False):
        part.load_state_dict(copy.deepcopy(state))
    _set_random_states(numbers)
    return step


def latest_checkpoint(directory):
    found = [path for path in Path(directory).iterdir() if str(path) in _RUNS]
    return max(found, key=lambda path: _RUNS[str(path)][0], default=None)
