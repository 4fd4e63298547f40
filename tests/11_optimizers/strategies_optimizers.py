"""What hypothesis draws for kata 11 of optimizers: the programs and settings of each, right and wrong ones."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared import optimizer_programs as shared
from ..shared.closures import raising_programs
from ..shared.optimizer_programs import STEP
from ..shared.optimizers import LRS, Described, Settings, negative, typed_edge
from ..shared.programs import Program
from ..shared.shapes import pick

MOMENTUMS = (0.5, 0.75, 0.0)
DECAYS = (0.5, 0.25, 0.0)
EPS = (0.5, 0.125, 1e-8)
BETAS = ((0.5, 0.75), (0.9, 0.999), (0.75, 0.5), (0.0, 0.5), (0.0, 0.0))
NO_BETAS = ((1.0, 0.75), (0.5, 1.0), (-0.125, 0.75), (0.5, -0.125), (1.5, 0.75), (0.5, 1.5))


def _with_momentum(draw: DrawFn, settings: Settings) -> Settings:
    """Settings of SGD without a nesterov that it would refuse."""
    if not settings.get("nesterov"):
        return settings
    return (
        settings
        | {"momentum": settings.get("momentum") or 0.5}
        | ({"dampening": 0.0} if "dampening" in settings else {})
    )


def _no_root_of_a_rounding(draw: DrawFn, settings: Settings) -> Settings:
    """Settings without a decay where nothing of the past is left in the divisor.

    A gradient and its decay may cancel all but a rounding, and such a divisor blows that up.
    """
    forgets = settings.get("alpha", 1.0) == 0 or settings.get("betas", (1.0, 1.0))[1] == 0
    return settings | {"weight_decay": 0.0} if forgets and settings.get("weight_decay") else settings


ADAM: dict[str, tuple[Any, ...]] = {"lr": LRS, "betas": BETAS, "eps": EPS, "weight_decay": DECAYS}
ZERO_EPS = [({"eps": 0.0}, "")] * 2
OF_ADAM = [
    *negative("lr", "eps", "weight_decay"),
    *(({"betas": betas}, f"betas is {betas}") for betas in NO_BETAS),
    *ZERO_EPS,
    *(({"betas": (0.0, 0.0), "weight_decay": 0.0}, ""), ({"lr": 0.0}, "")),
]
NO_NESTEROV = [
    ({"nesterov": True, "momentum": 0.0}, "nesterov without momentum"),
    ({"nesterov": True, "momentum": 0.5, "dampening": 0.25}, "nesterov with dampening"),
]
OPTIMIZERS = {
    "SGD": Described(
        "SGD",
        {
            "lr": LRS,
            "momentum": MOMENTUMS,
            "dampening": (0.5, 0.25, 0.0),
            "weight_decay": DECAYS,
            "nesterov": (True, False),
        },
        [
            *negative("lr", "momentum", "weight_decay"),
            *NO_NESTEROV * 3,
            *(({"nesterov": True, "momentum": 0.5, "dampening": 0.0}, ""), ({"momentum": 0.0, "nesterov": False}, "")),
            *[({"momentum": 1.0}, ""), ({"dampening": -0.25, "nesterov": False}, "")] * 2,
        ],
        mended=_with_momentum,
    ),
    "RMSProp": Described(
        "RMSProp",
        {"lr": LRS, "alpha": (0.5, 0.75, 0.99, 0.0), "eps": EPS, "weight_decay": DECAYS, "momentum": MOMENTUMS},
        [
            *negative("lr", "alpha", "eps", "weight_decay", "momentum"),
            *ZERO_EPS,
            *(
                ({"alpha": 0.0, "weight_decay": 0.0}, ""),
                ({"lr": 0.0, "momentum": 0.0}, ""),
                *[({"momentum": 1.0}, "")] * 2,
            ),
        ],
        mended=_no_root_of_a_rounding,
    ),
    "Adam": Described("Adam", ADAM, OF_ADAM, mended=_no_root_of_a_rounding),
    "AdamW": Described("AdamW", ADAM, OF_ADAM),
}


@functools.cache
def programs(optimizer: str, dtype: str) -> SearchStrategy[Program]:
    """Lines that take up to four steps, and what to look at after."""
    described = OPTIMIZERS[optimizer]
    # In bfloat16 a gradient and its weight decay cancel all but a rounding, which a division by its root blows up.
    bare = dtype == "bfloat16" and optimizer in ("RMSProp", "Adam")
    drawn = shared.programs(described.without("weight_decay") if bare else described, dtype)
    return drawn.map(lambda program: (program[0], [*program[1], "a.requires_grad"]))  # a may be frozen


@functools.cache
def narrow_programs(optimizer: str) -> SearchStrategy[tuple[Program, str]]:
    """Lines that take up to four steps in narrow numbers, and in which."""
    return st.one_of(*(st.tuples(programs(optimizer, dtype), st.just(dtype)) for dtype in ("float32", "bfloat16")))


def resumed_programs(optimizer: str) -> SearchStrategy[Program]:
    """Lines that save an optimizer between its steps, and load it into a new one."""
    return shared.resumed_programs(OPTIMIZERS[optimizer])


def closure_programs(optimizer: str) -> SearchStrategy[Program]:
    """Lines that take steps with a closure."""
    described = OPTIMIZERS[optimizer]
    return st.one_of(shared.closure_programs(described), raising_programs(described))


def _because(text: str) -> Callable[[tuple[list[str], str]], bool]:
    """Whether that is a reason to refuse."""
    return lambda case: text in case[1]


@classes(
    {
        **{
            f"{name} is negative": _because(f"{name} is -")
            for name in ("lr", "momentum", "weight_decay", "eps", "alpha")
        },
        "by a little": _because("-1e-10"),
        "the first beta is none": lambda case: "betas" in case[1] and case[1].endswith(("0.75)",)),
        "the second beta is none": lambda case: case[1].startswith("betas is (0.5"),
        "a beta of 1": lambda case: "betas" in case[1] and "1.0" in case[1],
        "nesterov without momentum": _because("without momentum"),
        "nesterov with dampening": _because("with dampening"),
        "a momentum of 1": lambda case: "momentum=1.0" in case[0][1],
        "nothing is to be refused": lambda case: not case[1],
    }
)
@st.composite
def edges(draw: DrawFn, optimizer: str) -> tuple[list[str], str]:
    """Lines that make an optimizer with settings at an edge, and why it refuses them; "" where it takes them."""
    made, because = typed_edge(draw, OPTIMIZERS[optimizer], "[a]")
    lines = ["a = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)"]
    if because:
        return [*lines, made], because
    gradient = f"a.grad = torch.tensor([{pick(draw, (0.5, 1.5, -3.0))}, 2.0], dtype=torch.float64)"
    return [*lines, f"optimizer = {made}", gradient, STEP, STEP], because
