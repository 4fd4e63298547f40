"""What a second worker of a cluster is worth: the wall clock of a folder with two over that with one.

Run: python -m benchmarks.cluster

A scheduler and its workers run on this machine, as `dask scheduler` and `dask worker` start them. The folder is graded
with one worker, with two, with two again and with one again, each time by new processes with nothing in them, so that a
machine that grows busy slows both. A course needs at most 0.55. Each worker takes one core: below two free ones the
second has nothing to run on, so what else the machine does is printed as well.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from distributed import Client

from benchmarks.grade import Cost, cost, written
from dojo.catalog import ROOT

DASK = [sys.executable, "-m", "dask"]
GOAL = 0.55


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=20, help="how many (20)")
    parser.add_argument("--katas", help="those to grade; all if left out")
    chosen = parser.parse_args()
    wall: dict[int, float] = {1: 0.0, 2: 0.0}
    cpu = 0.0
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for place in range(chosen.submissions):
            written(folder / "handed in" / f"learner {place:02}")
        for turn, workers in enumerate((1, 2, 2, 1)):
            with cluster(folder, workers) as address:
                took = graded(folder, f"turn {turn}", address, chosen.katas)
            wall[workers] += took.wall
            cpu += took.cpu
            print(f"{workers} of 2 workers: {took.wall:6.1f}s of wall, {took.cpu:6.1f}s of CPU of the whole machine")
    cores = os.cpu_count() or 1
    busy = cpu / (sum(wall.values()) * cores)
    print(f"wall of 2 workers over that of 1: {wall[2] / wall[1]:.2f}, at most {GOAL} is wanted")
    print(f"{cores} cores, busy for {busy:.0%} of the time; load before it began {load:.1f}")


@contextlib.contextmanager
def cluster(folder: Path, workers: int) -> Iterator[str]:
    """Start a scheduler and so many workers; yield its address when all are there."""
    file = folder / f"scheduler {time.monotonic_ns()}.json"
    place = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
    commands = [
        [*DASK, "scheduler", "--port", "0", *place],
        [*DASK, "worker", *place, "--nworkers", str(workers), "--nthreads", "1", "--local-directory", str(folder)],
    ]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": ROOT}
    started: list[subprocess.Popen[bytes]] = []
    try:
        for command in commands:
            started.append(subprocess.Popen(command, **quiet))  # type: ignore[call-overload]
            while not file.exists():
                time.sleep(0.05)
        with Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=120)
            address: str = client.scheduler.address
        yield address
    finally:
        for process in reversed(started):
            process.send_signal(signal.SIGINT)
            process.wait()


def graded(folder: Path, out: str, address: str, katas: str | None) -> Cost:
    """Grade the folder on a cluster, and return what that took."""
    command = [sys.executable, "-m", "dojo", "grade-all", str(folder / "handed in"), "--out", str(folder / out)]
    command += ["--cluster", address, "--seed", "costs", *(["--katas", katas] if katas else [])]
    return cost(command, {0})


if __name__ == "__main__":
    main()
