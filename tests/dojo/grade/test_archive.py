"""Zips and tars that are handed in: odd, lying, broken or huge ones leak nothing, and honest ones are understood."""

import gzip
import io
import lzma
import stat
import tarfile
import time
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest

from dojo.grade.intake import archive
from dojo.grade.intake.submission import read
from tests.dojo.grade.forms import COMPRESS, FLOPS, KATAS, MEMORY, folder, packed, refused, tarred, zipped


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

    class Twice(dict[str, bytes]):
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
        header("x", kind=b"S", extended=b"\1")
        + (b"00000000001\0" * 42 + b"\1" + bytes(7))
        + bytes(512)
        + header(size=b"00000000002 ", data=b"22")
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


def as_from_2025_on(monkeypatch):
    """Have tarfile read headers as its security releases do, past `frombuf`."""
    frombuf: Any = vars(tarfile.TarInfo)["frombuf"].__func__

    def _frombuf(cls, buf, encoding, errors, *, dircheck=True):
        return frombuf(cls, buf, encoding, errors)

    def fromtarfile(cls, tar):
        entry = cls._frombuf(tar.fileobj.read(tarfile.BLOCKSIZE), tar.encoding, tar.errors)
        entry.offset = tar.fileobj.tell() - tarfile.BLOCKSIZE
        return entry._proc_member(tar)

    if not hasattr(tarfile.TarInfo, "_frombuf"):
        for function in (_frombuf, fromtarfile):
            monkeypatch.setattr(tarfile.TarInfo, function.__name__, classmethod(function), raising=False)


@pytest.mark.parametrize("data", UNDERSTOOD.values(), ids=UNDERSTOOD)
def test_it_is_understood_by_later_releases_of_python(tmp_path, data, monkeypatch):
    """They read headers in another way."""
    as_from_2025_on(monkeypatch)
    test_an_old_or_large_tar_is_understood(tmp_path, data)


def chain(*kinds):
    """Headers of these kinds for one entry: long names, and long names of links."""
    name = FLOPS.encode()
    return b"".join(header(kind=kind, size=b"%011o " % len(name), data=name) for kind in kinds) + header("y")


def test_a_chain_of_headers_is_no_recursion(tmp_path):
    """A few headers for one entry are read, and thousands are refused: tarfile calls itself for each."""
    (tmp_path / "it").write_bytes(chain(b"K", b"L"))
    assert read(tmp_path / "it", KATAS).paths == {"03_flops": FLOPS}
    (tmp_path / "it").write_bytes(chain(*[b"K", b"L"] * 2500))
    assert "bytes of headers for one entry" in refused(tmp_path / "it")


BACKWARDS = b"\xff" * 10 + b"\xf8\x00"  # minus 2048


@pytest.mark.parametrize("name", [FLOPS, "x"], ids=["answer", "other file"])
def test_an_entry_of_less_than_no_bytes_ends(tmp_path, name):
    """The next entry would begin before it, and the reading never end."""
    (tmp_path / "it").write_bytes(header(MEMORY) * 8 + header(name, size=BACKWARDS))
    assert "broken" in refused(tmp_path / "it")


@pytest.mark.parametrize(
    "data",
    [b"1" * 15000, b"2 " * 7500 + b"=\n", b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n" + b"1" * 14900],
    ids=["digits", "records", "a sparse file"],
)
def test_attributes_that_take_long_to_read_take_seconds_at_most(tmp_path, monkeypatch, data):
    """Each of the headers takes a fraction of a second before Python 3.11.10; thousands of them fit into an archive."""
    monkeypatch.setattr(archive, "SECONDS", 1)
    (tmp_path / "it").write_bytes(gzip.compress((attributes(data) + header()) * 7000, 1))
    before = time.thread_time()
    refused(tmp_path / "it")
    assert time.thread_time() - before < 3


def test_what_tarfile_reads_is_not_kept():
    """Of a thousand entries with 15 KB of attributes each, few are in memory at a time."""
    data = gzip.compress((attributes(b"15000 comment=" + b"x" * 14985 + b"\n") + header()) * 1000, 1)
    tracemalloc.start()
    try:
        assert sum(1 for _ in archive.members(data, lambda parts: False)) == 1000
        assert tracemalloc.get_traced_memory()[1] < 2 * archive.MIB
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", [".", "./", "//", "./."])
def test_a_file_without_a_name_is_passed_by(tmp_path, name):
    """In a zip and in a tar."""
    for data in (with_zip(tmp_path / "zip", name=name).read_bytes(), header(name) + header(MEMORY)):
        (tmp_path / "it").write_bytes(data)
        assert list(read(tmp_path / "it", KATAS).files) == ["01_memory"]


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

    monkeypatch.setattr(lzma.LZMAFile, "read", read_none)
    (tmp_path / "it").write_bytes(lzma.compress(packed({FLOPS: b""})))
    assert "cannot be decompressed" in refused(tmp_path / "it")
