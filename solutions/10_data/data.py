"""Kata 10 solved."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor


def token_dtype(vocab_size: int) -> str:
    """Return the first of three widths that has as many patterns as there are tokens."""
    for bits in (8, 16, 32):
        if 1 <= vocab_size <= 2**bits:
            return f"uint{bits}"
    raise ValueError(f"a vocabulary has from 1 to 2**32 tokens: {vocab_size}")


def write_tokens(path: str | Path, tokens: Iterable[int], vocab_size: int) -> None:
    """Check each token on its way into an array."""

    def known() -> Iterator[int]:
        for token in tokens:
            if not 0 <= token < vocab_size:
                raise ValueError(f"a vocabulary of {vocab_size} has no token {token}")
            yield token

    np.fromiter(known(), _on_disk(vocab_size)).tofile(path)


def open_tokens(path: str | Path, vocab_size: int) -> np.ndarray:
    """Map the file, which is read where it is looked at."""
    dtype = _on_disk(vocab_size)
    size = os.path.getsize(path)
    if size % dtype.itemsize:
        raise ValueError(f"{path} ends within a token: {size} bytes, {dtype.itemsize} a token")
    if size:
        return np.memmap(path, dtype, mode="r")
    return np.frombuffer(b"", dtype)


def _on_disk(vocab_size: int) -> np.dtype:
    return np.dtype(token_dtype(vocab_size)).newbyteorder("<")


def get_batch(
    tokens: np.ndarray,
    batch_size: int,
    sequence_length: int,
    generator: torch.Generator | None = None,
    device: str = "cpu",
) -> tuple[Tensor, Tensor]:
    """Cut windows at random starts."""
    starts = len(tokens) - sequence_length
    if min(batch_size, sequence_length, starts) < 1:
        raise ValueError(f"no batch of {batch_size} windows of {sequence_length} tokens and one more in {len(tokens)}")
    chosen = torch.randint(starts, (batch_size,), generator=generator)
    x, y = (_placed(batch, device) for batch in _windows(tokens, chosen.tolist(), sequence_length))
    return x, y


def _placed(batch: Tensor, device: str) -> Tensor:
    """Move the batch to the device; a copy from pinned memory runs while the GPU computes."""
    pinned = batch.pin_memory() if torch.device(device).type == "cuda" else batch
    return pinned.to(device, non_blocking=True)


def _windows(tokens: np.ndarray, starts: list[int], length: int) -> tuple[Tensor, Tensor]:
    """Return the windows that begin there, and the same windows one token later."""
    x, y = (np.stack([tokens[start + on : start + on + length] for start in starts]) for on in (0, 1))
    return torch.from_numpy(x.astype(np.int64)), torch.from_numpy(y.astype(np.int64))


def epoch_order(num_windows: int, seed: int, epoch: int) -> list[int]:
    """Return a permutation from a generator that is seeded by both numbers."""
    return np.random.default_rng([seed, epoch]).permutation(num_windows).tolist()  # type: ignore[no-any-return]


def shard(order: list[int], rank: int, world_size: int) -> list[int]:
    """Take every world_size-th of as many as world_size divides."""
    if not 0 <= rank < world_size:
        raise ValueError(f"there is no rank {rank} of {world_size}")
    return order[rank : len(order) // world_size * world_size : world_size]


class Loader:
    """Batches of the windows that this rank takes of each epoch; seed, epoch and batch say where it is."""

    def __init__(
        self,
        tokens: np.ndarray,
        batch_size: int,
        sequence_length: int,
        seed: int,
        rank: int = 0,
        world_size: int = 1,
    ) -> None:
        if not 0 <= rank < world_size or min(batch_size, sequence_length) < 1:
            raise ValueError(f"rank {rank} of {world_size}, {batch_size} windows of {sequence_length} tokens")
        self.tokens, self.batch_size, self.sequence_length = tokens, batch_size, sequence_length
        self.rank, self.world_size = rank, world_size
        self.num_windows = (len(tokens) - 1) // sequence_length
        self.num_batches = self.num_windows // world_size // batch_size
        if self.num_batches < 1:
            raise ValueError(f"{self.num_windows} windows are not one batch for each of {world_size} ranks")
        self.load_state_dict({"seed": seed, "epoch": 0, "batch": 0})

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        return self

    def __next__(self) -> tuple[Tensor, Tensor]:
        """Return the next batch of the epoch, or the first one of the next epoch."""
        if self.batch == self.num_batches:
            self.load_state_dict({"seed": self.seed, "epoch": self.epoch + 1, "batch": 0})
        first = self.batch * self.batch_size
        self.batch += 1
        chosen = self.order[first : first + self.batch_size]
        return _windows(self.tokens, [window * self.sequence_length for window in chosen], self.sequence_length)

    def state_dict(self) -> dict[str, Any]:
        """Return where the loader is."""
        return {"seed": self.seed, "epoch": self.epoch, "batch": self.batch}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go there, and make the order of that epoch again."""
        self.seed, self.epoch, self.batch = state["seed"], state["epoch"], state["batch"]
        self.order = shard(epoch_order(self.num_windows, self.seed, self.epoch), self.rank, self.world_size)


def prefetch(batches: Iterable[Any]) -> Iterator[Any]:
    """Hold one batch back until the one after it is there."""
    source = iter(batches)
    for ready in source:
        for coming in source:
            yield ready
            ready = coming
        yield ready


def document_mask(tokens: Tensor, eos: int) -> Tensor:
    """Compare how many documents have ended before each of two tokens: equally many means the same document."""
    ends = (tokens == eos).long()
    ended = ends.cumsum(0) - ends
    return (ended[:, None] == ended).tril()
