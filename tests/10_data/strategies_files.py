"""What hypothesis draws for kata 10 of files: sizes of vocabularies, tokens that are written, bytes that are read."""

from __future__ import annotations

import functools
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import beside, pick
from .scenarios import FILES
from .truth import width

EDGES = (256, 257, 65536, 65537, 1, 2**32, 255, 50257, 65535, 100277, 2**31, 1, 2, 2**32, 2**32 - 1)


@functools.cache
@classes(
    {
        "the largest of a byte, or one more": lambda size: size in (256, 257),
        "the largest of two bytes, or one more": lambda size: size in (65536, 65537),
        "one token": lambda size: size == 1,
        "beyond what an int32 holds": lambda size: size > 2**31,
        "all that there may be": lambda size: size == 2**32,
        "one byte": lambda size: size <= 2**8,
        "two bytes": lambda size: 2**8 < size <= 2**16,
        "four bytes": lambda size: size > 2**16,
    }
)
def vocab_sizes() -> SearchStrategy[int]:
    """Sizes of vocabularies, half of them at an edge."""
    return st.one_of(st.sampled_from(EDGES), st.integers(2, 400), st.integers(1, 2**17), st.sampled_from(EDGES))


TOO_MANY = (2**32 + 1, 2**33, 2**70)


@functools.cache
@classes(
    {
        "none": lambda size: size == 0,
        "fewer than none": lambda size: size < 0,
        "one too many": lambda size: size == 2**32 + 1,
        "far too many": lambda size: size > 2**32 + 1,
    }
)
def no_vocab_sizes() -> SearchStrategy[int]:
    """Sizes that no vocabulary has."""
    return st.one_of(st.just(0), st.sampled_from((-1, -256)), st.sampled_from(TOO_MANY))


def as_given(draw: DrawFn, name: str) -> str:
    """Draw what a file of that name is given as."""
    return pick(draw, ('"{}"', 'Path("{}")')).format(name)


ITERABLES = ("{}", "(token for token in {})", "tuple({})", "iter({})", "map(int, {})", "dict(enumerate({})).values()")


CALLED_BEFORE = (
    "write_tokens(path, [0, 0, 0], {})",
    "with contextlib.suppress(ValueError): write_tokens(path, [0, -1], {})",
)
"""Calls that leave something in the file, whatever it is."""


class Written(NamedTuple):
    """Lines that write these tokens."""

    lines: Lines
    tokens: list[int]
    vocab_size: int


@functools.cache
@classes(
    {
        "can be iterated once": lambda case: any(how in case.lines[-1] for how in ("for", "iter(", "map(")),
        "has a length, and is no sequence": lambda case: "values()" in case.lines[-1],
        "token 0": lambda case: 0 in case.tokens,
        "the last token": lambda case: case.vocab_size - 1 in case.tokens,
        "no token": lambda case: not case.tokens,
        "a file that is there": lambda case: any("bytes(100)" in line for line in case.lines),
        "the second call": lambda case: any("[0, 0, 0]" in line for line in case.lines),
        "after a refusal": lambda case: any("suppress" in line for line in case.lines),
        "a list that is watched": lambda case: case.lines[-2].startswith("tokens = "),
        "one byte a token": lambda case: case.vocab_size <= 2**8,
        "two bytes a token": lambda case: 2**8 < case.vocab_size <= 2**16,
        "four bytes a token": lambda case: case.vocab_size > 2**16,
        "a Path": lambda case: "= Path(" in case.lines[0],
        "a file of another name": lambda case: "tokens.bin" not in case.lines[0],
    }
)
def written() -> SearchStrategy[Written]:
    """Tokens to write, in anything that can be iterated, to a file that is new or not."""
    return _written()


@st.composite
def _written(draw: DrawFn) -> Written:
    size = draw(vocab_sizes())
    tokens = draw(_tokens(size))
    lines = [f"path = {as_given(draw, pick(draw, FILES))}"]
    if before := pick(draw, ("", "", "_ = Path(path).write_bytes(bytes(100))", *CALLED_BEFORE)):
        lines.append(before.format(size))
    given = pick(draw, ITERABLES).format(tokens)
    if pick(draw, (False, False, False, False, False, True)) and tokens:
        tokens = list(range(min(size, 5)))
        given = f"range({len(tokens)})"
    if given.startswith("["):
        lines.append(f"tokens = {given}")
        given = "tokens"
    return Written([*lines, f"write_tokens(path, {given}, {size})"], tokens, size)


@functools.cache
def _tokens(size: int) -> SearchStrategy[list[int]]:
    """A few tokens, the first and the last one of the vocabulary mostly among them."""
    known = st.sampled_from((size - 1, 0, size - 1, min(size - 1, 1)))
    return beside(st.lists(st.one_of(known, st.integers(0, size - 1)), min_size=2, max_size=6), [])


class LongText(NamedTuple):
    """Lines that write a text and the beginning of it, and the bytes that their files should have."""

    lines: Lines
    bytes: list[int]


@functools.cache
@classes(
    {
        "one byte a token": lambda case: case.lines[1].endswith(", 256)"),
        "two bytes a token": lambda case: case.lines[1].endswith(", 50257)"),
    }
)
def long_texts() -> SearchStrategy[LongText]:
    """Texts of more tokens than an answer that writes in pieces takes for one piece."""
    return _long_texts()


@st.composite
def _long_texts(draw: DrawFn) -> LongText:
    # 2**16 tokens, and a round number of them, so that whole pieces of many sizes leave no rest in one of the two.
    count, size = pick(draw, (70_000, 90_000, 100_000, 120_000)), pick(draw, (256, 50257))
    given = pick(draw, ("{}", "iter({})"))
    lines = [f"tokens = [place * 31 % {size} for place in range({count})]"]
    for path, part in (("tokens.bin", "tokens"), ("few_tokens.bin", "tokens[:2**16]")):
        lines.append(f'write_tokens("{path}", {given.format(part)}, {size})')
    lines.append('sizes = [Path(path).stat().st_size for path in ("tokens.bin", "few_tokens.bin")]')
    lines.append(
        f'read, few = (np.fromfile(path, np.uint{8 * width(size)}) for path in ("tokens.bin", "few_tokens.bin"))'
    )
    lines.append("alike = [read.tolist() == tokens, few.tolist() == tokens[:2**16]]")
    return LongText(lines, [width(size) * count, width(size) * 2**16])


@functools.cache
@classes(
    {
        "the first one beyond": lambda case: case[1].endswith("as well"),
        "a little beyond": lambda case: "and a little more" in case[1],
        "beyond what any dtype holds": lambda case: "2**70" in case[0][-1],
        "below 0": lambda case: "below 0" in case[1],
        "a size of no vocabulary": lambda case: "vocabulary" in case[1],
        "no token, and a size of no vocabulary": lambda case: "vocabulary" in case[1] and "[]" in case[0][-1],
        "can be iterated once": lambda case: any(how in case[0][-1] for how in ("for", "iter(", "map(")),
    }
)
def not_written() -> SearchStrategy[tuple[Lines, str]]:
    """Lines of which the last is to be refused, and why."""
    return _not_written()


@st.composite
def _not_written(draw: DrawFn) -> tuple[Lines, str]:
    named = f"path = {as_given(draw, pick(draw, FILES))}"
    if pick(draw, (False, False, False, True)):
        size = draw(no_vocab_sizes())
        given = pick(draw, ("[]", "[0]", "[0, 1]"))
        return [named, f"write_tokens(path, {given}, {size})"], f"{size} is no size of a vocabulary"
    size = draw(vocab_sizes())
    tokens = draw(st.lists(st.integers(0, size - 1), max_size=4))
    bad, why = pick(
        draw,
        (
            (str(size), f"{size} is not below {size}, 0 counts as well"),
            ("-1", "-1 is below 0"),
            (str(size + 5), f"{size + 5} is {size} and a little more"),
            ("2**70", "no token is as large"),
            (str(-size), f"{-size} is below 0"),
            ("-(2**70)", "that is far below 0"),
        ),
    )
    place = draw(st.integers(0, len(tokens)))
    items = [*map(str, tokens[:place]), bad, *map(str, tokens[place:])]
    given = pick(draw, ITERABLES).format(f"[{', '.join(items)}]")
    return [named, f"write_tokens(path, {given}, {size})"], why


class Stored(NamedTuple):
    """Lines that make a file of these bytes, and open it as `tokens`."""

    lines: Lines
    data: bytes
    vocab_size: int
    name: str


@functools.cache
@classes(
    {
        "no token": lambda case: not case.data,
        "one byte a token": lambda case: case.vocab_size <= 2**8,
        "two bytes a token": lambda case: 2**8 < case.vocab_size <= 2**16,
        "four bytes a token": lambda case: case.vocab_size > 2**16,
        "another token than there should be": lambda case: any(
            number >= case.vocab_size for number in numbers(case.data, width(case.vocab_size))
        ),
        "bytes that a signed dtype takes for a sign": lambda case: any(byte > 127 for byte in case.data),
        "a Path": lambda case: "(Path(" in case.lines[-1],
        "a file of another name": lambda case: case.name != "tokens.bin",
    }
)
def stored() -> SearchStrategy[Stored]:
    """Files of whole tokens, whatever these are."""
    return _stored(0)


@functools.cache
@classes(
    {"two bytes a token": lambda case: case.vocab_size <= 2**16, "four bytes": lambda case: case.vocab_size > 2**16}
)
def stored_in_part() -> SearchStrategy[Stored]:
    """Files that end within a token."""
    return _stored(1)


@st.composite
def _stored(draw: DrawFn, rest: int) -> Stored:
    size = draw(vocab_sizes().filter(lambda size: size > 2**8) if rest else vocab_sizes())
    wide = width(size)
    count = pick(draw, (2, 3, 1, 4, 5, 0))
    data = draw(st.binary(min_size=wide * count, max_size=wide * count))
    if pick(draw, (True, True, False)) and count:
        data = (size - 1).to_bytes(wide, "little") + data[wide:]
    if rest:
        data += bytes(range(1, 1 + draw(st.integers(1, wide - 1))))
    name = pick(draw, FILES)
    made = f'Path("{name}").write_bytes(bytes.fromhex("{data.hex(" ")}"))'
    return Stored([made, f"tokens = open_tokens({as_given(draw, name)}, {size})"], data, size, name)


def numbers(data: bytes, wide: int) -> list[int]:
    """Return the unsigned integers in these bytes, the lowest byte of each first."""
    return [int.from_bytes(data[place : place + wide], "little") for place in range(0, len(data), wide)]


@functools.cache
@classes(
    {
        "an empty file": lambda case: '""' in case[0][0],
        "a file of one token": lambda case: '"07"' in case[0][0],
        "fewer than none": lambda case: ", -" in case[0][1],
        "too many": lambda case: len(case[0][1]) > 40,
    }
)
def opened_with_no_vocabulary() -> SearchStrategy[tuple[Lines, str]]:
    """Lines of which the last is to be refused, and why."""
    return _opened_with_no_vocabulary()


@st.composite
def _opened_with_no_vocabulary(draw: DrawFn) -> tuple[Lines, str]:
    size = draw(no_vocab_sizes())
    data = pick(draw, ("", "07", "07 00", "01 02 03 04"))
    made = f'Path("tokens.bin").write_bytes(bytes.fromhex("{data}"))'
    return [made, f'tokens = open_tokens("tokens.bin", {size})'], f"{size} is no size of a vocabulary"


@functools.cache
@classes(
    {
        "looked at before": lambda case: "seen = " in case[0][2],
        "never looked at": lambda case: "seen = " not in case[0][2],
    }
)
def rewritten() -> SearchStrategy[tuple[Lines, list[int]]]:
    """Lines that open a file and then write other tokens into it, and these."""
    return _rewritten()


@st.composite
def _rewritten(draw: DrawFn) -> tuple[Lines, list[int]]:
    made = draw(_stored(0).filter(lambda made: made.data))
    wide = width(made.vocab_size)
    data = bytes(byte ^ 1 for byte in made.data)
    if pick(draw, (False, True)):
        data = made.data[:-wide] + data[-wide:]
    looked = ["seen = tokens.tolist()"] if pick(draw, (True, False)) else []
    written = f'with open("{made.name}", "r+b") as file: file.write(bytes.fromhex("{data.hex(" ")}"))'
    return [*made.lines, *looked, written], numbers(data, wide)
