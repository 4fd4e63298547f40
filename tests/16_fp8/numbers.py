"""Numbers that several strategies of kata 16 need, and how a program has them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ..shared.shapes import Shape

SPAN = 64 * 20
"""64 numbers between two powers of two, from 2**-10 to 2**10."""

SPECIAL = (0.0, -0.0, math.inf, -math.inf, math.nan)


def numbers(draw: DrawFn, count: int, special: Sequence[float] = ()) -> list[float]:
    """So many numbers with 7 significant bits, which every dtype here but fp8 holds; one in ten is a special one."""
    most = 2 * SPAN - 1 + (2 * SPAN // 9 if special else 0)
    found = []
    for place in range(count):
        drawn = draw(st.integers(0, most))
        if drawn >= 2 * SPAN:
            found.append(special[drawn % len(special)])
            continue
        sign, index = divmod(drawn, SPAN)
        exponent, sixty_fourths = divmod((11 * 64 + 16 * place + index) % SPAN, 64)
        found.append((-1) ** sign * (1 + sixty_fourths / 64) * 2.0 ** (exponent - 10))
    return found


def written(values: Sequence[float], shape: Shape, dtype: str = "float32") -> str:
    """The code of a tensor."""
    if not values and len(shape) != 1:
        return f"torch.empty({shape}, dtype=torch.{dtype})"
    return f"torch.tensor({_nested(list(map(typed, values)), shape)}, dtype=torch.{dtype})"


def typed(value: float) -> str:
    """The code of a number."""
    return repr(value) if math.isfinite(value) else f"float('{value}')"


def _nested(values: Sequence[str], shape: Shape) -> str:
    if not shape:
        return values[0]
    step = len(values) // shape[0] if shape[0] else 0
    return f"[{', '.join(_nested(values[at * step : (at + 1) * step], shape[1:]) for at in range(shape[0]))}]"
