"""Measure a verdict's time: `pytest solutions/NN` over the least that torch needs. Run: python -m benchmarks.verdict

The least, or floor, is a bare Python that imports torch, enters FlopCounterMode once and counts one product. Floor and
katas take turns, and medians are compared, so that a busy machine slows both. Beside the ratio the table shows where
the time goes, from one more run of the same properties in one process. --write stores the ratio in measured.toml of the
kata's folder in tests/, for `dojo tables`.
"""

from __future__ import annotations

import argparse
import inspect
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from dojo.catalog import ROOT, find, katas
from dojo.tools import measured

FLOOR = """
import torch
from torch.utils.flop_counter import FlopCounterMode
with FlopCounterMode(display=False):
    torch.ones(2, 2) @ torch.ones(2, 2)
"""
PYTEST = [str(Path(sys.executable).parent / "pytest"), "-q", "-p", "no:cacheprovider"]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="how often each command is timed (7)")
    parser.add_argument("--write", action="store_true", help="store the ratios in measured.toml of each kata")
    parser.add_argument("katas", nargs="*", help="01 03: only these")
    options = parser.parse_args()
    chosen = {kata.slug: kata for kata in [find(word) for word in options.katas] or katas().values()}
    commands = {"floor": [sys.executable, "-c", FLOOR]}
    commands |= {slug: [*PYTEST, f"solutions/{slug}"] for slug in chosen}
    for command in commands.values():
        seconds(command)
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(options.rounds):
        for name, command in commands.items():
            times[name].append(seconds(command))
    floor = statistics.median(times["floor"])
    print(f"{'':17} {'wall':>7} {'ratio':>6}   of the wall: start-up, drawing, truth, the rest")
    print(f"{'floor':17} {floor:6.2f}s {1:6.2f}")
    for slug, kata in chosen.items():
        wall = statistics.median(times[slug])
        parts = inside(slug)
        spent = [max(0.0, wall - sum(parts.values())), *parts.values()]
        print(f"{slug:17} {wall:6.2f}s {wall / floor:6.2f}   " + ", ".join(f"{part / wall:4.0%}" for part in spent))
        if options.write:
            measured.write(kata, "verdict", {"ratio": round(wall / floor, 2)})


def seconds(command: list[str]) -> float:
    """Return the elapsed seconds of a command, which must succeed."""
    # Keep compiled modules, as in every run of a learner after the first.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begin = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=env)
    return time.perf_counter() - begin


def inside(slug: str) -> dict[str, float]:
    """Return the seconds spent on drawing, truth, and the rest of a kata's properties, in a fresh process."""
    code = f"from benchmarks.verdict import shares; print(*shares({slug!r}).values())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    return dict(zip(("drawing", "truth", "rest"), map(float, done.stdout.split()), strict=True))


def shares(slug: str) -> dict[str, float]:
    """Return the same for this process. Every outermost draw and every outermost call of truth is timed."""
    from hypothesis.internal.conjecture.data import ConjectureData

    from dojo.judging.kata_folder import imported
    from dojo.judging.profiles import quick
    from dojo.judging.property import marked
    from dojo.judging.verdict import run
    from dojo.seam.learner_file import load
    from dojo.seam.local import Local

    kata = katas()[slug]
    seam = Local(load(kata, ROOT / "solutions", "timed_here"), kata.forbidden)
    tests = [test for test in marked(imported(kata)) if not test.only_device]
    drawing, telling = Watch(), Watch()
    ConjectureData.draw = drawing.around(ConjectureData.draw)  # type: ignore[method-assign]
    truth = sys.modules.get(kata.part("truth"))
    for module in [truth, *_shared(truth)] if truth else []:
        for name, function in list(vars(module).items()):
            if getattr(function, "__module__", "") == module.__name__ and callable(function):
                setattr(module, name, telling.around(function))
    begin = time.perf_counter()
    for test in tests:
        run(test, seam, device="cpu", seed=0, profile=quick(100))
    total = time.perf_counter() - begin
    return {"drawing": drawing.total, "truth": telling.total, "rest": total - drawing.total - telling.total}


def _shared(truth: ModuleType) -> list[ModuleType]:
    """Return the modules of tests/shared/ that truth imports functions from."""
    names = {getattr(value, "__module__", "") for value in vars(truth).values() if inspect.isfunction(value)}
    return [sys.modules[name] for name in sorted(names) if name.startswith("tests.shared.")]


class Watch:
    """Adds up the time spent in outermost calls; nested calls count once."""

    def __init__(self) -> None:
        self.total = 0.0
        self.depth = 0

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its time added up."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            self.depth += 1
            begin = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.depth -= 1
                if not self.depth:
                    self.total += time.perf_counter() - begin

        return timed


if __name__ == "__main__":
    main()
