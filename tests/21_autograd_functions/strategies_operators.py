"""What hypothesis draws for kata 21 of operators in torch's library."""

from __future__ import annotations

import functools
import itertools
import math

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import Shape, pick, shapes
from .typed import BETWEEN, FIRST, OPERATORS, Case, after, backward, between, drawn, gives, lacks, tensor, values

DEFINED = [OPERATORS, 'name = fresh("dojo_k21::swiglu")', "op = define_swiglu(name)"]


def _arguments(draw: DrawFn, shape: Shape, grads: tuple[bool, bool], transposed: bool) -> Lines:
    numbers = values(draw, math.prod(shape))
    for special in pick(draw, ((), (), (1000.0,), (-1000.0,), (0.0,), (1000.0, 0.0, -1000.0))):
        if numbers:
            numbers[draw(st.integers(0, len(numbers) - 1))] = special
    gate = tensor(numbers, shape, grad=grads[0] and not transposed)
    if transposed:
        gate = f"{tensor(numbers, (*shape[:-2], shape[-1], shape[-2]))}.mT{'.requires_grad_()' if grads[0] else ''}"
    return [f"gate = {gate}", f"up = {drawn(draw, shape, grad=grads[1])}"]


BOTH = ((True, True), (True, True), (False, True), (True, False), (False, False))


@functools.cache
@classes(
    {
        "a transposed gate": gives(".mT"),
        "empty": gives("torch.zeros("),
        "0-d": lacks("[", "zeros"),
        "a gate of 1000": gives("[1000.0", " 1000.0", "(1000.0"),
        "a gate of -1000": gives("-1000.0"),
        "a gate of 0": gives("[0.0", " 0.0", "(0.0"),
        "no gradient for the gate": lambda case: "grad" not in case.lines[3] and "grad" in case.lines[4],
        "none for up": lambda case: "grad" in case.lines[3] and "grad" not in case.lines[4],
        "nothing requires grad": lacks("requires_grad"),
        "another call between": BETWEEN,
    }
)
def operators() -> SearchStrategy[Case]:
    """Programs that define an operator, and go through it and back."""
    return _operators()


@st.composite
def _operators(draw: DrawFn) -> Case:
    transposed = pick(draw, (False, True, False))
    shape = pick(draw, ((2, 3), (3, 2), (2, 2, 3))) if transposed else draw(shapes(3))
    grads = pick(draw, BOTH)
    lines = [*DEFINED, *_arguments(draw, shape, grads, transposed), "y = op(gate, up)"]
    if any(grads):
        one = tensor([2.0], (1,), grad=True)
        others = f"op({one}, {one})", "op(3 - gate.detach(), up.detach())"
        asked = [*itertools.compress(("gate", "up"), grads)]
        lines += [*between(draw, *others), *backward(draw, "y", shape, asked)]
    told = ("y", "y.requires_grad", "gate.grad", "up.grad", "gate", "up", "k", "registered(name)(gate, up)")
    return Case(lines, after(lines, *told))


@functools.cache
@classes(
    {
        "a transposed gate": gives(".mT"),
        "a gate as it is": lacks(".mT"),
        "three dimensions": gives("[[["),
    }
)
def checks() -> SearchStrategy[Case]:
    """Programs that have torch check an operator."""
    return _checks()


@st.composite
def _checks(draw: DrawFn, all_of_it: bool = False) -> Case:
    transposed = pick(draw, (True, False))
    shape = pick(draw, ((2, 3), (3, 2), (4, 3), (2, 4, 3)) if transposed else ((2, 3), (3,), (2, 2, 3), (1, 3)))
    lines = [*DEFINED, *_arguments(draw, shape, pick(draw, BOTH[:-1]), transposed)]
    lines += ['fake = op(gate.to("meta"), up.to("meta"))']
    checked = f"checked(op, gate, up{', all_of_it=True' if all_of_it else ''})"
    return Case(lines, [checked, "tuple(fake.shape)", "fake.dtype", "fake.device.type"])


@functools.cache
@classes({"a transposed gate": gives(".mT"), "a gate as it is": lacks(".mT")})
def traced() -> SearchStrategy[Case]:
    """Programs that have torch check an operator as torch.compile would use it."""
    return _checks(all_of_it=True)


@functools.cache
@classes(
    {
        "on meta": gives("meta"),
        "not on meta": lacks("meta"),
        "an empty gate": gives("gate = torch.zeros("),
        "up would broadcast": gives("up = torch.tensor([[1.0, -0.5, 1.5]]", "up = torch.tensor([1.0, -0.5, 1.5]"),
    }
)
def other_shapes() -> SearchStrategy[Case]:
    """Programs whose gate and up have different shapes."""
    return _other_shapes()


PAIRS = (
    ((2, 3), (3, 2)),
    ((2, 1, 3), (1, 2, 3)),
    ((2, 3, 4), (3, 2, 4)),
    ((2, 3), (1, 3)),
    ((2, 3), (3,)),
    ((3,), (2, 3)),
    ((2, 3), (6,)),
    ((2, 3), (2, 1)),
    ((2,), (3,)),
    ((), (1,)),
    ((1, 3), (0, 3)),
    *(((0, 3), (1, 3)), ((0,), (1,)), ((0, 2), (2,))),
    ((2, 3), (1,)),
    ((1,), (3,)),
)


@st.composite
def _other_shapes(draw: DrawFn) -> Case:
    gate, up = pick(draw, PAIRS)
    to = pick(draw, ("", '.to("meta")'))
    first = list(FIRST) * 2
    grad = draw(st.booleans())
    lines = [*DEFINED, f"gate = {tensor(first, gate, grad=grad)}{to}", f"up = {tensor(first, up)}{to}"]
    return Case([*lines, "y = op(gate, up)"], ["y"])
