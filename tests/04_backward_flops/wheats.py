"""Right answers to kata 04, in styles that the solution does not use."""

import functools
import itertools
import math
import operator
from decimal import Decimal, localcontext
from fractions import Fraction

import einops
import numpy as np
import torch
from torch.utils.flop_counter import FlopCounterMode

from dojo.judging.diagnose import answers

# linear_backward_flops


@answers("linear_backward_flops")
def by_adding_up_products(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    total = 0
    if weight_needs_grad:
        # (d_in, batch) @ (batch, d_out): batch multiply-adds for each element of the weight
        total += (d_in * d_out) * (batch + batch)
    if input_needs_grad:
        # (batch, d_out) @ (d_out, d_in)
        total += (batch * d_in) * (d_out + d_out)
    return total


@answers("linear_backward_flops")
def by_letting_torch_count_the_two_products(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    x, w, grad = (torch.empty(shape, device="meta") for shape in ((batch, d_in), (d_in, d_out), (batch, d_out)))
    with FlopCounterMode(display=False) as counter:
        if input_needs_grad:
            grad @ w.T
        if weight_needs_grad:
            x.T @ grad
    return counter.get_total_flops()


@answers("linear_backward_flops")
def by_a_lambda_and_a_shift(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    product = lambda *sizes: functools.reduce(operator.mul, sizes) << 1
    return product(batch, d_in, d_out) * [input_needs_grad, weight_needs_grad].count(True)


# mlp_backward_flops


@answers("mlp_backward_flops")
def from_the_last_layer_to_the_first(batch, dims, input_needs_grad=False, frozen=()):
    layers = list(itertools.pairwise(dims))
    trained = set(range(len(layers))) - set(frozen)
    if len(trained) + len(set(frozen)) != len(layers):
        raise ValueError("no such layer")
    flops = 0
    while layers:
        d_in, d_out = layers.pop()
        here = len(layers)
        flops += 2 * batch * d_in * d_out * (here in trained)
        if input_needs_grad or any(index < here for index in trained):
            flops += 2 * batch * d_in * d_out
    return flops


@answers("mlp_backward_flops")
def by_recursion_from_the_front(batch, dims, input_needs_grad=False, frozen=()):
    if frozen and (min(frozen) < 0 or max(frozen) >= len(dims) - 1):
        raise ValueError(frozen)
    if len(dims) == 1:
        return 0
    trained = 0 not in frozen
    rest = tuple(index - 1 for index in frozen if index)
    here = 2 * batch * dims[0] * dims[1]
    return (
        here * trained
        + here * input_needs_grad
        + by_recursion_from_the_front(batch, dims[1:], input_needs_grad or trained, rest)
    )


class _Value:
    """What one layer hands to the next: its width, and whether a gradient comes back to it."""

    def __init__(self, width, needs_grad):
        self.width, self.needs_grad, self.flops = width, needs_grad, 0

    def __matmul__(self, weight):
        (d_in, d_out), trained = weight
        after = _Value(d_out, self.needs_grad | trained)
        after.flops = self.flops + by_adding_up_products(1, d_in, d_out, self.needs_grad, trained)
        return after


@answers("mlp_backward_flops")
def by_values_that_know_whether_they_need_a_gradient(batch, dims, input_needs_grad=False, frozen=()):
    weights = [[pair, True] for pair in itertools.pairwise(dims)]
    for index in frozen:
        if index < 0:
            raise ValueError("-1 is none")
        try:
            weights[index][1] = False
        except IndexError as error:
            raise ValueError(index) from error
    return batch * functools.reduce(operator.matmul, weights, _Value(dims[0], input_needs_grad)).flops


@answers("mlp_backward_flops")
def by_numpy_masks(batch, dims, input_needs_grad=False, frozen=()):
    widths = np.array(dims, dtype=object)
    costs = 2 * batch * widths[:-1] * widths[1:]
    trained = np.ones(len(costs), dtype=bool)
    for index in frozen:
        if index not in range(len(costs)):
            raise ValueError(index)
        trained[index] = False
    upstream = np.concatenate([[input_needs_grad], input_needs_grad | np.logical_or.accumulate(trained)])[:-1]
    return sum(costs[trained].tolist()) + sum(costs[upstream.astype(bool)].tolist())


# matmul_backward


@answers("matmul_backward")
def by_einsum_and_sums_one_dimension_at_a_time(a, b, grad_out):
    def like(raw, operand):
        while raw.dim() > operand.dim():
            raw = raw.sum(0)
        for dim in range(raw.dim()):
            if operand.size(dim) == 1:
                raw = raw.sum(dim, keepdim=True)
        return raw

    return (
        like(torch.einsum("...mn,...kn->...mk", grad_out, b), a),
        like(torch.einsum("...mk,...mn->...kn", a, grad_out), b),
    )


@answers("matmul_backward")
def by_what_each_element_does_to_the_result(a, b, grad_out):
    # The product is linear in each operand: the gradient of an element is grad_out · (the product with 1 there).
    def probe(operand, product):
        grads = []
        for place in range(operand.numel()):
            unit = torch.zeros(operand.numel(), dtype=operand.dtype, device=operand.device)
            unit[place] = 1
            grads.append((grad_out * product(unit.view(operand.shape))).sum())
        return torch.stack(grads).reshape(operand.shape) if grads else torch.zeros_like(operand)

    return probe(a, lambda unit: unit @ b), probe(b, lambda unit: a @ unit)


@answers("matmul_backward")
def by_numpy_one_matrix_at_a_time(a, b, grad_out):
    x, y, grad = (t.detach().cpu().numpy() for t in (a, b, grad_out))
    grad_x, grad_y = np.zeros_like(x), np.zeros_like(y)

    def place(shape, at):
        at = at[len(at) - len(shape) :]
        return tuple(0 if size == 1 else index for size, index in zip(shape, at))

    for at in np.ndindex(*grad.shape[:-2]):
        in_x, in_y = place(x.shape[:-2], at), place(y.shape[:-2], at)
        grad_x[in_x] += grad[at] @ y[in_y].T
        grad_y[in_y] += x[in_x].T @ grad[at]
    return torch.from_numpy(grad_x).to(a.device), torch.from_numpy(grad_y).to(b.device)


@answers("matmul_backward")
def by_peeling_off_batches(a, b, grad_out):
    if grad_out.ndim == 2:
        return torch.mm(grad_out, b.t()), torch.mm(a.t(), grad_out)
    grad_a, grad_b = torch.zeros_like(a), torch.zeros_like(b)
    for index, grad in enumerate(grad_out):
        parts = []
        for operand, into in ((a, grad_a), (b, grad_b)):
            if operand.ndim < grad_out.ndim:
                parts.append((operand, into))
            else:
                index_here = 0 if operand.shape[0] == 1 else index
                parts.append((operand[index_here], into[index_here]))
        for (_, into), part in zip(parts, by_peeling_off_batches(parts[0][0], parts[1][0], grad)):
            into += part
    return grad_a, grad_b


@answers("matmul_backward")
def by_einops_and_double_precision(a, b, grad_out):
    rank = grad_out.ndim - 2
    names = [f"d{place}" for place in range(rank)]

    def back(raw, operand):
        batch = names[rank - (operand.ndim - 2) :]
        stretched = {name for name, size in zip(batch, operand.shape) if size == 1}
        kept = ["1" if name in stretched else name for name in batch]
        return einops.reduce(raw, f"{' '.join(names)} x y -> {' '.join(kept)} x y", "sum").to(operand.dtype)

    x, y, grad = a.double(), b.double(), grad_out.double()
    grad_a = back(einops.einsum(y, grad, "... k n, ... m n -> ... m k"), a)
    grad_b = back(einops.einsum(grad, x, "... m n, ... m k -> ... k n"), b)
    return grad_a, grad_b


# train_step_flops


@answers("train_step_flops")
def by_6_for_each_weight_less_the_first_layer(batch, dims):
    if len(dims) == 1:
        return 0
    first, *others = (d_in * d_out for d_in, d_out in zip(dims, dims[1:]))
    return batch * (4 * first + 6 * sum(others))


@answers("train_step_flops")
def layer_by_layer_from_a_generator(batch, dims):
    def products():
        for index in range(1, len(dims)):
            d_in, d_out = dims[index - 1], dims[index]
            yield batch, d_in, d_out
            yield d_in, batch, d_out
            if index > 1:
                yield batch, d_out, d_in

    return sum(2 * m * k * n for m, k, n in products())


# training_flops


@answers("training_flops")
def by_2_and_4(num_params, num_tokens):
    forward = num_params * num_tokens << 1
    backward = forward << 1
    return forward + backward


@answers("training_flops")
def by_exact_fractions(num_params, num_tokens):
    return int(Fraction(num_params) / Fraction(1, 6) * num_tokens)


# training_days


@answers("training_days")
def by_what_one_gpu_does_in_a_day(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    if not (num_gpus > 0 and peak_flops > 0 and mfu > 0):
        raise ValueError("nothing computes")
    a_day = peak_flops * mfu * 60 * 60 * 24
    return (2 + 4) * num_tokens / num_gpus / a_day * num_params


@answers("training_days")
def by_exact_fractions_of_a_day(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    rates = [Fraction(rate) for rate in (num_gpus, peak_flops, mfu)]
    if min(rates) <= 0:
        raise ValueError(rates)
    seconds = Fraction(num_params) * Fraction(num_tokens) * 6 / math.prod(rates)
    return float(seconds / (24 * 60 * 60))


@answers("training_days")
def by_decimals(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    if any(value <= 0 for value in (num_gpus, peak_flops, mfu)):
        raise ValueError
    with localcontext() as context:
        context.prec = 50
        work = 6 * Decimal(num_params) * Decimal(num_tokens)
        return float(work / Decimal(num_gpus) / Decimal(peak_flops) / Decimal(mfu) / 86_400)


# largest_model


@answers("largest_model")
def by_bisection(num_gpus, bytes_per_gpu, bytes_per_param=16):
    if bytes_per_param < 1:
        raise ValueError("bytes")
    fits, too_many = 0, num_gpus * bytes_per_gpu + 1
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        if middle * bytes_per_param <= num_gpus * bytes_per_gpu:
            fits = middle
        else:
            too_many = middle
    return fits


@answers("largest_model")
def by_whole_parameters_and_what_is_left(num_gpus, bytes_per_gpu, bytes_per_param=16):
    if bytes_per_param <= 0:
        raise ValueError(bytes_per_param)
    whole, left = divmod(bytes_per_gpu, bytes_per_param)
    return whole * num_gpus + left * num_gpus // bytes_per_param


@answers("largest_model")
def by_the_floor_of_a_fraction(num_gpus, bytes_per_gpu, bytes_per_param=16):
    if not bytes_per_param > 0:
        raise ValueError
    return math.floor(Fraction(bytes_per_gpu, bytes_per_param) * num_gpus)
