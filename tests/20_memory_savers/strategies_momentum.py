"""What hypothesis draws for kata 20 of steps whose momentum is kept in 8 bits."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.gradients import typed_gradients, typed_parameter
from ..shared.programs import Program, has
from ..shared.shapes import Shape, pick, shapes
from .strategies_steps import SHAPES, STEP, STEPPED, Sized, ended, kept_program, typed_begin


def _typed_shape(draw: DrawFn) -> Shape:
    return draw(pick(draw, (shapes(3, 3), shapes(2, 4, fewest_dims=1))))


def _waits(program: Program) -> bool:
    """Whether a parameter has no gradient in a step, and one in another."""
    lines = program[0]
    return any(f"{name}.grad = None" in lines and has(f"{name}.grad = torch.t")(program) for name in "abc")


@functools.cache
@classes(
    {
        **STEPPED,
        "several parameters": has("[a, b"),
        "three parameters": has("[a, b, c]"),
        "an iterator": has("iter("),
        "default settings": lambda program: any(
            line.endswith(("])", "]))")) and "optimizer = " in line for line in program[0]
        ),
        "no momentum": has("momentum=0.0"),
        "several steps": lambda program: program[0].count(STEP) > 2,
        "more than five steps": lambda program: program[0].count(STEP) > 5,
        "one step": lambda program: program[0].count(STEP) == 1,
        "a parameter waits for its gradient": _waits,
        "a gradient is written into the tensor of the one before": has(".grad.copy_("),
        "a gradient of zeros": has(".grad = torch.zeros_like("),
        "a parameter of one number": has("= torch.tensor(0", "= torch.tensor(1", "= torch.tensor(-"),
        "an empty parameter": has("torch.zeros("),
        "a parameter that is not contiguous": has(".mT.requires_grad_()", "[:, ::2]"),
        "a large number behind the first block": has("[64] = "),
        "a row of large numbers": has("[1] = 1000", "[2] = 1000"),
    }
)
def momentum_programs() -> SearchStrategy[Program]:
    """Lines that take up to seven steps with momentum."""
    return _momentum_programs()


# Where blocks are others than these, small numbers lie beside a large one, and are lost.
BLOCKS = (
    ("torch.zeros(66, dtype=torch.float32, requires_grad=True)", "(66,)", "a.grad[64]", "[a]"),
    ("torch.zeros(4, 4, dtype=torch.float32, requires_grad=True)", "(4, 4)", "a.grad[1]", "[a], block_size=4"),
    ("torch.zeros(4, 4, dtype=torch.float32).mT.requires_grad_()", "(4, 4)", "a.grad[2]", "[a], block_size=4"),
)


def _typed_blocks(draw: DrawFn) -> Program:
    """Two blocks of the default size, or a matrix whose rows are blocks."""
    made, shape, large, settings = pick(draw, (BLOCKS[0], *BLOCKS))
    grad = [f"a.grad = torch.full({shape}, 0.5, dtype=torch.float32)", f"{large} = 1000.0", STEP]
    lines = [f"a = {made}", "alias_a = a.detach()", f"optimizer = SGD8bit({settings})"]
    return ended([*lines, *grad * draw(st.integers(2, 4))], "a")


@st.composite
def _momentum_programs(draw: DrawFn) -> Program:
    if pick(draw, (False,) * 4 + (True,)):
        return _typed_blocks(draw)
    names = pick(draw, ("a", "ab", "a", "ab", "abc"))
    shape_of = {name: _typed_shape(draw) for name in names}
    lines = [f"{name} = {typed_parameter(draw, shape_of[name], 'float32')}" for name in names]
    lines += typed_begin(draw, "SGD8bit", names)
    held: set[str] = set()
    for _ in range(pick(draw, (2, 3, 1, 5, 4, 7))):
        lines += [*typed_gradients(draw, shape_of, "float32", held), STEP]
    return ended(lines, names)


@functools.cache
@classes(
    {
        "the default block size": lambda case: not any("block_size=" in line for line in case.lines),
        "another block size": lambda case: any("block_size=" in line for line in case.lines),
        "several parameters": lambda case: any("[a, b]" in line for line in case.lines),
        "several steps": lambda case: "    for _ in range(1):" not in case.lines,
        "a few elements": lambda case: any("(9, 5)" in line or "(20,)" in line for line in case.lines),
    }
)
def kept_momentum() -> SearchStrategy[Sized]:
    """Steps of large and of small parameters with momentum."""
    return _kept_momentum()


# A float32 for each element is more than may be kept of these as well.
FEW: tuple[tuple[Shape, ...], ...] = (((9, 5),), ((300,), (20,)))


@st.composite
def _kept_momentum(draw: DrawFn) -> Sized:
    all_shapes = pick(draw, (*SHAPES, *FEW * 3))
    block_size = pick(draw, ("", ", block_size=100", ", block_size=32", ", block_size=256"))
    return kept_program("SGD8bit", f"0.5{block_size}", all_shapes, pick(draw, (2, 1, 3)))
