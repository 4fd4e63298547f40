"""Kata 01: count the bytes. The lesson is in README.md beside this file.

A byte count is an exact integer. Tensors may be 0-d or empty, of any dtype that torch has, views of others, and on the
meta device, where a tensor has a shape, a dtype and a storage of the right size, but no data.
"""

import torch
from torch import nn


def get_memory_usage(x: torch.Tensor) -> int:
    """Bytes of x's elements: what a fresh contiguous tensor of this shape and dtype needs.

    torch.empty(2, 3)                         ->  24
    torch.empty(2, 3, dtype=torch.bfloat16)   ->  12
    torch.empty(100, 3)[:2]                   ->  24: a view counts its own elements
    torch.empty(1, 3).expand(1000, 3)         ->  12000: so does an expanded tensor
    """
    raise NotImplementedError("get_memory_usage")


def get_storage_usage(*tensors: torch.Tensor) -> int:
    """Bytes that these tensors keep alive together: their whole storages, each counted once.

    A storage on meta counts with the bytes that it would take.

    With x = torch.empty(100, 3):
    x[:2]          ->  1200: the view keeps all of x's storage
    x, x.t(), x    ->  1200: one storage
    x, x.clone()   ->  2400: two storages
    no tensor      ->  0
    """
    raise NotImplementedError("get_storage_usage")


def get_model_memory(model: nn.Module) -> int:
    """Bytes of the storages of the model's parameters and buffers, each once: trainable or not, persistent or not.

    nn.Linear(2, 3)       ->  4 · (2 · 3 + 3)
    nn.BatchNorm1d(3)     ->  4 · (3 + 3) for weight and bias, 4 · (3 + 3) for the running mean and variance, and 8
                              for the count of batches

    What two names, two parameters, two buffers, or a parameter and a buffer share counts once. Gradients, and tensors
    that are neither a parameter nor a buffer, are not counted. The model stays as it is.
    """
    raise NotImplementedError("get_model_memory")


def packed_bytes(numel: int, bits: int) -> int:
    """Whole bytes that hold numel values of `bits` bits each, packed without gaps. Exact however large.

    0 values           ->  0
    3 values of int4   ->  2: 12 bits
    4 values of fp6    ->  3: 24 bits
    9 values of 1 bit  ->  2

    Raises ValueError for numel < 0 or bits < 1.
    """
    raise NotImplementedError("packed_bytes")


def cuda_allocation(nbytes: int) -> int:
    """What `torch.cuda.memory_allocated` grows by for a request of nbytes; nobody asks for more than 1 MiB.

    The caching allocator hands out whole multiples of 512 bytes, and nothing for 0.

    Raises ValueError for nbytes < 0.
    """
    raise NotImplementedError("cuda_allocation")
