"""What hypothesis draws for kata 20 of steps by sums of rows and columns."""

from __future__ import annotations

import functools
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.gradients import typed_gradients, typed_parameter
from ..shared.programs import Program, has
from ..shared.shapes import Shape, pick, shapes
from .strategies_steps import SHAPES, STEP, STEPPED, Sized, ended, kept_program, typed_begin


@functools.cache
@classes(
    {
        "a matrix": lambda case: any("(256, 128)" in line for line in case.lines),
        "a batch of matrices": lambda case: any("16, 128)" in line for line in case.lines),
        "a vector": lambda case: any("(30000,)" in line for line in case.lines),
        "several parameters": lambda case: any("[a, b]" in line for line in case.lines),
        "several steps": lambda case: "    for _ in range(1):" not in case.lines,
    }
)
def kept_sums() -> SearchStrategy[Sized]:
    """Steps of large parameters by their sums."""
    return _kept_sums()


@st.composite
def _kept_sums(draw: DrawFn) -> Sized:
    all_shapes = pick(draw, (*SHAPES, SHAPES[-1]))
    return kept_program("FactoredAdaGrad", "lr=0.5", all_shapes, pick(draw, (2, 1, 3)))


def _vector(draw: DrawFn, size: int, zeros: bool) -> list[float]:
    numbers = [pick(draw, (1.0, 2.0, 3.0, -0.5, -1.5)) for _ in range(size)]
    if zeros and size:
        numbers[draw(st.integers(0, size - 1))] = 0.0
    return numbers


class Outer(NamedTuple):
    """Two vectors, of rows and of columns, whose products are a gradient; perhaps its memory goes by columns."""

    rows: list[float]
    columns: list[float]
    turned: bool

    def typed(self, draw: DrawFn, factor: float) -> str:
        """The gradient, times a factor."""
        vectors = (self.columns, self.rows) if self.turned else (self.rows, self.columns)
        typed = ", ".join(f"torch.tensor({vector}, dtype=torch.float64)" for vector in vectors)
        return f"torch.outer({typed}){'.mT' * self.turned} * {pick(draw, (1, -1)) * factor}"


@functools.cache
@classes(
    {
        **STEPPED,
        "a matrix": has("torch.outer("),
        "a batch of matrices": has("torch.stack("),
        "a batch of matrices of one row": has("randn(2, 1, ", "randn(2, 3, 1, "),
        "no matrix": has("a.grad = torch.tensor("),
        "one number": has("a = torch.tensor(0", "a = torch.tensor(1", "a = torch.tensor(-"),
        "one row or one column": has("randn(1, ", ", 1, dtype"),
        "a matrix of zeros in a batch": has("torch.zeros_like(one)"),
        "a row of zeros": has("[0.0, ", ", 0.0", "[0.0]"),
        "two parameters of one shape": has("[a, b]"),
        "three": has("[a, b, c]"),
        "transposed": has(".mT.requires_grad_()"),
        "several steps": lambda program: program[0].count(STEP) > 1,
        "more than five steps": lambda program: program[0].count(STEP) > 5,
        "a large eps": has("eps=0.", ", 0.5)", ", 0.125)"),
        "the default eps": lambda program: any(
            line.startswith("optimizer") and "eps" not in line and not line[-2:-1].isdigit() for line in program[0]
        ),
        "a gradient of zeros": has("torch.zeros_like("),
        "no gradient": has("a.grad = None"),
        "an empty parameter": has("torch.zeros("),
    }
)
def rank_one_programs() -> SearchStrategy[Program]:
    """Steps whose squared gradients have rank one, and of vectors and numbers."""
    return _rank_one_programs()


@st.composite
def _rank_one_programs(draw: DrawFn) -> Program:
    kind = pick(draw, ("matrix", "matrix", "batch", "vector", "batch", "empty", "other", "other", "batch"))
    few = ((1, 3),) if kind == "batch" else ()
    rows, columns = pick(draw, ((2, 3), *few, (3, 2), (1, 3), (2, 1), (4, 4)))
    shape: Shape = {"matrix": (rows, columns), "batch": (2, rows, columns)}.get(kind, ())
    if kind == "empty":
        shape = pick(draw, ((0, 3), (2, 0), (0,), (2, 0, 3)))
    if kind == "vector":
        shape = (draw(st.integers(2, 4)),)
    if kind == "other":
        shape = draw(shapes(1, 4, simplest=3))
    names = pick(draw, ("a", "ab", "a", "abc"))
    turned = pick(draw, (False, False, True))
    lines = [f"torch.manual_seed({draw(st.integers(0, 999))})"]
    for name in names:
        lines.append(f"{name} = {_typed_parameter(draw, kind, shape, turned)}")
    lines += typed_begin(draw, "FactoredAdaGrad", names)
    zeros = pick(draw, (False, False, True))
    patterns = {
        name: [Outer(_vector(draw, rows, zeros), _vector(draw, columns, False), turned) for _ in range(2)]
        for name in names
    }
    for _ in range(pick(draw, (2, 1, 3, 4, 7))):
        for name in names:
            lines += _typed_gradient(draw, name, kind, shape, patterns[name])
        lines.append(STEP)
    return ended(lines, names)


def _typed_parameter(draw: DrawFn, kind: str, shape: Shape, turned: bool) -> str:
    if kind in ("empty", "vector", "other"):
        return typed_parameter(draw, shape, "float64")
    sizes = "".join(f"{size}, " for size in ((*shape[:-2], shape[-1], shape[-2]) if turned else shape))
    made = f"torch.randn({sizes}dtype=torch.float64"
    return f"{made}).mT.requires_grad_()" if turned else f"{made}, requires_grad=True)"


def _typed_gradient(draw: DrawFn, name: str, kind: str, shape: Shape, patterns: list[Outer]) -> Lines:
    if kind in ("empty", "vector", "other"):
        return typed_gradients(draw, {name: shape}, "float64", set())
    event = pick(draw, (*("grad",) * 4, "none", "zeros", *("half",) * (kind == "batch")))
    factor = pick(draw, (1.0, 2.0, 0.5))
    if event == "none":
        return [f"{name}.grad = None"]
    if event == "zeros":
        return [f"{name}.grad = torch.zeros_like({name})"]
    if kind == "matrix":
        return [f"{name}.grad = {patterns[0].typed(draw, factor)}"]
    if event == "half":
        place = draw(st.integers(0, 1))
        stacked = ("one, torch.zeros_like(one)", "torch.zeros_like(one), one")[place]
        return [f"one = {patterns[place].typed(draw, factor)}", f"{name}.grad = torch.stack([{stacked}])"]
    first, second = (pattern.typed(draw, factor) for pattern in patterns)
    return [f"first = {first}", f"second = {second}", f"{name}.grad = torch.stack([first, second])"]


class Steps(NamedTuple):
    """A program that notes the parameter and its gradient at each step, and the settings of its optimizer."""

    lines: Lines
    lr: float
    eps: float


@functools.cache
@classes(
    {
        "a batch of matrices": lambda case: any("randn(2, " in line for line in case.lines),
        "two batches": lambda case: any("randn(2, 2, " in line for line in case.lines),
        "one step": lambda case: "for _ in range(1):" in case.lines,
        "several steps": lambda case: "for _ in range(1):" not in case.lines,
        "as many rows as columns": lambda case: any("3, 3, dtype" in line for line in case.lines),
        "a large eps": lambda case: case.eps == 0.125,
        "default settings": lambda case: any(line.endswith("([a])") for line in case.lines),
        "tiny gradients": lambda case: any(line.endswith(" * 1e-08") for line in case.lines),
    }
)
def any_programs() -> SearchStrategy[Steps]:
    """Steps of gradients of any kind, without zeros."""
    return _any_programs()


@st.composite
def _any_programs(draw: DrawFn) -> Steps:
    batch = pick(draw, ((), (2,), (), (2, 2)))
    shape = (*batch, *pick(draw, ((2, 3), (3, 2), (3, 3), (4, 2))))
    numbers = f"torch.randn({', '.join(map(str, shape))}, dtype=torch.float64"
    lr, eps = pick(draw, ((0.5, 1e-10), (0.25, 0.125), (0.01, 1e-10)))
    tiny = " * 1e-08" * (eps == 1e-10 and pick(draw, (False, True)))
    settings = {0.5: ", lr=0.5", 0.25: ", 0.25, 0.125", 0.01: ""}[lr]
    lines = [f"torch.manual_seed({draw(st.integers(0, 999))})", f"a = {numbers}, requires_grad=True)"]
    lines += [f"optimizer = FactoredAdaGrad([a]{settings})", "values, gradients = [a.detach().clone()], []"]
    lines += [
        f"for _ in range({pick(draw, (2, 1, 3))}):",
        f"    g = {numbers})",
        f"    a.grad = (g + 0.25 * g.sign()){tiny}",
    ]
    lines += [f"    {STEP}", "    values.append(a.detach().clone())", "    gradients.append(a.grad)"]
    return Steps(lines, lr, eps)
