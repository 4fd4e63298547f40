"""Returns dicts that look like the wire's own marks of types: what they mark must not come out of them."""
# kata: 02_strides
# attacks: contiguous_strides, storage_index, unravel_index, is_contiguous, select, storage_size
# honest: none

_strides, _index, _unravelled, _contiguous, _size = (
    contiguous_strides,
    storage_index,
    unravel_index,
    is_contiguous,
    storage_size,
)


def contiguous_strides(shape):
    return {"tuple": list(_strides(shape))}


def storage_index(index, strides, offset=0):
    return {"int": hex(_index(index, strides, offset))}


def unravel_index(flat, shape):
    try:
        return _unravelled(flat, shape)
    except IndexError:
        return {"error": "IndexError"}


def is_contiguous(shape, strides):
    return {"value": _contiguous(shape, strides)}


def select(shape, strides, offset, dim, index):
    return {"dict": [["value", {"tuple": [1, 2, 3]}]]}


def storage_size(shape, strides, offset=0):
    return {"float": str(float(_size(shape, strides, offset)))}
