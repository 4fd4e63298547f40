"""Parameters and gradients, drawn by hypothesis as code."""

from __future__ import annotations

import itertools
import math
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from .shapes import Shape, pick


def typed_parameter(draw: DrawFn, shape: Shape, dtype: str) -> str:
    """Draw the code of a parameter: contiguous, transposed, or every second column of a tensor."""
    # With a size of 1 it would be contiguous anyway.
    layout = pick(draw, ("plain", "transposed", "sliced")) if len(shape) == 2 and min(shape) > 1 else "plain"
    if layout == "plain":
        made = _numbers(draw, shape, dtype)
        return f"{made[:-1]}, requires_grad=True)"
    if layout == "transposed":
        return f"{_numbers(draw, shape[::-1], dtype)}.mT.requires_grad_()"
    return f"{_numbers(draw, (shape[0], 2 * shape[1]), dtype)}[:, ::2].requires_grad_()"


def typed_gradients(draw: DrawFn, shape_of: dict[str, Shape], dtype: str, held: set[str]) -> list[str]:
    """Draw lines that set each parameter's gradient, or None. One that is `held` may be overwritten in place."""
    lines = []
    for name, shape in shape_of.items():
        made = _gradient(draw, name, shape, dtype)
        in_place = made != "None" and name in held and draw(st.booleans())
        lines.append(f"{name}.grad.copy_({made})" if in_place else f"{name}.grad = {made}")
        (held.discard if made == "None" else held.add)(name)
    return lines


KINDS = ("plain",) * 5 + ("none",) * 2 + ("transposed", "transposed", "zeros")


def _gradient(draw: DrawFn, name: str, shape: Shape, dtype: str) -> str:
    kind = pick(draw, KINDS)
    if kind == "none":
        return "None"
    if kind == "zeros":
        return f"torch.zeros_like({name})"
    if kind == "transposed" and len(shape) == 2:
        return f"{_numbers(draw, shape[::-1], dtype)}.mT"
    return _numbers(draw, shape, dtype)


def _numbers(draw: DrawFn, shape: Shape, dtype: str) -> str:
    count = math.prod(shape)
    if count == 0:
        return f"torch.zeros({shape}, dtype=torch.{dtype})"
    # Eighths from -2 to 2, all in one draw. A list would take a draw for each number.
    number = draw(st.integers(0, 33 ** min(count, 6) - 1))
    digits = [(number // 33**place) % 33 for place in range(min(count, 6))]
    # The simplest number is 1.0 in the first place, 1.5 in the next, and so on.
    values = itertools.cycle(
        (1 + (digit + 7 + 4 * place) % 16) / 8 * (-1 if digit > 16 else 1) * (digit < 32)
        for place, digit in enumerate(digits)
    )
    return f"torch.tensor({_nested(shape, values)}, dtype=torch.{dtype})"


def _nested(shape: Shape, values: Any) -> Any:
    if not shape:
        return next(values)
    return [_nested(shape[1:], values) for _ in range(shape[0])]
