"""`dojo grade-all --cluster`: a scheduler and workers of Dask on loopback, which die, differ and come late."""

import dataclasses
import re
import subprocess
import sys
import time
import unittest.mock
from concurrent.futures import Future

import pytest
from typer.testing import CliRunner

pytest.importorskip("distributed", reason="pip install -e '.[cluster]'")

from dojo.catalog import find
from dojo.cli import app
from dojo.grade import cluster as cluster_module
from dojo.grade import grading, job, queue
from dojo.grade.command_grade import NoGrade
from dojo.grade.jail.limits import Limits
from dojo.grade.order import Order
from dojo.grade.queue import DIED, Machines, grade_all
from dojo.grade.result import Result
from dojo.grade.result_files import Results
from dojo.grade.terms import differences, refusal, terms
from tests.dojo.clone import make
from tests.dojo.grade import clusters
from tests.dojo.grade.clusters import until
from tests.dojo.grade.handed_in import handed_in as submitted
from tests.dojo.grade.handed_in import solution
from tests.dojo.grade.queued import KATA, ORDER, SCORES, Jobs, a_class, handed_in, told
from tests.dojo.grade.test_grade_all_as_process import DOJO


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A scheduler, and a command that has started two workers."""
    made = clusters.Cluster(tmp_path_factory.mktemp("cluster"))
    made.workers(2)
    with made.client() as client:
        client.wait_for_workers(2, timeout=120)
    yield made
    made.end()


@pytest.fixture
def quick(tmp_path, monkeypatch):
    """An order of jobs that take no time."""
    monkeypatch.setattr(job, "mark", clusters.quickly)
    (tmp_path / "begun").mkdir()
    return Order((KATA,), str(tmp_path / "begun"), "auto", "cpu", Limits(), "userns")


@pytest.fixture
def gradable(quick, isolation):
    """The same, where the jail that is asked for holds."""
    return dataclasses.replace(quick, require=isolation)


def command(cluster, folder, out):
    """The command that grades a folder on a cluster."""
    return [*DOJO, "grade-all", str(folder), "--out", str(out), "--katas", "01", "--cluster", cluster.address]


def test_a_class_is_graded_though_a_worker_is_killed(cluster, tmp_path):
    """The table is that of one machine, and no jail is kept ready for nobody."""
    folder, out = a_class(tmp_path / "class"), tmp_path / "out"
    pipe = subprocess.PIPE
    with subprocess.Popen(command(cluster, folder, out), stdout=pipe, stderr=pipe, text=True) as process:
        try:
            clusters.kill(cluster.started[1], 1, out)  # after the scheduler
            said, errors = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            pytest.fail(cluster.state())
        finally:
            process.kill()
    assert process.returncode == 1, errors
    assert "5 graded, 0 known before, 1 without a grade, isolation" in said
    assert (out / "scores.csv").read_text(encoding="utf-8").startswith(SCORES)
    with cluster.client() as client:
        until(lambda: not any(client.run(_ready).values()))


def _ready():
    return len(job._ready)


def test_a_plan_is_drawn_once_and_the_next_jail_is_ready(cluster, isolation):
    """In each worker process, as in a process of one machine."""
    order = dataclasses.replace(ORDER, level=isolation)
    with cluster.client() as client:
        worker = next(iter(client.nthreads()))
        drawn = [
            client.submit(_drawn, submitted(KATA, solution(KATA), name), order, workers=[worker], pure=False).result()
            for name in ("ann", "dan")
        ]
        client.run(job.close)
    (first, result, ready), (second, other, _) = drawn
    assert first > 0 == second
    assert ready == 1
    assert [function.status for function in result.katas[0].functions] == ["done"] * len(KATA.functions)
    assert dataclasses.replace(other, submission="ann", times=result.times) == result


def _drawn(submission, order):
    """How many properties were drawn for, what came of it, and how many jails are ready for the next one."""
    with unittest.mock.patch.object(grading, "run", wraps=grading.run) as run:  # type: ignore[attr-defined]
        result = job.mark(submission, order)
    return run.call_count, result, sum(len(jails.next) for jails in job._ready.values())


CONNECTS = """
import socket
for place in {places}:
    try:
        socket.create_connection(tuple(place))
        break
    except OSError as error:
        why = error
else:
    raise why
"""


def test_no_submission_reaches_the_sockets_of_the_cluster(cluster, isolation):
    """A file that can be run where it reaches the scheduler, or a worker, cannot; without a jail it could."""
    kata = find("02")
    with cluster.client() as client:
        addresses = [cluster.address, *client.nthreads()]
        places = [[host, int(port)] for host, port in (one.removeprefix("tcp://").split(":") for one in addresses)]
        handed = submitted(kata, CONNECTS.format(places=places))
        orders = [dataclasses.replace(ORDER, katas=(kata,), level=level) for level in (isolation, "none")]
        jailed, free = client.gather([client.submit(_trouble, handed, order, pure=False) for order in orders])
        client.run(job.close)
    assert "PermissionError" in jailed or "OSError" in jailed
    assert free == ""


def _trouble(submission, order):
    """Why the file of a submission cannot be run, where it cannot."""
    result = job.mark(submission, order)
    assert isinstance(result, Result), result
    return result.katas[0].trouble


def test_a_submission_on_three_dying_workers_is_graded_alone_at_the_end(cluster, gradable, tmp_path):
    """It costs nobody else a grade, and is said to have been."""
    paths = handed_in(tmp_path / "in", "ann", "bob", "cid", "dan", "eve")
    with cluster_module.connected(cluster.address, 1, gradable, print) as machines:
        every = list(grade_all(paths, gradable, Results(tmp_path / "out"), machines))
    assert [one.name for one in every if one.alone][-1] == every[-1].name == "bob"
    assert all(one.result for one in every)
    assert len(list((tmp_path / "begun").glob("bob.*"))) == 4


def _for_a_while(machines, seconds=60):
    """The same machines, which fail rather than wait for a worker for ever."""
    end = time.monotonic() + seconds

    def jobs():
        assert time.monotonic() < end, "no worker came"
        return machines.jobs()

    return dataclasses.replace(machines, jobs=jobs)


def test_workers_of_this_machine_that_die_while_they_start_are_replaced(gradable, tmp_path):
    """Dask's own nanny gives up on them."""
    paths = handed_in(tmp_path / "in", "bob")
    with cluster_module.connected("local", 1, gradable, print) as machines:
        every = list(grade_all(paths, gradable, Results(tmp_path / "out"), _for_a_while(machines)))
    assert [one.result is not None for one in every] == [True]
    assert len(list((tmp_path / "begun").glob("bob.*"))) == 4


def test_the_command_says_that_no_worker_is_left_and_waits_for_one(gradable, tmp_path, monkeypatch):
    """One line each time; whoever comes then grades the rest."""
    monkeypatch.setattr(queue, "LOOK", 0.1)
    paths = handed_in(tmp_path / "in", *"abcdef")
    said: list[str] = []
    there = clusters.Cluster(tmp_path)

    def say(text):
        said.append(text)
        there.workers()

    try:
        first = there.workers()
        every = []
        with cluster_module.connected(there.address, 1, gradable, say) as machines:
            for one in grade_all(paths, gradable, Results(tmp_path / "out"), _for_a_while(machines)):
                every.append(one)
                if len(every) == 2:
                    clusters.end(first)
    finally:
        there.end()
    assert said == [f"no worker is left at {there.address}; waiting for one"]
    assert [one.result is not None for one in every] == [True] * 6


@pytest.mark.parametrize("late", [False, True], ids=["there", "late"])
def test_a_worker_that_differs_refuses(cluster, gradable, tmp_path, late, long):
    """Whether it was there when the grader came or came later: one line says what differs, and others grade."""
    if not (late or long):
        pytest.skip("the one that comes late stands for it: in the long form")
    clone = make(tmp_path)
    for name, more in {"pyproject.toml": "[tool.dojo.limits]\nseconds = 120", "tests/shared/shapes.py": "#"}.items():
        path = clone.root / name
        path.write_text(f"{path.read_text(encoding='utf-8')}\n{more}\n", encoding="utf-8")
    paths = handed_in(tmp_path / "in", *(f"name {number}" for number in range(24 if late else 4)))
    said: list[str] = []
    with cluster.client() as client:
        until(lambda: len(client.nthreads()) == 2)
        begin = lambda: cluster.workers(clone=clone.root) and until(lambda: len(client.nthreads()) == 3)  # noqa: E731
        if not late:
            begin()
        with cluster_module.connected(cluster.address, 1, gradable, said.append) as machines:
            if late:
                begin()
            every = list(grade_all(paths, gradable, Results(tmp_path / "out"), machines))
            until(lambda: said, seconds=30)
        until(lambda: len(client.nthreads()) == 2)
    assert all(one.result for one in every)
    assert len(set(said)) == 1
    assert said[0].startswith("worker tcp://127.0.0.1:")
    assert " refuses: clone " in said[0]
    assert said[0].endswith(", limit seconds 120 instead of 60")


def test_a_scheduler_that_dies_ends_the_command_and_nothing_is_lost(gradable, tmp_path):
    """What is done is kept, and the others are graded by whoever goes on, be it on one machine."""
    paths = handed_in(tmp_path / "in", *"abcdef")
    results = Results(tmp_path / "out")
    there = clusters.Cluster(tmp_path)
    try:
        there.workers()
        done: list[str] = []
        said = re.escape(f"the scheduler at {there.address} is gone; run the same command to resume")
        with pytest.raises(NoGrade, match=said):
            _until_the_scheduler_dies(there, paths, gradable, results, done)
    finally:
        there.end()
    jobs = Jobs()
    assert set(told(paths, results, jobs, order=gradable)) == set("abcdef")
    assert done == ["a", "b"]
    assert jobs.ran == list("cdef")


def _until_the_scheduler_dies(there, paths, order, results, done):
    with cluster_module.connected(there.address, 1, order, print) as machines:
        for one in grade_all(paths, order, results, machines):
            done.append(one.name)
            if len(done) == 2:
                there.scheduler.kill()


@pytest.mark.parametrize(
    ("has", "said"),
    [
        ({"torch": "1.0"}, "torch {torch} instead of 1.0"),
        ({"Python": "3.0"}, "Python {Python} instead of 3.0"),
        ({"clone": "0", "limit memory": "1"}, "clone {clone} instead of 0, limit memory {limit memory} instead of 1"),
    ],
)
def test_what_differs_is_named(has, said):
    """By its name, with what is here and what should be."""
    agreed = terms(ORDER)
    assert differences(agreed) == ""
    other = dataclasses.replace(agreed, same=agreed.same | has)
    assert differences(other) == said.format_map(agreed.same)


def test_more_threads_than_one_and_weaker_isolation_are_refused():
    """Two submissions would share what is one process's; what a course requires is no wish."""
    agreed = terms(dataclasses.replace(ORDER, level="none"))
    assert refusal(agreed, 1) == ""
    assert refusal(agreed, 2) == "threads 2 instead of 1"
    required = dataclasses.replace(agreed, require="basic")
    assert refusal(required, 1) == "isolation none is weaker than basic, which is required"


def test_a_submission_that_kills_every_worker_has_no_grade(tmp_path):
    """The others have theirs; those that were beside it by chance too, graded alone."""
    paths = handed_in(tmp_path, "ann", "bob", "cid")

    class Death(Exception):
        """Of a worker."""

    class Workers(Jobs):
        def submit(self, job, submission, order):
            future = super().submit(job, submission, order)
            if submission.name == "bob" or self.ran.count("ann") == 1 == len(self.ran):
                future = Future()
                future.set_exception(Death())
            return future

    workers = Workers()
    machines = Machines(workers, lambda: 2, (Death,))
    every = {one.name: one for one in grade_all(paths, ORDER, Results(tmp_path / "out"), machines)}
    assert {name: (one.trouble, one.alone) for name, one in every.items()} == {
        "ann": ("", True),
        "bob": (DIED, True),
        "cid": ("", False),
    }
    assert workers.ran[:3] == ["ann", "bob", "cid"]
    assert sorted(workers.ran[3:]) == ["ann", "bob"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--cluster", "tcp://127.0.0.1:1", "--jobs", "2"], "--jobs 2 is for this machine"),
        (["--cluster", "nowhere://127.0.0.1:1"], "--cluster nowhere://127.0.0.1:1: unknown address scheme 'nowhere'"),
        (["--cluster", "tcp://127.0.0.1:1"], "--cluster tcp://127.0.0.1:1: Timed out trying to connect"),
        (["--isolation", "none", "--require", "basic"], "isolation none is weaker than basic, which is required"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(tmp_path, monkeypatch, more, said):
    """With status 2."""
    monkeypatch.setattr(cluster_module, "CONNECT", 0.2)
    handed_in(tmp_path / "in", "ann")
    done = CliRunner().invoke(app, ["grade-all", str(tmp_path / "in"), "--out", str(tmp_path / "out"), *more])
    assert done.exit_code == 2
    assert done.stderr.splitlines()[-1].startswith(f"dojo: {said}")


def test_without_dask_one_line_says_how_to_get_it(tmp_path, monkeypatch):
    """It is an extra."""
    monkeypatch.setitem(sys.modules, "dojo.grade.cluster", None)
    handed_in(tmp_path / "in", "ann")
    line = ["grade-all", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--cluster", "local"]
    done = CliRunner().invoke(app, line)
    assert done.exit_code == 2
    assert done.stderr.splitlines()[-1].endswith("pip install -e '.[cluster]'")
