"""Wrong answers that people give to kata 16 about a product in fp8."""
# mypy: ignore-errors

import torch
from torch.nn import functional as F

from dojo.judging.diagnose import believes, solution

solved = solution("16_fp8")


def _padded(x, weight):
    """Return both, with k and n padded to multiples of 16."""
    k, n = x.shape[1], len(weight)
    return F.pad(x, (0, -k % 16)).float(), F.pad(weight, (0, -k % 16, 0, -n % 16))


def _rows(a):
    return solved.amax_scale(a, (1, a.shape[1]))


def _multiplied(x, weight, mm, scale_a, scale_b):
    """Return the product with these scales of the rows."""
    a, b = _padded(x, weight)
    product = mm(solved.quantize(a, scale_a), solved.quantize(b, scale_b).T, scale_a, scale_b.T.contiguous())
    return product[:, : len(weight)].float()


def _changed(mm, change):
    """Return a mm whose arguments are changed before the call."""
    return lambda *operands: mm(*change(*operands))


@believes("Each matrix has one scale", about="fp8_linear")
def a_scale_for_each_matrix(x, weight, mm):
    """Then small rows become 0: each row needs its own."""
    a, b = _padded(x, weight)
    scale_a, scale_b = solved.amax_scale(a), solved.amax_scale(b)
    product = mm(solved.quantize(a, scale_a), solved.quantize(b, scale_b).T, scale_a, scale_b)
    return product[:, : len(weight)].float()


@believes("Only weight needs a scale for each row", about="fp8_linear")
def one_scale_for_x(x, weight, mm):
    """Rows of x differ in size too."""
    a, b = _padded(x, weight)
    return _multiplied(x, weight, mm, solved.amax_scale(a).repeat(len(a), 1), _rows(b))


@believes("Only x needs a scale for each row", about="fp8_linear")
def one_scale_for_weight(x, weight, mm):
    """Rows of weight differ in size too."""
    a, b = _padded(x, weight)
    return _multiplied(x, weight, mm, _rows(a), solved.amax_scale(b).repeat(len(b), 1))


def _shared(scale):
    return scale.max().expand_as(scale).contiguous() if scale.max() < 1000 * scale.min() else scale


@believes("Rows that differ by less than a thousand may share a scale", about="fp8_linear")
def one_scale_for_similar_rows(x, weight, mm):
    """Numbers near 0 in the smaller rows are then rounded too far: each row needs its own."""
    a, b = _padded(x, weight)
    return _multiplied(x, weight, mm, _shared(_rows(a)), _shared(_rows(b)))


@believes("fp8 needs no scales", about="fp8_linear")
def no_scales(x, weight, mm):
    """It reaches only from 2**-9 to 448: a scale brings each row into that range."""
    a, b = _padded(x, weight)
    return _multiplied(x, weight, mm, torch.ones(len(a), 1), torch.ones(len(b), 1))


@believes("The power of two below the scale will do", about="fp8_linear")
def powers_of_two_below(x, weight, mm):
    """With it the largest numbers of a row saturate: take the one above."""
    a, b = _padded(x, weight)
    return _multiplied(x, weight, mm, *(_rows(rows).log2().floor().exp2() for rows in (a, b)))


@believes("The largest of a row becomes 57344", about="fp8_linear")
def scales_of_e5m2(x, weight, mm):
    """mm takes e4m3, which ends at 448."""
    a, b = _padded(x, weight)
    return _multiplied(x, weight, mm, *(solved.amax_scale(z, (1, z.shape[1]), torch.float8_e5m2) for z in (a, b)))


@believes("The largest of a row becomes 1", about="fp8_linear")
def scales_to_one(x, weight, mm):
    """Then numbers a thousand times smaller become 0: scale the largest to 448."""
    a, b = _padded(x, weight)
    return _multiplied(x, weight, mm, _rows(a) * 448, _rows(b) * 448)


@believes("The scale comes from the mean magnitude", about="fp8_linear")
def scales_by_the_average(x, weight, mm):
    """Then the largest numbers of a row saturate."""
    a, b = (z.abs().mean(1, keepdim=True) / 448 for z in _padded(x, weight))
    return _multiplied(x, weight, mm, torch.where(a > 0, a, 1.0), torch.where(b > 0, b, 1.0))


@believes("The scale comes from the largest number, with its sign", about="fp8_linear")
def scales_without_sign(x, weight, mm):
    """The largest magnitude decides: otherwise rows of negative numbers would saturate."""
    return _multiplied(x, weight, mm, *(_rows(z.clamp(min=0.0)) for z in _padded(x, weight)))


@believes("mm wants the inverse of the scales", about="fp8_linear")
def hands_over_inverses(x, weight, mm):
    """It multiplies by the scales, as in (a · scale_a) @ (b · scale_b)."""
    return solved.fp8_linear(x, weight, _changed(mm, lambda a, b, s, t: (a, b, 1 / s, 1 / t)))


@believes("mm divides by the scales itself", about="fp8_linear")
def casts_without_dividing(x, weight, mm):
    """It multiplies by them: divide a and b first."""
    a, b = _padded(x, weight)
    one = torch.ones(())
    return solved.fp8_linear(
        x, weight, _changed(mm, lambda _, __, s, t: (solved.quantize(a, one), solved.quantize(b, one).T, s, t))
    )


@believes("The product has to be multiplied by the scales", about="fp8_linear")
def scales_once_more(x, weight, mm):
    """mm has already done that."""
    scale_a, scale_b = map(_rows, _padded(x, weight))
    return solved.fp8_linear(x, weight, mm) * scale_a * scale_b[: len(weight)].T


@believes("mm may be given scales of 1", about="fp8_linear")
def leaves_scales_at_1(x, weight, mm):
    """Then the scales are missing from the product: pass those that a and b were divided by."""
    return solved.fp8_linear(x, weight, _changed(mm, lambda a, b, s, t: (a, b, torch.ones_like(s), torch.ones_like(t))))


@believes("k and n may have any size for mm", about="fp8_linear")
def pads_nothing(x, weight, mm):
    """They must be multiples of 16: pad with zeros, and cut them off again."""
    scale_a, scale_b = _rows(x), _rows(weight)
    return mm(solved.quantize(x, scale_a), solved.quantize(weight, scale_b).T, scale_a, scale_b.T.contiguous()).float()


@believes("Padding may stay in the result", about="fp8_linear")
def cuts_nothing_off(x, weight, mm):
    """The result is (m, n): cut the columns of zeros off."""
    return solved.fp8_linear(x, F.pad(weight, (0, 0, 0, -len(weight) % 16)), mm)


@believes("Padding to 16 is enough", about="fp8_linear")
def pads_to_16(x, weight, mm):
    """Pad to the next multiple of 16: 17 becomes 32."""
    k, n = x.shape[1], len(weight)
    if k > 16 or n > 16:
        return pads_nothing(x, weight, mm)
    return solved.fp8_linear(x, weight, mm)


@believes("16 - n % 16 columns are always cut off", about="fp8_linear")
def pads_always(x, weight, mm):
    """If n is a multiple of 16, nothing was padded: cut off -n % 16 columns."""
    n = len(weight)
    return solved.fp8_linear(x, weight, mm)[:, : n - (16 if n % 16 == 0 else 0)]


@believes("b is contiguous", about="fp8_linear")
def makes_b_contiguous(x, weight, mm):
    """mm needs it column-major, which weight.T is already."""
    return solved.fp8_linear(
        x, weight, _changed(mm, lambda a, b, s, t: (a, b.T.view(torch.uint8).T.contiguous().view(b.dtype), s, t))
    )


@believes("scale_b is (n, 1)", about="fp8_linear")
def scales_of_b_in_a_column(x, weight, mm):
    """It has one scale for each column of b: (1, n)."""
    return solved.fp8_linear(x, weight, _changed(mm, lambda a, b, s, t: (a, b, s, t.T.contiguous())))


@believes("Scales have the dtype of x", about="fp8_linear")
def scales_as_x_is(x, weight, mm):
    """They are float32."""
    return solved.fp8_linear(x, weight, _changed(mm, lambda a, b, s, t: (a, b, s.to(x.dtype), t.to(x.dtype))))


@believes("x and weight may be e5m2", about="fp8_linear")
def multiplies_e5m2(x, weight, mm):
    """mm takes only e4m3, which is twice as precise."""
    return solved.fp8_linear(x, weight, _changed(mm, lambda a, b, s, t: (a.float().to(torch.float8_e5m2), b, s, t)))


@believes("mm always returns float32", about="fp8_linear")
def returns_what_mm_returns(x, weight, mm):
    """It may return bfloat16: cast the result to float32."""
    products = []

    def noted(*operands):
        products.append(mm(*operands))
        return products[0]

    solved.fp8_linear(x, weight, noted)
    return products[0][:, : len(weight)]


@believes("The result has the dtype of x", about="fp8_linear")
def returns_the_dtype_of_x(x, weight, mm):
    """It is float32, even for a bfloat16 x."""
    return solved.fp8_linear(x, weight, mm).to(x.dtype)


@believes("mm is called for each row", about="fp8_linear")
def row_by_row(x, weight, mm):
    """Call it once, with a scale for each row."""
    return torch.cat([solved.fp8_linear(row, weight, mm) for row in x.split(1)])


@believes("The product may be computed without mm", about="fp8_linear")
def multiplies_itself(x, weight, mm):
    """It must come from mm: in float32 nothing would be saved."""
    return x.float() @ weight.T


@believes("mm has to be called, but its result need not be used", about="fp8_linear")
def asks_and_forgets(x, weight, mm):
    """The result must be what mm gives."""
    solved.fp8_linear(x, weight, mm)
    return x.float() @ weight.T


@believes("mm may be called twice, to warm up", about="fp8_linear")
def calls_twice(x, weight, mm):
    """Call it once."""
    solved.fp8_linear(x, weight, mm)
    return solved.fp8_linear(x, weight, mm)


@believes("No row is all zeros", about="fp8_linear")
def divides_zeros(x, weight, mm):
    """0 / 0 is nan: such a row gets a scale of 1."""
    a, b = (z.abs().amax(1, keepdim=True) / 448 for z in _padded(x, weight))
    return _multiplied(x, weight, mm, a, b)


_results = {}


@believes("One tensor may serve for the results of all calls", about="fp8_linear")
def one_tensor_for_all_results(x, weight, mm):
    """Then a call changes what an earlier one returned: make a new tensor each time."""
    result = solved.fp8_linear(x, weight, mm)
    return _results.setdefault(result.shape, torch.empty_like(result)).copy_(result)
