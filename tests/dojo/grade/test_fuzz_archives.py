"""Whatever archive is handed in, it is read within its bounds, or one line says why not; nothing is written."""

import io
import os
import struct
import sys
import tarfile
import tracemalloc
import zipfile
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dojo.grade.intake import archive
from dojo.grade.intake.submission import MOST_LINES, SubmissionError, read
from dojo.report.sanitize import LINE
from tests.dojo.grade.forms import COMPRESS, FLOPS, KATAS, MEMORY, packed
from tests.dojo.grade.fuzz import damaged, fuzzing

FILES = {FLOPS: b"flops" * 50, MEMORY: bytes(5000), f"katas/{FLOPS}": b"x" * 300, "a/b/c.py": b"", "README.md": b"text"}
LARGEST, ENTRIES, INFLATED = 400, 40, 2**16
"""The bounds while archives are fuzzed: small, so that small archives meet them."""
PEAK = 16 * 2**20
"""Bytes that reading so small an archive may take: the sizes in its headers ask for up to 4 GiB."""
NUMBERS = [0, 1, 511, 512, 2**16 - 1, 2**31, 2**32 - 1]
ZIP_HEADERS = [(b"PK\1\2", 46), (b"PK\3\4", 30), (b"PK\5\6", 22)]
"""How each kind begins, and its bytes."""
TAR_FIELDS = {
    "name": (0, 100),
    "mode": (100, 8),
    "size": (124, 12),
    "type": (156, 1),
    "link": (157, 100),
    "magic": (257, 8),
}
TAR_FIELDS |= {"major": (329, 8), "prefix": (345, 155)}
"""Where each begins, and its bytes."""
TAR_VALUES = [name.encode() for name in (FLOPS, MEMORY, f"../{FLOPS}", f"/{FLOPS}", f"{FLOPS}/", "", ".", "..", "é")]
TAR_VALUES += [bytes([kind]) for kind in b"012345678xgLKSDM"]
TAR_VALUES += [b"%o" % number for number in NUMBERS] + [b"\x80" + number.to_bytes(11, "big") for number in NUMBERS]
TAR_VALUES += [b"\xff" * 12, b"-1", b"x" * 155, b"a\0b"]
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
CHANGES = {
    f"os.{name}"
    for name in ["mkdir", "symlink", "link", "rename", "remove", "rmdir", "chmod", "chown", "truncate", "utime"]
}

watched: list[str] | None = None


def _watch(event, arguments):
    if watched is not None and (event in CHANGES or (event == "open" and (arguments[2] or 0) & WRITES)):
        watched.append(f"{event} {arguments[0]}")


sys.addaudithook(_watch)


@contextmanager
def nothing_is_written():
    """Fail if a file is made or changed inside."""
    global watched
    watched = []
    try:
        yield watched
    finally:
        found, watched = watched, None
    assert found == []


def zipped(method):
    """A zip by this method."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as file:
        for name, data in FILES.items():
            file.writestr(name, data)
        with file.open("02_strides/strides.py", "w", force_zip64=True) as entry:
            entry.write(b"1")
    return made.getvalue()


ZIPS = [zipped(zipfile.ZIP_STORED), zipped(zipfile.ZIP_DEFLATED)]
TARS = [packed(FILES, form) for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT)]
TARS += [packed({**FILES, "é" * 200: b""}, form) for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT)]


ONE_IN_FOUR = st.sampled_from([True, False, False, False])


@st.composite
def zips(draw):
    """A zip of which some fields of the headers are others."""
    data = bytearray(draw(st.sampled_from(ZIPS)))
    for _ in range(draw(st.integers(0, 3))):
        mark, length = draw(st.sampled_from(ZIP_HEADERS))
        starts = [at for at in range(len(data)) if data.startswith(mark, at)]
        if starts:
            at = draw(st.sampled_from(starts)) + draw(st.sampled_from(range(4, length, 2)))
            data[at : at + 4] = struct.pack("<I", draw(st.sampled_from(NUMBERS)))[: draw(st.sampled_from([2, 4]))]
    return damaged(draw, bytes(data)) if draw(ONE_IN_FOUR) else bytes(data)


@st.composite
def tars(draw):
    """A tar of which some fields of the headers are others, their checksums right, packed in some way."""
    data = bytearray(draw(st.sampled_from(TARS)))
    blocks = [at for at in range(0, len(data), 512) if data[at + 257 : at + 262] == b"ustar"]
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.sampled_from(blocks))
        start, length = draw(st.sampled_from(list(TAR_FIELDS.values())))
        value = draw(st.sampled_from(TAR_VALUES))
        data[at + start : at + start + length] = value[:length].ljust(length, b"\0")
        header = data[at : at + 148] + b" " * 8 + data[at + 156 : at + 512]
        data[at + 148 : at + 156] = b"%06o\0 " % sum(header)
    tar = damaged(draw, bytes(data)) if draw(ONE_IN_FOUR) else bytes(data)
    made = COMPRESS[draw(st.sampled_from(list(COMPRESS)))](tar)
    return damaged(draw, made) if draw(ONE_IN_FOUR) else made


def hand_in(path, data):
    """Read it as a submission, and look at what came."""
    path.write_bytes(data)
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    with nothing_is_written():
        came = told(path)
    _, peak = tracemalloc.get_traced_memory()
    assert peak - before < PEAK
    said = [came] if isinstance(came, str) else [came.name, *came.paths.values(), *came.notes]
    assert all(text.replace("\t", " ").isprintable() for text in said)  # one line each, and no surrogates
    assert all(len(text) <= 2 * LINE + 100 for text in said)
    if not isinstance(came, str):
        assert came.files
        assert all(len(data) <= LARGEST for data in came.files.values())
        assert {*came.files} <= {*came.paths} <= {kata.slug for kata in KATAS}
        assert len(came.notes) <= MOST_LINES


def told(path):
    """The submission, or why there is none."""
    try:
        return read(path, KATAS)
    except SubmissionError as error:
        return str(error)


def test_whatever_is_packed_it_is_read_within_bounds_or_refused(tmp_path, monkeypatch, long):
    """A submission or one line, and never another error."""
    monkeypatch.setattr(archive, "LARGEST", LARGEST)
    monkeypatch.setattr(archive, "MOST_ENTRIES", ENTRIES)
    monkeypatch.setattr(archive, "MOST_INFLATED", INFLATED)
    monkeypatch.setattr(archive, "MOST_ARCHIVE", INFLATED)

    @fuzzing(1_000 if long else 100)
    @given(zips() | tars())
    def is_read(data):
        hand_in(tmp_path / "it", data)

    tracemalloc.start()
    try:
        is_read()
    finally:
        tracemalloc.stop()


def test_a_file_that_is_written_would_be_seen(tmp_path):
    """The fuzzing watches what it says."""
    for write in (lambda: (tmp_path / "a").write_bytes(b""), lambda: (tmp_path / "b").mkdir()):
        with pytest.raises(AssertionError), nothing_is_written():
            write()
