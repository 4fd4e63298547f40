"""`dojo grade-all`: each submission graded once, whatever happens to the processes that grade."""

import contextlib
import threading
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

from dojo.catalog import find
from dojo.grade import job, queue
from dojo.grade import order as order_module
from dojo.grade.intake import submission
from dojo.grade.jail.limits import Limits
from dojo.grade.order import Order
from dojo.grade.queue import Machines, grade_all
from dojo.grade.result_files import Results
from tests.dojo.grade.queued import KATA, ORDER, Jobs, handed_in, made, told


@pytest.fixture
def results(tmp_path):
    """An empty folder of results."""
    return Results(tmp_path / "out")


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
    monkeypatch.setattr(order_module, "_files", order_module._files.__wrapped__)
    before = order_module.rules.__wrapped__(("01_memory",))
    other.write_text("2")
    assert order_module.rules.__wrapped__(("01_memory",)) == before
    mine.write_text("2")
    assert order_module.rules.__wrapped__(("01_memory",)) != before


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

    for one in grade_all(paths, ORDER, results, Machines(Slow(), lambda: 2)):
        flying.discard(one.name)
    assert max(most) == 2


def test_a_machine_that_comes_while_another_grades_gets_a_job(tmp_path, results, monkeypatch):
    """Also if no job ends."""
    monkeypatch.setattr(queue, "LOOK", 0.01)
    paths = handed_in(tmp_path, "ann", "bob")
    asked: list[Future[Any]] = []

    class Waiting(Jobs):
        """The first job ends with the second."""

        def submit(self, job, submission, order):
            self.ran.append(submission.name)
            asked.append(Future())
            if len(asked) == 2:
                late.cancel()
                for future in asked:
                    future.set_result(made(submission, level=order.levels[0]))
            return asked[-1]

    late = threading.Timer(10, lambda: asked[0].set_exception(TimeoutError("nobody asked again")))
    late.start()
    looks = iter([1] * 5)
    machines = Machines(Waiting(), lambda: next(looks, 2))
    assert {one.name for one in grade_all(paths, ORDER, results, machines)} == {"ann", "bob"}


def test_a_submission_that_cannot_be_read_for_an_unforeseen_reason_ends_nothing(tmp_path, results, monkeypatch):
    """Who reads archives may have missed one; it has one line, and the others are graded."""
    paths = handed_in(tmp_path, "ann", "bob", "cid")

    def read(path, katas):
        return submission.read(path, katas) if path.name != "bob" else [][0]

    monkeypatch.setattr(queue, "read", read)
    found = told(paths, results, Jobs())
    assert found["bob"].trouble == "the grader failed: IndexError: list index out of range"
    assert [found[name].trouble for name in ("ann", "cid")] == ["", ""]


class Losing(Jobs):
    """Whoever runs the jobs fails with one of them."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def submit(self, job, submission, order):
        """As concurrent.futures has it."""
        future = super().submit(job, submission, order)
        if submission.name == "bob":
            future = Future()
            future.set_exception(self.error)
        return future


def test_a_job_that_fails_on_its_way_ends_nothing(tmp_path, results):
    """It could not be sent, or its result could not be read; it has one line, and the others are graded."""
    found = told(handed_in(tmp_path, "ann", "bob", "cid"), results, Losing(TypeError("cannot pickle it")))
    assert found["bob"].trouble == "the grader failed: TypeError: cannot pickle it"
    assert [found[name].trouble for name in ("ann", "cid")] == ["", ""]


@pytest.mark.parametrize("error", [ConnectionResetError("gone"), CancelledError()], ids=["connection", "cancelled"])
def test_a_cluster_that_is_gone_ends_the_queue(tmp_path, results, error):
    """All that is left would fail alike."""
    with pytest.raises(type(error)):
        told(handed_in(tmp_path, "ann", "bob", "cid"), results, Losing(error))


def test_an_error_of_the_grader_is_a_trouble_of_that_submission(monkeypatch):
    """Nobody else's."""
    monkeypatch.setattr(job, "grade", lambda *_, **__: 1 / 0)
    monkeypatch.setattr(job, "_jails", lambda *_: None)
    mark = job.mark(None, ORDER)  # type: ignore[arg-type]  # nothing reads it
    assert mark == "the grader failed: ZeroDivisionError: division by zero"
