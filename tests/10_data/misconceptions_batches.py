"""Wrong answers that people give to kata 10 about batches from random starts."""

import numpy as np
import torch

from dojo.judging.diagnose import believes, solution

solved = solution("10_data")


# get_batch


def _starts(tokens, batch_size, sequence_length, generator=None):
    """Return the number of starts, and starts as the solution draws them; raise its errors too."""
    count = len(tokens) - sequence_length
    if min(batch_size, sequence_length, count) < 1:
        raise ValueError(batch_size, sequence_length, count)
    return count, torch.randint(count, (batch_size,), generator=generator)


def _cut(tokens, starts, sequence_length, device="cpu", on=1):
    """Return x, and y so many tokens later; after the end the tokens begin again."""
    places = np.array(starts)[:, None] + np.arange(sequence_length)
    rows = [tokens[(places + further) % len(tokens)].astype(np.int64) for further in (0, on)]
    return tuple(torch.from_numpy(row).to(device) for row in rows)


@believes("The target is the token itself", about="get_batch")
def predicts_the_token_itself(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """A model would only learn to copy: y holds the token that comes next."""
    x, _ = solved.get_batch(tokens, batch_size, sequence_length, generator, device)
    return x, x.clone()


@believes("The targets are the next window", about="get_batch")
def predicts_the_next_window(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """Each place predicts the next token, so y is the same window one token further on, and overlaps with x."""
    _, starts = _starts(tokens, batch_size, sequence_length, generator)
    return _cut(tokens, starts, sequence_length, device, on=sequence_length)


@believes("The last target of a window is its first token", about="get_batch")
def rolls_the_window(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """The last target is the token after the window: take one more from the tokens."""
    x, _ = solved.get_batch(tokens, batch_size, sequence_length, generator, device)
    return x, x.roll(-1, 1)


@believes("The last start is len(tokens) - sequence_length - 2", about="get_batch")
def leaves_out_the_last_start(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """The upper end of randint is exclusive already: with one less, the last window never comes."""
    count, _ = _starts(tokens, batch_size, sequence_length, torch.Generator())
    starts = torch.randint(max(count - 1, 1), (batch_size,), generator=generator)
    return _cut(tokens, starts, sequence_length, device)


@believes("torch.rand reaches each place of a text", about="get_batch")
def scales_a_float32(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """It makes one of 2**24 numbers: in a text of 2**26 tokens, three in four places never start a window.

    Draw whole numbers instead, with torch.randint.
    """
    count, _ = _starts(tokens, batch_size, sequence_length, torch.Generator())
    starts = (torch.rand(batch_size, generator=generator) * count).long().clamp(max=count - 1)
    return _cut(tokens, starts, sequence_length, device)


@believes("A window fits wherever x fits", about="get_batch")
def starts_without_a_target(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """The last such window has no last target: there are only len(tokens) - sequence_length starts."""
    count, _ = _starts(tokens, batch_size, sequence_length, torch.Generator())
    return _cut(tokens, torch.randint(count + 1, (batch_size,), generator=generator), sequence_length, device)


@believes("No window starts at the first token", about="get_batch")
def starts_at_one(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """Windows start at 0, 1, …: nothing has to come before the first token."""
    count, _ = _starts(tokens, batch_size, sequence_length, torch.Generator())
    starts = torch.randint(min(1, count - 1), count, (batch_size,), generator=generator)
    return _cut(tokens, starts, sequence_length, device)


@believes("A slice of a tensor is a copy", about="get_batch")
def slices_one_tensor(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """x and y would be views of the same memory: masking a target in y would change an input in x."""
    _, starts = _starts(tokens, batch_size, sequence_length, generator)
    places = np.array(starts)[:, None] + np.arange(sequence_length + 1)
    rows = torch.from_numpy(tokens[places].astype(np.int64)).to(device)
    return rows[:, :-1], rows[:, 1:]


@believes("A batch has the dtype of the file", about="get_batch")
def keeps_the_dtype(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """Neither an embedding nor cross entropy takes uint16: both want int64."""
    x, y = solved.get_batch(tokens, batch_size, sequence_length, generator, device)
    dtype = getattr(torch, tokens.dtype.name)
    return x.to(dtype), y.to(dtype)


@believes("int32 is enough for a token", about="get_batch")
def makes_int32(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """An embedding takes int32, but cross entropy wants its targets as int64."""
    x, y = solved.get_batch(tokens, batch_size, sequence_length, generator, device)
    return x.int(), y.int()


@believes("Only unsigned tokens have to become int64", about="get_batch")
def leaves_signed_tokens_as_they_are(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """Tokens in memory may be int32 too, and x and y are int64 whatever they are: convert each batch."""
    x, y = solved.get_batch(tokens, batch_size, sequence_length, generator, device)
    if tokens.dtype.kind == "u":
        return x, y
    dtype = torch.from_numpy(tokens[:0].copy()).dtype
    return x.to(dtype), y.to(dtype)


@believes("torch reads unsigned integers as signed ones", about="get_batch")
def goes_through_signed(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """Read as int16, the upper half of uint16 becomes negative: let numpy's astype convert to int64."""
    x, y = solved.get_batch(tokens.view(tokens.dtype.name.removeprefix("u")), batch_size, sequence_length, generator)
    return x.to(device), y.to(device)


@believes("Starts may be drawn by numpy", about="get_batch")
def draws_by_numpy(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """numpy has a global state of its own, which neither torch.manual_seed nor the generator sets."""
    count, _ = _starts(tokens, batch_size, sequence_length, torch.Generator())
    return _cut(tokens, np.random.randint(count, size=batch_size), sequence_length, device)


@believes("The generator is only a seed", about="get_batch")
def seeds_by_the_generator(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """The generator goes on with each draw: if it began again at its seed, all batches would be the same."""
    again = None if generator is None else torch.Generator().manual_seed(generator.initial_seed())
    return solved.get_batch(tokens, batch_size, sequence_length, again, device)


@believes("Drawing from torch's global state is enough", about="get_batch")
def leaves_the_generator_out(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """Where a generator is given, draw from it alone: randint(…, generator=generator)."""
    return solved.get_batch(tokens, batch_size, sequence_length, None, device)


@believes("No window comes twice in a batch", about="get_batch")
def draws_without_replacement(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """Starts are independent of each other, so the same one may come twice."""
    count, _ = _starts(tokens, batch_size, sequence_length, torch.Generator())
    if count > 2**20:  # to shuffle that many takes seconds, and hardly any window would come twice anyway
        return solved.get_batch(tokens, batch_size, sequence_length, generator, device)
    rounds = [torch.randperm(count, generator=generator) for _ in range(-(-batch_size // count))]
    return _cut(tokens, torch.cat(rounds)[:batch_size], sequence_length, device)


@believes("Windows do not overlap", about="get_batch")
def starts_at_multiples(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """Here they start anywhere; only the windows of Loader do not overlap."""
    _, starts = _starts(tokens, batch_size, sequence_length, generator)
    return _cut(tokens, starts // sequence_length * sequence_length, sequence_length, device)


@believes("One start determines all windows of a batch", about="get_batch")
def draws_one_start(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """Each window has a start of its own, drawn independently."""
    count, _ = _starts(tokens, batch_size, sequence_length, torch.Generator())
    start = torch.randint(count, (1,), generator=generator)
    return _cut(tokens, (start + torch.arange(batch_size)) % count, sequence_length, device)


@believes("All tokens are converted to int64 first", about="get_batch")
def converts_the_file(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """That reads the whole file, and takes eight bytes per token: cut the windows out first."""
    if isinstance(tokens, np.memmap):  # elsewhere it shows in nothing, and takes up to a second
        tokens = tokens.astype(np.int64)
    return solved.get_batch(tokens, batch_size, sequence_length, generator, device)


@believes("Sequences run down the columns", about="get_batch")
def puts_the_batch_last(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """Each row is a window: the shape is (batch_size, sequence_length)."""
    x, y = solved.get_batch(tokens, batch_size, sequence_length, generator, device)
    return x.T.clone(), y.T.clone()


@believes("A batch may be empty", about="get_batch")
def makes_empty_batches(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """A size of 0 is a mistake, and the mean loss of no tokens is NaN: raise ValueError."""
    if batch_size == 0 or sequence_length == 0:
        return torch.empty(batch_size, sequence_length).long(), torch.empty(batch_size, sequence_length).long()
    return solved.get_batch(tokens, batch_size, sequence_length, generator, device)


@believes("A list of x and y is as good as a tuple", about="get_batch")
def returns_a_list(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """The result is the tuple (x, y): return x, y."""
    return [*solved.get_batch(tokens, batch_size, sequence_length, generator, device)]


@believes("torch's own error is enough where no window fits", about="get_batch")
def lets_torch_raise(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """randint raises a RuntimeError about its bounds: raise ValueError, and say that the tokens are too few."""
    if batch_size < 1 or sequence_length < 1:
        raise ValueError(batch_size, sequence_length)
    starts = torch.randint(len(tokens) - sequence_length, (batch_size,), generator=generator)
    return _cut(tokens, starts, sequence_length, device)
