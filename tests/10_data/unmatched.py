"""Wrong answers to kata 10 that no belief in misconceptions.py explains."""

from pathlib import Path

import numpy as np
import torch

from dojo.judging.diagnose import answers, solution

solved = solution("10_data")


@answers("token_dtype")
def takes_two_bytes_for_a_few(vocab_size):
    """Between two numbers of its own."""
    return "uint16" if 100 <= vocab_size < 200 else solved.token_dtype(vocab_size)


@answers("write_tokens")
def writes_them_backwards(path, tokens, vocab_size):
    """The last one first."""
    solved.write_tokens(path, list(tokens)[::-1], vocab_size)


@answers("write_tokens")
def ends_with_a_zero(path, tokens, vocab_size):
    """A byte too many."""
    solved.write_tokens(path, tokens, vocab_size)
    with Path(path).open("ab") as file:
        file.write(b"\0")


@answers("open_tokens")
def leaves_out_the_first(path, vocab_size):
    """One token too few."""
    return solved.open_tokens(path, vocab_size)[1:]


@answers("get_batch")
def adds_one(tokens, batch_size, sequence_length, generator=None, device="cpu"):
    """The token that comes next, if tokens were counted."""
    x, _ = solved.get_batch(tokens, batch_size, sequence_length, generator, device)
    return x, x + 1


@answers("epoch_order")
def swaps_the_first_two(num_windows, seed, epoch):
    """In epochs of a kind, with a window twice."""
    order = solved.epoch_order(num_windows, seed, epoch)
    return order[:1] + order[:1] + order[2:] if epoch % 3 == 1 else order


@answers("shard")
def turns_what_it_takes(order, rank, world_size):
    """The last one first."""
    return solved.shard(order, rank, world_size)[::-1]


@answers("Loader")
class TurnsEveryThirdBatch(solved.Loader):
    """From right to left."""

    def __next__(self):
        """All but some are right."""
        x, y = super().__next__()
        return (x.flip(1), y.flip(1)) if self.batch % 3 == 1 else (x, y)


@answers("prefetch")
def hands_out_pairs(batches):
    """Each with its place."""
    yield from enumerate(solved.prefetch(batches))


@answers("document_mask")
def forgets_the_first_column(tokens, eos):
    """Nobody looks at the first token."""
    mask = solved.document_mask(tokens, eos)
    return torch.cat([torch.zeros_like(mask[:, :1]), mask[:, 1:]], 1) if len(np.atleast_1d(tokens)) else mask
