"""Reading a submission: the bytes of answers from a folder, an archive or one file, without running anything."""

from __future__ import annotations

import itertools
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from dojo import catalog
from dojo.catalog import Kata
from dojo.grade.intake import archive
from dojo.grade.intake.archive import Member, Parts, Wanted
from dojo.grade.intake.archive import SubmissionError as SubmissionError
from dojo.report.sanitize import line
from dojo.seam.learner_file import IMPORTABLE

DEEPEST, DEEPEST_BARE = 2, 1
"""Maximum number of folders above a checkout or a folder like katas/, and above answers that have no folder each."""
LONGEST = DEEPEST + 3
"""Maximum number of parts of an answer's path: those folders, then katas, the kata, its file."""
MOST_ANSWERS = 200
"""Maximum number of files with the name of an answer."""
MOST_LINES = 20
"""Maximum number of notes, and of stray files, in a report."""
ASIDE = {"solutions", "tests", "dojo", "benchmarks", "mutants", "__pycache__", "__MACOSX"}
"""Folders of a checkout that hold no submitted answers, in addition to those whose names begin with a dot."""

OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
"""Follow no link, and wait for no fifo."""
PACKED = re.compile(r"\.(zip|tgz|tbz2?|txz|tar(\.(gz|bz2|xz))?)$", re.IGNORECASE)
AGAIN = r"( ?\(\d+\)|[-_ ]\d+| copy| - Copy)?"
"""What browsers and course platforms append to a name that is taken."""


@dataclass(frozen=True)
class Submission:
    """The answers of one learner; the dicts have the slugs of katas as keys."""

    name: str
    files: dict[str, bytes]
    """The bytes of each answer file that could be read."""
    paths: dict[str, str]
    """The path of each answer file in the submission, readable or not."""
    notes: tuple[str, ...] = ()
    """What was not read, and why."""
    strays: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Importable files beside an answer file, which do not count."""


@dataclass(frozen=True)
class _Spot:
    """The location of a file that could be an answer."""

    slug: str
    parts: Parts
    place: Parts
    """The folder that holds the folders of the katas, or, if `bare`, the files themselves."""
    base: Parts
    """The submitted folder, or one below it; `place` is `base` or `base`/katas."""
    bare: bool


def read(path: Path, katas: Sequence[Kata]) -> Submission:
    """Read the answers to these katas from a folder, an archive or a .py file; SubmissionError if there are none.

    Links are not followed, and sizes are limited.
    """
    try:
        return _read(path, katas)
    except SubmissionError as error:
        raise SubmissionError(f"{line(str(path))} {error}") from None
    except OSError as error:
        raise SubmissionError(f"{line(str(path))} cannot be read: {error.strerror}") from None


def _read(path: Path, katas: Sequence[Kata]) -> Submission:
    mode = path.lstat().st_mode
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise SubmissionError(f"is {archive.kind_of(mode)}: hand in a folder, a zip, a tar or a .py file")
    name = os.path.basename(os.path.abspath(path))
    handle = os.open(path, OPEN)
    try:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            return _arrange(name, _walk(handle, (), _wanted(katas)), katas)
        if path.suffix == ".py":
            return _single(name, *_content(handle), katas)
        packed = _read_bytes(handle, archive.MOST_ARCHIVE)
        if len(packed) > archive.MOST_ARCHIVE:
            raise SubmissionError(f"is a file of more than {archive.MOST_ARCHIVE:,} bytes")
        return _arrange(PACKED.sub("", name), archive.members(packed, _wanted(katas)), katas)
    finally:
        os.close(handle)


def _single(name: str, data: bytes | None, trouble: str, katas: Sequence[Kata]) -> Submission:
    """Read one file: the answers to the only kata that is graded, or to the one in the file's name."""
    if data is None:
        raise SubmissionError(trouble)
    every = {kata.slug: kata for kata in (*catalog.katas().values(), *katas)}.values()
    named = [k for k in every if re.fullmatch(rf"(.*[_-])?{re.escape(k.filename[:-3])}{AGAIN}\.py", name, re.DOTALL)]
    kata = katas[0] if len(katas) == 1 else max(named, key=lambda kata: len(kata.filename), default=None)
    if kata is None or kata not in katas:
        names = ", ".join(kata.filename for kata in katas)
        raise SubmissionError(f"is named after none of the katas that are graded: {names}")
    return Submission(line(name), {kata.slug: data}, {kata.slug: line(name)})


def _walk(folder: int, above: Parts, wanted: Wanted) -> Iterator[Member]:
    """Iterate over an open folder, down to the depth at which answers may lie."""
    with os.scandir(folder) as scan:
        entries = sorted(itertools.islice(scan, archive.MOST_ENTRIES + 1), key=lambda entry: entry.name)
    for entry in entries:
        parts = (*above, entry.name)
        try:
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                yield Member(parts, folder=True)
                if len(parts) < LONGEST and not _aside(entry.name):
                    yield from _below(folder, parts, wanted)
            elif not wanted(parts):
                yield Member(parts)
            elif not stat.S_ISREG(mode):
                yield Member(parts, trouble=f"is {archive.kind_of(mode)}: not read")
            else:
                yield Member(parts, *_read_at(folder, entry.name))
        except OSError as error:
            yield Member(parts, trouble=f"cannot be read: {error.strerror}")


def _below(folder: int, parts: Parts, wanted: Wanted) -> Iterator[Member]:
    handle = os.open(parts[-1], OPEN | os.O_DIRECTORY, dir_fd=folder)
    try:
        yield from _walk(handle, parts, wanted)
    finally:
        os.close(handle)


def _read_at(folder: int, name: str) -> tuple[bytes | None, str]:
    handle = os.open(name, OPEN, dir_fd=folder)
    try:
        return _content(handle)
    finally:
        os.close(handle)


def _content(handle: int) -> tuple[bytes | None, str]:
    """Return the bytes of an open answer file, or why there are none: it may have changed since it was listed."""
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        return None, f"is {archive.kind_of(mode)}: not read"
    return archive.bounded(_read_bytes(handle, archive.LARGEST))


def _read_bytes(handle: int, most: int) -> bytes:
    """Read at most one byte more than allowed."""
    with os.fdopen(handle, "rb", closefd=False) as file:
        return file.read(most + 1)


def _aside(part: str) -> bool:
    return part in ASIDE or part.startswith(".")


def _wanted(katas: Sequence[Kata]) -> Wanted:
    """Return a predicate for paths that are named like an answer file, or like a folder above one."""
    names = {"katas"} | {kata.slug for kata in katas} | {kata.filename for kata in katas}
    return lambda parts: 0 < len(parts) <= LONGEST and parts[-1] in names and not any(map(_aside, parts[:-1]))


def _arrange(name: str, members: Iterable[Member], katas: Sequence[Kata]) -> Submission:
    """Choose the answers among the members."""
    found, importable = _collect(members, katas)
    spots = [spot for parts in found if (spot := _spot(parts, katas)) is not None]
    chosen = _choose(spots)
    notes = [f"{_path(parts)} {member.trouble}" for parts, member in found.items() if member.trouble]
    files = {slug: data for slug, spot in chosen.items() if (data := found[spot.parts].data) is not None}
    if not files:
        asked = ", ".join(f"{kata.slug}/{kata.filename}" for kata in katas)
        why = min(notes, default=f"neither it nor katas/ in it has {asked}, nor has a folder of it")
        raise SubmissionError(f"holds no answers: {why}")
    places = " and ".join(sorted({_path((*spot.place, "")) or "its top" for spot in chosen.values()}))
    notes += [
        f"{_path(spot.parts)} does not count: the answers are read from {places}"
        for spot in spots
        if spot not in chosen.values()
    ]
    paths = {slug: _path(spot.parts) for slug, spot in chosen.items()}
    return Submission(line(name), files, paths, _shorten(notes), _strays(chosen, importable, katas))


def _collect(members: Iterable[Member], katas: Sequence[Kata]) -> tuple[dict[Parts, Member], set[Parts]]:
    """Return the members that could be answers or could not be read, and the paths that Python could import."""
    wanted = _wanted(katas)
    found: dict[Parts, Member] = {}
    importable: set[Parts] = set()
    answers = 0
    for count, member in enumerate(members, 1):
        if count > archive.MOST_ENTRIES:
            raise SubmissionError(f"holds more than {archive.MOST_ENTRIES:,} entries")
        if member.folder or not member.parts:
            continue
        if PurePath(member.parts[-1]).suffix in IMPORTABLE:
            importable.add(member.parts)
        if wanted(member.parts):
            answers += 1
            if answers > MOST_ANSWERS:
                raise SubmissionError(f"holds more than {MOST_ANSWERS} files with the names of answers")
            twice = member.parts in found
            found[member.parts] = Member(member.parts, trouble="is there twice: not read") if twice else member
        elif member.trouble:
            found[member.parts] = member
    return found, importable


def _spot(parts: Parts, katas: Sequence[Kata]) -> _Spot | None:
    kata = next((kata for kata in katas if kata.filename == parts[-1]), None)
    if kata is None:
        return None
    above = parts[:-1]
    bare = above[-1:] != (kata.slug,)
    if bare and above and any(above[-1] == other.slug for other in katas):
        return None
    place = above if bare else above[:-1]
    base = place[:-1] if place[-1:] == ("katas",) else place
    deepest = DEEPEST_BARE if bare else DEEPEST
    return _Spot(kata.slug, parts, place, base, bare) if len(base) <= deepest else None


def _choose(spots: Sequence[_Spot]) -> dict[str, _Spot]:
    """Choose the answers: those in folders of their own, nearest to the top, in katas/ rather than beside it.

    SubmissionError if two folders rank the same.
    """
    best = min(((spot.bare, len(spot.base)) for spot in spots), default=None)
    level = [spot for spot in spots if (spot.bare, len(spot.base)) == best]
    place = {spot.base: max((other.place for other in level if other.base == spot.base), key=len) for spot in level}
    chosen: dict[str, _Spot] = {}
    for spot in sorted((spot for spot in level if spot.place == place[spot.base]), key=lambda spot: spot.parts):
        if spot.slug in chosen:
            raise SubmissionError(f"holds {spot.slug} twice: {_path(chosen[spot.slug].parts)} and {_path(spot.parts)}")
        chosen[spot.slug] = spot
    return chosen


def _strays(chosen: dict[str, _Spot], importable: set[Parts], katas: Sequence[Kata]) -> dict[str, tuple[str, ...]]:
    """Return, for each kata, the importable files beside its answers."""
    answers = {spot.parts for spot in chosen.values()}
    beside: dict[Parts, list[str]] = {}
    for parts in importable - answers:
        if not _aside(parts[-1]):
            beside.setdefault(parts[:-1], []).append(line(parts[-1]))
    places = {(spot.place, spot.bare) for spot in chosen.values()}
    strays = {}
    for kata in katas:
        spot = chosen.get(kata.slug)
        folders = [spot.parts[:-1]] if spot else [(*place, kata.slug) for place, bare in places if not bare]
        names = [name for folder in folders for name in beside.get(folder, [])]
        if names:
            strays[kata.slug] = _shorten(names)
    return strays


def _shorten(texts: Iterable[str]) -> tuple[str, ...]:
    """Sort texts and drop duplicates; if there are many, the last one says how many more there are."""
    different = sorted(set(texts))
    if len(different) > MOST_LINES:
        different[MOST_LINES - 1 :] = [f"… and {len(different) - MOST_LINES + 1:,} more"]
    return tuple(different)


def _path(parts: Parts) -> str:
    return line("/".join(parts))
