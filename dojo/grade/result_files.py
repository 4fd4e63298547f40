"""The folder of results: a separate file for each submission, whatever its name, and its key."""

from __future__ import annotations

import contextlib
import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

from dojo.files import write_whole
from dojo.grade.formats import FORMATS
from dojo.grade.result import Result, read
from dojo.report.sanitize import line

KEYS = ".keys"
LONGEST = 200
"""Maximum bytes of a file's name, before a suffix is added."""
PLAIN = re.compile(r"\w[\w .,+@()&~-]*")
"""Names without special meaning to a shell, a spreadsheet or a file system."""
SCORES = "scores"
"""The name of the tables, one of which has the suffix of a student's page."""
CLASS = "class"
"""The name of the page on the class."""
TAKEN = (SCORES, CLASS, "changes")
"""Names of other files in the folder with the suffix of a student's page."""
PAGES = {".md": "markdown", ".html": "html"}
"""The format of each page for a student, by its suffix."""
DIGESTED = re.compile(r"-[0-9a-f]{32}")


class Unwritable(Exception):
    """The folder of the results cannot be written to; the message is one line that says why."""


@contextlib.contextmanager
def writing(out: Path) -> Iterator[None]:
    """Turn an OSError in the block, which writes results, into Unwritable, to tell it from other OSErrors."""
    try:
        yield
    except OSError as error:
        raise Unwritable(f"--out {out} cannot be written to: {error.strerror}") from None


class Results:
    """A folder with the result of each of these submissions in FILE.json, and its key in .keys/FILE.

    FILE.md, and with `html` also FILE.html, show the result to the student who handed it in.

    FILE is the name of the submission, or what can be kept of the name and a digest of it; see `file_names`.
    """

    def __init__(self, folder: Path, names: Collection[str] = (), *, html: bool = False):
        self.folder = folder
        self.html = html
        self.files = file_names(names)
        with writing(folder):
            (folder / KEYS).mkdir(parents=True, exist_ok=True)
            for name, file in self.files.items():
                if file != name and is_plain(name):  # its name was unique before another one came
                    self._unlink(name)

    def load(self, name: str, key: str) -> Result | None:
        """Return the result that was stored with this key, if there is one and it can be read."""
        stored = None
        with contextlib.suppress(OSError, ValueError):
            if self._key(name).read_text(encoding="ascii") == key:
                stored = read(self.path(name))
        if stored:
            with writing(self.folder):
                self._write_pages(name, stored, missing=True)
        return stored

    def read(self, name: str) -> Result | None:
        """Return the stored result, whatever its key is; None if there is none that can be read."""
        with contextlib.suppress(OSError, ValueError):
            return read(self.path(name))
        return None

    def keep(self, name: str, key: str, result: Result) -> None:
        """Write a result, then its key: a result without a key is graded again."""
        with writing(self.folder):
            self._key(name).unlink(missing_ok=True)
            write_whole(self.path(name), FORMATS["json"].text(result))
            self._write_pages(name, result)
            write_whole(self._key(name), key)

    def _write_pages(self, name: str, result: Result, *, missing: bool = False) -> None:
        """Write the pages for a student; with `missing`, only those that do not exist yet."""
        for suffix, form in PAGES.items():
            path = self.path(name).with_suffix(suffix)
            there = path.exists()
            if not (there and missing) and (there or self.html or suffix != ".html"):
                write_whole(path, FORMATS[form].text(result))

    def drop(self, name: str) -> None:
        """Remove the result of a submission that can no longer be graded."""
        with writing(self.folder):
            self._unlink(self._file(name))

    def path(self, name: str) -> Path:
        """Return the path of a submission's result."""
        return self.folder / f"{self._file(name)}.json"

    def _key(self, name: str) -> Path:
        return self.folder / KEYS / self._file(name)

    def _file(self, name: str) -> str:
        return self.files.get(name) or file_names([name])[name]

    def _unlink(self, file: str) -> None:
        (self.folder / KEYS / file).unlink(missing_ok=True)
        for suffix in (".json", *PAGES):
            (self.folder / f"{file}{suffix}").unlink(missing_ok=True)


def file_names(names: Collection[str]) -> dict[str, str]:
    """Return a file name, without suffix, for each of these different names. No file system confuses two of them.

    A name is kept if it is plain, and no other name differs from it only in case or in Unicode's normal forms.
    """
    alike = Counter(map(_folded, names))
    return {name: name if is_plain(name) and alike[_folded(name)] == 1 else _digested(name) for name in names}


def is_plain(name: str) -> bool:
    """Return whether a name can be a file's name as it is, and is neither taken nor like a digested one."""
    short = len(name.encode(errors="surrogatepass")) <= LONGEST
    taken = _folded(name) in TAKEN or DIGESTED.search(_folded(name))
    return bool(PLAIN.fullmatch(name)) and short and line(name) == name and not taken


def _digested(name: str) -> str:
    """Return what can be kept of a name, and a digest of all of it, so that no two names share a result."""
    seen = (c if c.isalnum() and line(c) == c else " " for c in unicodedata.normalize("NFKC", name))
    kept = "_".join("".join(seen).split()).encode()[: LONGEST - 33].decode(errors="ignore") or "submission"
    return f"{kept}-{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:32]}"


def _folded(name: str) -> str:
    """Return a form that is equal for names that a file system or a reader may take for the same."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
