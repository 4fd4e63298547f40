"""Wrong answers to kata 03 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("03_flops")


@answers("matmul_flops")
def counts_three_for_each(a_shape, b_shape):
    """A read, a multiply and an add."""
    return solved.matmul_flops(a_shape, b_shape) // 2 * 3


@answers("mlp_flops")
def leaves_out_the_last_layer(batch, dims):
    """The last layer is the loss."""
    return solved.mlp_flops(batch, dims[:-1])


@answers("roofline_seconds")
def takes_the_mean(flops, nbytes, peak_flops, peak_bandwidth):
    """Half of the time for each."""
    solved.roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth)
    return (flops / peak_flops + nbytes / peak_bandwidth) / 2
