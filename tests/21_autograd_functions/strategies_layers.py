"""What hypothesis draws for kata 21 of layers: linear, swiglu and rms_norm."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import Shape, pick, shapes, sizes
from .typed import (
    AGAIN,
    BETWEEN,
    BOTH_CALLS,
    BY_K,
    EARLIER,
    EXPANDED,
    KEEPING,
    MEASURES,
    WATCHING,
    Case,
    after,
    backward,
    between,
    drawn,
    gives,
    lacks,
    tensor,
    twice_by_k,
    values,
    wants,
)

# linear


def _linear(draw: DrawFn, n: int, d_in: int, d_out: int, grads: tuple[bool, ...]) -> tuple[Lines, str, list[str]]:
    """The lines that make the arguments, the call, and the names of those that require grad."""
    names = ("x", "weight", "bias")[: len(grads)]
    shapes_ = ((n, d_in), (d_out, d_in), (d_out,))
    lines = [f"{name} = {_tenth(draw, shape, grad)}" for name, shape, grad in zip(names, shapes_, grads, strict=False)]
    none = pick(draw, ("", ", None")) if len(grads) == 2 else ""
    call = f"linear({', '.join(names)}{none})"
    return lines, call, [name for name, grad in zip(names, grads, strict=True) if grad]


def _tenth(draw: DrawFn, shape: Shape, grad: bool, dtype: str = "float64") -> str:
    """Small numbers, of which one may be a tenth, which no float holds."""
    numbers = values(draw, math.prod(shape))
    has_a_tenth: bool = pick(draw, (False, False, True))
    if numbers and has_a_tenth:
        numbers[0] = 0.1
    return tensor(numbers, shape, dtype, grad)


def _asks(*names: str) -> dict[str, Callable[[Any], bool]]:
    """For each of the names a class in which it requires no grad, while something does."""
    return {f"no gradient for {name}": functools.partial(_needs_none, name) for name in names}


def _needs_none(name: str, case: Case) -> bool:
    return gives("requires_grad")(case) and any(
        line.startswith(f"{name} = ") and "requires_grad" not in line for line in case.lines
    )


@functools.cache
@classes(
    {
        **_asks("x", "weight", "bias"),
        "no bias": lacks("bias = "),
        "nothing requires grad": lacks("requires_grad"),
        "no rows": gives("x = torch.zeros((0, "),
        "no inputs": gives(", 0), "),
        "a tenth": gives("[0.1"),
        "an expanded gradient": EXPANDED,
        "twice": AGAIN,
        "first gradients kept": EARLIER,
        "two calls": BOTH_CALLS,
        "another call between": BETWEEN,
    }
)
def linears() -> SearchStrategy[Case]:
    """Programs that go through a linear layer and back."""
    return _linears()


@st.composite
def _linears(draw: DrawFn) -> Case:
    n, d_in, d_out = (draw(sizes(simplest=size)) for size in (2, 3, 4))
    n, d_in = pick(draw, ((n, d_in),) * 6 + ((0, d_in), (n, 0)))
    grads = pick(draw, (*wants(3), *wants(2), *wants(3), (False,) * 3, (False,) * 2))
    made, call, asked = _linear(draw, n, d_in, d_out, grads)
    lines = [*made, f"y = {call}"]
    if asked:
        others = f"linear({tensor([2.0], (1, 1))}, {tensor([3.0], (1, 1))})", "linear(3 - x.detach(), weight.detach())"
        lines += between(draw, *others)
        lines += backward(draw, "y", (n, d_out), asked, call=call)
    names = ("x", "weight", "bias")[: len(grads)]
    return Case(lines, after(lines, "y", "y.requires_grad", *(f"{name}.grad" for name in names), *names, "k"))


@functools.cache
@classes(
    {
        **_asks("x", "weight", "bias"),
        "no bias": lacks("bias = "),
        "the bias alone": gives("grad(y, [bias]"),
        "no rows": gives("x = torch.zeros((0, "),
    }
)
def kept_factors() -> SearchStrategy[Case]:
    """Programs that look at what a linear layer keeps, and what its backward pass computes."""
    return _kept_factors()


@st.composite
def _kept_factors(draw: DrawFn) -> Case:
    n, d_in, d_out = pick(draw, ((2, 3, 4), (3, 2, 5), (5, 4, 2), (2, 5, 3), (0, 3, 2)))
    made, call, asked = _linear(draw, n, d_in, d_out, pick(draw, (*wants(3), *wants(2))))
    lines = [MEASURES, *made, KEEPING, f"    y = {call}", f"k = {drawn(draw, (n, d_out))}", WATCHING]
    lines += [f"    grads = torch.autograd.grad(y, [{', '.join(asked)}], k)"]
    hidden = f"hidden(linear, {call[7:]}"
    return Case(lines, ["grads", "not_yours(y)", hidden], {"kept.bytes": None, "seen.flops": None})


def _has_rows(rows: int, case: Case) -> bool:
    """Whether x is a matrix of so many rows."""
    return any(line.startswith("x = ") and line.count("], [") == rows - 1 for line in case.lines)


@functools.cache
@classes(
    {
        **_asks("x", "weight"),
        "no bias": lacks("bias = "),
        **{f"rows: {rows}": functools.partial(_has_rows, rows) for rows in (1, 2, 3)},
        "by k as well": BY_K,
    }
)
def linears_twice() -> SearchStrategy[Case]:
    """Programs that go backward through a linear layer, and through that once more."""
    return _linears_twice()


@st.composite
def _linears_twice(draw: DrawFn) -> Case:
    n, d_in, d_out = pick(draw, ((2, 3, 4), (3, 4, 2), (1, 2, 3)))
    made, call, asked = _linear(draw, n, d_in, d_out, pick(draw, (*wants(3), *wants(2))))
    lines = [MEASURES, *made, f"k = {drawn(draw, (n, d_out))}"]
    return twice_by_k(draw, lines, call, *asked)


# swiglu

BOTH = ((True, True), (True, True), (False, True), (True, False))
SMALL = ((2, 3), (3,), (2, 2, 3), (5,), (0, 3))
KINDS = (
    *(("float64", ()), ("float64", ()), ("float64", (100.0, -100.0, 0.0))),
    *(("float32", (-100.0,)), ("float32", (100.0, 0.0, -100.0))),
)
"""The dtype of a gate, and numbers in it: exp(100) is beyond float32."""


@functools.cache
@classes(
    {
        **_asks("gate", "up"),
        "nothing requires grad": lacks("requires_grad"),
        "a gate of 100": gives("gate = torch.tensor([100", "[100.0", " 100.0"),
        "a gate of -100": gives("[-100.0", " -100.0"),
        "a gate of 0": gives("[0.0", " 0.0"),
        "a tenth": gives("[0.1", " 0.1"),
        "float32": gives("float32"),
        "0-d": lacks("[", "zeros"),
        "empty": gives("torch.zeros("),
        "an expanded gradient": EXPANDED,
        "twice": AGAIN,
        "first gradients kept": EARLIER,
        "two calls": BOTH_CALLS,
        "another call between": BETWEEN,
    }
)
def gates() -> SearchStrategy[Case]:
    """Programs that go through swiglu and back."""
    return _gates()


@st.composite
def _gates(draw: DrawFn) -> Case:
    shape, dtype = draw(shapes(3, fewest_dims=pick(draw, (1, 1, 0)))), pick(draw, ("float64", "float32"))
    grads = pick(draw, (*BOTH, *BOTH, (False, False)))
    numbers = values(draw, math.prod(shape))
    for special in pick(draw, ((), (100.0,), (-100.0,), (0.0,), (100.0, -100.0, 0.0), (0.1,))):
        if numbers:
            numbers[draw(st.integers(0, len(numbers) - 1))] = special
    lines = [f"gate = {tensor(numbers, shape, dtype, grads[0])}", f"up = {_tenth(draw, shape, grads[1], dtype)}"]
    lines.append("y = swiglu(gate, up)")
    if any(grads):
        one = f"swiglu({tensor([2.0], (1,), dtype)}, {tensor([3.0], (1,), dtype)})"
        lines += between(draw, one, "swiglu(3 - gate.detach(), up.detach())")
        lines += backward(draw, "y", shape, [*itertools.compress(("gate", "up"), grads)], dtype, "swiglu(gate, up)")
    return Case(lines, after(lines, "y", "y.requires_grad", "gate.grad", "up.grad", "gate", "up", "k"))


@functools.cache
@classes(
    {
        **_asks("gate", "up"),
        "float32": gives("float32"),
        "three dimensions": gives("[[["),
        "empty": gives("torch.zeros("),
    }
)
def kept_gates() -> SearchStrategy[Case]:
    """Programs that look at what swiglu keeps."""
    return _kept_gates()


@st.composite
def _kept_gates(draw: DrawFn) -> Case:
    shape, dtype, grads = pick(draw, SMALL), pick(draw, ("float32", "float64")), pick(draw, BOTH)
    lines = [
        MEASURES,
        *(f"{name} = {drawn(draw, shape, dtype, grad)}" for name, grad in zip(("gate", "up"), grads, strict=True)),
    ]
    lines += [KEEPING, "    y = swiglu(gate, up)"]
    most = 2 * math.prod(shape) * (4 if dtype == "float32" else 8)
    return Case(lines, ["not_yours(y)", "hidden(swiglu, gate, up)"], {"kept.bytes": most})


@functools.cache
@classes(
    {
        **_asks("gate", "up"),
        "one dimension": lacks("[["),
        "two": gives("[["),
        "three": gives("[[["),
        "a gate of 100": gives("[100.0", " 100.0"),
        "a gate of -100": gives("[-100.0", " -100.0"),
        "a gate of -100 in float32": lambda case: gives("-100.0")(case) and gives("float32")(case),
        "a gate of 0": gives("[0.0", " 0.0"),
        "float32": gives("float32"),
        "float64": gives("float64"),
        "by k as well": BY_K,
    }
)
def gates_twice() -> SearchStrategy[Case]:
    """Programs that go backward through swiglu, and through that once more."""
    return _gates_twice()


@st.composite
def _gates_twice(draw: DrawFn) -> Case:
    shape, grads = pick(draw, ((3,), (2, 3), (2, 2, 3))), pick(draw, BOTH)
    dtype, specials = pick(draw, KINDS)
    numbers = values(draw, math.prod(shape))
    for special in specials:
        numbers[draw(st.integers(0, len(numbers) - 1))] = special
    lines = [MEASURES, f"gate = {tensor(numbers, shape, dtype, grads[0])}"]
    lines += [f"up = {drawn(draw, shape, dtype, grads[1])}", f"k = {drawn(draw, shape, dtype)}"]
    return twice_by_k(draw, lines, "swiglu(gate, up)", *itertools.compress(("gate", "up"), grads))


# rms_norm


def _rows(draw: DrawFn, shape: Shape, grad: bool, zeros: tuple[bool, ...] = (False, False, False, True)) -> str:
    """Numbers, of which one row may be zeros, or all."""
    numbers, d = values(draw, math.prod(shape)), shape[-1]
    for row in range(len(numbers) // d):
        if pick(draw, zeros):
            numbers[row * d : (row + 1) * d] = [0.0] * d
    return tensor(numbers, shape, grad=grad)


def _normed(draw: DrawFn) -> Shape:
    """A shape whose last dimension is not empty."""
    return (*draw(shapes(2)), draw(st.sampled_from((3, 2, 5, 4, 1))))


EPS = ("", "", ", 1e-05", ", eps=0.5", ", 0.01", ", 4.0", ", 1e-20", ", 1e-20")


@functools.cache
@classes(
    {
        **_asks("x", "weight"),
        "nothing requires grad": lacks("requires_grad"),
        "a row of zeros": gives("[0.0, 0.0", "[0.0]"),
        "one dimension": lambda case: case.lines[0].count("[") == 1,
        "three dimensions": gives("[[["),
        "no rows": gives("x = torch.zeros("),
        "a weight of 0": gives("weight = torch.tensor([0.0"),
        "an eps of one's own": gives("weight, "),
        "a tiny eps": gives("1e-20"),
        "an eps above 1": gives(", 4.0)"),
        "an expanded gradient": EXPANDED,
        "twice": AGAIN,
        "first gradients kept": EARLIER,
        "two calls": BOTH_CALLS,
        "another call between": BETWEEN,
    }
)
def normed() -> SearchStrategy[Case]:
    """Programs that go through rms_norm and back."""
    return _all_normed()


@st.composite
def _all_normed(draw: DrawFn) -> Case:
    shape, grads = _normed(draw), pick(draw, (*BOTH, *BOTH, (False, False)))
    weights = values(draw, shape[-1])
    if pick(draw, (False, False, False, True)):
        weights[0] = 0.0
    lines = [f"x = {_rows(draw, shape, grads[0])}", f"weight = {tensor(weights, shape[-1:], grad=grads[1])}"]
    call = f"rms_norm(x, weight{pick(draw, EPS)})"
    lines += [f"y = {call}"]
    if any(grads):
        one = tensor([2.0], (1,))
        others = f"rms_norm({one}, {one}, 0.25)", "rms_norm(3 - x.detach(), weight.detach(), 0.25)"
        asked = [*itertools.compress(("x", "weight"), grads)]
        lines += [*between(draw, *others), *backward(draw, "y", shape, asked, call=call)]
    return Case(lines, after(lines, "y", "y.requires_grad", "x.grad", "weight.grad", "x", "weight", "k"))


@functools.cache
@classes(
    {
        **_asks("x", "weight"),
        "one dimension": lambda case: case.lines[1].count("[") == 1,
        "more": gives("[["),
        "no rows": gives("x = torch.zeros("),
    }
)
def kept_rows() -> SearchStrategy[Case]:
    """Programs that look at what rms_norm keeps."""
    return _kept_rows()


@st.composite
def _kept_rows(draw: DrawFn) -> Case:
    shape, grads = pick(draw, SMALL), pick(draw, BOTH)
    lines = [MEASURES, f"x = {drawn(draw, shape, grad=grads[0])}", f"weight = {drawn(draw, shape[-1:], grad=grads[1])}"]
    lines += [KEEPING, "    y = rms_norm(x, weight)"]
    most = 8 * (math.prod(shape) + shape[-1] + math.prod(shape[:-1]))
    return Case(lines, ["not_yours(y)", "hidden(rms_norm, x, weight)"], {"kept.bytes": most})


@functools.cache
@classes(
    {
        **_asks("x", "weight"),
        "one dimension": lacks("[["),
        "two": gives("[["),
        "three": gives("[[["),
        "a row of zeros": gives("[0.0, 0.0"),
        "an eps of one's own": gives("weight, "),
        "by k as well": BY_K,
    }
)
def normed_twice() -> SearchStrategy[Case]:
    """Programs that go backward through rms_norm, and through that once more."""
    return _normed_twice()


@st.composite
def _normed_twice(draw: DrawFn) -> Case:
    shape, grads = pick(draw, ((2, 3), (3,), (2, 2, 3), (3, 2))), pick(draw, BOTH)
    eps = pick(draw, ("", ", 0.25", ", 0.25", ", 2.0"))
    # Without an eps of its own a row of zeros has gradients of thousands, whose cosine rounding may change.
    zeros = (False, True) if eps else (False,)
    lines = [MEASURES, f"x = {_rows(draw, shape, grads[0], zeros)}"]
    lines += [f"weight = {drawn(draw, shape[-1:], grad=grads[1])}", f"k = {drawn(draw, shape)}"]
    return twice_by_k(draw, lines, f"rms_norm(x, weight{eps})", *itertools.compress(("x", "weight"), grads))
