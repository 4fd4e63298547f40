"""Archives that nobody's archiver makes: each is one submission, built by code, with what it tries for its name.

Where an honest answer lies beside what is tried, it must count as if it lay there alone; else there is nothing to grade.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

from dojo.catalog import ROOT, find
from tests.attacks.bait import Bait

KATA = find("03_flops")
NAME = f"{KATA.slug}/{KATA.filename}"
SOLUTION = KATA.source(ROOT / "solutions")
ZEROS = bytes(130 * 2**20)
"""More than the files of an archive may have in all."""


@dataclass(frozen=True)
class Archive:
    """build: its bytes. suffix: of its name. counts: whether an honest answer lies in it and is to be graded."""

    build: Callable[[Bait], bytes]
    suffix: str
    counts: bool = False


def _honest() -> bytes:
    return SOLUTION.read_bytes()


def _zip(*entries: tuple[str, bytes], mode: int = 0, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as file:
        for name, data in entries:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = method
            entry.external_attr = mode << 16
            file.writestr(entry, data)
    return made.getvalue()


def _tar(*entries: tuple[str, bytes], form: int = tarfile.PAX_FORMAT, **attributes: object) -> bytes:
    """Entries of these attributes; those with data are plain files."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=form) as file:
        for name, data in entries:
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            if not data:
                for key, value in attributes.items():
                    setattr(entry, key, value)
            file.addfile(entry, io.BytesIO(data))
    return made.getvalue()


def _out(laid: Bait) -> list[tuple[str, bytes]]:
    """An honest answer, and files that would lie outside of where the archive is."""
    folder = str(laid.folder)
    names = [f"{'../' * 12}{folder[1:]}/up", f"{folder}/absolute", f"a/../..{folder}/between", "..\\..\\up", "C:\\up"]
    return [(NAME, _honest()), *((f"{name}-{laid.mark}", laid.mark.encode()) for name in names)]


def _without_end(tar: bytes) -> bytes:
    """A tar less the zeros at its end, so that more entries can follow."""
    used = tar.rstrip(b"\0")
    return used.ljust(-(-len(used) // 512) * 512, b"\0")


def _through_a_link(laid: Bait) -> bytes:
    """A link to a folder, and files that would be written through it."""
    linked = _tar(("out", b""), type=tarfile.SYMTYPE, linkname=str(laid.folder))
    return _without_end(linked) + _tar((f"out/{laid.mark}", laid.mark.encode()), (NAME, _honest()))


def _twice(laid: Bait) -> bytes:
    wrong = b"def matmul_flops(a_shape, b_shape):\n    return 0\n"
    return _tar((NAME, wrong), (f"./{NAME}", _honest()))


def _overlapping(laid: Bait) -> bytes:
    """One file, for which the directory has a thousand names."""
    one = _zip((f"0000/{NAME}", ZEROS[: 2**20]))
    start = one.index(b"PK\1\2")
    end = one.index(b"PK\5\6")
    entry = one[start:end]
    every = b"".join(entry.replace(b"0000/", b"%04d/" % number) for number in range(1000))
    tail = bytearray(one[end:])
    tail[8:12] = (1000).to_bytes(2, "little") * 2
    tail[12:16] = len(every).to_bytes(4, "little")
    return one[:start] + every + bytes(tail)


def _encrypted(laid: Bait) -> bytes:
    made = bytearray(_zip((NAME, _honest())))
    made[6] |= 1
    made[made.index(b"PK\1\2") + 8] |= 1
    return bytes(made)


def _devices(laid: Bait) -> bytes:
    kinds = {NAME: tarfile.CHRTYPE, f"katas/{NAME}": tarfile.BLKTYPE, f"me/{NAME}": tarfile.FIFOTYPE}
    parts = [_without_end(_tar((name, b""), type=kind, devmajor=1, devminor=5)) for name, kind in kinds.items()]
    return b"".join(parts) + bytes(1024)


ARCHIVES = {
    "a zip leads out": Archive(lambda laid: _zip(*_out(laid)), ".zip", counts=True),
    "a tar leads out": Archive(lambda laid: _tar(*_out(laid)), ".tar", counts=True),
    "an old tar leads out": Archive(lambda laid: _tar(*_out(laid), form=tarfile.GNU_FORMAT), ".tar", counts=True),
    "a tar writes through a link": Archive(_through_a_link, ".tar", counts=True),
    "a tar links the solution": Archive(
        lambda laid: _tar((NAME, b""), type=tarfile.SYMTYPE, linkname=str(SOLUTION)), ".tar"
    ),
    "a tar links the solution hard": Archive(
        lambda laid: _tar((NAME, b""), type=tarfile.LNKTYPE, linkname=str(SOLUTION)), ".tar"
    ),
    "a tar links the folder of the solution": Archive(
        lambda laid: _tar((KATA.slug, b""), type=tarfile.SYMTYPE, linkname=str(SOLUTION.parent)), ".tar"
    ),
    "a zip links the solution": Archive(
        lambda laid: _zip((NAME, str(SOLUTION).encode()), mode=stat.S_IFLNK | 0o777), ".zip"
    ),
    "a tar has devices and fifos": Archive(_devices, ".tar"),
    "a zip has a device": Archive(lambda laid: _zip((NAME, b""), mode=stat.S_IFCHR | 0o666), ".zip"),
    "a bomb in a zip": Archive(lambda laid: _zip((NAME, ZEROS)), ".zip"),
    "a bomb beside the answer": Archive(lambda laid: _zip((NAME, _honest()), ("zeros", ZEROS)), ".zip", counts=True),
    "a bomb in a tar.gz": Archive(lambda laid: gzip.compress(_tar((NAME, _honest()), ("zeros", ZEROS)), 1), ".tgz"),
    "a bomb in a tar.bz2": Archive(lambda laid: bz2.compress(_tar((NAME, ZEROS)), 1), ".tar.bz2"),
    "a bomb in a tar.xz": Archive(lambda laid: lzma.compress(_tar((NAME, ZEROS)), preset=0), ".tar.xz"),
    "a zip in a zip": Archive(lambda laid: _zip((f"{KATA.slug}.zip", _zip((NAME, _honest())))), ".zip"),
    "a hundred thousand entries": Archive(lambda laid: b"PK\3\4" + (b"PK\1\2" + bytes(42)) * 100_001, ".zip"),
    "one file under a thousand names": Archive(_overlapping, ".zip"),
    "one name for two answers": Archive(_twice, ".tar"),
    "an encrypted answer": Archive(_encrypted, ".zip"),
    "a method that inflates without a bound": Archive(
        lambda laid: _zip((NAME, ZEROS[: 2**21]), method=zipfile.ZIP_LZMA), ".zip"
    ),
    "a chain of headers": Archive(
        lambda laid: b"".join(_tar(("x" * 200, b""), form=tarfile.GNU_FORMAT)[:1024] for _ in range(5000)), ".tar"
    ),
    "a tar that is cut short": Archive(lambda laid: _tar((NAME, _honest()))[:1000], ".tar"),
    "names that paint": Archive(
        lambda laid: _zip(
            (NAME, _honest()), (f"\x1b[2J::error::\n\u202e{NAME}", b""), (f"{KATA.slug}/<b>`|@me#1.py", b"")
        ),
        ".zip",
        counts=True,
    ),
}
"""By what each tries."""
