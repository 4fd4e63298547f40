"""Wrong answers that people give to kata 04 about the products of the backward pass."""

from itertools import pairwise
from typing import Any

from dojo.judging.diagnose import believes, solution

solved = solution("04_backward_flops")


def products(a, b, grad_out):
    """Return the two products of a right answer, before the sum over the uses of an operand."""
    return grad_out @ b.mT, a.mT @ grad_out


def padded(shape, rank):
    """Return the shape with ones in front, up to that rank."""
    return (1,) * (rank - len(shape)) + tuple(shape)


# linear_backward_flops


@believes("The backward pass costs as much as the forward pass", about="linear_backward_flops")
def counts_one_product(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    """The forward pass is one product. Each gradient is a product of that size, so two gradients cost twice as much."""
    return 2 * batch * d_in * d_out if input_needs_grad or weight_needs_grad else 0


@believes("The gradient of x is always computed", about="linear_backward_flops")
def always_computes_the_gradient_of_x(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    """torch computes the gradient of x only if x needs one, and data does not."""
    return solved.linear_backward_flops(batch, d_in, d_out, True, weight_needs_grad)


@believes("If the weight is not trained, there is no backward pass", about="linear_backward_flops")
def stops_at_a_frozen_weight(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    """x may still need a gradient, and that takes one product."""
    if not weight_needs_grad:
        return 0
    return solved.linear_backward_flops(batch, d_in, d_out, input_needs_grad, weight_needs_grad)


@believes("A multiply-add is one FLOP", about="linear_backward_flops")
def counts_multiply_adds(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    """A multiply and an add are two operations: each product costs 2·batch·d_in·d_out."""
    return solved.linear_backward_flops(batch, d_in, d_out, input_needs_grad, weight_needs_grad) // 2


@believes("The gradients of the rows are added up after the product", about="linear_backward_flops")
def adds_up_the_batch_again(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    """The product x.T @ grad_y already sums over the batch: the batch is its inner size."""
    flops = solved.linear_backward_flops(batch, d_in, d_out, input_needs_grad, weight_needs_grad)
    return flops + batch * d_in * d_out * weight_needs_grad


@believes("A float holds any count", about="linear_backward_flops")
def counts_in_a_float(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    """A float holds whole numbers exactly up to 2**53 only; Python's int has no limit."""
    return int(float(solved.linear_backward_flops(batch, d_in, d_out, input_needs_grad, weight_needs_grad)))


@believes("A float holds any count", about="linear_backward_flops")
def counts_weights_in_a_float(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    """A float holds whole numbers exactly up to 2**53 only; Python's int has no limit."""
    return 2 * batch * int(float(d_in * d_out)) * (input_needs_grad + weight_needs_grad)


# mlp_backward_flops


@believes("The first layer computes the gradient of the data", about="mlp_backward_flops")
def counts_the_gradient_of_the_data(batch, dims, input_needs_grad=False, frozen=()):
    """Nobody changes the data, so its gradient is not computed unless input_needs_grad says so."""
    return solved.mlp_backward_flops(batch, dims, True, frozen)


@believes("The first layer never computes the gradient of its input", about="mlp_backward_flops")
def never_counts_the_gradient_of_the_input(batch, dims, input_needs_grad=False, frozen=()):
    """If the input needs a gradient, the first layer computes one, and every later layer has to pass it on."""
    return solved.mlp_backward_flops(batch, dims, False, frozen)


@believes("A frozen layer costs nothing", about="mlp_backward_flops")
def skips_frozen_layers(batch, dims, input_needs_grad=False, frozen=()):
    """A frozen layer still passes a gradient on to the layers before it, if one of them is trained."""
    flops = solved.mlp_backward_flops(batch, dims, input_needs_grad, frozen)
    needed = input_needs_grad
    for index, (d_in, d_out) in enumerate(pairwise(dims)):
        if index in frozen and needed:
            flops -= 2 * batch * d_in * d_out
        needed = needed or index not in frozen
    return flops


@believes("Freezing a layer saves the gradient of its weight and nothing else", about="mlp_backward_flops")
def goes_back_to_the_first_layer(batch, dims, input_needs_grad=False, frozen=()):
    """If nothing further upstream is trained, no gradient is passed on either: the backward pass ends there."""
    solved.mlp_backward_flops(batch, dims, input_needs_grad, frozen)  # rejects what is not a layer
    return sum(
        solved.linear_backward_flops(batch, d_in, d_out, input_needs_grad or index > 0, index not in frozen)
        for index, (d_in, d_out) in enumerate(pairwise(dims))
    )


@believes("The backward pass ends at a frozen layer", about="mlp_backward_flops")
def ends_at_a_frozen_layer(batch, dims, input_needs_grad=False, frozen=()):
    """A frozen layer has no gradient of its own to compute, but gradients go through it to the layers before it."""
    flops = solved.mlp_backward_flops(batch, dims, input_needs_grad, frozen)
    return solved.mlp_backward_flops(batch, dims[max(frozen) + 1 :]) if frozen else flops


@believes("The backward pass ends at a frozen layer", about="mlp_backward_flops")
def breaks_at_a_frozen_layer(batch, dims, input_needs_grad=False, frozen=()):
    """A frozen layer has no gradient of its own to compute, but gradients go through it to the layers before it."""
    flops = solved.mlp_backward_flops(batch, dims, input_needs_grad, frozen)
    if not frozen:
        return flops
    first = max(frozen) + 1
    return flops - solved.mlp_backward_flops(batch, dims[: first + 1], input_needs_grad, frozen)


@believes("The backward pass ends at a frozen layer", about="mlp_backward_flops")
def breaks_the_loop_at_a_frozen_layer(batch, dims, input_needs_grad=False, frozen=()):
    """A frozen layer has no gradient of its own to compute, but gradients go through it to the layers before it."""
    flops = solved.mlp_backward_flops(batch, dims, input_needs_grad, frozen)
    return solved.mlp_backward_flops(batch, dims[max(frozen) + 1 :], True) if frozen else flops


@believes("A layer without weights has nothing to train", about="mlp_backward_flops")
def trains_no_empty_layer(batch, dims, input_needs_grad=False, frozen=()):
    """Only `frozen` says which layers are trained. A gradient is passed on to each of them, also to one of width 0."""
    empty = [index for index, widths in enumerate(pairwise(dims)) if 0 in widths]
    return solved.mlp_backward_flops(batch, dims, input_needs_grad, (*frozen, *empty))


@believes("The first layers are frozen", about="mlp_backward_flops")
def freezes_from_the_front(batch, dims, input_needs_grad=False, frozen=()):
    """`frozen` lists layers, not how many there are. Any layer may be frozen, also in the middle and at the end."""
    solved.mlp_backward_flops(batch, dims, input_needs_grad, frozen)  # rejects what is not a layer
    return solved.mlp_backward_flops(batch, dims, input_needs_grad, tuple(range(len(set(frozen)))))


@believes("An index that occurs twice in frozen saves two products", about="mlp_backward_flops")
def saves_twice(batch, dims, input_needs_grad=False, frozen=()):
    """A layer is frozen or not, however often it is listed."""
    flops = solved.mlp_backward_flops(batch, dims, input_needs_grad, frozen)
    again = list(frozen)
    for index in set(frozen):
        again.remove(index)
    return flops - sum(2 * batch * dims[index] * dims[index + 1] for index in again)


@believes("A negative index counts from the last layer", about="mlp_backward_flops")
def counts_layers_from_the_end(batch, dims, input_needs_grad=False, frozen=()):
    """It does in a Python list. Here it raises a ValueError."""
    layers = len(dims) - 1
    found = tuple(index + layers if -layers <= index < 0 else index for index in frozen)
    return solved.mlp_backward_flops(batch, dims, input_needs_grad, found)


@believes("An index that is no layer is ignored", about="mlp_backward_flops")
def overlooks_what_is_no_layer(batch, dims, input_needs_grad=False, frozen=()):
    """It is the caller's mistake: raise ValueError."""
    layers = range(len(dims) - 1)
    return solved.mlp_backward_flops(batch, dims, input_needs_grad, tuple(i for i in frozen if i in layers))


@believes("Without layers, no index is refused", about="mlp_backward_flops")
def asks_no_more_without_layers(batch, dims, input_needs_grad=False, frozen=()):
    """Without layers, every index is out of range: raise ValueError."""
    return solved.mlp_backward_flops(batch, dims, input_needs_grad, frozen) if len(dims) > 1 else 0


# matmul_backward


@believes("The product already has the shape of the operand", about="matmul_backward")
def leaves_the_broadcast_batch(a, b, grad_out):
    """That is true only if nothing was broadcast: an operand used 8 times has one gradient, the sum over its uses."""
    return products(a, b, grad_out)


@believes("Only dimensions that the operand lacks are summed over", about="matmul_backward")
def sums_leading_dimensions_alone(a, b, grad_out):
    """A dimension of size 1 that was stretched is used many times too, and its gradient has size 1."""
    first, second = products(a, b, grad_out)
    grad_a, grad_b = (
        raw.sum(tuple(range(raw.ndim - x.ndim))) if raw.ndim > x.ndim else raw for raw, x in ((first, a), (second, b))
    )
    return grad_a, grad_b


@believes("A sum over a dimension keeps it with size 1", about="matmul_backward")
def loses_dimensions_of_size_1(a, b, grad_out):
    """It drops the dimension unless keepdim=True. Without it, the gradient has too few dimensions."""

    def summed(raw, x):
        wanted = padded(x.shape, raw.ndim)
        dims = [d for d in range(raw.ndim) if d < raw.ndim - x.ndim or (wanted[d] == 1 and raw.shape[d] != 1)]
        return raw.sum(dims) if dims else raw

    first, second = products(a, b, grad_out)
    return summed(first, a), summed(second, b)


@believes("The gradient of an operand that is used many times is a mean", about="matmul_backward")
def averages_the_uses(a, b, grad_out):
    """Each use contributes to the result, so the gradients of the uses are summed."""
    grads = solved.matmul_backward(a, b, grad_out)
    grad_a, grad_b = (
        grad / max(1, raw.numel() // max(1, grad.numel()))
        for grad, raw in zip(grads, products(a, b, grad_out), strict=True)
    )
    return grad_a, grad_b


@believes("The uses of an operand are consecutive in the batch", about="matmul_backward")
def folds_the_batch(a, b, grad_out):
    """They are only if the last batch dimensions were stretched: sum over the dimensions that were stretched."""

    def folded(raw, x, right):
        uses = raw.numel() // x.numel() if x.numel() else 0
        return raw.reshape(*x.shape[:-2], uses, *x.shape[-2:]).sum(-3) if uses else right

    first, second = products(a, b, grad_out)
    grad_a, grad_b = solved.matmul_backward(a, b, grad_out)
    return folded(first, a, grad_a), folded(second, b, grad_b)


@believes("Only a dimension that has become larger was stretched", about="matmul_backward")
def sums_what_became_longer(a, b, grad_out):
    """A size of 1 can also stretch to 0. Then there are no uses to sum, and the gradient is 0, with size 1."""

    def summed(raw, x):
        wanted = padded(x.shape, raw.ndim)
        for dim, size in enumerate(wanted):
            if raw.shape[dim] > size:
                raw = raw.sum(dim, keepdim=True)
        return raw.sum(tuple(range(raw.ndim - x.ndim))) if raw.ndim > x.ndim else raw

    first, second = products(a, b, grad_out)
    return summed(first, a), summed(second, b)


@believes("A transpose reverses all dimensions", about="matmul_backward")
def transposes_everything(a, b, grad_out):
    """Each matrix of the batch is transposed separately: only the last two dimensions are swapped."""
    first, second = (x.permute(*reversed(range(x.ndim))) for x in (a, b))
    return (grad_out @ second).sum_to_size(a.shape), (first @ grad_out).sum_to_size(b.shape)


@believes("The gradient of b comes first", about="matmul_backward")
def swaps_the_gradients(a, b, grad_out):
    """The gradients come in the order of the operands: that of a is first."""
    return solved.matmul_backward(a, b, grad_out)[::-1]


@believes("a may be transposed in place", about="matmul_backward")
def transposes_in_place(a, b, grad_out):
    """Its elements do not move, but its shape changes, and a belongs to the caller."""
    grad_a = (grad_out @ b.mT).sum_to_size(a.shape)
    return grad_a, (a.transpose_(-2, -1) @ grad_out).sum_to_size(b.shape)


@believes("A fresh tensor takes the dtype of what is added to it", about="matmul_backward")
def adds_into_float32(a, b, grad_out):
    """A fresh tensor is float32 unless you pass another dtype. The gradient has the dtype of its operand."""
    grad_a, grad_b = solved.matmul_backward(a, b, grad_out)
    return grad_a.float(), grad_b.float()


@believes("The gradient with the shape of a is that of a", about="matmul_backward")
def tells_gradients_apart_by_shape(a, b, grad_out):
    """If both matrices are square, both gradients have that shape: the product decides which is which."""
    second, first = solved.matmul_backward(a, b, grad_out)
    return (second, first) if second.shape != first.shape else (first, second)


@believes("A sum over nothing has no result", about="matmul_backward")
def forgets_the_sum_over_nothing(a, b, grad_out):
    """It is 0: if the inner size is 0, the gradients are empty tensors with the operands' shapes."""
    grad_a, grad_b = solved.matmul_backward(a, b, grad_out)
    return (grad_a, grad_b) if a.shape[-1] else (grad_a.flatten(), grad_b.flatten())


_filled: dict[object, tuple[Any, Any]] = {}


@believes("The tensors of an earlier call can be filled again", about="matmul_backward")
def fills_its_tensors_again(a, b, grad_out):
    """The caller may still use them, and would find other numbers in them: return new tensors in each call."""
    grads = solved.matmul_backward(a, b, grad_out)
    held = _filled.setdefault((a.shape, b.shape, a.dtype, a.is_inference()), grads)
    return tuple(old.copy_(new) for old, new in zip(held, grads, strict=True))
