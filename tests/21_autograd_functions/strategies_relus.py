"""What hypothesis draws for kata 21 of relu, in place and not, and of rounding."""

from __future__ import annotations

import functools
import math

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import Shape, pick, shapes
from .typed import (
    AGAIN,
    BETWEEN,
    BOTH_CALLS,
    EARLIER,
    EXPANDED,
    KEEPING,
    MEASURES,
    TWICE,
    Case,
    after,
    backward,
    between,
    drawn,
    gives,
    has_tenths,
    lacks,
    tensor,
    twice,
    values,
)

DTYPES = ("float64", "float32", "bfloat16")
TWO_OR_MORE = ((2, 3), (3,), (2, 2, 3), (5,), (1, 2), (4, 5))
"""Shapes of more than one element: one alone is a number."""
ANY = (*TWO_OR_MORE, (0, 3), (0,))
"""Those, and empty ones."""


def _x(draw: DrawFn, shape: Shape, dtype: str, grad: bool) -> str:
    """Numbers among which 0, one that float32 does not hold, tiny and huge ones, and what is infinite may be."""
    numbers = values(draw, math.prod(shape))
    tiny, huge = (1e-300, 1e300) if dtype == "float64" else (2e-38, 3e38)
    edges = ((0.1,), (0.0,), (math.inf,), (-math.inf,), (0.0, math.inf, -math.inf), (), (tiny, -tiny), (huge,))
    for special in pick(draw, edges):
        if numbers:
            numbers[draw(st.integers(0, len(numbers) - 1))] = special
    return tensor(numbers, shape, dtype, grad)


EDGES = {
    "a zero": gives("[0.0", " 0.0", "(0.0"),
    "inf": gives("'inf'"),
    "-inf": gives("'-inf'"),
    "tiny": gives("1e-300", "2e-38"),
    "huge": gives("1e+300", "3e+38"),
    "0-d": gives("torch.tensor(1", "torch.tensor(-", "torch.tensor(0", "torch.tensor(2", "torch.tensor(float"),
    "empty": gives("torch.zeros("),
}


@functools.cache
@classes(
    {
        **EDGES,
        "float32": gives("x = torch.tensor", "float32"),
        "bfloat16": gives("bfloat16"),
        "three dimensions": gives("[[["),
        "an expanded gradient": EXPANDED,
        "twice": AGAIN,
        "first gradients kept": EARLIER,
        "two calls": BOTH_CALLS,
        "another call between": BETWEEN,
        "nothing requires grad": lacks("requires_grad"),
        "nothing below 0": lambda case: "-" not in case.lines[0] and "zeros" not in case.lines[0],
        "a gradient of tenths in float64": lambda case: gives("float64")(case) and has_tenths(case),
    }
)
def rectified() -> SearchStrategy[Case]:
    """Programs that go through relu and back."""
    return _rectified()


@st.composite
def _rectified(draw: DrawFn) -> Case:
    shape, dtype = draw(shapes(3)), pick(draw, DTYPES)
    grad = pick(draw, (True, True, True, False))
    lines = [f"x = {_x(draw, shape, dtype, grad)}", "y = relu(x)"]
    if grad:
        others = f"relu({tensor([2.0], (1,), dtype)})", "relu(3 - x.detach())"
        lines += [*between(draw, *others), *backward(draw, "y", shape, ["x"], dtype, "relu(x)")]
    return Case(lines, after(lines, "y", "y.requires_grad", "y.data_ptr() == x.data_ptr()", "x.grad", "x", "k"))


@functools.cache
@classes(
    {
        "float32": gives("float32"),
        "float64": gives("float64"),
        "bfloat16": gives("bfloat16"),
        "empty": gives("torch.zeros("),
    }
)
def kept_signs() -> SearchStrategy[Case]:
    """Programs that look at what relu keeps."""
    return _kept_signs()


@st.composite
def _kept_signs(draw: DrawFn) -> Case:
    shape, dtype = pick(draw, ANY), pick(draw, ("float32", "float64", "bfloat16"))
    lines = [MEASURES, f"x = {drawn(draw, shape, dtype, grad=True)}", KEEPING, "    y = relu(x)"]
    return Case(lines, ["hidden(relu, x)", "not_yours(y)"], {"kept.bytes": math.prod(shape)})


@functools.cache
@classes({"one dimension": lacks("[["), "two": gives("[["), "three": gives("[[[")})
def signs_twice() -> SearchStrategy[Case]:
    """Programs that go backward through relu, and through that once more."""
    return _signs_twice()


@st.composite
def _signs_twice(draw: DrawFn) -> Case:
    shape = pick(draw, ((2, 3), (3,), (2, 2, 3)))
    lines = [MEASURES, f"x = {drawn(draw, shape, grad=True)}", f"k = {drawn(draw, shape)}"]
    return Case([*lines, *twice("relu(x)", "x")], TWICE)


@functools.cache
@classes(
    {
        **EDGES,
        "no gradient": lacks("requires_grad"),
        "the argument is used afterwards": gives("(h * 3)"),
        "the result is": gives("y.backward", "y.sum"),
        "first gradients kept": EARLIER,
        "another call between": BETWEEN,
        "float32": gives("float32"),
    }
)
def rectified_in_place() -> SearchStrategy[Case]:
    """Programs that change the result of an operation, or plain data, and go back."""
    return _rectified_in_place()


@st.composite
def _rectified_in_place(draw: DrawFn) -> Case:
    shape, dtype = draw(shapes(3)), pick(draw, DTYPES)
    told = ["y is h", "h._version > version", "h.data_ptr() == place", "h", "y", "y.requires_grad"]
    now = ["version, place = h._version, h.data_ptr()", "y = relu_(h)"]
    if pick(draw, (False, False, False, True)):
        return Case([f"h = {_x(draw, shape, dtype, False)}", *now], told)
    lines = [f"x = {_x(draw, shape, dtype, True)}", f"h = {pick(draw, ('x * 2', 'x - 1', '-x'))}", *now]
    lines += between(draw, f"relu_({tensor([2.0], (1,), dtype)})")
    lines += backward(draw, pick(draw, ("y", "(h * 3)")), shape, ["x"], dtype)
    return Case(lines, after(lines, *told, "x.grad", "k"))


@functools.cache
@classes({"one dimension": lacks("[["), "more": gives("[[")})
def marked() -> SearchStrategy[Case]:
    """Programs that look at the graph behind what was changed."""
    return _marked()


@st.composite
def _marked(draw: DrawFn) -> Case:
    shape = pick(draw, TWO_OR_MORE)
    lines = [MEASURES, f"x = {drawn(draw, shape, grad=True)}", "h = x * 2", "node = h.grad_fn", "y = relu_(h)"]
    return Case(lines, ["not_yours(h, node)", "hidden(relu_, x)"])


@functools.cache
@classes({"0-d": lacks("[", "zeros"), "empty": gives("torch.zeros(")})
def leaves() -> SearchStrategy[Case]:
    """Programs that change a leaf which requires grad."""
    return _leaves()


@st.composite
def _leaves(draw: DrawFn) -> Case:
    shape = draw(shapes(2))
    return Case([f"x = {drawn(draw, shape, grad=True)}", "y = relu_(x)"], ["y"])


SAVES_ITS_RESULT = ("exp", "tanh", "sigmoid")


@functools.cache
@classes({f"of {name}": gives(f".{name}()") for name in SAVES_ITS_RESULT})
def overwritten() -> SearchStrategy[Case]:
    """Programs that change what an operation has saved for its own backward pass."""
    return _overwritten()


@st.composite
def _overwritten(draw: DrawFn) -> Case:
    shape = pick(draw, TWO_OR_MORE)
    lines = [f"x = {drawn(draw, shape, grad=True)}", f"h = x.{pick(draw, SAVES_ITS_RESULT)}()", "y = relu_(h)"]
    return Case([*lines, f"{pick(draw, ('y', 'h'))}.sum().backward()"], ["x.grad"])


STEPS = (0.5, 1.0, 2.0, 0.25, 8.0, 0.0625, 2.0**-30, 2.0**20)


def _uneven(draw: DrawFn, shape: Shape, step: float) -> list[float]:
    """Multiples of a quarter of the step: halves between two multiples are among them.

    Of some the multiples are no numbers of int32, or none of int64.
    """
    seed = draw(st.integers(0, 999))
    far = pick(draw, (8, 8, 8, 2**18, 2**23, 2**66))
    return [
        (((seed + 7) * (place + 3) * (5 * far - 3)) % (8 * far) - 4 * far + 2 * (place % 2)) * step / 4
        for place in range(math.prod(shape))
    ]


@functools.cache
@classes(
    {
        "0-d": lacks("[", "zeros"),
        "empty": gives("torch.zeros("),
        "another step than 1": lacks(", 1.0)"),
        "a tiny step": gives("e-10)"),
        "a huge step": gives(", 1048576.0)"),
        "an expanded gradient": EXPANDED,
        "both results are used": gives("(r + rest)"),
        "nothing requires grad": lacks("requires_grad"),
    }
)
def rounded() -> SearchStrategy[Case]:
    """Programs that round, and go back."""
    return _rounded()


@st.composite
def _rounded(draw: DrawFn) -> Case:
    shape, step = draw(shapes(3)), pick(draw, STEPS)
    grad = pick(draw, (True, True, True, False))
    lines = [f"x = {tensor(_uneven(draw, shape, step), shape, 'float32', grad)}", f"r, rest = round_ste(x, {step})"]
    if grad:
        lines += backward(draw, pick(draw, ("r", "r", "(r + rest)", "(r * 3)")), shape, ["x"], "float32")
    return Case(lines, after(lines, "r", "rest", "r.requires_grad", "rest.requires_grad", "x.grad", "x", "k"))


@functools.cache
@classes({"one dimension": lacks("[["), "more": gives("[["), "empty": gives("torch.zeros(")})
def rounded_by_functions() -> SearchStrategy[Case]:
    """Programs that look at the graph behind a rounded tensor."""
    return _rounded_by_functions()


@st.composite
def _rounded_by_functions(draw: DrawFn) -> Case:
    shape, step = pick(draw, ANY), pick(draw, STEPS)
    lines = [MEASURES, f"x = {drawn(draw, shape, 'float32', grad=True)}", f"r, rest = round_ste(x, {step})"]
    return Case(lines, ["not_yours(r)", "len(r.grad_fn._input_metadata) > 1", f"hidden(round_ste, x, {step})"])


@functools.cache
@classes({"0": gives("0.0)"), "below": gives("(x, -"), "empty": gives("torch.zeros(")})
def no_steps() -> SearchStrategy[Case]:
    """Programs that round to multiples of what is no step."""
    return _no_steps()


@st.composite
def _no_steps(draw: DrawFn) -> Case:
    step = pick(draw, (-0.5, 0.0, -2.0, 0.0, -(2.0**-30)))
    x = drawn(draw, draw(shapes(2)), "float32", grad=draw(st.booleans()))
    return Case([f"x = {x}", f"r, rest = round_ste(x, {step})"], ["r"])
