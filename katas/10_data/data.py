"""Kata 10: feed the model. The lesson is in README.md beside this file.

Tokens are a file of unsigned integers, little-endian, one after the other, no header. The samplers and loaders of
torch.utils.data are absent: what torch.utils.data.distributed, torch.utils.data.sampler and torch.utils.data.dataloader
define.

An array of tokens is one of numpy's, of one dimension and of integers: as `open_tokens` returns it, or in memory. A
path is a str or a Path. Sizes, ranks, seeds and epochs are ints.

"No global random state changes": those of torch, numpy and Python are after the call what they were before it. Which
numbers a seed gives, and how many are drawn for them, is left to you.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor


def token_dtype(vocab_size: int) -> str:
    """The name of the narrowest unsigned integers that hold 0, 1, … vocab_size - 1: "uint8", "uint16" or "uint32".

    256    ->  "uint8"
    257    ->  "uint16"
    50257  ->  "uint16"

    Raises ValueError for a vocab_size below 1 and above 2**32.
    """
    raise NotImplementedError("token_dtype")


def write_tokens(path: str | Path, tokens: Iterable[int], vocab_size: int) -> None:
    """Write a file of these tokens, as wide as `token_dtype` says, lowest byte first, and of nothing else.

    [1, 2], 256        ->  01 02
    [1, 2, 256], 257   ->  01 00 02 00 00 01

    tokens are Python's ints, in anything that can be iterated once: a list, a range, a generator. None at all make an
    empty file. What was in the file is gone.

    Raises ValueError for a token below 0 or from vocab_size on, however large, and for a vocab_size that `token_dtype`
    refuses. What the file holds then is left to you.
    """
    raise NotImplementedError("write_tokens")


def open_tokens(path: str | Path, vocab_size: int) -> np.ndarray:
    """The tokens of a file, as an array of the dtype that `token_dtype` names, which takes no memory.

    It reads from the file what is looked at, when it is looked at: what is written into the file in place later, it
    shows. Opening looks at no token, so none is refused. Nothing can be written to the array: flags.writeable is False.
    A file may be larger than memory, or empty, which is 0 tokens.

    Raises ValueError where the file ends within a token, and for a vocab_size that `token_dtype` refuses.
    """
    raise NotImplementedError("open_tokens")


def get_batch(
    tokens: np.ndarray,
    batch_size: int,
    sequence_length: int,
    generator: torch.Generator | None = None,
    device: str = "cpu",
) -> tuple[Tensor, Tensor]:
    """(x, y), both int64 (batch_size, sequence_length): windows of tokens, and the same windows one token further on.

    With 2 windows of 3 of the tokens 10, 20, … 80 that start at 4 and at 0:

    x = [[50, 60, 70], [10, 20, 30]]
    y = [[60, 70, 80], [20, 30, 40]]

    Each window starts anywhere: at 0, 1, … len(tokens) - sequence_length - 1, all equally likely, whatever the others
    do. The last start has the last token as its last target.

    x and y are new: neither shares memory with tokens nor with the other. Of tokens only what the batch needs is read.
    They lie on the device.

    All randomness comes from the generator, one of the CPU: the same state of it gives the same batch, a second call
    another one, and no global random state changes. Without one it comes from torch's global state, which
    torch.manual_seed sets.

    Raises ValueError for a batch_size or sequence_length below 1, and where not one window with its last target fits.
    """
    raise NotImplementedError("get_batch")


def epoch_order(num_windows: int, seed: int, epoch: int) -> list[int]:
    """The ints 0, 1, … num_windows - 1, each once, shuffled; num_windows is 1 or more.

    seed and epoch may be any from 0 to 2**32 - 1. The same two give the same order, whatever was drawn before; any
    other two give another one: (3, 5), (5, 3), (4, 4) and (4, 5) are four. All orders are equally likely. No global
    random state changes.
    """
    raise NotImplementedError("epoch_order")


def shard(order: list[int], rank: int, world_size: int) -> list[int]:
    """What this rank takes of an order: its first from place `rank` on, then every world_size-th.

    What is left over at the end, too few for one more of each rank, nobody takes.

    [5, 0, 3, 1, 4, 2, 6], 0, 3  ->  [5, 1]
    [5, 0, 3, 1, 4, 2, 6], 2, 3  ->  [3, 2]
    [5, 0], 0, 3                 ->  []

    The order itself stays as it is. Raises ValueError unless 0 <= rank < world_size.
    """
    raise NotImplementedError("shard")


class Loader:
    """Batches (x, y) without end, as `get_batch` makes them, of windows that do not overlap.

    Window w is tokens[w * L : w * L + L + 1] for a sequence_length L: L tokens of x and, one further on, L of y. There
    are (len(tokens) - 1) // L of them. In an epoch none comes twice, neither in one rank nor in two: of the windows
    each rank takes windows // world_size, and makes as many whole batches of them as it can. Then the next epoch
    begins.

    The windows of each epoch are shuffled, the first one's too: another epoch, or another seed, is another order. Which
    order that is, is left to you. The same arguments give the same batches, and no global random state changes. A seed
    is from 0 to 2**32 - 1.

    Raises ValueError for a batch_size or sequence_length below 1, unless 0 <= rank < world_size, and where a rank would
    have no batch.
    """

    def __init__(
        self,
        tokens: np.ndarray,
        batch_size: int,
        sequence_length: int,
        seed: int,
        rank: int = 0,
        world_size: int = 1,
    ) -> None:
        raise NotImplementedError("Loader")

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        """The loader itself."""
        raise NotImplementedError("Loader.__iter__")

    def __next__(self) -> tuple[Tensor, Tensor]:
        """The next batch."""
        raise NotImplementedError("Loader.__next__")

    def state_dict(self) -> dict[str, Any]:
        """Where the loader is: data that json.dumps takes, at most 1,000 characters of it.

        So neither the tokens nor the order of an epoch is in it. It stays as it is when the loader goes on, and
        when it is asked again.
        """
        raise NotImplementedError("Loader.state_dict")

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from there, exactly as the loader would have that the state was taken of, into the next epochs too.

        Whatever this one has done before, and whatever its own seed was; tokens, sizes, rank and world_size are the
        same. The state stays as it is. It may have been through JSON, and to another process: tuples are lists
        then, and keys that were ints are strings.
        """
        raise NotImplementedError("Loader.load_state_dict")


def prefetch(batches: Iterable[Any]) -> Iterator[Any]:
    """The same batches, each once and in their order, each handed out when the one after it has been fetched already.

    One ahead and no more: batches may never end. The last one comes when there is nothing left to fetch. Before the
    first one is asked for, nothing is fetched. A batch may be anything, None too, and there may be none.
    """
    raise NotImplementedError("prefetch")


def document_mask(tokens: Tensor, eos: int) -> Tensor:
    """Who may look at whom in a row of tokens with several documents: bool (length, length), on the device of tokens.

    True at [i, j] where token i may look at token j: both are of one document, and j comes no later than i. The token
    eos ends a document, and belongs to the one that it ends.

    [7, 0, 8], 0  ->  [[True,  False, False],
                       [True,  True,  False],
                       [False, False, True]]

    tokens are int64, of one dimension. A document may be its eos alone, the last one may have none, and a row may be
    empty: its mask is (0, 0). tokens stay as they are.
    """
    raise NotImplementedError("document_mask")
