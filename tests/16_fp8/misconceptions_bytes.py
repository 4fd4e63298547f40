"""Wrong answers that people give to kata 16 about the bytes that are saved."""
# mypy: ignore-errors

import math

from dojo.judging.diagnose import believes, solution

solved = solution("16_fp8")


def _row(shape):
    return shape[-1] if shape else 1


def _rows(shape):
    return math.prod(shape[:-1])


def _with_scales(shape, packed, scales, scale_bytes):
    """Return the bytes of packed values and of their scales; 0 if there are no values."""
    return packed + scales * scale_bytes if math.prod(shape) else 0


def _packed(shape, bits):
    return _rows(shape) * -(-_row(shape) * bits // 8)


def _scales(shape, group):
    return _rows(shape) * -(-_row(shape) // group) if group else 1


@believes("Rows are packed without gaps between them", about="quantized_bytes")
def rows_share_bytes(shape, bits, group=None, scale_bytes=2):
    """Each row begins with a new byte, so bits are rounded up to bytes row by row."""
    return _with_scales(shape, -(-math.prod(shape) * bits // 8), _scales(shape, group), scale_bytes)


@believes("A last byte that is not full does not count", about="quantized_bytes")
def rounds_bytes_of_rows_down(shape, bits, group=None, scale_bytes=2):
    """It counts: round up."""
    return _with_scales(shape, _rows(shape) * (_row(shape) * bits // 8), _scales(shape, group), scale_bytes)


@believes("A value takes whole bytes", about="quantized_bytes")
def bytes_for_each_value(shape, bits, group=None, scale_bytes=2):
    """Values of a row are packed: two of 4 bits share a byte."""
    return _with_scales(shape, math.prod(shape) * -(-bits // 8), _scales(shape, group), scale_bytes)


@believes("A value does not continue in the next byte", about="quantized_bytes")
def no_value_across_bytes(shape, bits, group=None, scale_bytes=2):
    """Values of 3 bits are packed without gaps: eight of them take three bytes."""
    size = -(-_row(shape) // (8 // bits)) if bits <= 8 else _row(shape) * -(-bits // 8)
    return _with_scales(shape, _rows(shape) * size, _scales(shape, group), scale_bytes)


@believes("Each group is packed into its own bytes", about="quantized_bytes")
def groups_fill_bytes(shape, bits, group=None, scale_bytes=2):
    """Only rows are: the values of a row are packed without gaps."""
    if not group:
        return solved.quantized_bytes(shape, bits, group, scale_bytes)
    whole, rest = divmod(_row(shape), group)
    packed = whole * -(-group * bits // 8) + -(-rest * bits // 8)
    return _with_scales(shape, _rows(shape) * packed, _scales(shape, group), scale_bytes)


@believes("Groups continue in the next row", about="quantized_bytes")
def groups_across_rows(shape, bits, group=None, scale_bytes=2):
    """Each row has its own groups, and the last one may be short."""
    scales = -(-math.prod(shape) // group) if group else 1
    return _with_scales(shape, _packed(shape, bits), scales, scale_bytes)


@believes("A short group has no scale", about="quantized_bytes")
def whole_groups_alone(shape, bits, group=None, scale_bytes=2):
    """Its values need one too."""
    scales = _rows(shape) * (_row(shape) // group) if group else 1
    return _with_scales(shape, _packed(shape, bits), scales, scale_bytes)


@believes("There is one scale, with groups or without", about="quantized_bytes")
def one_scale(shape, bits, group=None, scale_bytes=2):
    """Each group has its own."""
    return _with_scales(shape, _packed(shape, bits), 1, scale_bytes)


@believes("group is the number of scales in a row", about="quantized_bytes")
def group_of_scales(shape, bits, group=None, scale_bytes=2):
    """It is the number of values that share a scale."""
    return _with_scales(shape, _packed(shape, bits), _rows(shape) * group if group else 1, scale_bytes)


@believes("Without groups there is no scale", about="quantized_bytes")
def no_scale(shape, bits, group=None, scale_bytes=2):
    """There is one for the whole tensor."""
    return _with_scales(shape, _packed(shape, bits), _scales(shape, group) if group else 0, scale_bytes)


@believes("Without groups each row has a scale", about="quantized_bytes")
def a_scale_for_each_row(shape, bits, group=None, scale_bytes=2):
    """There is one for the whole tensor."""
    return _with_scales(shape, _packed(shape, bits), _scales(shape, group) if group else _rows(shape), scale_bytes)


@believes("Groups run down the columns", about="quantized_bytes")
def groups_down_columns(shape, bits, group=None, scale_bytes=2):
    """They run along the last dimension, as the values are packed."""
    if not group or len(shape) < 2:
        return solved.quantized_bytes(shape, bits, group, scale_bytes)
    scales = -(-shape[0] // group) * math.prod(shape[1:])
    return _with_scales(shape, _packed(shape, bits), scales, scale_bytes)


@believes("Rows are along the first dimension", about="quantized_bytes")
def rows_along_the_first(shape, bits, group=None, scale_bytes=2):
    """They are along the last one."""
    return solved.quantized_bytes(shape[::-1], bits, group, scale_bytes)


@believes("Only the last two dimensions count", about="quantized_bytes")
def last_two_dimensions(shape, bits, group=None, scale_bytes=2):
    """All leading dimensions count: their product is the number of rows."""
    return solved.quantized_bytes(shape[-2:], bits, group, scale_bytes)


@believes("A scale takes 2 bytes", about="quantized_bytes")
def two_bytes_a_scale(shape, bits, group=None, scale_bytes=2):
    """scale_bytes says how many: in mxfp8 and nvfp4 it is 1."""
    return solved.quantized_bytes(shape, bits, group)


@believes("scale_bytes are bits", about="quantized_bytes")
def scales_of_bits(shape, bits, group=None, scale_bytes=2):
    """They are bytes."""
    return _with_scales(shape, _packed(shape, bits), 1, -(-_scales(shape, group) * scale_bytes // 8))


@believes("Each scale has a zero point beside it", about="quantized_bytes")
def zero_points(shape, bits, group=None, scale_bytes=2):
    """Here there are only scales."""
    return _with_scales(shape, _packed(shape, bits), _scales(shape, group), scale_bytes + 1)


@believes("The shape () has no values", about="quantized_bytes")
def nothing_in_0_d(shape, bits, group=None, scale_bytes=2):
    """It has one value, in one row."""
    return solved.quantized_bytes(shape, bits, group, scale_bytes) if shape else 0


@believes("math.ceil(a / b) is exact", about="quantized_bytes")
def in_floats(shape, bits, group=None, scale_bytes=2):
    """A float cannot hold every integer beyond 2**53: -(-a // b) rounds up exactly."""
    packed = _rows(shape) * math.ceil(_row(shape) * bits / 8)
    scales = _rows(shape) * math.ceil(_row(shape) / group) if group else 1
    return int(float(_with_scales(shape, packed, scales, scale_bytes)))


@believes("64 bits hold any number of bytes", about="quantized_bytes")
def in_64_bits(shape, bits, group=None, scale_bytes=2):
    """Sizes may be larger here: Python's ints have no limit."""
    size = solved.quantized_bytes(shape, bits, group, scale_bytes)
    return (size + 2**63) % 2**64 - 2**63


@believes("Even a row without values has a group", about="quantized_bytes")
def a_group_of_nothing(shape, bits, group=None, scale_bytes=2):
    """Without values there is no group, and no scale."""
    size = solved.quantized_bytes(shape, bits, group, scale_bytes)
    return size if math.prod(shape) else size + max(_rows(shape), 1) * scale_bytes
