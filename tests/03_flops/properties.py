"""The properties of kata 03: FLOPs are what torch counts, or what a loop counts where torch is blind."""

import functools
import math

import torch
from hypothesis import strategies as st

from dojo.judging.examples import given
from dojo.judging.expect import expect, expect_error, expect_that, grades
from dojo.seam.data import is_number

from ..shared.rates import not_positives, positives
from ..shared.shapes import empty_broadcast_shapes, huge_sizes, matmul_shapes, shapes, sizes
from . import pictures, truth
from .strategies import (
    broadcast_shapes,
    einsum_cases,
    huge_matmul_shapes,
    quantities,
    refused_einsum_cases,
    refused_matmul_shapes,
    unbroadcastable_shapes,
    vector_shapes,
)

# Formulas that are equal on paper round differently: a handful of multiplications and divisions, each within
# 2**-53 of its result, stay well within this.
ROUNDING = 1e-12

DTYPE_OF_SIZE = {1: torch.float8_e4m3fn, 2: torch.bfloat16, 4: torch.float32, 8: torch.float64, 16: torch.complex128}

# FLOP/s and byte/s that no kernel on these machines exceeds (bfloat16, dense; data sheets).
CUDA_PEAKS = {"A100": (312e12, 2.04e12), "H100": (989.5e12, 3.35e12), "H200": (989.5e12, 4.8e12)}


@grades("matmul_flops")
@given(cases=st.tuples(matmul_shapes(), matmul_shapes(empty=True), vector_shapes(), huge_matmul_shapes()))
def test_matmul_flops_are_what_torch_counts(kata, device, cases):
    """Every multiply and every add of every product in the broadcast batch counts one."""
    for case in cases:
        answer = kata.matmul_flops(*case)
        draw = functools.partial(pictures.products, kata, answer, device, *case)
        expect(answer, truth.matmul_flops(device, *case), "torch counts", draw=draw)


@grades("matmul_flops")
@given(cases=st.tuples(*map(refused_matmul_shapes, ["inner", "0-d", "inner of a vector", "batch"])))
def test_matmul_flops_refuses_what_torch_refuses(kata, cases):
    """Shapes that torch.matmul does not multiply are a ValueError."""
    for case in cases:
        because = truth.refusal(torch.matmul, *truth.tensors("cpu", *case))
        expect_error(ValueError, kata.matmul_flops, *case, because=because)


@grades("linear_flops")
@given(
    x_shape=st.one_of(shapes(fewest_dims=1), st.tuples(huge_sizes(), huge_sizes())),
    out_features=st.one_of(sizes(), huge_sizes()),
)
def test_linear_flops_are_what_torch_counts(kata, device, x_shape, out_features):
    """Each row of x meets each column of the weight; the bias is free."""
    expect(kata.linear_flops(x_shape, out_features), truth.linear_flops(device, x_shape, out_features), "torch counts")


@grades("elementwise_flops")
@given(
    cases=st.tuples(broadcast_shapes(), empty_broadcast_shapes(), st.tuples(st.tuples(*[huge_sizes(2**18, 2**20)] * 3)))
)
def test_elementwise_flops_are_the_elements_of_the_broadcast_result(kata, cases):
    """One FLOP for each element of the shape that the operands broadcast to."""
    for case in cases:
        expect(kata.elementwise_flops(*case), math.prod(torch.broadcast_shapes(*case)), "its elements")


@grades("elementwise_flops")
@given(case=unbroadcastable_shapes())
def test_elementwise_flops_refuses_what_torch_refuses(kata, case):
    """Shapes that do not broadcast are a ValueError."""
    because = truth.refusal(torch.broadcast_shapes, *case)
    expect_error(ValueError, kata.elementwise_flops, *case, because=because)


@grades("einsum_flops")
@given(case=einsum_cases())
def test_einsum_flops_are_what_a_loop_counts(kata, case):
    """A multiply and an add for each combination of all the indices, kept or summed away."""
    expect(kata.einsum_flops(*case), truth.count_by_loop(*case), "a loop counts")


@grades("einsum_flops", stays="the only one at sizes that a loop cannot reach, and the only one with torch's counter")
@given(case=einsum_cases(as_product=True))
def test_einsum_flops_are_what_torch_counts(kata, case):
    """Where torch computes the einsum as one matrix product, its counter says the same."""
    equation, *operands = case
    counted = truth.flops(torch.einsum, equation, *(torch.empty(shape, device="meta") for shape in operands))
    expect(kata.einsum_flops(*case), counted, "torch counts")


@grades("einsum_flops")
@given(case=refused_einsum_cases())
def test_einsum_flops_refuses_shapes_that_do_not_fit(kata, case):
    """A rank that the equation does not name, or an index with two sizes, is a ValueError."""
    *arguments, because = case
    expect_error(ValueError, kata.einsum_flops, *arguments, because=because)


@grades("mlp_flops")
@given(cases=st.tuples(st.tuples(sizes(), shapes(5, 6, 1)), st.tuples(huge_sizes(), st.tuples(*[huge_sizes()] * 3))))
def test_mlp_flops_are_what_torch_counts(kata, device, cases):
    """Each layer multiplies the whole batch by its weight, and the layers add up."""
    for case in cases:
        answer = kata.mlp_flops(*case)
        draw = functools.partial(pictures.layers, kata, answer, device, *case)
        expect(answer, truth.mlp_flops(device, *case), "torch counts", draw=draw)


@grades("attention_flops")
@given(cases=st.tuples(st.tuples(*[sizes(4)] * 5), st.tuples(*[huge_sizes(2**12, 2**14)] * 5)))
def test_attention_flops_are_what_torch_counts(kata, device, cases):
    """The scores and the weighted sum of the values are a matrix product each, for each head."""
    for case in cases:
        answer = kata.attention_flops(*case)
        draw = functools.partial(pictures.attention, answer, device, *case)
        expect(answer, truth.attention_flops(device, *case), "torch counts", draw=draw)


@grades("arithmetic_intensity")
@given(case=st.tuples(*[st.one_of(st.integers(1, 8), huge_sizes())] * 3), size=st.sampled_from(list(DTYPE_OF_SIZE)))
def test_arithmetic_intensity_is_flops_over_bytes_of_real_tensors(kata, device, case, size):
    """Both operands are read once and the result is written once."""
    m, k, n = case
    flops, moved = truth.matmul_flops(device, (m, k), (k, n)), truth.bytes_moved(m, k, n, DTYPE_OF_SIZE[size])
    answer, ratio = kata.arithmetic_intensity(m, k, n, size), flops / sum(moved.values())
    draw = functools.partial(pictures.ratio, answer, ratio, {"FLOPs": flops, **moved})
    expect(answer, ratio, "torch finds", rel=ROUNDING, draw=draw)


@grades("roofline_seconds")
@given(flops=quantities(), nbytes=quantities(), peak_flops=positives(), peak_bandwidth=positives())
def test_roofline_seconds_is_the_least_time_that_is_enough(kata, flops, nbytes, peak_flops, peak_bandwidth):
    """Computing and moving overlap: in this time both are done, and in any less one of them is not."""
    seconds = kata.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)
    expect_that(is_number(seconds), seconds, "a float", "should be")
    computed, moved = seconds * peak_flops, seconds * peak_bandwidth
    enough = computed >= flops * (1 - ROUNDING) and moved >= nbytes * (1 - ROUNDING)
    expect_that(enough, seconds, f"too short: it computes {computed:.6g} FLOPs and moves {moved:.6g} bytes", "that is")
    least = computed <= flops * (1 + ROUNDING) or moved <= nbytes * (1 + ROUNDING)
    expect_that(least, seconds, f"too long: it computes {computed:.6g} FLOPs and moves {moved:.6g} bytes", "that is")


@grades("roofline_seconds")
@given(
    work=quantities(),
    good=positives(),
    bad=not_positives(),
    which=st.sampled_from(["peak_flops", "peak_bandwidth", "both"]),
)
def test_roofline_seconds_refuses_a_peak_that_is_none(kata, work, good, bad, which):
    """A machine that computes or moves nothing has no roofline."""
    peaks = {"peak_flops": (bad, good), "peak_bandwidth": (good, bad), "both": (bad, bad)}[which]
    expect_error(ValueError, kata.roofline_seconds, work, work, *peaks, because=f"{which} is {bad}")


@grades("roofline_seconds", device="cuda", stays="the only one that meets a machine; it runs on CUDA alone")
@given(size=st.sampled_from([4096, 8192]))
def test_roofline_seconds_is_not_beaten_by_a_measured_product(kata, size):
    """No product on this GPU is faster than its peaks allow. Noise only makes a measurement slower."""
    peaks = next((peaks for name, peaks in CUDA_PEAKS.items() if name in torch.cuda.get_device_name()), None)
    if peaks is None:
        return  # a GPU whose data sheet is not listed above
    seconds, nbytes = truth.measured_product(size)
    flops = truth.matmul_flops("cuda", (size, size), (size, size))
    answer = kata.roofline_seconds(flops, nbytes, *peaks)
    expect_that(type(answer) in (int, float) and answer <= seconds, answer, f"{seconds:.6g} s", "it took")


@grades("mfu")
@given(flops=quantities(), seconds=positives(), peak_flops=positives())
def test_mfu_is_the_share_of_the_promised_flops(kata, flops, seconds, peak_flops):
    """That share of what the peak would compute in the time is what was computed, above 1 as well."""
    share = kata.mfu(flops, seconds, peak_flops)
    expect_that(is_number(share), share, "a float", "should be")
    promised = peak_flops * seconds
    done = share * promised
    close = abs(done - flops) <= ROUNDING * flops
    expect_that(close, share, f"{done:.6g} of {promised:.6g} FLOPs, and {flops:.6g} were done", "that is")


@grades("mfu")
@given(
    work=quantities(), good=positives(), bad=not_positives(), which=st.sampled_from(["seconds", "peak_flops", "both"])
)
def test_mfu_refuses_a_time_or_a_peak_that_is_none(kata, work, good, bad, which):
    """Nothing is done in no time, and a peak of nothing promises nothing."""
    arguments = {"seconds": (bad, good), "peak_flops": (good, bad), "both": (bad, bad)}[which]
    expect_error(ValueError, kata.mfu, work, *arguments, because=f"{which} is {bad}")
