"""What hypothesis draws for kata 12 of batches that go through a model in parts."""

from __future__ import annotations

import functools
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has
from ..shared.shapes import integers, pick
from . import typed
from .typed import (
    DOUBLE,
    GRADIENTS,
    INNER,
    STALE,
    TIE,
    TIED,
    pick_inner,
    pick_loss,
    typed_data,
    typed_loss,
    typed_model,
    typed_seed,
)


class Parts(NamedTuple):
    """A program that sends rows through a model in parts; `seen` tells what went through it in the end.

    rows: of each batch. batches: how many there are.
    """

    lines: Lines
    rows: int
    micro_batch: int
    batches: int = 1


LOOK = [
    "seen = []",
    "_ = model.register_forward_pre_hook(lambda module, inputs: seen.append(len(inputs[0])))",
    "def look(module, inputs, output):",
    "    if output.requires_grad:",
    '        output.register_hook(lambda grad: seen.append("backward"))',
    "_ = model.register_forward_hook(look)",
    "held = []",
    "def hold(module, inputs):",
    "    if any(ref() is not None for ref in held):",
    '        seen.append("an earlier graph is held")',
    "    held.append(weakref.ref(inputs[0]))",
    "_ = model[-1].register_forward_pre_hook(hold)",
]
"""Lines that tell how many rows each forward has, when it goes backward, and whether a graph is there from before.

A forward is seen where it begins: one that a checkpoint repeats stops before its end. A graph holds what the last layer
is given, and a backward pass that does not retain it frees that.
"""

ZEROS = "_ = model[-1].weight.data.zero_()"
"""All layers but the last are used, and have gradients of zeros."""


TURNED = "x, y = (one.transpose(0, -1).contiguous().transpose(0, -1) for one in (x, y))"
"""The same rows, stored in another order."""

NUMBERS = [
    "x = x[:, 0]",
    "_ = model[0].register_forward_pre_hook(lambda module, inputs: inputs[0][:, None].repeat(1, 2))",
]
"""Rows that are single numbers, of which the first layer is given two alike."""


def alternates(seen: object, most: int) -> bool:
    """Return whether no forward has more than `most` rows, and each goes backward before the next one.

    No graph is held from one to the next.
    """
    if type(seen) is not list or any(type(event) is not int and event != "backward" for event in seen):
        return False
    forwards = [place for place, event in enumerate(seen) if event != "backward"]
    followed = all(seen[place + 1 : place + 2] == ["backward"] for place in forwards)
    return followed and all(seen[place] <= most for place in forwards)


def as_split(rows: int, most: int) -> list[object]:
    """Return what is seen if as many rows as allowed go through at a time."""
    sizes = [min(most, rows - start) for start in range(0, rows, most)]
    return [event for size in sizes for event in (size, "backward")]


@functools.cache
@classes(
    {
        "a smaller one at the end": lambda case: case.rows > case.micro_batch and case.rows % case.micro_batch,
        "one row at a time": lambda case: case.micro_batch == 1,
        "all rows at once": lambda case: case.micro_batch == case.rows,
        "more than there are": lambda case: case.micro_batch > case.rows,
        "one row": lambda case: case.rows == 1,
        "gradients of before": lambda case: STALE in case.lines,
        "a parameter that is not used": lambda case: any("unused" in line for line in case.lines),
        "gradients that are 0": lambda case: ZEROS in case.lines,
        "a parameter that is frozen": lambda case: any("requires_grad_(False)" in line for line in case.lines),
        "a layer that is used twice": lambda case: any("shared" in line for line in case.lines),
        "a weight that two layers share": lambda case: TIE in case.lines,
        "dropout in eval mode": lambda case: "_ = model.eval()" in case.lines,
        "a part of a model in training is in eval mode": lambda case: "_ = model[0].eval()" in case.lines,
        "classes for targets": lambda case: any("randint" in line for line in case.lines),
        "distances": lambda case: any(".abs()" in line for line in case.lines),
        "rows of two dimensions": lambda case: any(f", {INNER}2, " in line for line in case.lines),
        "rows that are single numbers": lambda case: NUMBERS[0] in case.lines,
        "rows that are not contiguous": lambda case: TURNED in case.lines,
        "rows of two dimensions that are not contiguous": lambda case: (
            TURNED in case.lines and any(f", {INNER}2, " in line for line in case.lines)
        ),
        "once more": lambda case: any(line.startswith("_ = accumulate_") for line in case.lines),
    }
)
def accumulations(look_at: str) -> SearchStrategy[Parts]:
    """Programs that accumulate the gradients of a batch, and look at its "rows" or at the "modes" of the modules."""
    return _accumulations({"rows": LOOK, "modes": typed.LOOK}[look_at])


@st.composite
def _accumulations(draw: DrawFn, look: Lines) -> Parts:
    kind, outputs = pick_loss(draw)
    rows = pick(draw, (5, 3, 4, 7, 1, 2))
    micro_batch = pick(draw, (2, 3, 2, 3, 1, rows, rows + 1, max(1, rows - 1)))
    twice = pick(draw, ("", "", "shared", "tied"))
    lines = [typed_seed(draw)]
    if twice == "shared":
        lines.append(f"shared = nn.Linear(3, 3, {DOUBLE})")
    mode = pick(draw, ([], ["_ = model.eval()"], ["_ = model[0].eval()"]))
    between = {"": [], "shared": ["shared", "nn.Tanh()", "shared"], "tied": TIED}[twice]
    between = ["nn.Dropout()"] * ("_ = model.eval()" in mode) + between
    lines += [typed_model(draw, outputs, *between), *[TIE] * (twice == "tied"), *mode]
    if pick(draw, (False, False, False, True)):
        lines.append(ZEROS)
    if draw(st.booleans()):
        lines.append(f'model.register_parameter("unused", nn.Parameter(torch.ones(2, {DOUBLE})))')
    if pick(draw, (True, True, False)):
        lines.append(STALE)
    if draw(st.booleans()):
        lines.append(f"{pick(draw, ('model[0]', 'model[0].bias', 'model[-1]'))}.requires_grad_(False)")
    inner = pick_inner(draw, kind)
    lines += [f"x, y = {typed_data(rows, kind, outputs, inner)}", *typed_loss(kind)]
    if not inner and pick(draw, (False, True)):
        lines += NUMBERS
    if draw(st.booleans()):
        lines.append(TURNED)
    if pick(draw, (False, False, True)):
        lines.append(f"_ = accumulate_gradients(model, loss_of, x, y, {micro_batch})")
    lines += look
    lines.append(f"loss = accumulate_gradients(model, loss_of, x, y, {micro_batch})")
    return Parts(lines, rows, micro_batch)


@functools.cache
@classes(
    {
        "no rows": lambda case: has("x, y = (torch.randn(0")(case[0]),
        "micro-batches of 0": lambda case: has("x, y, 0)")(case[0]),
        "fewer than 0": lambda case: has("x, y, -")(case[0]),
        "gradients of before": lambda case: has(STALE)(case[0]),
    }
)
def refused_accumulations() -> SearchStrategy[tuple[Program, str]]:
    """Batches without rows, micro-batches without any, and what is wrong with them."""
    return _refused_accumulations()


@st.composite
def _refused_accumulations(draw: DrawFn) -> tuple[Program, str]:
    rows = pick(draw, (3, 0, 1))
    micro_batch = draw(integers(2, 4)) if rows == 0 and draw(st.booleans()) else -pick(draw, (0, 1, 2))
    because = "there are no rows" if rows == 0 else f"micro_batch is {micro_batch}"
    lines = [typed_seed(draw), typed_model(draw, 1), f"x, y = {typed_data(rows, 'squares', 1)}", *typed_loss("squares")]
    lines += pick(draw, ([STALE], [STALE], []))
    return ([*lines, f"loss = accumulate_gradients(model, loss_of, x, y, {micro_batch})"], [GRADIENTS]), because
