"""Wrong answers to kata 04 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("04_backward_flops")


@answers("mlp_backward_flops")
def counts_the_first_layer_alone(batch, dims, input_needs_grad=False, frozen=()):
    """Only what is next to the data."""
    solved.mlp_backward_flops(batch, dims, input_needs_grad, frozen)
    return solved.mlp_backward_flops(batch, dims[:2], input_needs_grad, tuple({*frozen} & {0}) if dims[1:] else ())


@answers("matmul_backward")
def swaps_the_gradients_signs(a, b, grad_out):
    """The gradient points downhill."""
    grad_a, grad_b = solved.matmul_backward(a, b, grad_out)
    return -grad_a, -grad_b


@answers("training_days")
def counts_years_of_working_days(num_params, num_tokens, num_gpus, peak_flops, mfu=0.5):
    """The GPUs rest at the weekend."""
    return solved.training_days(num_params, num_tokens, num_gpus, peak_flops, mfu) * 7 / 5
