"""A submission in each form in which it may be handed in: a folder, a zip, a tar."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable

import pytest

from dojo.catalog import katas
from dojo.grade.intake.submission import SubmissionError, read

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
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "tar": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


def refused(path, asked=KATAS):
    """Why a submission cannot be graded."""
    with pytest.raises(SubmissionError) as caught:
        read(path, asked)
    told = str(caught.value)
    assert "\n" not in told
    assert told.startswith(str(path))
    return told
