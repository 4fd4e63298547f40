"""Lines of programs that several strategies of kata 14 need."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ..shared.described import Lines
from ..shared.shapes import pick

Program = tuple[Lines, Lines]
"""Lines, and the expressions that are watched after them."""

DOUBLE = "dtype=torch.float64"
GRADIENTS = "[p.grad for p in model.parameters()]"
WEAK = "from torch.multiprocessing.reductions import StorageWeakRef"


def has(*texts: str) -> Callable[[Program], bool]:
    """Whether a line of a program has one of these in it."""
    return lambda program: any(text in line for text in texts for line in program[0])


def lacks(text: str) -> Callable[[Program], bool]:
    """Whether no line of a program has this in it."""
    return lambda program: not has(text)(program)


def typed_seed(draw: DrawFn) -> str:
    """The line that seeds what is made next."""
    return f"torch.manual_seed({draw(st.integers(0, 999))})"


def numbers(*shape: int, grad: bool = False, dtype: str = DOUBLE) -> str:
    """A tensor of random numbers of this shape."""
    return f"torch.randn({', '.join(map(str, shape))}, {dtype}{', requires_grad=True' if grad else ''})"


def linear(inputs: int, outputs: int, bias: bool = True) -> str:
    """A linear layer."""
    return f"nn.Linear({inputs}, {outputs}{'' if bias else ', bias=False'}, {DOUBLE})"


def maybe(draw: DrawFn, *lines: str) -> Lines:
    """The lines, or none."""
    return list(lines) if pick(draw, (False, True)) else []
