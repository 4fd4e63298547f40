"""Wrong answers that people give to kata 12 about clipping."""

import math

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("12_training_loop")

# clip_gradients


def _check(max_norm):
    if max_norm < 0:
        raise ValueError(max_norm)


def _held(parameters):
    return [p.grad for p in parameters if p.grad is not None]


def _norm(gradients):
    return math.sqrt(sum(float(gradient.square().sum()) for gradient in gradients))


def _scale(gradients, factor):
    if factor < 1:
        for gradient in gradients:
            gradient.mul_(factor)


@believes("Each gradient is clipped to max_norm by itself", about="clip_gradients")
def clips_each_by_itself(parameters, max_norm):
    """That changes the direction of the step: all gradients are one vector, multiplied by one factor."""
    _check(max_norm)
    gradients = _held(parameters)
    norm = _norm(gradients)
    for gradient in gradients:
        _scale([gradient], max_norm / (_norm([gradient]) + 1e-6))
    return norm


@believes("Clipping limits each element", about="clip_gradients")
def clips_the_values(parameters, max_norm):
    """That changes the direction of the step: multiply all elements by one factor."""
    _check(max_norm)
    gradients = _held(parameters)
    norm = _norm(gradients)
    for gradient in gradients:
        gradient.clamp_(-max_norm, max_norm)
    return norm


@believes("The factor is max_norm / norm", about="clip_gradients")
def adds_nothing(parameters, max_norm):
    """The factor is max_norm / (norm + 1e-6), as in torch, so the clipped norm is a little below max_norm."""
    _check(max_norm)
    gradients = _held(parameters)
    norm = _norm(gradients)
    _scale(gradients, max_norm / norm if norm else 1.0)
    return norm


@believes("Clipping makes the norm max_norm in any case", about="clip_gradients")
def lengthens_short_ones(parameters, max_norm):
    """Gradients with a smaller norm stay as they are: the factor is at most 1."""
    _check(max_norm)
    gradients = _held(parameters)
    norm = _norm(gradients)
    for gradient in gradients:
        gradient.mul_(max_norm / (norm + 1e-6) if math.isfinite(max_norm) else 1.0)
    return norm


@believes("The norm that is returned is the clipped one", about="clip_gradients")
def returns_the_norm_after(parameters, max_norm):
    """The result is the norm before clipping, which tells how large the gradients were."""
    gradients = list(parameters)
    solved.clip_gradients(gradients, max_norm)
    return _norm(_held(gradients))


@believes("The result is the factor", about="clip_gradients")
def returns_the_factor(parameters, max_norm):
    """The result is the norm before clipping."""
    return min(1.0, max_norm / (solved.clip_gradients(parameters, max_norm) + 1e-6))


@believes("p.grad may become a new tensor", about="clip_gradients")
def replaces_the_gradients(parameters, max_norm):
    """p.grad has to stay the same tensor, because others may hold it: multiply in place."""
    _check(max_norm)
    parameters = [p for p in parameters if p.grad is not None]
    norm = _norm(p.grad for p in parameters)
    if max_norm < norm + 1e-6:
        for p in parameters:
            p.grad = p.grad * (max_norm / (norm + 1e-6))
    return norm


@believes("The norm of all gradients is the sum of their norms", about="clip_gradients")
def adds_the_norms(parameters, max_norm):
    """Their squares add up: parts with the norms 3 and 4 have the norm 5 together."""
    _check(max_norm)
    gradients = _held(parameters)
    norm = sum(_norm([gradient]) for gradient in gradients)
    _scale(gradients, max_norm / (norm + 1e-6))
    return float(norm)


@believes("The norm of all gradients is the largest of their norms", about="clip_gradients")
def takes_the_largest_norm(parameters, max_norm):
    """Their squares add up: parts with the norms 3 and 4 have the norm 5 together."""
    _check(max_norm)
    gradients = _held(parameters)
    norm = max((_norm([gradient]) for gradient in gradients), default=0.0)
    _scale(gradients, max_norm / (norm + 1e-6))
    return norm


@believes("A norm is the sum of squares", about="clip_gradients")
def forgets_the_root(parameters, max_norm):
    """A norm is the square root of the sum of squares."""
    _check(max_norm)
    gradients = _held(parameters)
    norm = _norm(gradients) ** 2
    _scale(gradients, max_norm / (norm + 1e-6))
    return norm


@believes("A norm is the sum of absolute values", about="clip_gradients")
def takes_absolute_values(parameters, max_norm):
    """That is the L1 norm: this one is the root of the sum of squares."""
    _check(max_norm)
    gradients = _held(parameters)
    norm = float(sum(gradient.abs().sum().item() for gradient in gradients))
    _scale(gradients, max_norm / (norm + 1e-6))
    return norm


@believes("A norm is the largest absolute value", about="clip_gradients")
def takes_the_largest_value(parameters, max_norm):
    """That is the infinity norm: this one is the root of the sum of squares."""
    _check(max_norm)
    gradients = _held(parameters)
    norm = max((gradient.abs().max().item() for gradient in gradients if gradient.numel()), default=0.0)
    _scale(gradients, max_norm / (norm + 1e-6))
    return norm


@believes("The norm is the root of the mean square", about="clip_gradients")
def takes_the_root_of_the_mean(parameters, max_norm):
    """It is the root of the sum of squares, and grows with the number of elements."""
    _check(max_norm)
    gradients = _held(parameters)
    norm = _norm(gradients) / math.sqrt(max(1, sum(gradient.numel() for gradient in gradients)))
    _scale(gradients, max_norm / (norm + 1e-6))
    return norm


@believes("Clipping changes the parameters", about="clip_gradients")
def clips_the_parameters(parameters, max_norm):
    """Parameters stay as they are: only their gradients are clipped."""
    _check(max_norm)
    parameters = [p for p in parameters if p.grad is not None]
    norm = _norm(p.grad for p in parameters)
    _scale([p.data for p in parameters], max_norm / (norm + 1e-6))
    return norm


@believes("A generator can be iterated over twice", about="clip_gradients")
def asks_a_generator_twice(parameters, max_norm):
    """After the first time it is empty: make a list of it."""
    _check(max_norm)
    norm = _norm(p.grad for p in parameters if p.grad is not None)
    _scale(_held(parameters), max_norm / (norm + 1e-6))
    return norm


@believes("Every parameter has a gradient", about="clip_gradients")
def expects_gradients(parameters, max_norm):
    """It is None where the parameter was not used: leave those out."""
    _check(max_norm)
    gradients = [p.grad for p in parameters]
    norm = _norm(gradients)
    _scale(gradients, max_norm / (norm + 1e-6))
    return norm


@believes("There is at least one gradient", about="clip_gradients")
def stacks_the_norms(parameters, max_norm):
    """torch.stack of an empty list raises: without gradients the norm is 0.0."""
    _check(max_norm)
    gradients = _held(parameters)
    norm = torch.stack([gradient.norm() for gradient in gradients]).norm().item()
    _scale(gradients, max_norm / (norm + 1e-6))
    return norm


@believes("There is at least one parameter", about="clip_gradients")
def asks_the_first_parameter(parameters, max_norm):
    """Of none, parameters[0] raises an IndexError: the norm of nothing is 0.0."""
    _check(max_norm)
    parameters = list(parameters)
    total = torch.zeros((), dtype=parameters[0].dtype, device=parameters[0].device)
    for gradient in _held(parameters):
        total += gradient.square().sum()
    norm = total.sqrt().item()
    _scale(_held(parameters), max_norm / (norm + 1e-6))
    return norm


@believes("Without gradients there is no norm", about="clip_gradients")
def returns_none_for_no_gradients(parameters, max_norm):
    """The norm of nothing is 0.0."""
    _check(max_norm)
    parameters = list(parameters)
    return solved.clip_gradients(parameters, max_norm) if _held(parameters) else None


@believes("max_norm 0 means no clipping", about="clip_gradients")
def takes_0_for_no_clipping(parameters, max_norm):
    """It makes all gradients 0 (note that `if max_norm` is false for 0). No clipping is math.inf."""
    return solved.clip_gradients(parameters, max_norm if max_norm else math.inf)


@believes("max_norm has to be above 0", about="clip_gradients")
def refuses_0(parameters, max_norm):
    """0 is allowed: the gradients become 0."""
    if max_norm <= 0:
        raise ValueError(max_norm)
    return solved.clip_gradients(parameters, max_norm)


@believes("A negative max_norm does no harm", about="clip_gradients")
def turns_the_gradients_round(parameters, max_norm):
    """It would reverse all gradients, and training would climb: raise ValueError."""
    gradients = _held(parameters)
    norm = _norm(gradients)
    _scale(gradients, max_norm / (norm + 1e-6))
    return norm


@believes("The norm is returned as a tensor", about="clip_gradients")
def returns_the_norm_as_a_tensor(parameters, max_norm):
    """The result is a Python float: use .item()."""
    return torch.tensor(solved.clip_gradients(parameters, max_norm), dtype=torch.float64)


@believes("Only the gradients of matrices are clipped", about="clip_gradients")
def leaves_small_shapes_out(parameters, max_norm):
    """The gradients of biases and scalars are part of the vector too."""
    return solved.clip_gradients([p for p in parameters if p.ndim > 1], max_norm)


@believes("Gradients that are not longer than max_norm stay as they are", about="clip_gradients")
def compares_the_norm(parameters, max_norm):
    """The factor max_norm / (norm + 1e-6) decides: at a norm of just max_norm it is below 1."""
    gradients = _held(parameters)
    norm = _norm(gradients)
    if norm > max_norm:
        _scale(gradients, max_norm / (norm + 1e-6))
    elif max_norm < 0:
        raise ValueError(max_norm)
    return norm


@believes("What is frozen has no gradient", about="clip_gradients")
def leaves_the_frozen_out(parameters, max_norm):
    """It may have one from before it was frozen: check whether .grad is None."""
    return solved.clip_gradients((p for p in parameters if p.requires_grad), max_norm)


@believes("A norm in float32 is exact enough", about="clip_gradients")
def measures_in_float32(parameters, max_norm):
    """Then a factor has only 7 of the 16 digits that float64 holds: take the norm in the dtype of the gradients."""
    if max_norm < 0:
        raise ValueError(max_norm)
    grads = [p.grad for p in parameters if p.grad is not None]
    norm = math.sqrt(sum(grad.float().square().sum().item() for grad in grads))
    for grad in grads:
        grad.mul_(min(1.0, max_norm / (norm + 1e-6)))
    return norm


@believes("The check of max_norm may come after the clipping", about="clip_gradients")
def checks_at_the_end(parameters, max_norm):
    """By then the gradients are turned round: check first."""
    gradients = _held(parameters)
    norm = _norm(gradients)
    _scale(gradients, max_norm / (norm + 1e-6))
    _check(max_norm)
    return norm
