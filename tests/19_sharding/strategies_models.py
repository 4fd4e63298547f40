"""What hypothesis draws for kata 19 of models that fit."""

from __future__ import annotations

import functools
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import beside, integers, pick
from .strategies_numbers import NO_STAGES, RANKS, STAGES, WIDTHS

USUAL = (4, 4, 8)


class Fit(NamedTuple):
    """The arguments of largest_sharded_model; widths that are None, or fewer than three, are not given."""

    num_gpus: int
    bytes_per_gpu: int
    stage: int
    widths: tuple[int, ...] | None

    @property
    def given(self) -> tuple[int, ...]:
        """As the function is called."""
        return self.num_gpus, self.bytes_per_gpu, self.stage, *(self.widths or ())

    @property
    def split(self) -> tuple[int, int]:
        """Bytes of an element that every rank has, and of one that is sharded."""
        given = self.widths or ()
        widths = (*given, *USUAL[len(given) :])
        return sum(widths[: 3 - self.stage]), sum(widths[3 - self.stage :])

    @property
    def rest(self) -> int:
        """Bytes that are left beside as many elements as each rank has one of."""
        whole, part = self.split
        return self.bytes_per_gpu % (self.num_gpus * whole + part)


@functools.cache
@classes(
    {
        **{f"stage {stage}": functools.partial(lambda n, case: case.stage == n, stage) for stage in STAGES},
        "one GPU": lambda case: case.num_gpus == 1,
        "the usual widths": lambda case: case.widths is None,
        "some widths": lambda case: case.widths and len(case.widths) < 3,
        "all sharded": lambda case: not case.split[0],
        "a round that just fits": lambda case: case.bytes_per_gpu and case.rest == 0,
        "a part of a round": lambda case: case.split[0] and case.rest >= sum(case.split) and case.num_gpus > 1,
        "a part of a round that just does not fit": lambda case: (
            all(case.split) and (case.rest - case.split[1]) % case.split[0] == case.split[0] - 1
        ),
        "one does not fit": lambda case: case.bytes_per_gpu < sum(case.split),
        "one just fits": lambda case: case.bytes_per_gpu == sum(case.split),
        "no bytes": lambda case: case.bytes_per_gpu == 0,
        "more bytes than 64 bits hold": lambda case: case.bytes_per_gpu >= 2**63,
    }
)
def fits() -> SearchStrategy[Fit]:
    """GPUs of few bytes, of 80e9, and of more than 64 bits hold."""
    return beside(
        _fits(),
        *(Fit(8, 80 * 10**9, stage, None) for stage in STAGES),
        Fit(4, 100, 1, None),
    )


@st.composite
def _fits(draw: DrawFn) -> Fit:
    gpus = pick(draw, (*RANKS, 64))
    case = Fit(gpus, 0, pick(draw, STAGES), pick(draw, (None, *WIDTHS[:-2], (4,), (2, 6), (0, 4, 8), (0, 0, 1))))
    whole, part = case.split
    rounds, more = draw(integers(2, 40, 0)), draw(st.integers(0, gpus - 1))
    if gpus <= 8 and pick(draw, (False,) * 4 + (True,)):
        rounds += draw(st.integers(2**64, 2**65)) // gpus
    held = rounds * (gpus * whole + part) + (more * whole + part if more else 0)
    kind = pick(draw, ("more", "just", "less", "one", "none"))
    if kind == "one":
        return case._replace(bytes_per_gpu=max(whole + part - pick(draw, (0, 0, 1)), 0))
    if kind == "none":
        return case._replace(bytes_per_gpu=pick(draw, (0, draw(st.integers(0, whole + part)))))
    return case._replace(bytes_per_gpu=max(held + {"just": 0, "less": -1, "more": draw(integers(3, 40))}[kind], 0))


@functools.cache
@classes(
    {
        "no GPUs": lambda case: case.num_gpus == 0,
        "fewer than none": lambda case: case.num_gpus < 0,
        "no stage": lambda case: not 0 <= case.stage <= 3,
        "a parameter of less than no bytes": lambda case: case.widths and case.widths[0] < 0,
        "a gradient of less than none": lambda case: case.widths and len(case.widths) > 1 and case.widths[1] < 0,
        "a state of less than none": lambda case: case.widths and len(case.widths) > 2 and case.widths[2] < 0,
        "elements of no bytes": lambda case: case.widths == (0, 0, 0),
        "GPUs of no bytes": lambda case: case.bytes_per_gpu == 0,
    }
)
def no_fits() -> SearchStrategy[Fit]:
    """Too few GPUs, no stage, or bytes of an element that cannot be."""
    return _no_fits()


@st.composite
def _no_fits(draw: DrawFn) -> Fit:
    case = Fit(pick(draw, (4, 1, 8)), pick(draw, (100, 80 * 10**9, 0)), pick(draw, STAGES), pick(draw, WIDTHS))
    kind = pick(draw, ("width", "width", "nothing", "gpus", "stage", "stage"))
    if kind == "width":
        wrong = ((-4, 4, 8), (4, -4, 8), (4, 4, -8), (4, 4, -1), (-1,), (2, -1), (-1, 4, 8), (2, -1, 8))
        return case._replace(widths=pick(draw, wrong))
    if kind == "nothing":
        return case._replace(widths=(0, 0, 0))
    if kind == "gpus":
        return case._replace(num_gpus=pick(draw, (0, -1, -8)))
    return case._replace(stage=pick(draw, NO_STAGES))
