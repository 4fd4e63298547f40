"""Wrong answers that people give to kata 04 about what a training costs."""

from itertools import pairwise

from dojo.judging.diagnose import believes, solution

solved = solution("04_backward_flops")


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
