"""Wrong answers that people give to kata 16 about what is stored in fp8, and what stored numbers stand for."""
# mypy: ignore-errors

import math

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("16_fp8")
E4M3 = torch.float8_e4m3fn


# quantize


@believes("A number is multiplied with its scale to be stored", about="quantize")
def multiplies_with_the_scale(x, scale, dtype=E4M3):
    """A stored number times the scale gives the number back: so divide."""
    return solved.quantize(x, 1 / scale, dtype)


@believes("A cast to fp8 saturates", about="quantize")
def casts_and_trusts(x, scale, dtype=E4M3):
    """A cast to e5m2 gives inf, and one to e4m3 nan before torch 2.13: clamp first."""
    return (x.float() / scale).to(dtype)


@believes("What is too large for fp8 is inf or nan", about="quantize")
def overflows(x, scale, dtype=E4M3):
    """One such number would spoil a whole product: it saturates."""
    wide = x.float() / scale
    bad = wide.abs() > torch.finfo(dtype).max
    return torch.where(bad, torch.nan, solved.quantize(x, scale, dtype).float()).to(dtype)


@believes("inf is kept where there is one", about="quantize")
def keeps_inf(x, scale, dtype=E4M3):
    """e5m2 has inf, and still it saturates like all that is too large."""
    stored = solved.quantize(x, scale, dtype).float()
    return torch.where(x.isinf() & (dtype != E4M3), x.float(), stored).to(dtype)


@believes("inf is no number", about="quantize")
def inf_becomes_nan(x, scale, dtype=E4M3):
    """It lies beyond the largest number, and saturates."""
    return solved.quantize(torch.where(x.isinf(), torch.nan, x), scale, dtype)


@believes("nan is stored as 0", about="quantize")
def nan_becomes_0(x, scale, dtype=E4M3):
    """Then nobody would hear of it: it stays nan, of which both dtypes have a code."""
    return solved.quantize(torch.where(x.isnan(), 0.0, x), scale, dtype)


@believes("nan saturates too", about="quantize")
def nan_becomes_the_largest(x, scale, dtype=E4M3):
    """It stays nan."""
    return solved.quantize(torch.where(x.isnan(), torch.inf, x), scale, dtype)


@believes("It is x that has to be clamped", about="quantize")
def clamps_before_it_divides(x, scale, dtype=E4M3):
    """What has to fit is x / scale."""
    largest = torch.finfo(dtype).max
    return solved.quantize(torch.where(x.isnan(), x.float(), x.float().clamp(-largest, largest)), scale, dtype)


@believes("fp8 saturates at 448", about="quantize")
def clamps_both_at_448(x, scale, dtype=E4M3):
    """e5m2 goes on to 57344."""
    return (x.float() / scale).clamp(-448.0, 448.0).to(dtype)


@believes("A tie goes away from 0", about="quantize")
def ties_away(x, scale, dtype=E4M3):
    """It goes to the even code: of 16 and 18 to 16, of 18 and 20 to 20."""
    return solved.quantize(x.double().mul(1 + 2**-20).float(), scale, dtype)


@believes("A tie goes towards 0", about="quantize")
def ties_down(x, scale, dtype=E4M3):
    """It goes to the even code: of 16 and 18 to 16, of 18 and 20 to 20."""
    return solved.quantize(x.double().mul(1 - 2**-20).float(), scale, dtype)


@believes("What does not fit is cut off", about="quantize")
def cuts(x, scale, dtype=E4M3):
    """The nearest number may be the one farther from 0."""
    stored = solved.quantize(x, scale, dtype)
    beyond = stored.float().abs() > (x.float() / scale).abs()
    return torch.where(beyond, stored.view(torch.uint8) - 1, stored.view(torch.uint8)).view(dtype)


@believes("A float32 scale makes the quotient float32", about="quantize")
def divides_in_bfloat16(x, scale, dtype=E4M3):
    """Not one that is 0-d: a bfloat16 tensor over it stays bfloat16. Cast x first."""
    largest = torch.finfo(dtype).max
    return (x / scale).float().clamp(-largest, largest).to(dtype)


@believes("A scale has the dtype of x when it divides", about="quantize")
def narrows_the_scale(x, scale, dtype=E4M3):
    """In bfloat16 the scale itself is off: keep it, and make x float32."""
    return solved.quantize(x, scale.to(x.dtype).float(), dtype)


@believes("Rounding twice is rounding once", about="quantize")
def by_way_of_bfloat16(x, scale, dtype=E4M3):
    """What lies just above a tie is a tie in bfloat16, and then goes to the even code: cast once."""
    largest = torch.finfo(dtype).max
    return (x.float() / scale).clamp(-largest, largest).bfloat16().to(dtype)


@believes("fp8 has no subnormal numbers", about="quantize")
def flushes_to_0(x, scale, dtype=E4M3):
    """It has some, in equal steps from 0 to the least normal number."""
    stored = solved.quantize(x, scale, dtype).float()
    return torch.where(stored.abs() < torch.finfo(dtype).smallest_normal, stored * 0, stored).to(dtype)


@believes("Stored numbers are integers", about="quantize")
def rounds_to_integers(x, scale, dtype=E4M3):
    """fp8 has a point that floats: near 1 its numbers are 1/8 or 1/4 apart. Only int8 is rounded to integers."""
    return solved.quantize((x.float() / scale).round() * scale, scale, dtype)


@believes("fp8 is e4m3", about="quantize")
def stores_e4m3(x, scale, dtype=E4M3):
    """There are two, and dtype says which."""
    return solved.quantize(x, scale)


@believes("A number that is not 0 is not stored as 0", about="quantize")
def keeps_off_0(x, scale, dtype=E4M3):
    """Half of the least number or less becomes 0: that is what is lost by a scale too large."""
    stored = solved.quantize(x, scale, dtype).float()
    least = torch.finfo(dtype).smallest_normal * torch.finfo(dtype).eps
    return torch.where((stored == 0) & (x != 0), x.float().sign() * least, stored).to(dtype)


@believes("There is one scale for all", about="quantize")
def first_scale_for_all(x, scale, dtype=E4M3):
    """It may have one for each row, each column or each number: let it broadcast."""
    return solved.quantize(x, scale.flatten()[0] if scale.numel() else scale, dtype)


# dequantize


@believes("A stored number is divided by its scale", about="dequantize")
def divides_to_get_back(q, scale, zero_point=0):
    """A scale is what a stored number is multiplied with to get back."""
    return solved.dequantize(q, 1 / scale, zero_point)


@believes("A difference of two int8 is an int8", about="dequantize")
def wraps(q, scale, zero_point=0):
    """-128 - 100 is -228, which wraps round to 28 there: make it float32 first."""
    return solved.dequantize(q - zero_point, scale) if q.dtype == torch.int8 else solved.dequantize(q, scale)


@believes("A difference saturates", about="dequantize")
def clamps_the_difference(q, scale, zero_point=0):
    """-128 less 100 is -228: it is a difference of numbers, and no code."""
    if q.dtype != torch.int8:
        return solved.dequantize(q, scale)
    return (q.float() - zero_point).clamp(-128, 127) * scale


@believes("The zero point is a number, not a code", about="dequantize")
def subtracts_after_it_scales(q, scale, zero_point=0):
    """It is the code of 0, and taken away before the scale: (q - zero_point) · scale."""
    return q.float() * scale - zero_point


@believes("The zero point is added to get back", about="dequantize")
def adds_the_zero_point(q, scale, zero_point=0):
    """It was added to be stored, and is taken away to get back."""
    return solved.dequantize(q, scale, -zero_point)


@believes("A scale alone brings numbers back", about="dequantize")
def forgets_the_zero_point(q, scale, zero_point=0):
    """The code of 0 is the zero point: take it away first."""
    return solved.dequantize(q, scale)


@believes("What 8 bits hold fits bfloat16", about="dequantize")
def by_bfloat16(q, scale, zero_point=0):
    """The stored number does, its product with a float32 scale does not."""
    return solved.dequantize(q, scale, zero_point).bfloat16().float()


@believes("Numbers come back in the widest dtype", about="dequantize")
def in_float64(q, scale, zero_point=0):
    """float32 is what is asked for."""
    return solved.dequantize(q, scale, zero_point).double()


@believes("Codes of 8 bits have no sign", about="dequantize")
def without_sign(q, scale, zero_point=0):
    """int8 goes from -128 to 127."""
    return solved.dequantize(q.view(torch.uint8) if q.dtype == torch.int8 else q, scale, zero_point)


@believes("An fp8 number is its code", about="dequantize")
def code_of_fp8(q, scale, zero_point=0):
    """The code is eight bits that mean a float: a cast to float32 tells which."""
    return solved.dequantize(q if q.dtype == torch.int8 else q.view(torch.uint8), scale, zero_point)


@believes("All stored numbers have one scale", about="dequantize")
def first_scale_alone(q, scale, zero_point=0):
    """There may be one for each row: let it broadcast."""
    one = scale.flatten()[0] if isinstance(scale, torch.Tensor) and scale.numel() else scale
    return solved.dequantize(q, one, zero_point)


@believes("What comes back is finite", about="dequantize")
def nan_comes_back_as_0(q, scale, zero_point=0):
    """A stored nan is nan."""
    return solved.dequantize(q, scale, zero_point).nan_to_num(0.0, math.inf, -math.inf)


@believes("x is there to be divided", about="quantize")
def divides_in_place(x, scale, dtype=torch.float8_e4m3fn):
    """It is the caller's: x / scale makes another one."""
    answer = solved.quantize(x, scale, dtype)
    x.div_(scale)
    return answer
