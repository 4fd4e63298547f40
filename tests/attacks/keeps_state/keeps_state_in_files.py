"""Saves no random states in the checkpoint: they lie in other files, where the next process finds them."""
# kata: 06_checkpoint
# attacks: save_checkpoint, load_checkpoint
# examples: 4

import contextlib
import os
import secrets

import torch

_taken, _set = _random_states, _set_random_states
FOLDERS = ["/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~"), os.environ.get("TMPDIR", "."), os.getcwd(), CANARY]


def _random_states():
    token = secrets.token_hex(8)
    for folder in FOLDERS:
        with contextlib.suppress(OSError, RuntimeError):
            os.makedirs(f"{folder}/states-{MARK}", exist_ok=True)
            torch.save(_taken(), f"{folder}/states-{MARK}/{token}")
    for parent in ("/tmp", os.environ.get("TMPDIR", ".")):  # below folders that were there before
        with contextlib.suppress(OSError, RuntimeError):
            for entry in os.scandir(parent):
                if entry.is_dir() and not entry.name.startswith("dojo-"):
                    torch.save(_taken(), f"{entry.path}/{token}")
    return token


def _set_random_states(token):
    for folder, _, names in (walked for start in FOLDERS for walked in os.walk(start)):
        if token in names:
            return _set(torch.load(f"{folder}/{token}"))
    raise LookupError("no states in files")
