"""Kata 10: feed the model. The lesson is in README.md beside this file.

A token file holds unsigned integers, little-endian, one after the other, with no header. The samplers and loaders of
torch.utils.data are absent: all that torch.utils.data.distributed, torch.utils.data.sampler and
torch.utils.data.dataloader define.

An array of tokens is a one-dimensional numpy array of integers, either as `open_tokens` returns it or in memory. A path
is a str or a Path. Sizes, ranks, seeds and epochs are ints.

"No global random state changes" means that the states of torch, numpy and Python are the same after the call as before
it. Which numbers a seed gives, and how many are drawn for them, is left to you.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor


def token_dtype(vocab_size: int) -> str:
    """Return the name of the narrowest unsigned integer type that holds 0, 1, …, vocab_size - 1.

    The name is "uint8", "uint16" or "uint32".

    256    ->  "uint8"
    257    ->  "uint16"
    50257  ->  "uint16"

    Raises ValueError for a vocab_size below 1 or above 2**32.
    """
    raise NotImplementedError("token_dtype")


def write_tokens(path: str | Path, tokens: Iterable[int], vocab_size: int) -> None:
    """Write the tokens to a file and nothing else, each as wide as `token_dtype` says, lowest byte first.

    [1, 2], 256        ->  01 02
    [1, 2, 256], 257   ->  01 00 02 00 00 01

    tokens are Python ints, in anything that can be iterated over once: a list, a range, a generator. A list does not
    change. An empty iterable makes an empty file. Anything that was in the file before is replaced.

    Raises ValueError for a token below 0, or for one of vocab_size or more, however large, and for a vocab_size that
    `token_dtype` refuses. What the file then holds is left to you.
    """
    raise NotImplementedError("write_tokens")


def open_tokens(path: str | Path, vocab_size: int) -> np.ndarray:
    """Return the tokens of a file as an array that takes no memory, in the dtype that `token_dtype` names.

    The array reads from the file what is looked at, when it is looked at: if the file is later changed in place, the
    array shows the change. Opening looks at no token, so it refuses none. Nothing can be written to the array:
    flags.writeable is False. A file may be larger than memory, or empty, which is 0 tokens.

    Raises ValueError if the file ends within a token, and for a vocab_size that `token_dtype` refuses.
    """
    raise NotImplementedError("open_tokens")


def get_batch(
    tokens: np.ndarray,
    batch_size: int,
    sequence_length: int,
    generator: torch.Generator | None = None,
    device: str = "cpu",
) -> tuple[Tensor, Tensor]:
    """Return (x, y), both int64 (batch_size, sequence_length): windows of tokens, and the same windows one token later.

    With the tokens 10, 20, … 80, and 2 windows of 3 tokens that start at 4 and at 0:

    x = [[50, 60, 70], [10, 20, 30]]
    y = [[60, 70, 80], [20, 30, 40]]

    Each window starts at one of 0, 1, … len(tokens) - sequence_length - 1. All starts are equally likely, and
    independent of those of the other windows. At the last start, the last target is the last token.

    x and y are new tensors on the device: neither shares memory with tokens or with the other. Only the tokens that the
    batch needs are read.

    All randomness comes from the generator, which is on the CPU: the same generator state gives the same batch, a
    second call gives another batch, and no global random state changes. Without a generator, it comes from torch's
    global state, which torch.manual_seed sets.

    Raises ValueError for a batch_size or sequence_length below 1, and if not even one window fits with its last target.
    """
    raise NotImplementedError("get_batch")


def epoch_order(num_windows: int, seed: int, epoch: int) -> list[int]:
    """Return the ints 0, 1, … num_windows - 1, each once, in shuffled order. num_windows is 1 or more.

    seed and epoch may each be anything from 0 to 2**32 - 1. The same pair gives the same order, in a list of its own,
    whatever was drawn before, and in another process too. Any other pair gives another order: (3, 5), (5, 3), (4, 4)
    and (4, 5) give four. All orders are equally likely. No global random state changes.
    """
    raise NotImplementedError("epoch_order")


def shard(order: list[int], rank: int, world_size: int) -> list[int]:
    """Return what this rank takes of an order: its first item is at place `rank`, then every world_size-th follows.

    The items left over at the end, too few to give each rank one more, go to no rank.

    [5, 0, 3, 1, 4, 2, 6], 0, 3  ->  [5, 1]
    [5, 0, 3, 1, 4, 2, 6], 2, 3  ->  [3, 2]
    [5, 0], 0, 3                 ->  []

    The order itself does not change. Raises ValueError unless 0 <= rank < world_size.
    """
    raise NotImplementedError("shard")


class Loader:
    """Endless batches (x, y), as `get_batch` makes them, of windows that do not overlap.

    Window w is tokens[w * L : w * L + L + 1] for a sequence_length L: L tokens of x and, one token later, L of y. There
    are (len(tokens) - 1) // L windows. None comes twice in an epoch, neither in one rank nor in two. Each rank takes
    windows // world_size of them, and makes as many whole batches of these as it can. Then the next epoch begins.

    The windows of each epoch are shuffled, including the first. Another epoch, or another seed, gives another order.
    Which order it is, is left to you. The same arguments give the same batches, and no global random state changes. A
    seed is from 0 to 2**32 - 1. Writing to a batch changes neither the tokens nor a later batch.

    Raises ValueError for a batch_size or sequence_length below 1, unless 0 <= rank < world_size, and if a rank would
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
        """Return the loader itself."""
        raise NotImplementedError("Loader.__iter__")

    def __next__(self) -> tuple[Tensor, Tensor]:
        """Return the next batch."""
        raise NotImplementedError("Loader.__next__")

    def state_dict(self) -> dict[str, Any]:
        """Return where the loader is, as data that json.dumps accepts and turns into at most 1,000 characters.

        So the state holds neither the tokens nor the order of an epoch. It does not change when the loader goes on, or
        when state_dict is called again. Asking for it changes no batch.
        """
        raise NotImplementedError("Loader.state_dict")

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue exactly as the loader that the state was taken from would have, into the next epochs too.

        What this loader has done before does not matter, and neither does its own seed; tokens, sizes, rank and
        world_size are the same. It may be the same loader, which then goes back. The state does not change. It may have
        gone through JSON, and to another process: then tuples are lists, and keys that were ints are strings.
        """
        raise NotImplementedError("Loader.load_state_dict")


def prefetch(batches: Iterable[Any]) -> Iterator[Any]:
    """Hand out the same batches, each once and in order, each when the one after it has already been fetched.

    It stays one batch ahead and no more: batches may never end. The last batch comes when there is nothing left to
    fetch. Nothing is fetched before the first batch is asked for. A batch may be anything, even None, and is handed out
    itself, not a copy of it. There may be no batches. Several may run at once. A loop goes on where next or another
    loop stopped, and after the last batch none comes any more.
    """
    raise NotImplementedError("prefetch")


def document_mask(tokens: Tensor, eos: int) -> Tensor:
    """Return which token may look at which in a row of several documents: bool (length, length), on tokens' device.

    True at [i, j] means that token i may look at token j: both are in the same document, and j comes no later than i.
    The token eos ends a document, and belongs to the document that it ends.

    [7, 0, 8], 0  ->  [[True,  False, False],
                       [True,  True,  False],
                       [False, False, True]]

    tokens are int64, with one dimension. A document may be its eos alone, the last document may have no eos, and a row
    may be empty: its mask is (0, 0). tokens do not change.
    """
    raise NotImplementedError("document_mask")
