"""Members of a zip or a tar, read in memory within limits, and never extracted."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import stat
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

from dojo.report.sanitize import line

MIB = 2**20
LARGEST = MIB
"""Maximum bytes of one answer file."""
MOST_ARCHIVE = 32 * MIB
"""Maximum bytes of an archive."""
MOST_INFLATED = 128 * MIB
"""Maximum bytes of a decompressed tar."""
MOST_ENTRIES = 100_000
"""Maximum number of files and folders of a submission."""
MOST_HEADERS = 2**14
"""Maximum bytes of a tar's headers for one entry. Before Python 3.11.10, tarfile takes time and memory that grow with
their square: 0.2 seconds and 64 MiB for this many."""
SECONDS = 30
"""Maximum seconds of CPU time to read a tar."""

CHUNK = 2**16
NOTHING = b"?"
"""A type of entry that does not exist."""
KINDS = {
    tarfile.LNKTYPE: "a hard link",
    tarfile.SYMTYPE: "a link",
    tarfile.CHRTYPE: "a device",
    tarfile.BLKTYPE: "a device",
    tarfile.FIFOTYPE: "a fifo",
}
NO_ARCHIVE = "is neither a folder, a zip, a tar (.tar, .tar.gz, .tar.bz2, .tar.xz) nor a .py file"


class SubmissionError(Exception):
    """The submission cannot be graded; the message is one line that says why."""


Parts = tuple[str, ...]
"""A path inside a submission, from its top."""
Wanted = Callable[[Parts], bool]
"""Whether the file of this path is to be read."""


@dataclass(frozen=True)
class Member:
    """One file, link or folder of a submission."""

    parts: Parts
    data: bytes | None = None
    """The bytes of an answer file that could be read."""
    trouble: str = ""
    """Why there are none, if it could be an answer file."""
    folder: bool = False


def members(archive: bytes, wanted: Wanted) -> Iterator[Member]:
    """Iterate over an archive; SubmissionError if it is no archive, is broken or exceeds a limit."""
    if archive.startswith((b"PK\3\4", b"PK\5\6")):
        return _zip_members(archive, wanted)
    if archive.startswith(b"\x1f\x8b"):
        return _tar_members(gzip.GzipFile(fileobj=io.BytesIO(archive)), wanted)
    if archive.startswith(b"BZh"):
        return _tar_members(bz2.BZ2File(io.BytesIO(archive)), wanted)
    if archive.startswith(b"\xfd7zXZ\0"):
        return _tar_members(lzma.LZMAFile(io.BytesIO(archive), format=lzma.FORMAT_XZ), wanted)
    return _tar_members(io.BytesIO(archive), wanted)


def kind_of(mode: int) -> str:
    """Name the kind of a file that is neither a regular file nor a folder."""
    if stat.S_ISLNK(mode):
        return "a link"
    if stat.S_ISFIFO(mode):
        return "a fifo"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device"


def _parts(name: str) -> tuple[Parts, str]:
    """Split a name into a path, or return it whole with an error if it leads out of the archive.

    An unsplit name never matches an answer file.
    """
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if name.startswith("/") or ".." in parts or re.match("[A-Za-z]:", name) or "\0" in name:
        return (name,), "leads out of the archive: not read"
    return parts, ""


def _zip_members(archive: bytes, wanted: Wanted) -> Iterator[Member]:
    # zipfile reads the whole directory before it yields an entry, and ignores the count in it. Each entry of the
    # directory begins with these bytes.
    if archive.count(b"PK\1\2") > MOST_ENTRIES:
        raise SubmissionError(f"holds more than {MOST_ENTRIES:,} entries")
    try:
        opened = zipfile.ZipFile(io.BytesIO(archive))
    except Exception as error:  # zipfile raises many kinds on a broken directory
        raise SubmissionError(f"is a zip that cannot be read: {line(str(error))}") from None
    for info in opened.infolist():
        name = info.orig_filename.replace("\\", "/")  # some programs on Windows write backslashes
        parts, trouble = _parts(name)
        if name.endswith("/") or stat.S_ISDIR(info.external_attr >> 16):
            yield Member(parts, folder=True)
        elif not wanted(parts):
            yield Member(parts, trouble=trouble)
        else:
            yield Member(parts, *_unzip(opened, info))


def _unzip(opened: zipfile.ZipFile, info: zipfile.ZipInfo) -> tuple[bytes | None, str]:
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return None, f"is {kind_of(mode)}: not read"
    if info.flag_bits & 1:
        return None, "is encrypted: not read"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # the others inflate without a bound
        return None, "is compressed by another method than deflate: not read"
    try:
        with opened.open(info) as file:
            data = file.read(LARGEST + 1)  # whatever size its header declares
    except Exception as error:  # zipfile raises many kinds on a broken entry
        return None, f"cannot be read: {line(str(error))}"
    return bounded(data)


def bounded(data: bytes) -> tuple[bytes | None, str]:
    """Return the bytes of an answer file, of which LARGEST + 1 were requested, or why they do not count."""
    if len(data) > LARGEST:
        return None, f"is larger than {LARGEST:,} bytes: not read"
    return data, ""


class _Forward(io.RawIOBase):
    """A file that tarfile reads forward only, within limits.

    tarfile reads headers, and seeks past the data of entries. So the bytes that it may read for one entry bound every
    loop, recursion and regular expression in it, and no child process is needed.
    """

    def __init__(self, file: io.BufferedIOBase) -> None:
        self.file = file
        self.position = 0
        self.allowed = MOST_HEADERS
        self.last = b""
        self.end = time.thread_time() + SECONDS

    def tell(self) -> int:
        """Return the current position."""
        return self.position

    def read(self, size: int = -1) -> bytes:
        """Read `size` bytes, or fewer at the end of the file."""
        self.allowed -= size
        if size < 0 or self.allowed < 0:
            raise SubmissionError(f"is a tar with more than {MOST_HEADERS:,} bytes of headers for one entry")
        self.last = self.decompressed(size)
        return self.last

    def seek(self, position: int, whence: int = io.SEEK_SET) -> int:
        """Skip forward to a position; seeking back is ignored."""
        while self.position < position:
            if not self.decompressed(min(position - self.position, CHUNK)):
                raise SubmissionError("is a tar that is cut short")
        return self.position

    def decompressed(self, size: int) -> bytes:
        """Read `size` bytes without charging them to an entry; at the end of the file there are fewer, or none."""
        if time.thread_time() > self.end:
            raise SubmissionError(f"takes more than {SECONDS} seconds to read")
        try:
            data = self.file.read(size)
        except (OSError, EOFError, MemoryError, zlib.error, lzma.LZMAError) as error:
            raise SubmissionError(f"cannot be decompressed: {line(str(error))}") from None
        self.position += len(data)
        if self.position > MOST_INFLATED:
            raise SubmissionError(f"holds more than {MOST_INFLATED:,} bytes")
        return data


class _Entry(tarfile.TarInfo):
    """An entry of a tar, without two kinds of header that tarfile misreads."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Read a header."""
        return super().frombuf(buf, encoding, errors)._mended(buf, encoding, errors)

    @classmethod
    def _frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str, **how: bool) -> Self:
        """Read a header where tarfile does not call `frombuf`: in the security releases since the end of 2025."""
        entry: Self = super()._frombuf(buf, encoding, errors, **how)  # type: ignore[misc]
        return entry._mended(buf, encoding, errors)

    def _mended(self, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        if self.type == tarfile.XGLTYPE:  # attributes of all entries, which tarfile would copy into each
            self.type, self.name = NOTHING, ""
        elif buf[257:265] == tarfile.GNU_MAGIC:  # GNU headers have times where others have a prefix of the name
            self.name = bytes(buf[:100]).partition(b"\0")[0].decode(encoding, errors)
        return self


def _tar_members(file: io.BufferedIOBase, wanted: Wanted) -> Iterator[Member]:
    """Read a tar from its beginning to its end."""
    stream = _Forward(file)
    for entry in _entries(stream):
        yield _member(stream, entry, wanted)
    if stream.last.strip(b"\0"):  # tarfile treats a broken header as the end
        raise SubmissionError("is a tar that is broken or cut short")
    while stream.decompressed(CHUNK):  # the checksum of a compressed file is at its end
        pass


def _entries(stream: _Forward) -> Iterator[tarfile.TarInfo]:
    try:
        tar = tarfile.TarFile(fileobj=stream, tarinfo=_Entry, encoding="utf-8", errors="surrogateescape")
        while entry := tar.next():
            tar.members.clear()  # type: ignore[attr-defined]  # it would keep them all
            yield entry
            stream.allowed = MOST_HEADERS
    except SubmissionError:
        raise
    except Exception as error:  # tarfile raises many kinds on a broken header
        broken = f"is a tar that is broken or cut short: {line(str(error))}"
        raise SubmissionError(broken if stream.position > tarfile.BLOCKSIZE else NO_ARCHIVE) from None


def _member(stream: _Forward, entry: tarfile.TarInfo, wanted: Wanted) -> Member:
    parts, trouble = _parts(entry.name)
    if entry.isdir() or entry.name.endswith("/"):
        return Member(parts, folder=True)
    if not wanted(parts):
        return Member(parts, trouble=trouble)
    if entry.issparse() or any(key.startswith("GNU.sparse.") for key in entry.pax_headers):
        return Member(parts, trouble="is a sparse file: not read")
    if not entry.isreg():
        return Member(parts, trouble=f"is {KINDS.get(entry.type, 'of an unknown kind')}: not read")
    if entry.size < 0 or entry.pax_headers.get("size", str(entry.size)) != str(entry.size):
        raise SubmissionError("is a tar with a broken header")
    size = stream.allowed = min(entry.size, LARGEST + 1)
    return Member(parts, *bounded(stream.read(size)))
