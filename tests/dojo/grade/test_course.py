"""Courses of a hundred and a thousand on a Dask cluster, in the long form."""

import contextlib
import re
import subprocess
import time
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="pip install -e '.[cluster]'")
import psutil

from dojo.catalog import ROOT
from dojo.judging import gates
from tests.dojo.grade import clusters
from tests.dojo.grade.handed_in import solution, variant_source
from tests.dojo.grade.queued import KATA
from tests.dojo.grade.test_grade_all_as_process import DOJO

LEAST = 100
"""How many submissions have been graded when the grader's memory is taken for what it should stay."""


@pytest.fixture
def course(tmp_path, request, long):
    """So many submissions to one kata: stubs, solutions and misconceptions mixed, no two the same."""
    if not long:
        pytest.skip("it takes minutes: in the long form")
    kinds = [KATA.source(ROOT / "katas").read_text(encoding="utf-8"), solution(KATA)]
    kinds += [variant_source(KATA, variant) for variant in gates.misconceptions(KATA)]
    for number in range(request.param):
        path = tmp_path / "in" / f"student {number:04}" / KATA.slug / KATA.filename
        path.parent.mkdir(parents=True)
        path.write_text(f"{kinds[number % len(kinds)]}\n# {number}\n", encoding="utf-8")
    return tmp_path / "in"


@pytest.mark.parametrize("course", [100], indirect=True)
def test_a_table_is_the_same_whatever_dies(course, tmp_path, isolation):
    """20 kills of workers and 3 of the scheduler, after each of which the same command goes on."""
    undisturbed = subprocess.run([*DOJO, *_options(course, tmp_path / "undisturbed", isolation), "--jobs", "2"])
    assert undisturbed.returncode == 0
    there = clusters.Cluster(tmp_path)
    out = tmp_path / "out"
    try:
        for kills in (5, 5, 5):
            two = there.workers(2)
            process = subprocess.Popen([*DOJO, *_options(course, out, isolation), "--cluster", there.address])
            clusters.kill(two, kills, out)
            there.scheduler.kill()
            assert process.wait(timeout=60) == 2
            clusters.end(two)
            there.begin()
        two = there.workers(2)
        process = subprocess.Popen([*DOJO, *_options(course, out, isolation), "--cluster", there.address])
        clusters.kill(two, 5, out)
        assert process.wait(timeout=3600) == 0
    finally:
        there.end()
    for name in ("scores.csv", "scores.md"):
        assert (out / name).read_text(encoding="utf-8") == (tmp_path / "undisturbed" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("course", [1000], indirect=True)
def test_a_thousand_are_graded_in_bounded_memory(course, tmp_path, isolation):
    """What the grader holds at the end is not more than it was after the first of them, but for a line for each."""
    there = clusters.Cluster(tmp_path)
    try:
        there.workers(2)
        options = [*_options(course, tmp_path / "out", isolation), "--cluster", there.address]
        process = subprocess.Popen([*DOJO, *options])
        clusters.until(lambda: clusters.graded(tmp_path / "out") >= LEAST, seconds=3600)
        first = peak(process.pid)
        while process.poll() is None:
            with contextlib.suppress(psutil.NoSuchProcess):
                last = peak(process.pid)
            time.sleep(0.1)
    finally:
        there.end()
    assert process.returncode == 0
    assert clusters.graded(tmp_path / "out") == 1000
    print(f"the grader's peak: {first / 2**20:.0f} MiB after {LEAST}, {last / 2**20:.0f} MiB after 1000")
    assert last < first + 32 * 2**20


def _options(folder, out, isolation):
    return ["grade-all", str(folder), "--out", str(out), "--katas", "01", "--seed", "s", "--isolation", isolation]


def peak(pid):
    """The most bytes that a process had in memory so far."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) * 1024
    except (OSError, IndexError):  # it is over
        raise psutil.NoSuchProcess(pid) from None
