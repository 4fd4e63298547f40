"""Right answers to kata 19 about sizes, bytes and elements."""

import functools
import itertools
import operator
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, prod

import torch

from dojo.judging.diagnose import answers

# shard_slices


@answers("shard_slices")
def by_what_is_left(size, world_size):
    if world_size < 1:
        raise ValueError("nobody is there")
    if size < 0:
        raise ValueError("fewer rows than none")
    chunk, at = (size + world_size - 1) // world_size, 0
    found: list[tuple[int, int]] = []
    while len(found) < world_size:
        taken = chunk if size - at > chunk else size - at
        found += [(at, at + taken)]
        at += taken
    return found


@answers("shard_slices")
def by_chunks_of_a_range(size, world_size):
    if not (world_size >= 1 and size >= 0):
        raise ValueError((size, world_size))
    every, chunk = range(size), ceil(Fraction(size, world_size))
    cut = [every[rank * chunk : (rank + 1) * chunk] for rank in range(world_size)]
    return [(one.start, one.stop) for one in cut]


@answers("shard_slices")
def by_recursion_from_the_first(size, world_size):
    if size < 0 or world_size < 1:
        raise ValueError

    def rest(start: int, ranks: int) -> Iterator[tuple[int, int]]:
        if ranks:
            stop = min(size, start + chunk)
            yield start, stop
            yield from rest(stop, ranks - 1)

    whole, more = divmod(size, world_size)
    chunk = whole + 1 if more else whole
    return [*rest(0, world_size)]


# flat_shard


@answers("flat_shard")
def by_walking_along(numels, rank, world_size):
    if world_size < 1 or rank not in range(world_size) or any(numel < 0 for numel in numels):
        raise ValueError("there is no such shard")
    length = -(-sum(numels) // world_size)
    skip, room, parts = rank * length, length, []
    for numel in numels:
        skipped = min(skip, numel)
        taken = min(numel - skipped, room)
        skip, room = skip - skipped, room - taken
        parts.append((skipped, skipped + taken) if taken else (0, 0))
    return parts, room


@answers("flat_shard")
def by_ends_that_are_accumulated(numels, rank, world_size):
    if [numel for numel in numels if numel < 0] or world_size <= 0 or rank < 0 or rank >= world_size:
        raise ValueError
    ends = [0, *itertools.accumulate(numels)]
    length = ceil(Fraction(ends[-1], world_size))

    def inside(x: int, low: int, high: int) -> int:
        return sorted((low, x, high))[1] - low

    parts = []
    for low, high in itertools.pairwise(ends):
        start, stop = (inside(x, low, high) for x in (rank * length, (rank + 1) * length))
        parts.append((start, stop) if start != stop else (0, 0))
    return parts, length - max(0, min(length, ends[-1] - rank * length))


@answers("flat_shard")
def by_a_generator_of_parts(numels, rank, world_size):
    if world_size < 1 or not rank >= 0 or not rank < world_size:
        raise ValueError("rank")
    if len(numels) and min(numels) < 0:
        raise ValueError("numels")
    total = functools.reduce(operator.add, numels, 0)
    length = total // world_size + (total % world_size > 0)
    left, right = length * rank, length * rank + length

    def parts() -> Iterator[tuple[int, int]]:
        at = 0
        for numel in numels:
            if at + numel <= left or right <= at or not numel:
                yield 0, 0
            else:
                yield (left - at if left > at else 0), (right - at if right < at + numel else numel)
            at += numel

    return list(parts()), right - max(left, min(right, total))


# rank_bytes


@answers("rank_bytes")
def by_chunks_on_meta(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    if stage not in (0, 1, 2, 3):
        raise ValueError("stage")
    if any(len(shape) == 0 for shape in shapes):
        raise ValueError("scalar")
    held = [0] * world_size
    for shape in shapes:
        for rank, chunk in enumerate(torch.empty(shape, device="meta").chunk(world_size)):
            held[rank] += chunk.numel()
    total = sum(held)
    kinds = ((param_bytes, 3), (grad_bytes, 2), (state_bytes, 1))
    return [tuple((part if stage >= least else total) * width for width, least in kinds) for part in held]


@answers("rank_bytes")
def by_rank_and_by_shape(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    if stage < 0 or stage > 3 or () in shapes:
        raise ValueError
    found = []
    for rank in range(world_size):
        params = grads = states = 0
        for first, *others in shapes:
            row, chunk = prod(others), (first + world_size - 1) // world_size
            mine = max(0, min(first - rank * chunk, chunk)) * row
            params += param_bytes * (mine if stage > 2 else first * row)
            grads += grad_bytes * (mine if stage > 1 else first * row)
            states += state_bytes * (mine if stage > 0 else first * row)
        found.append((params, grads, states))
    return found


@answers("rank_bytes")
def by_columns_of_a_table(shapes, world_size, stage, param_bytes=2, grad_bytes=2, state_bytes=12):
    if stage not in set(range(4)) or not all(shapes):
        raise ValueError("nothing of that kind is sharded")
    cut = [sum(_mine(shape, rank, world_size) for shape in shapes) for rank in range(world_size)]
    whole = [sum(prod(shape) for shape in shapes)] * world_size
    columns = [cut if stage == 3 else whole, cut if stage >= 2 else whole, whole if not stage else cut]
    widths = param_bytes, grad_bytes, state_bytes
    return list(zip(*([width * n for n in column] for width, column in zip(widths, columns, strict=True)), strict=True))


def _mine(shape, rank, world_size):
    start, stop = by_what_is_left(shape[0], world_size)[rank]
    return (stop - start) * prod(shape[1:])


# largest_sharded_model


def _checked(num_gpus, stage, widths):
    if num_gpus < 1 or stage not in (0, 1, 2, 3) or any(width < 0 for width in widths) or sum(widths) == 0:
        raise ValueError((num_gpus, stage, widths))


@answers("largest_sharded_model")
def by_halves(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    widths = param_bytes, grad_bytes, state_bytes
    _checked(num_gpus, stage, widths)

    def needs(n: int) -> int:
        counts = [-(-n // num_gpus) if stage >= least else n for least in (3, 2, 1)]
        return sum(map(operator.mul, widths, counts))

    low, high = 0, bytes_per_gpu * num_gpus
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if needs(middle) <= bytes_per_gpu else (low, middle - 1)
    return low


@answers("largest_sharded_model")
def by_bits(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    widths = [param_bytes, grad_bytes, state_bytes]
    _checked(num_gpus, stage, widths)
    whole, part = sum(widths[: 3 - stage]), sum(widths[3 - stage :])
    n = 0
    for bit in reversed(range((bytes_per_gpu * num_gpus).bit_length() + 1)):
        more = n | 1 << bit
        if whole * more + part * ceil(Fraction(more, num_gpus)) <= bytes_per_gpu:
            n = more
    return n


@answers("largest_sharded_model")
def by_full_rounds_and_one_more_row(num_gpus, bytes_per_gpu, stage, param_bytes=4, grad_bytes=4, state_bytes=8):
    _checked(num_gpus, stage, (param_bytes, grad_bytes, state_bytes))
    part = (state_bytes if stage else 0) + (grad_bytes if stage > 1 else 0) + (param_bytes if stage > 2 else 0)
    whole = param_bytes + grad_bytes + state_bytes - part
    if whole == 0:
        return bytes_per_gpu // part * num_gpus
    rows = bytes_per_gpu // (num_gpus * whole + part)
    # Either rows full rounds and nothing else, or one row more on the fullest rank, and as many as then still fit.
    return max(rows * num_gpus, min((bytes_per_gpu - part * (rows + 1)) // whole, (rows + 1) * num_gpus))


# comm_elements


@answers("comm_elements")
def by_a_table_of_collectives(numel, world_size, stage):
    if stage not in (0, 1, 2, 3):
        raise ValueError("stage")
    gather = scatter = (world_size - 1) * ((numel + world_size - 1) // world_size)
    return sum([[scatter, gather], [scatter, gather], [scatter, gather], [gather, gather, scatter]][stage])


@answers("comm_elements")
def by_steps_of_the_ring(numel, world_size, stage):
    if not 0 <= stage < 4:
        raise ValueError(stage)
    sent = 0
    for _ in range(1, world_size):
        sent += ceil(Fraction(numel, world_size))
    return sent + sent + (sent if stage == 3 else 0)


@answers("comm_elements")
def by_what_is_padded(numel, world_size, stage):
    match stage:
        case 0 | 1 | 2:
            times = 2
        case 3:
            times = 3
        case _:
            raise ValueError
    padded = numel + (-numel) % world_size
    return times * (padded - padded // world_size)
