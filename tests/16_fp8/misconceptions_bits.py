"""Wrong answers that people give to kata 16 about four bits."""
# mypy: ignore-errors

import torch
from torch.nn import functional as F

from dojo.judging.diagnose import believes, solution

solved = solution("16_fp8")


def _swapped(packed):
    """The halves of each byte exchanged."""
    return (packed << 4) | (packed >> 4)


# pack_int4


@believes("The first value stands in the high half", about="pack_int4")
def first_is_high(q):
    """In the low half: the byte of 1 and 2 is 2 · 16 + 1."""
    return _swapped(solved.pack_int4(q))


@believes("Rows are packed one behind the other", about="pack_int4")
def across_rows(q):
    """Each row is packed for itself, and an odd one has a 0 at its end."""
    flat = solved.pack_int4(q.reshape(-1))
    if q.shape[-1] % 2 and q.numel() != q.shape[-1]:
        return flat
    return flat.reshape(*q.shape[:-1], -(-q.shape[-1] // 2))


@believes("An odd last value has no byte", about="pack_int4")
def drops_the_last(q):
    """It has one, with a 0 beside it."""
    solved.pack_int4(q)
    return solved.pack_int4(q[..., : q.shape[-1] // 2 * 2])


@believes("A 0 is put before an odd row", about="pack_int4")
def zero_first(q):
    """Behind it, so that the first value is the low half of the first byte."""
    return solved.pack_int4(F.pad(q, (q.shape[-1] % 2, 0)))


@believes("A row of odd size cannot be packed", about="pack_int4")
def refuses_odd_rows(q):
    """An odd last value has a 0 beside it."""
    if q.shape[-1] % 2:
        raise ValueError("odd")
    return solved.pack_int4(q)


@believes("Four bits are stored with 8 added", about="pack_int4")
def with_an_offset(q):
    """They are two's complement: -1 is 0b1111, and 0 is 0."""
    packed = solved.pack_int4(q) ^ 0x88
    if q.shape[-1] % 2:
        packed[..., -1] &= 15
    return packed


@believes("A negative value has a bit for its sign", about="pack_int4")
def with_a_sign_bit(q):
    """Two's complement: -1 is 0b1111, and not 0b1001."""
    solved.pack_int4(q)
    return solved.pack_int4(torch.where((q < 0) & (q > -8), -8 - q, q).to(torch.int8))


@believes("The high bits of a negative value are 0", about="pack_int4")
def without_a_mask(q):
    """In int8 they are 1, and would fill the high half: keep the low four bits."""
    solved.pack_int4(q)
    wide = F.pad(q, (0, q.shape[-1] % 2)).view(torch.uint8)
    return wide[..., ::2] | wide[..., 1::2] << 4


@believes("The first half of a row goes with the second", about="pack_int4")
def halves_of_rows(q):
    """Neighbours share a byte."""
    even = F.pad(q, (0, q.shape[-1] % 2))
    middle = even.shape[-1] // 2
    return solved.pack_int4(torch.stack([even[..., :middle], even[..., middle:]], -1).flatten(-2))


@believes("Rows share bytes, value by value", about="pack_int4")
def pairs_of_rows(q):
    """Neighbours in the last dimension share a byte."""
    return solved.pack_int4(q.mT).mT if q.ndim > 1 else solved.pack_int4(q)


@believes("What does not fit is cut to four bits", about="pack_int4")
def cuts_to_four_bits(q):
    """Then 8 would come back as -8: ValueError."""
    return solved.pack_int4((q & 15 ^ 8) - 8)


@believes("What does not fit saturates", about="pack_int4")
def clamps_to_four_bits(q):
    """Codes are right or wrong already: ValueError."""
    return solved.pack_int4(q.clamp(-8, 7))


@believes("Values can be too large, and not too small", about="pack_int4")
def checks_above_alone(q):
    """-9 does not fit either."""
    return solved.pack_int4(torch.where(q < -8, (q & 15 ^ 8) - 8, q))


@believes("Values can be too small, and not too large", about="pack_int4")
def checks_below_alone(q):
    """8 does not fit either."""
    return solved.pack_int4(torch.where(q > 7, (q & 15 ^ 8) - 8, q))


@believes("int4 goes from -7 to 7", about="pack_int4")
def refuses_minus_8(q):
    """A symmetric scale may leave -8 out, but four bits hold it."""
    if (q == -8).any():
        raise ValueError("-8")
    return solved.pack_int4(q)


@believes("Four bits hold up to 8", about="pack_int4")
def takes_8(q):
    """Of 16 codes eight are negative and one is 0: the largest is 7."""
    return solved.pack_int4(torch.where(q == 8, -8, q).to(torch.int8))


@believes("Bytes have the dtype of the values", about="pack_int4")
def packs_into_int8(q):
    """Bytes are uint8: what is in them is no number of its own."""
    return solved.pack_int4(q).view(torch.int8)


# unpack_int4


@believes("The high half comes first", about="unpack_int4")
def high_first(packed, size):
    """The first value is in the low half."""
    return solved.unpack_int4(_swapped(packed), size)


@believes("Four bits are 0 to 15", about="unpack_int4")
def no_negative_ones(packed, size):
    """They are two's complement: 8 to 15 stand for -8 to -1."""
    return solved.unpack_int4(packed, size) & 15


@believes("8 is subtracted from four bits", about="unpack_int4")
def subtracts_8(packed, size):
    """They are two's complement: 0 stands for 0, and 15 for -1."""
    return (solved.unpack_int4(packed, size) & 15) - 8


@believes("The highest of four bits is a sign", about="unpack_int4")
def reads_a_sign_bit(packed, size):
    """Two's complement: 0b1001 is -7, and not -1."""
    values = solved.unpack_int4(packed, size)
    return torch.where(values < 0, -8 - values, values)


@believes("Only the high half has a sign", about="unpack_int4")
def low_without_sign(packed, size):
    """A shift of an int8 keeps the sign of the high half; the low half has one as well."""
    values = solved.unpack_int4(packed, size)
    values[..., ::2] &= 15
    return values


@believes("Only the low half has a sign", about="unpack_int4")
def high_without_sign(packed, size):
    """Of a uint8 a shift brings zeros; 8 to 15 stand for -8 to -1 in both halves."""
    values = solved.unpack_int4(packed, size)
    values[..., 1::2] &= 15
    return values


@believes("All halves are values", about="unpack_int4")
def gives_all_halves(packed, size):
    """An odd row has one less: cut to size."""
    solved.unpack_int4(packed, size)
    return solved.unpack_int4(packed, 2 * packed.shape[-1])


@believes("All low halves come first", about="unpack_int4")
def low_halves_first(packed, size):
    """Neighbours share a byte: low, high, low, high."""
    solved.unpack_int4(packed, size)
    values = solved.unpack_int4(packed, 2 * packed.shape[-1])
    return torch.cat([values[..., ::2], values[..., 1::2]], -1)[..., :size]


@believes("More bytes than needed do no harm", about="unpack_int4")
def takes_more_bytes(packed, size):
    """Somebody has mistaken the size: ValueError."""
    return solved.unpack_int4(packed[..., : -(-size // 2)], size)


@believes("What is missing is 0", about="unpack_int4")
def fills_up_with_0(packed, size):
    """Somebody has mistaken the size: ValueError."""
    return solved.unpack_int4(F.pad(packed, (0, max(-(-size // 2) - packed.shape[-1], 0))), size)


@believes("Bytes are as many as half of the values, rounded down", about="unpack_int4")
def rounds_bytes_down(packed, size):
    """An odd last value has a byte, too."""
    if packed.shape[-1] != size // 2:
        raise ValueError("bytes")
    return solved.unpack_int4(F.pad(packed, (0, size % 2)), size)


@believes("The half that is not used is 0", about="unpack_int4")
def refuses_what_is_unused(packed, size):
    """It may hold anything."""
    if size % 2 and (packed[..., -1:] > 15).any():
        raise ValueError("unused")
    return solved.unpack_int4(packed, size)


@believes("The whole last byte is an odd last value", about="unpack_int4")
def reads_the_last_byte_whole(packed, size):
    """Its low half is, and the other half may hold anything."""
    values = solved.unpack_int4(packed, size)
    if size % 2:
        values[..., -1] = packed[..., -1].view(torch.int8)
    return values


@believes("Values of four bits are returned as bytes", about="unpack_int4")
def returns_uint8(packed, size):
    """uint8 has no negative ones: int8."""
    return solved.unpack_int4(packed, size).view(torch.uint8)
