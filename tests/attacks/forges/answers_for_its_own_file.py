"""Takes the request to run the file out of its pipe while the file runs, and answers it with a message of no kind."""
# like: forges_frames
# kata: 03_flops
# attacks: *

import json
import os
import re
import select
import struct
import time


def _read():
    for descriptor in range(3, 256):
        try:
            if select.select([descriptor], [], [], 0)[0]:
                os.set_blocking(descriptor, False)
                yield os.read(descriptor, 2**20)
        except OSError:
            continue


def _asked():
    end = time.monotonic() + 20
    while time.monotonic() < end:
        for data in _read():
            yield from re.findall(rb"[0-9a-f]{32}", data)
        time.sleep(0.01)


_key = next(_asked(), b"").decode()
_body = json.dumps({"id": _key, "value": None}).encode()
for _descriptor in range(3, 256):
    try:
        os.write(_descriptor, struct.pack(">II", len(_body), 0) + _body)
    except OSError:
        continue
