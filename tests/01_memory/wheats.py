"""Right answers to kata 01 in styles that the solution does not use."""

import functools
import itertools
import math
import operator
from fractions import Fraction

import numpy as np
import torch
from torch.multiprocessing.reductions import StorageWeakRef

from dojo.judging.diagnose import answers


@answers("get_memory_usage")
def by_the_attribute(x):
    return x.nbytes


@answers("get_memory_usage")
def by_a_product_of_sizes_in_numpy(x):
    return int(np.prod(x.shape)) * x.dtype.itemsize


@answers("get_memory_usage")
def by_recursion_over_the_shape(x):
    def size(shape):
        return x.element_size() if not shape else shape[0] * size(shape[1:])

    return size(tuple(x.shape))


@answers("get_memory_usage")
def by_making_the_fresh_tensor_on_meta(x):
    return torch.empty(x.shape, dtype=x.dtype, device="meta").untyped_storage().nbytes()


@answers("get_memory_usage")
def by_the_strides_of_a_fresh_tensor(x):
    fresh = torch.empty(x.shape, dtype=x.dtype, device="meta")
    if fresh.numel() == 0:
        return 0
    last = sum((size - 1) * stride for size, stride in zip(fresh.size(), fresh.stride(), strict=True))
    return (last + 1) * torch.empty((), dtype=x.dtype, device="meta").element_size()


@answers("get_storage_usage")
def by_comparing_with_is(*tensors):
    distinct = []
    for x in tensors:
        storage = x.untyped_storage()
        if not any(storage is other for other in distinct):
            distinct.append(storage)
    return sum(map(len, distinct))


@answers("get_storage_usage")
def by_weak_references(*tensors):
    found = {}
    for x in tensors:
        found[StorageWeakRef(x.untyped_storage())] = x.untyped_storage().nbytes()
    return sum(found.values())


@answers("get_storage_usage")
def by_asking_torch_for_aliases(*tensors):
    if not tensors:
        return 0
    *others, last = tensors
    known = any(torch._C._is_alias_of(last, other) for other in others)
    return by_asking_torch_for_aliases(*others) + (0 if known else last.untyped_storage().size())


@answers("get_storage_usage")
def by_data_pointers_where_there_are_any(*tensors):
    sizes = {}
    for x in tensors:
        storage = x.untyped_storage()
        key = (str(x.device), storage.data_ptr()) if storage.data_ptr() else id(storage)
        sizes[key] = storage.nbytes()
    return functools.reduce(operator.add, sizes.values(), 0)


@answers("get_storage_usage")
def by_sorting_and_grouping(*tensors):
    storages = sorted((x.untyped_storage() for x in tensors), key=id)
    return sum(next(same).nbytes() for _, same in itertools.groupby(storages, key=id))


@answers("get_model_memory")
def by_walking_the_modules(model):
    seen = set()
    total = 0
    for module in model.modules():
        for x in [*module._parameters.values(), *module._buffers.values()]:
            if x is not None and x.untyped_storage()._cdata not in seen:
                seen.add(x.untyped_storage()._cdata)
                total += x.untyped_storage().nbytes()
    return total


@answers("get_model_memory")
def by_recursion_over_the_children(model):
    class Storages:
        def __init__(self):
            self.found = {}

        def __call__(self, module):
            for x in module.parameters(recurse=False):
                self.found[id(x.untyped_storage())] = x.untyped_storage()
            for x in module.buffers(recurse=False):
                self.found[id(x.untyped_storage())] = x.untyped_storage()
            for child in module.children():
                self(child)
            return self.found

    return sum(storage.nbytes() for storage in Storages()(model).values())


@answers("get_model_memory")
def by_names(model):
    named = dict(model.named_parameters(remove_duplicate=False)) | dict(model.named_buffers(remove_duplicate=False))
    return sum({StorageWeakRef(x.untyped_storage()): x.untyped_storage().nbytes() for x in named.values()}.values())


@answers("get_model_memory")
def by_the_bytes_that_are_used(model):
    """Count each byte of an element once: another reading of shared storage, equal if all of the storage is used."""
    stretches = {}
    for x in itertools.chain(model.parameters(), model.buffers()):
        if x.numel() == 0:
            continue
        begin = x.storage_offset() * x.element_size()
        last = sum((size - 1) * stride for size, stride in zip(x.shape, x.stride(), strict=True))
        stretches.setdefault(x.untyped_storage()._cdata, []).append((begin, begin + (last + 1) * x.element_size()))
    total = 0
    for mine in stretches.values():
        reached = 0
        for begin, end in sorted(mine):
            total += max(0, end - max(begin, reached))
            reached = max(reached, end)
    return total


@answers("packed_bytes")
def by_divmod(numel, bits):
    if not (numel >= 0 and bits >= 1):
        raise ValueError("numel >= 0, bits >= 1")
    full, rest = divmod(numel * bits, 8)
    return full + bool(rest)


@answers("packed_bytes")
def by_an_exact_fraction(numel, bits):
    if numel < 0:
        raise ValueError(numel)
    if bits <= 0:
        raise ValueError(bits)
    return math.ceil(Fraction(numel * bits, 8))


@answers("packed_bytes")
def by_shifts(numel, bits):
    class TooFew(ValueError):
        pass

    if min(numel, bits - 1) < 0:
        raise TooFew
    total = numel * bits
    return (total >> 3) + (1 if total & 7 else 0)


@answers("packed_bytes")
def by_groups_of_eight_values(numel, bits):
    if numel < 0 or bits < 1:
        raise ValueError(f"{numel=} {bits=}")
    groups, left = numel // 8, numel % 8  # eight values fill `bits` whole bytes
    return groups * bits - -left * bits // 8


@answers("packed_bytes")
def by_the_length_of_an_integer(numel, bits):
    if numel < 0 or bits < 1:
        raise ValueError
    if numel * bits < 10_000:
        return len((2 ** (numel * bits) - 1).to_bytes((numel * bits + 7) // 8, "little"))
    return -(numel * bits // -8)


@answers("cuda_allocation")
def by_the_missing_bytes(nbytes):
    if nbytes < 0:
        raise ValueError("negative")
    return nbytes + -nbytes % 512


@answers("cuda_allocation")
def by_a_mask(nbytes):
    if nbytes < 0:
        raise ValueError("negative")
    return (nbytes + 511) & ~511


@answers("cuda_allocation")
def by_counting_blocks(nbytes):
    if nbytes < 0:
        raise ValueError("negative")
    blocks = 0
    while blocks * 512 < nbytes:
        blocks += 1
    return blocks * 512


@answers("cuda_allocation")
def by_a_float_that_is_exact_below_a_mebibyte(nbytes):
    if nbytes < 0:
        raise ValueError("negative")
    return 512 * math.ceil(nbytes / 512)
