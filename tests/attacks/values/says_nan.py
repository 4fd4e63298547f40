"""Returns what no comparison refutes, or every one: NaN, infinities, -0.0, and numbers beyond floats."""
# kata: 03_flops
# attacks: matmul_flops, arithmetic_intensity, roofline_seconds, mfu


def matmul_flops(a_shape, b_shape):
    return -0.0


def arithmetic_intensity(m, k, n, bytes_per_element):
    return float("nan")


def roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth):
    return float("inf")


def mfu(flops, seconds, peak_flops):
    return 10**400
