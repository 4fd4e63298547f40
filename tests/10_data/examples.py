"""Kata 10 by the worked examples of its stub and its lesson."""

from typing import Any


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.token_dtype(0) == 0  # WRITE: each worked example
    assert kata.write_tokens(0) == 0  # WRITE: each worked example
    assert kata.open_tokens(0) == 0  # WRITE: each worked example
    assert kata.get_batch(0) == 0  # WRITE: each worked example
    assert kata.epoch_order(0) == 0  # WRITE: each worked example
    assert kata.shard(0) == 0  # WRITE: each worked example
    assert kata.Loader(0) == 0  # WRITE: each worked example
    assert kata.prefetch(0) == 0  # WRITE: each worked example
    assert kata.document_mask(0) == 0  # WRITE: each worked example
