"""A simulator of a GPU's programs: a kernel runs once for each place of a grid, with a small language like Triton's.

It is strict where a GPU is silent. An address outside that is not masked raises IndexError, what is masked and has no
other value is NaN, and who stores to what is only read is told. What was loaded and stored is counted.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

AXES = 3
"""Of a grid, as on a GPU: one that is not named has one program."""

INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)


MOST = 4
"""Addresses outside that are told."""


class Outside(IndexError):
    """An address that a memory does not have was loaded from or stored to, and not masked."""


class Pointer:
    """Addresses in a memory: one, or as many as a tensor has."""

    def __init__(self, name: str, places: int | Tensor) -> None:
        self._name = name
        self._places = places

    def __add__(self, other: Any) -> Pointer:
        """The addresses so many numbers further on."""
        if isinstance(other, Tensor):
            if other.dtype not in INTEGERS:
                raise TypeError(f"a pointer plus a tensor of {other.dtype}: an address is an integer")
            return Pointer(self._name, self._places + other.long())
        try:
            return Pointer(self._name, self._places + operator.index(other))
        except TypeError:
            raise TypeError(f"a pointer plus {type(other).__name__}: an address is an integer") from None

    __radd__ = __add__

    def __repr__(self) -> str:
        return f"{self._name} + {self._places}"


@dataclass
class Work:
    """What one program does: how much it loads of each memory, and the places to which it stores."""

    place: tuple[int, ...]
    loads: dict[str, int]
    stores: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Run:
    """What a grid of programs leaves.

    result: its numbers, NaN where nothing was stored. loads: how many numbers of each memory were loaded. stores: how
    often each number of the result was stored. most: numbers that one program stored. works: what each program did.
    """

    result: Tensor
    loads: dict[str, int]
    stores: list[int]
    most: int
    works: list[Work]


class _Memory:
    """What the pointers point to: what is read, and the result, which begins as NaN."""

    def __init__(self, given: dict[str, Tensor | int]) -> None:
        (self.result,) = (name for name, one in given.items() if isinstance(one, int))
        self.numbers = {
            name: torch.full((one,), math.nan) if isinstance(one, int) else one.flatten() for name, one in given.items()
        }

    def at(self, pointer: Any, mask: Any, work: Work, verb: str) -> tuple[str, Tensor, Tensor]:
        """The name, the places and the mask of what a pointer points to, which broadcast; IndexError outside."""
        if type(pointer) is not Pointer:
            raise TypeError(f"{verb} takes a pointer, got {type(pointer).__name__}")
        name = pointer._name
        asked = torch.as_tensor(True if mask is None else mask).bool()
        places, asked = torch.broadcast_tensors(torch.as_tensor(pointer._places), asked)
        size = len(self.numbers[name])
        outside = places[asked & ((places < 0) | (places >= size))].tolist()
        if outside:
            where = ", ".join(map(str, work.place))
            at = ", ".join(f"{name} + {place}" for place in outside[:MOST])
            more = f" and {len(outside) - MOST} more" if len(outside) > MOST else ""
            raise Outside(f"program ({where}) {verb}s at {at}{more}, where {name} has {size} numbers")
        return name, places, asked


class Language:
    """`tl`, as one program sees it."""

    def __init__(self, grid: tuple[int, ...], memory: _Memory, work: Work) -> None:
        self._grid = grid
        self._memory = memory
        self._work = work

    def program_id(self, axis: int) -> int:
        """Which program this is along an axis of the grid."""
        return self._work.place[axis] if axis < len(self._work.place) else self._none(axis)

    def num_programs(self, axis: int) -> int:
        """How many programs there are along an axis of the grid."""
        return self._grid[axis] if axis < len(self._grid) else self._none(axis) + 1

    @staticmethod
    def _none(axis: int) -> int:
        return range(AXES).index(axis) * 0

    @staticmethod
    def arange(start: int, end: int) -> Tensor:
        """The integers from start to end - 1, which are a power of two."""
        count = end - start
        if count < 1 or count & (count - 1):
            raise ValueError(f"arange({start}, {end}) has {count} integers, which is no power of two")
        return torch.arange(start, end)

    def load(self, pointer: Any, mask: Any = None, other: Any = None) -> Tensor:
        """The numbers at the addresses; other, or NaN, where mask is False."""
        name, places, asked = self._memory.at(pointer, mask, self._work, "load")
        instead = torch.as_tensor(math.nan if other is None else other).float()
        places, asked, instead = torch.broadcast_tensors(places, asked, instead)
        self._work.loads[name] += int(asked.sum())
        return torch.where(asked, self._memory.numbers[name][places.where(asked, 0)], instead)

    def store(self, pointer: Any, value: Any, mask: Any = None) -> None:
        """Write a value to the addresses where mask is True."""
        name, places, asked = self._memory.at(pointer, mask, self._work, "store")
        places, asked, value = torch.broadcast_tensors(places, asked, torch.as_tensor(value).float())
        if name != self._memory.result and asked.any():
            raise ValueError(f"{name} is only read, and program {self._work.place} stores to it")
        self._memory.numbers[name][places[asked]] = value[asked]
        self._work.stores += places[asked].tolist()

    @staticmethod
    def zeros(shape: int | Sequence[int]) -> Tensor:
        """Zeros of that shape."""
        return torch.zeros(shape)

    @staticmethod
    def dot(a: Tensor, b: Tensor) -> Tensor:
        """The product of two matrices."""
        if a.dim() != 2 or b.dim() != 2:
            raise ValueError(f"dot takes two matrices, got shapes {tuple(a.shape)} and {tuple(b.shape)}")
        return a @ b

    @staticmethod
    def cdiv(a: int, b: int) -> int:
        """The quotient, rounded up."""
        return -(-a // b)


def launch(kernel: Callable[..., None], grid: tuple[int, ...], memory: dict[str, Tensor | int], *numbers: int) -> Run:
    """Run kernel(tl, *pointers, *numbers) for each place of the grid, one after the other.

    memory: in the order of the pointers, for what is read a tensor of any shape, for the result how many numbers it
    has.
    """
    there = _Memory(memory)
    works = [Work(place, dict.fromkeys(memory, 0)) for place in itertools.product(*map(range, grid))]
    for work in works:
        kernel(Language(grid, there, work), *(Pointer(name, 0) for name in memory), *numbers)
    result = there.numbers[there.result]
    stored = torch.zeros(len(result), dtype=torch.int64)
    for work in works:
        stored.index_add_(0, torch.tensor(work.stores, dtype=torch.int64), torch.ones(len(work.stores)).long())
    return Run(
        result,
        {name: sum(work.loads[name] for work in works) for name in memory},
        stored.tolist(),
        max((len(work.stores) for work in works), default=0),
        works,
    )
