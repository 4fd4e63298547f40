"""What hypothesis draws for the katas about training: layers, operands, parameters and their gradients."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.rates import not_positives, positives
from ..shared.shapes import Shape, beside, huge_sizes, in_order, integers, matmul_shapes, pick, sizes

# Layers


@functools.cache
def _wide_sizes(simplest: int) -> SearchStrategy[int]:
    """Sizes of which the product of two is mostly beyond what a float holds exactly, too."""
    return huge_sizes(2**27, 2**30, simplest)


@classes(
    {
        "a size is 0": lambda case: 0 in case,
        "a size is 1": lambda case: 1 in case,
        "beyond what a float holds exactly": lambda case: math.prod(case) > 2**53,
        "each two sizes beyond what a float holds exactly": lambda case: math.prod(sorted(case)[:2]) > 2**53,
        "beyond 64 bits": lambda case: math.prod(case) > 2**64,
    }
)
@st.composite
def layer_sizes(draw: DrawFn) -> tuple[int, int, int]:
    """(batch, d_in, d_out) of a layer, small or huge."""
    of = pick(draw, (sizes, sizes, _wide_sizes))
    return draw(of(simplest=2)), draw(of(simplest=3)), draw(of(simplest=4))


@classes(
    {
        "no layer": lambda case: len(case[1]) == 1,
        "one layer": lambda case: len(case[1]) == 2,
        "three layers or more": lambda case: len(case[1]) > 3,
        "more layers than six": lambda case: len(case[1]) > 7,
        "no rows": lambda case: case[0] == 0,
        "a width of 0": lambda case: 0 in case[1],
        "the first layer is empty, a later one is not": lambda case: 0 in case[1][:2] and math.prod(case[1][-2:]) > 0,
        "a later layer is empty, the first is not": lambda case: 0 in case[1][2:] and math.prod(case[1][:2]) > 0,
        "beyond 64 bits": lambda case: case[0] * math.prod(case[1][:2]) > 2**64,
    }
)
@functools.cache
def layers(fewest: int = 0) -> SearchStrategy[tuple[int, Shape]]:
    """(batch, dims) of layers that feed one another; one width alone is no layer."""
    return _layers(fewest)


@st.composite
def _layers(draw: DrawFn, fewest: int) -> tuple[int, Shape]:
    huge: bool = draw(st.booleans())
    if huge:
        return draw(huge_sizes()), tuple(draw(st.lists(huge_sizes(), min_size=fewest + 1, max_size=4)))
    most = pick(draw, (6, 6, 6, 6, 14))
    places = draw(st.lists(st.integers(0, 4), min_size=fewest + 1 if most == 6 else 12, max_size=most))
    batch, dims = draw(sizes()), [in_order(5, 3 + layer)[place] for layer, place in enumerate(places)]
    empty = pick(
        draw, ("none", "none", "a width", "a width", "the batch")
    )  # one 0 is enough to lose what the others show
    if empty == "a width":
        dims[pick(draw, (*range(len(dims)), 0))] = 0
    return 0 if empty == "the batch" else batch, tuple(dims)


@classes(
    {
        "no layer": lambda case: len(case[1]) == 1,
        "nothing is trained": lambda case: _trained(case) == [] and len(case[1]) > 1,
        "the first layer is frozen, the second is not": lambda case: _trained(case)[:1] == [1],
        "a frozen layer between trained ones": lambda case: any(
            b - a > 1 for a, b in itertools.pairwise(_trained(case))
        ),
        "the last layer is frozen, another is not": lambda case: (
            -1 < max(_trained(case), default=-1) < len(case[1]) - 2
        ),
        "the input needs a gradient": lambda case: case[2],
        "the input needs a gradient, and nothing is trained": lambda case: (
            len(case[1]) > 1 and case[2] and _trained(case) == []
        ),
        "a layer is named twice": lambda case: len(case[3]) > len({*case[3]}),
        "more layers than six": lambda case: len(case[1]) > 7,
        "a layer other than the first is named twice": lambda case: any(
            case[3].count(i) > 1 for i in [*case[3]] if i > min(case[3])
        ),
        "frozen layers out of order": lambda case: list(case[3]) != sorted(case[3]),
        "a size is 0": lambda case: 0 in (case[0], *case[1]),
        "all that is trained before a layer is empty": lambda case: _passes_on_for_nothing(case),
        "beyond 64 bits": lambda case: case[0] * math.prod(case[1][:2]) > 2**64,
    }
)
@st.composite
def partly_frozen(draw: DrawFn) -> tuple[int, Shape, bool, Shape]:
    """Layers, whether the input needs a gradient, and which layers are frozen: any, in any order, some named twice."""
    batch, dims = draw(layers(pick(draw, (2, 3, 0))))
    input_needs_grad = pick(draw, (False, False, False, True))
    some = [index for index in range(len(dims) - 1) if draw(st.booleans())]
    indices = pick(draw, (some, some, some, list(range(len(dims) - 1))))
    if pick(draw, (False,) * 11 + (True,)):  # the first layer is trained, and empty
        dims, input_needs_grad, indices = (0, *(max(width, 1) for width in dims[1:])), False, [*filter(None, indices)]
    again = pick(draw, ([], [], indices[:1], indices[-1:])) if indices else []
    frozen = tuple(draw(st.permutations([*indices, *again])))
    return batch, dims, input_needs_grad, frozen


def _trained(case: tuple[int, Shape, bool, Shape]) -> list[int]:
    """The layers that are trained."""
    _, dims, _, frozen = case
    return [index for index in range(len(dims) - 1) if index not in frozen]


def _passes_on_for_nothing(case: tuple[int, Shape, bool, Shape]) -> bool:
    """Whether a layer computes the gradient of its input, which is not empty, for weights that are empty."""
    batch, dims, input_needs_grad, _ = case
    costs = [batch * d_in * d_out for d_in, d_out in itertools.pairwise(dims)]
    trained = _trained(case)
    full = [index for index in trained if costs[index]]
    reached = costs[trained[0] + 1 : full[0] + 1 if full else None] if trained else []
    return not input_needs_grad and any(reached)


@classes(
    {
        "-1": lambda case: case[4] == -1,
        "as many as there are layers": lambda case: case[4] == len(case[1]) - 1,
        "far beyond": lambda case: case[4] >= len(case[1]),
        "below 0 by more than there are layers": lambda case: case[4] < 1 - len(case[1]),
        "no layer": lambda case: len(case[1]) == 1,
        "a layer stands before it": lambda case: case[3][0] != case[4],
        "nothing would be counted": lambda case: 0 in (case[0], *case[1]),
        "every layer is named as well": lambda case: len(case[1]) > 1 and {*range(len(case[1]) - 1)} < {*case[3]},
    }
)
@st.composite
def no_layers(draw: DrawFn) -> tuple[int, Shape, bool, Shape, int]:
    """Layers, whether the input needs a gradient, and a tuple of frozen ones of which one does not exist; that one."""
    batch, dims = draw(layers())
    count = len(dims) - 1
    index = pick(draw, (count, -1, count + draw(st.integers(1, 5)), -count, -count - 1) if count else (0, -1, 1))
    few = [draw(st.integers(0, count - 1)) for _ in range(draw(st.integers(0, 2)))] if count else []
    others = pick(draw, (few, few, list(range(count))))
    frozen = tuple(draw(st.permutations([index, *others])))
    return batch, dims, pick(draw, (False, False, False, True)), frozen, index


# A product and the gradient of its result


SWAPPED = ".transpose(0, 1)"
"""At the end of the line of an operand whose first two dimensions of the batch lie in memory the other way round."""


@functools.lru_cache(64)
def _shape(line: str) -> Shape:
    """The shape of the operand that a line makes."""
    shape = tuple(map(int, line.removesuffix(SWAPPED).rpartition("(")[2].partition(")")[0].split(",")))
    if line.endswith(SWAPPED):
        return (shape[1], shape[0], *shape[2:])
    return (*shape[:-2], shape[-1], shape[-2]) if line.endswith(".mT") else shape


def _is_square(lines: list[str], ranks: tuple[int, ...]) -> bool:
    a, b = _shape(lines[0]), _shape(lines[1])
    return a == b and a[-1] == a[-2] > 1 and len(a) in ranks


def _stretched(lines: list[str], operand: int, to: int | None = None) -> bool:
    """Whether a dimension of 1 in the batch of an operand is stretched, to that size if it is given."""
    batch, out = _shape(lines[operand])[:-2], _shape(lines[2])[:-2]
    pairs = zip(reversed(batch), reversed(out), strict=False)
    return any(size == 1 != whole and to in (None, whole) for size, whole in pairs)


@classes(
    {
        "two square matrices of one shape, without a batch": lambda lines: _is_square(lines, ranks=(2,)),
        "two batches of square matrices of one shape": lambda lines: _is_square(lines, ranks=(3, 4, 5)),
        "a row beside a square matrix": lambda lines: (
            _shape(lines[0])[-2] == 1 < _shape(lines[1])[-1] == _shape(lines[1])[-2]
        ),
        "a column beside a square matrix": lambda lines: (
            _shape(lines[1])[-1] == 1 < _shape(lines[0])[-1] == _shape(lines[0])[-2]
        ),
        "no batch": lambda lines: len(_shape(lines[2])) == 2,
        "only a has a batch": lambda lines: len(_shape(lines[0])) > len(_shape(lines[1])) == 2,
        "only b has a batch": lambda lines: len(_shape(lines[1])) > len(_shape(lines[0])) == 2,
        "both sides are stretched": lambda lines: _stretched(lines, 0) and _stretched(lines, 1),
        "a dimension of 1 is stretched to 0": lambda lines: _stretched(lines, 0, to=0) or _stretched(lines, 1, to=0),
        "a dimension of the batch is 1 on both sides": lambda lines: 1 in _shape(lines[2])[:-2],
        "a sum over nothing": lambda lines: (
            0 in _shape(lines[2]) and (math.prod(_shape(lines[0])) > 0 or math.prod(_shape(lines[1])) > 0)
        ),
        "an inner size of 0": lambda lines: _shape(lines[0])[-1] == 0 and 0 not in _shape(lines[2]),
        "an operand is not contiguous": lambda lines: any(line.endswith(".mT") for line in lines[:2]),
        "two dimensions of a batch change places in memory": lambda lines: any(
            line.endswith(SWAPPED) for line in lines
        ),
        "grad_out is expanded": lambda lines: ".expand(" in lines[2],
        "float64": lambda lines: "float64" in lines[0],
    }
)
@st.composite
def products(draw: DrawFn) -> list[str]:
    """Lines that make a, b and a gradient of a @ b, of matrices and of batches that broadcast, contiguous and not.

    The elements are integers so small that float32 holds every sum of their products, and so large that nothing
    narrower does; in float64 they are so large that float32 does not. A right answer is exact, whatever its order.
    """
    a_shape, b_shape = draw(_batched_shapes())
    double = draw(st.booleans())
    out = (*torch.broadcast_shapes(a_shape[:-2], b_shape[:-2]), a_shape[-2], b_shape[-1])
    shapes = {"a": a_shape, "b": b_shape, "grad_out": out}
    return [f"{name} = {_operand(draw, shape, double, name == 'grad_out')}" for name, shape in shapes.items()]


@st.composite
def _batched_shapes(draw: DrawFn) -> tuple[Shape, Shape]:
    """Shapes that torch.matmul multiplies; mostly not empty, and with several dimensions that one side stretches."""
    kind = pick(draw, ("plain",) * 4 + ("square", "square", "empty", "empty", "any"))
    if kind == "any":
        return draw(matmul_shapes(empty=pick(draw, (False, True, True))))
    m, k, n = (pick(draw, in_order(4, size)) for size in (2, 3, 4))
    if kind == "square":  # where nothing but the numbers tells the operands apart, and a matrix from its transpose
        m = k = n = draw(st.integers(2, 3))
        m, n = pick(draw, ((m, n), (m, n), (m, n), (1, n), (m, 1)))
        batch = [(pick(draw, (3, 2, 1)), "both") for _ in range(pick(draw, (0, 1)))]
    else:
        some = [pick(draw, ("both", "a", "b")) for _ in range(draw(st.integers(0, 3)))]
        owners = pick(draw, (some, ["a", *some[:2], "b"], ["b", *some[:1], "a"], ["a"] * len(some), ["b"] * len(some)))
        batch = [(pick(draw, (2, 3, 2, 3, 1)), whose) for whose in owners]
    if kind == "empty":
        m, k, n = pick(draw, ((0, k, n), (m, k, 0), (m, 0, n), (m, 0, n)))
    drop = pick(draw, (True, True, False))
    sides = []
    for side in "ab":
        shape = [size if whose in ("both", side) else 1 for size, whose in batch]
        while shape and shape[0] == 1 and drop:
            shape.pop(0)
        sides.append(shape)
    return (*sides[0], m, k), (*sides[1], k, n)


PLAIN = 24
"""Elements of a tensor that may count on from 0: with more, sums of products would leave what float32 holds."""


def _operand(draw: DrawFn, shape: Shape, double: bool, gradient: bool) -> str:
    dtype = ", dtype=torch.float64" if double else ""
    layout = pick(draw, ("plain", "transposed", "expanded") if gradient else ("plain", "transposed", "plain"))
    shift = pick(draw, ("", " - 3", " + 2**20" if double else " + 509" if gradient else " - 1"))
    numel = math.prod(shape)
    if len(shape) > 3 and layout == "plain" and draw(st.booleans()):
        layout = "batch"
    if layout == "expanded":
        return f"torch.tensor({draw(st.integers(1, 3))}.0{dtype}).expand{shape}"
    made = f"torch.arange({numel}.0{dtype}){' % 7' * (numel > PLAIN)}{shift}"
    if not made.endswith(")"):
        made = f"({made})"
    if layout == "transposed":
        return f"{made}.reshape{(*shape[:-2], shape[-1], shape[-2])}.mT"
    if layout == "batch":
        return f"{made}.reshape{(shape[1], shape[0], *shape[2:])}{SWAPPED}"
    return f"{made}.reshape{shape}"


# A training run on paper


FACTORS = st.sampled_from([1, 2, 3, 0.5, 7, 0.01, 1000])


@classes(
    {
        "a peak or an MFU of half as much": lambda case: case[4] == 0.5,
        "several GPUs": lambda case: case[2] > 1,
        "another MFU than the usual one": lambda case: case[4] != 1,
        "a known run": lambda case: case == (1, 1, 1, 1, 1),
    }
)
@functools.cache
def scales() -> SearchStrategy[tuple[float, ...]]:
    """How many times the parameters, tokens, GPUs, peak and MFU of a run that is known."""
    factors = st.tuples(FACTORS, FACTORS, st.sampled_from([1, 2, 16]), FACTORS, st.sampled_from([1, 2, 0.5]))
    return beside(factors, (1, 1, 1, 1, 1))


@classes(
    {
        "the usual MFU": lambda case: len(case) == 2,
        "an MFU above 1": lambda case: case[2:] > (1,),
        "an MFU far above 1": lambda case: case[2:] > (10,),
        "an MFU that is an int": lambda case: [type(mfu) for mfu in case[2:]] == [int],
        "a peak that is an int": lambda case: type(case[1]) is int,
        "a peak below 1": lambda case: case[1] < 1,
        "few GPUs": lambda case: case[0] < 10,
    }
)
@st.composite
def cluster(draw: DrawFn) -> tuple[float, ...]:
    """GPUs, their peak, and an MFU unless the usual one is meant."""
    gpus = draw(st.one_of(integers(2, 9), integers(2, 10**5)))
    peak = draw(pick(draw, (positives(3), positives(3), st.floats(0.001, 0.999))))
    mfu = (
        (draw(st.one_of(st.floats(0.01, 1), st.floats(1, 1.5), st.floats(10, 100), st.just(1))),)
        if draw(st.booleans())
        else ()
    )
    return gpus, peak, *mfu


@classes(
    {
        "no GPUs": lambda case: case[2] == 0,
        "fewer GPUs than 0": lambda case: case[2] < 0,
        "no peak": lambda case: case[3] == 0,
        "a peak below 0": lambda case: case[3] < 0,
        "no MFU": lambda case: case[4] == 0,
        "an MFU below 0": lambda case: case[4] < 0,
        "two of them below 0": lambda case: case[2] * case[3] * case[4] > 0,
        "all three of them below 0": lambda case: max(case[2:5]) < 0,
        "no work": lambda case: 0 in case[:2],
    }
)
@st.composite
def no_clusters(draw: DrawFn) -> tuple[int, int, int, float, float, str]:
    """Parameters, tokens and a cluster of which one or more of the three numbers are 0 or less, and which."""
    work = pick(draw, ((70 * 10**9, 15 * 10**12), (1, 1), (0, 1), (1, 0)))
    good: dict[str, Any] = {"num_gpus": draw(integers(8, 10**5)), "peak_flops": draw(positives())}
    good["mfu"] = draw(st.floats(0.01, 1))
    which = pick(draw, [names for count in (1, 2, 3) for names in itertools.combinations(good, count)])
    for name in which:
        bad = -pick(draw, (0, 1, draw(st.integers(1, 10**5)))) if name == "num_gpus" else draw(not_positives())
        good[name] = bad or -1 if len(which) == 3 else bad  # three below 0: each product of two is above 0
    return *work, *good.values(), ", ".join(f"{name} is {good[name]}" for name in which)


@classes(
    {
        "no memory": lambda case: case[1] == 0,
        "nothing fits": lambda case: 0 < case[0] * case[1] < _each(case),
        "it fits without rest": lambda case: case[1] > 0 == case[0] * case[1] % _each(case),
        "what is left on each GPU holds one more": lambda case: case[1] % _each(case) * case[0] >= _each(case),
        "one GPU": lambda case: case[0] == 1,
        "a byte for each parameter": lambda case: _each(case) == 1,
        "the usual bytes for each parameter": lambda case: len(case) == 2,
        "beyond what a float holds exactly": lambda case: case[0] * case[1] // _each(case) > 2**53,
        "more than thirty digits": lambda case: case[1] > 10**30,
    }
)
@st.composite
def memories(draw: DrawFn) -> tuple[int, ...]:
    """GPUs, bytes of each, and bytes for each parameter unless 16 are meant; beyond what a float holds exactly, too."""
    gpus = draw(st.one_of(integers(2, 4), integers(2, 40)))
    size = draw(
        st.one_of(
            integers(100, 200, 0),
            integers(10, 20, 0),
            st.integers(10**9, 10**12),
            st.integers(2**60, 2**64),
            st.integers(10**30, 10**40),
            st.integers(0, 1),
        )
    )
    each = (draw(st.one_of(integers(3, 20), st.sampled_from((2, 1)))),) if draw(st.booleans()) else ()
    return gpus, size, *each


def _each(case: tuple[int, ...]) -> int:
    """Bytes for each parameter."""
    return case[2] if len(case) > 2 else 16


@classes({"0": lambda number: number == 0, "-1": lambda number: number == -1, "less": lambda number: number < -1})
@functools.cache
def no_bytes() -> SearchStrategy[int]:
    """What no parameter takes: 0 bytes or less."""
    return st.one_of(st.integers(-1, 0), st.integers(-20, 0))
