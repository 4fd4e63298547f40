"""Each submission has a result file of its own, whatever it is called; one that cannot be read is made again."""

import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dojo.grade.queue import Graded
from dojo.grade.result_files import LONGEST, PLAIN, Results, file_names
from dojo.report.sanitize import line
from tests.dojo.grade.fuzz import fuzzing
from tests.dojo.grade.queued import KATA, Jobs, handed_in, made, told


@pytest.fixture
def results(tmp_path):
    """An empty folder of results."""
    return Results(tmp_path / "out")


@pytest.mark.parametrize("spoil", [lambda path: path.write_text("{"), Path.unlink], ids=["half", "none"])
def test_a_result_that_cannot_be_read_is_made_again(tmp_path, results, spoil):
    """Half of a file is none."""
    paths = handed_in(tmp_path, "ann")
    told(paths, results, Jobs())
    spoil(results.path("ann"))
    jobs = Jobs()
    assert told(paths, results, jobs)["ann"].result is not None
    assert jobs.ran == ["ann"]


def test_a_plain_name_is_that_of_its_file():
    """As course platforms and people write them; a folder and a zip of one name, and a name like a result's."""
    plain = ["ann", "ann.zip", "ann.json", "seed", "Müller, Ünal_1234_file", "7 (2)", "a&b@c+d~e", "林"]
    assert file_names(plain) == {name: name for name in plain}


ODD = {
    "the tables": "Scores",
    "a line break": "ann\nbob",
    "a dash in front": "-rf",
    "a formula": "=cmd|' /C calc'!A0",
    "a tab": "a\tb",
    "no UTF-8": "caf\udce9",
    "nothing to see": "\u3164",
    "a joiner": "a\u200db",
    "another form": unicodedata.normalize("NFD", "é"),
    "a quote": "a'b",
    "255 bytes": "a" * 255,
    "255 bytes of others": "ü" * 127,
    "one byte too many": "a" * (LONGEST + 1),
    "what stands for another": file_names(["-rf"])["-rf"],
    "the same in capitals": file_names(["-rf"])["-rf"].upper(),
}


@pytest.mark.parametrize("name", ODD.values(), ids=ODD)
def test_an_odd_name_has_a_plain_file(tmp_path, name):
    """With a digest at its end, so that two of them never meet; every file system takes it."""
    results = Results(tmp_path, [name, f"{name}c"])
    for one in results.files:
        results.keep(one, "key", made(Graded(one)))
    assert len(set(results.files.values())) == 2
    path = results.path(name)
    assert path.name.isprintable()
    assert re.fullmatch(r"\w.*-[0-9a-f]{32}\.json", path.name)
    assert len(path.name.encode()) < 220
    assert results.load(name, "key") is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [("ann", "Ann"), ("straße", "STRASSE"), ("ﬁle", "file"), ("Åse", "A\u030ase"), ("x２", "x2")],
)
def test_names_that_are_one_to_some_system_have_files_that_are_not(tmp_path, one, other):
    """Where case or Unicode's forms do not count. What one had before the other came is gone, and graded again."""
    alone = Results(tmp_path, [one])
    alone.keep(one, "key", made(Graded(one)))
    both = Results(tmp_path, [one, other])
    files = [both.path(name).name for name in (one, other)]
    assert files[0].rpartition("-")[2] != files[1].rpartition("-")[2]
    assert both.load(one, "key") is None
    assert not (tmp_path / f"{one}.json").exists()
    for name in (one, other):
        both.keep(name, "key", made(Graded(name)))
        assert both.load(name, "key") == made(Graded(name))


@fuzzing(300)
@given(st.lists(st.text("aAäÄ\u0308-=. \n\udcff0", max_size=6) | st.text(max_size=250), unique=True, max_size=6))
def test_no_two_names_have_one_file(names):
    """The names of their files are short and plain, and differ in more than case and form."""
    files = file_names(names)
    assert list(files) == names
    again = [unicodedata.normalize("NFKC", file).casefold() for file in files.values()]
    assert len(set(again)) == len(names)
    assert all(len(file.encode()) <= LONGEST for file in files.values())
    assert all(line(file) == file and PLAIN.fullmatch(file) for file in files.values())
    assert not [name for name in names if name in files.values() and files[name] != name]


def test_what_cannot_be_graded_is_told_and_has_no_result(tmp_path, results):
    """Also where it could be before."""
    (path,) = handed_in(tmp_path, "ann")
    told([path], results, Jobs())
    (path / KATA.slug / KATA.filename).rename(path / "other.py")
    one = told([path], results, Jobs())["ann"]
    assert one.result is None
    assert "memory.py" in one.trouble
    assert not results.path("ann").exists()
