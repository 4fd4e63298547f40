"""What hypothesis draws for kata 10 of streams: batches that are fetched, and rows of several documents."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import pick


class Source(NamedTuple):
    """Lines that hand out batches of a source that notes what is taken, and the batches that should come."""

    lines: Lines
    batches: list[Any]
    endless: bool


@functools.cache
@classes(
    {
        "no batch": lambda case: not case.batches,
        "one batch": lambda case: len(case.batches) == 1,
        "two batches": lambda case: len(case.batches) == 2,
        "without end": lambda case: case.endless,
        "None among them": lambda case: None in case.batches,
        "the same twice": lambda case: len(set(case.batches)) < len(case.batches),
        "an iterator of another kind": lambda case: "(source())" not in case.lines[-3],
        "batches that take a while": lambda case: WAITS in case.lines,
    }
)
def sources() -> SearchStrategy[Source]:
    """Sources of a few batches, or of more than are ever asked for."""
    return _sources()


@st.composite
def _sources(draw: DrawFn) -> Source:
    if pick(draw, (False, False, False, True)):
        count = draw(st.integers(1, 6))
        made = [
            "def source():",
            "    for number in range(100):",
            "        taken.append(number)",
            "        yield 10 * number",
        ]
        made.append('    raise RuntimeError("100 batches were taken")')
        asked, batches = f"(next(ready), len(taken)) for _ in range({count})", [10 * number for number in range(count)]
    else:
        batches = draw(
            st.lists(st.one_of(st.integers(1, 9), st.sampled_from((0, None, False))), min_size=0, max_size=7)
        )
        batches = batches[: pick(draw, (3, 2, 7, 1, 7))]
        made = ["def source():", f"    for batch in {batches}:", "        taken.append(batch)", "        yield batch"]
        count, asked = 0, "(batch, len(taken)) for batch in ready"
    if pick(draw, (False, True)):
        made.insert(2, WAITS)
    given = pick(draw, ("source()", "source()", "map(lambda batch: batch, source())", "itertools.chain(source(), [])"))
    lines = [
        "taken = []",
        *made,
        f"ready = prefetch({given})",
        "begun = len(taken)",
        f"seen = [{asked}]",
    ]
    return Source(lines, batches, bool(count))


WAITS = "        time.sleep(0.0005)"
"""In which another thread runs: whoever hands out a batch meanwhile does so too early."""


class Listed(NamedTuple):
    """Batches as they are typed, what is seen of those that come, and what that should be."""

    batches: str
    seen: str
    right: list[Any]


@functools.cache
@classes(
    {
        "no batch": lambda case: not case.right,
        "one batch": lambda case: len(case.right) == 1,
        "None among them": lambda case: "None" in case.batches,
        "-1 among them": lambda case: "-1" in case.batches,
        "an empty tuple or list among them": lambda case: "()" in case.batches or "[]" in case.batches[1:-1],
        "arrays": lambda case: "np.arange" in case.batches,
        "tensors": lambda case: "torch.arange" in case.batches,
        "the same objects": lambda case: " is " in case.seen,
        "asked by next, and again after the end": lambda case: case.seen == AGAIN,
        "two at once": lambda case: case.seen.count("prefetch") == 2,
    }
)
def lists_of_batches() -> SearchStrategy[Listed]:
    """Batches in a list, which is no iterator."""
    return _lists_of_batches()


@st.composite
def _lists_of_batches(draw: DrawFn) -> Listed:
    kind = pick(draw, ("", "", "is", "np", "", "torch", "is", ""))
    if kind == "is":
        batches = draw(st.lists(st.sampled_from(OBJECTS), min_size=2, max_size=4))
        same = "[got is batch for got, batch in itertools.zip_longest(prefetch(batches), batches)]"
        return Listed(f"[{', '.join(batches)}]", same, [True] * len(batches))
    if not kind:
        known: SearchStrategy[Any] = st.one_of(
            st.integers(1, 9), st.sampled_from((None, -1, (), [], 0, "", (1, 2))), st.sampled_from((-1, (), None))
        )
        batches = draw(st.lists(known, max_size=5))
        seen = pick(draw, ("list(prefetch(batches))", "list(zip(prefetch(batches), prefetch(batches)))", AGAIN))
        return Listed(str(batches), seen, [(one, one) for one in batches] if "zip" in seen else batches)
    sizes = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    made = f"[{', '.join(f'{kind}.arange({size})' for size in sizes)}]"
    return Listed(made, "[batch.tolist() for batch in prefetch(batches)]", [list(range(size)) for size in sizes])


OBJECTS = ("[1, 2]", "...", "np.arange(3)", '{"x": 1}', "...", "torch.arange(2)")
"""Batches of which a copy is another object, and one that some take for a mark of the end."""


AGAIN = "[*itertools.islice(ready := prefetch(batches), 1), *ready, *ready]"
"""The first batch by next(), the others in a loop, and none in a second loop."""


class Documents(NamedTuple):
    """A row of tokens, so many times one after the other, and the one that ends a document."""

    once: list[int]
    eos: int
    times: int = 1

    @property
    def tokens(self) -> list[int]:
        """The whole row."""
        return self.once * self.times

    @property
    def lines(self) -> Lines:
        """As they are made."""
        again = f".repeat({self.times})" if self.times > 1 else ""
        made = f"tokens = torch.tensor({self.once}, dtype=torch.int64){again}"
        return [made, f"mask = document_mask(tokens, {self.eos})"]


@functools.cache
@classes(
    {
        "no token": lambda case: not case.tokens,
        "one token": lambda case: len(case.tokens) == 1,
        "no end": lambda case: case.tokens and case.eos not in case.tokens,
        "an end in the middle": lambda case: case.eos in case.tokens[1:-1],
        "an end at the end": lambda case: case.tokens and case.tokens[-1] == case.eos,
        "an end at the beginning": lambda case: case.tokens and case.tokens[0] == case.eos,
        "an empty document": lambda case: any(
            a == b == case.eos for a, b in zip(case.tokens, case.tokens[1:], strict=False)
        ),
        "three documents": lambda case: case.tokens[:-1].count(case.eos) > 1,
        "a token twice in a document": lambda case: (
            len(set(case.tokens)) < len(case.tokens) - case.tokens.count(case.eos)
        ),
        "an end that is not 0": lambda case: case.eos,
        "more documents than 8 bits count": lambda case: case.tokens.count(case.eos) > 2**8,
        "another token that float32 takes for the end": lambda case: case.eos > 2**32 and case.eos + 1 in case.once,
        "another token that 32 bits take for the end": lambda case: (
            case.eos > 2**32 and any(token != case.eos and token == case.eos % 2**32 for token in case.once)
        ),
    }
)
def documents() -> SearchStrategy[Documents]:
    """Rows of up to nine tokens, many of which end a document, or of some hundred documents."""
    return _documents()


@st.composite
def _documents(draw: DrawFn) -> Documents:
    eos = pick(draw, (0, 50256, 5, 1, 2**32 + 6, 2**32 + 6))
    if draw(st.integers(0, 9)) == 9:
        return Documents(draw(st.permutations([eos, 2])), eos, 300)
    token = st.one_of(st.integers(1, 4), st.integers(6, 8), st.sampled_from((eos, eos, eos + 1)))
    tokens = draw(st.lists(token, min_size=pick(draw, (2, 4, 1)), max_size=9))
    if pick(draw, (False,) * 4 + (True,)):
        tokens = tokens[: draw(st.integers(0, 1))]
    if pick(draw, (False, False, True)) and tokens:
        tokens[pick(draw, (0, -1))] = eos
    return Documents(tokens, eos)
