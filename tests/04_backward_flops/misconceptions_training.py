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


@believes("Only the backward pass counts", about="train_step_flops")
def forgets_the_forward_pass(batch, dims):
    """The forward pass is part of the step too."""
    return solved.mlp_backward_flops(batch, dims)


@believes("The update of the weights counts", about="train_step_flops")
def counts_the_update(batch, dims):
    """Only forward and backward count. The update belongs to the optimizer."""
    return solved.train_step_flops(batch, dims) + sum(2 * d_in * d_out for d_in, d_out in pairwise(dims))


@believes("The last layer saves a product, since the backward pass begins there", about="train_step_flops")
def saves_in_the_last_layer(batch, dims):
    """Every layer receives a gradient. Only the first one does not pass it on, because its input is data."""
    flops = sum(6 * batch * d_in * d_out for d_in, d_out in pairwise(dims))
    return flops - 2 * batch * dims[-2] * dims[-1] if len(dims) > 1 else 0


@believes("There is at least one layer", about="train_step_flops")
def takes_a_layer_for_granted(batch, dims):
    """With one width there is no layer, and the step costs 0."""
    return sum(6 * batch * d_in * d_out for d_in, d_out in pairwise(dims)) - 2 * batch * dims[0] * dims[1]


# training_flops


@believes("A model costs 2 FLOPs for each parameter and token", about="training_flops")
def counts_the_forward_pass(num_params, num_tokens):
    """2 is the forward pass alone; the backward pass costs 4 more."""
    return solved.training_flops(num_params, num_tokens) // 3


@believes("Forward and backward cost the same", about="training_flops")
def counts_the_backward_pass_as_the_forward_pass(num_params, num_tokens):
    """The forward pass is one product for each weight; the backward pass is two."""
    return solved.training_flops(num_params, num_tokens) // 3 * 2


@believes("A multiply-add is one FLOP", about="training_flops")
def counts_multiply_adds_of_training(num_params, num_tokens):
    """A multiply and an add are two operations, so three products cost 6, not 3."""
    return solved.training_flops(num_params, num_tokens) // 2


@believes("The backward pass computes the forward pass again", about="training_flops")
def counts_recomputation(num_params, num_tokens):
    """It does so only with activation checkpointing. The rule of thumb does not count that."""
    return solved.training_flops(num_params, num_tokens) // 3 * 4


@believes("A float holds any count", about="training_flops")
def trains_in_a_float(num_params, num_tokens):
    """A float holds whole numbers exactly up to 2**53 only; Python's int has no limit."""
    return int(6.0 * num_params * num_tokens)


@believes("A float holds any count", about="training_flops")
def rounds_the_product(num_params, num_tokens):
    """A float holds whole numbers exactly up to 2**53 only; Python's int has no limit."""
    return int(float(num_params * num_tokens) * 6)


# training_days


@believes("GPUs reach their peak", about="training_days")
def ignores_the_mfu(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """They reach only the fraction `mfu` of it: at one half, the run takes twice as long."""
    return solved.training_days(num_params, num_tokens, num_gpus, peak_flops, mfu) * mfu


@believes("The default MFU is 1", about="training_days")
def takes_the_peak_by_default(num_params, num_tokens, num_gpus, peak_flops, mfu=1.0):
    """It is 0.5."""
    return solved.training_days(num_params, num_tokens, num_gpus, peak_flops, mfu)


@believes("The peak counts sparsity, so half of it is promised", about="training_days")
def halves_the_peak(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """peak_flops is used as it is. If a data sheet quotes a peak with sparsity, the caller has to halve it."""
    return solved.training_days(num_params, num_tokens, num_gpus, peak_flops / 2, mfu)


@believes("Training costs 2 FLOPs for each parameter and token", about="training_days")
def trains_by_forward_passes_alone(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """2 is the forward pass alone; with the backward pass it is 6."""
    return solved.training_days(num_params / 3, num_tokens, num_gpus, peak_flops, mfu)


@believes("A day has 24 · 60 seconds", about="training_days")
def takes_minutes_for_seconds(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """That is the number of minutes. A day has 24 · 60 · 60 = 86400 seconds."""
    return 60 * solved.training_days(num_params, num_tokens, num_gpus, peak_flops, mfu)


@believes("Only 0 is refused", about="training_days")
def lets_negatives_through(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """A negative number of GPUs, peak or MFU is a mistake too: raise ValueError."""
    if num_gpus == 0 or peak_flops == 0 or mfu == 0:
        raise ValueError("no GPUs, no peak or no MFU")
    return 6 * num_params * num_tokens / (num_gpus * peak_flops * mfu * 86_400)


@believes("Python's own ZeroDivisionError is enough", about="training_days")
def leaves_0_to_python(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """`except ValueError` does not catch it: check first, and raise ValueError."""
    if num_gpus < 0 or peak_flops < 0 or mfu < 0:
        raise ValueError("GPUs, peak or MFU below 0")
    return 6 * num_params * num_tokens / (num_gpus * peak_flops * mfu * 86_400)


@believes("It is enough to check the product of GPUs, peak and MFU", about="training_days")
def checks_the_product(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """Two negative numbers have a positive product: check each of the three."""
    rate = num_gpus * peak_flops * mfu
    if rate <= 0:
        raise ValueError("nothing is computed")
    return 6 * num_params * num_tokens / (rate * 86_400)


@believes("It is enough to check GPUs times peak, and peak times MFU", about="training_days")
def checks_two_products(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """If all three are negative, both products are positive: check each of the three."""
    if num_gpus * peak_flops <= 0 or peak_flops * mfu <= 0:
        raise ValueError("nothing is computed")
    return 6 * num_params * num_tokens / (num_gpus * peak_flops * mfu * 86_400)


@believes("There is at least one GPU", about="training_days")
def takes_a_gpu_for_granted(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """A num_gpus of 0 or less raises a ValueError, like a peak or an MFU of 0 or less."""
    if num_gpus < 0 or peak_flops <= 0 or mfu <= 0:
        raise ValueError("GPUs, peak or MFU below 0")
    return 6 * num_params * num_tokens / (num_gpus * peak_flops * mfu * 86_400)


@believes("The time is multiplied by the MFU", about="training_days")
def multiplies_by_the_mfu(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """A lower MFU makes the training longer, so the time is divided by it."""
    return solved.training_days(num_params, num_tokens, num_gpus, peak_flops, mfu) * mfu**2


# largest_model


@believes("Each GPU holds a whole number of parameters", about="largest_model")
def rounds_down_on_each_gpu(num_gpus, bytes_per_gpu, bytes_per_param=16):
    """Here the memory of all GPUs counts as one: what is left over on two of them can hold one more parameter."""
    return num_gpus * solved.largest_model(1, bytes_per_gpu, bytes_per_param)


@believes("Each GPU holds the whole model", about="largest_model")
def copies_the_model_to_each_gpu(num_gpus, bytes_per_gpu, bytes_per_param=16):
    """The model is sharded here: all GPUs together hold it once."""
    return solved.largest_model(1, bytes_per_gpu, bytes_per_param)


@believes("A parameter takes 4 bytes", about="largest_model")
def forgets_gradient_and_states(num_gpus, bytes_per_gpu, bytes_per_param=4):
    """Its gradient and two optimizer states take 4 bytes each too: 16 together."""
    return solved.largest_model(num_gpus, bytes_per_gpu, bytes_per_param)


@believes("Dividing with / and truncating is exact", about="largest_model")
def divides_in_floats(num_gpus, bytes_per_gpu, bytes_per_param=16):
    """A float holds integers exactly only up to 2**53: use //."""
    solved.largest_model(num_gpus, bytes_per_gpu, bytes_per_param)  # rejects what is not a size
    return int(num_gpus * bytes_per_gpu / bytes_per_param)


@believes("A parameter that fits only partly counts", about="largest_model")
def rounds_up(num_gpus, bytes_per_gpu, bytes_per_param=16):
    """All of its bytes have to fit: round down."""
    return solved.largest_model(1, num_gpus * bytes_per_gpu + max(bytes_per_param, 1) - 1, bytes_per_param)


@believes("Only 0 bytes are refused", about="largest_model")
def lets_negative_bytes_through(num_gpus, bytes_per_gpu, bytes_per_param=16):
    """A negative bytes_per_param is a mistake too: raise ValueError."""
    if bytes_per_param == 0:
        raise ValueError("a parameter takes more than 0 bytes")
    return num_gpus * bytes_per_gpu // bytes_per_param


@believes("Python's own ZeroDivisionError is enough", about="largest_model")
def leaves_0_bytes_to_python(num_gpus, bytes_per_gpu, bytes_per_param=16):
    """`except ValueError` does not catch it: check first, and raise ValueError."""
    if bytes_per_param < 0:
        raise ValueError("a parameter takes more than 0 bytes")
    return num_gpus * bytes_per_gpu // bytes_per_param
