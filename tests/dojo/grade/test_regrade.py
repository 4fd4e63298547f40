"""`dojo regrade`: only what is touched is graded again, and no old result goes before the new one is whole."""

import csv
import hashlib
import shutil
from concurrent.futures import Future
from typing import Any

import pytest
from typer.testing import CliRunner

from dojo.cli import app
from dojo.grade import command_grade_all, order, regrade
from dojo.grade.jail.limits import Limits
from dojo.grade.order_file import AGAIN
from dojo.grade.result import FunctionResult, KataResult, Result, read
from dojo.grade.result_files import Results
from tests.dojo.grade.queued import Jobs
from tests.dojo.report.texts import HOSTILE

FILES = {"01_memory": "memory.py", "03_flops": "flops.py"}


class Judge(Jobs):
    """An executor that finds the function of a kata wrong if its file says so and the rules are strict."""

    def __init__(self, rules, torch="2", deadly=(), stops=""):
        super().__init__(deadly)
        self.rules, self.torch, self.stops = rules, torch, stops

    def submit(self, job, submission, order):
        """As concurrent.futures has it."""
        if submission.name == self.stops:
            raise KeyboardInterrupt
        if submission.name in self.deadly:
            return super().submit(job, submission, order)
        self.ran += [(submission.name, kata.slug) for kata in order.graded]
        graded = []
        for kata in order.graded:
            data = submission.files.get(kata.slug, b"")
            wrong = b"wrong" in data and self.rules[kata.slug].startswith("strict")
            function = FunctionResult("f", "F", 2, "wrong" if wrong else "done", held=int(not wrong), total=1)
            file = hashlib.sha256(data).hexdigest() if data else ""
            graded.append(KataResult(kata.slug, "K", (function,), file=file, rules=self.rules[kata.slug]))
        future: Future[Any] = Future()
        future.set_result(Result(submission.name, "none", "cpu", "0", self.torch, "3", tuple(graded)))
        return future


class Course:
    """A folder of submissions to two katas, graded by rules that can be changed."""

    def __init__(self, folder, monkeypatch, *names):
        self.folder, self.monkeypatch = folder, monkeypatch
        self.rules = dict.fromkeys(FILES, "strict")
        monkeypatch.setattr(order, "rules", lambda slugs: " ".join(self.rules[slug] for slug in slugs))
        monkeypatch.setattr(regrade, "rules", lambda slugs: " ".join(self.rules[slug] for slug in slugs))
        self.out = folder / "out"
        for name in names:
            for slug in FILES:
                self.hand_in(name, slug, "wrong")

    def hand_in(self, name, slug, text):
        """Write the file of a kata."""
        path = self.folder / "in" / name / slug / FILES[slug]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, *command, **judge):
        """A command whose jobs run in this process; what was asked of them is in `ran`."""
        jobs = Judge(self.rules, **judge)
        self.monkeypatch.setattr(command_grade_all, "workers", lambda _: jobs())
        done = CliRunner().invoke(app, list(command))
        self.ran = jobs.ran
        return done

    def grade(self, *options):
        """`dojo grade-all` of the two katas."""
        command = ["grade-all", str(self.folder / "in"), "--out", str(self.out), "--katas", "01,03", "--seed", "s"]
        return self.run(*command, "--isolation", "none", *options)

    def regrade(self, *options, seed="s", **judge):
        """`dojo regrade`."""
        return self.run("regrade", str(self.out), "--seed", seed, *options, **judge)

    def table(self, name="changes"):
        """A table that was written."""
        with (self.out / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def scores(self):
        """The scores of the three results."""
        return [read(self.out / f"{name}.json").score for name in ("ann", "bob", "cid")]

    def results(self):
        """The bytes of each result."""
        return {path.name: path.read_bytes() for path in self.out.iterdir() if path.is_file()}


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Three submissions that were graded, with everything wrong."""
    course = Course(tmp_path, monkeypatch, "ann", "bob", "cid")
    done = course.grade("--html")
    assert done.exit_code == 0, done.output
    return course


def test_only_the_kata_whose_rules_changed_is_graded_again(course):
    """All else stands as it was; a table says whose points changed and why; afterwards everything is known."""
    course.rules["03_flops"] = "mild"
    done = course.regrade("--kata", "03")
    assert done.exit_code == 0, done.output
    assert course.ran == [(name, "03_flops") for name in ("ann", "bob", "cid")]
    why = "wrong, 0 of 1 properties held; now done, 1 of 1 properties held"
    assert [list(row.values()) for row in course.table()] == [
        [name, "03_flops", "f", "0", "2", why] for name in ("ann", "bob", "cid")
    ]
    assert f"| `ann` | `03_flops` | `f` | 0 | 2 | `{why}` |" in (course.out / "changes.md").read_text(encoding="utf-8")
    assert "3 graded again, 3 with other points\n  ann  03_flops f  0 → 2  wrong, 0 of 1" in done.stdout
    assert [[row["01_memory"], row["03_flops"]] for row in course.table("scores")] == [["0", "2"]] * 3
    assert "2 of 4 points" in (course.out / "ann.html").read_text(encoding="utf-8")
    assert "2 of 4 points" in (course.out / "ann.md").read_text(encoding="utf-8")
    assert not (course.out / AGAIN).exists()
    assert "0 graded, 3 known before" in course.grade().stdout


def test_without_a_kata_all_that_is_judged_by_other_rules_is_graded(course):
    """And what is not has nothing to do."""
    (course.folder / "roster.csv").write_text("ID,folder\n1,ann\n", encoding="utf-8")
    done = course.regrade("--gradebook", "canvas", "--roster", str(course.folder / "roster.csv"))
    assert "nothing to grade again: the rules are those of the results\n  not in the roster  bob" in done.stdout
    assert (course.out / "canvas.csv").read_text(encoding="utf-8").endswith(",1,,,,0\n")
    assert not (course.out / AGAIN).exists()
    course.rules["01_memory"] = "mild"
    course.regrade()
    assert {slug for _, slug in course.ran} == {"01_memory"}


def test_other_katas_keep_their_results_although_their_rules_changed_too(course):
    """They were not asked for; grade-all knows that they are old."""
    course.rules.update(dict.fromkeys(FILES, "mild"))
    course.regrade("--kata", "03")
    assert [[row["01_memory"], row["03_flops"]] for row in course.table("scores")] == [["0", "2"]] * 3
    assert "3 graded, 0 known before" in course.grade().stdout
    assert [[row["01_memory"], row["03_flops"]] for row in course.table("scores")] == [["2", "2"]] * 3


def test_while_it_grades_the_old_results_stand(course):
    """Interrupted, the same command goes on with those that are left, and its table has them all."""
    before = course.results()
    course.rules["03_flops"] = "mild"
    done = course.regrade("--kata", "03", "--jobs", "1", stops="cid")
    assert done.exit_code == 130
    assert "stopped; run the same command to resume" in done.stderr
    assert course.results() == before
    assert course.regrade("--kata", "03").exit_code == 0
    assert course.ran == [("cid", "03_flops")]
    assert [row["submission"] for row in course.table()] == ["ann", "bob", "cid"]


def test_while_it_merges_each_result_is_the_old_or_the_new_one(course, monkeypatch):
    """Interrupted there, the same command grades nothing more, and its table has them all."""
    course.rules["03_flops"] = "mild"
    keep = Results.keep

    def stopping(self, name, key, result):
        if name == "bob" and self.folder == course.out:
            raise KeyboardInterrupt
        keep(self, name, key, result)

    with monkeypatch.context() as patched:
        patched.setattr(Results, "keep", stopping)
        assert course.regrade("--kata", "03").exit_code == 130
    assert course.scores() == [2, 0, 0]
    done = course.regrade("--kata", "03")
    assert done.exit_code == 0, done.output
    assert course.ran == []
    assert course.scores() == [2, 2, 2]
    assert [row["submission"] for row in course.table()] == ["ann", "bob", "cid"]


def test_an_old_result_is_kept_where_there_is_no_new_one_to_stand_beside_it(course):
    """A file that was handed in since, a submission that is gone or kills its judge: each is told, with status 1."""
    course.hand_in("ann", "03_flops", "another")
    shutil.rmtree(course.folder / "in" / "bob" / "03_flops")
    shutil.rmtree(course.folder / "in" / "bob" / "01_memory")
    course.rules["03_flops"] = "mild"
    before = course.results()
    done = course.regrade("--kata", "03", deadly=["cid"])
    assert done.exit_code == 1
    kept = [line for line in done.stdout.splitlines() if line.startswith("  kept  ")]
    assert kept[0] == "  kept  ann: another 03_flops has been handed in since"
    assert "bob holds no answers" in kept[1]
    assert kept[2].startswith("  kept  cid: the process that grades it died")
    after = course.results()
    assert [before[f"{name}.json"] == after[f"{name}.json"] for name in ("ann", "bob", "cid")] == [True] * 3
    assert course.table() == []


def test_a_result_of_another_torch_is_kept(course):
    """What is graded with two of them is no one result."""
    course.rules["03_flops"] = "mild"
    done = course.regrade("--kata", "03", torch="9")
    assert done.exit_code == 1
    assert "  kept  ann: it was graded with torch 2, and this is 9\n" in done.stdout


def test_what_was_never_graded_stays_so_and_says_why(course):
    """In the table; grade-all grades it."""
    course.hand_in("dan", "01_memory", "right")
    (course.folder / "in" / "notes.txt").write_text("no submission", encoding="utf-8")
    course.rules["03_flops"] = "mild"
    assert course.regrade("--kata", "03").exit_code == 0
    told = {row["submission"]: row["why"] for row in course.table("scores")}
    assert told["dan"] == "it was not graded; dojo grade-all grades it"
    assert "notes.txt is neither a folder" in told["notes.txt"]


def test_hostile_names_do_nothing_in_the_table_of_changes(tmp_path, monkeypatch):
    """Nor on the screen."""
    names = [text.replace("/", "|").replace("\x00", "") for text in HOSTILE if "\ud800" not in text]
    course = Course(tmp_path, monkeypatch, *names)
    course.grade()
    course.rules["03_flops"] = "mild"
    done = course.regrade("--kata", "03")
    assert len(course.table()) == len(names)
    assert not [one for row in course.table() for one in row.values() if one.lstrip().startswith(tuple("=+-@＝"))]
    assert done.stdout.replace("\n", "").replace("\t", "").isprintable()
    assert not [line for line in done.stdout.splitlines() if line.lstrip().startswith("::")]
    page = (course.out / "changes.md").read_text(encoding="utf-8").splitlines()
    assert len(page) == len(names) + 2
    assert {line.count("|") for line in page} == {7}


def test_both_folders_can_be_moved_together(course):
    """The path between them is kept, and no other."""
    moved = course.folder / "moved"
    moved.mkdir()
    for name in ("in", "out"):
        (course.folder / name).rename(moved / name)
    course.out = moved / "out"
    course.rules["03_flops"] = "mild"
    assert "3 graded again" in course.regrade().stdout


def spoiled(course, how):
    """Make something of the results such that they cannot be graded again."""
    if how == "moved":
        (course.folder / "in").rename(course.folder / "elsewhere")
    elif how == "not whole":
        course.hand_in("ann", "03_flops", "another")
        command = ["grade-all", str(course.folder / "in"), "--out", str(course.out), "--katas", "01,03", "--seed", "s"]
        course.run(*command, "--isolation", "none", stops="ann")
    elif how == "limits":
        course.monkeypatch.setattr(regrade, "settings", lambda: Limits(seconds=1))
    elif how == "namesake":
        course.hand_in("Ann", "03_flops", "another")


@pytest.mark.parametrize(
    ("how", "options", "said"),
    [
        ("", ["--kata", "04"], "has no results of 04_backward_flops; dojo grade-all grades them"),
        ("", ["--kata", "99"], "99"),
        ("", ["--gradebook", "canvas"], "--gradebook and --roster need each other"),
        ("moved", [], "/in cannot be read: No such file or directory"),
        ("not whole", [], "has no complete results of dojo grade-all; let it finish first"),
        ("limits", [], "was graded within other limits; dojo grade-all grades all of it within these"),
        ("namesake", [], "another name is now too much like ann; dojo grade-all grades both"),
    ],
)
def test_what_cannot_be_graded_again_is_told_in_one_line(course, how, options, said):
    """With status 2, and all results as they were."""
    spoiled(course, how)
    before = course.results()
    done = course.regrade(*options)
    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert course.results() == before


def test_another_seed_is_refused(course):
    """Its examples are others; without one, the seed has to be in the folder."""
    assert "was graded with another seed" in course.regrade(seed="t").stderr
    assert "the seed of" in course.run("regrade", str(course.out)).stderr
