"""Writes answers of its own to every descriptor."""
# like: forges_frames
# kata: 03_flops
# attacks: mfu

import json
import os
import struct


def mfu(flops, seconds, peak_flops):
    body = json.dumps({"id": "0" * 32, "kind": "value", "value": flops / seconds / peak_flops}).encode()
    for descriptor in range(256):
        try:
            os.set_blocking(descriptor, False)
            os.write(descriptor, struct.pack(">II", len(body), 0) + body)
        except OSError:
            pass
    return 0.5
