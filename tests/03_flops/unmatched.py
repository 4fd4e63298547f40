"""Wrong answers to kata 03 that no belief in misconceptions.py explains."""

from itertools import pairwise
from math import prod

from dojo.judging.diagnose import answers, solution

solved = solution("03_flops")


@answers("matmul_flops")
def counts_three_for_each(a_shape, b_shape):
    """Count a read, a multiply and an add."""
    return solved.matmul_flops(a_shape, b_shape) // 2 * 3


@answers("matmul_flops")
def counts_vectors_in_a_float(a_shape, b_shape):
    """Count vectors in a float, as if their products were always small."""
    flops = solved.matmul_flops(a_shape, b_shape)
    return int(float(flops)) if 1 in (len(a_shape), len(b_shape)) else flops


@answers("linear_flops")
def counts_rows_in_64_bits(x_shape, out_features):
    """Multiply in 64 bits, as np.prod does."""
    return (prod(x_shape) + 2**63) % 2**64 * 2 * out_features - 2**64 * out_features


@answers("einsum_flops")
def keeps_the_last_batch_index(equation, a_shape, b_shape):
    """Count only the last index that both operands and the result have as the batch."""
    flops = solved.einsum_flops(equation, a_shape, b_shape)
    a, b, kept = *equation.partition("->")[0].split(","), equation.partition("->")[2]
    sizes = [size for index, size in zip(a, a_shape, strict=True) if index in b and index in kept]
    return flops // prod(sizes[:-1]) if flops else 0


@answers("roofline_seconds")
def refuses_peaks_below_1(flops, nbytes, peak_flops, peak_bandwidth):
    """Refuse small peaks, as if every peak were a large number."""
    if min(peak_flops, peak_bandwidth) < 1:
        raise ValueError("a peak")
    return solved.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)


@answers("mlp_flops")
def multiplies_widths_in_64_bits(batch, dims):
    """Multiply in 64 bits, which wrap around."""
    return sum(2 * batch * (d_in * d_out % 2**64) for d_in, d_out in pairwise(dims))


@answers("mlp_flops")
def leaves_out_the_last_layer(batch, dims):
    """Leave out the last layer, as if it were the loss."""
    return solved.mlp_flops(batch, dims[:-1])


@answers("roofline_seconds")
def takes_the_mean(flops, nbytes, peak_flops, peak_bandwidth):
    """Take half of each time."""
    solved.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)
    return (flops / peak_flops + nbytes / peak_bandwidth) / 2
