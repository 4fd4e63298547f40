"""What hypothesis draws for kata 09 of programs: numbers that are drawn, and layers that are loaded and asked."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import Shape, integers, pick, shapes, sizes

CUT = 3.0
"""Of the weights of a layer."""


class Draw(NamedTuple):
    """A program that draws the numbers `x`, of this shape, with the standard deviation `std`, cut at `cut` of these."""

    lines: Lines
    shape: Shape
    std: float
    cut: float


def _by_name(draw: DrawFn, generator: str) -> str:
    """The last argument, by its place or by its name."""
    return pick(draw, (generator, f"generator={generator}"))


def _seed(draw: DrawFn) -> int:
    return draw(st.integers(0, 9999))


SAMPLES = ((64, 128), (8192,), (128, 64), (16, 32, 16), (4, 2048), (2048, 4))
STDS = (0.5, 0.02, 2.0, 0.01, 1.0, 0.3, 5.0)
CUTS = (1.0, 2.0, 3.0, 0.5, 1.5, 2.5, 0.6, 0.75)


@functools.cache
@classes(
    {
        "a cut of 1 or less": lambda drawn: drawn.cut <= 1,
        "a cut of 1.5 or less": lambda drawn: drawn.cut <= 1.5,
        "a cut of 1.5 or more": lambda drawn: drawn.cut >= 1.5,
        "a cut of 3": lambda drawn: drawn.cut == 3,
        "one dimension": lambda drawn: len(drawn.shape) == 1,
        "two dimensions": lambda drawn: len(drawn.shape) == 2,
        "three dimensions": lambda drawn: len(drawn.shape) == 3,
        "a standard deviation below 0.1": lambda drawn: drawn.std < 0.1,
        "a standard deviation of 1": lambda drawn: drawn.std == 1,
        "a standard deviation above 1": lambda drawn: drawn.std > 1,
    }
)
def large_draws() -> SearchStrategy[Draw]:
    """So many numbers, 2**13, that their distribution can be seen."""
    return _large_draws()


@st.composite
def _large_draws(draw: DrawFn) -> Draw:
    shape, std, cut = pick(draw, SAMPLES), pick(draw, STDS), pick(draw, CUTS)
    call = f"truncated_normal({shape}, {std}, {cut}, {_by_name(draw, 'g')})"
    return Draw([f"g = torch.Generator().manual_seed({_seed(draw)})", f"x = {call}"], shape, std, cut)


@functools.cache
@classes(
    {
        "no dimension": lambda drawn: drawn.shape == (),
        "no number": lambda drawn: 0 in drawn.shape,
        "several dimensions": lambda drawn: len(drawn.shape) > 1,
        "one number, in dimensions": lambda drawn: drawn.shape and math.prod(drawn.shape) == 1,
        "a standard deviation of 0": lambda drawn: drawn.std == 0,
        "a cut below 0.5": lambda drawn: drawn.cut < 0.5,
        "a cut above 3": lambda drawn: drawn.cut > 3,
        "an int": lambda drawn: type(drawn.std) is int or type(drawn.cut) is int,
        "without a generator": lambda drawn: "g" not in drawn.lines[-1].partition("(")[2],
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
    seed = _seed(draw)
    if draw(st.booleans()):
        lines = [f"g = torch.Generator().manual_seed({seed})"]
        return Draw([*lines, f"x = truncated_normal({shape}, {std}, {cut}, {_by_name(draw, 'g')})"], shape, std, cut)
    return Draw([f"torch.manual_seed({seed})", f"x = truncated_normal({shape}, {std}, {cut})"], shape, std, cut)


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


LINEAR = ((512, 16), (16, 512), (256, 32), (32, 256))
"""in_features and out_features: so far apart that one cannot stand for the other."""
CRUNCHER = ((64, 2), (32, 8), (2048, 0), (16, 32), (90, 1))
"""dim and num_layers: 2**13 numbers or about, and fewer where the last layer is alone."""

FLAT = "torch.cat([w.flatten() for w in {}.parameters()])"
"""All numbers of a model."""


@functools.cache
@classes(
    {
        "more inputs than outputs": lambda drawn: drawn.shape[1] > drawn.shape[0],
        "more outputs than inputs": lambda drawn: drawn.shape[0] > drawn.shape[1],
    }
)
def linear_draws() -> SearchStrategy[Draw]:
    """Linear layers whose weights show how they are drawn."""
    return _layer_draws("Linear", LINEAR)


@functools.cache
@classes(
    {
        "no layer before the last": lambda drawn: ", 0, " in drawn.lines[1],
        "several layers": lambda drawn: ", 2, " in drawn.lines[1] or ", 8, " in drawn.lines[1],
    }
)
def cruncher_draws() -> SearchStrategy[Draw]:
    """Deep models whose weights together show how they are drawn."""
    return _layer_draws("Cruncher", CRUNCHER)


@st.composite
def _layer_draws(draw: DrawFn, function: str, drawn: tuple[tuple[int, int], ...]) -> Draw:
    inputs, other = pick(draw, drawn)
    made = f"{function}({inputs}, {other}, {_by_name(draw, 'g')})"
    lines = [f"g = torch.Generator().manual_seed({_seed(draw)})", f"model = {made}"]
    lines.append(f"x = {'model.weight' if function == 'Linear' else FLAT.format('model')}")
    shape: Shape = (other, inputs) if function == "Linear" else (inputs * (inputs * other + 1),)
    return Draw(lines, shape, 1 / math.sqrt(inputs), CUT)


class Again(NamedTuple):
    """A program that draws `x` and then `y`, and `z` as `x` was drawn; and the last seed of the global states."""

    lines: Lines
    seed: int
    has_generator: bool


SEEDED = "torch.manual_seed({0}), np.random.seed({0}), random.seed({0})"

FEW: tuple[Shape, ...] = ((16, 16), (256,), (4, 8, 16))

MADE: dict[str, Callable[[DrawFn], str]] = {
    "truncated_normal": lambda draw: f"truncated_normal({pick(draw, FEW)}, {pick(draw, STDS)}, {pick(draw, CUTS)}",
    "Linear": lambda draw: f"Linear({pick(draw, (64, 100))}, {pick(draw, (48, 32))}",
    "Cruncher": lambda draw: f"Cruncher({pick(draw, (24, 32))}, {pick(draw, (4, 3))}",
}
"""How the call begins; a weight cut at 3 has so many numbers that some are drawn twice."""

NUMBERS = {
    "Linear": ["x, y, z = (model.weight for model in (x, y, z))"],
    "Cruncher": [f"x, y, z = ({FLAT.format('model')} for model in (x, y, z))"],
}


@functools.cache
@classes({"with a generator": lambda case: case.has_generator, "without one": lambda case: not case.has_generator})
def repeated_draws(function: str) -> SearchStrategy[Again]:
    """Programs that draw, draw again, and draw once more from the first state."""
    return _repeated_draws(function)


@st.composite
def _repeated_draws(draw: DrawFn, function: str) -> Again:
    made, seed, numbers = MADE[function](draw), _seed(draw), NUMBERS.get(function, [])
    first, last = draw(st.integers(10_000, 10_999)), draw(st.integers(11_000, 11_999))  # none of a generator's
    if draw(st.booleans()):
        lines = [SEEDED.format(first), f"g = torch.Generator().manual_seed({seed})"]
        lines += [f"{name} = {made}, {_by_name(draw, 'g')})" for name in "xy"]
        lines += [SEEDED.format(last), f"z = {made}, torch.Generator().manual_seed({seed}))"]
        return Again([*lines, *numbers], last, True)
    others = "np.random.seed({0}), random.seed({0})"
    lines = [others.format(first), f"torch.manual_seed({seed})", f"x = {made})", f"y = {made})"]
    lines += [others.format(last), f"torch.manual_seed({seed})", f"z = {made})"]
    return Again([*lines, *numbers], last, False)


NAMES = [
    "state = {name: tuple(w.shape) for name, w in model.state_dict().items()}",
    "trained = {name: tuple(w.shape) for name, w in model.named_parameters() if w.requires_grad}",
]


@functools.cache
@classes(
    {
        "one input": lambda lines: "(1, " in lines[0],
        "one output": lambda lines: ", 1)" in lines[0],
        "several": lambda lines: "1" not in lines[0],
    }
)
def made_linears() -> SearchStrategy[Lines]:
    """A linear layer, as it is made."""
    return st.tuples(integers(3, 6), integers(2, 6)).map(lambda sizes: [f"model = Linear{sizes}", *NAMES])


@functools.cache
@classes(
    {
        "a width of 1": lambda lines: "(1, " in lines[0],
        "no layer before the last": lambda lines: ", 0)" in lines[0],
        "one layer before the last": lambda lines: ", 1)" in lines[0],
        "several layers before the last": lambda lines: lines[0][-2] not in "01",
    }
)
def made_crunchers() -> SearchStrategy[Lines]:
    """A deep model, as it is made."""
    layers = st.sampled_from((2, 3, 1, 0))
    return st.tuples(integers(3, 6), layers).map(lambda sizes: [f"model = Cruncher{sizes}", *NAMES])


class Asked(NamedTuple):
    """A program that loads a layer and asks it, and what to look at after."""

    lines: Lines
    watched: Lines
    sizes: tuple[int, int]
    leading: Shape


_BATCHES = {
    "no leading dimension": lambda case: case.leading == (),
    "several leading dimensions": lambda case: len(case.leading) > 1,
    "an empty batch": lambda case: 0 in case.leading,
    "a batch of 1": lambda case: case.leading and set(case.leading) == {1},
}


@functools.cache
@classes(
    {
        **_BATCHES,
        "one input": lambda case: case.sizes[0] == 1,
        "one output": lambda case: case.sizes[1] == 1,
        "as many outputs as inputs": lambda case: case.sizes[0] == case.sizes[1] > 1,
    }
)
def loaded_linears() -> SearchStrategy[Asked]:
    """Linear layers with weights and inputs in even steps."""
    return _loaded("Linear")


@functools.cache
@classes(
    {
        **_BATCHES,
        "a width of 1": lambda case: case.sizes[0] == 1,
        "no layer before the last": lambda case: case.sizes[1] == 0,
        "one layer before the last": lambda case: case.sizes[1] == 1,
        "several layers before the last": lambda case: case.sizes[1] > 1,
    }
)
def loaded_crunchers() -> SearchStrategy[Asked]:
    """Deep models with weights and inputs in even steps."""
    return _loaded("Cruncher")


@st.composite
def _loaded(draw: DrawFn, function: str) -> Asked:
    inputs = draw(integers(3, 4))
    other = draw(integers(2, 4) if function == "Linear" else sizes(3))
    weights = {"weight": (other, inputs)}
    if function == "Cruncher":
        weights = {f"layers.{place}.weight": (inputs, inputs) for place in range(other)} | {"final.weight": (1, inputs)}
    leading = draw(shapes(2, 4))
    if pick(draw, (False,) * 5 + (True,)):
        leading = (1,) * draw(st.integers(1, 2))
    state = ", ".join(f'"{name}": {_numbers(draw, shape)}' for name, shape in weights.items())
    lines = [f"model = {function}({inputs}, {other}).double()", f"model.load_state_dict({{{state}}})"]
    lines += [f"x = {_numbers(draw, (*leading, inputs))}.requires_grad_()", "y = model(x)"]
    watched = ["y", "state"]
    if 0 not in leading:
        lines += ["(y * y).sum().backward()", "grads = {name: p.grad for name, p in model.named_parameters()}"]
        watched += ["grads", "x.grad"]
    lines.append("state = dict(model.state_dict())")
    return Asked(lines, watched, (inputs, other), leading)


def _numbers(draw: DrawFn, shape: Shape) -> str:
    """Numbers in even steps: eighths, or thirds, which float32 does not hold."""
    least = draw(integers(3, 9)) / 8
    return f"(torch.arange({math.prod(shape)}, dtype=torch.float64) / {pick(draw, (8, 3))} - {least}).reshape({shape})"
