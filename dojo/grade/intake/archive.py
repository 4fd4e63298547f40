"""What lies in a zip or a tar: read in memory, within bounds, and never extracted."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dojo.report.sanitize import line

MIB = 2**20
LARGEST = MIB
"""Bytes of one answer file. A larger one is not read."""
MOST_ARCHIVE = 32 * MIB
"""Bytes of an archive."""
MOST_INFLATED = 128 * MIB
"""Bytes that a tar may hold in all."""
MOST_ENTRIES = 100_000
"""Files and folders of a submission."""
MOST_SAID = 8 * MIB
"""Bytes of what a tar may say of its entries beside their headers."""

CHUNK = 2**16
BLOCK = 512
ABOUT_THE_NEXT = {b"L", b"K", b"x", b"X"}  # its long name, its long link, its attributes (twice)
ABOUT_ALL = {b"g"}
PLAIN = {b"0", b"\0", b"7"}
FOLDER = b"5"
WITHOUT_DATA = {b"1", b"2", b"3", b"4", b"5", b"6"}
KINDS = {
    b"1": "a hard link",
    b"2": "a link",
    b"3": "a device",
    b"4": "a device",
    b"6": "a fifo",
    b"S": "a sparse file",
}
SPARSE = b"GNU.sparse."


NO_ARCHIVE = "is neither a folder, a zip, a tar (.tar, .tar.gz, .tar.bz2, .tar.xz) nor a .py file"


class SubmissionError(Exception):
    """What was handed in cannot be graded, and why, in one line."""


Parts = tuple[str, ...]
"""A path inside a submission, from its top."""
Wanted = Callable[[Parts], bool]
"""Whether the file of this path is to be read."""


@dataclass(frozen=True)
class Member:
    """One file, link or folder of a submission: its path, and its bytes or why there are none.

    One that nobody wants has neither.
    """

    parts: Parts
    data: bytes | None = None
    trouble: str = ""
    folder: bool = False


def members(archive: bytes, wanted: Wanted) -> Iterator[Member]:
    """What lies in an archive, in its order; SubmissionError where it is none, is broken or passes a bound."""
    if archive.startswith((b"PK\3\4", b"PK\5\6")):
        return _of_zip(archive, wanted)
    if archive.startswith(b"\x1f\x8b"):
        return _of_tar(gzip.GzipFile(fileobj=io.BytesIO(archive)), wanted)
    if archive.startswith(b"BZh"):
        return _of_tar(bz2.BZ2File(io.BytesIO(archive)), wanted)
    if archive.startswith(b"\xfd7zXZ\0"):
        return _of_tar(lzma.LZMAFile(io.BytesIO(archive), format=lzma.FORMAT_XZ), wanted)
    return _of_tar(io.BytesIO(archive), wanted)


def kind_of(mode: int) -> str:
    """What a file's mode says it is, where it is no regular file and no folder."""
    if stat.S_ISLNK(mode):
        return "a link"
    if stat.S_ISFIFO(mode):
        return "a fifo"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device"


def _parts(name: str) -> tuple[Parts, str]:
    """The path that a name means, or what is the matter with it.

    One that leads elsewhere stays in one piece, and so is no path that anybody wants.
    """
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if name.startswith("/") or ".." in parts or re.match("[A-Za-z]:", name) or "\0" in name:
        return (name,), "leads out of the archive: not read"
    return parts, ""


def _of_zip(archive: bytes, wanted: Wanted) -> Iterator[Member]:
    # zipfile reads the whole directory before it shows an entry, and takes no count for an answer: each of them begins
    # with these bytes.
    if archive.count(b"PK\1\2") > MOST_ENTRIES:
        raise SubmissionError(f"holds more than {MOST_ENTRIES:,} entries")
    try:
        opened = zipfile.ZipFile(io.BytesIO(archive))
    except Exception as error:  # of many kinds, whatever a broken directory leads zipfile into
        raise SubmissionError(f"is a zip that cannot be read: {line(str(error))}") from None
    for info in opened.infolist():
        name = info.orig_filename.replace("\\", "/")  # as some programs write them on Windows
        parts, trouble = _parts(name)
        if name.endswith("/") or stat.S_ISDIR(info.external_attr >> 16):
            yield Member(parts, folder=True)
        elif not wanted(parts):
            yield Member(parts, trouble=trouble)
        else:
            yield Member(parts, *_unzipped(opened, info))


def _unzipped(opened: zipfile.ZipFile, info: zipfile.ZipInfo) -> tuple[bytes | None, str]:
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return None, f"is {kind_of(mode)}: not read"
    if info.flag_bits & 1:
        return None, "is encrypted: not read"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # the others inflate without a bound
        return None, "is compressed by another method than deflate: not read"
    try:
        with opened.open(info) as file:
            data = file.read(LARGEST + 1)  # whatever size it is said to have
    except Exception as error:  # of many kinds, whatever a broken entry leads zipfile into
        return None, f"cannot be read: {line(str(error))}"
    return bounded(data)


def bounded(data: bytes) -> tuple[bytes | None, str]:
    """The bytes of an answer file, of which LARGEST + 1 were asked for, or why they do not count."""
    if len(data) > LARGEST:
        return None, f"is larger than {LARGEST:,} bytes: not read"
    return data, ""


class _Stream:
    """The bytes of a tar, in order, MOST_INFLATED of them at most."""

    def __init__(self, file: io.BufferedIOBase) -> None:
        self.file = file
        self.left = MOST_INFLATED

    def read(self, size: int) -> bytes:
        """So many bytes, or fewer at the end of the file."""
        try:
            data = self.file.read(size)
        except (OSError, EOFError, MemoryError, zlib.error, lzma.LZMAError) as error:
            raise SubmissionError(f"cannot be decompressed: {line(str(error))}") from None
        self.left -= len(data)
        if self.left < 0:
            raise SubmissionError(f"holds more than {MOST_INFLATED:,} bytes")
        return data

    def data(self, size: int, most: int) -> bytes:
        """The data of an entry of this size, of which no more than `most` bytes are kept; the padding is read too."""
        if size < 0:
            raise SubmissionError("is a tar with a broken header")
        kept = self.read(min(size, most))
        left = size + -size % BLOCK - len(kept)
        while left and (passed := self.read(min(left, CHUNK))):
            left -= len(passed)
        if left:
            raise SubmissionError("is a tar that is cut short")
        return kept


def _of_tar(file: io.BufferedIOBase, wanted: Wanted) -> Iterator[Member]:
    """Read a tar from its beginning to its end.

    Not by tarfile, which calls itself once for each header of a chain, keeps all entries, and before Python 3.11.10
    takes quadratic time where an attribute is made of digits.
    """
    stream = _Stream(file)
    header = stream.read(BLOCK)
    if not _is_header(header):
        raise SubmissionError(NO_ARCHIVE)
    about: dict[bytes, bytes] = {}
    said = 0
    while header.strip(b"\0"):  # a block of zeros ends it, or the end of the file
        if not _is_header(header):
            raise SubmissionError("is a tar that is broken or cut short")
        kind = header[156:157]
        if kind in ABOUT_THE_NEXT | ABOUT_ALL:
            size = _octal(header[124:136])
            said += size
            if said > MOST_SAID:
                raise SubmissionError(f"is a tar with more than {MOST_SAID:,} bytes about its entries")
            about |= _said(kind, stream.data(size, size))
        else:
            yield _entry(stream, header, about, wanted)
            about = {}
        header = stream.read(BLOCK)
    while header:  # the checksum of a compressed file stands at its end
        header = stream.read(CHUNK)


def _entry(stream: _Stream, header: bytes, about: dict[bytes, bytes], wanted: Wanted) -> Member:
    """The entry that a header and what was said before it begin; leaves the stream at the next header."""
    kind = header[156:157]
    size = _decimal(about[b"size"]) if b"size" in about else _octal(header[124:136])
    name = _name(header, about)
    parts, trouble = _parts(name)
    more = kind == b"S" and header[482]
    while more:  # blocks of the map of a sparse file
        more = stream.data(BLOCK, BLOCK)[504]
    folder = kind == FOLDER or name.endswith("/")
    if not folder and wanted(parts):
        if SPARSE in about:
            trouble = f"is {KINDS[b'S']}: not read"
        elif kind not in PLAIN:
            trouble = f"is {KINDS.get(kind, 'of an unknown kind')}: not read"
        else:
            return Member(parts, *bounded(stream.data(size, LARGEST + 1)))
    if kind not in WITHOUT_DATA:
        stream.data(size, 0)
    return Member(parts, trouble=trouble, folder=folder)


def _is_header(block: bytes) -> bool:
    """Whether the sum that a header holds is the sum of its bytes, where its own eight count as spaces."""
    return len(block) == BLOCK and _octal(block[148:156]) == sum(block[:148]) + 8 * 32 + sum(block[156:])


def _name(header: bytes, about: dict[bytes, bytes]) -> str:
    name = about.get(SPARSE + b"name", about.get(b"path", b""))
    if not name:
        name = _text(header[:100])
        prefix = _text(header[345:500]) if header[257:263] == b"ustar\0" else b""  # GNU keeps other things there
        name = prefix + b"/" + name if prefix else name
    return name.decode("utf-8", "surrogateescape")


def _said(kind: bytes, data: bytes) -> dict[bytes, bytes]:
    """What a header says of the next entry, as far as it matters."""
    if kind == b"L":
        return {b"path": _text(data)}
    if kind not in (b"x", b"X"):
        return {}
    said: dict[bytes, bytes] = {}
    place = 0
    while place < len(data):
        digits = data[place : place + 20].partition(b" ")[0]
        end = place + _decimal(digits)
        key, equals, value = data[place + len(digits) + 1 : end - 1].partition(b"=")
        if not equals or data[end - 1 : end] != b"\n":
            raise SubmissionError("is a tar with a broken header")
        if key in (b"path", b"size", SPARSE + b"name"):
            said[key] = value
        if key.startswith(SPARSE):
            said[SPARSE] = b""
        place = end
    return said


def _text(field: bytes) -> bytes:
    return field.partition(b"\0")[0]


def _octal(field: bytes) -> int:
    """A number of a header: octal digits, or the bytes of a large number after the first one; -1 where it is none."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    digits = _text(field).strip(b" ")
    return int(digits or b"0", 8) if re.fullmatch(rb"[0-7]*", digits) else -1


def _decimal(digits: bytes) -> int:
    if not re.fullmatch(rb"[0-9]{1,19}", digits):
        raise SubmissionError("is a tar with a broken header")
    return int(digits)
