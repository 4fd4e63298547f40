"""Wrong answers that people give to kata 16 about the scale of a tensor and of its blocks."""
# mypy: ignore-errors

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("16_fp8")
E4M3 = torch.float8_e4m3fn


def _blocks(x, block):
    """The blocks of a matrix, row by row."""
    rows, columns = block
    down, across = range(0, x.shape[0], rows), range(0, x.shape[1], columns)
    return [[x[i : i + rows, j : j + columns] for j in across] for i in down]


def _each(x, block, scale_of):
    """Return the scale of each block, by that function."""
    if block is None:
        return torch.as_tensor(scale_of(x), dtype=torch.float32)
    found = [[scale_of(part) for part in row] for row in _blocks(x, block)]
    return torch.tensor(found, dtype=torch.float32).reshape(solved.amax_scale(x, block).shape)


def _amax(x):
    return x.float().abs().max() if x.numel() else torch.tensor(0.0)


@believes("A number is multiplied by its scale to be stored", about="amax_scale")
def multiplies_to_store(x, block=None, dtype=E4M3):
    """A stored number is multiplied by it to get back: the scale is largest magnitude / largest value of dtype."""
    return 1 / solved.amax_scale(x, block, dtype)


@believes("x.max() is the largest magnitude", about="amax_scale")
def largest_without_sign(x, block=None, dtype=E4M3):
    """A negative number may be larger in magnitude: use abs()."""
    largest = torch.finfo(dtype).max

    def scale_of(part):
        usable = part.numel() and part.isfinite().all() and part.max() != 0
        return part.max().item() / largest if usable else 1.0

    return _each(x, block, scale_of)


@believes("fp8 always ends at 448", about="amax_scale")
def always_e4m3(x, block=None, dtype=E4M3):
    """e5m2 ends at 57344: use torch.finfo(dtype).max."""
    return solved.amax_scale(x, block)


@believes("e4m3 ends at 240", about="amax_scale")
def ends_at_240(x, block=None, dtype=E4M3):
    """e4m3fnuz ends there; float8_e4m3fn has numbers up to 448."""
    scale = solved.amax_scale(x, block, dtype)
    plain = _each(x, block, lambda part: float(0 < _amax(part) < torch.inf))
    return torch.where(plain > 0, scale * 448 / 240, scale) if dtype == E4M3 else scale


@believes("inf and nan are left out of the largest magnitude", about="amax_scale")
def among_the_finite(x, block=None, dtype=E4M3):
    """A block that holds one gets a scale of 1."""
    return solved.amax_scale(x.float().nan_to_num(0.0, 0.0, 0.0), block, dtype)


@believes("Only inf gives a scale of 1", about="amax_scale")
def nan_among_others(x, block=None, dtype=E4M3):
    """nan does too."""
    return solved.amax_scale(torch.where(x.isnan(), 0.0, x.float()), block, dtype)


@believes("One inf or nan makes all scales 1", about="amax_scale")
def spoils_all_blocks(x, block=None, dtype=E4M3):
    """It makes only the scale of its own block 1."""
    scales = solved.amax_scale(x, block, dtype)
    return scales if torch.isfinite(x.float()).all() else torch.ones_like(scales)


@believes("The scale of zeros is 0", about="amax_scale")
def zeros_have_a_scale_of_0(x, block=None, dtype=E4M3):
    """0 / 0 is nan: a block of zeros gets a scale of 1."""
    scales = solved.amax_scale(x, block, dtype)
    return torch.where(_each(x, block, lambda part: float(_amax(part) != 0 or not part.numel())) > 0, scales, 0.0)


@believes("Zeros are scaled as if their largest were 1", about="amax_scale")
def zeros_have_the_scale_of_1(x, block=None, dtype=E4M3):
    """Their scale is 1."""
    scales = solved.amax_scale(x, block, dtype)
    return torch.where(_each(x, block, lambda part: float(_amax(part) != 0)) > 0, scales, 1 / torch.finfo(dtype).max)


@believes("Subnormal numbers of float16 are 0", about="amax_scale")
def takes_subnormal_numbers_for_0(x, block=None, dtype=torch.float8_e4m3fn):
    """They reach down to 2**-24, and only zeros have a scale of 1."""
    if x.dtype != torch.float16:
        return solved.amax_scale(x, block, dtype)
    return solved.amax_scale(torch.where(x.abs() < torch.finfo(x.dtype).tiny, 0.0, x), block, dtype)


@believes("inf or nan makes the scale inf or nan", about="amax_scale")
def passes_on_what_is_not_finite(x, block=None, dtype=E4M3):
    """Then every other number of the block would become 0 or nan: the scale is 1."""
    amax = _each(x, block, _amax)
    return torch.where(amax.isfinite(), solved.amax_scale(x, block, dtype), amax)


@believes("The scale is computed in the dtype of x", about="amax_scale")
def in_the_dtype_of_x(x, block=None, dtype=E4M3):
    """In bfloat16 it would be off by up to 1 in 256: divide in float32."""
    return solved.amax_scale(x, block, dtype).to(x.dtype).float()


@believes("The scale has the dtype of x", about="amax_scale")
def returned_as_x_is(x, block=None, dtype=E4M3):
    """It is float32."""
    return solved.amax_scale(x, block, dtype).to(x.dtype)


@believes("Rows and columns that do not fill a block are left out", about="amax_scale")
def drops_short_blocks(x, block=None, dtype=E4M3):
    """The last blocks may be short, and they have scales too."""
    scales = solved.amax_scale(x, block, dtype)
    return scales if block is None else scales[: x.shape[0] // block[0], : x.shape[1] // block[1]]


@believes("block is (columns, rows)", about="amax_scale")
def columns_first(x, block=None, dtype=E4M3):
    """It is (rows, columns), as in a shape."""
    return solved.amax_scale(x, block and block[::-1], dtype)


@believes("block is the number of blocks", about="amax_scale")
def counts_of_blocks(x, block=None, dtype=E4M3):
    """It is the size of a block, in rows and columns."""
    sizes = block and tuple(max(-(-size // count), 1) for size, count in zip(x.shape, block, strict=True))
    return solved.amax_scale(x, sizes, dtype)


@believes("A block is as wide as the matrix", about="amax_scale")
def whole_rows(x, block=None, dtype=E4M3):
    """It has block[1] columns."""
    return solved.amax_scale(x, block and (block[0], max(x.shape[1], 1)), dtype)


@believes("All blocks share one scale", about="amax_scale")
def one_for_all_blocks(x, block=None, dtype=E4M3):
    """Each block has its own, from its own largest magnitude."""
    return solved.amax_scale(x, None, dtype).expand(solved.amax_scale(x, block, dtype).shape).clone()


@believes("The scale of a whole tensor has the shape (1,)", about="amax_scale")
def one_element(x, block=None, dtype=E4M3):
    """Its shape is ()."""
    scales = solved.amax_scale(x, block, dtype)
    return scales.reshape(1) if block is None else scales


@believes("x has at least one number", about="amax_scale")
def fails_on_nothing(x, block=None, dtype=E4M3):
    """A tensor without elements has a scale of 1."""
    if not x.numel():
        x.abs().max()
    return solved.amax_scale(x, block, dtype)


@believes("Magnitudes may be taken in place", about="amax_scale")
def takes_magnitudes_in_place(x, block=None, dtype=E4M3):
    """x belongs to the caller: x.abs() makes a new tensor."""
    scales = solved.amax_scale(x, block, dtype)
    x.abs_()
    return scales


@believes("Magnitudes may be taken in place", about="amax_scale")
def takes_all_magnitudes_in_place(x, block=None, dtype=E4M3):
    """x belongs to the caller, and x.float() is x itself if x is float32: abs() makes a new tensor."""
    return solved.amax_scale(x.float().abs_() if block is None else x, block, dtype)


_scales = {}


@believes("One tensor may serve for the results of all calls", about="amax_scale")
def one_tensor_for_all_scales(x, block=None, dtype=E4M3):
    """Then a call changes what an earlier one returned: make a new tensor each time."""
    scales = solved.amax_scale(x, block, dtype)
    return _scales.setdefault(scales.shape, torch.empty_like(scales)).copy_(scales)
