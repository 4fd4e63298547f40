"""Lines of programs that several strategies of kata 14 need."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ..shared.described import Lines
from ..shared.shapes import pick

DOUBLE = "dtype=torch.float64"
GRADIENTS = "[p.grad for p in model.parameters()]"
WEAK = "from torch.multiprocessing.reductions import StorageWeakRef"


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
