"""Returns what would become the answer if somebody asked it to: coroutines, generators, proxies, enums, partials."""
# kata: 02_strides
# attacks: contiguous_strides, storage_index, unravel_index, storage_size, is_contiguous, transpose
# honest: none

import enum
import functools
import weakref

_strides, _index, _unravelled, _size, _contiguous, _transposed = (
    contiguous_strides,
    storage_index,
    unravel_index,
    storage_size,
    is_contiguous,
    transpose,
)
kept = []


class Holder(set):
    """Can be referred to weakly."""


def contiguous_strides(shape):
    return (stride for stride in _strides(shape))


async def storage_index(index, strides, offset=0):
    return _index(index, strides, offset)


def unravel_index(flat, shape):
    kept.append(Holder(_unravelled(flat, shape)))
    return weakref.proxy(kept[-1])


def storage_size(shape, strides, offset=0):
    return enum.IntEnum("Size", {"SIZE": _size(shape, strides, offset)}).SIZE


def is_contiguous(shape, strides):
    return functools.partial(_contiguous, shape, strides)


def transpose(shape, strides, dim0, dim1):
    return map(tuple, _transposed(shape, strides, dim0, dim1))
