"""How failures of kata 09 are drawn: step by step."""

from __future__ import annotations

from collections.abc import Callable

from dojo.judging.pictures import Terms
from dojo.seam.data import is_number, shown

from ..shared.shapes import Shape
from ..shared.sums import asked
from . import truth


def variance(answer: object, shape: Shape, scheme: str, right: float) -> Terms | None:
    """The fans, and the variance before the root."""
    if not is_number(answer):
        return None
    fan_in, fan_out = truth.fans(shape)
    assert isinstance(answer, int | float)
    rows = [("fan_in", "", str(fan_in)), ("fan_out", "", str(fan_out))]
    rows.append(("squared", f"{answer**2:.6g}", f"{right**2:.6g}"))
    return Terms(rows, (scheme, f"{answer:.6g}", f"{right:.6g}"), "", "step by step")


def layers(ask: Callable[..., object], answer: object, dims: Shape, stds: list[float]) -> Terms | None:
    """The root mean square after each layer, as the function says of the layers up to there."""
    if len(stds) < 2 or not is_number(answer):
        return None
    rows = []
    for place, right in enumerate(truth.steps(dims, stds), 1):
        yours = asked(lambda place=place: _short(ask(dims[: place + 1], stds[:place])))  # type: ignore[misc]
        rows.append(
            (f"after {dims[place - 1]} → {dims[place]}, std {stds[place - 1]:g}", yours.strip("'"), _short(right))
        )
    *before, last = rows
    return Terms(before, last, "", "step by step")


def _short(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else shown(value)
