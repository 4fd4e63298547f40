"""Right answers to kata 03, in styles that the solution does not use."""

import functools
import itertools
import math
import operator
from collections import Counter
from fractions import Fraction

import numpy as np

from dojo.judging.diagnose import answers

# matmul_flops


@answers("matmul_flops")
def by_peeling_off_batches(a_shape, b_shape):
    match a_shape, b_shape:
        case ((), _) | (_, ()):
            raise ValueError("a number is no matrix")
        case ((k,), _):
            return by_peeling_off_batches((1, k), b_shape)
        case (_, (k,)):
            return by_peeling_off_batches(a_shape, (k, 1))
        case ((m, k), (k_too, n)):
            if k != k_too:
                raise ValueError("inner sizes")
            return m * n * (k + k)
    a_rank, b_rank = len(a_shape), len(b_shape)
    if a_rank > b_rank:
        return a_shape[0] * by_peeling_off_batches(a_shape[1:], b_shape)
    if a_rank < b_rank:
        return b_shape[0] * by_peeling_off_batches(a_shape, b_shape[1:])
    first, second = a_shape[0], b_shape[0]
    if first != second and first != 1 and second != 1:
        raise ValueError("batches")
    return (second if first == 1 else first) * by_peeling_off_batches(a_shape[1:], b_shape[1:])


@answers("matmul_flops")
def by_numpy_broadcasting(a_shape, b_shape):
    if min(len(a_shape), len(b_shape)) < 1:
        raise ValueError("0-d")
    a, b = list(a_shape), list(b_shape)
    if len(a) == 1:
        a.insert(0, 1)
    if len(b) == 1:
        b.append(1)
    if a[-1] != b[-2]:
        raise ValueError("inner")
    total = 2
    for size in (*by_numpy_dimension_for_dimension(a[:-2], b[:-2]), *a[-2:], b[-1]):
        total *= int(size)
    return total


def by_numpy_dimension_for_dimension(*shapes):
    # NumPy refuses shapes of 2**63 elements and more, even empty ones: it never sees two sizes of one shape.
    columns = itertools.zip_longest(*(shape[::-1] for shape in shapes), fillvalue=1)
    return [int(np.broadcast_shapes(*((size,) for size in column))[0]) for column in columns]


@answers("matmul_flops")
def by_result_elements_times_a_dot_product(a_shape, b_shape):
    a_shape, b_shape = tuple(a_shape), tuple(b_shape)
    if a_shape == () or b_shape == ():
        raise ValueError
    inner = {a_shape[-1], b_shape[-2] if len(b_shape) > 1 else b_shape[0]}
    if len(inner) == 2:
        raise ValueError(inner)
    batch = []
    for x, y in itertools.zip_longest(reversed(a_shape[:-2]), reversed(b_shape[:-2])):
        known = {size for size in (x, y) if size is not None}
        if len(known) > 1:
            known.discard(1)
        (size,) = known  # ValueError where two are left
        batch.append(size)
    result = batch + list(a_shape[-2:-1]) + list(b_shape[-1:] if len(b_shape) > 1 else ())
    return functools.reduce(operator.mul, result, 1) * inner.pop() * 2


# linear_flops


@answers("linear_flops")
def one_row_after_another(x_shape, out_features):
    if len(x_shape) > 1:
        return x_shape[0] * one_row_after_another(x_shape[1:], out_features)
    return (x_shape[0] + x_shape[0]) * out_features


@answers("linear_flops")
def by_a_lambda_and_a_shift(x_shape, out_features):
    count = lambda *sizes: functools.reduce(operator.mul, sizes) << 1
    return count(*x_shape, out_features)


# elementwise_flops


@answers("elementwise_flops")
def by_folding_pairs(*shapes):
    def meet(x, y):
        if x == 1 or x == y:
            return y
        if y == 1:
            return x
        raise ValueError(f"{x} and {y}")

    def broadcast(a, b):
        return [meet(x, y) for x, y in itertools.zip_longest(a, b, fillvalue=1)]

    total = 1
    for size in functools.reduce(broadcast, (shape[::-1] for shape in shapes), []):
        total = total * size
    return total


@answers("elementwise_flops")
def by_sets_of_sizes(*shapes):
    columns = {}
    for shape in shapes:
        for place, size in enumerate(reversed(shape)):
            columns.setdefault(place, set()).add(size)
    total = 1
    for column in columns.values():
        column.discard(1)
        if len(column) > 1:
            raise ValueError(column)
        for size in column:
            total *= size
    return total


class _Result:
    """Sizes from the right, widened by one shape at a time."""

    def __init__(self):
        self.sizes = {}

    def __call__(self, shape):
        for place in range(1, len(shape) + 1):
            size = shape[-place]
            held = self.sizes.get(place, 1)
            if size == 1:
                continue
            if held not in (1, size):
                raise ValueError(place)
            self.sizes[place] = size
        return self


@answers("elementwise_flops")
def by_a_result_that_widens(*shapes):
    result = _Result()
    for shape in shapes:
        result(shape)
    return math.prod(result.sizes.values())


@answers("elementwise_flops")
def by_numpy(*shapes):
    return math.prod(by_numpy_dimension_for_dimension(*shapes))


# einsum_flops


@answers("einsum_flops")
def by_a_set_of_indices_with_sizes(equation, a_shape, b_shape):
    inputs = equation.split("->")[0]
    a, b = inputs.split(",")
    if len(a) != len(a_shape) or len(b) != len(b_shape):
        raise ValueError("rank")
    pairs = {*zip(a, a_shape), *zip(b, b_shape)}
    if len(pairs) != len(set(inputs) - {","}):
        raise ValueError("sizes")
    return 2 * math.prod(size for _, size in pairs)


@answers("einsum_flops")
def by_elements_of_b_without_what_a_has(equation, a_shape, b_shape):
    a, b = equation[: equation.index("-")].split(",")
    a_sizes = dict(zip(a, a_shape, strict=True))
    flops = functools.reduce(operator.mul, a_shape, 2)
    for index, size in zip(b, b_shape, strict=True):
        if index not in a_sizes:
            flops *= size
        elif a_sizes[index] != size:
            raise ValueError(index)
    return flops


@answers("einsum_flops")
def by_where_an_index_first_stands(equation, a_shape, b_shape):
    left, right = equation[: equation.find("->")].split(",")
    if (len(left), len(right)) != (len(a_shape), len(b_shape)):
        raise ValueError("rank")
    names, sizes, flops = left + right, a_shape + b_shape, 2
    for place, name in enumerate(names):
        first = names.index(name)
        if first == place:
            flops *= sizes[place]
        elif sizes[first] != sizes[place]:
            raise ValueError(name)
    return flops


@answers("einsum_flops")
def by_renaming_it_to_a_batched_product(equation, a_shape, b_shape):
    (a, b), kept = equation.split("->")[0].split(","), equation.split("->")[1]
    if [len(a), len(b)] != [len(a_shape), len(b_shape)]:
        raise ValueError("rank")
    uses = Counter(a + b)
    groups = {"batch": 1, "m": 1, "k": 1, "n": 1}
    for index, size in zip(a, a_shape):
        if uses[index] == 2 and size != b_shape[b.index(index)]:
            raise ValueError(index)
        role = "m" if uses[index] == 1 else "batch" if index in kept else "k"
        groups[role] *= size
    for index, size in zip(b, b_shape):
        if uses[index] == 1:
            groups["n"] *= size
    return by_peeling_off_batches(
        (groups["batch"], groups["m"], groups["k"]), (groups["batch"], groups["k"], groups["n"])
    )


# mlp_flops


@answers("mlp_flops")
def by_recursion_on_the_layers(batch, dims):
    if len(dims) < 2:
        return 0
    d_in, d_out, *rest = dims
    return 2 * batch * d_in * d_out + by_recursion_on_the_layers(batch, (d_out, *rest))


@answers("mlp_flops")
def by_half_of_the_neighbours(batch, dims):
    # Each inner width meets the one before it and the one after it; (d0 + d1 + ...)**2 and the like are no shorter.
    met_twice = 0
    for place, width in enumerate(dims):
        before = dims[place - 1] if place > 0 else 0
        after = dims[place + 1] if place + 1 < len(dims) else 0
        met_twice += width * (before + after)
    return batch * met_twice


@answers("mlp_flops")
def by_numpy_objects(batch, dims):
    widths = np.array(dims, dtype=object)
    return int(sum((widths[:-1] * widths[1:]).tolist())) * batch * 2


# attention_flops


@answers("attention_flops")
def by_two_matrix_products(batch, heads, q_len, kv_len, head_dim):
    q, k_transposed = (batch, heads, q_len, head_dim), (batch, heads, head_dim, kv_len)
    weights, v = (batch, heads, q_len, kv_len), (batch, heads, kv_len, head_dim)
    return by_peeling_off_batches(q, k_transposed) + by_peeling_off_batches(weights, v)


@answers("attention_flops")
def one_head_at_a_time(batch, heads, q_len, kv_len, head_dim):
    def heads_of_a_batch():
        for _ in range(heads):
            yield from (2 * q_len * head_dim * kv_len, 2 * q_len * kv_len * head_dim)

    return batch * sum(heads_of_a_batch())


# arithmetic_intensity


@answers("arithmetic_intensity")
def by_reciprocals(m, k, n, bytes_per_element):
    # m·k + k·n + m·n over m·k·n is 1/n + 1/m + 1/k.
    return 2 / (bytes_per_element * (1 / m + 1 / k + 1 / n))


@answers("arithmetic_intensity")
def by_exact_fractions(m, k, n, bytes_per_element):
    return float(Fraction(2 * m * k * n, bytes_per_element * sum(map(math.prod, itertools.combinations((m, k, n), 2)))))


# roofline_seconds


@answers("roofline_seconds")
def by_the_ridge(flops, nbytes, peak_flops, peak_bandwidth):
    if not (peak_flops > 0 and peak_bandwidth > 0):
        raise ValueError("peak")
    ridge = peak_flops / peak_bandwidth
    if flops >= nbytes * ridge:
        return flops / peak_flops
    return nbytes / peak_bandwidth


@answers("roofline_seconds")
def by_exact_fractions_of_a_second(flops, nbytes, peak_flops, peak_bandwidth):
    if min(peak_flops, peak_bandwidth) <= 0:
        raise ValueError("peak")
    times = (Fraction(work) / Fraction(rate) for work, rate in ((flops, peak_flops), (nbytes, peak_bandwidth)))
    return float(sorted(times)[-1])


@answers("roofline_seconds")
def by_attainable_flops_per_second(flops, nbytes, peak_flops, peak_bandwidth):
    for peak in peak_flops, peak_bandwidth:
        if peak <= 0:
            raise ValueError(peak)
    if flops == 0:
        return nbytes / peak_bandwidth
    if nbytes == 0:
        return flops / peak_flops
    return flops / min(peak_flops, flops / nbytes * peak_bandwidth)


# mfu


@answers("mfu")
def by_the_time_at_the_peak(flops, seconds, peak_flops):
    if any(value <= 0 for value in (seconds, peak_flops)):
        raise ValueError
    return (flops / peak_flops) / seconds


@answers("mfu")
def by_what_was_promised(flops, seconds, peak_flops):
    if seconds > 0 < peak_flops:
        return flops / (seconds * peak_flops)
    raise ValueError(f"{seconds=} {peak_flops=}")


@answers("mfu")
def by_exact_fractions_of_the_peak(flops, seconds, peak_flops):
    if sorted((0, seconds, peak_flops))[0] != 0 or 0 in (seconds, peak_flops):
        raise ValueError
    return float(Fraction(flops) / (Fraction(seconds) * Fraction(peak_flops)))
