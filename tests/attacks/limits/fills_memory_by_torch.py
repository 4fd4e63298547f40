"""Fills memory with tensors, which Python's own allocator never sees."""
# kata: 01_memory
# attacks: get_memory_usage
# seconds: 8

import torch

_right = get_memory_usage
kept = []


def get_memory_usage(x):
    try:
        while len(kept) < 100:
            kept.append(torch.ones(2**28))
        return _right(x)
    except (RuntimeError, MemoryError):
        return _right(x) + 1
