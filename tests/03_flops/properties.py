"""The properties of kata 03: FLOPs are what torch counts, or what a loop counts where torch's counter is blind."""

import functools
import math

import torch
from hypothesis import strategies as st

from dojo.judging.examples import given
from dojo.judging.expect import expect, expect_error, expect_that, grades
from dojo.seam.data import is_number

from ..shared.rates import not_positives, positives
from ..shared.shapes import enlarged
from . import pictures, truth
from .strategies_einsum import einsum_cases, huge_einsum_cases, refused_einsum_cases
from .strategies_elementwise import (
    broadcast_shapes,
    empty_broadcast_shapes,
    huge_broadcast_shapes,
    unbroadcastable_shapes,
)
from .strategies_layers import attention_cases, huge_mlp_cases, linear_cases, mlp_cases
from .strategies_products import huge_matmul_shapes, matmul_shapes, refused_matmul_shapes, vector_shapes
from .strategies_rates import bytes_per_element, intensity_cases, quantities, roofs, shares_of_a_peak, sides

# Formulas that are equal on paper round differently. A few multiplications and divisions, each within 2**-53 of its
# result, stay well within this.
ROUNDING = 1e-12

DTYPE_OF_SIZE = {1: torch.float8_e4m3fn, 2: torch.bfloat16, 4: torch.float32, 8: torch.float64, 16: torch.complex128}

SCALED = "scaled up"
"""Who says so, where torch counted at small sizes."""


def said(factors):
    """Return who says so, if the sizes are larger by these factors than those that torch counted at."""
    return "torch counts" if max(factors) == 1 else SCALED


def refused(which, bad):
    """Say what is wrong with one argument, or with two of the same value."""
    return f"{which} is {bad}" if " and " not in which else f"{which} are {bad}"


# FLOP/s and byte/s that no kernel on these machines exceeds (bfloat16, dense; data sheets).
CUDA_PEAKS = {"A100": (312e12, 2.04e12), "H100": (989.5e12, 3.35e12), "H200": (989.5e12, 4.8e12)}


@grades("matmul_flops")
@given(cases=st.tuples(matmul_shapes(), matmul_shapes(empty=True), vector_shapes()), huge=huge_matmul_shapes())
def test_matmul_flops_are_what_torch_counts(kata, device, cases, huge):
    """Every multiply and every add of every product in the broadcast batch counts one."""
    for case in cases:
        answer = kata.matmul_flops(*case)
        draw = functools.partial(pictures.products, kata, answer, device, *case)
        expect(answer, truth.matmul_flops(device, *case), "torch counts", draw=draw)
    large, factors, small = huge
    expect(kata.matmul_flops(*large), truth.scaled(truth.matmul_flops(device, *small), *factors), SCALED)


@grades("matmul_flops")
@given(cases=st.tuples(*map(refused_matmul_shapes, ["inner", "0-d", "inner of a vector", "batch"])))
def test_matmul_flops_refuses_what_torch_refuses(kata, cases):
    """Shapes that torch.matmul refuses raise a ValueError."""
    for case in cases:
        because = truth.refusal(torch.matmul, *truth.tensors("cpu", *case))
        expect_error(ValueError, kata.matmul_flops, *case, because=because)


@grades("linear_flops")
@given(case=linear_cases())
def test_linear_flops_are_what_torch_counts(kata, device, case):
    """Each row of x costs 2 · in_features · out_features; the bias is free."""
    (*small, outputs), factors = case
    *x_shape, out_features = enlarged(*case)
    counted = truth.scaled(truth.linear_flops(device, tuple(small), outputs), *factors)
    expect(kata.linear_flops(tuple(x_shape), out_features), counted, said(factors))


@grades("elementwise_flops")
@given(cases=st.tuples(broadcast_shapes(), empty_broadcast_shapes(), huge_broadcast_shapes()))
def test_elementwise_flops_are_the_elements_of_the_broadcast_result(kata, cases):
    """Each element of the broadcast result costs one FLOP."""
    for case in cases:
        expect(kata.elementwise_flops(*case), math.prod(torch.broadcast_shapes(*case)), "its elements")


@grades("elementwise_flops")
@given(case=unbroadcastable_shapes())
def test_elementwise_flops_refuses_what_torch_refuses(kata, case):
    """Shapes that do not broadcast raise a ValueError."""
    because = truth.refusal(torch.broadcast_shapes, *case)
    expect_error(ValueError, kata.elementwise_flops, *case, because=because)


@grades("einsum_flops")
@given(case=einsum_cases())
def test_einsum_flops_are_what_a_loop_counts(kata, case):
    """Each combination of all the indices, kept or summed over, costs a multiply and an add."""
    expect(kata.einsum_flops(*case), truth.count_by_loop(*case), "a loop counts")


@grades("einsum_flops", stays="the only one at sizes that a loop cannot reach, and the only one with torch's counter")
@given(case=huge_einsum_cases())
def test_einsum_flops_are_what_torch_counts(kata, case):
    """If torch computes the einsum as one matrix product, its counter gives the same number."""
    large, factor, (equation, *shapes) = case
    counted = truth.flops(torch.einsum, equation, *(torch.empty(shape, device="meta") for shape in shapes))
    expect(kata.einsum_flops(*large), truth.scaled(counted, factor), SCALED)


@grades("einsum_flops")
@given(case=refused_einsum_cases())
def test_einsum_flops_refuses_shapes_that_do_not_fit(kata, case):
    """A rank that differs from the equation's, or an index with two sizes, raises a ValueError."""
    *arguments, because = case
    expect_error(ValueError, kata.einsum_flops, *arguments, because=because)


@grades("mlp_flops")
@given(case=mlp_cases(), huge=huge_mlp_cases())
def test_mlp_flops_are_what_torch_counts(kata, device, case, huge):
    """Each layer multiplies the whole batch by its weight, and the layers add up."""
    answer = kata.mlp_flops(*case)
    draw = functools.partial(pictures.layers, kata, answer, device, *case)
    expect(answer, truth.mlp_flops(device, *case), "torch counts", draw=draw)
    rows, wider, batch, dims = huge
    # If every width is c times as large, every weight is c · c blocks of its old size.
    counted = truth.scaled(truth.mlp_flops(device, batch, dims), rows, wider, wider)
    expect(kata.mlp_flops(rows * batch, tuple(wider * width for width in dims)), counted, SCALED)


@grades("attention_flops")
@given(case=attention_cases())
def test_attention_flops_are_what_torch_counts(kata, device, case):
    """Each head costs two matrix products: one for the scores, and one for the weighted sum of the values."""
    small, factors = case
    answer, counted = kata.attention_flops(*enlarged(*case)), truth.attention_flops(device, *small)
    draw = functools.partial(pictures.attention, answer, device, *small) if max(factors) == 1 else None
    expect(answer, truth.scaled(counted, *factors), said(factors), draw=draw)


@grades("arithmetic_intensity")
@given(case=intensity_cases(), size=bytes_per_element())
def test_arithmetic_intensity_is_flops_over_bytes_of_real_tensors(kata, device, case, size):
    """Both operands are read once and the result is written once."""
    (m, k, n), (by_m, by_k, by_n) = case
    flops = truth.scaled(truth.matmul_flops(device, (m, k), (k, n)), by_m, by_k, by_n)
    counted = truth.bytes_moved(m, k, n, DTYPE_OF_SIZE[size]).items()
    # A matrix with c times as many rows, or columns, has c times as many bytes.
    by = (by_m * by_k, by_k * by_n, by_m * by_n)
    moved = {name: truth.scaled(nbytes, factor) for (name, nbytes), factor in zip(counted, by, strict=True)}
    answer, ratio = kata.arithmetic_intensity(*enlarged(*case), size), flops / sum(moved.values())
    draw = functools.partial(pictures.ratio, answer, ratio, {"FLOPs": flops, **moved})
    expect(answer, ratio, "torch finds", rel=ROUNDING, draw=draw)


@grades("roofline_seconds")
@given(case=roofs())
def test_roofline_seconds_is_the_least_time_that_is_enough(kata, case):
    """Computing and moving overlap: in this time both are done, and in any shorter time one of them is not."""
    flops, nbytes, peak_flops, peak_bandwidth = case
    seconds = kata.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)
    right, holds = max(flops / peak_flops, nbytes / peak_bandwidth), False
    if is_number(seconds):
        computed, moved = seconds * peak_flops, seconds * peak_bandwidth
        enough = computed >= flops * (1 - ROUNDING) and moved >= nbytes * (1 - ROUNDING)
        holds = enough and (computed <= flops * (1 + ROUNDING) or moved <= nbytes * (1 + ROUNDING))
    expect_that(holds, seconds, right, "it takes")


@grades("roofline_seconds")
@given(
    work=quantities(),
    good=positives(),
    bad=not_positives(),
    which=st.sampled_from(["peak_flops", "peak_bandwidth", "peak_flops and peak_bandwidth"]),
)
def test_roofline_seconds_refuses_a_peak_that_is_none(kata, work, good, bad, which):
    """A peak of 0 or less raises a ValueError, even if there is no work for it."""
    peaks = {"peak_flops": (bad, good), "peak_bandwidth": (good, bad), "peak_flops and peak_bandwidth": (bad, bad)}[
        which
    ]
    expect_error(ValueError, kata.roofline_seconds, work, work, *peaks, because=refused(which, bad))


@grades("roofline_seconds", device="cuda", stays="the only one that meets a machine; it runs on CUDA alone")
@given(size=sides())
def test_roofline_seconds_is_not_beaten_by_a_measured_product(kata, size):
    """No product on this GPU is faster than its peaks allow. Noise only makes a measurement slower."""
    peaks = next((peaks for name, peaks in CUDA_PEAKS.items() if name in torch.cuda.get_device_name()), None)
    if peaks is None:
        return  # a GPU whose data sheet is not listed above
    seconds, nbytes = truth.measured_product(size)
    flops = truth.matmul_flops("cuda", (size, size), (size, size))
    answer = kata.roofline_seconds(flops, nbytes, *peaks)
    expect_that(type(answer) in (int, float) and answer <= seconds, answer, seconds, "it took")


@grades("mfu")
@given(case=shares_of_a_peak())
def test_mfu_is_the_share_of_the_promised_flops(kata, case):
    """The result is flops divided by what the peak would compute in that time, even if it is above 1."""
    flops, seconds, peak_flops = case
    share = kata.mfu(flops, seconds, peak_flops)
    promised = peak_flops * seconds
    close = is_number(share) and abs(share * promised - flops) <= ROUNDING * flops
    expect_that(close, share, flops / promised, "the share is")


@grades("mfu")
@given(
    work=quantities(),
    good=positives(),
    bad=not_positives(),
    which=st.sampled_from(["seconds", "peak_flops", "seconds and peak_flops"]),
)
def test_mfu_refuses_a_time_or_a_peak_that_is_none(kata, work, good, bad, which):
    """A time (seconds) or a peak (peak_flops) of 0 or less raises a ValueError."""
    arguments = {"seconds": (bad, good), "peak_flops": (good, bad), "seconds and peak_flops": (bad, bad)}[which]
    expect_error(ValueError, kata.mfu, work, *arguments, because=refused(which, bad))
