"""Writes messages of its own onto every descriptor while its file is run, so that they answer what comes first."""
# like: forges_frames
# kata: 03_flops
# attacks: *

import json
import os
import struct

_NAMES = ["matmul_flops", "mfu"]
_MESSAGES = [
    {"id": "", "kind": "loaded", "trouble": None, "names": 1, "stubs": {}, "lines": [], "value": None},
    {"id": [], "kind": {}, "value": {"dict": [[[], []]]}},
    {"kind": "loaded", "trouble": "", "names": _NAMES, "stubs": [], "lines": {"mfu": 10**400}, "value": None},
    {"id": "", "kind": "died", "status": 10**400},
]

for _descriptor in range(3, 256):
    for _message in _MESSAGES:
        try:
            os.set_blocking(_descriptor, False)
            _body = json.dumps(_message).encode()
            os.write(_descriptor, struct.pack(">II", len(_body), 0) + _body)
        except OSError:
            break
