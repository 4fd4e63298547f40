"""Submissions in a folder, and an executor that grades them without a jail."""

import contextlib
from concurrent.futures import BrokenExecutor, Future
from typing import Any

from dojo.catalog import ROOT, find
from dojo.grade import command_grade_all
from dojo.grade.jail.limits import Limits
from dojo.grade.order import Order
from dojo.grade.queue import Machines, grade_all
from dojo.grade.result import FunctionResult, KataResult, Result

KATA = find("01")
ORDER = Order((KATA,), "secret", "userns", "cpu", Limits())


def handed_in(folder, *names):
    """Submissions with these names, each of another text."""
    for name in names:
        path = folder / name / KATA.slug / KATA.filename
        path.parent.mkdir(parents=True)
        path.write_text(f"# {name!a}\n", encoding="utf-8")
    return command_grade_all.submissions(folder, folder / "out")


def a_class(folder):
    """Right ones, a wrong one, one to do, one that cannot be graded."""
    right = KATA.source(ROOT / "solutions").read_text(encoding="utf-8")
    wrong = f"{right}\n\ndef get_memory_usage(tensor):\n    return 0\n"
    todo = KATA.source(ROOT / "katas").read_text(encoding="utf-8")
    for name, text in {"ann": right, "bob": wrong, "cid": todo, "dan": right, "eve": right}.items():
        (folder / name / KATA.slug).mkdir(parents=True)
        (folder / name / KATA.slug / KATA.filename).write_text(text, encoding="utf-8")
    (folder / "notes.txt").write_text("no submission")
    return folder


SCORES = """\
submission,score,points,01_memory,why,result
ann,9,9,9,,ann.json
bob,8,9,8,1 wrong,bob.json
cid,0,9,0,not started,cid.json
dan,9,9,9,,dan.json
eve,9,9,9,,eve.json
"""
"""What becomes of that class."""


def made(submission, score=1, level="userns"):
    """A result."""
    function = FunctionResult("f", "F", score, "done")
    kata = KataResult(KATA.slug, KATA.title, (function,))
    return Result(submission.name, level, "cpu", "0", "2", "3", (kata,))


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
            future.set_result(made(submission, level=order.levels[0]))
        return future


def told(paths, results, jobs, order=ORDER, at_one_time=2):
    """What became of each, by its name."""
    return {one.name: one for one in grade_all(paths, order, results, Machines(jobs, lambda: at_one_time))}
