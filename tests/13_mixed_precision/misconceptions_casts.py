"""Wrong answers that people give to kata 13 about what a cast to 16 bits loses, and about the scale that saves it."""

import math

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("13_mixed_precision")

# lost_gradients


def _counted(grads, small, large):
    """Count the small ones that were not 0, and the large ones that were finite."""
    return int((small & (grads != 0)).sum()), int((large & grads.isfinite()).sum())


def _overflows(scaled, dtype):
    return ~scaled.to(dtype).isfinite()


@believes("Numbers below the smallest normal number become 0", about="lost_gradients")
def normal_numbers_alone(grads, dtype=torch.float16, scale=1.0):
    """Below it are the subnormal numbers, in float16 down to 2**-24: they have fewer bits, and are not 0."""
    scaled = grads * scale
    return _counted(grads, scaled.abs() < torch.finfo(dtype).smallest_normal, _overflows(scaled, dtype))


@believes("Numbers below the smallest subnormal number become 0", about="lost_gradients")
def below_the_least(grads, dtype=torch.float16, scale=1.0):
    """A cast rounds to nearest: a number above half of the smallest one becomes the smallest one."""
    scaled = grads * scale
    least = torch.finfo(dtype).smallest_normal * torch.finfo(dtype).eps
    return _counted(grads, scaled.abs() < least, _overflows(scaled, dtype))


@believes("Half of the smallest number rounds up", about="lost_gradients")
def half_rounds_up(grads, dtype=torch.float16, scale=1.0):
    """A tie goes to the even neighbor, which is 0."""
    scaled = grads * scale
    half = torch.finfo(dtype).smallest_normal * torch.finfo(dtype).eps / 2
    return _counted(grads, scaled.abs() < half, _overflows(scaled, dtype))


@believes("Every number above the largest one becomes inf", about="lost_gradients")
def beyond_the_largest(grads, dtype=torch.float16, scale=1.0):
    """A cast rounds to nearest: in float16, numbers above 65504 and below 65520 become 65504."""
    scaled = grads * scale
    return _counted(grads, scaled.to(dtype) == 0, scaled.abs() > torch.finfo(dtype).max)


@believes("Only positive gradients underflow or overflow", about="lost_gradients")
def by_sign(grads, dtype=torch.float16, scale=1.0):
    """Gradients may be negative: look at their absolute values."""
    stored = (grads * scale).to(dtype)
    return int(((grads > 0) & (stored == 0)).sum()), int(((stored == math.inf) & grads.isfinite()).sum())


@believes("Every 0 in the result is a lost gradient", about="lost_gradients")
def counts_zeros(grads, dtype=torch.float16, scale=1.0):
    """A gradient that was 0 before is not lost."""
    right = solved.lost_gradients(grads, dtype, scale)
    return int(((grads * scale).to(dtype) == 0).sum()), right[1]


@believes("Every inf and nan in the result comes from the cast", about="lost_gradients")
def counts_infinities(grads, dtype=torch.float16, scale=1.0):
    """Some were inf or nan before: count those that were finite and no longer are."""
    right = solved.lost_gradients(grads, dtype, scale)
    return right[0], int((~(grads * scale).to(dtype).isfinite()).sum())


@believes("The scale comes after the cast", about="lost_gradients")
def casts_first(grads, dtype=torch.float16, scale=1.0):
    """No scale recovers what the cast has rounded to 0: scale in float32, and then cast."""
    stored = grads.to(dtype) * scale
    return _counted(grads, stored == 0, ~stored.isfinite())


@believes("A scale makes no difference to what a cast loses", about="lost_gradients")
def ignores_the_scale(grads, dtype=torch.float16, scale=1.0):
    """It moves all gradients away from the smallest number and toward the largest."""
    return solved.lost_gradients(grads, dtype)


@believes("Gradients are divided by the scale before they are stored", about="lost_gradients")
def divides(grads, dtype=torch.float16, scale=1.0):
    """The loss is multiplied by the scale, and so are its gradients; they are divided only after they are stored."""
    return solved.lost_gradients(grads, dtype, 1 / scale)


@believes("The 16-bit dtype is float16", about="lost_gradients")
def always_float16(grads, dtype=torch.float16, scale=1.0):
    """It may be bfloat16, which has the exponent range of float32, and loses other gradients."""
    return solved.lost_gradients(grads, torch.float16, scale)


@believes("Gradients may be scaled in place", about="lost_gradients")
def scales_in_place(grads, dtype=torch.float16, scale=1.0):
    """mul_ changes what the caller holds: multiply into a new tensor."""
    right = solved.lost_gradients(grads, dtype, scale)
    grads.mul_(scale)
    return right


@believes("The sum of a mask is an int", about="lost_gradients")
def returns_tensors(grads, dtype=torch.float16, scale=1.0):
    """It is a tensor of shape (): use int() or .item()."""
    return tuple(map(torch.tensor, solved.lost_gradients(grads, dtype, scale)))


@believes("A gradient that is rounded is lost", about="lost_gradients")
def counts_what_is_rounded(grads, dtype=torch.float16, scale=1.0):
    """Rounding only costs precision; a gradient is lost if it becomes 0, or is no longer finite."""
    scaled = grads * scale
    stored = scaled.to(dtype).float()
    return int(((scaled != stored) & stored.isfinite()).sum()), solved.lost_gradients(grads, dtype, scale)[1]


@believes("The first number counts the overflows, the second the zeros", about="lost_gradients")
def the_other_way_round(grads, dtype=torch.float16, scale=1.0):
    """The first number counts those that become 0, the second those that are no longer finite."""
    return solved.lost_gradients(grads, dtype, scale)[::-1]


# largest_scale


def _refused(grads):
    if not grads.numel() or not grads.any() or not grads.isfinite().all():
        raise ValueError("there is no largest scale")


def _power(ratio):
    """Return the largest power of two up to the ratio."""
    return 2.0 ** (math.frexp(ratio)[1] - 1)


@believes("Above 65504 float16 gives inf", about="largest_scale")
def up_to_the_largest(grads):
    """A cast rounds to nearest: numbers above 65504 and below 65520 become 65504."""
    _refused(grads)
    return _power(65504 / grads.abs().max().item())


@believes("The largest number of float16 is 2**16", about="largest_scale")
def up_to_a_power(grads):
    """It is 65504; numbers of 65520 or more become inf."""
    _refused(grads)
    return _power(math.nextafter(65536 / grads.abs().max().item(), 0))


@believes("65520 is still finite in float16", about="largest_scale")
def up_to_half_a_place(grads):
    """It is half way to 65536, and a tie goes to the even neighbor, which is inf here."""
    _refused(grads)
    return _power(65520 / grads.abs().max().item())


@believes("grads.max() is the largest gradient", about="largest_scale")
def largest_by_sign(grads):
    """-5 is larger than 1 in absolute value: use grads.abs().max()."""
    _refused(grads)
    largest = grads.max().item()
    return solved.largest_scale(torch.tensor(largest if largest > 0 else grads.abs().min().item() or 1.0))


@believes("A scale is at least 1", about="largest_scale")
def at_least_one(grads):
    """A gradient of 100000 is too large even without a scale, so its scale is 0.5."""
    return max(1.0, solved.largest_scale(grads))


@believes("A scale is at most 65536", about="largest_scale")
def at_most_the_first(grads):
    """That is only where scalers start: tiny gradients allow larger scales."""
    return min(65536.0, solved.largest_scale(grads))


@believes("The scale may be any number", about="largest_scale")
def no_power(grads):
    """The scale is a power of two: scaling and unscaling by it changes only the exponent, and rounds nothing."""
    _refused(grads)
    return 65504 / grads.abs().max().item()


@believes("The nearest power of two will do", about="largest_scale")
def nearest_power(grads):
    """The nearest one may be too large: take the largest power of two that fits."""
    _refused(grads)
    return 2.0 ** round(math.log2(65520 / grads.abs().max().item()))


@believes("int() rounds down", about="largest_scale")
def cuts_the_exponent(grads):
    """int() truncates toward 0, so int(-0.5) is 0: use math.floor for an exponent below 0."""
    right = solved.largest_scale(grads)
    return right if right >= 1 else right * 2


@believes("The smallest gradient decides", about="largest_scale")
def by_the_smallest(grads):
    """The scale is limited by the largest gradient, which overflows first."""
    _refused(grads)
    return solved.largest_scale(grads.abs()[grads != 0].min())


@believes("The norm of the gradients decides", about="largest_scale")
def by_the_norm(grads):
    """Each gradient is stored separately: the largest one overflows first."""
    _refused(grads)
    return solved.largest_scale(grads.norm())


@believes("The scale leaves a margin of one power of two", about="largest_scale")
def leaves_room(grads):
    """The result is the largest scale at which all gradients still fit, without a margin."""
    return solved.largest_scale(grads) / 2


@believes("Gradients that are not finite are ignored", about="largest_scale")
def leaves_out_infinities(grads):
    """Such a gradient is finite at no scale: raise ValueError."""
    return solved.largest_scale(grads[grads.isfinite()])


@believes("Gradients are finite if their sum or mean is", about="largest_scale")
def finite_by_the_sum(grads):
    """The sum of finite numbers may be inf: look at each of them, as in grads.isfinite().all()."""
    if not grads.sum().isfinite():
        raise ValueError("there is no largest scale")
    return solved.largest_scale(grads)


@believes("Only nan is refused", about="largest_scale")
def zero_for_inf(grads):
    """inf is not finite at any scale either, and 0 is not a scale: raise ValueError."""
    return 0.0 if grads.numel() and grads.abs().max() == math.inf else solved.largest_scale(grads)


@believes("The scale of zeros is infinite", about="largest_scale")
def inf_for_zeros(grads):
    """Zeros fit at every scale, so no scale is the largest: raise ValueError."""
    return math.inf if grads.numel() and not grads.any() else solved.largest_scale(grads)


@believes("Without gradients any scale will do", about="largest_scale")
def one_for_nothing(grads):
    """Without gradients, no scale is the largest: raise ValueError."""
    return solved.largest_scale(grads) if grads.numel() else 1.0
