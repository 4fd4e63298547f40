"""What hypothesis draws for kata 05 of optimizers: the programs and settings of each, right and wrong ones."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared import optimizer_programs as shared
from ..shared.closures import INTERRUPTED, interrupted, raising_programs
from ..shared.optimizer_programs import CHANGE, NAN, STEP, WRITE, changed, with_nan
from ..shared.optimizers import LRS, Described, Settings, negative, typed_edge
from ..shared.programs import Program, has
from ..shared.shapes import pick


def _often_without_eps(draw: DrawFn, settings: Settings) -> Settings:
    if "eps" in settings and settings.get("initial_accumulator_value"):  # then no sum is 0, to be divided by
        return settings | {"eps": pick(draw, (settings["eps"], 0.0))}
    return settings


UNTOLD = "a.data.mul_(0.5)"
ABOVE_1 = 2.0
INT = 1
ADAGRAD: dict[str, tuple[float, ...]] = {
    "lr": (*LRS, ABOVE_1, INT),
    "lr_decay": (0.5, 1.0, 0.0, ABOVE_1, INT),
    "weight_decay": (0.5, 0.25, 0.0, ABOVE_1, INT),
    "initial_accumulator_value": (0.25, 1.0, 0.0, ABOVE_1, INT),
    "eps": (0.5, 0.125, 1.0, 1e-10, ABOVE_1, INT),
}
OPTIMIZERS = {
    "SGD": Described("SGD", {"lr": ADAGRAD["lr"]}, negative("lr")),
    "AdaGrad": Described(
        "AdaGrad",
        ADAGRAD,
        negative(*ADAGRAD),
        same_for_all=frozenset({"initial_accumulator_value"}),
        # Above all the decay, of which a count depends.
        changing=("lr", "lr_decay", "weight_decay", "eps", "lr_decay"),
        mended=_often_without_eps,
    ),
}


def _made_with_an_int(program: Program) -> bool:
    """Whether a setting is an int when the optimizer is made."""
    made = next(line for line in program[0] if line.startswith("optimizer = "))
    return re.search(r"(?<![\w.])1(?![\w.])", made) is not None


def _begins_to_decay(program: Program) -> bool:
    """Whether a rate decays that did not in the steps before."""
    lines = program[0]
    steps = [place for place, line in enumerate(lines) if line == STEP]
    places = [place for place, line in enumerate(lines) if line.startswith(CHANGE) and '"lr_decay"' in line]
    return bool(steps and places) and places[0] > steps[0] and "lr_decay" not in "".join(lines[: places[0]])


@classes(
    {
        "lr_decay changes after a step": changed('"lr_decay"'),
        "weight_decay changes after a step": changed('"weight_decay"'),
        "eps changes after a step": changed('"eps"'),
        "the rate begins to decay after a step": _begins_to_decay,
        "eps is 0": has("eps=0.0"),
        "a setting is an int": _made_with_an_int,
        "a lr above 1": has("lr=2.0", '["lr"] = 2.0', '"lr": 2.0'),
        "something changes a parameter, and its version does not tell": has(UNTOLD),
        "a gradient is nan": has(NAN),
    }
)
@functools.cache
def programs(optimizer: str, *dtypes: str) -> SearchStrategy[Program]:
    """Lines that take up to four steps, and what to look at after."""
    described = OPTIMIZERS[optimizer]
    # In bfloat16 a gradient and its weight decay cancel all but a rounding, which AdaGrad blows up.
    bare = "bfloat16" in dtypes and "weight_decay" in described.values
    drawn = shared.programs(described.without("weight_decay") if bare else described, *dtypes)
    return _programs(drawn)


@st.composite
def _programs(draw: DrawFn, drawn: SearchStrategy[Program]) -> Program:
    """Lines in which a may be frozen, or written to without being told, or one gradient nan."""
    lines, watched = draw(drawn)
    lines = [UNTOLD if line == WRITE else line for line in lines]
    if pick(draw, (False, False, False, False, True)):
        lines = with_nan(draw, lines)
    return lines, [*watched, "a.requires_grad", 'float(optimizer.param_groups[0]["lr"])']


def resumed_programs(optimizer: str) -> SearchStrategy[Program]:
    """Lines that save an optimizer between its steps, and load it into a new one."""
    return shared.resumed_programs(OPTIMIZERS[optimizer])


@classes(
    {
        "saved after a step": has("in range(1):"),
        "saved after more steps than bfloat16 can count": has("in range(300):"),
        "the rate falls by a little in each step": has("lr_decay=0.5"),
        "the sum starts above 0": has("initial_accumulator_value="),
    }
)
@st.composite
def counting_programs(draw: DrawFn) -> Program:
    """Lines that take hundreds of steps in bfloat16, most of them after loading.

    All gradients but the last are 0, so that no sum is rounded, and the last step shows the rate.
    """
    start = pick(draw, ("", "", ", initial_accumulator_value=0.25", ", initial_accumulator_value=1.0"))
    made = f"optimizer = AdaGrad([a], lr=512.0, lr_decay={pick(draw, (1.0, 0.5))}{start})"
    return [
        "a = torch.zeros(2, dtype=torch.bfloat16, requires_grad=True)",
        "a.grad = torch.zeros_like(a)",
        made,
        f"for _ in range({pick(draw, (1, 2, 300))}):",
        f"    {STEP}",
        "file = io.BytesIO()",
        "torch.save(optimizer.state_dict(), file)",
        "file.seek(0)",
        made,
        "optimizer.load_state_dict(torch.load(file, weights_only=True))",
        f"for _ in range({draw(st.integers(400, 500))}):",
        f"    {STEP}",
        "a.grad = torch.tensor([2.0, -1.0], dtype=torch.bfloat16)",
        STEP,
    ], ["a"]


def rounded_programs(optimizer: str) -> SearchStrategy[Program]:
    """Lines that take many steps, each too small for the dtype of the parameter: for AdaGrad, in step t lr / √t."""
    return shared.rounded_programs(optimizer)


@classes({"the closure is interrupted": INTERRUPTED})
@functools.cache
def closure_programs(optimizer: str) -> SearchStrategy[Program]:
    """Lines that take steps with a closure."""
    described = OPTIMIZERS[optimizer]
    return st.one_of(shared.closure_programs(described), _raising_programs(raising_programs(described)))


@st.composite
def _raising_programs(draw: DrawFn, raising: SearchStrategy[Program]) -> Program:
    return interrupted(draw, draw(raising))


def _refuses(name: str) -> Callable[[tuple[str, str]], bool]:
    """Whether that setting is the negative one."""
    return lambda case: case[1].startswith(f"{name} is")


@classes(
    {
        **{f"{name} is negative": _refuses(name) for name in ADAGRAD},
        "by a little": lambda case: case[1].endswith("-1e-10"),
        "as an int": lambda case: case[1].endswith("-1"),
        "beside others that are not": lambda case: case[0].count("=") > 1,
        "beside a group that has its own": lambda case: '{"params"' in case[0],
    }
)
@st.composite
def refused_settings(draw: DrawFn, optimizer: str) -> tuple[str, str]:
    """The line that makes an optimizer with a negative setting, and which one that is."""
    return typed_edge(draw, OPTIMIZERS[optimizer])
