"""What the grader gives for honest work, done and not done: the same as the local run, at every level."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from dojo.catalog import ROOT, find, katas
from dojo.grade import grading, result
from dojo.grade.formats.phrases import why
from dojo.grade.grading import grade
from dojo.grade.intake.submission import Submission
from dojo.grade.jail.jail import Jail, NoJail
from dojo.grade.jail.limits import Limits
from dojo.grade.jails import Jails
from dojo.judging import expect
from dojo.seam.data import same
from tests.attacks.harness import attacks
from tests.dojo.clone import make
from tests.dojo.grade.handed_in import handed_in, solution

LEFTOVERS = "dojo.grade.inside.leftovers"
LIMITS = Limits(seconds=120)
"""The machines that run this are shared and slow."""


def graded(slug: str, text: str, level: str, limits: Limits = LIMITS) -> result.Result:
    """What the grader gives for the solution of a kata, followed by this text."""
    kata = find(slug)
    handed = handed_in(kata, f"{solution(kata)}\n\n{text}")
    return grade(handed, katas=[kata], seed="secret", level=level, limits=limits)


def every_kata(tree: str, level: str, jails: Jails | None = None) -> list[result.FunctionResult]:
    """What the grader gives for the functions of all katas, handed in together as they stand in a tree."""
    files = {slug: kata.source(ROOT / tree).read_bytes() for slug, kata in katas().items()}
    paths = {slug: f"{slug}/{kata.filename}" for slug, kata in katas().items()}
    every = list(katas().values())
    handed = Submission("learner", files, paths)
    given = grade(handed, katas=every, seed="secret", level=level, jails=jails)
    assert [one.slug for one in given.katas] == list(katas())
    return [function for one in given.katas for function in one.functions]


def test_solutions_get_full_marks(isolation: str, examples: Callable[[int], None]):
    """Whatever the jail takes away, a right answer does without; in the long form at 100 examples."""
    examples(2)
    assert [function for function in every_kata("solutions", isolation) if function.score != function.points] == []


def test_solutions_get_full_marks_where_all_runs_in_their_process(examples: Callable[[int], None]):
    """As on CUDA, which no forked process can use once the first one has: parts and lent arguments run there as well.

    The device meta stands for it: the first process tries it, and what is judged lies on the CPU.
    """
    examples(2)
    with contextlib.closing(Jails("none", LIMITS, "meta", list(katas().values()))) as jails:
        given = every_kata("solutions", "none", jails)
    assert [function for function in given if function.score != function.points] == []


@pytest.mark.parametrize("name", ["nothing"] if torch.cuda.is_available() else ["nothing", "cuda"])
def test_a_device_that_no_process_of_theirs_can_use_gives_no_grade(name: str):
    """Right answers would be wrong there: better no grade, and the error of torch."""
    kata = find("01")
    no_use = pytest.raises(NoJail, match=f"of its own cannot use {name}: [A-Za-z]*Error: ")
    with contextlib.closing(Jails("none", LIMITS, name, [kata])) as jails, no_use:
        grade(handed_in(kata, solution(kata)), katas=[kata], seed="secret", level="none", jails=jails)


ANY_WAY = """
import asyncio, getpass, inspect, pickle, sys, tempfile
import torch
from concurrent.futures import ThreadPoolExecutor

@torch.jit.script
def twice(x: torch.Tensor) -> torch.Tensor:
    return 2 * x

class Later:
    pass

assert type(pickle.loads(pickle.dumps(Later()))) is Later
assert getpass.getuser()

assert twice(torch.ones(1)).item() == 2
assert "def get_memory_usage" in inspect.getsource(get_memory_usage)
assert "class Later" in inspect.getsource(Later)
assert "async def later" in inspect.getsource(sys.modules[__name__])
right = get_memory_usage

async def later(tensor):
    with tempfile.TemporaryFile("w+") as file:
        file.write(str(right(tensor)))
        file.seek(0)
        return int(file.read())

def get_memory_usage(tensor):
    with ThreadPoolExecutor(2) as pool:
        return pool.submit(asyncio.run, later(tensor)).result()
"""


def test_a_right_answer_may_take_any_way(isolation: str, tmp_path):
    """It may read and compile its own source, pickle what it defines, use threads, sockets within itself, and files."""
    given = graded("01_memory", ANY_WAY, isolation)
    assert given.score == given.points, given.katas[0]
    for folder in ("katas", "handed in"):
        (tmp_path / folder).mkdir()
        clone = make(tmp_path / folder)
        path = find("01_memory").source(clone.root / folder)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{solution(find('01_memory'))}\n\n{ANY_WAY}", encoding="utf-8")
        ran = clone.pytest("katas/01_memory", *(["--submission", folder] if folder != "katas" else []))
        assert ran.status == 0, ran.out


def test_untouched_stubs_get_nothing(isolation: str):
    """They are to do, every one."""
    assert {(function.status, function.score) for function in every_kata("katas", isolation)} == {("to do", 0)}


def test_the_same_seed_gives_the_same_result(isolation: str):
    """But for its times."""
    wrong = "def mfu(flops, seconds, peak_flops):\n    return flops / seconds\n"
    one, other = (graded("03_flops", wrong, isolation).plain() for _ in range(2))
    assert one.pop("times")
    assert other.pop("times")
    assert one == other


def function(given: result.Result, name: str) -> result.FunctionResult:
    """What became of one function of the kata."""
    return next(function for function in given.katas[0].functions if function.name == name)


def test_what_was_printed_is_in_the_report(isolation: str):
    """As a local run tells it, although the process that printed it is gone."""
    given = graded("03_flops", "def mfu(flops, seconds, peak_flops):\n    print('here')\n    return flops\n", isolation)
    assert [line for line in function(given, "mfu").report if line.startswith("  it printed    'here', the last of ")]


def test_what_was_printed_before_the_process_was_lost_is_told(isolation: str):
    """Its last words are read before the jail goes."""
    text = "import os\ndef mfu(flops, seconds, peak_flops):\n    print('here')\n    os.kill(os.getppid(), 9)\n"
    assert "'here'" in graded("03_flops", text, isolation).katas[0].printed


def test_what_no_property_foresees_earns_nothing_and_stops_nothing(isolation: str, monkeypatch):
    """An error out of the judge's own code, led into by an odd answer, fails that function alone."""

    def compare(got, *args):
        return same(got, *args) if got != "odd" else 1 / 0

    monkeypatch.setattr(expect, "same", compare)
    given = graded("03_flops", "def linear_flops(x_shape, out_features):\n    return 'odd'\n", isolation)
    assert function(given, "linear_flops").note == "its result cannot be judged: ZeroDivisionError"
    assert given.score == given.points - function(given, "linear_flops").points


def test_a_report_that_cannot_be_written_stops_nothing(isolation: str, monkeypatch):
    """The result is written all the same."""
    monkeypatch.setattr(grading, "block_lines", lambda *args, **named: 1 / 0)
    given = graded("03_flops", "def mfu(flops, seconds, peak_flops):\n    return 1\n", isolation)
    assert function(given, "mfu").report == ("there is no report: ZeroDivisionError",)
    assert given.score == given.points - function(given, "mfu").points


def test_too_many_processes_are_told(isolation: str):
    """They are more than the limit before the kernel refuses the next."""
    given = graded("03_flops", FORKS, isolation, Limits(seconds=20))
    assert function(given, "mfu").note == "it ran more than 64 processes at one time"


FORKS = """
import os, time
def mfu(flops, seconds, peak_flops):
    while True:
        try:
            if not os.fork():
                time.sleep(99)
        except OSError:
            time.sleep(0.1)
"""


@pytest.mark.parametrize("name", ["answers_for_its_own_file", "writes_frames_at_import"])
def test_a_file_that_answers_for_itself_has_one_line_and_others_have_their_grades(isolation: str, examples, name: str):
    """What is sent in its name while it is run is refused; an honest kata beside it gets all of its points."""
    examples(5)
    attack, honest = attacks()[name], find("01")
    both = [honest, attack.kata]
    files = {honest.slug: solution(honest).encode(), attack.kata.slug: f"{solution(attack.kata)}{attack.text}".encode()}
    paths = {kata.slug: str(kata.source(Path())) for kata in both}
    asked = [*both, find("02")]
    given = grade(Submission("learner", files, paths), katas=asked, seed="secret", level=isolation, limits=LIMITS)
    assert [one.score for one in given.katas] == [given.katas[0].points, 0, 0]
    assert [one.cause for one in given.katas] == ["", "cannot be run", "missing"]
    told = given.katas[1].trouble
    assert told.startswith(f"{paths[attack.kata.slug]} cannot be run: its process sent ")
    assert "\n" not in told


HUGE = """
import os
def mfu(flops, seconds, peak_flops):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, bytes([255] * 8))
        except OSError:
            pass
"""


ENDLESS = "def mfu(flops, seconds, peak_flops):\n    while True:\n        {}\n"


@pytest.mark.parametrize("does", ["pass", "__import__('time').sleep(9)"])
def test_what_does_not_end_is_told_apart_from_what_is_wrong(isolation: str, examples, does):
    """Whether its time is that of the CPU or of the clock."""
    examples(1)
    assert why(graded("03_flops", ENDLESS.format(does), isolation, Limits(seconds=3))) == "1 did not end"


def test_a_frame_that_is_too_long_is_told_and_never_read(isolation: str, examples):
    """The process between the judge and the learner's says so; it does not wait for four gigabytes."""
    examples(5)
    given = graded("03_flops", HUGE, isolation, Limits(seconds=20))
    told = "its process sent what cannot be read: 4,294,967,295 and 4,294,967,295 bytes are more than a frame may have"
    assert function(given, "mfu").note == told
    assert given.score == given.points - function(given, "mfu").points


def test_a_jail_that_died_while_it_was_ready_is_replaced(isolation: str):
    """It was nobody's, so nobody's grade is lost with it."""
    kata = find("02")
    with contextlib.closing(Jails(isolation, LIMITS, "cpu", [kata], ahead=True)) as jails:
        jails.prepare(False)
        channel, _ = jails.next[False]
        channel.jail.kill()
        handed = handed_in(kata, solution(kata))
        given = grade(handed, katas=[kata], seed="secret", level=isolation, jails=jails)
        assert given.score == given.points


STAYS = """

def clean():
    if "stays" in os.listdir():
        raise Unclean("one file cannot be removed")
"""


def test_a_jail_that_cannot_be_cleaned_is_replaced(isolation: str, monkeypatch):
    """The functions that come after get a new one, and none of their seconds are spent on that."""
    start, made = Jail, []

    def started(*args, modules, **named):
        made.append(args)
        return start(*args, modules={**modules, LEFTOVERS: modules[LEFTOVERS] + STAYS}, **named)

    monkeypatch.setattr("dojo.grade.jails.Jail", started)
    spoils = """
_right = {name: globals()[name] for name in ("linear_flops", "matmul_flops")}

def linear_flops(*args):
    open("stays", "w").close()
    return _right["linear_flops"](*args)

def matmul_flops(*args):
    import os
    return _right["matmul_flops"](*args) + os.path.exists("stays")
"""
    given = graded("03_flops", spoils, isolation)
    assert given.score == given.points
    assert len(made) == 2


def test_what_a_function_prints_is_its_own_and_all_of_it(isolation: str):
    """By pipes of its own: also much more than a pipe holds, and after the flags of an earlier one are set."""
    prints = """
_right = {name: globals()[name] for name in ("linear_flops", "matmul_flops")}

def matmul_flops(*args):
    import os
    os.set_blocking(1, False)
    os.set_blocking(2, False)
    return _right["matmul_flops"](*args)

def linear_flops(*args):
    print("first" + "." * 200_000 + "last")
    return _right["linear_flops"](*args)
"""
    given = graded("03_flops", prints, isolation)
    assert given.score == given.points
    assert "first" in given.katas[0].printed
