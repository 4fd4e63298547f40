"""What hypothesis draws for kata 09 of programs that make a layer, load its weights and ask it."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import Shape, integers, pick, shapes, sizes

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
    "three leading dimensions or more": lambda case: len(case.leading) > 2,
    "asked before it is loaded": lambda case: case.lines[1].startswith("model("),
    "asked again with other weights": lambda case: "z" in case.watched,
    "asked twice without gradients": lambda case: "no_grad" in case.lines[-1],
    "asked twice in eval mode": lambda case: "model.eval()" in case.lines and "u" in case.watched,
    "gradients in eval mode": lambda case: "model.eval()" in case.lines and "grads" in case.watched,
    "gradients of the weights alone": lambda case: "grads" in case.watched and "x.grad" not in case.watched,
    "float32": lambda case: ".double()" not in case.lines[0],
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
        "more than ten layers before the last": lambda case: case.sizes[1] > 10,
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
        if pick(draw, (False,) * 9 + (True,)):
            inputs, other = 2, 11
        weights = {f"layers.{place}.weight": (inputs, inputs) for place in range(other)} | {"final.weight": (1, inputs)}
    leading = draw(shapes(4, 3)) if pick(draw, (False, False, True)) else draw(shapes(2, 4))
    if pick(draw, (False,) * 5 + (True,)):
        leading = (1,) * draw(st.integers(1, 2))
    # With so few layers float32 rounds nothing of the result; gradients would be sums of more digits.
    narrow = (function == "Linear" or other < 2) and pick(draw, (False, False, True))
    dtype = "float32" if narrow else "float64"
    state = ", ".join(f'"{name}": {_numbers(draw, shape, dtype)}' for name, shape in weights.items())
    lines = [f"model = {function}({inputs}, {other}){'' if narrow else '.double()'}"]
    if pick(draw, (False, True)):
        lines.append(f"model(torch.ones({inputs}, dtype=torch.{dtype}))")
    lines.append(f"model.load_state_dict({{{state}}})")
    lines += pick(draw, ([], [], ["model.eval()"]))
    tracked = pick(draw, (".requires_grad_()",) * 3 + ("",))  # the inputs of a first layer require none
    lines += [f"x = {_numbers(draw, (*leading, inputs), dtype)}{tracked}", "y = model(x)"]
    watched = ["y", "state"]
    if 0 not in leading and not narrow:
        lines += ["(y * y).sum().backward()", "grads = {name: p.grad for name, p in model.named_parameters()}"]
        watched += ["grads", "x.grad"] if tracked else ["grads"]
    lines.append("state = {name: w.clone() for name, w in model.state_dict().items()}")
    if again := pick(draw, ("", "z = model(x)", "with torch.no_grad(): z = model(x)", "z = model(x)")):
        if "with" in again:
            lines.append("with torch.no_grad(): u = model(x)")
            watched.append("u")
        lines += ["model.load_state_dict({name: 2 * w for name, w in state.items()})", again]
        watched.append("z")
    return Asked(lines, watched, (inputs, other), leading)


def _numbers(draw: DrawFn, shape: Shape, dtype: str) -> str:
    """Numbers in even steps: eighths, or, in float64, thirds, which float32 does not hold."""
    least = draw(integers(3, 9)) / 8
    parts = pick(draw, (8, 3)) if dtype == "float64" else 8
    return f"(torch.arange({math.prod(shape)}, dtype=torch.{dtype}) / {parts} - {least}).reshape({shape})"
