"""What is handed in: which files are the answers, and what no folder can make the grader do."""

import gzip
import os
import socket
import tempfile
import tracemalloc
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dojo.catalog import ROOT, find
from dojo.grade.intake import archive, submission
from dojo.grade.intake.submission import SubmissionError, read
from dojo.seam import learner_file
from tests.dojo.grade.forms import COMPRESS, FLOPS, FORMS, KATAS, MEMORY, folder, packed, refused, tarred, zipped


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("tree", "counts"),
    [
        ([FLOPS, MEMORY, "01_memory/README.md"], [FLOPS, MEMORY]),
        ([f"katas/{FLOPS}", f"solutions/{FLOPS}", f"solutions/{MEMORY}"], [f"katas/{FLOPS}"]),
        ([f"katas/{FLOPS}", FLOPS], [f"katas/{FLOPS}"]),
        (
            [f"repo-main/katas/{FLOPS}", f"repo-main/solutions/{FLOPS}", "repo-main/flops.py"],
            [f"repo-main/katas/{FLOPS}"],
        ),
        ([f"me/{FLOPS}", f"me/{MEMORY}"], [f"me/{FLOPS}", f"me/{MEMORY}"]),
        ([f"me/{FLOPS}", f"and me/{MEMORY}"], [f"me/{FLOPS}", f"and me/{MEMORY}"]),
        ([f"a/b/katas/{FLOPS}"], [f"a/b/katas/{FLOPS}"]),
        ([FLOPS, f"old/{FLOPS}"], [FLOPS]),
        (["flops.py", "memory.py", "notes.txt"], ["flops.py", "memory.py"]),
        (["upload/flops.py", "__MACOSX/upload/flops.py", ".git/flops.py"], ["upload/flops.py"]),
        (["katas/flops.py"], ["katas/flops.py"]),
        ([FLOPS, "memory.py"], [FLOPS]),
    ],
    ids=lambda value: None if value is None else "-".join(value).replace("/", "."),
)
def test_the_answers_are_found(tmp_path, form, tree, counts):
    """Like katas/, a checkout, either one of them deeper, or bare files; one kind of place for all."""
    came = read(form(tmp_path / "it", {name: name.encode() for name in tree}), KATAS)
    assert sorted(came.paths.values()) == sorted(counts)
    assert {came.paths[slug]: data for slug, data in came.files.items()} == {name: name.encode() for name in counts}


@pytest.mark.parametrize("form", FORMS)
def test_the_stubs_of_this_clone_are_read(tmp_path, form):
    """Every kata of katas/, byte for byte, in the form of a checkout beside its solutions."""
    files = {
        tree: {str(kata.source(Path(tree))): kata.source(ROOT / tree).read_bytes() for kata in KATAS}
        for tree in ("katas", "solutions")
    }
    came = read(form(tmp_path / "it", {**files["katas"], **files["solutions"]}), KATAS)
    assert list(came.files.values()) == list(files["katas"].values())
    assert came.notes == ()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("one", "other"),
    [(f"a/{FLOPS}", f"b/{FLOPS}"), (f"a/katas/{FLOPS}", f"b/{FLOPS}"), ("a/flops.py", "b/flops.py")],
    ids=["folders", "checkout", "bare"],
)
def test_two_answers_to_one_kata_are_refused(tmp_path, form, one, other):
    """Nobody can tell which one is meant, and both are named."""
    told = refused(form(tmp_path / "it", {one: b"1", other: b"2"}))
    assert one in told
    assert other in told


def test_what_does_not_count_is_noted(tmp_path):
    """An answer in another place than the others."""
    came = read(folder(tmp_path, {FLOPS: b"", f"old/{FLOPS}": b"", "flops.py": b"", "02_strides/flops.py": b""}), KATAS)
    assert came.notes == (
        "flops.py does not count: the answers are read from its top",
        "old/03_flops/flops.py does not count: the answers are read from its top",
    )


@pytest.mark.parametrize("form", FORMS)
def test_nothing_to_grade_is_told(tmp_path, form):
    """With what was looked for."""
    told = refused(
        form(
            tmp_path / "it",
            {"03_flops/flop.py": b"", "solutions/01_memory/memory.py": b"", "a/b/c/d/03_flops/flops.py": b""},
        )
    )
    assert "03_flops/flops.py" in told
    assert "06_checkpoint/checkpoint.py" in told


@pytest.mark.parametrize(
    "data",
    [b"", b"print()", b"\x7fELF" + bytes(2000), b"PK\3\4 no zip", gzip.compress(b"text")],
    ids=["nothing", "Python", "a program", "half a zip", "text in a gzip"],
)
def test_what_is_no_archive_is_refused(tmp_path, data):
    """With the kinds that are understood, or what is the matter with it."""
    (tmp_path / "file").write_bytes(data)
    told = refused(tmp_path / "file")
    assert ".tar.gz" in told or "zip" in told


def test_what_is_not_there_is_told(tmp_path):
    """The path, and that there is nothing."""
    assert "No such file" in refused(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("flops.py", "03_flops"),
        ("flops (1).py", "03_flops"),
        ("flops-2.py", "03_flops"),
        ("flops - Copy.py", "03_flops"),
        ("03_flops.py", "03_flops"),
        ("doe_jane_1234_5678_flops-1.py", "03_flops"),
        ("backward_flops.py", "04_backward_flops"),
        ("doe_backward_flops.py", "04_backward_flops"),
        ("doe\n_memory.py", "01_memory"),
    ],
)
def test_one_file_is_named_after_its_kata(tmp_path, name, meant):
    """Also as platforms rename it; the longest name that fits is meant."""
    (tmp_path / name).write_bytes(b"1")
    came = read(tmp_path / name, KATAS)
    assert came.files == {meant: b"1"}
    assert came.paths == {meant: came.name}
    assert came.name == name.replace("\n", "\\n")


@pytest.mark.parametrize("name", ["homework.py", "flopsy.py", "superflops.py"])
def test_one_file_of_another_name_is_refused_unless_one_kata_is_asked(tmp_path, name):
    """The names that are understood are listed."""
    (tmp_path / name).write_bytes(b"1")
    told = refused(tmp_path / name)
    assert all(kata.filename in told for kata in KATAS)
    assert read(tmp_path / name, [find("06")]).files == {"06_checkpoint": b"1"}


def test_the_answers_to_a_kata_that_is_not_asked_are_no_others(tmp_path):
    """backward_flops.py is not flops.py of somebody called backward."""
    (tmp_path / "backward_flops.py").write_bytes(b"1")
    assert "flops.py" in refused(tmp_path / "backward_flops.py", [find("01"), find("03")])


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("jane.zip", "jane"),
        ("jane.TAR.GZ", "jane"),
        ("jane.tgz", "jane"),
        ("a.b", "a.b"),
        ("\x1b[31m\u202e.zip", "\\x1b[31m\\u202e"),
    ],
)
def test_a_submission_is_named_after_its_file(tmp_path, name, told):
    """Less the suffix of an archive, and with nothing in it that a terminal obeys."""
    assert read(zipped(tmp_path / name, {FLOPS: b""}), KATAS).name == told


# Folders


@pytest.mark.parametrize("link", [FLOPS, "03_flops", "katas"])
def test_no_link_of_a_folder_is_followed(tmp_path, link):
    """Neither the answers themselves nor a folder above them."""
    secret = folder(tmp_path / "secret", {FLOPS: b"secret", "flops.py": b"secret", f"katas/{FLOPS}": b"secret"})
    tree = folder(tmp_path / "it", {MEMORY: b"1", "03_flops/README.md": b""} if link == FLOPS else {MEMORY: b"1"})
    (tree / link).symlink_to(secret / link)
    came = read(tree, KATAS)
    assert came.files == {"01_memory": b"1"}
    assert came.notes == (f"{link} is a link: not read",)
    (tree / MEMORY).unlink()
    assert f"{link} is a link: not read" in refused(tree)


def test_a_link_is_no_submission(tmp_path):
    """Whatever it leads to."""
    for target in (
        folder(tmp_path / "tree", {FLOPS: b""}),
        tmp_path / "tree" / FLOPS,
        zipped(tmp_path / "zip", {FLOPS: b""}),
    ):
        link = tmp_path / "link.py"
        link.symlink_to(target)
        assert "is a link" in refused(link)
        link.unlink()


def test_what_is_no_file_is_not_opened(tmp_path):
    """A fifo, which would be waited for, and a socket; both as answers and as a submission."""
    tree = folder(tmp_path / "it", {MEMORY: b"1", "03_flops/README.md": b"", "02_strides/README.md": b""})
    os.mkfifo(tree / FLOPS)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tree / "02_strides" / "strides.py"))
        came = read(tree, KATAS)
    assert came.files == {"01_memory": b"1"}
    assert came.paths == {"01_memory": MEMORY, "02_strides": "02_strides/strides.py", "03_flops": FLOPS}
    assert came.notes == ("02_strides/strides.py is a socket: not read", f"{FLOPS} is a fifo: not read")
    assert "is a fifo" in refused(tree / FLOPS)


@pytest.mark.parametrize("becomes", ["link", "fifo", "nothing"])
def test_a_file_that_becomes_another_one_while_it_is_read_is_not_read(tmp_path, monkeypatch, becomes):
    """After it was listed as a file."""
    tree = folder(tmp_path / "it", {FLOPS: b"1", MEMORY: b"1"})
    (tmp_path / "secret").write_bytes(b"secret")
    opening = os.open

    def late(path, flags, *rest, **named):
        if path == "flops.py":
            (tree / FLOPS).unlink()
            if becomes == "link":
                (tree / FLOPS).symlink_to(tmp_path / "secret")
            if becomes == "fifo":
                os.mkfifo(tree / FLOPS)
        return opening(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", late)
    came = read(tree, KATAS)
    assert came.files == {"01_memory": b"1"}
    (note,) = came.notes
    assert note.startswith(f"{FLOPS} ")


def test_a_folder_that_cannot_be_entered_is_noted(tmp_path, monkeypatch):
    """And the others are read."""
    tree = folder(tmp_path / "it", {FLOPS: b"1", MEMORY: b"1"})
    opening = os.open

    def forbidden(path, flags, *rest, **named):
        if path == "03_flops":
            raise PermissionError(13, "Permission denied")
        return opening(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", forbidden)
    came = read(tree, KATAS)
    assert came.files == {"01_memory": b"1"}
    assert came.notes == ("03_flops cannot be read: Permission denied",)


def test_names_that_are_no_text_do_no_harm(tmp_path):
    """In a folder and in a tar, and nothing a terminal obeys is told."""
    name = b"03_flops/\xff\x1b[31m.py"
    tree = folder(tmp_path / "it", {FLOPS: b"1"})
    (tree / os.fsdecode(name)).write_bytes(b"")
    expected = {"03_flops": ("\\udcff\\x1b[31m.py",)}
    assert read(tree, KATAS).strays == expected
    assert read(tarred(tmp_path / "tar", {FLOPS: b"1", os.fsdecode(name): b""}), KATAS).strays == expected


def test_no_descriptor_is_left_open(tmp_path):
    """Neither of a folder nor of a file, also where it is refused."""
    tree = folder(tmp_path / "it", {FLOPS: b"1", f"a/{FLOPS}": b"1", f"b/{MEMORY}": b""})
    before = os.listdir("/proc/self/fd")
    read(tree, KATAS)
    read(zipped(tmp_path / "zip", {FLOPS: b""}), KATAS)
    refused(folder(tmp_path / "empty", {}))
    assert os.listdir("/proc/self/fd") == before


# Bounds


@pytest.mark.parametrize("form", FORMS)
def test_a_large_answer_is_not_read(tmp_path, monkeypatch, form):
    """One byte more than the bound; the others count."""
    monkeypatch.setattr(archive, "LARGEST", 10)
    came = read(form(tmp_path / "it", {FLOPS: bytes(11), MEMORY: bytes(10)}), KATAS)
    assert came.files == {"01_memory": bytes(10)}
    assert came.notes == (f"{FLOPS} is larger than 10 bytes: not read",)


def test_a_large_file_is_no_submission(tmp_path, monkeypatch):
    """Alone, nothing is left to grade."""
    monkeypatch.setattr(archive, "LARGEST", 10)
    (tmp_path / "flops.py").write_bytes(bytes(11))
    assert "larger than 10 bytes" in refused(tmp_path / "flops.py")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("where", "bound", "told"),
    [(archive, "MOST_ENTRIES", "more than 4 entries"), (submission, "MOST_ANSWERS", "more than 4 files")],
)
def test_a_bound_that_is_passed_ends_it(tmp_path, monkeypatch, form, where, bound, told):
    """Entries of every kind, and files with the names of answers."""
    tree = {f"me/{'x' * place}/flops.py": b"" for place in range(1, 6)}
    monkeypatch.setattr(where, bound, 4)
    assert told in refused(form(tmp_path / "it", tree))


@pytest.mark.parametrize("form", [zipped, tarred])
def test_a_large_archive_is_refused(tmp_path, monkeypatch, form):
    """By its size, before anything of it is looked at."""
    path = form(tmp_path / "it", {FLOPS: b"1"})
    monkeypatch.setattr(archive, "MOST_ARCHIVE", path.stat().st_size)
    assert read(path, KATAS).files
    monkeypatch.setattr(archive, "MOST_ARCHIVE", path.stat().st_size - 1)
    assert "is a file of more than" in refused(path)


def test_no_more_is_held_than_counts(tmp_path):
    """A long file without a byte on the disk, and two that inflate to it: no more than the bound is ever in memory."""
    os.truncate(folder(tmp_path / "folder", {FLOPS: b"", MEMORY: b"1"}) / FLOPS, 2**30)
    zipped(tmp_path / "zip", {FLOPS: bytes(2**26), MEMORY: b"1"})
    (tmp_path / "tar").write_bytes(gzip.compress(packed({FLOPS: bytes(2**26), MEMORY: b"1"}), 1))
    for form in ("folder", "zip", "tar"):
        tracemalloc.start()
        try:
            assert read(tmp_path / form, KATAS).files == {"01_memory": b"1"}
            assert tracemalloc.get_traced_memory()[1] < archive.MOST_ARCHIVE + 8 * archive.LARGEST
        finally:
            tracemalloc.stop()


def test_the_entries_of_a_zip_are_counted_before_they_are_read(tmp_path, monkeypatch):
    """zipfile would hold them all."""
    zipped(tmp_path / "it", {str(place): b"" for place in range(5)})
    monkeypatch.setattr(archive, "MOST_ENTRIES", 4)
    monkeypatch.delattr(zipfile, "ZipFile")
    assert "more than 4 entries" in refused(tmp_path / "it")


@pytest.mark.parametrize("compress", COMPRESS.values(), ids=COMPRESS)
def test_a_tar_bomb_is_not_inflated(tmp_path, monkeypatch, compress):
    """Whatever comes before the bomb."""
    monkeypatch.setattr(archive, "MOST_INFLATED", 100_000)
    (tmp_path / "it").write_bytes(compress(packed({FLOPS: b"1", "bomb": bytes(200_000)})))
    assert "holds more than 100,000 bytes" in refused(tmp_path / "it")


def test_the_headers_of_an_entry_are_bounded(tmp_path, monkeypatch):
    """Those that hold long names and attributes: three blocks for one name here."""
    monkeypatch.setattr(archive, "MOST_HEADERS", 3 * 512)
    tarred(tmp_path / "it", {f"{'x' * 101}/{FLOPS}": b"", f"{'x' * 101}/{MEMORY}": b""})
    assert len(read(tmp_path / "it", KATAS).files) == 2
    monkeypatch.setattr(archive, "MOST_HEADERS", 3 * 512 - 1)
    assert "more than 1,535 bytes of headers for one entry" in refused(tmp_path / "it")


@pytest.mark.parametrize("form", FORMS)
def test_many_notes_are_counted_and_not_told(tmp_path, form):
    """A report has an end."""
    tree = {FLOPS: b"", **{f"{place}/{FLOPS}": b"" for place in range(30)}}
    notes = read(form(tmp_path / "it", tree), KATAS).notes
    assert len(notes) == submission.MOST_LINES
    assert notes[-1] == "… and 11 more"


# Files that do not count


def test_strays_are_those_of_a_local_run(tmp_path):
    """The importable files beside the answers, by the same rule."""
    names = ["helper.py", "torch.so", "flops.pyc", "README.md", "flops.txt"]
    tree = folder(tmp_path, {FLOPS: b"", **{f"03_flops/{name}": b"" for name in names}})
    (local,) = [learner_file.load(find("03"), tree, "strays_of_a_test").strays]
    assert read(tree, KATAS).strays == {"03_flops": tuple(path.name for path in local)}
    assert len(local) == 3


def test_strays_are_told_where_the_answers_are_missing(tmp_path):
    """A file of a wrong name lies beside nothing; other katas' bare answers are no strays."""
    assert read(folder(tmp_path / "a", {MEMORY: b"", "03_flops/flop.py": b""}), KATAS).strays == {
        "03_flops": ("flop.py",)
    }
    bare = read(folder(tmp_path / "b", {"flops.py": b"", "memory.py": b"", "util.py": b""}), KATAS)
    assert bare.strays == {"01_memory": ("util.py",), "03_flops": ("util.py",)}


PART = st.sampled_from(["katas", "solutions", "me", "03_flops", "01_memory", ".git", "x"])
FILE = st.sampled_from(["flops.py", "memory.py", "helper.py", "x.so", "notes.txt", "._flops.py"])
PATHS = st.tuples(st.lists(PART, max_size=4), FILE).map(lambda drawn: "/".join([*drawn[0], drawn[1]]))
TREES = st.lists(PATHS, unique=True, max_size=8)


@given(tree=TREES)
def test_a_tree_is_the_same_submission_in_every_form(tree):
    """Folder, zip and tar: the same answers, notes and strays, or the same refusal."""

    def told(path):
        try:
            return replace(read(path, KATAS), name="")
        except SubmissionError as error:
            return str(error).removeprefix(str(path))

    with tempfile.TemporaryDirectory() as parent:
        files = {name: name.encode() for name in tree}
        came = [told(form(Path(parent) / form.__name__, files)) for form in FORMS]
    assert came[0] == came[1] == came[2]
