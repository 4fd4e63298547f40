"""Turn records into misconceptions to be filled in. Run: python -m tests.strength.harvest FILE

FILE is what `pytest katas --record FILE` wrote. Fill in what is printed, put it into the kata's misconceptions.py, and
run the command again. A record that a misconception now explains gets one line that says so.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dojo.catalog import Kata, katas
from dojo.grade.jail.payload import scenarios
from dojo.judging.diagnose import solution, with_variant
from dojo.judging.explain import explanations
from dojo.judging.gates import original
from dojo.judging.naming import ENOUGH, named
from dojo.report.sanitize import line as sanitized
from dojo.seam import json_codec
from dojo.seam.data import ROUNDING, Error, same, shown
from dojo.seam.seam import Call, Stopped

SHOWN = 16
"""How many lines of wrong calls a skeleton shows, the shortest calls first; and half as many of right ones."""


@dataclass(frozen=True)
class Record:
    """The calls and answers, in one run, of the functions of a kata that are judged together."""

    kata: str
    functions: tuple[str, ...]
    calls: tuple[Call, ...]


Beside = dict[tuple[str, tuple[str, ...]], tuple[Call, object]]
"""Calls by how they are typed, each with what is right."""


def main(path: Path) -> None:
    """Print a skeleton for each mistake whose records no misconception explains."""
    mistakes: list[tuple[Kata, str, Beside]] = []
    for record in read(path):
        kata = katas()[record.kata]
        about = record.functions[0]
        function = about if len(record.functions) == 1 else ""
        found = explanations(kata, function, record.calls, record.functions)
        if beliefs := named([found or []]):
            words = " and ".join(belief for belief, _ in beliefs)
            print(f"# {record.kata} · {', '.join(record.functions)}: {words!r} explains it by now")
            continue
        beside = {(call.written, call.setup): (call, right_answer(kata, about, call)) for call in record.calls}
        for other_kata, other_about, other in mistakes:
            if (other_kata, other_about) == (kata, about) and alike(beside, other):
                other.update(beside)
                break
        else:
            mistakes.append((kata, about, beside))
    for mistake in mistakes:
        print("\n".join(skeleton(*mistake)))


def read(path: Path) -> Iterator[Record]:
    """Yield the records of a file. Raise ValueError, which names the line, if one is not a record."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found = json.loads(line)
            kata = katas()[found["kata"]]
            functions = tuple(name for name in found["functions"] if kata.functions[name])
            yield Record(kata.slug, functions, tuple(map(_call, found["calls"])))
        except (ValueError, KeyError, TypeError, AttributeError, ImportError) as error:
            raise ValueError(f"{path}:{number} is no record: {type(error).__name__}: {error}") from error


def _call(found: dict[str, Any]) -> Call:
    args, named = json_codec.decode(found["args"]), json_codec.decode(found["named"])
    scenario = _scenario(found["scenario"]) if found["scenario"] is not None else None
    outcome, setup = json_codec.decode(found["came"]), tuple(found["where"])
    return Call(found["function"], found["call"], setup, outcome, scenario, tuple(args), named)


def _scenario(name: str) -> Any:
    """Return a scenario of tests/. Raise ValueError for any other name in the file."""
    module, _, function = name.partition(":")
    every = katas().values()
    programs = [kata.part(path.stem) for kata in every for path in kata.judge.glob("programs_*.py")]
    if module not in [*scenarios(list(every)), *programs]:
        raise ValueError(f"{name} is no scenario")
    found = getattr(importlib.import_module(module), function)
    if not hasattr(found, "typed"):
        raise ValueError(f"{name} is no scenario")
    return found


def alike(one: Beside, other: Beside) -> bool:
    """Return whether two records may show one mistake: they answer shared calls alike, at least one of them wrong."""
    both = [(one[key][0], other[key][0], one[key][1]) for key in one.keys() & other.keys()]
    return all(mine.same_outcome(its) for mine, its, _ in both) and any(
        not agree(mine, right) for mine, _, right in both
    )


def skeleton(kata: Kata, about: str, beside: Beside) -> Iterator[str]:
    """Yield the lines of a misconception about a function, with the recorded answers but no belief yet."""
    by_length = sorted(beside.values(), key=lambda pair: len(pair[0].written) + len("".join(pair[0].setup)))
    wrong = [(call, right) for call, right in by_length if not agree(call, right)]
    right = [(call, right) for call, right in by_length if agree(call, right)]
    answer = getattr(solution(kata.slug), about)
    yield f"\n\n# {kata.slug} · {about}: {len(wrong)} of {len(beside)} calls are wrong"
    if len(beside) < ENOUGH:
        yield f"# fewer than {ENOUGH} calls are never diagnosed"
    yield f'@believes("what they believe, in one sentence", about="{about}")'
    if inspect.isclass(answer):
        yield f"class NameOfTheMistake(solved.{about}):"
    else:
        names = inspect.signature(answer).parameters.values()
        yield f"def name_of_the_mistake({', '.join(str(name.replace(annotation=name.empty)) for name in names)}):"
    yield '    """What is so, in one or two sentences."""'
    yield from commented([said(*pair) for pair in wrong], SHOWN)
    yield from commented([said(*pair) for pair in right], SHOWN // 2)
    if not inspect.isclass(answer):
        passed = ", ".join(("*" if name.kind == name.VAR_POSITIONAL else "") + name.name for name in names)
        yield f"    return solved.{about}({passed})"


def right_answer(kata: Kata, about: str, call: Call) -> object:
    """Return the answer of the solution to the same call."""
    seam = with_variant(kata, original(kata, about))
    with contextlib.suppress(Stopped):
        call.again(seam)
    return seam.calls[-1].outcome


def agree(call: Call, right: object) -> bool:
    """Return whether a call gave the right answer, or raised the right error."""
    if isinstance(call.outcome, Error) and isinstance(right, Error):
        return call.outcome.name == right.name
    return same(call.outcome, right, ROUNDING)


def commented(calls: list[list[str]], most: int) -> Iterator[str]:
    """Yield the lines of the first calls as comments, until there are enough."""
    shown_so_far = 0
    for lines in calls:
        if shown_so_far >= most:
            break
        yield from (f"    # {sanitized(line)}" for line in lines)
        shown_so_far += len(lines)


def said(call: Call, right: object) -> list[str]:
    """Return the lines of a call, its outcome, and the right answer."""
    if agree(call, right):
        came = f"gives {told(call.outcome)}, as it should"
    else:
        got, want = map(told, apart(call.outcome, right))
        came = f"gives {got}, and {want} is right"
    return [*call.setup, *call.written.split("\n"), f"    {came}"]


def apart(got: object, right: object) -> tuple[object, object]:
    """Return the first parts in which two dicts or lists differ, or else both results whole."""
    if isinstance(got, dict) and isinstance(right, dict) and got.keys() == right.keys():
        differing = [name for name in got if not same(got[name], right[name], ROUNDING)]
        return ({name: got[name] for name in differing[:1]}, {name: right[name] for name in differing[:1]})
    if isinstance(got, list) and isinstance(right, list) and len(got) == len(right):
        return next(
            (apart(mine, its) for mine, its in zip(got, right, strict=True) if not same(mine, its, ROUNDING)),
            (got, right),
        )
    return got, right


def told(outcome: object) -> str:
    """Return a result, or the name of an error, as a short text."""
    text = outcome.name if isinstance(outcome, Error) else shown(outcome)
    return text if len(text) <= 90 else f"{text[:90]}…"


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():
        sys.exit("python -m tests.strength.harvest FILE, where FILE is what pytest katas --record FILE wrote")
    try:
        main(Path(sys.argv[1]))
    except ValueError as error:
        sys.exit(str(error))
