"""What hypothesis draws for kata 17 of traces: calls of threads, which nest, and kernels of streams, which overlap."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import integers, pick

Span = tuple[str, int, int, int]
"""Name, thread or stream, start and end."""

Spans = list[Span]

HORIZON, LATER = 30, 100
"""No tick is later than both together: an answer may go through all of them."""

PLACES = ((1, 2, 3), (1, 2, 3), (0, 1, 2), (140_735_000_001, 9, 1))
"""Numbers of threads and streams."""

CALLS = ("step", "forward", "backward", "gelu")


def pairs(spans: Spans) -> list[tuple[Span, Span]]:
    """Each two of them, both ways round, the one that is earlier in the list first, and then the others."""
    ahead = [(a, b) for at, a in enumerate(spans) for b in spans[at + 1 :]]
    return ahead + [(b, a) for a, b in ahead]


def some(holds: Callable[[Span, Span], object]) -> Callable[[Spans], bool]:
    """Whether there are two of which this holds."""
    return lambda spans: any(holds(a, b) for a, b in pairs(spans))


def around(a: Span, b: Span) -> bool:
    """Whether one call is around another one of its thread, and longer."""
    return a[1] == b[1] and a[2] <= b[2] < b[3] <= a[3] and a[2:] != b[2:]


def together(a: Span, b: Span) -> bool:
    """Whether there is a tick in both."""
    return max(a[2], b[2]) < min(a[3], b[3])


def recursive(spans: Spans) -> bool:
    """Whether a name is inside itself."""
    return some(lambda a, b: a[0] == b[0] and a[1] == b[1] and together(a, b))(spans)


@functools.cache
@classes(
    {
        "none": lambda calls: not calls,
        "a call in a call": some(around),
        "a call in a call in a call": lambda calls: any(
            around(a, b) and any(around(b, c) for c in calls) for a, b in pairs(calls)
        ),
        "two calls in a call": lambda calls: any(
            around(a, b) and around(a, c) and b[3] <= c[2] for a, b in pairs(calls) for c in calls
        ),
        "a name inside itself": recursive,
        "a name inside itself, another one between": lambda calls: any(
            around(a, b) and a[0] == b[0] and any(around(a, c) and around(c, b) and c[0] != a[0] for c in calls)
            for a, b in pairs(calls)
        ),
        "a name inside itself, starting or ending with it": some(
            lambda a, b: around(a, b) and a[0] == b[0] and (a[2] == b[2] or a[3] == b[3])
        ),
        "a name twice in a thread, apart": some(lambda a, b: a[:2] == b[:2] and a[2] < a[3] <= b[2] < b[3]),
        "a name in two threads at the same time": some(lambda a, b: a[0] == b[0] and a[1] != b[1] and together(a, b)),
        "the same name, start and end in two threads": some(
            lambda a, b: a[0] == b[0] and a[1] != b[1] and a[2:] == b[2:] and a[2] < a[3]
        ),
        "a call of another thread would be inside": some(
            lambda a, b: a[1] != b[1] and around((*a[:1], b[1], *a[2:]), b)
        ),
        "one starts where another one ends": some(lambda a, b: a[1] == b[1] and a[2] < a[3] == b[2] < b[3]),
        "the same start, and the shorter one is listed first": lambda calls: any(
            around(b, a) and a[2] == b[2] for at, a in enumerate(calls) for b in calls[at + 1 :]
        ),
        "the same end": some(lambda a, b: around(a, b) and a[3] == b[3] and a[2] < b[2]),
        "the same start and end, other names": some(lambda a, b: a[1:] == b[1:] and a[0] != b[0] and a[2] < a[3]),
        "many calls": lambda calls: len(calls) > 16,
        "thread 0": lambda calls: any(thread == 0 for _, thread, *_ in calls),
        "a thread with a large number": lambda calls: any(thread > 2**32 for _, thread, *_ in calls),
        "names that differ in case": lambda calls: (
            len({name for name, *_ in calls}) > len({name.lower() for name, *_ in calls})
        ),
        "a name of no letters": lambda calls: any(name == "" for name, *_ in calls),
        "late": lambda calls: any(start >= LATER for *_, start, _ in calls),
        "no time": lambda calls: any(start == end for *_, start, end in calls),
        "a name without time": lambda calls: any(
            all(start == end for other, _, start, end in calls if other == name) for name, *_ in calls
        ),
        "not in order": lambda calls: calls != sorted(calls, key=lambda call: call[2]),
    }
)
def traces() -> SearchStrategy[Spans]:
    """Calls of up to three threads, shuffled."""
    return _traces()


@st.composite
def _traces(draw: DrawFn) -> Spans:
    calls: Spans = []
    for thread in range(1, 1 + pick(draw, (2, 1, 3, 2, 1, 3, 2, 0))):
        kept = _begun(draw, thread, calls)
        for _ in range(pick(draw, (3, 4, 5, 5, 2, 1, 0, 9))):
            call = _call(draw, thread, kept)
            if all(_nested_or_apart(call, other) for other in kept):
                kept.append(call)
        calls += kept
    if pick(draw, (False, False, False, True)):
        calls = [(RENAMED[name][place % 2], at, start, end) for place, (name, at, start, end) in enumerate(calls)]
    return _elsewhere(draw, list(draw(st.permutations(calls))))


RENAMED = {"step": ("step", "step"), "forward": ("forward", "Forward"), "backward": ("", ""), "gelu": ("gelu", "Gelu")}
"""What a call of a name is called instead, at even places and at odd ones."""


def _elsewhere(draw: DrawFn, spans: Spans, later: int | None = None) -> Spans:
    """The same on other threads or streams, and maybe later."""
    places = pick(draw, PLACES)
    later = pick(draw, (0, 0, 0, LATER)) if later is None else later
    return [(name, places[place - 1], start + later, end + later) for name, place, start, end in spans]


def _begun(draw: DrawFn, thread: int, others: Spans) -> Spans:
    """Nothing; a name inside itself with another one between; two calls in a call; or the longest of another thread."""
    how = pick(draw, ("nothing", "nothing", "between", "nothing", "beside", *("alike", "alike") * bool(others)))
    if how == "nothing":
        return []
    if how == "alike":
        name, _, start, end = max(others, key=lambda call: call[3] - call[2])
        return [(name, thread, start, end)]
    marks = [thread, *(thread + mark for mark in (3, 5, 9, 12, 17))]
    if how == "between":
        spans = [("step", 0, 5), ("forward", 1, 4), ("step", 2, 3)]
    else:
        spans = [("step", 0, 5), ("forward", 1, 2), ("backward", 3, 4)]
    return [(name, thread, marks[first], marks[last]) for name, first, last in spans]


def _call(draw: DrawFn, thread: int, kept: Spans) -> Span:
    """A call somewhere, or one that has to do with one that is there: inside, behind it, just like it."""
    how = pick(
        draw, ("inside", "inside", "inside", "apart", "from its start", "to its end", "behind", "alike", "nothing")
    )
    at = len(kept) % len(CALLS)
    names = (*CALLS[at:], *CALLS[:at])
    if not kept or how == "apart":
        start = draw(integers(thread, HORIZON - 10, 0))
        return pick(draw, names), thread, start, min(start + draw(integers(9, 20, 0)), HORIZON)
    name, _, start, end = pick(draw, kept[::-1])
    name = pick(draw, (*names, name, name, pick(draw, kept)[0]))
    if how == "alike":
        return name, thread, start, end
    if how == "behind":
        return name, thread, end, min(end + draw(integers(3, 6)), HORIZON)
    first = start if how == "from its start" else min(start + draw(integers(2, 5)), end)
    room = end - first
    last = end if how == "to its end" else first + draw(integers(min(4, max(room - 1, 0)), room, 0))
    return name, thread, first, first if how == "nothing" else last


def _nested_or_apart(a: Span, b: Span) -> bool:
    return not (a[2] < b[2] < a[3] < b[3] or b[2] < a[2] < b[3] < a[3])


# Kernels

KERNELS = ("mm", "reduce", "reduce_scatter")
"""One of them begins with the name of another one."""

KINDS = {
    "none": lambda kernels: not kernels,
    "at the same time on two streams": some(lambda a, b: a[1] != b[1] and together(a, b)),
    "at the same time on one stream": some(lambda a, b: a[1] == b[1] and together(a, b)),
    "a short one and a long one from the same tick on, on one stream": some(
        lambda a, b: a[1] == b[1] and a[2] == b[2] < a[3] < b[3]
    ),
    "one within another": some(lambda a, b: a[2] < b[2] < b[3] < a[3]),
    "one behind another": some(lambda a, b: a[3] == b[2] < b[3]),
    "one within another, and a third before that ends": lambda kernels: any(
        a[2] < b[2] < b[3] < c[2] < a[3] for a, b in pairs(kernels) for c in kernels
    ),
    "a gap": lambda kernels: bool(_gaps(kernels)),
    "stream 0": lambda kernels: any(stream == 0 for _, stream, *_ in kernels),
    "a stream with a large number": lambda kernels: any(stream > 2**32 for _, stream, *_ in kernels),
    "many": lambda kernels: len(kernels) > 16,
    "late": lambda kernels: any(start >= LATER for *_, start, _ in kernels),
    "no time": lambda kernels: any(start == end for *_, start, end in kernels),
    "not in order": lambda kernels: kernels != sorted(kernels, key=lambda kernel: kernel[2]),
}


def _gaps(kernels: Spans) -> list[int]:
    """Ticks of nobody's, between the first and the last."""
    ticks = {tick for *_, start, end in kernels for tick in range(start, end)}
    return [tick for tick in range(min(ticks, default=0), max(ticks, default=0)) if tick not in ticks]


@st.composite
def _kernels(draw: DrawFn) -> Spans:
    kernels: Spans = []
    if pick(draw, (False, False, False, True)):  # one within a longer one, and another one before that ends
        first, short = draw(integers(4, 12, 0)), draw(integers(2, 5))
        after = first + 3 + short
        long = draw(integers(after + 4, after + 9, after + 1))
        kernels = [("mm", 1, first, long), ("reduce", 2, first + 1, first + 1 + short)]
        kernels.append(("reduce_scatter", 3, after, after + draw(integers(6, 9))))
    for _ in range(pick(draw, (draw(integers(4, 6, 0)),) * 9 + (20,))):
        at = len(kernels) % 7
        name, stream = pick(draw, (*KERNELS[at % 3 :], *KERNELS[: at % 3])), draw(integers(1 + at % 2, 3))
        start = draw(integers(2 + at, HORIZON - 2, 0))
        if pick(draw, (False, True)) and kernels:  # behind another one, within it, or from its start on
            _, beside, first, last = pick(draw, kernels)
            start, stream = pick(draw, ((last, stream), (min(first + 1, last), stream), (first, beside)))
        long, short = draw(integers(5 + at, 14, 0)), draw(integers(1, 4))
        length = pick(draw, (long, long, short, long, long, short, 0))
        kernels.append((name, stream, start, min(start + length, HORIZON)))
    return kernels


class Window(NamedTuple):
    """Kernels, and a window."""

    kernels: Spans
    start: int
    end: int


def _of_kernels(holds: Callable[[Spans], object]) -> Callable[[Window], object]:
    return lambda case: holds(case.kernels)


@functools.cache
@classes(
    {name: _of_kernels(holds) for name, holds in KINDS.items()}
    | {
        "from before the window": lambda case: any(first < case.start < last for *_, first, last in case.kernels),
        "to behind the window": lambda case: any(first < case.end < last for *_, first, last in case.kernels),
        "all of the window": lambda case: any(
            first <= case.start and case.end <= last for *_, first, last in case.kernels
        ),
        "before the window": lambda case: any(first < last <= case.start for *_, first, last in case.kernels),
        "behind the window": lambda case: any(case.end <= first < last for *_, first, last in case.kernels),
        "nothing in the window": lambda case: (
            case.kernels and not any(max(first, case.start) < min(last, case.end) for *_, first, last in case.kernels)
        ),
        "a window of one tick": lambda case: case.end == case.start + 1,
        "a long window": lambda case: case.end > case.start + 20,
        "a window from 0": lambda case: case.start == 0,
    }
)
def windows() -> SearchStrategy[Window]:
    """Kernels, and a window that cuts some of them."""
    return _windows()


@st.composite
def _windows(draw: DrawFn) -> Window:
    start = pick(draw, (*[draw(integers(3, 24))] * 7, 0))
    later = pick(draw, (0, 0, 0, LATER))
    kernels = _elsewhere(draw, draw(_kernels()), later)
    return Window(kernels, start + later, start + later + pick(draw, (draw(integers(16, 20)),) * 8 + (1, 48)))


@functools.cache
@classes(
    {
        "no time": lambda case: case.end == case.start,
        "an end before the start": lambda case: case.end < case.start,
        "no kernels": lambda case: not case.kernels,
    }
)
def no_windows() -> SearchStrategy[Window]:
    """Windows without a tick."""
    ends = st.one_of(st.just(0), st.integers(-5, -1))
    kernels: SearchStrategy[Spans] = st.one_of(_kernels(), _kernels(), st.just([]))
    return st.builds(lambda kernels, start, less: Window(kernels, start, start + less), kernels, integers(6, 9), ends)


class Exposed(NamedTuple):
    """Kernels, and a name."""

    kernels: Spans
    name: str


def _split(case: Exposed) -> tuple[Spans, Spans]:
    """Those of the name, and the others."""
    named = [kernel for kernel in case.kernels if kernel[0] == case.name]
    return named, [kernel for kernel in case.kernels if kernel[0] != case.name]


def _hidden(case: Exposed, holds: Callable[[Span, Span], bool]) -> bool:
    named, others = _split(case)
    return any(holds(one, other) for one in named for other in others)


@functools.cache
@classes(
    {name: lambda case, holds=holds: holds(case.kernels) for name, holds in KINDS.items()}
    | {
        "another name that ends in it": lambda case: any(
            kernel[0] != case.name and kernel[0].endswith(case.name) for kernel in _split(case)[1] if _split(case)[0]
        ),
        "another name but for case": lambda case: any(
            kernel[0].lower() == case.name.lower() for kernel in _split(case)[1] if _split(case)[0]
        ),
        "a name that does not occur": lambda case: case.kernels and not _split(case)[0],
        "a name of no letters": lambda case: case.name == "" and _split(case)[0],
        "that name alone": lambda case: case.kernels and not _split(case)[1],
        "two of that name at the same time": lambda case: some(together)(_split(case)[0]),
        "another one that takes no time, within": lambda case: _hidden(case, lambda a, b: a[2] < b[2] == b[3] < a[3]),
        "hidden on the same stream": lambda case: _hidden(case, lambda a, b: a[1] == b[1] and together(a, b)),
        "hidden in the middle": lambda case: _hidden(case, lambda a, b: a[2] < b[2] < b[3] < a[3]),
        "hidden at the start": lambda case: _hidden(case, lambda a, b: b[2] <= a[2] < b[3] < a[3]),
        "hidden at the end": lambda case: _hidden(case, lambda a, b: a[2] < b[2] < a[3] <= b[3]),
        "hidden as a whole": lambda case: _hidden(case, lambda a, b: b[2] <= a[2] < a[3] <= b[3]),
        "hidden by two at once": lambda case: any(
            _hidden(Exposed([one, a, b], case.name), lambda _, other: True) and together(one, a) and together(one, b)
            for one in _split(case)[0]
            for a, b in pairs(_split(case)[1])
            if together(a, b)
        ),
    }
)
def exposures() -> SearchStrategy[Exposed]:
    """Kernels, and a name that most often is among theirs."""
    return _exposures()


ALIKE = {"mm": ("mm", "MM"), "reduce": ("reduce", "all_reduce"), "reduce_scatter": ("Reduce", "reduce")}
"""What a kernel of a name is called instead, at even places and at odd ones."""

UNNAMED = {"mm": ("", "")}


@st.composite
def _exposures(draw: DrawFn) -> Exposed:
    kernels = _elsewhere(draw, draw(_kernels()))
    renamed = pick(draw, ({}, {}, ALIKE, UNNAMED))
    kernels = [
        (renamed.get(name, (name, name))[place % 2], at, start, end)
        for place, (name, at, start, end) in enumerate(kernels)
    ]
    names = [kernel[0] for kernel in kernels]
    return Exposed(kernels, pick(draw, (*names * 2, *[name for name in names if not name] * 3, "reduce", "broadcast")))
