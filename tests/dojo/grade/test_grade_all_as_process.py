"""`dojo grade-all` as a process: a class that is graded, killed and interrupted."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.dojo.grade.queued import SCORES, a_class
from tests.dojo.grade.test_student_page import Elements

DOJO = [str(Path(sys.executable).parent / "dojo")]


def command(folder, out, *more):
    """The command that grades a folder."""
    return [*DOJO, "grade-all", str(folder), "--out", str(out), "--katas", "01", "--jobs", "2", *more]


@pytest.fixture(scope="module")
def class_(tmp_path_factory):
    """A folder of submissions: right ones, a wrong one, one to do, one that cannot be graded."""
    return a_class(tmp_path_factory.mktemp("class"))


def test_a_class_is_graded(class_, tmp_path):
    """A result for each, and a table; a second run has nothing to do; the seed that was made up is kept."""
    for said in ("5 graded, 0 known before, 1 without a grade", "0 graded, 5 known before, 1 without a grade"):
        done = subprocess.run(command(class_, tmp_path, "--html"), capture_output=True, text=True)
        assert done.returncode == 1, done.stderr
        assert said in done.stdout
        assert f"\n  next     dojo class {tmp_path}  " in done.stdout
        table = (tmp_path / "scores.csv").read_text(encoding="utf-8")
        assert table.startswith(SCORES)
        assert 'notes.txt,,,,"' in table
    assert (tmp_path / "seed").stat().st_mode & 0o777 == 0o600
    names = {"ann", "bob", "cid", "dan", "eve"}
    assert {path.stem for path in tmp_path.glob("*.json")} == names
    pages = {path.stem: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.md")}
    assert set(pages) == {*names, "scores"}
    assert "it returned   0" in pages["bob"]
    drawn = {path.stem: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.html")}
    assert set(drawn) == names
    assert "wrong · 0 of 1" in drawn["bob"]
    seed = (tmp_path / "seed").read_text(encoding="ascii").strip()
    for name in names:
        for text in (pages[name], Elements(drawn[name]).text):
            assert not [word for word in (seed, *(names - {name})) if word in text]
        assert seed not in drawn[name]


def killed(class_, out, seconds):
    """Start the grader, and kill it after so many seconds; the processes that it had."""
    process = subprocess.Popen(command(class_, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    mine = descendants(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    return mine


def descendants(pid):
    """Children, their children, and so on."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found = children.get(pid, [])
    for one in found:
        found += children.get(one, [])
    return found


def test_a_grader_that_is_killed_goes_on_where_it_was(class_, tmp_path, long):
    """No process outlives it, and the table is that of an undisturbed run; in the long form, at 20 random moments."""
    for seconds in [random.uniform(0.2, 12) for _ in range(20)] if long else [random.uniform(2, 6)]:
        mine = killed(class_, tmp_path, seconds)
        kept = {path: path.read_bytes() for path in tmp_path.glob("*.json")}
        end = time.monotonic() + 60
        while any(os.path.exists(f"/proc/{pid}") for pid in mine):
            assert time.monotonic() < end, "processes of the grader are still there"
            time.sleep(0.05)
        assert all(path.read_bytes() == data for path, data in kept.items())
    done = subprocess.run(command(class_, tmp_path), capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert (tmp_path / "scores.csv").read_text(encoding="utf-8").startswith(SCORES)


def test_ctrl_c_ends_it_and_says_how_to_go_on(class_, tmp_path):
    """In one line, with the status of an interrupted command."""
    process = subprocess.Popen(
        command(class_, tmp_path),
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while not (tmp_path / "seed").exists():
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.endswith("dojo: stopped; run the same command to resume\n")
