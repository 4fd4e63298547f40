"""What hypothesis draws for kata 11 of states: optimizers by name, shapes of parameters, dtypes and settings."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import Shape, integers, pick, shapes

Case = tuple[Any, ...]

NAMES = ("SGD", "Adagrad", "RMSprop", "Adam", "AdamW", "Muon")
IN_LOWER_CASE = tuple(name.lower() for name in NAMES)
NO_NAMES = ("RMSProp", "AdaGrad", "Lion", "SGDW", "Adam ", " SGD", "AdamW ", "")
OF_TORCH = ("Adamax", "NAdam", "RAdam", "Adadelta", "Rprop", "ASGD", "SparseAdam", "Adafactor", "LBFGS")
"""Names of other optimizers that torch has."""
HUGE = ((False,), (False,), (False, True), (True,))
"""What is drawn from for each parameter of a case, whether it is huge: only several are together beyond 64 bits."""
FLOAT8 = (torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e8m0fnu)
DTYPES = (torch.float32, torch.bfloat16, torch.float64, torch.float16, *FLOAT8)
MOMENTUMS = (0.5, 0.0, 1e-6, 1.0, 1e-6, 2.0)


def _is(name: str) -> Callable[[Case], bool]:
    return lambda case: case[0] == name and len(case[1]) > 0


@classes(
    {
        **{name: _is(name) for name in NAMES},
        "no parameters": lambda case: not case[1],
        "several parameters": lambda case: len(case[1]) > 1,
        "a parameter of four dimensions": lambda case: any(len(shape) == 4 for shape in case[1]),
        "a parameter of one number": lambda case: () in case[1],
        "an empty parameter": lambda case: any(0 in shape for shape in case[1]),
        "beyond what a float holds exactly": lambda case: any(max(shape, default=0) > 2**20 for shape in case[1]),
        "bytes beyond 64 bits": lambda case: 2 * 4 * sum(map(math.prod, case[1])) > 2**64,  # Adam's, in float32
        "a momentum of 1 or more": lambda case: case[0] in ("SGD", "RMSprop") and case[3:4] >= (1.0,),
        "a momentum just above 0": lambda case: case[0] in ("SGD", "RMSprop") and case[3:4] == (1e-6,),
        "float32 by default": lambda case: len(case) < 3,
        "2 bytes": lambda case: case[2:3] in ((torch.bfloat16,), (torch.float16,)),
        "1 byte": lambda case: case[2:3] == FLOAT8[:1],
        "1 byte, of a less known dtype": lambda case: len(case) > 2 and case[2] in FLOAT8[1:],
        "8 bytes": lambda case: case[2:3] == (torch.float64,),
        "SGD with momentum": lambda case: case[0] == "SGD" and case[3:4] > (0.0,),
        "RMSprop with momentum": lambda case: case[0] == "RMSprop" and case[3:4] > (0.0,),
        "Adam or AdamW with amsgrad": lambda case: case[0][:4] == "Adam" and case[4:] == (True,),
        "amsgrad that does not matter": lambda case: case[0][:4] != "Adam" and case[4:] == (True,),
        "momentum that does not matter": lambda case: case[0] not in ("SGD", "RMSprop") and case[3:4] > (0.0,),
    }
)
@st.composite
def states(draw: DrawFn) -> Case:
    """(optimizer, shapes) and some of (dtype, momentum, amsgrad), by place."""
    name = pick(draw, NAMES)
    huge = pick(draw, HUGE)
    listed = [_shape(draw, name, huge) for _ in range(pick(draw, (1, 2, 3, 4, 1, 4, 3, 0)))]
    return name, listed, *_settings(draw)


@classes(
    {
        "a torch optimizer in other capitals": lambda case: (
            case[0].lower() in map(str.lower, NAMES) and case[0] != "Muon"
        ),
        "a name in lower case": lambda case: case[0] in IN_LOWER_CASE,
        "a space beside a name": lambda case: case[0] != case[0].strip(),
        "another optimizer of torch's": lambda case: case[0] in OF_TORCH,
        "Muon with a vector": lambda case: case[0] == "Muon" and any(len(shape) == 1 for shape in case[1]),
        "Muon with a scalar": lambda case: case[0] == "Muon" and () in case[1],
        "Muon with three dimensions": lambda case: case[0] == "Muon" and any(len(shape) == 3 for shape in case[1]),
        "Muon with a matrix beside it": lambda case: case[0] == "Muon" and len(case[1]) > 1,
    }
)
@st.composite
def refused_states(draw: DrawFn) -> Case:
    """A name that does not exist, or a Muon with a shape that it refuses; and settings, by place."""
    if draw(st.booleans()):
        return (
            pick(draw, pick(draw, (IN_LOWER_CASE, NO_NAMES, OF_TORCH))),
            [_shape(draw, "Muon")][: pick(draw, (1, 1, 0))],
            *_settings(draw),
        )
    listed = [_shape(draw, "Muon") for _ in range(draw(st.integers(0, 2)))]
    listed.insert(draw(st.integers(0, len(listed))), pick(draw, ((3,), (2, 3, 4), ())))
    return "Muon", listed, *_settings(draw)


def some(cases: SearchStrategy[Case]) -> SearchStrategy[list[Case]]:
    """Four cases: of six names and five settings, one alone has few."""
    return st.lists(cases, min_size=4, max_size=4)


def _shape(draw: DrawFn, name: str, huge: Sequence[bool] = (False, False, False, True)) -> Shape:
    if pick(draw, huge):  # less than 2**63 bytes each, which is all that torch can measure
        return draw(st.integers(2**29 + 2**28, 2**30 - 1)), draw(st.integers(2**29 + 2**28, 2**30 - 1))
    if name == "Muon":
        return draw(integers(2, 4)), draw(integers(3, 4))
    return draw(shapes(4, 4))


def _settings(draw: DrawFn) -> Case:
    settings = pick(draw, DTYPES), pick(draw, MOMENTUMS), draw(st.booleans())
    return settings[: pick(draw, (0, 1, 2, 3, 3, 3))]
