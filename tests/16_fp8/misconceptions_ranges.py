"""Wrong answers that people give to kata 16 about int8, its range and its zero point."""
# mypy: ignore-errors

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("16_fp8")


def _range(x):
    """Return the smallest and the largest number, with 0 included in the range."""
    numbers = [0.0, *x.flatten().tolist()]
    return min(numbers), max(numbers)


def _coded(x, scale, zero_point, least=-128):
    """Return the codes for that scale and zero point."""
    return ((x / scale).round() + zero_point).clamp(least, 127).to(torch.int8), scale, zero_point


def _asymmetric(x, low, high, steps=255):
    scale = (high - low) / steps or 1.0
    return _coded(x, scale, -128 - round(low / scale))


@believes("int8 is symmetric up to 128", about="quantize_int8")
def over_128(x, symmetric=True):
    """It ends at 127: with a scale of the largest / 128, the largest would need the code 128."""
    if not symmetric:
        return solved.quantize_int8(x, symmetric)
    low, high = _range(x)
    return _coded(x, max(-low, high) / 128 or 1.0, 0)


@believes("The scale is the largest magnitude / 127.5", about="quantize_int8")
def over_127_and_a_half(x, symmetric=True):
    """Symmetric codes are -127 to 127: divide by 127."""
    if not symmetric:
        return solved.quantize_int8(x, symmetric)
    low, high = _range(x)
    return _coded(x, max(-low, high) / 127.5 or 1.0, 0, -127)


@believes("The range is divided into 256 steps", about="quantize_int8")
def steps_of_256(x, symmetric=True):
    """There are 255 steps between 256 codes."""
    return solved.quantize_int8(x) if symmetric else _asymmetric(x, *_range(x), steps=256)


@believes("The range is from min(x) to max(x)", about="quantize_int8")
def range_without_0(x, symmetric=True):
    """It must include 0, which otherwise has no code: low = min(x, 0), high = max(x, 0)."""
    if symmetric or not x.numel():
        return solved.quantize_int8(x, symmetric)
    return _asymmetric(x, x.min().item(), x.max().item())


@believes("The range only has to reach down to 0", about="quantize_int8")
def range_to_0_from_above(x, symmetric=True):
    """All numbers may be negative: high = max(x, 0)."""
    if symmetric or not x.numel():
        return solved.quantize_int8(x, symmetric)
    return _asymmetric(x, min(x.min().item(), 0.0), x.max().item())


@believes("The largest number has the largest magnitude", about="quantize_int8")
def largest_for_symmetric(x, symmetric=True):
    """A negative number may be larger in magnitude: use abs()."""
    if not symmetric or not x.numel():
        return solved.quantize_int8(x, symmetric)
    return _coded(x, max(x.max().item(), 0.0) / 127 or 1.0, 0, -127)


@believes("A symmetric scale is (high - low) / 254", about="quantize_int8")
def range_for_symmetric(x, symmetric=True):
    """It is the largest magnitude / 127, on both sides of 0."""
    if not symmetric:
        return solved.quantize_int8(x, symmetric)
    low, high = _range(x)
    return _coded(x, (high - low) / 254 or 1.0, 0, -127)


@believes("The cast to int8 rounds", about="quantize_int8")
def cuts_codes(x, symmetric=True):
    """It truncates: round first, or errors are up to a whole scale."""
    _, scale, zero_point = solved.quantize_int8(x, symmetric)
    return (x / scale + zero_point).clamp(-128, 127).to(torch.int8), scale, zero_point


@believes("Codes are rounded down", about="quantize_int8")
def floors_codes(x, symmetric=True):
    """They are rounded to the nearest: errors are half a scale at most."""
    _, scale, zero_point = solved.quantize_int8(x, symmetric)
    least = -127 if symmetric else -128
    return (x / scale).floor().add(zero_point).clamp(least, 127).to(torch.int8), scale, zero_point


@believes("Asymmetric codes begin at 0", about="quantize_int8")
def codes_from_0(x, symmetric=True):
    """That is uint8; int8 begins at -128, which is the code of low."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    if symmetric:
        return codes, scale, zero_point
    codes = ((x / scale).round() + zero_point + 128).clamp(0, 255)
    return codes.to(torch.int32).to(torch.int8), scale, zero_point + 128


@believes("The zero point is always 0", about="quantize_int8")
def no_zero_point(x, symmetric=True):
    """Then half of the codes would be unused if all numbers are on one side of 0."""
    return solved.quantize_int8(x) if symmetric else _coded(x, solved.quantize_int8(x, False)[1], 0)


@believes("The zero point is subtracted to store a number", about="quantize_int8")
def subtracts_to_store(x, symmetric=True):
    """It is added to store a number, and subtracted to get it back."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    return codes, scale, -zero_point


@believes("The zero point may be a fraction", about="quantize_int8")
def zero_point_of_a_float(x, symmetric=True):
    """It is an int, the code of 0: 0 must come back as 0."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    return codes, scale, float(zero_point)


@believes("The scale of zeros is 0", about="quantize_int8")
def scale_of_0(x, symmetric=True):
    """For zeros, and without numbers, it is 1.0."""
    if not x.numel() or x.any():
        return solved.quantize_int8(x, symmetric)
    if not symmetric:
        raise ZeroDivisionError("float division by zero")
    return x.to(torch.int8), 0.0, 0


@believes("The scale of zeros is a tiny number", about="quantize_int8")
def least_scale(x, symmetric=True):
    """It is 1.0."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    return codes, scale if x.any() else 2.0**-23, zero_point


@believes("x has at least one number", about="quantize_int8")
def fails_without_numbers(x, symmetric=True):
    """Without numbers the scale is 1.0, and there are no codes."""
    x.min()
    return solved.quantize_int8(x, symmetric)


@believes("The default is asymmetric", about="quantize_int8")
def never_symmetric(x, symmetric=True):
    """It is symmetric, with the zero point 0."""
    return solved.quantize_int8(x, False)


@believes("symmetric=False makes no difference", about="quantize_int8")
def always_symmetric(x, symmetric=True):
    """For numbers on one side of 0, as after a ReLU, a symmetric scale uses only half of the codes."""
    return solved.quantize_int8(x)


@believes("Codes are float32", about="quantize_int8")
def codes_in_float32(x, symmetric=True):
    """They are int8, one byte each."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    return codes.float(), scale, zero_point


@believes("The scale is a tensor", about="quantize_int8")
def scale_of_a_tensor(x, symmetric=True):
    """It is a Python float."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    return codes, torch.tensor(scale), zero_point


@believes("Symmetric codes may be -128", about="quantize_int8")
def minus_128(x, symmetric=True):
    """They are -127 to 127."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    return (torch.where(codes == -127, -128, codes).to(torch.int8) if symmetric else codes), scale, zero_point


@believes("x may be divided in place", about="quantize_int8")
def divides_x_in_place(x, symmetric=True):
    """It belongs to the caller: x / scale makes a new tensor."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    x.div_(scale).round_()
    return codes, scale, zero_point
