"""What hypothesis draws for kata 09 of programs that draw numbers: many or few, and the same ones again."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.repeated import Again, by_name, drawn_again
from ..shared.shapes import Shape, pick, shapes

CUT = 3.0
"""Of the weights of a layer."""


class Draw(NamedTuple):
    """A program that draws the numbers `x`, of this shape, with the standard deviation `std`, cut at `cut` of these."""

    lines: Lines
    shape: Shape
    std: float
    cut: float


def _seed(draw: DrawFn) -> int:
    return draw(st.integers(0, 9999))


def _drawn(draw: DrawFn, name: str, call: str) -> Lines:
    """Lines that call with a generator, and sometimes without one."""
    seed = _seed(draw)
    if pick(draw, (True, True, True, False)):
        return [f"g = torch.Generator().manual_seed({seed})", f"{name} = {call}, {by_name(draw, 'g')})"]
    return [f"torch.manual_seed({seed})", f"{name} = {call})"]


def _without_a_generator(drawn: Draw) -> bool:
    return not drawn.lines[0].startswith("g = ")


SAMPLES = ((64, 128), (8192,), (128, 64), (16, 32, 16), (4, 2048), (2048, 4))
STDS = (0.5, 0.02, 2.0, 0.01, 1.0, 0.3, 5.0)
CUTS = (1.0, 3.0, 2.0, 0.5, 1.5, 3.0, 0.1, 0.1)


@functools.cache
@classes(
    {
        "a cut of 1 or less": lambda drawn: drawn.cut <= 1,
        "a cut beyond which most lie": lambda drawn: drawn.cut == 0.1,
        "a cut of 1.5 or less": lambda drawn: drawn.cut <= 1.5,
        "a cut of 1.5 or more": lambda drawn: drawn.cut >= 1.5,
        "a cut of 3": lambda drawn: drawn.cut == 3,
        "one dimension": lambda drawn: len(drawn.shape) == 1,
        "two dimensions": lambda drawn: len(drawn.shape) == 2,
        "three dimensions": lambda drawn: len(drawn.shape) == 3,
        "a standard deviation below 0.1": lambda drawn: drawn.std < 0.1,
        "a standard deviation of 1": lambda drawn: drawn.std == 1,
        "a standard deviation above 1": lambda drawn: drawn.std > 1,
        "without a generator": _without_a_generator,
    }
)
def large_draws() -> SearchStrategy[Draw]:
    """So many numbers, 2**13, that their distribution can be seen."""
    return _large_draws()


@st.composite
def _large_draws(draw: DrawFn) -> Draw:
    shape, std, cut = pick(draw, SAMPLES), pick(draw, STDS), pick(draw, CUTS)
    return Draw(_drawn(draw, "x", f"truncated_normal({shape}, {std}, {cut}"), shape, std, cut)


ODD = ((3,), (), (1,), (5,), (1, 1), (3, 3), (7,))
"""Shapes of an odd number of numbers, which pairs do not fill."""


@functools.cache
@classes(
    {
        "one number": lambda drawn: "l((), " in drawn.lines[1] or "l((1" in drawn.lines[1],
        "several numbers": lambda drawn: "l((), " not in drawn.lines[1] and "l((1" not in drawn.lines[1],
        "without a generator": _without_a_generator,
    }
)
def odd_draws() -> SearchStrategy[Draw]:
    """Tensors of few numbers, an odd number of them, and so many tensors that their distribution can be seen."""
    return _odd_draws()


@st.composite
def _odd_draws(draw: DrawFn) -> Draw:
    shape, std, cut = pick(draw, ODD), pick(draw, STDS), pick(draw, CUTS)
    tensors = 512
    seeded, call = _drawn(draw, "x", f"truncated_normal({shape}, {std}, {cut}")
    together = f"x = torch.stack([{call[4:]} for _ in range({tensors})])"
    return Draw([seeded, together], (tensors, *shape), std, cut)


MANY = ((256, 256), (2**16,), (4, 128, 128))
MIDDLE_CUTS = (1.0, 1.25, 1.5)
"""Where the spread tells most of what became of the numbers beyond."""


@functools.cache
@classes(
    {
        "a cut of 1": lambda drawn: drawn.cut == 1,
        "a cut above 1": lambda drawn: drawn.cut > 1,
        "without a generator": _without_a_generator,
    }
)
def spread_draws() -> SearchStrategy[Draw]:
    """So many numbers, 2**16, that their root mean square is known to about 1 in 100."""
    return _spread_draws()


@st.composite
def _spread_draws(draw: DrawFn) -> Draw:
    shape, std, cut = pick(draw, MANY), pick(draw, STDS), pick(draw, MIDDLE_CUTS)
    return Draw(_drawn(draw, "x", f"truncated_normal({shape}, {std}, {cut}"), shape, std, cut)


@functools.cache
@classes(
    {
        "no dimension": lambda drawn: drawn.shape == (),
        "no number": lambda drawn: 0 in drawn.shape,
        "several dimensions": lambda drawn: len(drawn.shape) > 1,
        "one number, in dimensions": lambda drawn: drawn.shape and math.prod(drawn.shape) == 1,
        "a standard deviation of 0": lambda drawn: drawn.std == 0,
        "zeros again, after others were changed": lambda drawn: drawn.std == 0 and len(drawn.lines) > 2,
        "a cut below 0.5": lambda drawn: drawn.cut < 0.5,
        "a cut above 3": lambda drawn: drawn.cut > 3,
        "an int": lambda drawn: type(drawn.std) is int or type(drawn.cut) is int,
        "without a generator": _without_a_generator,
    }
)
def small_draws() -> SearchStrategy[Draw]:
    """Any shape, and any standard deviation and cut that are not to be refused."""
    return _small_draws()


@st.composite
def _small_draws(draw: DrawFn) -> Draw:
    shape = draw(shapes(3, 4))
    if pick(draw, (False,) * 7 + (True,)):
        shape = (1,) * draw(st.integers(1, 3))
    std = pick(draw, (0.5, 2.0, 0.0, 0.25, 1, 0.02))
    cut = pick(draw, (1.0, 2.0, 0.1, 0.3, 3, 8.0))
    lines = _drawn(draw, "x", f"truncated_normal({shape}, {std}, {cut}")
    if pick(draw, (False, True)):  # a tensor that is handed out once more would have been changed
        lines = [lines[0], f"w{lines[1][1:]}", "w.add_(1)", lines[1]]
    return Draw(lines, shape, std, cut)


@functools.cache
@classes(
    {
        "std below 0": lambda case: case[1].startswith("std"),
        "a cut of 0": lambda case: case[1] == "cut is 0",
        "a cut below 0": lambda case: case[1].startswith("cut is -"),
        "no number": lambda case: "((0" in case[0][1],
        "std is 0": lambda case: ", 0.0, " in case[0][1],
    }
)
def refused_draws() -> SearchStrategy[tuple[Lines, str]]:
    """Lines of which the last is to be refused, and why."""
    return _refused_draws()


@st.composite
def _refused_draws(draw: DrawFn) -> tuple[Lines, str]:
    shape = pick(draw, ((2, 3), (4,), (), (0, 3)))
    std, cut = pick(draw, (0.5, 2.0, 0.0)), pick(draw, (2.0, 1.0, 3.0))
    if draw(st.booleans()):
        std = pick(draw, (-0.5, -1.0, -1e-6))
        because = f"std is {std}"
    else:
        cut = pick(draw, (0.0, -2.0, -1e-6))
        because = f"cut is {cut:g}"
    return [f"torch.manual_seed({_seed(draw)})", f"x = truncated_normal({shape}, {std}, {cut})"], because


LINEAR = ((512, 16), (16, 512), (256, 32), (4, 2048))
"""in_features and out_features: so far apart that one cannot stand for the other."""
CRUNCHER = ((64, 2), (32, 8), (8192, 0), (4, 512), (90, 1))
"""dim and num_layers: 2**13 numbers or about, in one of them of the last layer alone."""

FLAT = "torch.cat([w.flatten() for w in {}.parameters()])"
"""All numbers of a model."""
WEIGHT = 'model.state_dict()["{}.weight"]'
"""By its name, which is promised, however a model keeps its layers."""

LAST_DIM, LAST_MODELS = 16, 512
"""The last layer of a deep model has few numbers, and is seen in so many models: 2**13 numbers again."""


@functools.cache
@classes(
    {
        "more inputs than outputs": lambda drawn: drawn.shape[1] > drawn.shape[0],
        "more outputs than inputs": lambda drawn: drawn.shape[0] > drawn.shape[1],
        "without a generator": _without_a_generator,
    }
)
def linear_draws() -> SearchStrategy[Draw]:
    """Linear layers whose weights show how they are drawn."""
    return _layer_draws("Linear", LINEAR)


@functools.cache
@classes(
    {
        "no layer before the last": lambda drawn: ", 0" in drawn.lines[1],
        "several layers": lambda drawn: any(f", {layers}" in drawn.lines[1] for layers in (2, 8, 512)),
        "the last layers of many models": lambda drawn: drawn.lines[1].startswith("models = "),
        "without a generator": _without_a_generator,
    }
)
def cruncher_draws() -> SearchStrategy[Draw]:
    """Deep models whose weights together show how they are drawn, or many whose last weights do."""
    return _cruncher_draws()


@st.composite
def _cruncher_draws(draw: DrawFn) -> Draw:
    if pick(draw, (False, False, False, True)):
        return _last_layers(draw)
    return draw(_layer_draws("Cruncher", CRUNCHER))


def _last_layers(draw: DrawFn) -> Draw:
    """Draw a program whose numbers are those of the last weights of many models that have other layers, too."""
    seeded, call = _drawn(draw, "models", f"Cruncher({LAST_DIM}, {pick(draw, (2, 1, 3))}")
    name, made = call.split(" = ", 1)
    lines = [seeded, f"{name} = [{made} for _ in range({LAST_MODELS})]"]
    lines.append(f"x = torch.cat([{WEIGHT.format('final')}.flatten() for model in models])")
    return Draw(lines, (LAST_DIM * LAST_MODELS,), 1 / math.sqrt(LAST_DIM), CUT)


@st.composite
def _layer_draws(draw: DrawFn, function: str, drawn: tuple[tuple[int, int], ...]) -> Draw:
    inputs, other = pick(draw, drawn)
    lines = _drawn(draw, "model", f"{function}({inputs}, {other}")
    lines.append(f"x = {'model.weight' if function == 'Linear' else FLAT.format('model')}")
    shape: Shape = (other, inputs) if function == "Linear" else (inputs * (inputs * other + 1),)
    return Draw(lines, shape, 1 / math.sqrt(inputs), CUT)


FEW: tuple[Shape, ...] = ((16, 16), (256,), (4, 8, 16))

MADE: dict[str, Callable[[DrawFn], str]] = {
    "truncated_normal": lambda draw: f"truncated_normal({pick(draw, FEW)}, {pick(draw, STDS)}, {pick(draw, CUTS)}",
    "Linear": lambda draw: f"Linear({pick(draw, (64, 100))}, {pick(draw, (48, 32))}",
    "Cruncher": lambda draw: f"Cruncher({pick(draw, (24, 32))}, {pick(draw, (4, 3))}",
}
"""How the call begins; a weight cut at 3 has so many numbers that some are drawn twice."""

SEEN = {"Linear": "model.weight", "Cruncher": FLAT.format("model")}
"""The numbers of a layer that are compared."""


@functools.cache
@classes({"with a generator": lambda case: case.has_generator, "without one": lambda case: not case.has_generator})
def repeated_draws(function: str) -> SearchStrategy[Again]:
    """Programs that draw, draw again, and draw once more from the first state."""
    return _repeated_draws(function)


@st.composite
def _repeated_draws(draw: DrawFn, function: str) -> Again:
    made, seen = MADE[function](draw), SEEN.get(function)
    if function == "Cruncher" and pick(draw, (False, True)):  # one weight may be drawn otherwise than the others
        made, seen = _one_weight(draw)
    return drawn_again(draw, made, [f"x, y, z = ({seen} for model in (x, y, z))"] if seen else [])


def _one_weight(draw: DrawFn) -> tuple[str, str]:
    """How the call of a deep model begins, and a weight of it that has 128 numbers or more."""
    if pick(draw, (True, False)):
        return f"Cruncher({pick(draw, (128, 160))}, {pick(draw, (1, 2))}", WEIGHT.format("final")
    return f"Cruncher({pick(draw, (24, 32))}, 3", WEIGHT.format(f"layers.{pick(draw, (0, 1, 2))}")
