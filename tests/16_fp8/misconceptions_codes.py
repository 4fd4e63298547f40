"""Wrong answers that people give to kata 16 about what is stored in fp8, and what stored numbers stand for."""
# mypy: ignore-errors

import math

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("16_fp8")
E4M3 = torch.float8_e4m3fn


# quantize


@believes("A number is multiplied by its scale to be stored", about="quantize")
def multiplies_with_the_scale(x, scale, dtype=E4M3):
    """The stored number times the scale gives the number back, so x is divided."""
    return solved.quantize(x, 1 / scale, dtype)


@believes("A cast to fp8 saturates", about="quantize")
def casts_and_trusts(x, scale, dtype=E4M3):
    """It may give inf in e5m2, and nan in e4m3: clamp before the cast."""
    return (x.float() / scale).to(dtype)


@believes("Numbers that are too large for fp8 become inf or nan", about="quantize")
def overflows(x, scale, dtype=E4M3):
    """One of them would spoil a whole product: they become the largest finite value."""
    wide = x.float() / scale
    bad = wide.abs() > torch.finfo(dtype).max
    return torch.where(bad, torch.nan, solved.quantize(x, scale, dtype).float()).to(dtype)


@believes("inf stays inf in e5m2", about="quantize")
def keeps_inf(x, scale, dtype=E4M3):
    """It becomes the largest finite value, in both dtypes."""
    stored = solved.quantize(x, scale, dtype).float()
    return torch.where(x.isinf() & (dtype != E4M3), x.float(), stored).to(dtype)


@believes("inf becomes nan", about="quantize")
def inf_becomes_nan(x, scale, dtype=E4M3):
    """It becomes the largest finite value, with its sign."""
    return solved.quantize(torch.where(x.isinf(), torch.nan, x), scale, dtype)


@believes("nan becomes 0", about="quantize")
def nan_becomes_0(x, scale, dtype=E4M3):
    """That would hide it: nan stays nan, which both dtypes have."""
    return solved.quantize(torch.where(x.isnan(), 0.0, x), scale, dtype)


@believes("nan becomes the largest finite value", about="quantize")
def nan_becomes_the_largest(x, scale, dtype=E4M3):
    """It stays nan."""
    return solved.quantize(torch.where(x.isnan(), torch.inf, x), scale, dtype)


@believes("x is clamped before it is divided", about="quantize")
def clamps_before_it_divides(x, scale, dtype=E4M3):
    """x / scale has to fit: clamp after the division."""
    largest = torch.finfo(dtype).max
    return solved.quantize(torch.where(x.isnan(), x.float(), x.float().clamp(-largest, largest)), scale, dtype)


@believes("Both dtypes end at 448", about="quantize")
def clamps_both_at_448(x, scale, dtype=E4M3):
    """e5m2 ends at 57344."""
    return (x.float() / scale).clamp(-448.0, 448.0).to(dtype)


@believes("A tie goes away from 0", about="quantize")
def ties_away(x, scale, dtype=E4M3):
    """It goes to the even code: 17 to 16, and 19 to 20."""
    return solved.quantize(x.double().mul(1 + 2**-20).float(), scale, dtype)


@believes("A tie goes toward 0", about="quantize")
def ties_down(x, scale, dtype=E4M3):
    """It goes to the even code: 17 to 16, and 19 to 20."""
    return solved.quantize(x.double().mul(1 - 2**-20).float(), scale, dtype)


@believes("Bits that do not fit are cut off", about="quantize")
def cuts(x, scale, dtype=E4M3):
    """The result is the nearest number, which may be farther from 0."""
    stored = solved.quantize(x, scale, dtype)
    beyond = stored.float().abs() > (x.float() / scale).abs()
    return torch.where(beyond, stored.view(torch.uint8) - 1, stored.view(torch.uint8)).view(dtype)


@believes("A float32 scale makes the quotient float32", about="quantize")
def divides_in_bfloat16(x, scale, dtype=E4M3):
    """A 0-d scale does not: bfloat16 divided by it stays bfloat16. Cast x to float32 first."""
    largest = torch.finfo(dtype).max
    return (x / scale).float().clamp(-largest, largest).to(dtype)


@believes("The scale is cast to the dtype of x", about="quantize")
def narrows_the_scale(x, scale, dtype=E4M3):
    """In bfloat16 the scale itself is rounded: cast x to float32 instead."""
    largest = torch.finfo(dtype).max
    return (x / scale.to(x.dtype)).float().clamp(-largest, largest).to(dtype)


@believes("Rounding twice gives the same as rounding once", about="quantize")
def by_way_of_bfloat16(x, scale, dtype=E4M3):
    """A number just above a tie may be rounded to the tie in bfloat16, and then to the even code: cast once."""
    largest = torch.finfo(dtype).max
    return (x.float() / scale).clamp(-largest, largest).bfloat16().to(dtype)


@believes("fp8 has no subnormal numbers", about="quantize")
def flushes_to_0(x, scale, dtype=E4M3):
    """It has some, evenly spaced between 0 and the smallest normal number."""
    stored = solved.quantize(x, scale, dtype).float()
    return torch.where(stored.abs() < torch.finfo(dtype).smallest_normal, stored * 0, stored).to(dtype)


@believes("Stored numbers are integers", about="quantize")
def rounds_to_integers(x, scale, dtype=E4M3):
    """Only in int8. In fp8, numbers just above 1 are 1/8 or 1/4 apart."""
    return solved.quantize((x.float() / scale).round() * scale, scale, dtype)


@believes("fp8 is always e4m3", about="quantize")
def stores_e4m3(x, scale, dtype=E4M3):
    """There are two formats, and dtype says which."""
    return solved.quantize(x, scale)


@believes("Only 0 is stored as 0", about="quantize")
def keeps_off_0(x, scale, dtype=E4M3):
    """Half of the smallest number, or less, also becomes 0."""
    stored = solved.quantize(x, scale, dtype).float()
    least = torch.finfo(dtype).smallest_normal * torch.finfo(dtype).eps
    return torch.where((stored == 0) & (x != 0), x.float().sign() * least, stored).to(dtype)


@believes("There is one scale for all", about="quantize")
def first_scale_for_all(x, scale, dtype=E4M3):
    """There may be one for each row, column or number: let it broadcast."""
    return solved.quantize(x, scale.flatten()[0] if scale.numel() else scale, dtype)


@believes("A scale of one dimension has one for each row", about="quantize")
def vectors_are_for_rows(x, scale, dtype=E4M3):
    """It broadcasts as in torch: one dimension is the last, that of columns. For rows the shape is (rows, 1)."""
    return solved.quantize(x, scale[:, None] if scale.ndim == 1 and len(scale) == len(x) else scale, dtype)


@believes("x may be quantized as a matrix of all rows", about="quantize")
def flattens_to_rows(x, scale, dtype=E4M3):
    """The scale broadcasts to the shape of x, not to that of such a matrix: leave x in its shape."""
    rows = x.reshape(-1, x.shape[-1]) if x.ndim > 2 else x
    return solved.quantize(rows, scale, dtype).reshape(x.shape)


@believes("A scale has two dimensions at most", about="quantize")
def scales_matrices(x, scale, dtype=E4M3):
    """It may have as many as x, such as (batch, rows, 1): let it broadcast."""
    if scale.ndim:
        scale = scale.expand(x.shape[-2:])
    return solved.quantize(x, scale, dtype)


# dequantize


@believes("A stored number is divided by its scale", about="dequantize")
def divides_to_get_back(q, scale, zero_point=0):
    """A scale is what a stored number is multiplied with to get back."""
    return solved.dequantize(q, 1 / scale, zero_point)


@believes("A difference of two int8 is an int8", about="dequantize")
def wraps(q, scale, zero_point=0):
    """-128 - 100 is -228, which wraps to 28 in int8: cast to float32 first."""
    return solved.dequantize(q - zero_point, scale) if q.dtype == torch.int8 else solved.dequantize(q, scale)


@believes("q - zero_point saturates at -128 and 127", about="dequantize")
def clamps_the_difference(q, scale, zero_point=0):
    """-128 - 100 is -228: the difference is a number, not a code."""
    if q.dtype != torch.int8:
        return solved.dequantize(q, scale)
    return (q.float() - zero_point).clamp(-128, 127) * scale


@believes("The zero point is subtracted after scaling", about="dequantize")
def subtracts_after_it_scales(q, scale, zero_point=0):
    """It is the code of 0, subtracted before scaling: (q - zero_point) · scale."""
    return q.float() * scale - zero_point


@believes("The zero point is added to get back", about="dequantize")
def adds_the_zero_point(q, scale, zero_point=0):
    """It is added to store a number, and subtracted to get it back."""
    return solved.dequantize(q, scale, -zero_point)


@believes("The zero point is not needed to get numbers back", about="dequantize")
def forgets_the_zero_point(q, scale, zero_point=0):
    """It is the code of 0: subtract it first."""
    return solved.dequantize(q, scale)


@believes("The result may be rounded to bfloat16", about="dequantize")
def by_bfloat16(q, scale, zero_point=0):
    """A stored number fits bfloat16, but its product with a float32 scale does not."""
    return solved.dequantize(q, scale, zero_point).bfloat16().float()


@believes("The result is float64", about="dequantize")
def in_float64(q, scale, zero_point=0):
    """It is float32."""
    return solved.dequantize(q, scale, zero_point).double()


@believes("int8 codes are 0 to 255", about="dequantize")
def without_sign(q, scale, zero_point=0):
    """They are -128 to 127."""
    return solved.dequantize(q.view(torch.uint8) if q.dtype == torch.int8 else q, scale, zero_point)


@believes("The value of an fp8 number is its byte", about="dequantize")
def code_of_fp8(q, scale, zero_point=0):
    """The byte encodes a float: a cast to float32 gives its value."""
    return solved.dequantize(q if q.dtype == torch.int8 else q.view(torch.uint8), scale, zero_point)


@believes("All stored numbers have one scale", about="dequantize")
def first_scale_alone(q, scale, zero_point=0):
    """There may be one for each row: let it broadcast."""
    one = scale.flatten()[0] if isinstance(scale, torch.Tensor) and scale.numel() else scale
    return solved.dequantize(q, one, zero_point)


@believes("nan comes back as 0", about="dequantize")
def nan_comes_back_as_0(q, scale, zero_point=0):
    """It stays nan."""
    return solved.dequantize(q, scale, zero_point).nan_to_num(0.0, math.inf, -math.inf)


@believes("x may be divided in place", about="quantize")
def divides_in_place(x, scale, dtype=torch.float8_e4m3fn):
    """It belongs to the caller: x / scale makes a new tensor."""
    answer = solved.quantize(x, scale, dtype)
    x.div_(scale)
    return answer


@believes("A scale of one dimension has one for each row", about="dequantize")
def vectors_scale_rows(q, scale, zero_point=0):
    """It broadcasts as in torch: one dimension is the last, that of columns. For rows the shape is (rows, 1)."""
    for_rows = isinstance(scale, torch.Tensor) and scale.ndim == 1 and len(scale) == len(q)
    return solved.dequantize(q, scale[:, None] if for_rows else scale, zero_point)
