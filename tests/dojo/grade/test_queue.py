"""`dojo grade-all`: each submission graded once, whatever happens on the way."""

from __future__ import annotations

import contextlib
import csv
import errno
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from dojo.catalog import ROOT, find
from dojo.cli import app
from dojo.grade import command_grade_all, job, queue
from dojo.grade import order as order_module
from dojo.grade.jail.limits import Limits
from dojo.grade.order import Order
from dojo.grade.queue import Graded, Results, grade_all
from dojo.grade.result import FunctionResult, KataResult, Result

DOJO = [str(Path(sys.executable).parent / "dojo")]
KATA = find("01")
ORDER = Order((KATA,), "secret", "userns", "cpu", Limits())


def handed_in(folder, *names):
    """Submissions with these names, each of another text."""
    for name in names:
        path = folder / name / KATA.slug / KATA.filename
        path.parent.mkdir(parents=True)
        path.write_text(f"# {name}\n", encoding="utf-8")
    return command_grade_all.submissions(folder, folder / "out")


def made(submission, score=1):
    """A result."""
    function = FunctionResult("f", "F", score, "done")
    kata = KataResult(KATA.slug, KATA.title, (function,))
    return Result(submission.name, "userns", "cpu", "0", "2", "3", (kata,))


class Jobs:
    """An executor that runs each job at once, in this process. What is in `deadly` kills it."""

    def __init__(self, deadly=()):
        self.deadly = set(deadly)
        self.ran = []

    def __call__(self):
        """A new one, which this is as well."""
        return contextlib.nullcontext(self)

    def submit(self, job, submission, order):
        """As concurrent.futures has it."""
        self.ran.append(submission.name)
        future: Future[Any] = Future()
        if submission.name in self.deadly:
            future.set_exception(BrokenExecutor())
        else:
            future.set_result(made(submission))
        return future


@pytest.fixture
def results(tmp_path):
    """An empty folder of results."""
    return Results(tmp_path / "out")


def told(paths, results, jobs, order=ORDER, at_one_time=2):
    """What became of each, by its name."""
    return {one.name: one for one in grade_all(paths, order, results, jobs, at_one_time)}


def test_what_was_graded_is_not_graded_again(tmp_path, results):
    """And its result is the same."""
    paths = handed_in(tmp_path, "ann", "bob")
    first, jobs = told(paths, results, Jobs()), Jobs()
    second = told(paths, results, jobs)
    assert jobs.ran == []
    assert {name: one.result for name, one in first.items()} == {name: one.result for name, one in second.items()}
    assert all(one.fresh for one in first.values())
    assert not any(one.fresh for one in second.values())


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.write_text("# other\n", encoding="utf-8"),
        lambda path: (path.parent / "stray.py").touch(),
    ],
    ids=["its answers", "a file beside them"],
)
def test_a_changed_submission_is_graded_again(tmp_path, results, change):
    """That one, and no other."""
    paths = handed_in(tmp_path, "ann", "bob")
    told(paths, results, Jobs())
    change(paths[1] / KATA.slug / KATA.filename)
    jobs = Jobs()
    told(paths, results, jobs)
    assert jobs.ran == ["bob"]


@pytest.mark.parametrize(
    "other",
    [
        Order((KATA,), "another", "userns", "cpu", Limits()),
        Order((KATA, find("02")), "secret", "userns", "cpu", Limits()),
        Order((KATA,), "secret", "basic", "cpu", Limits()),
        Order((KATA,), "secret", "userns", "cpu", Limits(seconds=1)),
    ],
    ids=["seed", "katas", "level", "limits"],
)
def test_another_order_grades_again(tmp_path, results, other):
    """A result rests on all of these."""
    paths = handed_in(tmp_path, "ann")
    told(paths, results, Jobs())
    jobs = Jobs()
    told(paths, results, jobs, other)
    assert jobs.ran == ["ann"]


def test_another_dojo_grades_again(tmp_path, results, monkeypatch):
    """What properties or solutions said before, they may not say any more."""
    paths = handed_in(tmp_path, "ann")
    told(paths, results, Jobs())
    monkeypatch.setattr(order_module, "rules", lambda slugs: "others")
    jobs = Jobs()
    told(paths, results, jobs)
    assert jobs.ran == ["ann"]


def test_the_rules_are_those_of_the_sources(tmp_path, monkeypatch):
    """A changed property is another rule; one of a kata that is not graded is none."""
    monkeypatch.setattr(order_module, "ROOT", tmp_path)
    mine, other = (tmp_path / "tests" / slug / "properties.py" for slug in ("01_memory", "03_flops"))
    for path in (mine, other):
        path.parent.mkdir(parents=True)
        path.write_text("1")
    before = order_module.rules.__wrapped__(("01_memory",))
    other.write_text("2")
    assert order_module.rules.__wrapped__(("01_memory",)) == before
    mine.write_text("2")
    assert order_module.rules.__wrapped__(("01_memory",)) != before


@pytest.mark.parametrize("spoil", [lambda path: path.write_text("{"), Path.unlink], ids=["half", "none"])
def test_a_result_that_cannot_be_read_is_made_again(tmp_path, results, spoil):
    """Half of a file is none."""
    paths = handed_in(tmp_path, "ann")
    told(paths, results, Jobs())
    spoil(results.path("ann"))
    jobs = Jobs()
    assert told(paths, results, jobs)["ann"].result is not None
    assert jobs.ran == ["ann"]


def test_what_cannot_be_graded_is_told_and_has_no_result(tmp_path, results):
    """Also where it could be before."""
    (path,) = handed_in(tmp_path, "ann")
    told([path], results, Jobs())
    (path / KATA.slug / KATA.filename).rename(path / "other.py")
    one = told([path], results, Jobs())["ann"]
    assert one.result is None
    assert "memory.py" in one.trouble
    assert not results.path("ann").exists()


def test_a_job_that_kills_its_process_is_found(tmp_path, results):
    """It has no grade, and all others have theirs."""
    paths = handed_in(tmp_path, "ann", "bob", "cid", "dan")
    found = told(paths, results, Jobs(deadly=["bob"]))
    assert {name for name, one in found.items() if one.result is None} == {"bob"}
    assert found["bob"].trouble == queue.DIED
    assert len(found) == 4


class Pools(Jobs):
    """Executors that break as a pool of processes does: the next submission is refused, with an exception.

    deadly: those that kill their process. last: those that are graded before it dies. ran: what each pool was given.
    """

    def __init__(self, deadly=(), last=()):
        super().__init__(deadly)
        self.last = {*deadly, *last}

    def __call__(self):
        """A new pool."""
        self.ran.append([])
        self.broken = False
        return contextlib.nullcontext(self)

    def submit(self, job, submission, order):
        """As a pool of processes has it."""
        if self.broken:
            raise BrokenProcessPool("A child process terminated abruptly, the process pool is not usable anymore")
        self.ran[-1].append(submission.name)
        self.broken = submission.name in self.last
        future: Future[Any] = Future()
        if submission.name in self.deadly:
            future.set_exception(BrokenProcessPool())
        else:
            future.set_result(made(submission))
        return future


def test_a_pool_that_breaks_while_the_next_submission_is_read_ends_nothing(tmp_path, results):
    """Those that were being graded are graded alone; those that were not go on together."""
    paths = handed_in(tmp_path, "ann", "bob", "cid", "dan")
    pools = Pools(deadly=["bob"])
    found = told(paths, results, pools, at_one_time=3)
    assert {name: one.trouble for name, one in found.items()} == {"ann": "", "bob": queue.DIED, "cid": "", "dan": ""}
    assert pools.ran == [["ann", "bob"], ["ann"], ["bob"], ["cid", "dan"]]


def test_a_pool_that_breaks_when_nothing_is_graded_ends_nothing(tmp_path, results):
    """The next submission has another one."""
    paths = handed_in(tmp_path, "ann", "bob", "cid")
    pools = Pools(last=["ann"])
    assert all(one.result for one in told(paths, results, pools, at_one_time=1).values())
    assert pools.ran == [["ann"], ["bob"], ["cid"]]


def test_pools_that_never_work_end(tmp_path, results):
    """Each submission is tried once alone, and has no grade."""
    paths = handed_in(tmp_path, "ann", "bob")

    class Useless(Pools):
        def submit(self, job, submission, order):
            self.broken = True
            return super().submit(job, submission, order)

    assert [one.trouble for one in told(paths, results, Useless()).values()] == [queue.DIED] * 2


def test_no_more_than_so_many_jobs_fly_at_one_time(tmp_path, results):
    """The executor may be a cluster's, and a folder large."""
    paths = handed_in(tmp_path, *"abcdef")
    flying, most = set(), []

    class Slow(Jobs):
        def submit(self, job, submission, order):
            flying.add(submission.name)
            most.append(len(flying))
            return super().submit(job, submission, order)

    for one in grade_all(paths, ORDER, results, Slow(), 2):
        flying.discard(one.name)
    assert max(most) == 2


def test_an_error_of_the_grader_is_a_trouble_of_that_submission(monkeypatch):
    """Nobody else's."""
    monkeypatch.setattr(job, "grade", lambda *_, **__: 1 / 0)
    monkeypatch.setattr(job, "_jails", lambda *_: None)
    mark = job.mark(None, ORDER)  # type: ignore[arg-type]  # nothing reads it
    assert mark == "the grader failed: ZeroDivisionError: division by zero"


@pytest.mark.parametrize("name", ["a" * 255, "ü" * 127, "a" * 201])
def test_a_long_name_has_a_result(tmp_path, name):
    """Its file's name is a digest at its end, so that two of them do not meet."""
    results = Results(tmp_path)
    for one in (name, f"{name[:-1]}b"):
        results.keep(one, "key", made(Graded(one)))
    assert results.path(name) != results.path(f"{name[:-1]}b")
    assert results.load(name, "key") is not None


def test_names_that_differ_have_files_that_differ(tmp_path):
    """A folder and a zip of one name, and a name like a result's."""
    results = Results(tmp_path)
    assert len({results.path(name) for name in ("ann", "ann.zip", "ann.json", "scores", "seed")}) == 5


def test_the_table_is_no_formula_and_no_markup(tmp_path):
    """Names are the students'."""
    every = [Graded("=1+1", made(Graded("=1+1"))), Graded("a|b<i>", trouble="x|y")]
    rows = list(csv.DictReader(command_grade_all.as_csv(every, [KATA]).splitlines()))
    assert rows[0] == {"submission": "'=1+1", "score": "1", "points": "1", KATA.slug: "1", "trouble": ""}
    assert rows[1] == {"submission": "a|b<i>", "score": "", "points": "", KATA.slug: "", "trouble": "x|y"}
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


@pytest.mark.parametrize("where", ["queue", "command"])
def test_results_that_cannot_be_written_are_told(tmp_path, monkeypatch, where):
    """A result and the table of them all: one line names the folder that was asked for."""
    handed_in(tmp_path / "in", "ann")

    def full(path, text, mode=0):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr({"queue": queue, "command": command_grade_all}[where], "write_whole", full)
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


# As a process


def command(folder, out, *more):
    """The command that grades a folder."""
    return [*DOJO, "grade-all", str(folder), "--out", str(out), "--katas", "01", "--jobs", "2", *more]


@pytest.fixture(scope="module")
def class_(tmp_path_factory):
    """A folder of submissions: right ones, a wrong one, one to do, one that cannot be graded."""
    folder = tmp_path_factory.mktemp("class")
    right = KATA.source(ROOT / "solutions").read_text(encoding="utf-8")
    wrong = f"{right}\n\ndef get_memory_usage(tensor):\n    return 0\n"
    todo = KATA.source(ROOT / "katas").read_text(encoding="utf-8")
    for name, text in {"ann": right, "bob": wrong, "cid": todo, "dan": right, "eve": right}.items():
        (folder / name / KATA.slug).mkdir(parents=True)
        (folder / name / KATA.slug / KATA.filename).write_text(text, encoding="utf-8")
    (folder / "notes.txt").write_text("no submission")
    return folder


SCORES = """\
submission,score,points,01_memory,trouble
ann,9,9,9,
bob,8,9,8,
cid,0,9,0,
dan,9,9,9,
eve,9,9,9,
"""


def test_a_class_is_graded(class_, tmp_path):
    """A result for each, and a table; a second run has nothing to do; the seed that was made up is kept."""
    for said in ("5 graded, 0 known before, 1 without a grade", "0 graded, 5 known before, 1 without a grade"):
        done = subprocess.run(command(class_, tmp_path), capture_output=True, text=True)
        assert done.returncode == 1, done.stderr
        assert said in done.stdout
        table = (tmp_path / "scores.csv").read_text(encoding="utf-8")
        assert table.startswith(SCORES)
        assert 'notes.txt,,,,"' in table
    assert (tmp_path / "seed").stat().st_mode & 0o777 == 0o600
    assert {path.stem for path in tmp_path.glob("*.json")} == {"ann", "bob", "cid", "dan", "eve"}


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
