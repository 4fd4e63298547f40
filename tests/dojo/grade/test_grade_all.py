"""`dojo grade-all` as a command: what it takes for a submission, the tables that it writes, and what it cannot do."""

import contextlib
import csv
import errno
import multiprocessing.util
import os
import signal
import socket
import stat
import subprocess
import sys
import unicodedata
from concurrent.futures import Future
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from dojo.cli import app
from dojo.grade import command_grade_all, result_files
from dojo.grade.queue import Graded
from dojo.grade.result import Result
from dojo.grade.result_files import Results
from dojo.report.sanitize import for_log, line
from tests.dojo.grade.queued import KATA, Jobs, handed_in, made


def test_the_table_is_no_formula_and_no_markup(tmp_path):
    """Names are the students'."""
    every = [Graded("=1+1", made(Graded("=1+1"))), Graded("a|b<i>", trouble="x|y")]
    results = Results(tmp_path, [one.name for one in every])
    rows = list(csv.DictReader(command_grade_all.as_csv(every, [KATA], results).splitlines()))
    file = results.path("=1+1").name
    assert list(rows[0]) == ["submission", "score", "points", KATA.slug, "why", "result"]
    assert list(rows[0].values()) == ["'=1+1", "1", "1", "1", "", file]
    assert list(rows[1].values()) == ["a|b<i>", "", "", "", "x|y", ""]
    page = command_grade_all.as_markdown(every, [KATA])
    assert r"`a\x7cb<i>`" in page
    assert all(line.count("|") == 6 for line in page.splitlines())


def test_hidden_files_and_the_results_are_no_submissions(tmp_path):
    """Where the results lie in the folder itself."""
    for name in ("b", "a", ".hidden", "out"):
        (tmp_path / name).mkdir()
    assert [path.name for path in command_grade_all.submissions(tmp_path, tmp_path / "out")] == ["a", "b"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none"], "none cannot be read: No such file or directory"),
        (["empty"], "there is nothing in empty; each file or folder in it is one submission"),
        (["full", "--katas", "99"], "99"),
        (["full", "--device", "cuda"], "only --isolation none grades on CUDA"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(tmp_path, monkeypatch, arguments, said):
    """With status 2."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    handed_in(tmp_path / "full", "ann")
    done = CliRunner().invoke(app, ["grade-all", *arguments, "--out", "out"])
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def graded_here(folder, monkeypatch, jobs):
    """`dojo grade-all` with jobs that run in this process."""
    monkeypatch.setattr(command_grade_all, "workers", lambda _: jobs())
    out = folder.parent / "out"
    return CliRunner().invoke(
        app, ["grade-all", str(folder), "--out", str(out), "--katas", "01", "--seed", "s", "--isolation", "none"]
    )


class Failing(Jobs):
    """What runs the jobs cannot run bob's."""

    def submit(self, job, submission, order):
        """As concurrent.futures has it."""
        if submission.name == "bob":
            raise OSError(errno.EMFILE, "Too many open files", "/proc/self/fd")
        return super().submit(job, submission, order)


def test_an_error_of_the_machine_is_not_one_of_the_results(tmp_path, monkeypatch):
    """One line names it and its path, and what has been graded is kept."""
    handed_in(tmp_path / "in", "ann", "bob")
    done = graded_here(tmp_path / "in", monkeypatch, Failing())
    assert done.exit_code == 2
    error = done.stderr.splitlines()[-1]
    assert error.startswith("dojo: grading stopped: [Errno 24] Too many open files: '/proc/self/fd'")
    assert "cannot be written to" not in done.stderr
    assert (tmp_path / "out" / "ann.json").exists()
    jobs = Jobs()
    assert graded_here(tmp_path / "in", monkeypatch, jobs).exit_code == 0
    assert jobs.ran == ["bob"]


def test_reports_are_written_and_not_held(tmp_path, monkeypatch):
    """A course of a thousand fits in memory: of each result there is no more than the table needs."""
    handed_in(tmp_path / "in", "ann", "bob")
    held: list[Graded] = []

    class Reporting(Jobs):
        def submit(self, job, submission, order):
            future = super().submit(job, submission, order)
            (kata,) = future.result().katas
            functions = tuple(replace(function, report=("it returned 0",)) for function in kata.functions)
            told: Future[Result] = Future()
            told.set_result(replace(future.result(), katas=(replace(kata, functions=functions),)))
            return told

    def as_csv(every, *_):
        held.extend(every)
        return ""

    monkeypatch.setattr(command_grade_all, "as_csv", as_csv)
    assert graded_here(tmp_path / "in", monkeypatch, Reporting()).exit_code == 0
    assert [one.result and one.result.score for one in held] == [1, 1]
    assert not any("it returned 0" in repr(one) for one in held)
    for name in ("ann", "bob"):
        assert "it returned 0" in (tmp_path / "out" / f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("where", ["queue", "command"])
def test_results_that_cannot_be_written_are_told(tmp_path, monkeypatch, where):
    """A result and the table of them all: one line names the folder that was asked for."""
    handed_in(tmp_path / "in", "ann")

    def full(path, text, mode=0):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr({"queue": result_files, "command": command_grade_all}[where], "write_whole", full)
    done = graded_here(tmp_path / "in", monkeypatch, Jobs())
    assert done.exit_code == 2
    error = done.stderr.splitlines()[-1]
    assert error == f"dojo: --out {tmp_path / 'out'} cannot be written to: No space left on device"


def test_a_folder_of_results_that_is_a_file_is_told(tmp_path, monkeypatch):
    """Before anything is graded."""
    handed_in(tmp_path / "in", "ann")
    (tmp_path / "out").touch()
    jobs = Jobs()
    assert graded_here(tmp_path / "in", monkeypatch, jobs).stderr.startswith(f"dojo: --out {tmp_path / 'out'} cannot")
    assert jobs.ran == []


NAMES = [
    b"ann",
    b"bob\nbob  9 of 9",
    b"-rf",
    b"=cmd|'calc'!A0",
    b"x;=1+1",
    b"a" * 255,
    b"b" * 201,
    b"caf\xe9",
    "é".encode(),
    unicodedata.normalize("NFD", "é").encode(),
    b"Cid",
    b"cid",
    b"::error::x",
]


def entries(folder):
    """A folder of submissions whose names mean something elsewhere, and of entries that are none."""
    folder.mkdir()
    names = [os.fsdecode(name) for name in NAMES]
    names.append(Results(folder.parent / "elsewhere").path("b" * 201).stem)  # what stands for another one's name
    handed_in(folder, *names)
    (folder / "loop").symlink_to("loop")
    (folder / "one").symlink_to("other")
    (folder / "other").symlink_to("one")
    (folder / "link").symlink_to("ann")
    os.mkfifo(folder / "fifo")
    (folder / "closed").mkdir(mode=0)
    with socket.socket(socket.AF_UNIX) as made_here, contextlib.chdir(folder):
        made_here.bind("socket")
    if os.geteuid() == 0:
        os.mknod(folder / "device", 0o600 | stat.S_IFCHR, os.makedev(1, 5))
    return names, sorted(set(os.listdir(folder)) - set(names))


def test_each_entry_of_a_folder_has_a_result_of_its_own_or_a_line_that_says_why_not(tmp_path, monkeypatch):
    """Whatever an entry is and is called, and none keeps the others from theirs."""
    names, others = entries(tmp_path / "in")
    done = graded_here(tmp_path / "in", monkeypatch, Jobs())
    assert done.exit_code == 1, done.stderr
    with (tmp_path / "out" / "scores.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(names) + len(others)
    graded = [row for row in rows if row["score"]]
    assert len(graded) == len(names)
    files = {path.name for path in (tmp_path / "out").glob("*.json")}
    assert len(files) == len(names)
    assert {row["result"] for row in graded} == files
    assert {row["submission"] for row in rows if row["why"]} == set(others)
    assert all("\n" not in row["why"] for row in rows)
    assert not [value for row in rows for value in row.values() if value[:1] in tuple("=+-@")]
    printed = done.stderr.splitlines()
    assert not [name for name in names if not any(row.startswith(f"{for_log(line(name))}  ") for row in printed)]
    assert not [row for row in printed if row.startswith(("::", "bob  9"))]


def test_the_folder_of_the_submissions_cannot_be_that_of_the_results(tmp_path):
    """A result would be the next submission."""
    handed_in(tmp_path, "ann")
    done = CliRunner().invoke(app, ["grade-all", str(tmp_path), "--out", f"{tmp_path}/../{tmp_path.name}"])
    assert done.exit_code == 2
    assert "is the folder of the submissions; results need one of their own" in done.stderr


def test_ctrl_c_waits_until_a_process_has_started(monkeypatch, capfd):
    """One that is interrupted before it has been told what to do ends in a traceback of its own."""
    start, workers = multiprocessing.util.spawnv_passfds, list[int]()

    def interrupted(path, words, descriptors):
        pid = start(path, words, descriptors)
        if any("spawn_main" in os.fsdecode(word) for word in words):
            workers.append(pid)
            signal.raise_signal(signal.SIGINT)
        return pid

    monkeypatch.setattr(multiprocessing.util, "spawnv_passfds", interrupted)
    with pytest.raises(KeyboardInterrupt), command_grade_all.workers(1) as pool:
        pool.submit(os.getpid)
    (worker,) = workers
    with contextlib.suppress(ChildProcessError):  # who has started it has waited for it
        os.waitpid(worker, 0)
    assert capfd.readouterr().err == ""


def test_ctrl_c_waits_until_the_pool_is_made(tmp_path):
    """A semaphore that nothing unlinks yet is told as leaked when the command ends, after its last line."""
    program = tmp_path / "interrupted.py"
    program.write_text(
        "import signal\n"
        "from multiprocessing import resource_tracker\n"
        "from dojo.grade import command_grade_all\n"
        "def register(*named, plain=resource_tracker.register):\n"
        "    plain(*named)\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "resource_tracker.register = register\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "try:\n"
        "    with command_grade_all.workers(1):\n"
        "        print('went on')\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("stopped\n", "")
