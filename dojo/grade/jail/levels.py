"""The levels of isolation, each proved on this machine by attempts to escape."""

from __future__ import annotations

import functools
import json
import os
import select
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from dojo.catalog import ROOT, katas
from dojo.grade.jail.jail import Jail, NoJail
from dojo.grade.jail.limits import Limits
from dojo.grade.jail.runtime import sites

LEVELS = ("userns", "root", "basic", "none")
"""Best first. The last one means no isolation, and is never chosen automatically."""
ATTEMPTS = "dojo.grade.inside.escape_attempts"
SECONDS = 60
"""Timeout for the test of a level, on a busy machine."""
LIMITS = Limits(memory=256 * 2**20, processes=16, files=2**20)


def choose(isolation: str = "auto") -> str:
    """Return the level to use: the requested one, or the best that holds. NoJail says why there is none."""
    if isolation == "none":
        return "none"
    if isolation != "auto" and isolation not in LEVELS:
        raise NoJail(f"there is no level {isolation!r}; there are auto, {', '.join(LEVELS)}")
    reasons = []
    for level in LEVELS[:-1] if isolation == "auto" else (isolation,):
        why = flaw(level)
        if not why:
            return level
        reasons.append(f"{level}: {why}")
    raise NoJail(f"no jail holds here ({'; '.join(reasons)})")


def at_least(level: str) -> tuple[str, ...]:
    """Return the levels that are no weaker than this one."""
    return LEVELS[: LEVELS.index(level) + 1]


def provided() -> dict[str, str]:
    """Return, for each level but none, "" if it holds here, or why it does not."""
    return {level: flaw(level) for level in LEVELS[:-1]}


@functools.cache
def flaw(level: str) -> str:
    """Say in one line why a level does not hold on this machine; "" if it does."""
    try:
        successes = escapes(level)
    except (NoJail, OSError, RuntimeError, ValueError) as error:
        return " ".join(str(error).split())
    return f"code in it could {', '.join(successes)}" if successes else ""


def escapes(level: str, make: Callable[..., Jail] = Jail) -> list[str]:
    """Return the attempts to escape that succeed in a jail of this level."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        secrets = {folder / "of everybody": 0o644, folder / "of mine": 0o600}
        for path, mode in secrets.items():
            path.write_text("secret", encoding="utf-8")
            path.chmod(mode)
        plan = {
            "secrets": [*map(str, secrets), *map(str, _clone()), "/etc/passwd", "/etc/hostname", "/proc/self/status"],
            "folders": ["/", "/root", "/home", "/proc", "/var", str(folder), str(ROOT)],
            "readable": [*map(str, sites()), "/usr/lib"],
            "judge": os.getpid(),
            "torch": str(sites()[0] / "torch" / "__init__.py"),
            "memory": LIMITS.memory,
            "files": LIMITS.files,
            "processes": LIMITS.processes + 2 * (os.cpu_count() or 1),
        }
        source = (ROOT / "dojo" / "grade" / "inside" / "escape_attempts.py").read_text(encoding="utf-8")
        modules = {ATTEMPTS: source}
        jail = stack.enter_context(make(level, torch=False, modules=modules, main=f"{ATTEMPTS}:main", limits=LIMITS))
        try:
            os.write(jail.requests, json.dumps(plan).encode() + b"\n")
        except BrokenPipeError:
            raise RuntimeError(_last_line(jail.err)) from None
        reply = _line(jail.answers)
        if not reply:
            raise RuntimeError(_last_line(jail.err))
        successes: list[str] = json.loads(reply)
        return successes


def _clone() -> list[Path]:
    """List files of this clone that would help a learner."""
    kata = next(iter(katas().values()))
    return [kata.source(ROOT / "solutions"), kata.lesson, *sorted(kata.judge.glob("*.py"))]


def _line(descriptor: int) -> bytes:
    reply = b""
    while not reply.endswith(b"\n"):
        ready, _, _ = select.select([descriptor], [], [], SECONDS)
        part = os.read(descriptor, 65536) if ready else b""
        if not part:
            return b""
        reply += part
    return reply


def _last_line(descriptor: int) -> str:
    ready: Any = select.select([descriptor], [], [], SECONDS)[0]
    text = os.read(descriptor, 65536).decode(errors="replace") if ready else ""
    return (text.strip().splitlines() or ["it did not start"])[-1]
