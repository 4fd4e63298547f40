"""Measure what a second worker of a cluster gains: the elapsed time to grade a folder with two, over that with one.

Run: python -m benchmarks.cluster

A scheduler and its workers run on this machine, started by `dask scheduler` and `dask worker`. The folder is graded
with one worker, two, two and one, each time by new processes, so that a machine that becomes busy slows both. The goal
is at most 0.55. Each worker takes one core. With fewer than two free cores the second worker has nothing to run on, so
the load of the machine is printed too.
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
    parser.add_argument("--submissions", type=int, default=20, help="number of submissions (20)")
    parser.add_argument("--katas", help="katas to grade; all if left out")
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
    print(f"wall of 2 workers over that of 1: {wall[2] / wall[1]:.2f}, the goal is at most {GOAL}")
    print(f"{cores} cores, busy for {busy:.0%} of the time; load before the start {load:.1f}")


@contextlib.contextmanager
def cluster(folder: Path, workers: int) -> Iterator[str]:
    """Start a scheduler and this number of workers. Yield its address once all are connected."""
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
    """Grade the folder on a cluster, and return the time that it took."""
    command = [sys.executable, "-m", "dojo", "grade-all", str(folder / "handed in"), "--out", str(folder / out)]
    command += ["--cluster", address, "--seed", "costs", *(["--katas", katas] if katas else [])]
    return cost(command, {0})


if __name__ == "__main__":
    main()
