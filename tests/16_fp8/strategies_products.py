"""What hypothesis draws for kata 16 of products: programs that multiply matrices whose rows differ in size."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import pick


class Product(NamedTuple):
    """A program that multiplies, its sizes, and how many times the product its mm gives."""

    lines: Lines
    m: int
    k: int
    n: int
    times: float

    @property
    def calls(self) -> int:
        """How often the function is called."""
        return sum("fp8_linear(" in line for line in self.lines)


ENDS = ((0, 6), (0, 0), (-6, 6), (6, -6), (3, -3), (-2, 1))
"""Exponents of the factors of the first row and the last one."""


TINY = ((-18, -12), (-15, -15))
"""The same of rows whose scales are smaller than what somebody adds to them."""


def _matrix(draw: DrawFn, name: str, rows: int, columns: int, tiny: bool = False) -> Lines:
    line = f"{name} = torch.randn({rows}, {columns}, dtype=torch.float32)"
    first, last = pick(draw, TINY if tiny else ENDS)
    if (first, last) != (0, 0):
        line += f" * 10.0 ** torch.linspace({first}, {last}, {rows}, dtype=torch.float32).unsqueeze(1)"
    lines = [line]
    if pick(draw, (False, False, True)):
        lines.append(f"{name} *= 10.0 ** (6 * torch.rand({rows}, {columns}, dtype=torch.float32) - 3)")
    zeros = pick(
        draw, ("", "", "", f"{name}[0] = 0.0", f"{name}[-1] = 0.0", f"{name}[:, 0] = 0.0", f"{name} = -{name}.abs()")
    )
    return [*lines, *([zeros] if zeros else [])]


def _some(text: str) -> Callable[[Product], bool]:
    return lambda case: any(text in line for line in case.lines)


@functools.cache
@classes(
    {
        "k and n need zeros": lambda case: case.k % 16 and case.n % 16,
        "k is a multiple of 16": lambda case: case.k % 16 == 0,
        "n is a multiple of 16": lambda case: case.n % 16 == 0,
        "both are": lambda case: case.k % 16 == case.n % 16 == 0,
        "k beyond 16": lambda case: case.k > 16 and case.k % 16,
        "n beyond 16": lambda case: case.n > 16 and case.n % 16,
        "m beyond 16": lambda case: case.m > 16,
        "k beyond 32": lambda case: case.k > 32,
        "n beyond 32": lambda case: case.n > 32,
        "tiny weights": lambda case: any("weight =" in line and "linspace(-1" in line for line in case.lines),
        "one row": lambda case: case.m == 1,
        "n = 1": lambda case: case.n == 1,
        "bfloat16": _some("x.bfloat16()"),
        "a mm that returns bfloat16": _some("strict_mm(torch.bfloat16"),
        "a mm that gives another multiple": lambda case: case.times != 1,
        "a row of zeros": _some("[0] = 0.0"),
        "rows of x differ": lambda case: "linspace" in case.lines[1] and case.m > 1,
        "rows that differ a little": _some("x = torch.tensor("),
        "tiny numbers": lambda case: any("x =" in line and "linspace(-1" in line for line in case.lines),
        "numbers in a row differ": _some("torch.rand("),
        "nothing above 0": _some(".abs()"),
        "thousands of rows of x": lambda case: case.m > 2048,
        "thousands of rows of weight": lambda case: case.n > 2048,
        "x changed since another call": _some("x *= -2.0"),
        "weight changed since another call": _some("weight *= -2.0"),
        "another call after it": _some("fp8_linear(-x, "),
    }
)
def products() -> SearchStrategy[Product]:
    """Programs that multiply by a mm that is strict."""
    return _products()


def _near(draw: DrawFn) -> Lines:
    """Matrices whose rows differ a little: a small number in the second row is 0 by the scale of the first one.

    The last rows of the other matrix take single numbers out of it.
    """
    large, ratio = 896.0, pick(draw, (25.0, 20.0, 90.0, 700.0, 15.0))
    small, least = large / ratio, 0.75 * large / 448 / 1024
    rows = [[large, 1.0], [small, least], [small, 0.0], [0.0, small]]
    return [f"{name} = torch.tensor({rows}, dtype=torch.float32)" for name in ("x", "weight")]


SIZES = (3, 16, 5, 17, 1, 32, 20, 16, 35)


@st.composite
def _products(draw: DrawFn) -> Product:
    m, k, n = pick(draw, (2, 3, 5, 1, 16, 18)), pick(draw, SIZES), pick(draw, (4, *SIZES))
    large = pick(draw, ("", "", "", "", "", "", "", "", "", "x", "weight"))
    if large:
        m, k, n = 2050 if large == "x" else min(m, 3), min(k, 3), 2050 if large == "weight" else min(n, 4)
    tiny = pick(draw, ("", "", "", "x", "weight"))  # and never both: products would be no normal numbers
    x, weight = _matrix(draw, "x", m, k, tiny=tiny == "x"), _matrix(draw, "weight", n, k, tiny=tiny == "weight")
    if pick(draw, (*[False] * 5, True)):
        (m, k, n), (*x, last) = (4, 2, 4), _near(draw)
        weight = [last]
    x += ["x = x.bfloat16()"] if pick(draw, (False, False, True)) else []
    lines = [f"torch.manual_seed({draw(st.integers(0, 999))})", *x, *weight]
    times = pick(draw, (1.0, 1.0, 2.0, -4.0))
    dtype = pick(draw, ("", "", "torch.bfloat16"))
    settings = [dtype] * bool(dtype) + [f"times={times}"] * (times != 1)
    other = pick(draw, ("", "", "", "", "", "", "", "", "", "weight", "x", "after"))
    lines += ["fp8_linear(x, weight, strict_mm())", f"{other} *= -2.0"] if other in ("weight", "x") else []
    lines += [f"mm = strict_mm({', '.join(settings)})", "result = fp8_linear(x, weight, mm)"]
    lines += ["fp8_linear(-x, weight, strict_mm())"] if other == "after" else []
    return Product(lines, m, k, n, times)
