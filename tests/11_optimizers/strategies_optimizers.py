"""What hypothesis draws for kata 11 of optimizers: the programs and settings of each, right and wrong ones."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared import optimizer_programs as shared
from ..shared.closures import INTERRUPTED, interrupted, raising_programs
from ..shared.optimizer_programs import NAN, STEP, WRITE, with_nan
from ..shared.optimizers import LRS, Described, Settings, negative, typed_edge
from ..shared.programs import Program, has
from ..shared.shapes import pick

MOMENTUMS = (0.5, 0.75, 0.0)
DECAYS = (0.5, 0.25, 0.0)
IN_DECIMALS = {"momentum": (0.5, 0.9, 0.0), "dampening": (0.5, 0.7, 0.0), "weight_decay": (0.5, 0.35, 0.0)}
"""What is drawn where parameters are float64, of which float32 holds no more than eight digits.

A decay of 7/20 times sixteen eighths at most, or halves of them, is no eighth: it does not cancel a gradient.
"""
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
    """Settings without a decay, if the divisor keeps nothing of the past.

    A gradient and its decay may cancel except for a rounding error, and such a divisor blows that up.
    """
    forgets = settings.get("alpha", 1.0) == 0 or settings.get("betas", (1.0, 1.0))[1] == 0
    return settings | {"weight_decay": 0.0} if forgets and settings.get("weight_decay") else settings


ADAM: dict[str, tuple[Any, ...]] = {"lr": LRS, "betas": BETAS, "eps": EPS, "weight_decay": DECAYS}
UNTOLD = "a.data.mul_(0.5)"
ZERO_EPS = [({"eps": 0.0}, "")] * 3
LARGE = {"lr": 100.0, "weight_decay": 20.0}
"""Settings far above 1, which no bound forbids."""
INTS = {"lr": 1, "weight_decay": 1}
"""Settings that a float can be made of."""
GRADIENT = "a.grad = torch.ones_like(a)"
LATE_GRADIENT = f"    {GRADIENT}"
OF_ADAM = [
    *negative("lr", "eps", "weight_decay"),
    *(({"betas": betas}, f"betas is {betas}") for betas in NO_BETAS),
    *ZERO_EPS,
    *(({"betas": (0.0, 0.0), "weight_decay": 0.0}, ""), ({"lr": 0.0}, "")),
    *[(LARGE | {"eps": 20.0, "betas": (0.5, 0.75)}, ""), (INTS | {"eps": 1, "betas": (0.5, 0.75)}, "")] * 3,
]
NO_NESTEROV = [
    ({"nesterov": True, "momentum": 0.0}, "nesterov without momentum"),
    ({"nesterov": True, "momentum": 0.5, "dampening": 0.25}, "nesterov with dampening"),
    ({"nesterov": True, "momentum": 0.5, "dampening": -0.25}, "nesterov with dampening below 0"),
]
DAMPED = {"momentum": 0.9, "dampening": 0.7, "weight_decay": 0.0, "nesterov": False}
"""Settings with which a first gradient of zeros leaves zeros, and the next one is dampened."""
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
            *[({"momentum": 1.0}, ""), ({"dampening": -0.25, "nesterov": False}, "")] * 3,
            *[(DAMPED, "")] * 2,
            *[(LARGE | {"momentum": 20.0, "dampening": 20.0, "nesterov": False}, "")] * 3,
            *[(INTS | {"dampening": 0}, "")] * 3,
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
                *[(LARGE | {"eps": 20.0, "momentum": 20.0, "alpha": 0.5}, "")] * 3,
                *[(INTS | {"eps": 1, "alpha": 0.5}, "")] * 2,
            ),
        ],
        mended=_no_root_of_a_rounding,
    ),
    "Adam": Described("Adam", ADAM, OF_ADAM, mended=_no_root_of_a_rounding),
    "AdamW": Described("AdamW", ADAM, OF_ADAM),
}


def _in_decimals(optimizer: Described) -> Described:
    """The same optimizer with settings of which only float64 holds sixteen digits; that of AdamW decays past 0 too.

    Not in narrow numbers: four times a rounding, and four times that, is more than they allow.
    """
    values = {name: IN_DECIMALS.get(name, options) for name, options in optimizer.values.items()}
    if optimizer.name == "AdamW":
        values["weight_decay"] = (*values["weight_decay"], 5.0)
    return replace(optimizer, values=values)


@classes(
    {
        "another optimizer takes over": lambda program: sum(line[:12] == "optimizer = " for line in program[0]) > 1,
        "a decay that may lead past 0": has("weight_decay=5.0", '"weight_decay": 5.0', ", 5.0)"),
        "a setting that float32 does not hold": has("0.9", "0.7", "0.35"),
        "something changes a parameter, and its version does not tell": has(UNTOLD),
        "a gradient is nan": has(NAN),
    }
)
@functools.cache
def programs(optimizer: str, *dtypes: str) -> SearchStrategy[Program]:
    """Lines that take up to four steps, and what to look at after."""
    wide = dtypes == ("float64",)
    described = _in_decimals(OPTIMIZERS[optimizer]) if wide else OPTIMIZERS[optimizer]
    # Where a gradient and its weight decay cancel all but a rounding, a division by the root of that blows it up: in
    # bfloat16, and where nothing of the past is in the root and the parameter is no longer an eighth.
    divides = optimizer in ("RMSProp", "Adam")
    bare = described.without("weight_decay") if divides else described
    return _programs(
        shared.programs(bare if "bfloat16" in dtypes else described, *dtypes),
        again=shared.programs(bare, *dtypes),
        may_be_nan=wide,
    )


@st.composite
def _programs(draw: DrawFn, once: SearchStrategy[Program], again: SearchStrategy[Program], may_be_nan: bool) -> Program:
    """Lines with one optimizer, or lines in which a new one, made like the first, takes over after a step.

    In some, one gradient is nan, or a is written to without being told.
    """
    takes_over: bool = pick(draw, (False, False, False, False, True))
    lines, watched = draw(again if takes_over else once)
    lines = [UNTOLD if line == WRITE else line for line in lines]
    places = [place + 1 for place, line in enumerate(lines) if line == STEP][:-1]
    if takes_over and places:
        made = next(line for line in lines if line.startswith("optimizer = "))
        place = pick(draw, places)
        lines = [*lines[:place], made, *lines[place:]]
    if may_be_nan and pick(draw, (False, False, False, False, True)):
        lines = with_nan(draw, lines)
    return lines, [*watched, "a.requires_grad"]  # a may be frozen


SHORT_MEMORY = {
    "SGD": "",
    "RMSProp": ", alpha=0.5",
    "Adam": ", betas=(0.5, 0.5)",
    "AdamW": ", betas=(0.5, 0.5), weight_decay=0.0",
}
"""Settings with which ones as gradients make steps that are lr long, or up to √2 times as long."""


def _rounded(program: Program) -> bool:
    return program[1] == ["a.tolist()"]


@classes(
    {
        "hundreds of steps": has("in range(320)", "in range(330)"),
        "parameters of two dtypes": lambda program: has("torch.float32")(program) and has("torch.float64")(program),
        "bfloat16": has("torch.bfloat16"),
        "steps that are rounded off": _rounded,
    }
)
@st.composite
def narrow_programs(draw: DrawFn, optimizer: str) -> Program:
    """Lines that take up to four steps in narrow numbers, some beside wide ones, or many that are rounded off.

    If steps are counted, or hundreds.
    """
    if "betas" in OPTIMIZERS[optimizer].values and pick(draw, (False,) * 5 + (True,)):
        return _many_steps(draw, optimizer)
    if pick(draw, (False,) * 3 + (True,)):
        rounded: Program = draw(shared.rounded_programs(optimizer, SHORT_MEMORY[optimizer]))
        return rounded
    dtypes: tuple[str, ...] = pick(draw, (("float32", "float64"), ("bfloat16",)))
    program: Program = draw(programs(optimizer, *dtypes))
    return program


def _many_steps(draw: DrawFn, optimizer: str) -> Program:
    """Lines in which only the last step moves the parameter, by what the averages are divided by after so many steps.

    The averages are 0 until then, because roundings of bfloat16 would add up. That step is 3.9 long, and would be 4.3
    had the count stopped at 256: near 0, where the parameter is led, an eighth is less than the difference.
    """
    return [
        f"a = torch.tensor([{pick(draw, (3.0, 4.0))}], dtype=torch.bfloat16, requires_grad=True)",
        f"optimizer = {optimizer}([a], lr=64.0, betas=(0.999, 0.999), weight_decay=0.0)",
        "a.grad = torch.zeros_like(a)",
        f"for _ in range({pick(draw, (320, 330))}):",
        f"    {STEP}",
        f"a.grad = torch.tensor([{pick(draw, (1.0, 0.5))}], dtype=torch.bfloat16)",
        STEP,
    ], ["a"]


@functools.cache
def resumed_programs(optimizer: str) -> SearchStrategy[Program]:
    """Lines that save an optimizer between its steps, and load it into a new one."""
    return shared.resumed_programs(OPTIMIZERS[optimizer])


@classes(
    {
        "no parameter has a gradient after the closure": lambda program: LATE_GRADIENT in program[0],
        "the closure is interrupted": INTERRUPTED,
    }
)
def closure_programs(optimizer: str) -> SearchStrategy[Program]:
    """Lines that take steps with a closure."""
    described = OPTIMIZERS[optimizer]
    return st.one_of(
        shared.closure_programs(_never_forgetting(described)), _other_closures(raising_programs(described))
    )


@st.composite
def _other_closures(draw: DrawFn, raising: SearchStrategy[Program]) -> Program:
    """The same lines, some with a gradient only after the first step, and some with an error that is no Exception."""
    lines, watched = draw(raising)
    if draw(st.booleans()):
        place = next(place for place, line in enumerate(lines) if "returned = " in line)
        lines = [line for line in [*lines[: place + 1], LATE_GRADIENT, *lines[place + 1 :]] if line != GRADIENT]
    return interrupted(draw, (lines, watched))


def _never_forgetting(optimizer: Described) -> Described:
    """The same optimizer with something of the past in each divisor.

    What a closure adds to a gradient may cancel it except for a rounding error, and such a divisor blows that up.
    """
    forgets = {"alpha": (0.0,), "betas": ((0.0, 0.0),)}
    values = {
        name: tuple(value for value in options if value not in forgets.get(name, ()))
        for name, options in optimizer.values.items()
    }
    return replace(optimizer, values=values)


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
        "nesterov with dampening": lambda case: case[1].endswith("with dampening"),
        "nesterov with a negative dampening": _because("with dampening below 0"),
        "beside a group that has its own": lambda case: '{"params"' in case[0][1],
        "a momentum of 1": lambda case: "momentum=1.0" in case[0][1],
        "settings above 1": lambda case: "lr=100.0" in case[0][1],
        "settings are ints": lambda case: "lr=1," in case[0][1] or "lr=1)" in case[0][1],
        "nothing is to be refused": lambda case: not case[1],
        "the first gradient is zeros": lambda case: "a.grad = torch.zeros_like(a)" in case[0],
        "the first gradient comes after a step": lambda case: case[0][2:3] == [STEP],
    }
)
@st.composite
def edges(draw: DrawFn, optimizer: str) -> tuple[list[str], str]:
    """Lines that make an optimizer with settings at an edge, and why it refuses them; "" if it accepts them."""
    made, because = typed_edge(draw, OPTIMIZERS[optimizer], "[a]")
    lines = ["a = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)"]
    if because:
        return [*lines, made], because
    steps = [f"a.grad = torch.tensor([{pick(draw, (0.5, 1.5, -3.0))}, 2.0], dtype=torch.float64)", STEP]
    before = pick(draw, ("", "zeros", "zeros", "no gradient"))
    if before == "zeros" and "eps=0.0" not in made:  # then there is something to divide by
        steps = ["a.grad = torch.zeros_like(a)", STEP, *steps]
    if before == "no gradient":
        steps = [STEP, *steps]
    return [*lines, f"optimizer = {made}", *steps, STEP], because
