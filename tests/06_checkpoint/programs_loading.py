"""Files that are loaded or looked for: whole checkpoints, and whatever else may lie there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from dojo.seam.data import same, shown
from dojo.seam.parts import Parts
from dojo.seam.scenario import runs

from . import scenarios
from .checkpoints import (
    LOAD,
    SAVE,
    Pair,
    Seen,
    along,
    anew,
    arguments,
    differences,
    item,
    pair,
    prepared,
    results,
    saved_evil,
    seeded,
    states,
    without_schedule,
)
from .damage import WHOLE, Bytes, Evil, evil_member, evil_pickle, evil_torch, laid, spread, told_damage
from .scenarios import NAME
from .training import TABLE, Lines, Snapshot

REFUSED = "raises CheckpointError"


@dataclass(frozen=True)
class _Case:
    """A file that is loaded into a run.

    told: what it is, in words. into: the run. whole: the run that the file holds, None where it has to be refused.
    """

    told: str
    name: str
    into: Pair
    whole: Pair | None = None


def _first_that_is_wrong(parts: Parts, device: str, files: dict[str, Bytes], cases: list[_Case]) -> Seen:
    """Load each case, and return what the first wrong one did, or that all went right."""
    ending = parts(scenarios.load, device, [item(case.into[0], case.name) for case in cases], files=files)
    for case, result in zip(cases, results(ending.value, len(cases)), strict=True):
        became = _became(case.name, files, ending.files)
        seen, right = _judged(case, result, _flag(case.name) in ending.files, became)
        if seen != right:
            return {"case": case.told, "seen": seen, "right": right}
    return {"case": "", "seen": {}, "right": {}}


AS_IT_WAS = "is as it was"


def _became(name: str, before: Mapping[str, Bytes], after: Mapping[str, Bytes]) -> str:
    """What has become of a file, in words that begin with a verb."""
    if (name in before, before.get(name)) == (name in after, after.get(name)):
        return AS_IT_WAS
    return "has changed" if name in after else "is gone"


def _flag(name: str) -> str:
    """What the code in an evil file makes."""
    return f"made by {name}"


def _judged(case: _Case, result: Seen, ran: bool, became: str) -> tuple[Seen, Seen]:
    """What is seen of a load, and what should be: texts that begin with a verb, or a list of expressions."""
    load, outcome = f'load_checkpoint("{case.name}")', result.get("raised")
    outcome = outcome or f"returns {shown(result.get('load_checkpoint'))}"
    named, code = "has the path in it", "was not run"
    seen: Seen = {f"the code in {case.name}": "was run" if ran else code, f"after {load}, {case.name}": became}
    right: Seen = {f"the code in {case.name}": code, f"after {load}, {case.name}": AS_IT_WAS}
    if case.whole is None:
        should, wanted, differs = REFUSED, case.into, f"changed by {load}"
        has_path = result.get("the path in its message") is True
        seen[f"the message of {load}"] = named if has_path or outcome != should else "does not have the path in it"
        right[f"the message of {load}"] = named
    else:
        should, wanted, differs = f"returns {case.whole[0].step}", case.whole, f"not as it was saved after {load}"
        gradients, others = f"the gradients after {load}", "are not those of the saved run"
        seen[gradients] = "are those of the saved run" if _restores_gradients(result, case) else others
        right[gradients] = others
    # Whether a load leaves the gradients alone is open: the next step makes its own.
    found = differences(result, wanted, gradients=case.whole is None) if outcome == should else []
    return {load: outcome, **seen, differs: found}, {load: should, **right, differs: []}


def _restores_gradients(result: Seen, case: _Case) -> bool:
    """Whether the run has all the gradients that the saved one had, and did not have them before."""
    saved, before, now = case.whole[0].seen if case.whole else {}, case.into[0].seen, states(result, "run")
    had = {name: value for name, value in saved.items() if name.startswith("gradients") and value is not None}
    return any(not same(before[name], value) for name, value in had.items()) and all(
        same(now.get(name), value) for name, value in had.items()
    )


def _refused_lines(lines: Lines, seed: int, cases: list[tuple[str, int]], device: str) -> tuple[str, Lines]:
    names = [f"{place}.ckpt" for place in range(len(cases))]
    told = [seeded(seed), *lines]
    for place, name in enumerate(names):
        told += ["train(1)", f'save_checkpoint("{name}", {arguments(lines, place + 1)})']
    told.append("# in another process, all made anew for each")
    for name, (kind, number) in zip(names, cases, strict=True):
        told += [f"# {told_damage(name, kind, number)}", f'load_checkpoint("{name}", {arguments(lines)})']
    return LOAD, told


@runs(_refused_lines, uses=(SAVE, LOAD), in_parts=True)
def damaged_or_whole(parts: Parts, lines: Lines, seed: int, cases: list[tuple[str, int]], device: str) -> Seen:
    """Save after each step, and load what is whole, and what is damaged. No two files hold the same."""
    runs_of = along(lines, seed, device, len(cases) + 1)
    names = [f"{place}.ckpt" for place in range(len(cases))]
    items = [item(run, name) for name, run in zip(names, runs_of, strict=False)]
    whole = prepared(parts, device, *items)
    left: dict[str, Bytes] = {}
    for name, case in zip(names, cases, strict=True):
        left |= laid(name, whole[name], *case)
    return _first_that_is_wrong(
        parts,
        device,
        left,
        [
            _Case(
                told_damage(name, kind, number),
                name,
                anew(lines, seed, device, 1),
                two if kind == WHOLE else None,
            )
            for name, two, (kind, number) in zip(names, pairwise(runs_of), cases, strict=True)
        ],
    )


BITS = (160, 128, 32)
"""How many bits of the first bytes, of the last ones, where a digest may stand, and of all of them are flipped."""
FEWER = (16, 16, 16)
"""The same for a large file, which takes longer to read."""


def _bits(lines: Lines) -> tuple[int, int, int]:
    return FEWER if lines[0].endswith(TABLE) else BITS


def _in_turn_lines(lines: Lines, seed: int, number: int, device: str) -> tuple[str, Lines]:
    load = f'load_checkpoint("{NAME}", {arguments(lines)})'
    return LOAD, [
        seeded(seed),
        *lines,
        "train(1)",
        f'save_checkpoint("{NAME}", {arguments(lines, 1)})',
        "# in another process, all made anew before each load",
        load,
        f"# one bit of {NAME} is flipped, and each time another one",
        f"for flip in range({sum(_bits(lines))}):",
        f"    {load}",
        f"# {NAME} is as it was saved",
        load,
    ]


def _pair_of(value: object) -> list[object]:
    """What became of two loads, if that is what was told."""
    return value if isinstance(value, list) and len(value) == 2 else [{}, {}]


@runs(_in_turn_lines, uses=(SAVE, LOAD), in_parts=True)
def flipped_in_turn(parts: Parts, lines: Lines, seed: int, number: int, device: str) -> Seen:
    """Load a checkpoint with one bit flipped, for many bits in turn, and then the whole one."""
    run, into = pair(lines, seed, device, 1), anew(lines, seed, device, 1)
    files = prepared(parts, device, item(run[0]))
    bits = spread(files[NAME], number, _bits(lines))
    (told,) = results([parts(scenarios.load_flipped, device, item(into[0]), bits, files=files).value], 1)
    case, load = _Case("", NAME, into, run), f'load_checkpoint("{NAME}")'
    first, again = (
        _judged(case, one if isinstance(one, dict) else {}, False, AS_IT_WAS) for one in _pair_of(told.get("whole"))
    )
    for seen, right in (first, again):
        if seen != right:
            return {"case": "", "seen": seen, "right": right}
    tried = told.get("tried")
    tried = tried if isinstance(tried, dict) else {}
    bit = tried.get("bit")
    which = f"with bit {bit % 8} of byte {bit // 8} flipped" if type(bit) is int else "with one bit flipped"
    seen, right = _judged(_Case("", NAME, into), tried, False, AS_IT_WAS)
    told_of = {name: name.replace(load, f"{load} {which}") for name in right}
    return {
        "case": which,
        "seen": {told_of.get(name, name): value for name, value in seen.items()},
        "right": {told_of[name]: value for name, value in right.items()},
    }


EVIL = {
    WHOLE: "{} is as it was saved",
    "pickle": "{} is a pickle that would run code",
    "torch.save": "{} is a file of torch.save that would run code",
    "legacy": "{} is an old file of torch.save that would run code",
    "member": "the pickle inside {} is another one, which would run code",
    "optimizer": "{} was saved with an optimizer that would run code",
    "schedule": "{} was saved with a schedule that would run code",
}


def _run_lines(lines: Lines, seed: int, cases: list[tuple[str, int]], device: str) -> tuple[str, Lines]:
    told = [seeded(seed), *lines, "train(1)", f'save_checkpoint("{NAME}", {arguments(lines, 1)})']
    for place, (kind, _) in enumerate(cases):
        name = f"{place}.ckpt"
        told += [f"# {EVIL[kind].format(name)}", f'load_checkpoint("{name}", {arguments(lines)})']
    return LOAD, told


@runs(_run_lines, uses=(SAVE, LOAD), in_parts=True)
def evil_or_whole(parts: Parts, lines: Lines, seed: int, cases: list[tuple[str, int]], device: str) -> Seen:
    """Load files that would run code, and whole checkpoints among them."""
    run = pair(lines, seed, device, 1)
    whole = prepared(parts, device, item(run[0]))[NAME]
    files: dict[str, Bytes] = {}
    loaded = []
    for place, (kind, number) in enumerate(cases):
        name = f"{place}.ckpt"
        files[name] = _evil(parts, device, run[0], whole, kind, Evil(_flag(name), number))
        into = anew(lines, seed, device, 1)
        loaded.append(_Case(EVIL[kind].format(name), name, into, run if kind == WHOLE else None))
    return _first_that_is_wrong(parts, device, files, loaded)


def _evil(parts: Parts, device: str, run: Snapshot, whole: bytes, kind: str, evil: Evil) -> bytes:
    plainly: dict[str, Callable[[], bytes]] = {
        WHOLE: lambda: whole,
        "pickle": lambda: evil_pickle(evil),
        "torch.save": lambda: evil_torch(evil),
        "legacy": lambda: evil_torch(evil, legacy=True),
        "member": lambda: evil_member(whole, evil),
    }
    if kind in plainly:
        return plainly[kind]()
    return saved_evil(parts, device, item(run), evil, kind) or evil_pickle(evil)  # who refuses to save it refuses this


def _mixed_lines(pairs: list[tuple[str, Lines, Lines]], seed: int, device: str) -> tuple[str, Lines]:
    told = [seeded(seed)]
    for place, (kind, lines, other) in enumerate(pairs):
        name = f"{place}.ckpt"
        told += [*lines, "train(1)", f'save_checkpoint("{name}", {arguments(lines, 1)})']
        told += [f"# elsewhere: {FITS[kind]}", *other, f'load_checkpoint("{name}", {arguments(other)})']
    return LOAD, told


FITS = {
    "fits": "the same run",
    "schedule": "a run with a schedule, which the file does not hold",
    "a schedule less": "the same run, without the schedule in the file",
    "wider": "a wider model",
    "longer": "a model with a layer more",
    "shorter": "a model with a layer less",
    "norm": "a model with a norm more, or less",
    "outputs": "a model with other outputs",
    "dimensions": "a model with as many elements in other dimensions",
    "bias": "a model without a bias",
    "names": "a model with the same shapes under other names",
    "buffers": "a model with buffers more, or less",
    "buffers more": "a model with buffers more, after all else",
    "buffers less": "a model with buffers less, after all else",
    "groups": "an optimizer with another number of groups",
    "group sizes": "an optimizer with as many groups of other sizes",
    "group order": "an optimizer with its groups in another order",
    "a group more": "an optimizer with a group more, or less, at the end",
    "a prefix": "a model with the same names, but for a prefix",
}


@runs(_mixed_lines, uses=(SAVE, LOAD), in_parts=True)
def another_run_or_the_same(parts: Parts, pairs: list[tuple[str, Lines, Lines]], seed: int, device: str) -> Seen:
    """Save runs, and load each checkpoint into the same run, or into another one that it does not fit."""
    runs_of = [pair(lines, seed + place, device, 1) for place, (_, lines, _) in enumerate(pairs)]
    names = [f"{place}.ckpt" for place in range(len(pairs))]
    items = [item(run[0], name) for name, run in zip(names, runs_of, strict=True)]
    return _first_that_is_wrong(
        parts,
        device,
        {**prepared(parts, device, *items)},
        [
            _Case(
                FITS[kind],
                name,
                anew(other, seed, device, 1),
                _taken(kind, run, other, device),
            )
            for place, (name, run, (kind, _, other)) in enumerate(zip(names, runs_of, pairs, strict=True))
        ],
    )


def _taken(kind: str, run: Pair, into: Lines, device: str) -> Pair | None:
    """What a run has to take from the file of another one, None if it has to refuse it."""
    if kind == "a schedule less":
        return without_schedule(into, device, run[0])
    return run if kind == "fits" else None
