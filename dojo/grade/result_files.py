"""The folder of results: a file of its own for each submission, whatever that is called, and its key."""

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
"""Most bytes of a file's name, before a suffix is added."""
PLAIN = re.compile(r"\w[\w .,+@()&~-]*")
"""Names that mean nothing to a shell, a spreadsheet or a file system."""
SCORES = "scores"
"""The name of the tables, one of which ends as feedback does."""
CLASS = "class"
"""The name of the page on the class."""
TAKEN = (SCORES, CLASS, "changes")
"""Names of other files in the folder that end as feedback does."""
PAGES = {".md": "markdown", ".html": "html"}
"""The format of each page for a student, by its suffix."""
DIGESTED = re.compile(r"-[0-9a-f]{32}")


class Unwritable(Exception):
    """The folder of the results cannot be written to; the message is one line that says why."""


@contextlib.contextmanager
def writing(out: Path) -> Iterator[None]:
    """Turn an OSError inside, where results are written, into Unwritable, to tell it from any other OSError."""
    try:
        yield
    except OSError as error:
        raise Unwritable(f"--out {out} cannot be written to: {error.strerror}") from None


class Results:
    """A folder with the result of each of these submissions in FILE.json, and its key in .keys/FILE.

    FILE.md, and with `html` FILE.html, say the same to the student who handed it in.

    FILE is the name of the submission, or a digest of it behind what can be kept of the name; see `file_names`.
    """

    def __init__(self, folder: Path, names: Collection[str] = (), *, html: bool = False):
        self.folder = folder
        self.html = html
        self.files = file_names(names)
        with writing(folder):
            (folder / KEYS).mkdir(parents=True, exist_ok=True)
            for name, file in self.files.items():
                if file != name and is_plain(name):  # it had its name to itself before another one came
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
        """Return the result that is there, whatever it was graded for; None if there is none that can be read."""
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
        """Write the pages for a student; those that are there as well unless only `missing` ones are asked for."""
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
    """Return the name of a file for each of these different names, without its suffix; no two are one to any system.

    A name stands for itself if it is plain, and no other one differs from it in case or in Unicode's forms alone.
    """
    alike = Counter(map(_folded, names))
    return {name: name if is_plain(name) and alike[_folded(name)] == 1 else _digested(name) for name in names}


def is_plain(name: str) -> bool:
    """Whether a name can be that of a file as it is, and is none that stands for another name."""
    short = len(name.encode(errors="surrogatepass")) <= LONGEST
    taken = _folded(name) in TAKEN or DIGESTED.search(_folded(name))
    return bool(PLAIN.fullmatch(name)) and short and line(name) == name and not taken


def _digested(name: str) -> str:
    """What can be kept of a name, and a digest of all of it: nobody finds two names that have one."""
    seen = (c if c.isalnum() and line(c) == c else " " for c in unicodedata.normalize("NFKC", name))
    kept = "_".join("".join(seen).split()).encode()[: LONGEST - 33].decode(errors="ignore") or "submission"
    return f"{kept}-{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:32]}"


def _folded(name: str) -> str:
    """The same for names that some file system, or some reader, takes for one."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
