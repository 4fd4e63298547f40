"""What hypothesis draws for kata 14 of predicted bytes: operations, layers, attention."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import Shape, enlarged, huge_sizes, in_order, integers, pick, shapes, sizes

# Operations

OPS = (
    "exp",
    "relu",
    "tanh",
    "softmax",
    "gelu",
    "square",
    "mul",
    "layer_norm",
    "max",
    "masked_fill",
    "add",
    "scale",
    "sum",
)
NO_OPS = (
    "sigmoid",
    "dropout",
    "relu6",
    "maxx",
    "",
    "Relu",
    "rms_norm",
    "matmul",
    "silu",
    "exp ",
    "div",
    "sub",
    "neg",
    "mean",
    "sqrt",
    "log",
    "sin",
    "cos",
    "abs",
    "elu",
    "leaky_relu",
    "min",
    "pow",
    "softplus",
    "log_softmax",
    "view",
    "reshape",
    "transpose",
    "clone",
    "prod",
    "var",
    "cumsum",
    "clamp",
    "linear",
    "where",
    "log1p",
)
"""What the docstring does not list: relatives, what torch has too, and misspellings."""

DTYPES = (torch.float32, torch.float64, torch.bfloat16)


class Ops(NamedTuple):
    """Operations in the order in which they are asked, each with a shape; the dtype of all, and whether it is given."""

    asked: list[tuple[str, Shape]]
    dtype: torch.dtype
    in_full: bool


def _asked(op: str) -> bool:
    """Whether the operation wants a last dimension that is not empty."""
    return op in ("layer_norm", "max")


@functools.cache
@classes(
    {
        "a 0-d x": lambda case: any(shape == () for _, shape in case.asked),
        "an empty x": lambda case: any(0 in shape for _, shape in case.asked),
        "rows of one number": lambda case: any(_asked(op) and shape[-1] == 1 for op, shape in case.asked),
        "one dimension": lambda case: any(_asked(op) and len(shape) == 1 for op, shape in case.asked),
        "four dimensions or more": lambda case: any(len(shape) > 3 for _, shape in case.asked),
        "float64": lambda case: case.dtype == torch.float64,
        "no dtype": lambda case: not case.in_full,
        "bfloat16": lambda case: case.dtype == torch.bfloat16,
        "beyond what a float holds exactly": lambda case: any(math.prod(shape) > 2**53 for _, shape in case.asked),
    }
)
def operations() -> SearchStrategy[Ops]:
    """All operations, each on a shape of its own; a few of the shapes are huge."""
    return _operations()


@st.composite
def _operations(draw: DrawFn) -> Ops:
    dtype = pick(draw, DTYPES)
    left = [op for op in OPS if dtype != torch.bfloat16 or op != "layer_norm"]
    huge = pick(draw, (False, False, True))
    asked = []
    for op in draw(st.permutations(left)):
        shape = draw(shapes(2 if huge else 5, fewest_dims=1 if huge or _asked(op) else 0))
        if _asked(op) and shape[-1] == 0:
            shape = (*shape[:-1], pick(draw, (3, 1)))
        if huge and len(shape) == 2:
            shape = enlarged(shape, [pick(draw, (2**26 + 1, 2**27 + 3)), pick(draw, (2**27 + 1, 2**25 + 5))])
        asked.append((op, shape))
    return Ops(asked, dtype, dtype != torch.float32 or draw(st.booleans()))


@classes(
    {
        "a letter more": lambda case: {"relu6", "maxx", "exp "} & {*case[0]},
        "none that torch has": lambda case: any(not hasattr(torch, name) for name in case[0]),
        "one that torch has": lambda case: any(hasattr(torch, name) for name in case[0]),
        "an empty x": lambda case: 0 in case[1],
        "a 0-d x": lambda case: case[1] == (),
    }
)
@functools.cache
def no_operations() -> SearchStrategy[tuple[list[str], Shape]]:
    """Some of what is none of the operations, and a shape."""
    some = st.lists(st.sampled_from(NO_OPS), min_size=8, max_size=8, unique=True)
    return st.tuples(some, st.sampled_from(((2, 3), (0, 3), ())))


# Layers

ACTIVATIONS = ("relu", "gelu", "none", "tanh", "silu")


class Mlp(NamedTuple):
    """Batch, widths and activation, and bytes for each number."""

    batch: int
    dims: Shape
    activation: str
    width: int


@functools.cache
@classes(
    {
        "one width": lambda cases: any(len(case.dims) == 1 for case in cases),
        "two widths": lambda cases: any(len(case.dims) == 2 for case in cases),
        "four widths or more": lambda cases: any(len(case.dims) > 3 for case in cases),
        "many widths": lambda cases: any(len(case.dims) > 6 for case in cases),
        "a dozen widths or more": lambda cases: any(len(case.dims) > 12 for case in cases),
        "no rows": lambda cases: any(case.batch == 0 for case in cases),
        "one row": lambda cases: any(case.batch == 1 for case in cases),
        "a width of 0": lambda cases: any(0 in case.dims for case in cases),
        "float64": lambda cases: any(case.width == 8 for case in cases),
        "bfloat16": lambda cases: any(case.width == 2 for case in cases),
        "no settings": lambda cases: any(case.activation == "relu" and case.width == 4 for case in cases),
        "beyond what a float holds exactly": lambda cases: any(case.batch * max(case.dims) > 2**51 for case in cases),
        "more rows than 32 bits count": lambda cases: any(case.batch > 2**31 for case in cases),
    }
)
def mlps() -> SearchStrategy[list[Mlp]]:
    """Layers with each of the activations, each time others."""
    return _mlps()


@st.composite
def _mlps(draw: DrawFn) -> list[Mlp]:
    return [_mlp(draw, activation) for activation in draw(st.permutations(ACTIVATIONS))]


def _mlp(draw: DrawFn, activation: str) -> Mlp:
    count = pick(draw, (3, 4, 3, 5, 2, 1, 9, 16))
    kind = pick(draw, ("small", "small", "small", "small", "huge", "rows"))
    if kind == "huge":
        batch, dims = draw(huge_sizes()), tuple(draw(huge_sizes()) for _ in range(count))
    else:
        batch = draw(integers(2**31 + 1, 2**33, 2**31) if kind == "rows" else sizes(3))
        dims = tuple(draw(sizes(simplest=3 + place)) for place in range(count))
    return Mlp(batch, dims, activation, pick(draw, (4, 2, 8)))


@classes(
    {
        "one that torch has": lambda case: hasattr(torch, case[1]) or hasattr(torch.nn.functional, case[1]),
        "several layers": lambda case: len(case[0]) > 2,
        "one layer": lambda case: len(case[0]) == 2,
        "no layer": lambda case: len(case[0]) == 1,
        "a width of 0": lambda case: 0 in case[0],
        "no rows": lambda case: case[2] == 0,
        "a relative of relu": lambda case: "relu" in case[1],
    }
)
@functools.cache
def no_activations() -> SearchStrategy[tuple[Shape, str, int]]:
    """Widths, what is none of the activations, and rows."""
    relatives = ("relu6", "leaky_relu", "relu6", "leaky_relu")
    names = ("sigmoid", "swish", "ReLU", "", "linear", "selu", "None", "softmax", *relatives)
    widths = ((3, 4, 5), (3, 4), (3,), (3, 0, 5))
    return st.tuples(st.sampled_from(widths), st.sampled_from(names), st.sampled_from((2, 2, 0)))


# Attention


class Heads(NamedTuple):
    """Sizes of attention: batch, heads, queries, keys, width of a head; bytes for each number."""

    sizes: Shape
    width: int
    in_full: bool


LARGER = {1: (33, 70), 2: (9, 70), 3: (9, 70), 4: (33, 70)}
"""By its place among the sizes: how much one of them may be, beyond the blocks and vectors in which a kernel works."""


def _some(draw: DrawFn) -> Shape:
    """Sizes of 1 or more, each with a simplest one of its own. In half of the cases, one is larger, and no multiple."""
    sizes = [pick(draw, in_order(5, simplest)) for simplest in (1, 1, 2, 3, 4)]
    place = pick(draw, (None, None, None, None, *LARGER))
    if place is not None:
        larger = draw(st.integers(*LARGER[place]))
        sizes[place] = larger + (larger % 8 == 0)
    return tuple(sizes)


@functools.cache
@classes(
    {
        "as many queries as keys": lambda case: case.sizes[2] == case.sizes[3],
        "more queries": lambda case: case.sizes[2] > case.sizes[3],
        "fewer queries": lambda case: case.sizes[2] < case.sizes[3],
        "several heads": lambda case: case.sizes[1] > 1,
        "a batch": lambda case: case.sizes[0] > 1,
        "one key": lambda case: case.sizes[3] == 1,
        "16 bits": lambda case: case.width == 2,
        "queries that fill no block": lambda case: case.sizes[2] > 8 and case.sizes[2] % 8,
        "many keys": lambda case: case.sizes[3] > 8,
        "many heads": lambda case: case.sizes[1] > 32,
        "wide heads": lambda case: case.sizes[4] > 32,
    }
)
def heads() -> SearchStrategy[Heads]:
    """Sizes at which the fused kernel runs at once."""
    return _heads()


@st.composite
def _heads(draw: DrawFn) -> Heads:
    width = pick(draw, (4, 2))
    return Heads(_some(draw), width, width != 4 or draw(st.booleans()))


@functools.cache
@classes({"beyond what a float holds exactly": lambda case: math.prod(case.sizes[:4]) > 2**53})
def huge_heads() -> SearchStrategy[Heads]:
    """Sizes at which the weights have more elements than a float can count.

    The fused kernel is not asked: on meta torch has another one, so a right answer that measures it needs the memory.
    """
    return _huge_heads()


@st.composite
def _huge_heads(draw: DrawFn) -> Heads:
    batch, count, d = (pick(draw, in_order(3, simplest)) for simplest in (1, 1, 2))
    lengths = draw(integers(2**27 + 1, 2**27 + 9, 2**27)), draw(integers(2**26 + 1, 2**26 + 9, 2**26))
    return Heads((batch, count, *lengths, d), pick(draw, (4, 2)), True)
