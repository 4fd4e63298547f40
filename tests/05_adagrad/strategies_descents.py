"""What hypothesis draws for kata 05 of descents: ways down into a valley."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.programs import Program, has, lacks
from ..shared.shapes import pick


@classes(
    {
        "one dimension": lambda program: "," not in program[0][0].partition("]")[0],
        "several dimensions": lambda program: "," in program[0][0].partition("]")[0],
        "from below": has("[-"),
        "more than two steps": lacks("in range(2)"),
    }
)
@functools.cache
def descents(optimizer: str) -> SearchStrategy[Program]:
    """Lines that walk down a convex quadratic, with steps that cannot lead beyond the other side of the valley.

    SGD multiplies each x by 1 − lr · scale, and AdaGrad by 1 − lr / √(Σ x²) over all x so far: both lie in [0, 1).
    """
    return _descents(optimizer)


@st.composite
def _descents(draw: DrawFn, optimizer: str) -> Program:
    count = draw(st.integers(1, 3))
    x = [draw(st.integers(4, 16)) / 8 * pick(draw, (1, -1)) for _ in range(count)]
    scale = [draw(st.integers(1, 16)) / 8 for _ in range(count)]
    return [
        f"x = torch.tensor({x}, dtype=torch.float64, requires_grad=True)",
        f"scale = torch.tensor({scale}, dtype=torch.float64)",
        f"optimizer = {optimizer}([x], lr={pick(draw, (0.5, 0.25, 0.125))})",
        "losses = []",
        f"for _ in range({draw(st.integers(2, 6))}):",
        "    loss = (scale * x.square()).sum() / 2",
        "    x.grad = None",
        "    loss.backward()",
        "    optimizer.step()",
        "    losses.append(loss.item())",
    ], ["losses"]
