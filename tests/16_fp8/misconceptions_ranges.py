"""Wrong answers that people give to kata 16 about int8, its range and its zero point."""
# mypy: ignore-errors

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("16_fp8")


def _range(x):
    """The least number and the largest, reaching to 0."""
    numbers = [0.0, *x.flatten().tolist()]
    return min(numbers), max(numbers)


def _coded(x, scale, zero_point, least=-128):
    """Codes of that scale and zero point."""
    return ((x / scale).round() + zero_point).clamp(least, 127).to(torch.int8), scale, zero_point


def _asymmetric(x, low, high, steps=255):
    scale = (high - low) / steps or 1.0
    return _coded(x, scale, max(-128, min(127, -128 - round(low / scale))))


@believes("int8 is symmetric to 128", about="quantize_int8")
def over_128(x, symmetric=True):
    """It ends at 127, and the largest number would be a code more: symmetric codes go from -127 to 127."""
    if not symmetric:
        return solved.quantize_int8(x, symmetric)
    low, high = _range(x)
    return _coded(x, max(-low, high) / 128 or 1.0, 0)


@believes("255 steps are 127.5 on each side", about="quantize_int8")
def over_127_and_a_half(x, symmetric=True):
    """Symmetric codes are 255, and 254 steps apart: 127 on each side of 0."""
    if not symmetric:
        return solved.quantize_int8(x, symmetric)
    low, high = _range(x)
    return _coded(x, max(-low, high) / 127.5 or 1.0, 0, -127)


@believes("256 codes are 256 steps", about="quantize_int8")
def steps_of_256(x, symmetric=True):
    """Between 256 codes lie 255 steps."""
    return solved.quantize_int8(x) if symmetric else _asymmetric(x, *_range(x), steps=256)


@believes("The range is that of the numbers", about="quantize_int8")
def range_without_0(x, symmetric=True):
    """It reaches to 0 where all numbers lie on one side, or 0 would have no code: low = min(x, 0), high = max(x, 0)."""
    if symmetric or not x.numel():
        return solved.quantize_int8(x, symmetric)
    return _asymmetric(x, x.min().item(), x.max().item())


@believes("The range has to reach to 0 from above alone", about="quantize_int8")
def range_to_0_from_above(x, symmetric=True):
    """Numbers may all lie below 0, too: high = max(x, 0)."""
    if symmetric or not x.numel():
        return solved.quantize_int8(x, symmetric)
    return _asymmetric(x, min(x.min().item(), 0.0), x.max().item())


@believes("The largest number is the largest magnitude", about="quantize_int8")
def largest_for_symmetric(x, symmetric=True):
    """A negative number may be larger by size."""
    if not symmetric or not x.numel():
        return solved.quantize_int8(x, symmetric)
    return _coded(x, max(x.max().item(), 0.0) / 127 or 1.0, 0, -127)


@believes("A symmetric scale divides the range into 254 steps", about="quantize_int8")
def range_for_symmetric(x, symmetric=True):
    """Symmetric is the range around 0, as far as the largest magnitude, on both sides."""
    if not symmetric:
        return solved.quantize_int8(x, symmetric)
    low, high = _range(x)
    return _coded(x, (high - low) / 254 or 1.0, 0, -127)


@believes("Codes are cut off", about="quantize_int8")
def cuts_codes(x, symmetric=True):
    """A cast to int8 cuts: round first, or errors are up to a whole scale."""
    _, scale, zero_point = solved.quantize_int8(x, symmetric)
    return (x / scale).trunc().add(zero_point).clamp(-128, 127).to(torch.int8), scale, zero_point


@believes("Codes are rounded down", about="quantize_int8")
def floors_codes(x, symmetric=True):
    """To the nearest: errors are half a scale at most."""
    _, scale, zero_point = solved.quantize_int8(x, symmetric)
    least = -127 if symmetric else -128
    return (x / scale).floor().add(zero_point).clamp(least, 127).to(torch.int8), scale, zero_point


@believes("Codes begin at 0", about="quantize_int8")
def codes_from_0(x, symmetric=True):
    """uint8 does; int8 begins at -128, and so low has that code."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    if symmetric:
        return codes, scale, zero_point
    return _coded(x, scale, zero_point + 128)


@believes("0 has the code 0", about="quantize_int8")
def no_zero_point(x, symmetric=True):
    """Then half of the codes would be lost where numbers lie on one side: 0 has the code zero_point."""
    return solved.quantize_int8(x) if symmetric else _coded(x, solved.quantize_int8(x, False)[1], 0)


@believes("The zero point is subtracted to store", about="quantize_int8")
def subtracts_to_store(x, symmetric=True):
    """It is subtracted to get back, so it is added to store."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    return codes, scale, -zero_point


@believes("A zero point need not be a whole number", about="quantize_int8")
def zero_point_of_a_float(x, symmetric=True):
    """It is a code, an int: 0 has to come back as 0."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    return codes, scale, float(zero_point)


@believes("Zeros have a scale of 0", about="quantize_int8")
def scale_of_0(x, symmetric=True):
    """With it nothing comes back: zeros, and nothing, have a scale of 1.0."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    return codes, scale if x.any() else 0.0, zero_point


@believes("Zeros have the least scale", about="quantize_int8")
def least_scale(x, symmetric=True):
    """With any they come back; what is agreed upon is 1.0."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    return codes, scale if x.any() else 2.0**-23, zero_point


@believes("There is something to quantize", about="quantize_int8")
def fails_without_numbers(x, symmetric=True):
    """Nothing has a scale of 1.0, and no codes."""
    x.min()
    return solved.quantize_int8(x, symmetric)


@believes("int8 is asymmetric", about="quantize_int8")
def never_symmetric(x, symmetric=True):
    """By default it is symmetric: weights lie around 0, and products need no zero points."""
    return solved.quantize_int8(x, False)


@believes("int8 is symmetric", about="quantize_int8")
def always_symmetric(x, symmetric=True):
    """What lies on one side of 0, as after a ReLU, would use half of the codes."""
    return solved.quantize_int8(x)


@believes("Codes are stored as they are computed", about="quantize_int8")
def codes_in_float32(x, symmetric=True):
    """In float32 they would take four bytes each."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    return codes.float(), scale, zero_point


@believes("A scale is a tensor", about="quantize_int8")
def scale_of_a_tensor(x, symmetric=True):
    """Here it is a float."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    return codes, torch.tensor(scale), zero_point


@believes("Symmetric codes may be -128", about="quantize_int8")
def minus_128(x, symmetric=True):
    """Their negative would be no code: they end at -127."""
    codes, scale, zero_point = solved.quantize_int8(x, symmetric)
    return (torch.where(codes == -127, -128, codes).to(torch.int8) if symmetric else codes), scale, zero_point
