"""What hypothesis draws for kata 12 of evaluations: models with modes of their own, and batches."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has, lacks
from ..shared.shapes import integers, pick
from .typed import (
    DOUBLE,
    GRADIENTS,
    INNER,
    LOOK,
    MODES,
    NOTHING,
    SEEN,
    STALE,
    pick_inner,
    pick_loss,
    typed_batches,
    typed_loss,
    typed_model,
    typed_seed,
)

BETWEEN = f"nn.Sequential(nn.BatchNorm1d(3, {DOUBLE}), nn.Dropout())"
STATE = "list(model.state_dict().values())"
ENABLED = "enabled"
"""Whether gradients are on after the call, where it was made."""
LEARNED = "[p.requires_grad for p in model.parameters()]"
AFTERWARDS = [MODES, ENABLED, LEARNED, GRADIENTS, STATE, "torch.rand(2), np.random.rand(), random.random()"]
ERRORS = ("OSError", "RuntimeError", "TypeError", "KeyboardInterrupt", "SystemExit")
RAISES = {
    "the model": [
        "data[{place}][0][-1] = 50.0",
        "def refuse(module, inputs):",
        "    if (inputs[0] == 50.0).any():",
        '        raise {error}("a bad row")',
        "_ = model[0].register_forward_pre_hook(refuse)",
    ],
    "loss_of": [
        "data[{place}][1][-1] = 50",
        "mean_of = loss_of",
        "def loss_of(prediction, target):",
        "    if (target == 50).any():",
        '        raise {error}("a bad row")',
        "    return mean_of(prediction, target)",
    ],
    "the batches": [
        "data[{place}:] = []",
        "def batches():",
        "    yield from data",
        '    raise {error}("a bad row")',
    ],
}
"""What raises, and how: at the first batch, or at the last one."""


CHANGED = "for p in model.parameters(): p.data.mul_(-0.5)"
"""What training does to a model, in short."""

DIVERGED = "data[-1][0][-1] = math.nan"


def _setting(draw: DrawFn, sizes: list[int], again: bool = False) -> Lines:
    """Lines that make a model with modes of its own, batches and a loss.

    again: the model has been evaluated before, in training mode and with other numbers.
    """
    kind, outputs = pick_loss(draw)
    lines = [typed_seed(draw), typed_model(draw, outputs, BETWEEN)]
    lines += [*typed_batches(draw, sizes, kind, outputs, pick_inner(draw, kind)), *typed_loss(kind)]
    lines += pick(draw, ([], [], [], [NOTHING]))
    lines += ["_ = evaluate(model, loss_of, data)", CHANGED] * again
    lines += pick(draw, ([], [], ["model.eval()"]))
    parts = ("model[-2][0].eval()", "model[-2][0].train()", "model[-2].train()", "model[-2].eval()")
    lines += [part for part in (pick(draw, (*parts, "")), pick(draw, ("", "model[-2][1].train()"))) if part]
    lines += pick(draw, ([], ["model[0].bias.requires_grad_(False)"], []))
    return [*lines, *[STALE] * pick(draw, (0, 1, 1))]


def _sizes(draw: DrawFn) -> list[int]:
    return [draw(integers(2 + place, 5)) for place in range(pick(draw, (2, 3, 3, 1)))]


def _call(draw: DrawFn, *called: str) -> Lines:
    """Lines that evaluate, with gradients on or off outside."""
    return [
        f"with torch.set_grad_enabled({pick(draw, (True, True, False))}):",
        *(f"    {line}" for line in called),
        "    enabled = torch.is_grad_enabled()",
    ]


HOW = ("data", "iter(data)", "((x, y) for x, y in data)", "iter(data)")

MODES_OF = {
    "a model in training": lacks("model.eval()"),
    "a model in eval mode": has("model.eval()"),
    "a part of a model in training is in eval mode": lambda program: (
        lacks("model.eval()")(program) and has("].eval()")(program)
    ),
    "a part in training of a part in eval mode": lambda program: (
        has("model[-2].eval()")(program) and has("[1].train()")(program)
    ),
    "a part of a model in eval mode is in training": lambda program: (
        has("model.eval()")(program) and has("].train()")(program)
    ),
}


@functools.cache
@classes(
    {
        **MODES_OF,
        "a loss of 0": has(NOTHING),
        "a loss of nan": has(DIVERGED),
        "gradients of before": has(STALE),
        "a parameter that is frozen": has("requires_grad_(False)"),
        "batches that can be asked for once": has("(x, y) for", "iter(data)"),
        "gradients are off outside": has("set_grad_enabled(False)"),
        "one batch": has("for n in [2])", "for n in [3])", "for n in [1])", "in [2]]", "in [3]]", "in [1]]"),
        "classes for targets": has("randint"),
        "rows of two dimensions": has(f", {INNER}2, "),
        "once more": has("_ = evaluate("),
    }
)
def evaluations() -> SearchStrategy[Program]:
    """Programs that evaluate a model: what comes of it, how it ran, and what it is afterwards."""
    return _evaluations()


@st.composite
def _evaluations(draw: DrawFn) -> Program:
    lines = _setting(draw, _sizes(draw), pick(draw, (False, False, True)))
    lines += [*pick(draw, ([], [], [], [], [DIVERGED])), *LOOK]
    call = f"loss = evaluate(model, loss_of, {pick(draw, HOW)})"
    return [*lines, *_call(draw, call)], ["loss", SEEN, *AFTERWARDS]


@functools.cache
@classes(
    {
        **MODES_OF,
        "the model raises": has("def refuse"),
        "loss_of raises": has("mean_of"),
        "the batches raise": has("def batches"),
        "in the first batch": has("data[0"),
        "in the last batch": has("data[-1"),
        "for want of batches": has("data = []"),
        "a RuntimeError": has("raise RuntimeError"),
        "a KeyboardInterrupt": has("raise KeyboardInterrupt"),
    }
)
def failing_evaluations() -> SearchStrategy[Program]:
    """Programs that raise in the middle of an evaluation, or that have no batches."""
    return _failing_evaluations()


@st.composite
def _failing_evaluations(draw: DrawFn) -> Program:
    lines = _setting(draw, _sizes(draw))
    error, empty = pick(draw, ERRORS), pick(draw, (False, False, False, True))
    what, place = pick(draw, list(RAISES)), pick(draw, (-1, 0))
    lines += ["data = []"] if empty else [line.format(error=error, place=place) for line in RAISES[what]]
    batches = "batches()" if what == "the batches" and not empty else pick(draw, HOW)
    call = [
        "try:",
        f"    loss = evaluate(model, loss_of, {batches})",
        *(["except ValueError:", "    pass"] if empty else [f"except {error} as caught:", "    told = str(caught)"]),
    ]
    return [*lines, "loss = told = None", *_call(draw, *call)], ["loss", "told", *AFTERWARDS]


@functools.cache
@classes(
    {
        "a list": lambda lines: lines[-1].endswith("loss_of, [])"),
        "a generator": lambda lines: lines[-1].endswith("iter([]))"),
    }
)
def empty_evaluations() -> SearchStrategy[Lines]:
    """Programs that evaluate a model on nothing."""
    return _empty_evaluations()


@st.composite
def _empty_evaluations(draw: DrawFn) -> Lines:
    return [*_setting(draw, [2]), f"loss = evaluate(model, loss_of, {pick(draw, ('[]', 'iter([])'))})"]
