"""What hypothesis draws for kata 20 of names: events in memory, and objects that refer to each other."""

from __future__ import annotations

import functools
import itertools
import random
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import integers, pick

Event = tuple[Any, ...]
Events = list[Event]
FEW_NAMES = tuple("abcd")
MANY_NAMES = ("a", "ab", "b", "A", "a1", "a2", "x", "new", "view", "a_", "grad", "b1", "")
WORDS = ("free", "NEW", "delete", "", "alias", "resize", "newer", "viewed")


LIKELY = ("delete", "newer", "viewed")
"""Words that begin with one that is known."""


class Memory:
    """Events that can happen, one after the other."""

    def __init__(self, names: tuple[str, ...] = FEW_NAMES) -> None:
        self.events: Events = []
        self.names = names
        self.alive: list[str] = []

    def happen(self, draw: DrawFn, huge: bool, only: str = "") -> None:
        """One event more."""
        free = [name for name in self.names if name not in self.alive]
        words = ["new"] * (2 * bool(free)) + ["view"] * bool(free and self.alive) + ["del"] * bool(self.alive)
        word = only if free and self.alive and only else pick(draw, words)
        if word == "del":
            name = pick(draw, self.alive)
            self.alive.remove(name)
            self.events.append(("del", name))
            return
        name = pick(draw, free)
        if word == "new":
            self.events.append(("new", name, _nbytes(draw, len(self.events), huge)))
        else:
            self.events.append(("view", name, pick(draw, self.alive)))
        self.alive.append(name)


def _nbytes(draw: DrawFn, place: int, huge: bool) -> int:
    if huge:
        return draw(st.integers(10**17, 10**18)) if pick(draw, (False, False, True)) else 10**18 - place
    return draw(integers(3 + place, 40, 0))


def _dies_late(events: Events) -> bool:
    """Whether a storage outlives the name that it was made under."""
    owner: dict[str, str] = {}
    for word, name, *rest in events:
        if word == "view":
            owner[name] = rest[0]
        if word == "del" and name in owner.values():
            return True
    return False


def _at_first(events: Events) -> int:
    """The bytes that are made before any name is deleted."""
    first = itertools.takewhile(lambda event: event[0] != "del", events)
    return sum(event[2] for event in first if event[0] == "new")


def _comes_again(events: Events) -> bool:
    gone = set()
    for word, name, *_ in events:
        if word == "del":
            gone.add(name)
        elif name in gone:
            return True
    return False


@functools.cache
@classes(
    {
        "no events": lambda events: not events,
        "a view": lambda events: any(event[0] == "view" for event in events),
        "a view of a view": lambda events: any(
            event[0] == "view" and event[2] in [other[1] for other in events[:place] if other[0] == "view"]
            for place, event in enumerate(events)
        ),
        "a storage outlives its first name": _dies_late,
        "a name is used again": _comes_again,
        "less at the end than before": lambda events: any(event[0] == "del" for event in events),
        "0 bytes": lambda events: any(event[0] == "new" and event[2] == 0 for event in events),
        "beyond what a float holds": lambda events: any(event[0] == "new" and event[2] > 2**53 for event in events),
        "beyond 64 bits": lambda events: _at_first(events) > 2**63,
        "more than 12 events": lambda events: len(events) > 12,
        "more than three names of one storage": lambda events: [event[0] for event in events[1:5]] == ["view"] * 4,
        "a name of several letters": lambda events: any(len(event[1]) > 1 for event in events),
    }
)
def events() -> SearchStrategy[Events]:
    """What can happen, in order."""
    return _events()


@st.composite
def _events(draw: DrawFn) -> Events:
    many = pick(draw, (False, False, True))
    memory = Memory(MANY_NAMES if many else FEW_NAMES)
    huge = pick(draw, (False, True) if many else (False, False, False, True))
    if many:
        words = pick(draw, (["new"] * 13, [""] * 12, ["new"] * 13, ["view"] * 6 + ["del"] * 4 + ["new"]))
        for word in words:
            memory.happen(draw, huge, word)
    for _ in range(pick(draw, (3, 5, 8, 11, 2, 1, 0))):
        memory.happen(draw, huge)
    return memory.events


class Wrong(NamedTuple):
    """What is refused, and why."""

    case: Any
    because: str


def _is_another_word_for_what_is_alive(wrong: Wrong) -> bool:
    place = next((place for place, event in enumerate(wrong.case) if event[0] in WORDS), 0)
    alive: set[str] = set()
    for word, name, *_ in wrong.case[:place]:
        (alive.discard if word == "del" else alive.add)(name)
    return wrong.case[place][1] in alive


def _begins_as_another(wrong: Wrong) -> bool:
    """Whether nothing but the end of a word is wrong."""
    return any(repr(word) in wrong.because for word in LIKELY)


def _gives_again_what_is_empty(wrong: Wrong) -> bool:
    empty = {event[1] for event in wrong.case if event[0] == "new" and event[2] == 0}
    return wrong.because[:9] in ("new under", "view unde") and any(repr(name) in wrong.because for name in empty)


@functools.cache
@classes(
    {
        "new under a name that is alive": lambda wrong: wrong.because.startswith("new under"),
        "view under a name that is alive": lambda wrong: wrong.because.startswith("view under"),
        "view of what is not alive": lambda wrong: wrong.because.startswith("view of"),
        "del of what is not alive": lambda wrong: wrong.because.startswith("del of"),
        "less than 0 bytes": lambda wrong: wrong.because.endswith("bytes"),
        "another word": lambda wrong: wrong.because.endswith("no event"),
        "another word for a name that is alive": _is_another_word_for_what_is_alive,
        "a word that begins as another does": _begins_as_another,
        "view of itself": lambda wrong: any(event[0] == "view" and event[1] == event[2] for event in wrong.case),
        "a name of 0 bytes is given again": _gives_again_what_is_empty,
        "something happens after it": lambda wrong: wrong.because[:3] not in repr(wrong.case[-1]),
    }
)
def no_events() -> SearchStrategy[Wrong]:
    """What cannot happen, and why: it happens behind other events, and others come behind it."""
    return _no_events()


@st.composite
def _no_events(draw: DrawFn) -> Wrong:
    memory = Memory()
    for _ in range(pick(draw, (2, 3, 4, 1, 5))):
        memory.happen(draw, huge=False)
    gone = [name for name in "abcdz" if name not in memory.alive]
    kinds = ["word", "negative", "view of", "del"] + ["new", "view", "likely"] * bool(memory.alive)
    kind = pick(draw, kinds)
    given_again = kind in ("new", "view") or (kind == "word" and memory.alive and pick(draw, (False, True)))
    name = pick(draw, memory.alive if given_again else gone)
    if kind in ("new", "view") and pick(draw, (False, False, True)):  # a storage of 0 bytes is there like any other
        name = pick(draw, gone)
        memory.events.append(("new", name, 0))
        memory.alive.append(name)
    event: Event
    if kind == "new":
        event, because = ("new", name, 5), f"new under {name!r}, which is alive"
    elif kind == "view":
        event, because = ("view", name, pick(draw, memory.alive)), f"view under {name!r}, which is alive"
    elif kind == "view of":
        event, because = ("view", pick(draw, ("y", name)), name), f"view of {name!r}, which is not alive"
    elif kind == "del":
        event, because = ("del", name), f"del of {name!r}, which is not alive"
    elif kind == "negative":
        nbytes = pick(draw, (-1, -8, -1000))
        event, because = ("new", name, nbytes), f"{nbytes} bytes"
    elif kind == "likely":
        word, other = pick(draw, LIKELY), pick(draw, memory.alive)
        event = {"delete": (word, other), "newer": (word, name, 5), "viewed": (word, name, other)}[word]
        because = f"{word!r} is no event"
    else:
        word = pick(draw, WORDS)
        event, because = (word, *pick(draw, ((name, 5), (name,)))), f"{word!r} is no event"
    behind: Events = pick(draw, ([], [("new", "t", 4), ("del", "t")], [("new", "u", 9)]))
    return Wrong([*memory.events, event, *behind], because)


class Objects(NamedTuple):
    """Objects that refer to each other, and those that are held."""

    references: dict[str, list[str]]
    held: list[str]


def _reached(references: dict[str, list[str]], starts: list[str]) -> set[str]:
    found: set[str] = set()
    left = list(starts)
    while left:
        for name in references[left.pop()]:
            if name not in found:
                found.add(name)
                left.append(name)
    return found


def _cyclic(case: Objects) -> set[str]:
    return {name for name in case.references if name in _reached(case.references, [name])}


def _is_far_behind(case: Objects) -> bool:
    """Whether something waits that no cycle refers to directly."""
    waiting = _cyclic(case) & _free(case)
    near = waiting.union(*(case.references[name] for name in waiting))
    return bool((_reached(case.references, sorted(waiting)) & _free(case)) - near)


def _free(case: Objects) -> set[str]:
    return case.references.keys() - {*case.held} - _reached(case.references, case.held)


@functools.cache
@classes(
    {
        "no objects": lambda case: not case.references,
        "nothing held": lambda case: case.references and not case.held,
        "refers to itself": lambda case: any(name in refs for name, refs in case.references.items()),
        "refers to one twice": lambda case: any(len(refs) > len({*refs}) for refs in case.references.values()),
        "a cycle that is held": lambda case: _cyclic(case) - _free(case),
        "a cycle that waits": lambda case: _cyclic(case) & _free(case),
        "no cycle, but behind one": lambda case: (
            _reached(case.references, sorted(_cyclic(case) & _free(case))) - _cyclic(case) & _free(case)
        ),
        "two steps behind a cycle": _is_far_behind,
        "before a cycle": lambda case: any(
            _cyclic(case) & _reached(case.references, [name])
            and name not in _reached(case.references, sorted(_cyclic(case) & _free(case)))
            for name in _free(case)
        ),
        "kept through others": lambda case: case.references.keys() - {*case.held} - _free(case),
        "named twice": lambda case: len(case.held) > len({*case.held}),
        "not in order": lambda case: [*case.references] != sorted(case.references),
        "more than six objects": lambda case: len(case.references) > 6,
        "more than twenty objects": lambda case: len(case.references) > 20,
    }
)
def objects() -> SearchStrategy[Objects]:
    """Up to six objects, or some dozens in chains and cycles."""
    return _all_objects()


@st.composite
def _all_objects(draw: DrawFn) -> Objects:
    return _chains(draw) if pick(draw, (False, False, False, False, True)) else draw(_objects())


def _chains(draw: DrawFn) -> Objects:
    """Chains and cycles of up to 30 objects, some of which lead to the next one."""
    rng = random.Random(draw(st.integers(0, 9999)))
    references: dict[str, list[str]] = {}
    begins: list[str] = []
    held: list[str] = []
    for letter in "aBcdEf"[: pick(draw, (4, 6, 2, 5, 1))]:
        length = rng.choice((1, 2, 3, 9, 15, 30))
        names = [f"{letter}{place}" for place in range(length)]
        references |= {name: [other] for name, other in itertools.pairwise(names)}
        references[names[-1]] = []
        turn = rng.choice((length - 1, length - 1, rng.randrange(length)))  # what comes behind it is on no cycle
        references[names[turn]] += [rng.choice(names[: turn + 1])] * rng.choice((0, 1, 1, 1))
        if begins and rng.random() < 0.3:
            references[rng.choice(names)].append(rng.choice(begins))
        begins.append(names[0])
        held += [rng.choice(names)] * rng.choice((0, 0, 0, 1, 2))
    shuffled = [*references]
    rng.shuffle(shuffled)
    return Objects({name: references[name] for name in shuffled}, held)


@st.composite
def _objects(draw: DrawFn) -> Objects:
    names = "abcdef"[: pick(draw, (2, 3, 4, 5, 6, 1, 0))]
    order = draw(st.permutations(list(names)))
    references = {name: [pick(draw, names) for _ in range(pick(draw, (1, 0, 2, 1, 0, 3)))] for name in order}
    held = [pick(draw, names) for _ in range(pick(draw, (0, 1, 0, 1, 2, 3)))] if names else []
    return Objects(references, held)


@functools.cache
@classes(
    {
        "held": lambda wrong: "held" in wrong.because,
        "referred to": lambda wrong: "refer" in wrong.because,
        "by what is not held": lambda wrong: "refer" in wrong.because and not wrong.case.held,
    }
)
def no_objects() -> SearchStrategy[Wrong]:
    """Objects of which one is not there."""
    return _no_objects()


@st.composite
def _no_objects(draw: DrawFn) -> Wrong:
    case = draw(_objects())
    name = pick(draw, ("z", "g", "", "A"))
    by_an_object = pick(draw, (True, False))
    if case.references and by_an_object:
        owner = pick(draw, [*case.references])
        references = {**case.references, owner: [*case.references[owner], name]}
        return Wrong(Objects(references, case.held), f"{owner!r} refers to {name!r}, which is no key")
    held = draw(st.permutations([*case.held, name]))
    return Wrong(Objects(case.references, held), f"{name!r} is held, and no key")
