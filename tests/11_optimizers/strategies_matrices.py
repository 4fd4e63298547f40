"""What hypothesis draws for kata 11 of matrices: programs that orthogonalize one, and what is none.

The norm of a matrix is 0 or at least 1, so that it does not matter whether 1e-7 is added to it or it is clamped there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from torch import Tensor

from dojo.judging.classes import classes

from ..shared.described import tensor
from ..shared.programs import Program
from ..shared.shapes import pick, shapes

SMALL = 2**-10
BEYOND = "grad *= 1e100"
"""Beyond what float32 holds."""
KINDS = ("any", "dependent", "any", "column", "any", "row", "any", "small", "zeros", "empty", "of norm 1")
STEPS = ("", "", ", 5", ", 3", ", 1", ", 2", ", steps=3", ", 0")
MORE_STEPS = {"float64": (", 7",), "float32": ()}  # roundings of float32 would grow too much
ONE_VALUE = ("dependent", "column", "row", "of norm 1")
"""Of these one singular value is the norm and all others are 0: twelve steps lead that to where more steps do."""


@functools.lru_cache
def _made(code: str) -> Tensor:
    return tensor(code)


def _grad(holds: Callable[[Tensor], object]) -> Callable[[Program], object]:
    """Whether the matrix of a program is such."""
    return lambda program: holds(_made(program[0][0].removeprefix("grad = ")))


def _steps(*typed: str) -> Callable[[Program], bool]:
    return lambda program: any(line.startswith("x = ") and line.endswith(typed) for line in program[0])


@classes(
    {
        "one column": _grad(lambda x: x.shape[0] > x.shape[1] == 1),
        "one row": _grad(lambda x: x.shape[1] > x.shape[0] == 1),
        "more rows than columns": _grad(lambda x: x.shape[0] > x.shape[1] > 1),
        "more columns than rows": _grad(lambda x: x.shape[1] > x.shape[0] > 1),
        "a square": _grad(lambda x: x.shape[0] == x.shape[1] > 1),
        "rows that depend on one another": _grad(lambda x: min(x.shape) > 1 and (x[1] == 2 * x[0]).all() and x.any()),
        "a small singular value": _grad(lambda x: (x.abs() == SMALL).any()),
        "zeros": _grad(lambda x: x.numel() and not x.any()),
        "no number above 0": _grad(lambda x: x.any() and (x <= 0).all()),
        "a first row of zeros": _grad(lambda x: x.any() and not x[0].any()),
        "an empty matrix": _grad(lambda x: not x.numel()),
        "of norm 1": _grad(lambda x: x.numel() and x.square().sum() == 1),
        "beyond what float32 holds": lambda program: BEYOND in program[0],
        "of a large norm": _grad(lambda x: x.numel() and x.abs().max() > 60),
        "not contiguous": _grad(lambda x: not x.is_contiguous()),
        "no steps": _steps(", 0)"),
        "one step": _steps(", 1)"),
        "five steps by default": _steps("(grad)"),
        "more than five steps": _steps(", 7)", ", 12)"),
        "more than ten steps": _steps(", 12)"),
        "another call before the result is looked at": lambda program: program[0][-1].startswith("orthogonalize("),
    }
)
@functools.cache
def orthogonalized(dtype: str) -> SearchStrategy[Program]:
    """Lines that orthogonalize a matrix of that dtype, and what to look at after."""
    return _orthogonalized(dtype)


@st.composite
def _orthogonalized(draw: DrawFn, dtype: str) -> Program:
    kind = pick(draw, KINDS)
    if kind in ("zeros", "empty"):
        shape = pick(draw, ((2, 3), (3, 2), (1, 1)) if kind == "zeros" else ((0, 3), (2, 0), (0, 0)))
        code = f"torch.zeros({shape}, dtype=torch.{dtype})"
    else:
        transposed = pick(draw, (False, False, True))
        rows = _rows(draw, kind)
        typed = [list(column) for column in zip(*rows, strict=True)] if transposed else rows
        code = f"torch.tensor({typed}, dtype=torch.{dtype}){'.mT' * transposed}"
    float64 = dtype == "float64"
    beyond = [BEYOND] if float64 and kind != "of norm 1" and pick(draw, (False, False, False, True)) else []
    steps = pick(draw, STEPS + MORE_STEPS[dtype] + ((", 12",) * 3 if float64 and kind in ONE_VALUE else ()))
    again = ["orthogonalize(-grad)"] if pick(draw, (False, False, False, True)) else []
    return [f"grad = {code}", *beyond, f"x = orthogonalize(grad{steps})", *again], ["x", "grad"]


def _rows(draw: DrawFn, kind: str) -> list[list[float]]:
    m, n = pick(draw, ((2, 2), (3, 2), (2, 3), (2, 4), (4, 2), (3, 3)))
    m, n = (1 if kind == "row" else m), (1 if kind == "column" else n)
    number = draw(st.integers(0, 33 ** (m * n) - 1))
    rows = [[(number // 33 ** (n * i + j) % 33 - 16) / 8 for j in range(n)] for i in range(m)]
    i, j = pick(draw, (0, m - 1)) if kind == "any" else 0, pick(draw, (0, n - 1))
    rows[i][j] = 1.0 + abs(rows[i][j])  # so is the norm
    if i:
        rows[0] = pick(draw, (rows[0], [0.0] * n))
    if kind == "dependent":
        rows[1:] = [[2.0 * x for x in rows[0]] for _ in rows[1:]]
    if kind == "small":
        rows = [[(1.0 if i == 0 else SMALL) * (i == j) for j in range(n)] for i in range(m)]
    if kind == "of norm 1":
        rows = [[float(i == j == 0) for j in range(n)] for i in range(m)]
    scale = pick(draw, (1.0, 1.0, 64.0)) if kind not in ("small", "of norm 1") else 1.0
    below: bool = pick(draw, (False, False, False, True))
    return [[scale * (0.0 - abs(x) if below else x) for x in row] for row in rows]


@classes(
    {
        "a number": lambda shape: shape == (),
        "a vector": lambda shape: len(shape) == 1,
        "three dimensions": lambda shape: len(shape) == 3,
        "a batch of one": lambda shape: len(shape) > 2 and shape[0] == 1,
        "empty": lambda shape: 0 in shape,
    }
)
@st.composite
def no_matrices(draw: DrawFn) -> tuple[int, ...]:
    """Shapes that do not have two dimensions."""
    return pick(
        draw, ((), (3,), (2, 2, 3), (1, 2, 3), (2, 3, 3, 2), (0,), (2, 0, 3), draw(shapes(4, 3, fewest_dims=3)))
    )
