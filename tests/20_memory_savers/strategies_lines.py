"""What hypothesis draws for kata 20 of operations that save, and that write."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import pick
from .strategies_names import Wrong

Line = tuple[str, ...]
Lines = list[Line]

SAVING = ("exp", "sin", "tanh", "square", "relu", "cos", "sigmoid")
SAVING_INPUT = ("sin", "square", "cos")
PLAIN = ("add", "mul", "neg")
WRITING = tuple(f"{name}_" for name in PLAIN)
WRITING_AND_SAVING = tuple(f"{name}_" for name in SAVING)
SAVING_WHAT_IT_WRITES = tuple(f"{name}_" for name in SAVING if name not in SAVING_INPUT)
UNKNOWN = ("sqrt", "exp__", "product_", "add__", "view_", "detach_", "Exp", "sin__", "_", "mul__", "", "sub")
TARGETS = tuple("yzuvw")
MANY_TARGETS = ("h", "", "h1", "y_", "X", "h2", "exp", "xx", "H", "y", "h10")


class Place(NamedTuple):
    """What a name stands for: which memory, whether it needs a gradient, whether it is a view."""

    memory: int
    needs: bool
    view: bool


LEAF = 0


class Typed:
    """Lines that torch runs, one after the other."""

    def __init__(self, targets: tuple[str, ...] = TARGETS) -> None:
        self.lines: Lines = []
        self.targets = targets
        self.places = {"x": Place(LEAF, True, False)}

    def add(self, draw: DrawFn) -> None:
        """One line more."""
        source = pick(draw, [*self.places][::-1])
        if pick(draw, (False, False, True)):
            pick(draw, (self.add_product, self.add_write_by_another_name))(draw)
            return
        place = self.places[source]
        kinds = ["saves", "writes", "saves", "writes", "view", "detach", "plain", "both"]
        kind = pick(draw, kinds)
        leaf = place.memory == LEAF and place.needs
        if kind in ("writes", "both") and leaf:
            kind = pick(draw, ("saves", "detach", "view"))
        # torch replaces the grad_fn of a view that is written to: what it saves then cannot be looked at
        if kind == "both" and place.needs and place.view:
            kind = "writes"
        if kind in ("writes", "both"):
            operation = pick(draw, WRITING if kind == "writes" else WRITING_AND_SAVING)
            around = pick(draw, ("nothing", "a write", "a save")) if kind == "both" else "nothing"
            if around == "a save":  # which is overwritten by what saves a copy, and by nothing else
                other = pick(draw, [name for name in self.targets if name != source])
                self.lines.append((other, pick(draw, SAVING_INPUT), source))
                self.places[other] = Place(len(self.lines), place.needs, False)
                operation = pick(draw, tuple(f"{name}_" for name in SAVING_INPUT))
            self.lines.append((source, operation, source))
            if around == "a write":  # a result and a copy that are saved differ by a write
                self.lines.append((source, pick(draw, WRITING), source))
            if kind == "writes" and pick(draw, (False,) * 9 + (True,)):
                self.lines += [(source, pick(draw, WRITING), source)] * 9
            return
        free = [name for name in self.targets if name not in self.places]
        target = pick(draw, (*free[:2], "x", source, *self.targets))
        index = len(self.lines) + 1
        if kind in ("view", "detach"):
            self.lines.append((target, kind, source))
            self.places[target] = Place(place.memory, place.needs and kind == "view", place.view or kind == "view")
        else:
            self.lines.append((target, pick(draw, SAVING if kind == "saves" else PLAIN), source))
            self.places[target] = Place(index, place.needs, False)

    def add_product(self, draw: DrawFn) -> None:
        """A product, often of one that needs a gradient and one that needs none, and a write to one of them."""
        first = pick(draw, [*self.places])
        others = [name for name, place in self.places.items() if place.needs != self.places[first].needs]
        mixed = pick(draw, (True, True, False))
        second = pick(draw, others if others and mixed else [*self.places])
        target = pick(draw, self.targets)
        needs = self.places[first].needs or self.places[second].needs
        self.lines.append((target, "product", first, second))
        self.places[target] = Place(len(self.lines), needs, False)
        written = pick(draw, (first, second, first, second, target))
        place = self.places[written]
        if not (place.memory == LEAF and place.needs):
            self.lines.append((written, pick(draw, WRITING), written))

    def add_write_by_another_name(self, draw: DrawFn) -> None:
        """An operation on a tensor, and a write to its memory by a name that shares it."""
        source = pick(draw, [*self.places][::-1])
        shared = pick(draw, ("view", "detach"))
        free = [name for name in self.targets if name != source]
        if shared == "view" and self.places[source].memory == LEAF and self.places[source].needs:
            leaf, (source, *free) = source, free
            self.lines.append((source, pick(draw, PLAIN), leaf))
            self.places[source] = Place(len(self.lines), True, False)
        place = self.places[source]
        other, target, *_ = free
        self.lines.append((other, shared, source))
        self.places[other] = Place(place.memory, place.needs and shared == "view", place.view or shared == "view")
        if place.memory != LEAF and not place.view and pick(draw, (False, True)):
            self.lines.append((source, pick(draw, SAVING_WHAT_IT_WRITES), source))
        else:
            of = pick(draw, (source, other))
            self.lines.append((target, pick(draw, SAVING), of))
            self.places[target] = Place(len(self.lines), self.places[of].needs, False)
        self.lines.append((other, pick(draw, WRITING), other))


def _uses(*operations: str) -> Callable[[Lines], bool]:
    return lambda lines: any(line[1] in operations for line in lines)


def _is_overwritten_by_a_copy(lines: Lines) -> bool:
    return any(
        first[1] in SAVING_INPUT and second[1].removesuffix("_") in SAVING_INPUT and second[0] == first[2]
        for first, second in itertools.pairwise(lines)
        if second[1].endswith("_")
    )


def _is_overwritten(lines: Lines, shared: str) -> bool:
    """Whether an operation saves the result that it writes, and a name that shares its memory is written to next."""
    return any(
        first[1:] == (shared, second[0])
        and second[1] in SAVING_WHAT_IT_WRITES
        and third[0] == first[0] != second[0]
        and third[1] in WRITING
        for first, second, third in zip(lines, lines[1:], lines[2:], strict=False)
    )


def _mixes(lines: Lines) -> bool:
    """Whether a product has a factor that is the result of `detach`, and one that is not."""
    detached = {line[0] for line in lines if line[1] == "detach"}
    return any(line[1] == "product" and len({line[2] in detached, line[3] in detached}) > 1 for line in lines)


def _written_name(lines: Lines, shared: str) -> bool:
    """Whether a name that was made by `view` or `detach` is written to."""
    made = {line[0] for line in lines if line[1] == shared}
    return any(line[1].endswith("_") and line[0] in made for line in lines)


@functools.cache
@classes(
    {
        "no lines": lambda lines: not lines,
        **{name: _uses(name) for name in (*SAVING, *PLAIN, "view", "detach", "product")},
        **{name: _uses(name) for name in WRITING},
        "writes and saves the result": _uses("exp_", "tanh_", "sigmoid_", "relu_"),
        "writes and saves a copy": _uses("sin_", "cos_", "square_"),
        "what was saved is overwritten by what saves a copy": _is_overwritten_by_a_copy,
        "what was saved in place is overwritten by a view": lambda lines: _is_overwritten(lines, "view"),
        "what was saved in place is overwritten by what is detached": lambda lines: _is_overwritten(lines, "detach"),
        "x is another tensor now": lambda lines: any(line[0] == "x" for line in lines),
        "a view is written to": lambda lines: _written_name(lines, "view"),
        "what is detached is written to": lambda lines: _written_name(lines, "detach"),
        "a product of what needs a gradient and what needs none": _mixes,
        "more than twenty lines": lambda lines: len(lines) > 20,
        "a name of several letters": lambda lines: any(len(line[0]) > 1 for line in lines),
        "nine writes at once": lambda lines: any(lines[n : n + 9] == [lines[n]] * 9 for n in range(len(lines))),
        "a product with itself": lambda lines: any(line[1] == "product" and line[2] == line[3] for line in lines),
    }
)
def programs() -> SearchStrategy[Lines]:
    """Lines that torch runs."""
    return _programs()


@st.composite
def _programs(draw: DrawFn) -> Lines:
    typed = Typed(pick(draw, (TARGETS, TARGETS, MANY_TARGETS)))
    for _ in range(pick(draw, (2, 4, 6, 8, 11, 14, 1, 0, 30))):
        typed.add(draw)
    return typed.lines


def _is_unknown_in_place(wrong: Wrong) -> bool:
    return "_' is no operation" in wrong.because and any(line[1] in UNKNOWN and line[0] != "x" for line in wrong.case)


@functools.cache
@classes(
    {
        "an unknown name": lambda wrong: "no name" in wrong.because,
        "an unknown operation": lambda wrong: "no operation" in wrong.because,
        "a _ too many": lambda wrong: "__' is no operation" in wrong.because,
        "an unknown operation with a _, not on the leaf": _is_unknown_in_place,
        "another target": lambda wrong: "its target" in wrong.because,
        "another target on the same memory": lambda wrong: "'o', and not" in wrong.because,
        "an unknown second factor": lambda wrong: any(
            line[1] == "product" and wrong.because.startswith(f"{line[3]!r} is no name") for line in wrong.case
        ),
        "a name that is given later": lambda wrong: (
            wrong.case[-1][1:] == ("neg", "x") and wrong.because == f"{wrong.case[-1][0]!r} is no name yet"
        ),
        "the name that its own line gives": lambda wrong: any(
            line[0] in line[2:] and line[1] != "add_" and wrong.because == f"{line[0]!r} is no name yet"
            for line in wrong.case
        ),
        "the leaf": lambda wrong: wrong.because.startswith("'x' is the leaf"),
        "a view of the leaf": lambda wrong: "a view of the leaf" in wrong.because,
        "lines behind it": lambda wrong: wrong.case[-1] == ("y", "neg", "x"),
    }
)
def no_programs() -> SearchStrategy[Wrong]:
    """Lines of which one cannot be run, and why."""
    return _no_programs()


@st.composite
def _no_programs(draw: DrawFn) -> Wrong:
    typed = Typed()
    for _ in range(pick(draw, (1, 2, 4, 0))):
        typed.add(draw)
    places = typed.places
    leaves = [name for name, place in places.items() if place.memory == LEAF and place.needs]
    kind = pick(draw, ("name", "operation", "target", "operation", "leaf", "leaf", "view", "factor", "target"))
    known = pick(draw, [*places][::-1])
    lines: Lines
    if kind == "operation":
        operation = pick(draw, UNKNOWN)
        target = "y"
        before: Lines = []
        if operation.endswith("_"):  # nothing but its name is wrong with it
            others = [name for name in places if name not in leaves]
            target = known = pick(draw, others) if others else "y"
            before = [] if others else [("y", "neg", pick(draw, [*places]))]
        lines, because = [*before, (target, operation, known)], f"{operation!r} is no operation"
    elif kind == "target":
        operation = pick(draw, (*WRITING, *WRITING_AND_SAVING))
        other = pick(draw, [name for name in "rxyzuvw" if name != known])
        lines, because = [(other, operation, known)], f"its target is {other!r}, and not {known!r}"
        if pick(draw, (False, True)):  # nothing but the name is wrong with it
            lines = [("r", "neg", known), ("o", pick(draw, ("view", "detach")), "r"), ("o", operation, "r")]
            because = "its target is 'o', and not 'r'"
    elif kind == "view" and leaves:
        between: Lines = [("s", "view", "t")] * draw(st.booleans())
        name = between[0][0] if between else "t"
        operation = pick(draw, (*WRITING, *WRITING_AND_SAVING))
        lines = [("t", "view", leaves[0]), *between, (name, operation, name)]
        because = f"{name!r} is a view of the leaf"
    elif kind in ("leaf", "view") and leaves:
        operation = pick(draw, (*WRITING, *WRITING_AND_SAVING))
        name = leaves[0]
        lines = [(name, operation, name)]
        because = "'x' is the leaf" if name == "x" else f"{name!r} is a view of the leaf"
    else:
        name = pick(draw, ("q", "X", "t"))
        operation = pick(draw, ("sin", "product", "view", "add_", "detach", "neg"))
        sources = pick(draw, ((known, name), (name, known))) if operation == "product" else (name,)
        if kind == "factor":
            operation, sources = "product", (known, name)
        target = name if operation == "add_" else pick(draw, ("y", name))
        lines, because = [(target, operation, *sources)], f"{name!r} is no name yet"
        lines += [(name, "neg", "x")] * pick(draw, (False, False, True))
    behind: Lines = [] if lines[-1][1:] == ("neg", "x") else pick(draw, ([], [("y", "neg", "x")]))
    return Wrong([*typed.lines, *lines, *behind], because)
