"""Kata 01: count the bytes. The lesson is in README.md beside this file.

A byte count is an exact integer. A tensor may be 0-d or empty, may have any dtype that torch has, may be a view of
another, and may be on the meta device. There it has a shape, a dtype and a storage of the right size, but no data.

No function changes what it is given.
"""

import torch
from torch import nn


def get_memory_usage(x: torch.Tensor) -> int:
    """Return the bytes of x's elements: what a fresh contiguous tensor of this shape and dtype needs.

    torch.empty(2, 3)                         ->  24
    torch.empty(2, 3, dtype=torch.bfloat16)   ->  12
    torch.empty(100, 3)[:2]                   ->  24: a view counts its own elements
    torch.empty(1, 3).expand(1000, 3)         ->  12000: so does an expanded tensor
    """
    raise NotImplementedError("get_memory_usage")


def get_storage_usage(*tensors: torch.Tensor) -> int:
    """Return the bytes that these tensors keep alive together: their whole storages, each counted once.

    A storage on meta counts as the bytes that it would take. The gradient of a tensor is another tensor, and does not
    count.

    With x = torch.empty(100, 3):
    x[:2]          ->  1200: the view keeps all of x's storage
    x, x.t(), x    ->  1200: one storage
    x, x.clone()   ->  2400: two storages
    no tensor      ->  0
    """
    raise NotImplementedError("get_storage_usage")


def get_model_memory(model: nn.Module) -> int:
    """Return the bytes of the storages of the model's parameters and buffers, counting each storage once.

    All parameters and buffers count, trainable or not, persistent or not.

    nn.Linear(2, 3)       ->  4 · (2 · 3 + 3)
    nn.BatchNorm1d(3)     ->  4 · (3 + 3) for weight and bias, 4 · (3 + 3) for the running mean and variance, and 8
                              for the count of batches

    What is shared by two names, two parameters, two buffers, or a parameter and a buffer counts once. Gradients, and
    tensors that are neither a parameter nor a buffer, do not count. The model stays unchanged.
    """
    raise NotImplementedError("get_model_memory")


def packed_bytes(numel: int, bits: int) -> int:
    """Return the number of whole bytes that hold numel values of `bits` bits each, packed without gaps.

    The result is exact, however large it is.

    0 values           ->  0
    3 values of int4   ->  2: 12 bits
    4 values of fp6    ->  3: 24 bits
    9 values of 1 bit  ->  2

    Raises ValueError for numel < 0 or bits < 1.
    """
    raise NotImplementedError("packed_bytes")


def cuda_allocation(nbytes: int) -> int:
    """Return how many bytes `torch.cuda.memory_allocated` grows by for a request of nbytes.

    The caching allocator hands out whole multiples of 512 bytes, and nothing for 0. Requests of more than 1 MiB are not
    tested.

    Raises ValueError for nbytes < 0.
    """
    raise NotImplementedError("cuda_allocation")
