"""What hypothesis draws for the katas about training: layers, operands, parameters and their gradients."""

from __future__ import annotations

import functools
import math
from typing import Any

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ..shared.rates import not_positives, positives
from ..shared.shapes import Shape, huge_sizes, matmul_shapes, pick, sizes

Named = dict[str, Any]

# Layers


@st.composite
def layer_sizes(draw: DrawFn) -> tuple[int, int, int]:
    """(batch, d_in, d_out) of a layer, small or huge."""
    of = draw(st.sampled_from([sizes(), sizes(), huge_sizes()]))
    return draw(of), draw(of), draw(of)


@functools.cache
def layers(fewest: int = 0) -> SearchStrategy[tuple[int, Shape]]:
    """(batch, dims) of layers that feed one another; one width alone is no layer."""
    return st.one_of(
        st.tuples(sizes(), st.lists(sizes(), min_size=fewest + 1, max_size=6).map(tuple)),
        st.tuples(huge_sizes(), st.lists(huge_sizes(), min_size=fewest + 1, max_size=4).map(tuple)),
    )


@st.composite
def partly_frozen(draw: DrawFn) -> tuple[int, Shape, Named]:
    """Layers, and which of them are trained: any subset may be frozen, named in any order and more than once."""
    batch, dims = draw(layers(pick(draw, (2, 3, 0))))
    named: Named = {}
    if draw(st.booleans()):
        named["input_needs_grad"] = draw(st.booleans())
    indices = [index for index in range(len(dims) - 1) if draw(st.booleans())]
    if bool(indices) or draw(st.booleans()):
        again = pick(draw, ((), (), indices[:1]))
        named["frozen"] = tuple(draw(st.permutations([*indices, *again])))
    return batch, dims, named


@st.composite
def no_layers(draw: DrawFn) -> tuple[int, Shape, Named, int]:
    """Layers, and a tuple of frozen ones of which one does not exist; that one."""
    batch, dims = draw(layers())
    count = len(dims) - 1
    index = pick(draw, (count, -1, count + draw(st.integers(1, 5)), -count, -count - 1) if count else (0, -1, 1))
    others = [draw(st.integers(0, count - 1)) for _ in range(draw(st.integers(0, 2)))] if count else []
    named: Named = {"frozen": tuple(draw(st.permutations([index, *others])))}
    if draw(st.booleans()):
        named["input_needs_grad"] = draw(st.booleans())
    return batch, dims, named, index


# A product and the gradient of its result


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
    if pick(draw, (False, False, False, False, False, True)):
        return draw(matmul_shapes(empty=draw(st.booleans())))
    m, k, n = (draw(st.integers(1, 4)) for _ in range(3))
    batch = [(draw(st.integers(2, 3)), pick(draw, ("both", "a", "b"))) for _ in range(draw(st.integers(0, 3)))]
    sides = []
    for side in "ab":
        shape = [size if whose in ("both", side) else 1 for size, whose in batch]
        while shape and shape[0] == 1 and draw(st.booleans()):
            shape.pop(0)
        sides.append(shape)
    return (*sides[0], m, k), (*sides[1], k, n)


def _operand(draw: DrawFn, shape: Shape, double: bool, gradient: bool) -> str:
    dtype = ", dtype=torch.float64" if double else ""
    layout = pick(draw, ("plain", "transposed", "expanded") if gradient else ("plain", "transposed", "plain"))
    shift = pick(draw, ("", " - 3", " + 2**20" if double else " + 509" if gradient else " - 1"))
    if layout == "expanded":
        return f"torch.tensor({draw(st.integers(1, 3))}.0{dtype}).expand{shape}"
    made = f"(torch.arange({math.prod(shape)}.0{dtype}) % 7{shift})"
    if layout == "transposed":
        return f"{made}.reshape{(*shape[:-2], shape[-1], shape[-2])}.mT"
    return f"{made}.reshape{shape}"


# A training run on paper


FACTORS = st.sampled_from([1, 2, 3, 0.5, 7, 0.01, 1000])


@st.composite
def cluster(draw: DrawFn) -> tuple[int, float, Named]:
    """GPUs, their peak, and an MFU unless the usual one is meant."""
    gpus, peak = draw(st.integers(1, 10**5)), draw(positives())
    named = {"mfu": draw(st.one_of(st.floats(0.01, 1.5), st.just(1)))} if draw(st.booleans()) else {}
    return gpus, peak, named


@st.composite
def no_clusters(draw: DrawFn) -> tuple[int, int, int, float, Named, str]:
    """Parameters, tokens and a cluster of which one or two of the three numbers are 0 or less, and which."""
    work = pick(draw, ((70 * 10**9, 15 * 10**12), (1, 1), (0, 1), (1, 0)))
    good: Named = {"num_gpus": draw(st.integers(1, 10**5)), "peak_flops": draw(positives())}
    good["mfu"] = draw(st.floats(0.01, 1))
    which = pick(
        draw,
        (["num_gpus"], ["peak_flops"], ["mfu"], ["num_gpus", "peak_flops"], ["num_gpus", "mfu"], ["peak_flops", "mfu"]),
    )
    for name in which:
        good[name] = -draw(st.integers(0, 10**5)) if name == "num_gpus" else draw(not_positives())
    gpus, peak = good.pop("num_gpus"), good.pop("peak_flops")
    told = {"num_gpus": gpus, "peak_flops": peak, **good}
    return *work, gpus, peak, good, ", ".join(f"{name} is {told[name]}" for name in which)


@st.composite
def memories(draw: DrawFn) -> tuple[int, int, Named]:
    """GPUs, bytes of each, and bytes for each parameter unless 16 are meant; beyond what a float holds exactly, too."""
    gpus = draw(st.integers(1, 40))
    size = draw(st.one_of(st.integers(0, 200), st.integers(10**9, 10**12), st.integers(2**60, 2**64)))
    return (
        gpus,
        size,
        {"bytes_per_param": draw(st.one_of(st.integers(1, 2), st.integers(1, 20)))} if draw(st.booleans()) else {},
    )
