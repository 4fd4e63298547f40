"""A batch holds windows of the tokens, which start anywhere, and their targets."""

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect_each, expect_error, grades

from ..shared import chance
from ..shared.repeated import expect_again
from .batches import expect_batch
from .runs import expect_count, of, run, takes_no_memory
from .strategies_batches import (
    MANY,
    SOME,
    batches,
    long_texts,
    longest_texts,
    many_starts,
    no_batches,
    repeated_batches,
    shared_batches,
)
from .strategies_memory import batches_of_large_files

# A file of 32 MiB is made and mapped in a process of its own; an answer that reads it does so each time.
LARGE = one_in(33)

# A text of 64 MiB is made.
LONGEST = one_in(50)

# 4,096 windows are cut out: some ten times the time of other examples.
MANY_STARTS = one_in(10)

# Each example makes 64 windows three times.
REPEATED = one_in(4)

# Each example makes a batch twice, or has one of seven kinds of faults.
HALF = one_in(2)


@grades("get_batch")
@given(case=batches())
def test_get_batch_makes_windows_and_their_targets(kata, device, case):
    """x and y are int64: each window is consecutive tokens, and each target is the token that comes next.

    They come as a tuple.
    """
    seen = run(kata, "get_batch", case.lines, ["x", "y", TUPLE], device)
    place = device if "device=" in case.lines[-1] else "cpu"
    expect_batch(of(seen, "x"), of(seen, "y"), case.row, case.batch_size, case.length, ("x", "y"), place)
    if of(seen, TUPLE) is not True:
        raise Mismatch(of(seen, TUPLE), "True", "should be", True, of=TUPLE)


TUPLE = "isinstance(batch, tuple)"


@grades("get_batch")
@MANY_STARTS
@given(case=many_starts())
def test_get_batch_starts_anywhere(kata, case):
    """All starts from 0 to len(tokens) - sequence_length - 1 are equally likely, whatever the other starts are."""
    starts = case.row.size - case.length
    counted, alike = "torch.bincount(x[:, 0]).tolist()", "(x[::2, 0] == x[1::2, 0]).sum().item()"
    seen = run(kata, "get_batch", case.lines, [counted, alike])
    expect_counts(of(seen, counted), counted, MANY, starts)
    least, most = chance.counts(MANY // 2, 1 / starts)
    expect_count(of(seen, alike), alike, least, most)


@grades("get_batch")
@LARGE
@given(case=long_texts())
def test_get_batch_starts_in_all_parts_of_a_long_text(kata, case):
    """Each eighth of a long text gets about equally many starts, and sometimes two windows start at the same place."""
    counted = f"torch.bincount(x[:, 0] * 8 // {case.starts}, minlength=8).tolist()"
    alike = f"{MANY} - len(x[:, 0].unique())"
    seen = run(kata, "get_batch", case.lines, [counted, alike])
    expect_counts(of(seen, counted), counted, MANY, 8)
    # 4096² / 2 pairs start at one place with 1 / starts each: from 83 to 105 on average, none or 400 with exp(-83).
    expect_count(of(seen, alike), alike, 1, 400)


@grades("get_batch")
@LONGEST
@given(lines=longest_texts())
def test_get_batch_starts_at_each_place_of_a_text_longer_than_float32_counts(kata, lines):
    """All 2**26 starts are equally likely: torch.rand makes one of 2**24 numbers, which reach only every fourth."""
    counted = "torch.bincount(x[:, 0] % 4, minlength=4).tolist()"
    expect_counts(of(run(kata, "get_batch", lines, [counted]), counted), counted, SOME, 4)


def expect_counts(got, of, starts, parts):
    """Fail unless each of the equal parts got as many of the starts as chance allows."""
    least, most = chance.counts(starts, 1 / parts)
    if type(got) is not list or len(got) != parts or any(type(n) is not int or not least <= n <= most for n in got):
        raise Mismatch(got, f"{parts} counts from {least} to {most}", "should be", of=of)


@grades("get_batch")
@REPEATED
@given(case=repeated_batches())
def test_get_batch_draws_from_the_generator_alone(kata, case):
    """The same state gives the same batch, a second call another. Without a generator, torch's global state counts."""
    expect_again(run(kata, "get_batch", case.lines, case.watched), case)


@grades("get_batch")
@HALF
@given(case=shared_batches())
def test_get_batch_shares_no_memory(kata, case):
    """Writing to x or to y changes neither the other one nor the tokens."""
    lines = [*case.lines, "before = y.clone()", "x.fill_(0)", "kept = torch.equal(y, before)", "y.fill_(0)"]
    want = {"kept": True, "tokens.tolist()": list(case.row.tokens)}
    expect_each(run(kata, "get_batch", lines, list(want)), want, "should be")


@grades("get_batch")
@LARGE
@given(lines=batches_of_large_files())
def test_get_batch_takes_no_memory(kata, lines):
    """Of a file of 32 MiB, only what the batch needs is read."""
    takes_no_memory(kata, "get_batch", lines)


@grades("get_batch")
@HALF
@given(case=no_batches())
def test_get_batch_refuses_what_makes_no_batch(kata, case):
    """A batch_size or sequence_length below 1, or too few tokens for a window and its target, raise a ValueError."""
    lines, because = case
    expect_error(ValueError, run, kata, "get_batch", lines, ["x", "y"], because=because)
