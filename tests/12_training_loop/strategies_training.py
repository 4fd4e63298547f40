"""What hypothesis draws for kata 12 of training: models, optimizers, schedules, batches, and what is not finite."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has
from ..shared.shapes import pick
from . import strategies_accumulation as accumulation
from .typed import (
    DOUBLE,
    LOOK,
    NOTHING,
    PARAMETERS,
    SEEN,
    TIE,
    TIED,
    pick_loss,
    typed_batches,
    typed_data,
    typed_loss,
    typed_model,
    typed_seed,
)

OPTIMIZERS = (
    "torch.optim.SGD(model.parameters(), lr=0.25)",
    "torch.optim.SGD(model.parameters(), lr=0.125, momentum=0.5)",
    "torch.optim.SGD(model.parameters(), lr=0.25, momentum=0.5, weight_decay=0.125)",
    "torch.optim.AdamW(model.parameters(), lr=0.125)",
    "torch.optim.AdamW(model.parameters(), lr=0.0625, weight_decay=0.5)",
    'torch.optim.SGD([{"params": model[:1].parameters()}, {"params": model[1:].parameters(), "lr": 0.125}], lr=0.25)',
    'torch.optim.AdamW([{"params": model[1:].parameters()}, {"params": model[:1].parameters(), "lr": 0.125}], lr=0.25)',
)
SCHEDULE = "scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)"
STATES = "[list(state.values()) for state in optimizer.state.values()]"
RATES = '[group["lr"] for group in optimizer.param_groups]'
STALE = "model(torch.ones(1, 2, dtype=torch.float64)).sum().backward()"
"""Leaves gradients where training will, and not at what is frozen."""
LEAVING = [
    "def batches():",
    "    for x, y in data:",
    "        for p in model.parameters(): p.grad = torch.ones_like(p)",
    "        yield x, y",
]
"""Batches that leave gradients at all parameters."""
FROZEN = "model[0].bias.requires_grad_(False)"
UNFREEZING = "    model[0].bias.requires_grad_(True)"
"""In batches: the first one is asked for before the first step."""
AFTERWARDS = [PARAMETERS, STATES, RATES]
GREAT = "data[-1][1][-1] = 1e20"
"""Makes a loss beyond what float32 holds, in the last step: of the square."""


def _model(draw: DrawFn, outputs: int, leaving: bool = False) -> Lines:
    """Lines that make a model, perhaps with a part that is frozen, and an optimizer of all of its parameters.

    leaving: the frozen part will have gradients, too. Who clears them may leave zeros, along which only plain SGD does
    not move.
    """
    frozen = pick(draw, ([], [FROZEN]) if leaving else ([], [], [FROZEN]))
    optimizer = OPTIMIZERS[0] if leaving and frozen else pick(draw, OPTIMIZERS)
    tied = pick(draw, (False, False, True))
    made = [typed_model(draw, outputs, *TIED), TIE] if tied else [typed_model(draw, outputs)]
    return [typed_seed(draw), *made, *frozen, f"optimizer = {optimizer}"]


def _typed(draw: DrawFn, batches: str, settings: dict[str, str]) -> str:
    """The call of `train`; its first setting may come by its place."""
    typed = [f"{name}={value}" for name, value in settings.items()]
    if next(iter(settings), "") == "max_norm" and draw(st.booleans()):
        typed[0] = settings["max_norm"]
    return f"train({', '.join(['model', 'optimizer', 'loss_of', batches, *typed])})"


def _settings(draw: DrawFn) -> dict[str, str]:
    """Some of the settings: a norm that is mostly passed, a schedule, micro-batches."""
    settings = {}
    if pick(draw, (True, False)):
        settings["max_norm"] = pick(draw, ("0.5", "0.25", "1.0", "100.0", "0.0"))
    if draw(st.booleans()):
        settings["scheduler"] = "scheduler"
    if draw(st.booleans()):
        settings["micro_batch"] = pick(draw, ("2", "3", "1", "9"))
    return settings


def _sizes(draw: DrawFn, counts: tuple[int, ...], sizes: tuple[int, ...] = (3, 5, 4, 2, 1)) -> list[int]:
    return [pick(draw, sizes) for _ in range(pick(draw, counts))]


HOW = ("data", "iter(data)", "((x, y) for x, y in data)")


@functools.cache
@classes(
    {
        "a norm to clip to": has(", 0.5", ", 0.25", "max_norm="),
        "a schedule": has("scheduler=scheduler"),
        "micro-batches": has("micro_batch="),
        "micro-batches and a norm": lambda program: any(
            "micro_batch=" in line and ("max_norm" in line or ", 0." in line or ", 1.0" in line) for line in program[0]
        ),
        "no settings": lambda program: any(
            line.startswith("losses = train(") and "=" not in line[9:] and ", 0" not in line for line in program[0]
        ),
        "SGD with momentum": has("momentum="),
        "AdamW": has("AdamW"),
        "two groups of parameters": has('"params"'),
        "an optimizer that has taken a step": has("optimizer.step()"),
        "a weight that two layers share": has(TIE),
        "a weight that two layers share, and a norm": lambda program: (
            TIE in program[0] and has("max_norm=", ", 0.5", ", 0.25", ", 1.0")(program)
        ),
        "a norm of 0": has("max_norm=0.0", ", 0.0"),
        "a loss beyond what float32 holds": has(GREAT),
        "no batches": has("for n in []"),
        "once more": has("losses += "),
        "gradients of before": has(STALE),
        "gradients that the batches leave": has(*LEAVING[:1]),
        "gradients that they leave at what is frozen": lambda program: (
            LEAVING[0] in program[0] and has("requires_grad_(False)")(program)
        ),
        "a parameter that the batches train from now on": has(UNFREEZING),
        "a loss of 0": has(NOTHING),
        "a parameter that is frozen": has("requires_grad_(False)"),
        "batches that can be asked for once": has("(x, y) for", "iter(data)"),
        "distances": has(".abs()"),
    }
)
def trainings() -> SearchStrategy[Program]:
    """Programs that train a model on a few batches."""
    return _trainings()


@st.composite
def _trainings(draw: DrawFn) -> Program:
    kind, outputs = pick_loss(draw)
    leaving = draw(st.booleans())
    lines = _model(draw, outputs, leaving)
    lines += pick(draw, ([], [STALE], [STALE, "optimizer.step()"]))
    settings = _settings(draw)
    if TIE in lines:  # a norm in which the weight counts once
        settings = {"max_norm": pick(draw, ("0.5", "0.25")), **settings}
    if "scheduler" in settings:
        lines.append(SCHEDULE)
    sizes = _sizes(draw, (2, 3, 4, 3, 4, 1, 0))
    lines += [*typed_batches(draw, sizes, kind, outputs), *typed_loss(kind)]
    if pick(draw, (False, False, False, True)):
        lines.append(NOTHING)
    elif sizes and kind in ("squares", "rows") and pick(draw, (False, False, True)):
        lines.append(GREAT)
    if leaving:
        unfrozen = [UNFREEZING] * (FROZEN in lines and pick(draw, (True, True, False)))
        lines += [LEAVING[0], *unfrozen, *LEAVING[1:]]
    lines.append(f"losses = {_typed(draw, 'batches()' if leaving else pick(draw, HOW), settings)}")
    if GREAT not in lines and pick(draw, (False, False, True)):  # it would overflow in the next step
        lines.append(f"losses += {_typed(draw, 'data', settings)}")
    return lines, ["losses", *AFTERWARDS]


@functools.cache
@classes(
    {
        "the model was in eval mode": has("model.eval()"),
        "a part of it was": lambda program: "model[-2][0].eval()" in program[0],
        "the batches put it there": has("    model.eval()"),
        "the batches put a part of it there": has("    model[-2].eval()", "    model[-2][0].eval()"),
        "micro-batches": has("micro_batch="),
        "a batch norm": has("BatchNorm1d"),
    }
)
def moded_trainings() -> SearchStrategy[Program]:
    """Programs that train a model that is in eval mode, and that the batches put back into eval mode."""
    return _moded_trainings()


@st.composite
def _moded_trainings(draw: DrawFn) -> Program:
    between, sizes = pick(draw, (("Dropout()", (3, 5, 4, 2, 1)), (f"BatchNorm1d(3, {DOUBLE})", (2, 5, 3, 4))))
    lines = [
        typed_seed(draw),
        typed_model(draw, 1, f"nn.Sequential(nn.{between})"),
        f"optimizer = {pick(draw, OPTIMIZERS)}",
    ]
    before = pick(draw, ("model.eval()", "model[-2][0].eval()", "model.eval()", "model.train()"))
    lines += [before, *typed_batches(draw, _sizes(draw, (2, 3), sizes), "squares", 1)]
    lines += [*typed_loss("squares"), *LOOK]
    batches = "data"
    if before == "model.train()" or draw(st.booleans()):
        put = pick(draw, ("model.eval()", "model[-2].eval()", "model[-2][0].eval()"))
        lines += ["def batches():", "    for x, y in data:", "        yield x, y", f"        {put}"]
        batches = "batches()"
    # A norm refuses a part of one row, and of each part dropout draws by itself.
    if between == "Dropout()" and draw(st.booleans()):
        return [*lines, f"losses = {_typed(draw, batches, {'micro_batch': '2'})}"], [SEEN]
    return [*lines, f"losses = {_typed(draw, batches, {})}"], ["losses", SEEN]


@functools.cache
@classes(
    {
        "a smaller one at the end": lambda case: case.rows % case.micro_batch,
        "one row at a time": lambda case: case.micro_batch == 1,
        "several batches": lambda case: case.batches > 1,
    }
)
def micro_trainings() -> SearchStrategy[accumulation.Parts]:
    """Programs that train a model, so many rows at a time."""
    return _micro_trainings()


@st.composite
def _micro_trainings(draw: DrawFn) -> accumulation.Parts:
    rows, micro_batch, count = pick(draw, (5, 4, 7, 3)), pick(draw, (2, 3, 1)), pick(draw, (1, 2))
    lines = [*_model(draw, 1), f"data = [{typed_data(rows, 'squares', 1)} for _ in range({count})]"]
    lines += [*typed_loss("squares"), *accumulation.LOOK]
    return accumulation.Parts(
        [*lines, f"losses = train(model, optimizer, loss_of, data, micro_batch={micro_batch})"],
        rows,
        micro_batch,
        count,
    )


class Spoiled(NamedTuple):
    """A program that trains up to a batch that is not finite; what is not, in which step, and in which micro-batch."""

    lines: Lines
    kind: str
    step: int
    micro_batch: int
    watched: Lines


SPOIL = {
    "a NaN in x": ["data[{step}][0][{row}, 0] = math.nan"],
    "a NaN in y": ["data[{step}][1][{row}] = math.nan"],
    "a loss of inf": ["data[{step}][1][{row}] = math.inf"],
    "a loss of -inf": ["data[{step}][1][{row}] = math.inf"],
    "an infinite y": ["data[{step}][1][{row}] = math.inf"],
    "the gradients of the first layer": [
        "data[{step}][0][{row}] = 50.0",
        "def spoil(module, inputs, output):",
        "    if (inputs[0] == 50.0).any():",
        "        _ = output.register_hook(lambda grad: grad * math.{value})",
        "_ = model[0].register_forward_hook(spoil)",
    ],
    "the gradient of the last bias": [
        "data[{step}][0][{row}] = 50.0",
        "bad = []",
        "def look(module, inputs):",
        "    bad[:] = [(inputs[0] == 50.0).any()]",
        "_ = model[0].register_forward_pre_hook(look)",
        "_ = model[-1].bias.register_hook(lambda grad: grad * math.{value} if bad[0] else grad)",
    ],
}
"""How a batch is spoiled. In the last two the loss is finite; in the two of infinite losses the gradients are."""


NAMED = [
    "except FloatingPointError as error:",
    r'    named = sorted({*re.findall(r"\bstep \d+\b", str(error).lower())})',
]
"""Which steps the error names."""

INFINITE = {"a loss of inf": "distances", "a loss of -inf": "differences"}
"""Whose gradients are finite, by the kind of their loss."""


def _is(kind: str) -> Callable[[Spoiled], bool]:
    return lambda case: case.kind == kind


@functools.cache
@classes(
    {
        **{kind: _is(kind) for kind in SPOIL},
        "the first step": lambda case: case.step == 0,
        "a later step": lambda case: case.step > 1,
        "a schedule": lambda case: SCHEDULE in case.lines,
        "micro-batches": lambda case: any("micro_batch=" in line for line in case.lines),
        "a norm to clip to": lambda case: any("max_norm=" in line for line in case.lines),
        "a gradient of inf": lambda case: any("grad * math.inf" in line for line in case.lines),
        "an infinite loss behind the first micro-batch": lambda case: case.kind in INFINITE and case.micro_batch > 0,
    }
)
def spoiled_trainings() -> SearchStrategy[Spoiled]:
    """Programs in which the loss or a gradient is not finite in one of the steps."""
    return _spoiled_trainings()


@st.composite
def _spoiled_trainings(draw: DrawFn) -> Spoiled:
    spoiled = pick(draw, (*SPOIL, *list(SPOIL)[-2:]))
    kind = INFINITE.get(spoiled, "squares")
    outputs = pick(draw, (1, 2)) if kind == "squares" else 1
    sizes = [pick(draw, (3, 5, 4, 2)) for _ in range(draw(st.integers(2, 4)))]
    step = draw(st.integers(0, len(sizes) - 1))
    lines = [typed_seed(draw), typed_model(draw, outputs), f"optimizer = {pick(draw, OPTIMIZERS)}"]
    settings = _settings(draw)
    if spoiled == "the gradient of the last bias":  # who goes backward later than others would meet it too late
        settings.pop("micro_batch", None)
    if "scheduler" in settings:
        lines.append(SCHEDULE)
    lines += typed_batches(draw, sizes, kind, outputs)
    row, value = draw(st.integers(0, sizes[step] - 1)), pick(draw, ("nan", "inf"))
    if spoiled in INFINITE:  # nothing but the loss of that micro-batch tells
        settings["micro_batch"] = pick(draw, ("1", "2", "1", "9"))
    micro_batch = row // int(settings.get("micro_batch", sizes[step]))
    lines += [line.format(step=step, row=row, value=value) for line in SPOIL[spoiled]]
    lines += [*typed_loss(kind), "named = None", "try:", f"    {_typed(draw, pick(draw, HOW), settings)}", *NAMED]
    return Spoiled(lines, spoiled, step, micro_batch, ["named", *AFTERWARDS])
