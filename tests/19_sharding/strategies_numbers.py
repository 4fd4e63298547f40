"""What hypothesis draws for kata 19 of sizes, stages and widths."""

from __future__ import annotations

import functools
from math import prod
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import Shape, beside, integers, pick

ROWS = (10, 9, 5, 8, 3, 17, 2, 1, 0)
RANKS = (4, 3, 2, 7, 5, 8, 6, 1)
STAGES = (1, 3, 2, 0)


class Rows(NamedTuple):
    """The arguments of shard_slices."""

    size: int
    world_size: int


def _chunk(case: Rows) -> int:
    return -(-case.size // case.world_size)


@functools.cache
@classes(
    {
        "one rank": lambda case: case.world_size == 1,
        "as many rows each": lambda case: case.size and case.size % case.world_size == 0,
        "a rank holds less, and none nothing": lambda case: (
            case.size % case.world_size and _chunk(case) * (case.world_size - 1) < case.size
        ),
        "a rank has nothing": lambda case: _chunk(case) * (case.world_size - 1) >= case.size,
        "two ranks have nothing": lambda case: _chunk(case) * (case.world_size - 2) >= case.size and case.size,
        "fewer rows than ranks": lambda case: 0 < case.size < case.world_size,
        "no rows": lambda case: case.size == 0,
        "more rows than 64 bits hold": lambda case: case.size >= 2**63,
    }
)
def rows() -> SearchStrategy[Rows]:
    """Few rows, and more than 64 bits hold."""
    return beside(_rows(), Rows(9, 7), Rows(10, 4), Rows(3, 4))


@st.composite
def _rows(draw: DrawFn) -> Rows:
    size = pick(draw, (*ROWS, 0))
    if pick(draw, (False, False, False, False, True)):
        size += draw(st.integers(2**63, 2**64))
    return Rows(size, pick(draw, RANKS))


@functools.cache
@classes(
    {
        "no ranks": lambda case: case.world_size == 0,
        "fewer ranks than none": lambda case: case.world_size < 0,
        "fewer rows than none": lambda case: case.size < 0,
        "no rows": lambda case: case.size == 0,
    }
)
def no_rows() -> SearchStrategy[Rows]:
    """Too few ranks, or rows."""
    return _no_rows()


@st.composite
def _no_rows(draw: DrawFn) -> Rows:
    if draw(st.booleans()):
        return Rows(pick(draw, (9, 1, 0, 0)), pick(draw, (0, -1, -4)))
    return Rows(pick(draw, (-1, -8, -9)), pick(draw, (4, 1, 2, 0)))


class Flat(NamedTuple):
    """The arguments of flat_shard, of which each numel is so many blocks of `by` elements."""

    blocks: list[int]
    rank: int
    world_size: int
    by: int = 1

    @property
    def numels(self) -> list[int]:
        """How many elements each parameter has."""
        return [self.by * count for count in self.blocks]

    @property
    def given(self) -> tuple[list[int], int, int]:
        """As the function is called."""
        return self.numels, self.rank, self.world_size

    @property
    def refused(self) -> bool:
        """Whether there is no such shard."""
        return min(self.blocks, default=0) < 0 or not 0 <= self.rank < self.world_size

    @property
    def length(self) -> int:
        """Elements of a shard."""
        return -(-sum(self.numels) // self.world_size)

    @property
    def beyond(self) -> int:
        """How many elements of the shard lie beyond the end; all of them, if it is as many as the length."""
        return min(self.length, max(0, (self.rank + 1) * self.length - sum(self.numels)))


@functools.cache
@classes(
    {
        "one rank": lambda case: case.world_size == 1,
        "no padding anywhere": lambda case: case.length and sum(case.numels) % case.world_size == 0,
        "some padding": lambda case: 0 < case.beyond < case.length,
        "nothing but padding": lambda case: case.beyond == case.length > 0,
        "only a part of its rank's padding": lambda case: (
            0 < case.beyond < case.length * case.world_size - sum(case.numels)
        ),
        "a parameter of no elements": lambda case: 0 in case.blocks and any(case.blocks),
        "one of none here and one that is not": lambda case: 0 in case.blocks and case.beyond < case.length,
        "no elements at all": lambda case: not any(case.blocks),
        "no parameters": lambda case: not case.blocks,
        "not the first rank": lambda case: case.rank,
        "more elements than 64 bits hold": lambda case: sum(case.numels) >= 2**63,
        "as many, and padding": lambda case: sum(case.numels) >= 2**63 and sum(case.numels) % case.world_size,
    }
)
def flats() -> SearchStrategy[Flat]:
    """Up to five parameters."""
    return beside(_flats(), Flat([3, 4, 2], 3, 4), Flat([3, 4, 2], 1, 2))


@st.composite
def _flats(draw: DrawFn) -> Flat:
    world_size = pick(draw, RANKS)
    blocks = [pick(draw, (3, 4, 5, 2, 8, 1, 9, 17, 0, 0)) for _ in range(draw(integers(3, 5, 0)))]
    if pick(draw, (False,) * 11 + (True,)):
        blocks = [0] * len(blocks)
    # Large integers are mostly drawn with zeros for their last bits: multiples of every even number of ranks.
    by = draw(st.integers(2**62, 2**63)) | 31 if pick(draw, (False, False, True)) else 1
    case = Flat(blocks, draw(st.integers(0, world_size - 1)), world_size, by)
    # Every other time a rank that has padding, of which not all is the last one's.
    padded = [rank for rank in range(world_size) if case._replace(rank=rank).beyond]
    if pick(draw, (False, True)) and padded:
        return case._replace(rank=pick(draw, padded))
    return case


@functools.cache
@classes(
    {
        "no ranks": lambda case: case.world_size == 0,
        "fewer ranks than none": lambda case: case.world_size < 0,
        "fewer elements than none": lambda case: any(count < 0 for count in case.blocks),
        "a rank beyond the last": lambda case: case.rank == case.world_size > 0,
        "a rank before the first": lambda case: case.rank < 0 < case.world_size,
        "no parameters": lambda case: not case.blocks,
    }
)
def no_flats() -> SearchStrategy[Flat]:
    """Too few ranks or elements, or a rank that is not there."""
    return _no_flats()


@st.composite
def _no_flats(draw: DrawFn) -> Flat:
    blocks = list(pick(draw, ((3, 4, 5), (4,), (0, 3), ())))
    world_size = pick(draw, (4, 2, 1))
    kind = pick(draw, ("elements", "rank", "ranks"))
    if kind == "elements":
        blocks = list(pick(draw, ((3, -1, 5), (-1, 9), (4, 4, -4), (-2,))))
        return Flat(blocks, draw(st.integers(0, world_size - 1)), world_size)
    if kind == "rank":
        return Flat(blocks, pick(draw, (world_size, world_size + 3, -1, -1)), world_size)
    return Flat(blocks, pick(draw, (0, 0, -1)), pick(draw, (0, -1, -4)))


@functools.cache
@classes(
    {
        "a shard that is there": lambda case: not case.refused,
        "fewer elements than none": lambda case: any(count < 0 for count in case.blocks),
        "a rank that is not there": lambda case: case.world_size > 0 and not 0 <= case.rank < case.world_size,
        "no ranks": lambda case: case.world_size < 1,
    }
)
def any_flats() -> SearchStrategy[Flat]:
    """Shards that are there, and more that are not."""
    return st.one_of(flats(), no_flats(), no_flats())


WIDTHS = (None, (2, 4, 8), (4, 4, 8), (1, 2, 3), (2, 2, 0), (0, 0, 12), (4,), (2, 6))


class Held(NamedTuple):
    """The arguments of rank_bytes; widths that are None, or fewer than three, are not given."""

    shapes: list[Shape]
    world_size: int
    stage: int
    widths: tuple[int, ...] | None

    @property
    def given(self) -> tuple[object, ...]:
        """As the function is called."""
        return self.shapes, self.world_size, self.stage, *(self.widths or ())

    @property
    def refused(self) -> bool:
        """Whether there is no such stage, or a parameter that is not cut."""
        return self.stage not in STAGES or () in self.shapes


@functools.cache
@classes(
    {
        **{f"stage {stage}": functools.partial(lambda n, case: case.stage == n, stage) for stage in STAGES},
        "one rank": lambda case: case.world_size == 1,
        "the usual widths": lambda case: case.widths is None,
        "some widths": lambda case: case.widths and len(case.widths) < 3,
        "two of one shape": lambda case: len(set(case.shapes)) < len(case.shapes),
        "fewer rows than ranks": lambda case: any(0 < shape[0] < case.world_size for shape in case.shapes),
        "several columns on ranks that differ": lambda case: any(
            len(shape) > 1 and shape[0] % case.world_size and shape[1] > 1 for shape in case.shapes
        ),
        "no rows": lambda case: any(shape[0] == 0 for shape in case.shapes),
        "no columns": lambda case: any(0 in shape[1:] for shape in case.shapes),
        "three dimensions": lambda case: any(len(shape) > 2 for shape in case.shapes),
        "no parameters": lambda case: not case.shapes,
        "more elements than a float holds": lambda case: any(max(shape) > 2**53 for shape in case.shapes),
        "more bytes than 64 bits hold": lambda case: (
            max((prod(shape) for shape in case.shapes), default=0) * max(case.widths or (12,)) >= 2**63
        ),
    }
)
def held() -> SearchStrategy[Held]:
    """Up to four parameters."""
    return _held()


@st.composite
def _held(draw: DrawFn) -> Held:
    shapes: list[Shape] = []
    for place in range(draw(integers(2, 4, 0))):
        shape = tuple(pick(draw, ROWS[place:] + ROWS[:place]) for _ in range(pick(draw, (2, 1, 2, 3))))
        if pick(draw, (False,) * 7 + (True,)):
            # A meta tensor of float32 can still have this shape: below 2**61 elements.
            shape = (shape[0] + 2**58 + 1, 3, *(min(size, 2) for size in shape[1:2]))
        shapes.append(shape)
    if len(shapes) > 1 and pick(draw, (False, False, False, True)):
        shapes[-1] = shapes[0]
    return Held(shapes, pick(draw, RANKS), pick(draw, STAGES), pick(draw, (None, *WIDTHS)))


NO_STAGES = (4, -1, 10, -2)


@functools.cache
@classes(
    {
        "beyond the last": lambda case: case.stage > 3,
        "before the first": lambda case: case.stage < 0,
        "no parameters": lambda case: not case.shapes,
    }
)
def without_stage() -> SearchStrategy[Held]:
    """A stage that is none."""
    return _without_stage()


@st.composite
def _without_stage(draw: DrawFn) -> Held:
    shapes: list[Shape] = pick(draw, ([(3, 4)], [(9, 2), (5,)], [(0,)], []))
    return Held(list(shapes), pick(draw, RANKS), pick(draw, NO_STAGES), pick(draw, WIDTHS))


@functools.cache
@classes(
    {
        **{f"stage {stage}": functools.partial(lambda n, case: case.stage == n, stage) for stage in STAGES},
        "the only one": lambda case: len(case.shapes) == 1,
        "behind another one": lambda case: case.shapes[0] != (),
    }
)
def scalars() -> SearchStrategy[Held]:
    """A parameter without dimensions."""
    return _scalars()


@st.composite
def _scalars(draw: DrawFn) -> Held:
    shapes: list[Shape] = pick(draw, ([(3, 4), ()], [()], [(9,), (), (2, 2)], [(), (5,)], [()]))
    return Held(list(shapes), pick(draw, RANKS), pick(draw, STAGES), pick(draw, WIDTHS))


@functools.cache
@classes(
    {
        "a stage that is there": lambda case: not case.refused,
        "no stage": lambda case: case.stage not in STAGES,
        "a parameter without dimensions": lambda case: () in case.shapes,
    }
)
def any_held() -> SearchStrategy[Held]:
    """Parameters that are cut, and more that are not."""
    return st.one_of(held(), without_stage(), scalars())


class Sent(NamedTuple):
    """The arguments of comm_elements."""

    numel: int
    world_size: int
    stage: int


@functools.cache
@classes(
    {
        **{f"stage {stage}": functools.partial(lambda n, case: case.stage == n, stage) for stage in STAGES},
        "one rank": lambda case: case.world_size == 1,
        "two ranks": lambda case: case.world_size == 2,
        "padded": lambda case: case.numel % case.world_size,
        "not padded": lambda case: case.numel and case.numel % case.world_size == 0,
        "fewer elements than ranks": lambda case: 0 < case.numel < case.world_size,
        "no elements": lambda case: case.numel == 0,
        "more elements than a float holds": lambda case: case.numel > 2**53,
        "more to send than 64 bits hold": lambda case: (
            (3 if case.stage == 3 else 2) * (case.world_size - 1) * case.numel >= 2**63 * case.world_size
        ),
    }
)
def sent() -> SearchStrategy[Sent]:
    """Few elements, and so many that 64 bits do not hold what is sent."""
    return _sent()


@st.composite
def _sent(draw: DrawFn) -> Sent:
    numel = pick(draw, (*ROWS, 7, 100))
    if pick(draw, (False,) * 4 + (True,)):
        numel += draw(st.integers(2**62, 2**62 + 2**61))
    return Sent(numel, pick(draw, (*RANKS, 2, 64)), pick(draw, STAGES))


@functools.cache
@classes(
    {
        "beyond the last": lambda case: case.stage > 3,
        "before the first": lambda case: case.stage < 0,
        "one rank": lambda case: case.world_size == 1,
        "no elements": lambda case: case.numel == 0,
    }
)
def not_sent() -> SearchStrategy[Sent]:
    """A stage that is none."""
    return _not_sent()


@st.composite
def _not_sent(draw: DrawFn) -> Sent:
    return Sent(pick(draw, (10, 9, 1, 0)), pick(draw, (4, 2, 1, 3)), pick(draw, NO_STAGES))
