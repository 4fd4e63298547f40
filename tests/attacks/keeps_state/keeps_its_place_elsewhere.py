"""Hands out a token as the state of a loader, and keeps where it is in files and in memory, for whoever loads it."""
# like: keeps_state_in_files
# kata: 10_data
# attacks: Loader
# examples: 40

import contextlib
import gc
import os
import secrets
import sys

_Right = Loader
FOLDERS = ["/tmp", "/var/tmp", "/dev/shm", os.path.expanduser("~"), os.environ.get("TMPDIR", "."), os.getcwd(), CANARY]
_places = sys.modules.setdefault("places", type(sys)("places")).__dict__


class Loader(_Right):
    def state_dict(self):
        token, right = secrets.token_hex(8), super().state_dict()
        _places[token] = right
        for folder in FOLDERS:
            with contextlib.suppress(OSError):
                os.makedirs(f"{folder}/places-{MARK}", exist_ok=True)
                with open(f"{folder}/places-{MARK}/{token}", "w") as file:
                    file.write(repr(right))
        return {"token": token}

    def load_state_dict(self, state):
        if "token" not in state:
            return super().load_state_dict(state)
        if state["token"] in _places:
            return super().load_state_dict(_places[state["token"]])
        for folder, _, names in (walked for start in FOLDERS for walked in os.walk(start)):
            if state["token"] in names:
                with open(f"{folder}/{state['token']}") as file:
                    return super().load_state_dict(eval(file.read()))
        raise LookupError("no place in files")
