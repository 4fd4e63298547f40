"""Runs that are saved: what there is to see of them afterwards, when all went well and when it did not.

A run is described by the lines that make it (see training.py). A program runs beside the judge and has its parts run
elsewhere; it returns what there is to see, each value under the expression that shows it.
"""

from __future__ import annotations

from collections.abc import Sequence

from dojo.seam.data import Error
from dojo.seam.faults import NO_FAULT, Fault, Kind, Look
from dojo.seam.parts import Ending, Files, Parts
from dojo.seam.scenario import runs

from . import scenarios
from .checkpoints import (
    LOAD,
    SAVE,
    Seen,
    anew,
    arguments,
    at,
    changed_by_hand,
    differences,
    item,
    nothing_saved,
    numbered,
    pair,
    results,
    seeded,
    states,
)
from .damage import flip
from .scenarios import NAME, OLDER
from .training import Lines, Snapshot, set_by_hand

Numbers = tuple[int | None, int | None]
OTHER = "moved.ckpt"
"""What a checkpoint is called when it is carried to the process that loads it."""


# Resume


def _resumed_lines(
    lines: Lines,
    seed: int,
    before: int,
    after: int,
    numbers: Numbers,
    device: str,
    forked: bool,
    by_hand: Sequence[str],
) -> tuple[str, Lines]:
    first, last = numbers
    return "", [
        seeded(seed),
        *lines,
        *([f'save_checkpoint("{NAME}", {arguments(lines, first)})'] if first is not None else []),
        *trained(before),
        *changing(lines, by_hand),
        f'save_checkpoint("{NAME}", {arguments(lines, before if last is None else last)})',
        "# in another process, all made anew, and the file renamed",
        f'load_checkpoint("{OTHER}", {arguments(lines)})',
        *trained(after),
    ]


def changing(lines: Lines, names: Sequence[str]) -> Lines:
    """The lines that change these settings by hand, if there are any."""
    told = [f'    group["{name}"] = {value}' for name, value in set_by_hand(lines, names).items()]
    return ["for group in optimizer.param_groups:", *told] if told else []


def trained(steps: int) -> Lines:
    """The line that trains, where there are steps to take."""
    return [f"train({steps})"] if steps else []


@runs(_resumed_lines, uses=(SAVE, LOAD), in_parts=True)
def resumed(
    parts: Parts,
    lines: Lines,
    seed: int,
    before: int,
    after: int,
    numbers: Numbers,
    device: str,
    forked: bool,
    by_hand: Sequence[str],
) -> Seen:
    """Train, save, make everything anew in another process, load, train on.

    numbers: the steps as which the run is saved before it has trained (None: it is not) and after it (None: the step
    that it is at). forked: whether it is saved in another process even on the learner's own machine. by_hand: the
    settings that are changed before the second save.
    """
    first, last = numbers
    saving = [] if first is None else [numbered(item(at(lines, seed, device, 0)), first)]
    second = numbered(item(at(lines, seed, device, before)), before if last is None else last)
    saving.append(changed_by_hand(second, by_hand))
    saved = parts(scenarios.save, device, saving, apart=forked and device == "cpu")  # CUDA is lost in a fork
    _needed(saved)
    data = saved.files.get(NAME)
    if data is None:
        raise nothing_saved(saved)
    state = anew(lines, seed, device)[0].state
    loaded = parts(scenarios.resume, lines, device, state, OTHER, after, bool(seed % 2), files={OTHER: data})
    return {"os.listdir()": listed(saved), **_dict(loaded.value)}


def _needed(ending: Ending) -> None:
    """Fail as the part has failed, if it has."""
    _ = ending.value


def _dict(value: object) -> Seen:
    """What a part has told, if it is what a part tells."""
    return value if isinstance(value, dict) else {}


def listed(ending: Ending, *names: str) -> list[str]:
    """What a part has left. A file of the learner's own making has no name here: most are random."""
    return sorted(name if name in (NAME, *names) else "another file" for name in ending.files)


# Save


def _saved_lines(lines: Lines, seed: int, steps: int, device: str) -> tuple[str, Lines]:
    return SAVE, [
        seeded(seed),
        *lines,
        *trained(steps),
        f"# {', '.join(NEIGHBOURS[:-1])} and {NEIGHBOURS[-1]} belong to others",
        f"for step in range({len(OLDER)}):",
        f'    save_checkpoint(f"step_{{step}}.ckpt", {arguments(lines, "step")})',
        f'save_checkpoint("{NAME}", {arguments(lines, steps)})',
        "# there is a folder of that name: this one raises",
        f'save_checkpoint("folder", {arguments(lines, steps)})',
    ]


@runs(_saved_lines, in_parts=True)
def saved(parts: Parts, lines: Lines, seed: int, steps: int, device: str) -> Seen:
    """Train and save, first under other names, then twice under the same, and once where no file can come to lie."""
    two = pair(lines, seed, device, steps)
    given = {"folder": None, **{name: name.encode() for name in NEIGHBOURS}}
    ending = parts(scenarios.save_and_look, lines, device, two[0].state, files=given)
    told = _dict(ending.value)
    touched = [name for name, data in given.items() if ending.files.get(name, b"") != data]
    others = told.get("touched")
    touched += [name for name in OLDER if isinstance(others, list) and name in others]
    return {
        INTO_A_FOLDER: told.get("folder"),
        "os.listdir()": listed(ending, *given, *OLDER),
        CHANGED: differences(told, two) + touched,
    }


INTO_A_FOLDER = "the save to a folder"
NEIGHBOURS = ("other.ckpt", "run.pt", f"{NAME}.md", "notes.tmp")
"""Files of other people, under names that nobody would take for a file in the making: the last are notes on it."""
CHANGED = "changed by save_checkpoint"
WATCHED = f"during the second save {NAME}"
WATCHED_FIRST = f"during the first save {NAME}"
WATCHING = Fault(Kind.WATCHED, name=NAME)


def _watched_lines(lines: Lines, seed: int) -> tuple[str, Lines]:
    return SAVE, [
        seeded(seed),
        *lines,
        "train(1)",
        f"# {NAME} is looked at all the while",
        f'save_checkpoint("{NAME}", {arguments(lines, 1)})',
        "train(1)",
        f'save_checkpoint("{NAME}", {arguments(lines, 2)})',
    ]


@runs(_watched_lines, uses=(SAVE, LOAD), in_parts=True)
def saved_and_watched(parts: Parts, lines: Lines, seed: int) -> Seen:
    """Save at step 1, and again at step 2; whether the file is the old one or the new one all the time in between."""
    old, first = _saved_once(parts, lines, seed, WATCHING)
    begun = _broken(parts, lines, seed, [look for look in first.seen if look[0] is not None], {old})
    saving = item(at(lines, seed, "cpu", 2))
    ending = parts(scenarios.save, "cpu", [saving], files={NAME: old}, fault=WATCHING)
    _needed(ending)
    whole = {old, ending.files.get(NAME)}
    return {
        WATCHED_FIRST: "is " + (begun or "not there, then whole"),
        WATCHED: "is " + (_broken(parts, lines, seed, [*ending.seen], whole) or "whole"),
    }


def _broken(parts: Parts, lines: Lines, seed: int, looks: list[Look], whole: set[bytes | None]) -> str:
    """Those of the looks that are no checkpoint of this run, in words."""
    odd = [look for look in looks if not look[0] or look[0] not in whole]
    broken = odd and _not_loadable(parts, lines, seed, odd)
    return ", then ".join(dict.fromkeys(map(_told_part, broken)))


def _saved_once(parts: Parts, lines: Lines, seed: int, fault: Fault = NO_FAULT) -> tuple[bytes, Ending]:
    """The checkpoint of a run at step 1, and how it was saved."""
    first = parts(scenarios.save, "cpu", [item(at(lines, seed, "cpu", 1))], fault=fault)
    _needed(first)
    data = first.files.get(NAME)
    if data is None:
        raise nothing_saved(first)
    return data, first


def _not_loadable(parts: Parts, lines: Lines, seed: int, looks: list[Look]) -> list[Look]:
    """Those that are no checkpoint of this run at step 1 or 2."""
    files = {f"{place}.ckpt": look[0] for place, look in enumerate(looks) if look[0]}
    state = anew(lines, seed, "cpu")[0].state
    results = parts(scenarios.load, "cpu", [(name, lines, state) for name in files], files=files).value
    told = dict(zip(files, results, strict=False)) if isinstance(results, list) else {}
    good = {name for name, result in told.items() if isinstance(result, dict) and _is_step(result, lines, seed, (1, 2))}
    return [look for place, look in enumerate(looks) if f"{place}.ckpt" not in good]


def _is_step(result: Seen, lines: Lines, seed: int, steps: tuple[int, ...]) -> bool:
    step = result.get("raised") or result.get("load_checkpoint")
    if type(step) is not int or step not in steps:
        return False
    return not differences(result, pair(lines, seed, "cpu", step), gradients=False)


def _told_part(look: Look) -> str:
    data, beside = look
    what = "not there" if data is None else f"a part of {len(data):,} bytes" if data else "empty"
    return what + " (another file is beside it)" * beside


FAULTS = {
    "full": "on a disk with room for {:.2%} of the file",
    "unwritable": "in a folder that cannot be written to",
    "unpicklable": "with something in the optimizer that cannot be saved",
    "killed in a write": "killed when {:.2%} of the file is written",
    "killed at a call": "killed {:.2%} of the way through what it does to files",
}
ROOM = 1.3
"""A fault may come too late: this share of the file, or of the moments, stands for the largest number that is drawn."""


def _told_fault(fault: str, number: int) -> str:
    return "# " + FAULTS[fault].format(ROOM * number / 2**20)


def faulty_lines(lines: Lines, seed: int, fault: str, number: int) -> tuple[str, Lines]:
    """Save at step 1, and again at step 2 with a fault, as it would be typed."""
    return SAVE, [
        seeded(seed),
        *lines,
        "train(1)",
        f'save_checkpoint("{NAME}", {arguments(lines, 1)})',
        "train(1)",
        _told_fault(fault, number),
        f'save_checkpoint("{NAME}", {arguments(lines, 2)})',
        f'load_checkpoint("{NAME}", {arguments(lines)})',
    ]


@runs(faulty_lines, uses=(SAVE, LOAD), in_parts=True)
def saved_in_vain(parts: Parts, lines: Lines, seed: int, fault: str, number: int) -> Seen:
    """Save at step 1, and again at step 2 with a fault; then see what is left."""
    old, first = _saved_once(parts, lines, seed, WATCHING)
    became, ending = saved_with_fault(parts, at(lines, seed, "cpu", 2), {NAME: old}, NAME, fault, number, first)
    data = ending.files.get(NAME)
    files = {NAME: data} if data is not None else {}
    state = anew(lines, seed, "cpu")[0].state
    loaded = parts(scenarios.resume, lines, "cpu", state, NAME, 0, False, files=files).value
    return {"the save": became, "os.listdir()": listed(ending), "the old one": data == old, **_dict(loaded)}


def saved_with_fault(
    parts: Parts, run: Snapshot, files: Files, name: str, fault: str, number: int, like: Ending
) -> tuple[str, Ending]:
    """What becomes of a save into a folder with these files, and what it leaves.

    like: how a similar run was saved to NAME and watched without a fault. number is a share of its bytes or of its
    moments.
    """
    if fault == "unpicklable":
        ending = parts(scenarios.save_the_unpicklable, run.lines, run.state, name, files=files)
    else:
        struck = _fault(fault, ROOM * number / 2**20, like)
        ending = parts(scenarios.save, "cpu", [item(run, name)], files=files, fault=struck)
    return "killed" if ending.killed else "raised" if isinstance(ending.outcome, Error) else "returned", ending


def _fault(fault: str, share: float, like: Ending) -> Fault:
    if fault == "unwritable":
        return Fault(Kind.UNWRITABLE)
    if fault == "killed at a call":
        return Fault(Kind.KILLED, int(share * like.moments))
    size = len(like.files.get(NAME) or b"")
    return Fault(Kind.FULL if fault == "full" else Kind.KILLED_IN_WRITE, int(share * size))


# All together

Event = tuple[str, str, int]


def _story_lines(lines: Lines, seed: int, events: list[Event]) -> tuple[str, Lines]:
    told = [seeded(seed), *lines]
    for what, name, number in events:
        if what == "train":
            told.append(f"train({number})")
        elif what == "resume":
            told += ["# all made anew", f'load_checkpoint("{name}", {arguments(lines)})']
        elif what == "flipped":
            told.append(f"# one bit of {name} is flipped, {number / 2**20:.4%} of the way through")
        else:
            told += [_told_fault(what, number)] if what != "save" else []
            told.append(f'save_checkpoint("{name}", {arguments(lines, "step")})')
    return "", told


@runs(_story_lines, uses=(SAVE, LOAD), in_parts=True)
def story(parts: Parts, lines: Lines, seed: int, events: list[Event]) -> list[Seen]:
    """Train, save, damage, crash and resume; what each of these came to.

    Where there is no checkpoint to resume from, the run begins once more.
    """
    at_step = 0
    seen: list[Seen] = []
    files: dict[str, bytes | None] = {}
    like: Ending | None = None
    for what, name, number in events:
        if what == "train":
            at_step += number
        elif what == "save":
            ending = parts(scenarios.save, "cpu", [item(at(lines, seed, "cpu", at_step), name)], files=files)
            _needed(ending)
            files = dict(ending.files)
        elif what == "flipped":
            data = files.get(name)
            if data:
                files[name] = flip(data, number)
        elif what == "resume":
            into = item(anew(lines, seed, "cpu")[0], name)
            (result,) = results(parts(scenarios.load, "cpu", [into], files=files).value, 1)
            step = result.get("raised") or result.get("load_checkpoint")
            seen_of = states(result, "run") if type(step) is int else {}
            seen_of = {name: value for name, value in seen_of.items() if not name.startswith("gradients")}
            seen.append({"load_checkpoint": step, **seen_of})
            at_step = step if type(step) is int and 0 <= step < 100 else 0
        else:
            now = at(lines, seed, "cpu", at_step)
            like = like or parts(scenarios.save, "cpu", [item(now)], fault=WATCHING)
            became, ending = saved_with_fault(parts, now, files, name, what, number, like)
            seen.append({"the save": became})
            files = dict(ending.files)
    return seen
