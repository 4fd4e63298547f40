"""Tokens go through files unchanged, and a file takes no memory."""

from dojo.judging.examples import given, one_in
from dojo.judging.expect import expect, expect_each, expect_error, grades

from . import truth
from .runs import run, takes_no_memory
from .strategies_files import (
    long_texts,
    no_vocab_sizes,
    not_written,
    numbers,
    opened_with_no_vocabulary,
    rewritten,
    stored,
    stored_in_part,
    vocab_sizes,
    written,
)
from .strategies_memory import large_files

# A file of 32 MiB is made and mapped in a process of its own; an answer that reads it does so each time.
LARGE = one_in(33)

# Each example writes some 160,000 tokens.
LONG = one_in(33)

# There are few of them, and each is drawn often.
FEW = one_in(4)


@grades("token_dtype")
@given(vocab_size=vocab_sizes())
def test_token_dtype_is_the_narrowest(kata, vocab_size):
    """The dtype is the narrowest one that holds vocab_size - 1."""
    expect(kata.token_dtype(vocab_size), truth.token_dtype(vocab_size), "numpy takes")


@grades("token_dtype")
@FEW
@given(vocab_size=no_vocab_sizes())
def test_token_dtype_refuses_what_is_no_vocabulary(kata, vocab_size):
    """A vocab_size below 1 or above 2**32 raises a ValueError."""
    expect_error(ValueError, kata.token_dtype, vocab_size, because="a vocabulary has from 1 to 2**32 tokens")


BYTES = 'Path(path).read_bytes().hex(" ")'


@grades("write_tokens")
@given(case=written())
def test_write_tokens_writes_the_bytes_of_the_tokens(kata, case):
    """The file holds the tokens and nothing else, each as wide as token_dtype says, lowest byte first.

    A list of tokens does not change.
    """
    want: dict[str, object] = {BYTES: truth.stored(case.tokens, case.vocab_size).hex(" ")}
    if case.lines[-2].startswith("tokens = "):
        want["tokens"] = case.tokens
    expect_each(run(kata, "write_tokens", case.lines, list(want)), want, "should be")


@grades("write_tokens")
@LONG
@given(case=long_texts())
def test_write_tokens_writes_a_long_text(kata, case):
    """The file holds all of the tokens, even if they do not fit into one piece."""
    want = {"sizes": case.bytes, "alike": [True, True]}
    expect_each(run(kata, "write_tokens", case.lines, list(want)), want, "should be")


@grades("write_tokens")
@given(case=not_written())
def test_write_tokens_refuses_what_is_no_token(kata, case):
    """A token below 0, or of vocab_size or more, and a vocab_size below 1 or above 2**32 raise a ValueError."""
    lines, because = case
    expect_error(ValueError, run, kata, "write_tokens", lines, [BYTES], because=because)


OPENED = [
    "tokens.tolist()",
    "str(tokens.dtype)",
    "tokens.shape",
    "isinstance(tokens, np.ndarray)",
    "tokens.flags.writeable",
]


@grades("open_tokens")
@given(case=stored())
def test_open_tokens_shows_what_is_in_the_file(kata, case):
    """The array holds the tokens of the file in the dtype of token_dtype, and nothing can be written to it."""
    right = numbers(case.data, truth.width(case.vocab_size))
    want = dict(zip(OPENED, [right, truth.token_dtype(case.vocab_size), (len(right),), True, False], strict=True))
    expect_each(run(kata, "open_tokens", case.lines, OPENED), want, "should be")


@grades("open_tokens")
@FEW
@given(case=rewritten())
def test_open_tokens_reads_when_it_is_looked_at(kata, case):
    """The array shows what is written into the file in place later."""
    lines, right = case
    expect_each(run(kata, "open_tokens", lines, ["tokens.tolist()"]), {"tokens.tolist()": right}, "should be")


@grades("open_tokens")
@LARGE
@given(lines=large_files())
def test_open_tokens_takes_no_memory(kata, lines):
    """Of a file of 32 MiB, only what is looked at is read."""
    takes_no_memory(kata, "open_tokens", lines)


@grades("open_tokens")
@FEW
@given(case=stored_in_part())
def test_open_tokens_refuses_a_part_of_a_token(kata, case):
    """A file that ends within a token raises a ValueError."""
    because = f"{len(case.data)} bytes are no whole tokens of {truth.width(case.vocab_size)}"
    expect_error(ValueError, run, kata, "open_tokens", case.lines, ["tokens.shape"], because=because)


@grades("open_tokens")
@FEW
@given(case=opened_with_no_vocabulary())
def test_open_tokens_refuses_what_is_no_vocabulary(kata, case):
    """A vocab_size below 1 or above 2**32 raises a ValueError, whatever the file holds."""
    lines, because = case
    expect_error(ValueError, run, kata, "open_tokens", lines, ["tokens.shape"], because=because)
