"""How the programs of kata 22 are typed: what a failing example shows can be run as it stands."""

from __future__ import annotations

import math
import random

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from torch import Tensor

from ..shared.described import Lines
from ..shared.shapes import Shape

IMPORT = "from importlib import import_module"
LAUNCH = 'launch = import_module("tests.22_fusion.simulator").launch'
PASSING = 'Passing = import_module("tests.22_fusion.measures").Passing'
MEASURES = "from tests.shared.own_functions import watching"
LIVING = "from tests.shared.living import Living"
WATCHING = "with watching() as seen:"


LEFT, RIGHT = (11, 1001.0), (13, 0.5)
"""The modulus and the unit of what is added, or multiplied.

float32 holds them, and sums of 17 products in any order; 16 bits and integers hold but some of the results."""


def numbers(count: int, seed: int, kind: tuple[int, float], least: int = 1) -> Tensor:
    """So many of the modulus units from the least on, in another order for each seed from 1 to modulus - 1."""
    modulus, unit = kind
    return (torch.arange(count) * seed % modulus + least) * unit


def _typed(name: str, count: int, seed: int, kind: tuple[int, float], least: int = 1) -> str:
    modulus, unit = kind
    more = f" {'-' if least < 0 else '+'} {abs(least)}" if least else ""
    return f"{name} = (torch.arange({count}) * {seed} % {modulus}{more}) * {unit}"


def added(count: int, seeds: tuple[int, int]) -> tuple[Tensor, Tensor]:
    """What add_kernel adds: numbers of which some are below 0. The first two are 0 if three divides both seeds."""
    return numbers(count, seeds[0], LEFT, -(seeds[0] % 3)), numbers(count, seeds[1], RIGHT, -(seeds[1] % 3))


def addition(n: int, block: int, more: int, seeds: tuple[int, int]) -> Lines:
    """A grid of programs, some of which have nothing to do."""
    made = [_typed("x", n, seeds[0], LEFT, -(seeds[0] % 3)), _typed("y", n, seeds[1], RIGHT, -(seeds[1] % 3))]
    memory = f'{{"x": x, "y": y, "out": {n}}}'
    return [IMPORT, LAUNCH, *made, f"run = launch(add_kernel, ({-(-n // block) + more},), {memory}, {n}, {block})"]


def multiplied(sizes: tuple[int, int, int], seeds: tuple[int, int]) -> tuple[Tensor, Tensor]:
    """What matmul_kernel multiplies, in a row. The first number of a is 0 if the first seed is even."""
    m, k, n = sizes
    return numbers(m * k, seeds[0], LEFT, seeds[0] % 2), numbers(k * n, seeds[1], RIGHT)


def product(sizes: tuple[int, int, int], block: int, seeds: tuple[int, int]) -> Lines:
    """A grid of programs, one for each tile."""
    m, k, n = sizes
    made = [_typed("a", m * k, seeds[0], LEFT, seeds[0] % 2), _typed("b", k * n, seeds[1], RIGHT)]
    grid = f"({-(-m // block)}, {-(-n // block)})"
    memory = f'{{"a": a, "b": b, "c": {m * n}}}'
    return [IMPORT, LAUNCH, *made, f"run = launch(matmul_kernel, {grid}, {memory}, {m}, {k}, {n}, {block})"]


def compiling(lines: Lines, limit: float) -> Lines:
    """Lines that make x, and what compiles and counts."""
    return [
        *lines,
        "graphs = []",
        "def backend(graph, inputs):",
        "    graphs.append(graph)",
        "    return graph.forward",
        "torch._dynamo.reset()",
        f"y = torch.compile(clip_norm, backend=backend, fullgraph=True)(x, {limit})",
    ]


FIRST = (1.0, -0.5, 1.5, 2.0, -1.0, 0.5, -1.5, 0.75, -2.0, 1.25, -0.25, 1.75)
"""The simplest numbers."""


def values(draw: DrawFn, count: int) -> list[float]:
    """So many quarters from -2 to 2, none of them 0."""
    seed = draw(st.integers(0, 999))
    if not seed:
        return [FIRST[place % len(FIRST)] for place in range(count)]
    dice = random.Random(seed)
    return [dice.choice((-1, 1)) * dice.randint(1, 8) / 4 for _ in range(count)]


def tensor(shape: Shape, given: list[float], dtype: str = "float64") -> str:
    """The code of a tensor of these numbers."""
    if 0 in shape:
        return f"torch.zeros({shape}, dtype=torch.{dtype})"
    return f"torch.tensor({_nested(shape, given)}, dtype=torch.{dtype})"


def _nested(shape: Shape, given: list[float]) -> str:
    if not shape:
        return f"float('{given[0]}')" if abs(given[0]) == math.inf else repr(given[0])
    step = math.prod(shape[1:])
    return f"[{', '.join(_nested(shape[1:], given[i * step : (i + 1) * step]) for i in range(shape[0]))}]"
