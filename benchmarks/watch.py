"""Measure `dojo watch` from save to verdict, over the least that torch needs. Run: python -m benchmarks.watch

The floor is that of benchmarks.verdict. For each function of a kata, `dojo watch` runs in a pseudo-terminal on a copy
of the clone, in which that function and those before it are solved. The file is saved with another comment each time,
and the clock stops when the screen shows the verdict. The floor is measured before each save, and a kata is compared
with its own floors, so that a busy machine slows both. --write stores the ratio in measured.toml of the kata's folder
in tests/, for `dojo tables`.
"""

from __future__ import annotations

import argparse
import ast
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.verdict import FLOOR, seconds
from dojo.catalog import ROOT, Kata, find, katas
from dojo.tools import measured
from tests.dojo.clone import Clone, make

LIMIT = 0.35
"""The largest allowed ratio of a kata, unless its examples are whole processes."""


def main() -> None:
    """Print the table. The exit status is 1 if a kata takes longer than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="how often each function is saved (3)")
    parser.add_argument("--write", action="store_true", help="store the ratios in measured.toml of each kata")
    parser.add_argument("katas", nargs="*", help="01 03: only these")
    options = parser.parse_args()
    seconds([sys.executable, "-c", FLOOR])  # warm up: after the first run, files are in the page cache
    print(f"{'':17} {'floor':>7} {'verdict':>8} {'ratio':>6}   slowest function")
    late = []
    for kata in [find(word) for word in options.katas] or katas().values():
        with tempfile.TemporaryDirectory() as folder:
            floors, took = times(kata, make(Path(folder)), options.rounds)
        floor, verdict = statistics.median(floors), statistics.median(took.values())
        slowest = max(took, key=lambda name: took[name])
        tail = f"{slowest} {took[slowest] / floor:.2f}"
        print(f"{kata.slug:17} {floor:6.2f}s {verdict:7.2f}s {verdict / floor:6.2f}   {tail}", flush=True)
        if options.write:
            measured.write(kata, "watch", {"ratio": round(verdict / floor, 2)})
        late += [kata.slug] if verdict / floor > LIMIT else []
    if late:
        sys.exit(f"more than {LIMIT} of the floor: {', '.join(late)}")


def times(kata: Kata, clone: Clone, rounds: int) -> tuple[list[float], dict[str, float]]:
    """Return the floors, and the median seconds from save to verdict of each function of a kata."""
    import pexpect  # late: only the extra [test] installs it

    env: Any = {**os.environ, "PYTHONPATH": str(clone.root), "TERM": "xterm", "NO_COLOR": "1"}
    command = [sys.executable, "-c", "from dojo.cli import main; main()", "watch", kata.number]
    screen = pexpect.spawn(command[0], command[1:], cwd=clone.root, env=env, dimensions=(50, 100), timeout=600)
    screen.expect("run 1 · to do".encode())
    run, floors, took = 1, [], {}
    for name in kata.functions:
        each = []
        for save in range(rounds):
            floors.append(seconds([sys.executable, "-c", FLOOR]))
            run += 1
            begin = time.perf_counter()
            clone.answers(kata.slug).write_text(f"{solved(kata, name)}\n# save {save}\n", encoding="utf-8")
            screen.expect(rf"{kata.slug} · {name}\r\n[^~]*run {run} · (done|so far)".encode())
            each.append(time.perf_counter() - begin)
        took[name] = statistics.median(each)
        screen.send("n")
        run += 1
        screen.expect(rf"run {run} · (to do|so far|done)".encode())
    screen.send("q")
    screen.expect(pexpect.EOF)
    return floors, took


def solved(kata: Kata, last: str) -> str:
    """Return the solution up to the function `last`, followed by the stubs of the later functions."""
    solution, stubs = (kata.source(ROOT / tree).read_text(encoding="utf-8") for tree in ("solutions", "katas"))
    later = list(kata.functions)[list(kata.functions).index(last) + 1 :]
    found = {getattr(node, "name", ""): ast.get_source_segment(stubs, node) for node in ast.parse(stubs).body}
    # The stubs' annotations may name classes that the solution does not import.
    future = "from __future__ import annotations"
    return "\n\n\n".join([future, solution.replace(f"{future}\n", ""), *(found[name] or "" for name in later)])


if __name__ == "__main__":
    main()
