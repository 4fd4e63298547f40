"""What hypothesis draws for kata 08 of heads, patches and attention."""

from __future__ import annotations

import functools
import math

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dojo.judging.classes import classes

from ..shared.shapes import Shape, in_order, pick
from .strategies_tensors import CONTIGUOUS, LARGE
from .strategies_tensors import typed as typed_in_any_layout

Lines = list[str]


def typed(draw: DrawFn, shape: Shape, negative: bool = False, large: str = "") -> str:
    """A contiguous tensor: view and transpose will do for these functions."""
    return typed_in_any_layout(draw, shape, negative, layouts=CONTIGUOUS, large=large)


def _sizes(draw: DrawFn, *simplest: int, largest: int = 4) -> Shape:
    return tuple(pick(draw, in_order(largest, size)) for size in simplest)


@functools.cache
@classes(
    {
        "one head": lambda case: case[1][0] == 1,
        "three heads or more": lambda case: case[1][0] > 2,
        "as many heads as numbers in each": lambda case: case[1][0] == case[1][1] > 1,
        "d_in is d_out": lambda case: case[1][1] == case[1][2] > 1,
        "d_in is not d_out": lambda case: case[1][1] != case[1][2],
        "d_in is 1": lambda case: case[1][1] == 1,
        "no other dimension": lambda case: case[2] == (),
        "two other dimensions or more": lambda case: len(case[2]) > 1,
        "numbers of x that neither float32 nor ints hold": lambda case: LARGE in case[0][0],
        "numbers of w that neither float32 nor ints hold": lambda case: LARGE in case[0][1],
        "x behind others": lambda case: case[0][0].endswith(")[1]"),
    }
)
@st.composite
def heads(draw: DrawFn) -> tuple[Lines, Shape, Shape]:
    """Lines that make x and w; heads, d_in and d_out; and the other dimensions of x."""
    count, d_in, d_out = _sizes(draw, 2, 3, 4)
    before = pick(draw, ((), (2,), (3, 2), (1,), (2, 1, 3)))
    large = pick(draw, (("", ""), ("", ""), ("", ""), (LARGE, ""), ("", LARGE)))
    x = typed(draw, (*before, count * d_in), large=large[0])
    lines = [f"x = {x}", f"w = {typed(draw, (d_in, d_out), negative=True, large=large[1])}"]
    return lines, (count, d_in, d_out), before


@functools.cache
@classes(
    {
        "fewer numbers than a head has": lambda case: case[1] < case[2],
        "more numbers than heads have": lambda case: case[1] > case[2],
        "d_out divides": lambda case: case[1] % case[3] == 0,
    }
)
@st.composite
def no_heads(draw: DrawFn) -> tuple[Lines, int, int, int]:
    """Lines that make x and w, of which the heads do not fit; the last dimension of x, d_in and d_out."""
    d_in = pick(draw, (2, 3, 4))
    last = d_in * draw(st.integers(0, 3)) + draw(st.integers(1, d_in - 1))
    d_out = pick(draw, (last, *in_order(4)))
    before = pick(draw, ((), (2,), (d_in,), (d_in, 2)))
    return [f"x = {typed(draw, (*before, last))}", f"w = {typed(draw, (d_in, d_out))}"], last, d_in, d_out


@functools.cache
@classes(
    {
        "one patch": lambda case: case[1][2:4] == (1, 1),
        "patches of one pixel": lambda case: case[1][4] == 1,
        "more rows than columns": lambda case: case[1][2] > case[1][3],
        "more columns than rows": lambda case: case[1][3] > case[1][2],
        "several rows and columns": lambda case: min(case[1][2:4]) > 1,
        "one channel": lambda case: case[1][1] == 1,
        "several channels in patches of several pixels": lambda case: case[1][1] > 1 and case[1][4] > 1,
        "as many channels as a side of the patch": lambda case: case[1][1] == case[1][4] > 1,
        "several images": lambda case: case[1][0] > 1,
        "numbers that neither float32 nor ints hold": lambda case: LARGE in case[0],
        "images behind others": lambda case: case[0].endswith(")[1]"),
    }
)
@st.composite
def pictures(draw: DrawFn) -> tuple[str, Shape]:
    """Code that makes images; and batch, channels, rows and columns of patches, and a patch's side."""
    batch, rows = (pick(draw, (1, 2, 3)) for _ in range(2))
    channels, columns, patch = _sizes(draw, 2, 3, 2, largest=3)
    shape = (batch, channels, rows * patch, columns * patch)
    return typed(draw, shape, large=pick(draw, ("", "", "", "", LARGE))), (batch, channels, rows, columns, patch)


@functools.cache
@classes(
    {
        "only the height does not fit": lambda case: case[0][2] % case[1] and not case[0][3] % case[1],
        "only the width does not fit": lambda case: case[0][3] % case[1] and not case[0][2] % case[1],
        "neither fits": lambda case: case[0][3] % case[1] and case[0][2] % case[1],
        "the area fits": lambda case: case[0][2] * case[0][3] % case[1] ** 2 == 0,
        "a patch larger than the image": lambda case: case[1] > min(case[0][2:]),
    }
)
@st.composite
def cut_off(draw: DrawFn) -> tuple[Shape, int]:
    """The shape of images, and the side of a patch that does not divide both height and width."""
    patch = pick(draw, (2, 3, 4))
    off = draw(st.integers(1, patch - 1))
    height, width = (patch * draw(st.integers(0, 2)) + off for _ in range(2))
    fitting = patch * pick(draw, (1, 2, patch))
    kind = pick(draw, ("height", "width", "both"))
    sides = {"height": (height, fitting), "width": (fitting, width), "both": (height, width)}[kind]
    return (*_sizes(draw, 2, 3, largest=3), *sides), patch


@functools.cache
@classes(
    {
        "one head of each": lambda case: case[1][1] == case[1][2] == 1,
        "a head of k for each of q": lambda case: case[1][1] > 1 and case[1][2] == 1,
        "a head of k for all of q": lambda case: case[1][1] == 1 and case[1][2] > 1,
        "several groups of several": lambda case: case[1][1] > 1 and case[1][2] > 1,
        "as many queries as keys": lambda case: case[1][3] == case[1][4] > 1,
        "more queries than keys": lambda case: case[1][3] > case[1][4] > 1,
        "more keys than queries": lambda case: case[1][4] > case[1][3] > 1,
        "one key": lambda case: case[1][4] == 1,
        "d is 1": lambda case: case[1][5] == 1,
        "several in the batch": lambda case: case[1][0] > 1,
        "scores whose exp overflows": lambda case: FAR in case[0][1],
        "scores of one query far from each other": lambda case: ONE_FAR in case[0] and case[1][4] > 1,
    }
)
@st.composite
def attentions(draw: DrawFn) -> tuple[Lines, Shape]:
    """Lines that make small q, k and v, or some of k far off; and batch, kv_heads, group, q_len, kv_len and d."""
    batch, q_len = (pick(draw, (1, 2, 3)) for _ in range(2))
    kv_heads, group, kv_len, d = _sizes(draw, 2, 2, 3, 2, largest=3)
    far = pick(draw, ("", "", "", FAR, ONE_FAR))
    q = _scaled(draw, (batch, kv_heads * group, q_len, d), far != "")
    k, v = (_scaled(draw, (batch, kv_heads, kv_len, d), far != "") for _ in range(2))
    moved = {FAR: [f"k = {k}{FAR}"], ONE_FAR: [f"k = {k}", ONE_FAR]}.get(far, [f"k = {k}"])
    return [f"q = {q}", *moved, f"v = {v}"], (batch, kv_heads, group, q_len, kv_len, d)


FAR = " + 4096"
"""What makes scores of which exp is inf or 0. softmax depends only on their differences, which stay small.

If no number of q is beyond 1, a score is at most 4096 · √3: ten roundings are 8e-12, well within ATTENTION.
"""

ONE_FAR = "k[..., -1, :] += 4096"
"""What moves one key alone: its scores are far above or below those of the others."""


def _scaled(draw: DrawFn, shape: Shape, within_one: bool) -> str:
    """A tensor of numbers in small steps, of which half are negative."""
    numbers = typed(draw, shape, negative=True)
    head, dot, tail = numbers.partition(".reshape")
    steps = 2 ** (math.prod(shape) - 1).bit_length() if within_one else 8
    return f"({head} / {steps}){dot}{tail}"


@functools.cache
@classes(
    {
        "fewer heads than kv_heads": lambda case: case[0] < case[1],
        "more heads than kv_heads": lambda case: case[0] > case[1],
        "heads of which one more would fit": lambda case: (case[0] + 1) % case[1] == 0,
    }
)
@st.composite
def odd_heads(draw: DrawFn) -> tuple[int, int, Shape]:
    """Heads and kv_heads that do not divide them; and batch, q_len, kv_len and d."""
    kv_heads = pick(draw, (2, 3, 4))
    count = kv_heads * draw(st.integers(0, 2)) + draw(st.integers(1, kv_heads - 1))
    return count, kv_heads, _sizes(draw, 2, 2, 3, 2, largest=3)
