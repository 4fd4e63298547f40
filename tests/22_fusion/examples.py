"""Kata 22 by the worked examples of its stub and its lesson."""

from typing import Any


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.eager_bytes(0) == 0  # WRITE: each worked example
    assert kata.fused_bytes(0) == 0  # WRITE: each worked example
    assert kata.fuse(0) == 0  # WRITE: each worked example
    assert kata.tiled_matmul_bytes(0) == 0  # WRITE: each worked example
    assert kata.online_logsumexp(0) == 0  # WRITE: each worked example
    assert kata.add_kernel(0) == 0  # WRITE: each worked example
    assert kata.matmul_kernel(0) == 0  # WRITE: each worked example
    assert kata.flash_attention(0) == 0  # WRITE: each worked example
    assert kata.clip_norm(0) == 0  # WRITE: each worked example
