"""Folders in which the latest checkpoint is looked for: whole checkpoints, and whatever else may lie there."""

from __future__ import annotations

import math

from dojo.seam.parts import Parts
from dojo.seam.scenario import runs

from . import scenarios
from .checkpoints import (
    LATEST,
    SAVE,
    Pair,
    Seen,
    anew,
    arguments,
    at,
    differences,
    item,
    nothing_saved,
    numbered,
    prepared,
    saved_evil,
    seeded,
)
from .damage import Bytes, Evil, evil_torch, flip, flipped, laid, spread
from .programs_saving import WATCHING, faulty_lines, saved_with_fault
from .scenarios import FOLDER, NAME, Item
from .training import Lines

Entry = tuple[str, str, int]
ENTRIES = {
    "flipped": "one bit of {} is flipped",
    "copies": "in its place are copies, in each one bit is flipped",
    "truncated": "{} is cut short",
    "empty": "{} is empty",
    "evil": "{} is a file of torch.save that would run code",
    "evil run": "it holds an optimizer that would run code",
    "foreign": "{} is somebody else's file",
    "a folder": "{} is a folder with a checkpoint inside",
}
FLAG = "made by evil"
"""What the code in an evil file makes."""
COPIES = (16, 16, 8)
"""How many bits of the first bytes, of the last ones, and of all: a folder that is carried holds 200 entries."""
Then = str
"""What becomes of the latest checkpoint before a second look: one of THEN, or "" if there is no second look."""
THEN = {
    "deleted": "{} is deleted",
    "flipped": "one bit of {} is flipped, its date unchanged",
    "mended": "{} is whole again, its date unchanged",
    "joined": "{} comes, with a higher step than all others",
}
JOINED = "new.ckpt"
DAMAGED = ("flipped", "truncated")


def again(entries: list[Entry], then: Then) -> tuple[str, str | None]:
    """The file that changes before the second look, "" if there is none, and what is the latest checkpoint then."""
    first, second, *_ = [*wholes(entries), None, None]
    if then == "joined":
        return JOINED, JOINED
    if then != "mended":
        return (first or "") if then else "", second
    damaged = [(step, name) for name, what, step in entries if what in DAMAGED]
    _, name = max(damaged, default=(0, ""))
    then_whole = wholes([(one, "whole" if one == name else what, step) for one, what, step in entries])
    return name, next(iter(then_whole), None)


def wholes(entries: list[Entry]) -> Lines:
    """The whole checkpoints, the one with the highest step first."""
    return [name for _, name in sorted(((step, name) for name, what, step in entries if what == "whole"), reverse=True)]


def doubtful(entries: list[Entry], latest: str | None) -> Lines:
    """The files that may be taken for the latest checkpoint in place of this one.

    save_checkpoint wrote them, of runs that would run code: whether they are whole checkpoints is open.
    """
    steps = {name: step for name, _, step in entries} | {None: -1, JOINED: math.inf}
    return [name for name, what, step in entries if what == "evil run" and step > steps[latest]]


def _latest_lines(lines: Lines, seed: int, entries: list[Entry], as_text: bool, then: Then) -> tuple[str, Lines]:
    told = [seeded(seed), *lines, "# in an empty folder, from old to new"]
    for name, what, step in entries:
        if what in ("whole", "copies", "evil run", *DAMAGED):
            told.append(f'save_checkpoint("{name}", {arguments(lines, step)})')
        if what != "whole":
            told.append(f"# {ENTRIES[what].format(name)}")
    look = 'latest_checkpoint(".")' if as_text else "latest_checkpoint(Path())"
    name, _ = again(entries, then)
    later = [f"# {THEN[then].format(name)}", look] if name else []
    return LATEST, [*told, look, *later]


@runs(_latest_lines, uses=(SAVE, LATEST), in_parts=True)
def latest(parts: Parts, lines: Lines, seed: int, entries: list[Entry], as_text: bool, then: Then) -> Seen:
    """Fill a folder, and ask which checkpoint is the latest; again, when a file has changed, gone or come."""
    run = at(lines, seed, "cpu", 1)
    steps = {name: step for name, _, step in entries}
    if then == "joined":
        steps[JOINED] = 1 + max(steps.values(), default=0)
    items = [numbered(item(run, name), step) for name, step in steps.items()]
    whole = prepared(parts, "cpu", *items) if items else {}
    files: dict[str, Bytes] = {}
    for place, (name, what, step) in enumerate(entries):
        number = (7919 * step + 104_729 * place) % 2**20
        if what == "copies":
            files |= {f"{name}.{bit}": flipped(whole[name], bit) for bit in spread(whole[name], number, COPIES)}
        elif what in ("evil", "evil run"):
            files[name] = _evil(parts, numbered(item(run), step), what, Evil(FLAG, step))
        else:
            files |= laid(name, whole[name], what, number)
    became: dict[str, Bytes] = {}
    if name := again(entries, then)[0]:
        became[name] = {"deleted": None, "flipped": flip(whole[name], seed % 2**20)}.get(then, whole[name])
    return _found(parts, anew(lines, seed, "cpu"), files, as_text, became)


def _evil(parts: Parts, run: Item, what: str, evil: Evil) -> bytes:
    saved = saved_evil(parts, "cpu", run, evil, "optimizer") if what == "evil run" else None
    return saved or evil_torch(evil)


def _found(parts: Parts, run: Pair, files: dict[str, Bytes], as_text: bool, became: dict[str, Bytes]) -> Seen:
    """What latest_checkpoint finds among these files, and when some have gone (None), have come or hold other bytes."""
    given: dict[str, Bytes] = {FOLDER: None, **{f"{FOLDER}/{name}": data for name, data in files.items()}}
    ending = parts(scenarios.latest, run[0].lines, run[0].state, as_text, became, files=given)
    value = ending.value if isinstance(ending.value, dict) else {}
    for name, data in became.items():
        given[f"{FOLDER}/{name}"] = data
        if data is None:
            del given[f"{FOLDER}/{name}"]
    came = ending.files.keys() ^ given.keys() | {name for name, data in given.items() if ending.files.get(name) != data}
    return {
        "latest_checkpoint": f"returns {value.get('latest_checkpoint', 'nothing that could be told')}",
        **({"the second look": f"returns {value.get('again')}"} if became else {}),
        "the code in an evil file": "was run" if FLAG in ending.files else "was not run",
        "changed by latest_checkpoint": differences(value, run),
        "files that came, went or changed": sorted(came - {FLAG}),
    }


def _left_lines(lines: Lines, seed: int, fault: str, number: int) -> tuple[str, Lines]:
    return LATEST, [*faulty_lines(lines, seed, fault, number)[1][:-1], "latest_checkpoint(Path())"]


@runs(_left_lines, uses=(SAVE, LATEST), in_parts=True)
def latest_of_what_is_left(parts: Parts, lines: Lines, seed: int, fault: str, number: int) -> Seen:
    """Save at step 1, and again at step 2 with a fault; what latest_checkpoint finds then."""
    first = parts(scenarios.save, "cpu", [item(at(lines, seed, "cpu", 1))], fault=WATCHING)
    old = first.files.get(NAME)
    if first.failed or old is None:
        raise nothing_saved(first)
    became, ending = saved_with_fault(parts, at(lines, seed, "cpu", 2), {NAME: old}, NAME, fault, number, first)
    found = _found(parts, anew(lines, seed, "cpu"), dict(ending.files), False, {})
    return {"the save": became, "latest_checkpoint": found["latest_checkpoint"]}
