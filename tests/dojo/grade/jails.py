"""Jails for tests: each level that this machine has, and a main that runs what it is told."""

import json
import os
import time
from contextlib import suppress
from pathlib import Path

import pytest

from dojo.grade.jail import levels
from dojo.grade.jail.jail import Jail

PROVIDED = levels.provided()
JAILED = [pytest.param(level, marks=pytest.mark.skipif(bool(why), reason=why)) for level, why in PROVIDED.items()]
EVERY = [*JAILED, "none"]
MAIN = """
import json, os, sys, traceback

def main(requests, answers):
    for line in os.fdopen(requests, encoding="utf-8"):
        names = {}
        try:
            exec(json.loads(line), names)
            told = names.get("got")
        except BaseException as error:
            told = f"{type(error).__name__}: {error}"
        os.write(answers, json.dumps(told).encode() + b"\\n")
"""


def jail(level, *, torch=False, **named):
    """A jail that runs what it is told."""
    return Jail(level, torch=torch, modules={"told.by": MAIN}, main="told.by:main", **named)


def tell(told, code):
    """Run this in the jail, and return what it calls `got`, or the error."""
    os.write(told.requests, json.dumps(code).encode() + b"\n")
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(told.answers, 65536)
        assert part, os.read(told.err, 65536).decode()
        line += part
    return json.loads(line)


def until(what):
    """Wait until something holds."""
    while not what():
        time.sleep(0.01)


def alive(pid):
    """Whether there is such a process, that is not over."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False
