"""Measure what the jail costs: `dojo grade-all`, over a fresh `pytest katas --submission` for each submission.

Run: python -m benchmarks.grade

Every submission has the solutions of all katas. The cost of a wrong function would depend on how its failure shrinks,
which differs from run to run. Half of the fresh runs come before and half after the others, so that a machine that
becomes busy slows both. CPU time is that of the whole machine, so nothing else should run on it. The second table shows
where the CPU time of one job goes. For it, the processes are sampled ten times a second.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.processes import Watch
from dojo.catalog import ROOT, katas
from tests.dojo.grade.handed_in import solution

BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Cost:
    """Seconds of CPU time, and elapsed seconds."""

    cpu: float
    wall: float

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.cpu + other.cpu, self.wall + other.wall)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=20, help="number of submissions (20)")
    count = parser.parse_args().submissions
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [written(folder / "handed in" / f"learner {place:02}") for place in range(count)]
        fresh = freshly(paths[: count // 2])
        parts: dict[str, float] = {}
        one, two = together(folder, 1, parts), together(folder, 2)
        fresh += freshly(paths[count // 2 :])
    print(f"{count} submissions   {'CPU':>8} {'ratio':>6} {'wall':>8} {'ratio':>6}")
    for title, cost in (("fresh pytest", fresh), ("grade-all, 1 job", one), ("grade-all, 2 jobs", two)):
        ratios = f"{cost.cpu:7.1f}s {cost.cpu / fresh.cpu:6.2f} {cost.wall:7.1f}s {cost.wall / fresh.wall:6.2f}"
        print(f"{title:17} {ratios}")
    print(f"wall of 2 jobs over that of 1: {two.wall / one.wall:.2f}")
    print(f"\n{'1 job, a submission':20} {'CPU':>6} {'share':>6}")
    for title, seconds in parts.items():
        print(f"{title:20} {seconds / count:5.1f}s {seconds / sum(parts.values()):6.0%}")


def written(folder: Path) -> Path:
    """Write a submission. Each file holds its name, so that no two submissions are the same."""
    for kata in katas().values():
        path = kata.source(folder)
        path.parent.mkdir(parents=True)
        path.write_text(f"{solution(kata)}\n# {folder.name}\n", encoding="utf-8")
    return folder


def freshly(paths: list[Path]) -> Cost:
    """Judge each submission in a fresh pytest, and return the total cost."""
    command = [str(BIN / "pytest"), "-q", "-p", "no:cacheprovider", "katas", "--submission"]
    return sum((cost([*command, str(path)], {0, 1}) for path in paths), Cost(0, 0))


def together(folder: Path, jobs: int, parts: dict[str, float] | None = None) -> Cost:
    """Grade all submissions in one run of the grader, and return its cost."""
    command = [str(BIN / "dojo"), "grade-all", str(folder / "handed in"), "--out", str(folder / f"by {jobs}")]
    return cost([*command, "--jobs", str(jobs), "--seed", "costs"], {0}, parts)


def cost(command: list[str], statuses: set[int], parts: dict[str, float] | None = None) -> Cost:
    """Run a command and return its cost. `parts` receives the CPU seconds of each kind of process."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before, begin = _cpu(), time.perf_counter()
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env
    ) as process:
        watch = Watch(process.pid)
        if parts is not None:
            watch.start()
        told, _ = process.communicate()
    if parts is not None:
        parts.update(watch.end())
    if process.returncode not in statuses:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}:\n{told}")
    return Cost(_cpu() - before, time.perf_counter() - begin)


def _cpu() -> float:
    """Return the CPU seconds of the whole machine: those of processes that end with a jail's namespace are lost."""
    user, nice, system, _, _, irq, softirq, *_ = Path("/proc/stat").read_text(encoding="ascii").split()[1:]
    return sum(map(int, (user, nice, system, irq, softirq))) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
