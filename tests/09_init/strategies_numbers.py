"""What hypothesis draws for kata 09 of shapes and numbers: weights, schemes, standard deviations, cuts, chains."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import Shape, integers, pick

Chain = tuple[Shape, list[float]]
"""The sizes between layers, and the standard deviation of each layer's weight."""


@functools.cache
@classes(
    {
        "a linear layer": lambda shape: len(shape) == 2,
        "a kernel of one dimension": lambda shape: len(shape) == 3,
        "a kernel of several dimensions": lambda shape: len(shape) > 3,
        "a kernel of four dimensions": lambda shape: len(shape) == 6,
        "a kernel with different sides": lambda shape: len(set(shape[2:])) > 1,
        "a kernel of one place": lambda shape: len(shape) > 2 and math.prod(shape[2:]) == 1,
        "a kernel of more places than are counted": lambda shape: math.prod(shape[2:]) > 11,
        "as many inputs as outputs": lambda shape: shape[0] == shape[1],
        "one input": lambda shape: shape[1] == 1,
        "one output": lambda shape: shape[0] == 1,
        "fans whose sum is odd": lambda shape: (shape[0] + shape[1]) * math.prod(shape[2:]) % 2,
    }
)
def weights() -> SearchStrategy[Shape]:
    """Shapes of weights: (out, in), or with the kernel of a convolution in one to four dimensions behind."""
    return _weights()


@st.composite
def _weights(draw: DrawFn) -> Shape:
    outputs, inputs = draw(integers(3, 12)), draw(integers(4, 12))
    if twist := pick(draw, ("", "", "", "", "", "as many", "one input", "one output")):
        outputs = inputs if twist == "as many" else 1 if twist == "one output" else outputs
        inputs = 1 if twist == "one input" else inputs
    dims = pick(draw, (0, 1, 2, 3, 2, 4))
    largest = (0, 20, 5, 3, 3)[dims]
    kernel = [draw(integers(5 - place, max(largest, 5 - place))) for place in range(dims)]
    if pick(draw, (False, False, False, True)):
        kernel = [1] * dims
    return (outputs, inputs, *kernel)


@functools.cache
@classes(
    {
        "many inputs of an output": lambda shape: shape[1] > 1,
        "many outputs of an input": lambda shape: shape[0] > 1,
    }
)
def large_weights() -> SearchStrategy[Shape]:
    """Shapes of which a fan is odd and beyond 2**24, so that float32 does not hold it."""
    size = st.integers(2050, 2200).map(lambda half: 2 * half + 1)
    one = st.just(1)
    return st.one_of(st.tuples(one, size, size), st.tuples(size, one, size))


@functools.cache
@classes({"no dimension": lambda shape: shape == (), "one dimension": lambda shape: len(shape) == 1})
def no_weights() -> SearchStrategy[Shape]:
    """Shapes of fewer than two dimensions."""
    return st.one_of(integers(3, 40).map(lambda size: (size,)), st.just(()))


@functools.cache
@classes({"many inputs of an output": lambda shape: shape[1] > 1})
def wide_weights() -> SearchStrategy[Shape]:
    """Shapes of weights whose fan_in is odd and beyond 2**24."""
    return st.integers(2050, 2200).map(lambda half: (1, 2 * half + 1, 2 * half + 1))


SCHEMES = ("scaled", "xavier", "kaiming")


@functools.cache
@classes({scheme: scheme.__eq__ for scheme in SCHEMES})
def schemes() -> SearchStrategy[str]:
    """The names of the schemes."""
    return st.sampled_from(SCHEMES)


OTHERS = ("he", "glorot", "lecun", "normal", "kaiming_normal", "xavier_uniform", "")


@functools.cache
@classes(
    {
        "one of the three, spelled otherwise": lambda drawn: drawn.strip().lower() in SCHEMES,
        "another name": lambda drawn: drawn in OTHERS,
    }
)
def no_schemes() -> SearchStrategy[str]:
    """Names of no scheme."""
    spelled = [spell(name) for name in SCHEMES for spell in (str.upper, str.capitalize, lambda name: f" {name}")]
    return st.one_of(st.sampled_from(OTHERS), st.sampled_from(spelled))


@functools.cache
@classes({"0": lambda std: std == 0, "below 1": lambda std: 0 < std < 1, "above 1": lambda std: std > 1})
def stds() -> SearchStrategy[float]:
    """Standard deviations, one in ten of them 0."""
    return st.integers(1, 10).flatmap(lambda n: st.just(0.0) if n == 10 else _positive())


@functools.cache
def _positive() -> SearchStrategy[float]:
    """Numbers of a few digits, below 1 and above."""
    return st.one_of(st.integers(2, 40).map(lambda n: n / 4), st.integers(2, 999).map(lambda n: n / 1000))


KNOWN_CUTS = (1.0, 2.0, 3.0, 0.1, 8.0)


@functools.cache
@classes(
    {
        "0.1": lambda cut: cut == 0.1,
        "8": lambda cut: cut == 8,
        "below 0.5": lambda cut: cut < 0.5,
        "from 0.5 to 3": lambda cut: 0.5 <= cut <= 3,
        "above 3": lambda cut: cut > 3,
        "so far out that little is missing": lambda cut: 4.5 < cut < 5.3,
    }
)
def cuts() -> SearchStrategy[float]:
    """Cuts from 0.1 to 8, of any number of digits."""
    ranges = ((0.5, 3.0), (0.1, 0.5), (3.0, 8.0), (4.5, 5.3))
    known = st.sampled_from(KNOWN_CUTS)
    again = known.map(float)  # one_of takes one strategy for one branch, however often it is named
    return st.one_of(known, again, *(st.floats(low, high) for low, high in ranges))


@functools.cache
@classes({"0": lambda cut: cut == 0, "just below 0": lambda cut: -0.01 < cut < 0, "below -0.5": lambda cut: cut < -0.5})
def no_cuts() -> SearchStrategy[float]:
    """What is no cut: 0 and less."""
    return st.one_of(st.just(0.0), st.sampled_from((-1.0, -2.0, -3.0)), st.sampled_from((-1e-3, -1e-6)))


@functools.cache
@classes(
    {
        "no layer": lambda chain: not chain[1],
        "one layer": lambda chain: len(chain[1]) == 1,
        "several layers": lambda chain: len(chain[1]) > 1,
        "a layer that widens": lambda chain: any(a < b for a, b in zip(chain[0], chain[0][1:], strict=False)),
        "a layer that narrows": lambda chain: any(a > b for a, b in zip(chain[0], chain[0][1:], strict=False)),
        "a last layer that narrows": lambda chain: len(chain[1]) > 0 and chain[0][-2] > chain[0][-1],
        "layers of one width": lambda chain: len(chain[1]) > 1 and len(set(chain[0])) == 1,
        "standard deviations that differ": lambda chain: len(set(chain[1])) > 1,
        "a standard deviation of 0": lambda chain: 0 in chain[1],
        "a standard deviation that float32 does not hold": lambda chain: any(4 * std % 1 for std in chain[1]),
    }
)
def chains() -> SearchStrategy[Chain]:
    """Layers one after the other, none that narrows behind one that widens."""
    return _chains()


@st.composite
def _chains(draw: DrawFn) -> Chain:
    layers = pick(draw, (1, 2, 3, 4, 2, 3, 0))
    if pick(draw, (False, False, False, False, True)):
        dims = [draw(integers(4, 16))] * (layers + 1)
    else:
        sizes = sorted({draw(integers(4 * (place + 1), 16)) for place in range(layers + 1)} | {9, 16, 3, 5, 7})
        sizes = sizes[: layers + 1] if layers else [draw(integers(4, 16))]
        turn = draw(st.integers(0, layers + 1))
        dims = [*reversed(sizes[:turn]), *sizes[turn:]]
    parts = pick(draw, (4, 10, 4))
    stds = [draw(integers(2 + place, 12)) / parts for place in range(layers)]
    if layers and pick(draw, (False,) * 9 + (True,)):
        stds[draw(st.integers(0, layers - 1))] = 0.0
    return tuple(dims), stds


@functools.cache
@classes({"one layer": lambda case: len(case[1]) == 1, "several layers": lambda case: len(case[1]) > 1})
def used_lists() -> SearchStrategy[tuple[Lines, list[float]]]:
    """Programs that keep the list of standard deviations, and the list."""
    return chains().filter(lambda chain: bool(chain[1])).map(_used)


def _used(chain: Chain) -> tuple[Lines, list[float]]:
    dims, stds = chain
    return [f"stds = {stds}", f"y = output_std({dims}, stds)"], stds


class Alike(NamedTuple):
    """Layers of one width, each of which multiplies the root mean square by the same power of 2."""

    width: int
    layers: int
    gain: float

    @property
    def chain(self) -> Chain:
        """The sizes and standard deviations; the root of the width is a power of 2 as well."""
        return (self.width,) * (self.layers + 1), [self.gain / math.isqrt(self.width)] * self.layers


@functools.cache
@classes(
    {
        "sizes whose product passes 2**63": lambda case: case.width**case.layers > 2**63,
        "as large as it went in": lambda case: case.gain == 1,
        "it grows": lambda case: case.gain > 1,
        "it shrinks": lambda case: case.gain < 1,
    }
)
def layers_alike() -> SearchStrategy[Alike]:
    """Up to twelve wide layers."""
    widths, gains = st.sampled_from((4096, 1024, 256, 16384)), st.sampled_from((1.0, 2.0, 0.5))
    return st.builds(Alike, widths, integers(6, 12), gains)


@functools.cache
@classes(
    {
        "one too many": lambda chain: len(chain[1]) == len(chain[0]),
        "one too few": lambda chain: len(chain[1]) == len(chain[0]) - 2,
        "more than one too many": lambda chain: len(chain[1]) > len(chain[0]),
        "none": lambda chain: not chain[1],
        "one where there is no layer": lambda chain: len(chain[0]) == 1,
    }
)
def no_chains() -> SearchStrategy[Chain]:
    """Layers with more standard deviations than there are layers, or with fewer."""
    return _no_chains()


@st.composite
def _no_chains(draw: DrawFn) -> Chain:
    dims = tuple(draw(integers(4 + place, 16)) for place in range(pick(draw, (3, 2, 4, 1))))
    layers = len(dims) - 1
    numbers = [number for number in (layers + 1, layers - 1, layers + 2, 0) if number >= 0 and number != layers]
    return dims, [draw(integers(2 + place, 12)) / 4 for place in range(pick(draw, numbers))]
