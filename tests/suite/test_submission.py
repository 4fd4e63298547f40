"""What is handed in: which files are the answers, and what no folder or archive can make the grader do."""

import bz2
import gzip
import io
import lzma
import os
import socket
import stat
import tarfile
import tempfile
import tracemalloc
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dojo import answers
from dojo.catalog import ROOT, find, katas
from dojo.grade import archive, submission
from dojo.grade.submission import SubmissionError, read

KATAS = list(katas().values())
FLOPS, MEMORY = "03_flops/flops.py", "01_memory/memory.py"


def folder(path, tree):
    """The tree as a folder."""
    for name, data in tree.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    path.mkdir(exist_ok=True)
    return path


def zipped(path, tree):
    """The tree as a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in tree.items():
            file.writestr(name, data)
    return path


def packed(tree, tar_format=tarfile.PAX_FORMAT):
    """The tree as the bytes of a tar."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tar_format) as file:
        for name, data in tree.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            file.addfile(entry, io.BytesIO(data))
    return made.getvalue()


def tarred(path, tree):
    """The tree as a tar."""
    path.write_bytes(packed(tree))
    return path


FORMS = [folder, zipped, tarred]
COMPRESS = {"tar": bytes, "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


def refused(path, asked=KATAS):
    """Why a submission cannot be graded."""
    with pytest.raises(SubmissionError) as caught:
        read(path, asked)
    told = str(caught.value)
    assert "\n" not in told
    assert told.startswith(str(path))
    return told


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
    [b"", b"print()", b"\x7fELF" + bytes(2000), bytes(10240), b"PK\3\4 no zip", gzip.compress(b"text")],
    ids=["nothing", "Python", "a program", "zeros", "half a zip", "text in a gzip"],
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

    monkeypatch.setattr(submission.os, "open", late)
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

    monkeypatch.setattr(submission.os, "open", forbidden)
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
    monkeypatch.delattr(archive.zipfile, "ZipFile")
    assert "more than 4 entries" in refused(tmp_path / "it")


@pytest.mark.parametrize("compress", COMPRESS.values(), ids=COMPRESS)
def test_a_tar_bomb_is_not_inflated(tmp_path, monkeypatch, compress):
    """Whatever comes before the bomb."""
    monkeypatch.setattr(archive, "MOST_INFLATED", 100_000)
    (tmp_path / "it").write_bytes(compress(packed({FLOPS: b"1", "bomb": bytes(200_000)})))
    assert "holds more than 100,000 bytes" in refused(tmp_path / "it")


def test_what_is_said_of_entries_is_bounded(tmp_path, monkeypatch):
    """The headers of a tar that hold long names and attributes."""
    monkeypatch.setattr(archive, "MOST_SAID", 300)
    tarred(tmp_path / "it", {f"{'x' * 101}/{FLOPS}": b"", f"{'x' * 101}/{MEMORY}": b""})
    assert len(read(tmp_path / "it", KATAS).files) == 2
    monkeypatch.setattr(archive, "MOST_SAID", 250)
    assert "about its entries" in refused(tmp_path / "it")


@pytest.mark.parametrize("form", FORMS)
def test_many_notes_are_counted_and_not_told(tmp_path, form):
    """A report has an end."""
    tree = {FLOPS: b"", **{f"{place}/{FLOPS}": b"" for place in range(30)}}
    notes = read(form(tmp_path / "it", tree), KATAS).notes
    assert len(notes) == submission.MOST_LINES
    assert notes[-1] == "… and 11 more"


# Archives


def with_zip(path, change=None, **attributes):
    """A zip of an honest answer and of one whose entry has these attributes; `change` edits its bytes."""
    entry = zipfile.ZipInfo(attributes.pop("name", FLOPS))
    data = attributes.pop("data", b"payload")
    for name, value in attributes.items():
        setattr(entry, name, value)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(MEMORY, b"1")
        file.writestr(entry, data)
    if change:
        path.write_bytes(change(path.read_bytes()))
    return path


def in_directory(offset, value):
    """Overwrite bytes of the last entry in the directory of a zip."""

    def change(data):
        start = data.rindex(b"PK\1\2") + offset
        return data[:start] + value + data[start + len(value) :]

    return change


ZIPS = {
    "link": ({"external_attr": (stat.S_IFLNK | 0o777) << 16, "data": b"/etc/passwd"}, "is a link: not read"),
    "fifo": ({"external_attr": (stat.S_IFIFO | 0o777) << 16}, "is a fifo: not read"),
    "device": ({"external_attr": (stat.S_IFCHR | 0o777) << 16}, "is a device: not read"),
    "encrypted": ({"change": in_directory(8, b"\1\0")}, "is encrypted: not read"),
    "method": ({"compress_type": zipfile.ZIP_LZMA}, "is compressed by another method than deflate: not read"),
    "checksum": ({"change": in_directory(16, b"\0\0\0\0")}, f"cannot be read: Bad CRC-32 for file '{FLOPS}'"),
    "said smaller": ({"change": in_directory(24, b"\1\0\0\0")}, f"cannot be read: Bad CRC-32 for file '{FLOPS}'"),
    "elsewhere": ({"change": in_directory(42, b"\0\0\0\0")}, "cannot be read: "),
    "nowhere": ({"change": in_directory(42, b"\xff\xff\xff\x7f")}, "cannot be read: "),
    "other name": (
        {"change": lambda data: data.replace(FLOPS.encode(), FLOPS.upper().encode(), 1)},
        "cannot be read: ",
    ),
}


@pytest.mark.parametrize(("attributes", "told"), ZIPS.values(), ids=ZIPS)
def test_an_odd_entry_of_a_zip_is_not_read(tmp_path, attributes, told):
    """It gets a note, and the honest one beside it is read."""
    came = read(with_zip(tmp_path / "it", **attributes), KATAS)
    assert came.files == {"01_memory": b"1"}
    (note,) = came.notes
    assert note.startswith(f"{FLOPS} {told}")


def test_a_lying_size_makes_no_large_answer(tmp_path, monkeypatch):
    """What is said to be small is not inflated beyond the bound."""
    monkeypatch.setattr(archive, "LARGEST", 10)
    lie = in_directory(24, b"\x0a\0\0\0")
    came = read(with_zip(tmp_path / "it", lie, data=bytes(10**6), compress_type=zipfile.ZIP_DEFLATED), KATAS)
    assert came.files == {"01_memory": b"1"}


@pytest.mark.parametrize(
    "name", [f"../{FLOPS}", f"/{FLOPS}", f"a/../../{FLOPS}", f"C:/{FLOPS}", f"..\\{FLOPS}", f"{FLOPS}\0.txt"]
)
def test_no_name_of_an_archive_leads_out_of_it(tmp_path, name):
    """Neither in a zip nor in a tar; nothing is written, and the honest file is read."""
    inside = tmp_path / "inside"
    inside.mkdir()
    zipped(inside / "zip", {MEMORY: b"1"})
    with zipfile.ZipFile(inside / "zip", "a") as file:
        entry = zipfile.ZipInfo("x")
        entry.filename = name
        file.writestr(entry, b"payload")
    tarred(inside / "tar", {MEMORY: b"1", name.partition("\0")[0].replace("\\", "/"): b"payload"})
    before = sorted(tmp_path.rglob("*"))
    for path in ("zip", "tar"):
        came = read(inside / path, KATAS)
        if path == "zip" or "\0" not in name:
            assert came.files == {"01_memory": b"1"}
            (note,) = came.notes
            assert note.endswith(" leads out of the archive: not read")
            assert "\0" not in note
    assert sorted(tmp_path.rglob("*")) == before
    assert not Path("/03_flops").exists()


def test_a_zip_of_windows_is_understood(tmp_path):
    """Some programs write backslashes."""
    assert read(with_zip(tmp_path / "it", name="katas\\03_flops\\flops.py"), KATAS).files["03_flops"] == b"payload"


def test_a_zip_with_64_bits_is_understood(tmp_path):
    """As programs write it that do not know the size beforehand."""
    with zipfile.ZipFile(tmp_path / "it", "w") as file, file.open(FLOPS, "w", force_zip64=True) as entry:
        entry.write(b"1")
    assert read(tmp_path / "it", KATAS).files == {"03_flops": b"1"}


@pytest.mark.parametrize("form", [zipped, tarred])
def test_slashes_and_dots_mean_nothing(tmp_path, form):
    """In a name, where they lead nowhere."""
    assert read(form(tmp_path / "it", {f"./katas//./{FLOPS}": b"1"}), KATAS).paths == {"03_flops": f"katas/{FLOPS}"}


def test_a_folder_with_the_name_of_an_answer_is_none(tmp_path):
    """In a zip and in a tar, whichever way it is written."""
    for data in (
        with_zip(tmp_path / "zip", external_attr=(stat.S_IFDIR | 0o755) << 16).read_bytes(),
        with_zip(tmp_path / "zip", name=f"{FLOPS}/").read_bytes(),
        header(MEMORY, size=b"00000000001 ", data=b"1") + header(kind=b"5"),
        header(MEMORY, size=b"00000000001 ", data=b"1") + header(f"{FLOPS}/"),
    ):
        (tmp_path / "it").write_bytes(data)
        came = read(tmp_path / "it", KATAS)
        assert came.files == {"01_memory": b"1"}
        assert came.notes == ()


@pytest.mark.parametrize("form", [zipped, tarred])
def test_a_name_that_is_there_twice_is_not_read(tmp_path, form):
    """One program would take the first, another the last."""

    class Twice(dict):
        def items(self):
            return [(MEMORY, b"1"), (FLOPS, b"good"), (f"./{FLOPS}", b"bad")]

    came = read(form(tmp_path / "it", Twice()), KATAS)
    assert came.files == {"01_memory": b"1"}
    assert came.notes == (f"{FLOPS} is there twice: not read",)


def a_tar(*entries, tar_format=tarfile.GNU_FORMAT):
    """The bytes of a tar of an honest answer and of these entries, each a type, a link's name, or more."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tar_format) as file:
        for attributes in ({"name": MEMORY, "data": b"1"}, *entries):
            entry = tarfile.TarInfo(FLOPS)
            data = attributes.get("data", b"")
            entry.size = len(data)
            for name in set(attributes) - {"data"}:
                setattr(entry, name, attributes[name])
            file.addfile(entry, io.BytesIO(data))
    return made.getvalue()


TARS = {
    "hard link": ({"type": tarfile.LNKTYPE, "linkname": MEMORY}, "is a hard link: not read"),
    "link": ({"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}, "is a link: not read"),
    "far link": ({"type": tarfile.SYMTYPE, "linkname": "x/" * 100}, "is a link: not read"),
    "character device": ({"type": tarfile.CHRTYPE}, "is a device: not read"),
    "block device": ({"type": tarfile.BLKTYPE}, "is a device: not read"),
    "fifo": ({"type": tarfile.FIFOTYPE}, "is a fifo: not read"),
    "sparse": ({"type": tarfile.GNUTYPE_SPARSE, "data": b"x"}, "is a sparse file: not read"),
    "unknown": ({"type": b"Q", "data": b"x" * 600}, "is of an unknown kind: not read"),
    "sparse by its attributes": (
        {"name": "GNUSparseFile.1/x", "data": b"x", "pax_headers": {"GNU.sparse.major": "1", "GNU.sparse.name": FLOPS}},
        "is a sparse file: not read",
    ),
}


@pytest.mark.parametrize(("attributes", "told"), TARS.values(), ids=TARS)
def test_an_odd_entry_of_a_tar_is_not_read(tmp_path, attributes, told):
    """It gets a note, and those before and behind it are read."""
    behind = {"name": "02_strides/strides.py", "data": b"2"}
    for tar_format in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT)[: 1 if "pax_headers" in attributes else 2]:
        (tmp_path / "it").write_bytes(a_tar(attributes, behind, tar_format=tar_format))
        came = read(tmp_path / "it", KATAS)
        assert came.files == {"01_memory": b"1", "02_strides": b"2"}
        assert came.notes == (f"{FLOPS} {told}",)


def header(name=FLOPS, kind=b"0", size=b"0" * 11 + b" ", data=b"", extended=b"\0", times=b""):
    """A header of a tar, and its data."""
    block = bytearray(tarfile.TarInfo(name).tobuf(tarfile.GNU_FORMAT))
    block[156:157], block[124:136], block[482:483], block[148:156] = kind, size, extended, b" " * 8
    block[345 : 345 + len(times)] = times
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block) + data.ljust(-(-len(data) // 512) * 512, b"\0")


def attributes(data):
    """A header with these bytes as attributes."""
    return header(kind=b"x", size=b"%011o " % len(data), data=data)


BROKEN = {
    "negative size": header(size=b"\xff" * 12),
    "endless size": header(size=b"\x80" + b"\xff" * 11),
    "no size": header(size=b"12345678 9ab"),
    "endless name": header(kind=b"L", size=b"\x80" + b"\xff" * 11),
    "cut short": header(size=b"00000002000 ", data=b"x" * 100),
    "half a header": header()[:300],
    "wrong sum": header()[:148] + b"0000000\0" + header()[156:],
    "attribute without end": attributes(b"30 path=x\n"),
    "attribute of no size": attributes(b"0 path=x\n"),
    "attribute of digits": attributes(b"1" * 100_000),
    "attribute without a value": attributes(b"5 pa\n"),
    "size of letters": attributes(b"13 size=many\n") + header(),
    "size of many digits": attributes(b"10012 size=" + b"9" * 10_000 + b"\n") + header(),
    "endless map": header(kind=b"S", extended=b"\1") + (b"\0" * 504 + b"\1" + b"\0" * 7) * 100 + b"\1" * 100,
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_a_broken_tar_is_refused(tmp_path, data):
    """As a whole: what follows cannot be told from what was meant."""
    (tmp_path / "it").write_bytes(header(MEMORY) + data)
    assert "tar" in refused(tmp_path / "it")


UNDERSTOOD = {
    "size in 64 bits": header(size=b"\x80" + bytes(10) + b"\2", data=b"22"),
    "size of a link": header("x", kind=b"1", size=b"00000001000 ") + header(size=b"00000000002 ", data=b"22"),
    "map of a sparse file": (
        header("x", kind=b"S", extended=b"\1") + b"\1" * 512 + bytes(512) + header(size=b"00000000002 ", data=b"22")
    ),
    "times where others have a name": header(size=b"00000000002 ", data=b"22", times=b"12345670123"),
    "attributes of all": header(kind=b"g", size=b"00000000011 ", data=b"9 path=x\n")
    + header(size=b"00000000002 ", data=b"22"),
}


@pytest.mark.parametrize("data", UNDERSTOOD.values(), ids=UNDERSTOOD)
def test_an_old_or_large_tar_is_understood(tmp_path, data):
    """What only some programs write."""
    (tmp_path / "it").write_bytes(data + header(MEMORY))
    assert read(tmp_path / "it", KATAS).files == {"03_flops": b"22", "01_memory": b""}


def test_a_chain_of_headers_is_no_recursion(tmp_path):
    """The last one counts."""
    chain = [header(kind=b"L", size=b"%011o " % len(name), data=name) for name in [b"x"] * 5000 + [FLOPS.encode()]]
    (tmp_path / "it").write_bytes(b"".join(chain) + header("y"))
    assert read(tmp_path / "it", KATAS).paths == {"03_flops": FLOPS}


@pytest.mark.parametrize("compress", COMPRESS.values(), ids=COMPRESS)
@pytest.mark.parametrize("tar_format", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_every_tar_is_understood(tmp_path, compress, tar_format):
    """Compressed or not, of every format, with names short and long."""
    for above in ("", "me/", f"{'x' * 120}/"):
        tree = {f"{above}katas/{FLOPS}": b"1" * 700, f"{above}katas/{MEMORY}": b""}
        (tmp_path / "it").write_bytes(compress(packed(tree, tar_format)))
        came = read(tmp_path / "it", KATAS)
        assert {came.paths[slug]: data for slug, data in came.files.items()} == tree


def test_a_tar_of_a_folder_is_understood(tmp_path):
    """`tar cf it.tar .`, with an entry for each folder and ./ before each name."""
    folder(tmp_path / "tree", {f"katas/{FLOPS}": b"1"})
    with tarfile.open(tmp_path / "it.tar", "w") as file:
        file.add(tmp_path / "tree", ".")
    came = read(tmp_path / "it.tar", KATAS)
    assert came.paths == {"03_flops": f"katas/{FLOPS}"}
    assert came.notes == ()


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz"])
def test_a_broken_compression_is_refused(tmp_path, kind):
    """Cut short, also where only a checksum is missing, or spoiled in the middle."""
    whole = COMPRESS[kind](packed({FLOPS: bytes(3000)}))
    for data in (whole[:-20], whole[:-2], whole[:-6] + bytes(6), whole[:40] + bytes(20) + whole[60:]):
        (tmp_path / "it").write_bytes(data)
        refused(tmp_path / "it")


def test_a_tar_that_needs_too_much_memory_is_refused(tmp_path, monkeypatch):
    """The head of an .xz says how much it takes."""

    def read_none(self, size):
        raise MemoryError

    monkeypatch.setattr(archive.lzma.LZMAFile, "read", read_none)
    (tmp_path / "it").write_bytes(lzma.compress(packed({FLOPS: b""})))
    assert "cannot be decompressed" in refused(tmp_path / "it")


# Files that do not count


def test_strays_are_those_of_a_local_run(tmp_path):
    """The importable files beside the answers, by the same rule."""
    names = ["helper.py", "torch.so", "flops.pyc", "README.md", "flops.txt"]
    tree = folder(tmp_path, {FLOPS: b"", **{f"03_flops/{name}": b"" for name in names}})
    (local,) = [answers.load(find("03"), tree, "strays_of_a_test").strays]
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
    assert came[0] == came[1]
    assert came[0] == came[2] or not tree
