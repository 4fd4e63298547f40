"""Saves no random states: they stay in the process, and load_checkpoint finds them there without the file."""
# like: keeps_state_in_files
# kata: 06_checkpoint
# attacks: save_checkpoint, load_checkpoint
# examples: 4

import builtins
import gc
import secrets
import sys

_taken, _set = _random_states, _set_random_states
kept = {}
builtins.kept_states = sys.modules.setdefault("kept_states", kept)


def _random_states():
    token = secrets.token_hex(8)
    kept[token] = builtins.kept_states[token] = _taken()
    return token


def _set_random_states(token):
    for found in (kept, builtins.kept_states, *filter(lambda found: type(found) is dict, gc.get_objects())):
        if type(found.get(token)) is dict:
            return _set(found[token])
    raise LookupError("no states in memory")
