"""The faults of a part strike where they should, and strike that part alone."""

import os
import resource
from functools import partial
from pathlib import Path

import pytest
import torch

from dojo.catalog import find
from dojo.seam import forked
from dojo.seam.data import Error
from dojo.seam.faults import Fault, Kind
from dojo.seam.learner_file import compile_source, run
from dojo.seam.local import Local
from dojo.seam.parts import Ending, Failed, Part, put, taken
from dojo.seam.seam import Todo

FILE = b"""
import os
from pathlib import Path

KEPT = []

def write(size):
    KEPT.append(size)
    with open("file", "wb") as file:
        file.write(b"x" * (size // 2))
        file.flush()
        file.write(b"x" * (size - size // 2))
    return len(KEPT)

def remove(name):
    os.remove(name)

def fail():
    raise ValueError("no")

def leave():
    os._exit(0)

def stub():
    raise NotImplementedError("stub")

def digest(value):
    return hash(value)
"""


@pytest.fixture
def part():
    """Runs a function of the file as a part."""
    seam = Local(run(compile_source(Path("file.py"), FILE), find("01"), "submission.parts"))

    def ask(name, *args, **how):
        def act(module):
            return getattr(module, name)(*args)

        return seam._part(name, (name,), Part(act, (), **how))

    return ask


@pytest.mark.parametrize(
    ("kind", "number", "became", "size"),
    [
        (Kind.FULL, 1000, "returned", 1000),
        (Kind.FULL, 999, "raised", 999),
        (Kind.FULL, 0, "raised", 0),
        (Kind.KILLED_IN_WRITE, 1000, "returned", 1000),
        (Kind.KILLED_IN_WRITE, 600, "killed", 600),
        (Kind.KILLED, 0, "killed", None),
        (Kind.KILLED, 2, "killed", 0),
        (Kind.KILLED, 6, "killed", 500),
        (Kind.KILLED, 99, "returned", 1000),
    ],
)
def test_a_fault_strikes_where_it_should(part, kind, number, became, size):
    """At this byte or at this moment; the rest of the file was never written."""
    ending = part("write", 1000, fault=Fault(kind, number))
    assert became == ("killed" if ending.killed else "raised" if ending.failed else "returned")
    data = ending.files.get("file")
    assert (None if data is None else len(data)) == size
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def test_a_watched_file_is_seen_to_grow(part):
    """Not there, empty, a half, and whole; nothing is done to it."""
    ending = part("write", 10, fault=Fault(Kind.WATCHED, name="file"))
    assert [look[0] for look in ending.seen] == [None, b"", b"x" * 5, b"x" * 10]
    assert ending.value == 1
    assert ending.moments > 5


def test_a_file_that_torch_writes_itself_is_seen_to_grow():
    """Without a Python file in between."""

    class Module:
        save = staticmethod(partial(torch.save, {str(number): torch.zeros(99) for number in range(9)}, "file"))

    def act(moments):
        moments.during(Module).save()

    ending = forked.run(act, Part(act, (), fault=Fault(Kind.WATCHED, name="file")))
    sizes = {None if data is None else len(data) for data, _ in ending.seen}
    assert ending.moments > 10
    assert {None, len(ending.files["file"] or b"")} < sizes  # not there, complete, and something in between


def test_nothing_can_be_made_or_removed_in_an_unwritable_folder(part):
    """Not by root either; what lies there can be read, and is there afterwards."""
    for call in (("write", 10), ("remove", "old")):
        ending = part(*call, files={"old": b"old"}, fault=Fault(Kind.UNWRITABLE))
        assert ending.outcome.name == "PermissionError"
        assert ending.files == {"old": b"old"}


@pytest.mark.parametrize("apart", [False, True])
def test_a_part_is_run_by_a_file_that_has_just_run(part, apart):
    """What the file keeps from one call to the next is not there."""
    assert [part("write", 10, apart=apart).value for _ in range(3)] == [1, 1, 1]


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(
    ("value", "is_same"),
    [("a", False), (b"a", False), ((1, (2, "a")), False), (frozenset(["a"]), False), (7, True), ((1, 2.5), True)],
    ids=repr,
)
def test_text_has_another_hash_in_a_process_with_other_files(part, value, is_same, apart):
    """As in a new process of Python; a number has the same one everywhere."""
    first, again, other = [part("digest", value, files={"old": data}, apart=apart).value for data in (b"", b"", b"1")]
    assert first == again
    assert (first == other) is is_same


@pytest.mark.parametrize("apart", [False, True])
def test_what_a_part_raises_is_its_outcome_and_a_stub_is_to_do(part, apart):
    """In another process as in this one."""
    ending = part("fail", apart=apart)
    assert ending.outcome == Error("ValueError", ("ValueError", "Exception", "BaseException", "object"), "no", 19)
    with pytest.raises(Failed, match="no"):
        _ = ending.value
    with pytest.raises(Todo) as todo:
        part("stub", apart=apart)
    assert (todo.value.function, todo.value.stub) == ("stub", "stub")


def test_a_process_that_ends_by_itself_has_failed(part):
    """It was not killed, and it has told nothing."""
    ending = part("leave", apart=True)
    assert (ending.killed, ending.failed) == (False, True)


def test_files_are_carried_as_they_are_without_what_lies_around_them(tmp_path):
    """In folders as well; a link is none of them, and each file is older than anything that is made now."""
    files = {"b": b"1", "a": b"", "folder": None, "folder/inside": b"2"}
    put(tmp_path, files)
    os.symlink("/etc/passwd", tmp_path / "link")
    os.mkfifo(tmp_path / "pipe")
    assert taken(tmp_path) == dict(sorted((files | {"link": None, "pipe": None}).items()))
    assert [os.stat(tmp_path / name).st_mtime for name in "ba"] == [10**9, 10**9 + 1]


def test_more_files_than_anybody_needs_are_refused(tmp_path):
    """Their number as well as their bytes."""
    put(tmp_path, {str(number): b"" for number in range(201)})
    with pytest.raises(Failed, match="more than anybody needs"):
        taken(tmp_path)


def test_an_ending_without_a_result_says_why():
    """A program that needs one fails as its part did."""
    with pytest.raises(Failed, match="was killed"):
        _ = Ending(None, True, {}).value
