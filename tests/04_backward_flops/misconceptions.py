"""Wrong answers that people give to kata 04, each with the belief behind it."""

from itertools import pairwise

from dojo.judging.diagnose import believes, solution

solved = solution("04_backward_flops")


def products(a, b, grad_out):
    """The two products that a right answer computes, before the uses of an operand are added up."""
    return grad_out @ b.mT, a.mT @ grad_out


def padded(shape, rank):
    """A shape with ones in front, up to that rank."""
    return (1,) * (rank - len(shape)) + tuple(shape)


# linear_backward_flops


@believes("The backward pass costs as much as the forward pass", about="linear_backward_flops")
def counts_one_product(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    """The forward pass is one product. Each gradient is a product of that size, so two gradients cost twice as much."""
    return 2 * batch * d_in * d_out if input_needs_grad or weight_needs_grad else 0


@believes("The gradient of x is always computed", about="linear_backward_flops")
def always_computes_the_gradient_of_x(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    """torch computes the gradient of x only where x needs one; data does not."""
    return solved.linear_backward_flops(batch, d_in, d_out, True, weight_needs_grad)


@believes("Where the weight is not trained, there is no backward pass", about="linear_backward_flops")
def stops_at_a_frozen_weight(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    """x may need a gradient all the same, and that is one product of its own."""
    if not weight_needs_grad:
        return 0
    return solved.linear_backward_flops(batch, d_in, d_out, input_needs_grad, weight_needs_grad)


@believes("A multiply-add is one FLOP", about="linear_backward_flops")
def counts_multiply_adds(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    """A multiply and an add are two operations: each product costs 2·batch·d_in·d_out."""
    return solved.linear_backward_flops(batch, d_in, d_out, input_needs_grad, weight_needs_grad) // 2


@believes("The gradients of the rows are added up after the product", about="linear_backward_flops")
def adds_up_the_batch_again(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    """The product x.T @ grad_y sums over the batch already: the batch is its inner size."""
    flops = solved.linear_backward_flops(batch, d_in, d_out, input_needs_grad, weight_needs_grad)
    return flops + batch * d_in * d_out * weight_needs_grad


@believes("A float holds any count", about="linear_backward_flops")
def counts_in_a_float(batch, d_in, d_out, input_needs_grad=True, weight_needs_grad=True):
    """A float holds whole numbers exactly up to 2**53 only; Python's int has no limit."""
    return int(float(solved.linear_backward_flops(batch, d_in, d_out, input_needs_grad, weight_needs_grad)))


# mlp_backward_flops


@believes("The first layer computes the gradient of the data", about="mlp_backward_flops")
def counts_the_gradient_of_the_data(batch, dims, input_needs_grad=False, frozen=()):
    """Nobody changes the data, so its gradient is not computed unless input_needs_grad says so."""
    return solved.mlp_backward_flops(batch, dims, True, frozen)


@believes("The first layer never computes the gradient of its input", about="mlp_backward_flops")
def never_counts_the_gradient_of_the_input(batch, dims, input_needs_grad=False, frozen=()):
    """Where the input needs a gradient, the first layer computes one, and every later layer has to pass it on."""
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


@believes("Freezing a layer saves the gradient of its weight and no more", about="mlp_backward_flops")
def goes_back_to_the_first_layer(batch, dims, input_needs_grad=False, frozen=()):
    """Where nothing further upstream is trained, no gradient is passed on either: the pass ends there."""
    solved.mlp_backward_flops(batch, dims, input_needs_grad, frozen)  # refuses what is no layer
    return sum(
        solved.linear_backward_flops(batch, d_in, d_out, input_needs_grad or index > 0, index not in frozen)
        for index, (d_in, d_out) in enumerate(pairwise(dims))
    )


@believes("The backward pass ends at a frozen layer", about="mlp_backward_flops")
def ends_at_a_frozen_layer(batch, dims, input_needs_grad=False, frozen=()):
    """A frozen layer has no gradient of its own to compute, but gradients go through it to the layers before it."""
    flops = solved.mlp_backward_flops(batch, dims, input_needs_grad, frozen)
    return solved.mlp_backward_flops(batch, dims[max(frozen) + 1 :]) if frozen else flops


@believes("The layers that are frozen are the first ones", about="mlp_backward_flops")
def freezes_from_the_front(batch, dims, input_needs_grad=False, frozen=()):
    """`frozen` names layers, not how many there are: any of them may be frozen, in the middle and at the end too."""
    solved.mlp_backward_flops(batch, dims, input_needs_grad, frozen)  # refuses what is no layer
    return solved.mlp_backward_flops(batch, dims, input_needs_grad, tuple(range(len(set(frozen)))))


@believes("Each index in frozen saves a product, so one that comes twice saves two", about="mlp_backward_flops")
def saves_twice(batch, dims, input_needs_grad=False, frozen=()):
    """A layer is frozen or it is not, however often it is named."""
    flops = solved.mlp_backward_flops(batch, dims, input_needs_grad, frozen)
    again = list(frozen)
    for index in set(frozen):
        again.remove(index)
    return flops - sum(2 * batch * dims[index] * dims[index + 1] for index in again)


@believes("A negative index counts from the last layer", about="mlp_backward_flops")
def counts_layers_from_the_end(batch, dims, input_needs_grad=False, frozen=()):
    """It does in a Python list. Here -1 is no layer, and is refused."""
    layers = len(dims) - 1
    found = tuple(index + layers if -layers <= index < 0 else index for index in frozen)
    return solved.mlp_backward_flops(batch, dims, input_needs_grad, found)


@believes("An index that is no layer freezes nothing, and that is all", about="mlp_backward_flops")
def overlooks_what_is_no_layer(batch, dims, input_needs_grad=False, frozen=()):
    """An index that is no layer is a slip of the caller, who is told with a ValueError."""
    layers = range(len(dims) - 1)
    return solved.mlp_backward_flops(batch, dims, input_needs_grad, tuple(i for i in frozen if i in layers))


@believes("Without layers there is nothing to refuse", about="mlp_backward_flops")
def asks_no_more_without_layers(batch, dims, input_needs_grad=False, frozen=()):
    """Where there are no layers, every index is that of no layer."""
    return solved.mlp_backward_flops(batch, dims, input_needs_grad, frozen) if len(dims) > 1 else 0


# matmul_backward


@believes("The product has the shape of the operand", about="matmul_backward")
def leaves_the_broadcast_batch(a, b, grad_out):
    """Only where nothing was broadcast. An operand that is used 8 times has one gradient, the sum over the 8 uses."""
    return products(a, b, grad_out)


@believes("Only dimensions that the operand lacks are summed", about="matmul_backward")
def sums_leading_dimensions_alone(a, b, grad_out):
    """A dimension of size 1 that was stretched is used many times as well, and its gradient has size 1."""
    first, second = products(a, b, grad_out)
    grad_a, grad_b = (
        raw.sum(tuple(range(raw.ndim - x.ndim))) if raw.ndim > x.ndim else raw for raw, x in ((first, a), (second, b))
    )
    return grad_a, grad_b


@believes("A sum along a dimension of size 1 keeps that dimension", about="matmul_backward")
def loses_dimensions_of_size_1(a, b, grad_out):
    """A sum drops the dimension unless it is told to keep it, and then the gradient has too few."""

    def summed(raw, x):
        wanted = padded(x.shape, raw.ndim)
        dims = [d for d in range(raw.ndim) if d < raw.ndim - x.ndim or (wanted[d] == 1 and raw.shape[d] != 1)]
        return raw.sum(dims) if dims else raw

    first, second = products(a, b, grad_out)
    return summed(first, a), summed(second, b)


@believes("The gradient of what is used many times is the mean over its uses", about="matmul_backward")
def averages_the_uses(a, b, grad_out):
    """Each use adds its share to the result, so the gradients of the uses are added up and not averaged."""
    grads = solved.matmul_backward(a, b, grad_out)
    grad_a, grad_b = (
        grad / max(1, raw.numel() // max(1, grad.numel()))
        for grad, raw in zip(grads, products(a, b, grad_out), strict=True)
    )
    return grad_a, grad_b


@believes("The uses of an operand lie one behind the other in the batch", about="matmul_backward")
def folds_the_batch(a, b, grad_out):
    """They do where the last part of the batch was stretched. Add up along the dimensions that were stretched."""

    def folded(raw, x, right):
        uses = raw.numel() // x.numel() if x.numel() else 0
        return raw.reshape(*x.shape[:-2], uses, *x.shape[-2:]).sum(-3) if uses else right

    first, second = products(a, b, grad_out)
    grad_a, grad_b = solved.matmul_backward(a, b, grad_out)
    return folded(first, a, grad_a), folded(second, b, grad_b)


@believes("A dimension that was stretched is longer than it was", about="matmul_backward")
def sums_what_became_longer(a, b, grad_out):
    """A size of 1 stretches to 0 as well. Then there is no use to add up, and the gradient is 0, of size 1."""

    def summed(raw, x):
        wanted = padded(x.shape, raw.ndim)
        for dim, size in enumerate(wanted):
            if raw.shape[dim] > size:
                raw = raw.sum(dim, keepdim=True)
        return raw.sum(tuple(range(raw.ndim - x.ndim))) if raw.ndim > x.ndim else raw

    first, second = products(a, b, grad_out)
    return summed(first, a), summed(second, b)


@believes("A transpose turns all dimensions around", about="matmul_backward")
def transposes_everything(a, b, grad_out):
    """Each matrix of the batch is transposed by itself: only the last two dimensions change places."""
    first, second = (x.permute(*reversed(range(x.ndim))) for x in (a, b))
    return (grad_out @ second).sum_to_size(a.shape), (first @ grad_out).sum_to_size(b.shape)


@believes("The gradient of the weight, b, comes first", about="matmul_backward")
def swaps_the_gradients(a, b, grad_out):
    """The gradients stand in the order of the operands: that of a first."""
    return solved.matmul_backward(a, b, grad_out)[::-1]


@believes("A transpose in place is only another way to look at a", about="matmul_backward")
def transposes_in_place(a, b, grad_out):
    """No element moves, but a itself has other dimensions afterwards, and it belongs to the caller."""
    grad_a = (grad_out @ b.mT).sum_to_size(a.shape)
    return grad_a, (a.transpose_(-2, -1) @ grad_out).sum_to_size(b.shape)


@believes("A fresh tensor to add into takes over the dtype of what is added", about="matmul_backward")
def adds_into_float32(a, b, grad_out):
    """A fresh tensor is float32 unless it is told otherwise. The gradient has the dtype of its operand."""
    grad_a, grad_b = solved.matmul_backward(a, b, grad_out)
    return grad_a.float(), grad_b.float()


@believes("The gradient that has the shape of a is that of a", about="matmul_backward")
def tells_gradients_apart_by_shape(a, b, grad_out):
    """Two square matrices have one shape, and so do their gradients: only the product says whose it is."""
    second, first = solved.matmul_backward(a, b, grad_out)
    return (second, first) if second.shape != first.shape else (first, second)


@believes("Where nothing is added up, there is nothing to return", about="matmul_backward")
def forgets_the_sum_over_nothing(a, b, grad_out):
    """A sum over nothing is 0: where the inner size is 0, a and b are empty, and so are their gradients, by shape."""
    grad_a, grad_b = solved.matmul_backward(a, b, grad_out)
    return (grad_a, grad_b) if a.shape[-1] else (grad_a.flatten(), grad_b.flatten())


# train_step_flops


@believes("A step costs 3 times its forward pass", about="train_step_flops")
def counts_every_gradient(batch, dims):
    """The gradient of the data is not computed: the first layer saves one product."""
    return sum(6 * batch * d_in * d_out for d_in, d_out in pairwise(dims))


@believes("The backward pass costs as much as the forward pass", about="train_step_flops")
def doubles_the_forward_pass(batch, dims):
    """A layer has two gradients to compute, that of its weight and that of its input, and each is one product."""
    return sum(4 * batch * d_in * d_out for d_in, d_out in pairwise(dims))


@believes("Only the backward pass belongs to a training step", about="train_step_flops")
def forgets_the_forward_pass(batch, dims):
    """Without a forward pass there is no loss to take a gradient of: both belong to the step."""
    return solved.mlp_backward_flops(batch, dims)


@believes("The step updates the weights, and that costs a multiply and an add for each", about="train_step_flops")
def counts_the_update(batch, dims):
    """Forward and backward alone are asked for here; the update of the weights is the optimizer's."""
    return solved.train_step_flops(batch, dims) + sum(2 * d_in * d_out for d_in, d_out in pairwise(dims))


@believes("The backward pass begins at the last layer, so that one saves a product", about="train_step_flops")
def saves_in_the_last_layer(batch, dims):
    """Every layer gets a gradient from behind. The first one need not pass it on, since what it reads is data."""
    flops = sum(6 * batch * d_in * d_out for d_in, d_out in pairwise(dims))
    return flops - 2 * batch * dims[-2] * dims[-1] if len(dims) > 1 else 0


@believes("There is always a first layer", about="train_step_flops")
def takes_a_layer_for_granted(batch, dims):
    """One width alone is no layer, and a step without layers costs 0."""
    return sum(6 * batch * d_in * d_out for d_in, d_out in pairwise(dims)) - 2 * batch * dims[0] * dims[1]


# training_flops


@believes("A model costs 2 FLOPs for each parameter and token", about="training_flops")
def counts_the_forward_pass(num_params, num_tokens):
    """2 is the forward pass alone; the backward pass costs 4 more."""
    return 2 * num_params * num_tokens


@believes("Forward and backward cost the same", about="training_flops")
def counts_the_backward_pass_as_the_forward_pass(num_params, num_tokens):
    """The forward pass is one product for each weight; the backward pass is two."""
    return 4 * num_params * num_tokens


@believes("A multiply-add is one FLOP", about="training_flops")
def counts_multiply_adds_of_training(num_params, num_tokens):
    """A multiply and an add are two operations, so three products cost 6 and not 3."""
    return 3 * num_params * num_tokens


@believes("The backward pass computes the forward pass again", about="training_flops")
def counts_recomputation(num_params, num_tokens):
    """It does with activation checkpointing, which is a choice. The rule of thumb counts what the model needs."""
    return 8 * num_params * num_tokens


@believes("A float holds any count", about="training_flops")
def trains_in_a_float(num_params, num_tokens):
    """A float holds whole numbers exactly up to 2**53 only; Python's int has no limit."""
    return int(6.0 * num_params * num_tokens)


# training_days


@believes("GPUs reach their peak", about="training_days")
def ignores_the_mfu(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """They reach the share `mfu` of it, and a share of one half makes the run twice as long."""
    return solved.training_days(num_params, num_tokens, num_gpus, peak_flops, mfu) * mfu


@believes("Unless something else is said, GPUs reach their peak", about="training_days")
def takes_the_peak_by_default(num_params, num_tokens, num_gpus, peak_flops, mfu=1.0):
    """Where no MFU is given it is 0.5, which counts as good already."""
    return solved.training_days(num_params, num_tokens, num_gpus, peak_flops, mfu)


@believes("The peak counts sparsity, so half of it is promised", about="training_days")
def halves_the_peak(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """peak_flops is taken as it is given; halving what a data sheet quotes with sparsity is for the caller."""
    return solved.training_days(num_params, num_tokens, num_gpus, peak_flops / 2, mfu)


@believes("Training costs 2 FLOPs for each parameter and token", about="training_days")
def trains_by_forward_passes_alone(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """2 is the forward pass alone; with the backward pass it is 6."""
    return solved.training_days(num_params / 3, num_tokens, num_gpus, peak_flops, mfu)


@believes("A day has 24 · 60 seconds", about="training_days")
def takes_minutes_for_seconds(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """Those are its minutes. A day has 24 · 60 · 60 = 86400 seconds."""
    return 60 * solved.training_days(num_params, num_tokens, num_gpus, peak_flops, mfu)


@believes("Only 0 cannot be divided by, so only 0 is refused", about="training_days")
def lets_negatives_through(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """Below 0, GPUs, a peak and an MFU mean nothing, and a time below 0 would come out."""
    if num_gpus == 0 or peak_flops == 0 or mfu == 0:
        raise ValueError("no GPUs, no peak or no MFU")
    return 6 * num_params * num_tokens / (num_gpus * peak_flops * mfu * 86_400)


@believes("Python's own error for a division by 0 will do", about="training_days")
def leaves_0_to_python(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """A caller is told with a ValueError what is wrong with the arguments; ZeroDivisionError is no ValueError."""
    if num_gpus < 0 or peak_flops < 0 or mfu < 0:
        raise ValueError("GPUs, peak or MFU below 0")
    return 6 * num_params * num_tokens / (num_gpus * peak_flops * mfu * 86_400)


@believes("Where the product of GPUs, peak and MFU is above 0, so are all three", about="training_days")
def checks_the_product(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """Two numbers below 0 have a product above 0; each of the three is looked at alone."""
    rate = num_gpus * peak_flops * mfu
    if rate <= 0:
        raise ValueError("nothing is computed")
    return 6 * num_params * num_tokens / (rate * 86_400)


@believes("There is always a GPU", about="training_days")
def takes_a_gpu_for_granted(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """Without one nothing is computed either: it is refused like a peak or an MFU of 0, with a ValueError."""
    if num_gpus < 0 or peak_flops <= 0 or mfu <= 0:
        raise ValueError("GPUs, peak or MFU below 0")
    return 6 * num_params * num_tokens / (num_gpus * peak_flops * mfu * 86_400)


@believes("The MFU is a factor of the time", about="training_days")
def multiplies_by_the_mfu(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """A lower MFU makes the training longer, so the time is divided by it."""
    return solved.training_days(num_params, num_tokens, num_gpus, peak_flops, mfu) * mfu**2


# largest_model


@believes("Each GPU holds whole parameters of its own", about="largest_model")
def rounds_down_on_each_gpu(num_gpus, bytes_per_gpu, bytes_per_param=16):
    """The memory of all the GPUs is one here: what is left over on two of them can hold one more parameter."""
    return num_gpus * solved.largest_model(1, bytes_per_gpu, bytes_per_param)


@believes("Each GPU holds the whole model", about="largest_model")
def copies_the_model_to_each_gpu(num_gpus, bytes_per_gpu, bytes_per_param=16):
    """The model is sharded: each GPU holds a part of it, and together they hold as much as their memory together."""
    return solved.largest_model(1, bytes_per_gpu, bytes_per_param)


@believes("A parameter takes 4 bytes", about="largest_model")
def forgets_gradient_and_states(num_gpus, bytes_per_gpu, bytes_per_param=4):
    """Its gradient and two states of the optimizer take 4 bytes each as well: 16 together."""
    return solved.largest_model(num_gpus, bytes_per_gpu, bytes_per_param)


@believes("A float division that is cut off afterwards is exact", about="largest_model")
def divides_in_floats(num_gpus, bytes_per_gpu, bytes_per_param=16):
    """A float holds whole numbers exactly up to 2**53 only; a division of integers that rounds down is exact."""
    solved.largest_model(num_gpus, bytes_per_gpu, bytes_per_param)  # refuses what is no size
    return int(num_gpus * bytes_per_gpu / bytes_per_param)


@believes("A parameter that fits in part counts", about="largest_model")
def rounds_up(num_gpus, bytes_per_gpu, bytes_per_param=16):
    """All of its bytes have to fit: round down."""
    return solved.largest_model(1, num_gpus * bytes_per_gpu + max(bytes_per_param, 1) - 1, bytes_per_param)


@believes("Only 0 cannot be divided by, so only 0 is refused", about="largest_model")
def lets_negative_bytes_through(num_gpus, bytes_per_gpu, bytes_per_param=16):
    """No parameter takes fewer than 0 bytes, and a model of fewer than 0 parameters would come out."""
    if bytes_per_param == 0:
        raise ValueError("a parameter takes more than 0 bytes")
    return num_gpus * bytes_per_gpu // bytes_per_param


@believes("Python's own error for a division by 0 will do", about="largest_model")
def leaves_0_bytes_to_python(num_gpus, bytes_per_gpu, bytes_per_param=16):
    """A caller is told with a ValueError what is wrong with the arguments; ZeroDivisionError is no ValueError."""
    if bytes_per_param < 0:
        raise ValueError("a parameter takes more than 0 bytes")
    return num_gpus * bytes_per_gpu // bytes_per_param
