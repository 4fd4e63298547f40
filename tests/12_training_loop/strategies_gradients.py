"""What hypothesis draws for kata 12 of gradients that are clipped."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has
from ..shared.shapes import Shape, pick
from .typed import DOUBLE


class Gradients(NamedTuple):
    """A program that clips gradients, the names of its parameters, and the max_norm."""

    lines: Lines
    names: str
    max_norm: float

    @property
    def watched(self) -> Lines:
        """The norm, each gradient, whether it is the same tensor, and each parameter."""
        found = ["norm", *(f"{name}.grad" for name in self.names)]
        found += [f"{name}.grad is grad_{name}" for name in self.names]
        return [*found, *(f"{name}" for name in self.names)]


KINDS = ("vector", "matrix", "transposed", "number", "none", "none", "empty", "sliced", "cube")


NORMS = (1.3, 0.7, 2.9, 4.3, 101.0)
TENTHS = [round(norm * 0.1, 15) for norm in NORMS]


@functools.cache
@classes(
    {
        "several gradients": lambda case: sum(".grad = t" in line for line in case.lines) > 1,
        "a gradient that is None": lambda case: any(line.endswith(".grad = None") for line in case.lines),
        "no parameters": lambda case: not case.names,
        "no gradients": lambda case: not any(".grad = t" in line for line in case.lines),
        "an empty gradient": lambda case: any("torch.zeros(0" in line for line in case.lines),
        "a gradient of shape ()": lambda case: any(re.search(r"torch.tensor\(-?\d", line) for line in case.lines),
        "a gradient that is not contiguous": lambda case: any(".mT" in line or "::2" in line for line in case.lines),
        "all gradients are 0": lambda case: any("zeros_like" in line for line in case.lines),
        "a gradient of three dimensions": lambda case: any("tensor([[[" in line for line in case.lines),
        "a gradient of one that is frozen": lambda case: any("requires_grad=False" in line for line in case.lines),
        "numbers that float32 does not hold": lambda case: case.max_norm in TENTHS,
        "a generator": lambda case: "for p in" in case.lines[-1],
        "a factor just below 1": lambda case: 5 <= case.max_norm < 5.000001 and case.names == "a",
        "max_norm 0": lambda case: case.max_norm == 0,
        "max_norm inf": lambda case: case.max_norm == float("inf"),
    }
)
def gradients() -> SearchStrategy[Gradients]:
    """Programs that clip gradients of one parameter or of several."""
    return _gradients()


def _made(draw: DrawFn, kind: str, scale: float) -> tuple[Shape, str]:
    """Return the shape of a gradient, and the code that makes it from eighths times a scale."""
    number = draw(st.integers(0, 33**4 - 1))
    a, b, c, d = (round(((number // 33**place) % 33 + 3 * place - 15 or 4) / 8 * scale, 15) for place in range(4))
    return {
        "vector": ((3,), f"torch.tensor([{a}, {b}, {c}], {DOUBLE})"),
        "matrix": ((2, 2), f"torch.tensor([[{a}, {b}], [{c}, {d}]], {DOUBLE})"),
        "transposed": ((2, 2), f"torch.tensor([[{a}, {b}], [{c}, {d}]], {DOUBLE}).mT"),
        "sliced": ((2,), f"torch.tensor([{a}, {b}, {c}, {d}], {DOUBLE})[::2]"),
        "cube": ((2, 1, 2), f"torch.tensor([[[{a}, {b}]], [[{c}, {d}]]], {DOUBLE})"),
        "number": ((), f"torch.tensor({a}, {DOUBLE})"),
        "empty": ((0, 3), f"torch.zeros(0, 3, {DOUBLE})"),
        "none": ((2,), "None"),
    }[kind]


@st.composite
def _gradients(draw: DrawFn) -> Gradients:
    names = "abcd"[: pick(draw, (2, 3, 4, 1))]
    scale = pick(draw, (1.0, 0.1, 8.0, 2**-10, 1024.0))
    lines = []
    quiet = pick(draw, range(12))
    names = "" if quiet == 9 else names
    for name in names:
        shape, made = _made(draw, "none" if quiet == 11 else pick(draw, KINDS), scale)
        if quiet == 10 and made != "None":
            made = f"torch.zeros_like({name})"
        frozen = pick(draw, ("", "", "", ", requires_grad=False"))
        lines += [f"{name} = nn.Parameter(torch.ones({shape}, {DOUBLE}){frozen})", f"{name}.grad = {made}"]
        lines.append(f"grad_{name} = {name}.grad")
    least = pick(draw, (False,) * 6 + (True,))
    if least:  # a norm of 5, and a factor just below 1
        names, scale = "a", 1.0
        lines = [f"a = nn.Parameter(torch.ones(2, {DOUBLE}))", f"a.grad = torch.tensor([3.0, -4.0], {DOUBLE})"]
        lines.append("grad_a = a.grad")
    listed = f"[{', '.join(names)}]"
    how = pick(draw, (listed, f"(p for p in {listed})", f"nn.ParameterList({listed}).parameters()", f"iter({listed})"))
    # No root of a sum of squared eighths, and so never just the norm + 1e-6, where a rounding would decide.
    most = pick(draw, (*NORMS, 0.0, float("inf")))
    most = most if most in (0.0, float("inf")) else round(most * scale, 15)
    most = pick(draw, (5.0, 5.0000005)) if least else most
    typed = "math.inf" if most == float("inf") else str(most)
    return Gradients([*lines, f"norm = clip_gradients({how}, {typed})"], names, most)


@functools.cache
@classes(
    {
        "by a little": has("-1e-10"),
        "without gradients": has("a.grad = None"),
        "no parameters": has("([], "),
        "gradients that are 0": has("zeros_like"),
        "gradients": has("full_like"),
    }
)
def refused_norms() -> SearchStrategy[Program]:
    """Programs with a negative max_norm."""
    return _refused_norms()


@st.composite
def _refused_norms(draw: DrawFn) -> Program:
    made = pick(draw, (f"torch.full_like(a, {draw(st.integers(1, 9))}.0)", "torch.zeros_like(a)", "None"))
    lines = [f"a = nn.Parameter(torch.ones(2, {DOUBLE}))", f"a.grad = {made}"]
    listed = pick(draw, ("[a]", "[a]", "[a]", "[]"))
    return [*lines, f"norm = clip_gradients({listed}, {-pick(draw, (1.0, 0.5, 1e-10, 7.0))})"], ["a.grad"]
