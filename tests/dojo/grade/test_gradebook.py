"""The roster of a course, and the gradebook for the import of Canvas or Moodle."""

import csv
import io
import re
from dataclasses import replace

import pytest
from hypothesis import given
from typer.testing import CliRunner

from dojo.catalog import ROOT, find, katas
from dojo.cli import app
from dojo.grade import command_grade_all, roster
from dojo.grade.gradebook import PLATFORMS, gradebook
from dojo.grade.queue import Graded
from dojo.grade.result import FunctionResult
from dojo.grade.roster import RosterError, Student
from tests.dojo.grade.queued import KATA, Jobs, handed_in, made
from tests.dojo.report.texts import HOSTILE, TEXTS

CANVAS = PLATFORMS["canvas"]


def students(path, text, platform=CANVAS):
    """The students of a roster with this text, or these bytes."""
    path = path / "roster.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return roster.read(path, platform.ids, platform.others)


def wrong(name):
    """A submission with a wrong function."""
    result = made(Graded(name))
    functions = (*result.katas[0].functions, FunctionResult("g", "G", 2, "wrong"))
    return Graded(name, replace(result, katas=(replace(result.katas[0], functions=functions),)))


ROSTER = """\
Student,ID,SIS User ID,SIS Login ID,Section,Homework 1 (77),folder
    Points Possible,,,,,9,
"Doe, Ann",11,s11,ann@x.org,A,,ann
Bob,12,,,A,3,bob
Cid,13,,,B,,cid
"""
EVERY = [Graded("ann.zip", made(Graded("ann.zip"))), wrong("bob"), Graded("cid", trouble="cid is a fifo"), wrong("eve")]


def test_canvas_gets_the_columns_of_its_import(tmp_path):
    """The five about a student in its order, one assignment, and its points; an exported gradebook is a roster."""
    text, told = gradebook("canvas", students(tmp_path, ROSTER + "Dan,14,,,B,,dan\n"), EVERY, [KATA])
    assert text == (
        "Student,ID,SIS User ID,SIS Login ID,Section,torch-dojo 01\n"
        "    Points Possible,,,,,9\n"
        '"Doe, Ann",11,s11,ann@x.org,A,1\n'
        "Bob,12,,,A,1\n"
        "Cid,13,,,B,\n"
        "Dan,14,,,B,0\n"
    )
    assert told == [
        "no grade  ID 13: cid is a fifo; left empty",
        "missing  ID 14: there is no dan; 0 points",
        "not in the roster  eve: 1 of 3 points",
    ]


def test_moodle_gets_points_a_percentage_and_feedback(tmp_path):
    """Beside the columns by which it knows students."""
    text = "E-Mail;email_address;Username;Folder\nx;ann@x.org;ann;ann\nx;dan@x.org;;\nx;bob@x.org;bob;bob\n"
    text, told = gradebook("moodle", students(tmp_path, text, PLATFORMS["moodle"]), EVERY, [KATA])
    assert text == (
        "Email address,Username,torch-dojo 01 (points),torch-dojo 01 (percent),Feedback\n"
        "ann@x.org,ann,1,11.11,\n"
        "dan@x.org,,0,0.00,nothing was handed in\n"
        "bob@x.org,bob,1,11.11,1 wrong\n"
    )
    assert told[0] == "missing  Email address dan@x.org: no folder is named; 0 points"


def test_the_assignment_of_every_kata_has_no_numbers(tmp_path):
    """All of them are the dojo."""
    text, _ = gradebook("canvas", students(tmp_path, ROSTER), EVERY, list(katas().values()))
    assert text.splitlines()[0].endswith(",torch-dojo")
    text, _ = gradebook("canvas", students(tmp_path, ROSTER), EVERY, [find("01"), find("03")])
    assert text.splitlines()[0].endswith(",torch-dojo 01 03")


def test_a_group_has_one_folder(tmp_path):
    """Each of its students has its points, and that they share it is said."""
    text, told = gradebook("canvas", students(tmp_path, "ID,folder\n1,bob\n2,bob\n"), EVERY, [KATA])
    assert text.splitlines()[2:] == [",1,,,,1", ",2,,,,1"]
    assert "shared  bob: by lines 2, 3 of the roster" in told


@pytest.mark.parametrize(
    ("folder", "names", "found"),
    [
        ("ann", ["ann", "ann.zip"], "ann"),
        ("ann", ["ann.tar.gz"], "ann.tar.gz"),
        ("ann", ["ann.zip", "ann.tar"], None),
        ("\u00e9", ["e\u0301.zip"], "e\u0301.zip"),
    ],
)
def test_a_folder_may_be_named_without_the_ending_of_an_archive(folder, names, found):
    """Where that can be only one; a name that is there as it is written comes first."""
    every = [Graded(name, made(Graded(name))) for name in names]
    _, told = gradebook("canvas", [Student(2, folder, {"ID": "1"})], every, [KATA])
    left = [row.split("  ")[1].partition(":")[0] for row in told if row.startswith("not in the roster")]
    assert left == [name for name in names if name != found]
    assert (found is None) == any(row.startswith("missing") for row in told)


@pytest.mark.parametrize(
    "text",
    [
        ROSTER,
        ROSTER.replace(",", ";").replace("Doe;", "Doe,"),
        ROSTER.replace(",", "\t").replace("Doe\t", "Doe,"),
        "\ufeff" + ROSTER.replace("\n", "\r\n"),
        ROSTER.encode("utf-16"),
        ROSTER.replace("SIS User ID", " sis_user_id ").replace("folder", "Folder"),
        "\n" + ROSTER.replace("Bob", " Bob ") + ",,,,,,\n",
    ],
    ids=["commas", "semicolons", "tabs", "as Excel writes it", "UTF-16", "headings", "empty lines"],
)
def test_a_roster_is_read_as_spreadsheets_write_it(tmp_path, text):
    """The same students, whatever separates them."""
    read = students(tmp_path, text)
    assert [(one.folder, one.cells["ID"], one.cells["Student"]) for one in read] == [
        ("ann", "11", "Doe, Ann"),
        ("bob", "12", "Bob"),
        ("cid", "13", "Cid"),
    ]


def test_the_roster_of_the_guide_is_one(tmp_path):
    """As it is written there."""
    (text,) = re.findall(r"```csv\n(.*?)```", (ROOT / "GRADING.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert [one.folder for one in students(tmp_path, text)] == ["ann.zip", "bob"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("ID,folder\n", "lists no students"),
        ("ID,Name\n1,ann\n", "has no column 'folder', the name of each student's submission; it has 'ID', 'Name'"),
        ("Name,folder\nAnn,ann\n", "has none of the columns 'ID', 'SIS User ID', 'SIS Login ID'"),
        ("ID,id,folder\n1,1,ann\n", "has two columns 'ID'"),
        ("ID,folder\n1,ann\n2,bob\n1,cid\n", "line 4 has the ID '1' of line 2"),
        ("SIS Login ID,folder\nA@x,ann\na@X,bob\n", "line 3 has the SIS Login ID 'a@X' of line 2"),
        ("ID,SIS User ID,folder\n1,,ann\n,,bob\n", "line 3, 'bob', has no ID or SIS User ID"),
        ("ID,folder\n=1+1,ann\n", "line 2: ID '=1+1' is a formula to spreadsheets, or hides characters"),
        ("ID,folder\n1\u200b,ann\n", "line 2: ID '1\\u200b' is a formula to spreadsheets, or hides characters"),
        ("ID,folder\n1,Doe, Ann\n", "line 2 has 3 cells, and the headings are 2"),
        ('ID,folder\n1,"ann\n2,bob\n', "unexpected end of data"),
        ("ID,folder\n1,ann\n2,J\u00f6rg\n".encode("latin-1"), "line 3 is not UTF-8; save the file as CSV in UTF-8"),
    ],
)
def test_a_roster_that_cannot_be_used_is_told_in_one_line(tmp_path, text, said):
    """Which file, where, and what is wrong."""
    with pytest.raises(RosterError) as caught:
        students(tmp_path, text)
    assert str(caught.value).startswith(f"--roster {tmp_path}/roster.csv: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_roster_that_is_not_there_is_told(tmp_path):
    """By its path."""
    with pytest.raises(RosterError, match=r"no\.csv: No such file or directory"):
        roster.read(tmp_path / "no.csv", CANVAS.ids, CANVAS.others)


@given(text=TEXTS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_no_name_is_a_formula_or_a_line_of_its_own(platform, text):
    """That of a student, a submission, or a trouble: in the table and on the screen."""
    cells = dict.fromkeys((*PLATFORMS[platform].others, "Section"), text)
    listed = [Student(2, text, {**cells, PLATFORMS[platform].ids[0]: "1"}), Student(3, "x", {**cells, "ID": "2"})]
    listed = [replace(one, cells={PLATFORMS[platform].ids[0]: str(one.number), **one.cells}) for one in listed]
    every = [Graded(text, trouble=text), Graded(f"{text}x", wrong("x").result)]
    page, told = gradebook(platform, listed, every, [KATA])
    rows = list(csv.reader(io.StringIO(page)))
    assert len(rows) == len(listed) + (2 if platform == "canvas" else 1)
    assert not [one for row in rows for one in row if one.lstrip().startswith(tuple("=+-@\t\uff1d\uff0b\uff0d\uff20"))]
    assert page.replace("\n", "").isprintable()
    assert "".join(told).replace("\t", "").isprintable()


def test_a_students_name_is_no_line_of_points(tmp_path):
    """Canvas would take their score for what can be reached."""
    text, _ = gradebook("canvas", students(tmp_path, "Student,ID,folder\nPoints Possible,1,ann\n"), EVERY, [KATA])
    assert text.splitlines()[2] == ",1,,,,1"


def graded(folder, monkeypatch, *options):
    """`dojo grade-all` with jobs that run in this process."""
    monkeypatch.setattr(command_grade_all, "workers", lambda _: Jobs()())
    command = ["grade-all", str(folder / "in"), "--out", str(folder / "out"), "--katas", "01", "--seed", "s"]
    return CliRunner().invoke(app, [*command, "--isolation", "none", *options])


def test_the_command_writes_the_gradebook_and_says_who_is_missing(tmp_path, monkeypatch):
    """Beside the tables, in which everybody who handed in still is; hostile names are one line each."""
    names = [text.replace("/", "|").replace("\x00", "") for text in HOSTILE if "\ud800" not in text]
    handed_in(tmp_path / "in", "ann", *names)
    (tmp_path / "roster.csv").write_text("ID,folder\n11,ann\n14,dan\n", encoding="utf-8")
    done = graded(tmp_path, monkeypatch, "--gradebook", "canvas", "--roster", str(tmp_path / "roster.csv"))
    assert done.exit_code == 0, done.output
    assert "  missing  ID 14: there is no dan; 0 points\n" in done.stdout
    assert f"  written  {tmp_path}/out/canvas.csv: 2 students\n" in done.stdout
    assert done.stdout.count("\n  not in the roster  ") == len(names)
    rows = (tmp_path / "out" / "canvas.csv").read_text(encoding="utf-8").splitlines()
    assert rows[2:] == [",11,,,,1", ",14,,,,0"]
    with (tmp_path / "out" / "scores.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(names) + 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--gradebook", "moodle"], "--gradebook and --roster need each other"),
        (["--roster", "x"], "--gradebook and --roster need each other"),
        (["--gradebook", "moodle", "--roster", "no.csv"], "--roster no.csv: No such file or directory"),
    ],
)
def test_a_gradebook_that_cannot_be_written_is_told_before_anything_is_graded(tmp_path, monkeypatch, options, said):
    """In one line, with status 2."""
    handed_in(tmp_path / "in", "ann")
    done = graded(tmp_path, monkeypatch, *options)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_html_pages_come_with_the_results_and_stay_up_to_date(tmp_path, monkeypatch):
    """Also for what had been graded before; without --html there are none."""
    handed_in(tmp_path / "in", "ann")
    assert graded(tmp_path, monkeypatch).exit_code == 0
    assert not list((tmp_path / "out").glob("*.html"))
    done = graded(tmp_path, monkeypatch, "--html")
    assert "0 graded, 1 known before" in done.stdout
    page = tmp_path / "out" / "ann.html"
    assert "1 of 1 points" in page.read_text(encoding="utf-8")
    page.write_text("old", encoding="utf-8")
    (tmp_path / "in" / "ann" / KATA.slug / KATA.filename).write_text("# other", encoding="utf-8")
    assert "1 graded" in graded(tmp_path, monkeypatch).stdout
    assert "1 of 1 points" in page.read_text(encoding="utf-8")
