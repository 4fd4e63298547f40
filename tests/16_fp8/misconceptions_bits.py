"""Wrong answers that people give to kata 16 about four bits."""
# mypy: ignore-errors

import torch
from torch.nn import functional as F

from dojo.judging.diagnose import believes, solution

solved = solution("16_fp8")


def _swapped(packed):
    """Swap the halves of each byte."""
    return (packed << 4) | (packed >> 4)


# pack_int4


@believes("The first value is in the high half", about="pack_int4")
def first_is_high(q):
    """It is in the low half: the byte of 1 and 2 is 2 · 16 + 1."""
    return _swapped(solved.pack_int4(q))


@believes("Rows are packed without gaps between them", about="pack_int4")
def across_rows(q):
    """Each row is packed separately, and an odd row has a 0 at its end."""
    flat = solved.pack_int4(q.reshape(-1))
    if q.shape[-1] % 2 and q.numel() != q.shape[-1]:
        return flat
    return flat.reshape(*q.shape[:-1], -(-q.shape[-1] // 2))


@believes("An odd last value gets no byte", about="pack_int4")
def drops_the_last(q):
    """It has one, with a 0 beside it."""
    solved.pack_int4(q)
    return solved.pack_int4(q[..., : q.shape[-1] // 2 * 2])


@believes("A 0 is put before the first value of an odd row", about="pack_int4")
def zero_first(q):
    """It is put after the last one: the first value is in the low half of the first byte."""
    return solved.pack_int4(F.pad(q, (q.shape[-1] % 2, 0)))


@believes("A row of odd size cannot be packed", about="pack_int4")
def refuses_odd_rows(q):
    """An odd last value has a 0 beside it, in the high half."""
    if q.shape[-1] % 2:
        raise ValueError("odd")
    return solved.pack_int4(q)


@believes("Values are stored with 8 added", about="pack_int4")
def with_an_offset(q):
    """They are two's complement: -1 is 0b1111, and 0 is 0."""
    return solved.pack_int4(q) ^ 0x88


@believes("The highest of the four bits is only a sign", about="pack_int4")
def with_a_sign_bit(q):
    """They are two's complement: -1 is 0b1111, and not 0b1001."""
    solved.pack_int4(q)
    return solved.pack_int4(torch.where((q < 0) & (q > -8), -8 - q, q).to(torch.int8))


@believes("The high bits of a negative int8 are 0", about="pack_int4")
def without_a_mask(q):
    """They are 1, and would fill the high half: keep the low four bits with & 15."""
    solved.pack_int4(q)
    wide = F.pad(q, (0, q.shape[-1] % 2)).view(torch.uint8)
    return wide[..., ::2] | wide[..., 1::2] << 4


@believes("A value shares its byte with one from the other half of the row", about="pack_int4")
def halves_of_rows(q):
    """Neighbours share a byte."""
    even = F.pad(q, (0, q.shape[-1] % 2))
    middle = even.shape[-1] // 2
    return solved.pack_int4(torch.stack([even[..., :middle], even[..., middle:]], -1).flatten(-2))


@believes("A value shares its byte with one from the next row", about="pack_int4")
def pairs_of_rows(q):
    """Neighbours in the last dimension share a byte."""
    return solved.pack_int4(q.mT).mT if q.ndim > 1 else solved.pack_int4(q)


@believes("Values that do not fit are cut to four bits", about="pack_int4")
def cuts_to_four_bits(q):
    """Then 8 would come back as -8: raise ValueError."""
    return solved.pack_int4((q & 15 ^ 8) - 8)


@believes("Values that do not fit saturate", about="pack_int4")
def clamps_to_four_bits(q):
    """Codes outside -8 to 7 are a mistake: raise ValueError."""
    return solved.pack_int4(q.clamp(-8, 7))


@believes("Only values that are too large are refused", about="pack_int4")
def checks_above_alone(q):
    """-9 does not fit either."""
    return solved.pack_int4(torch.where(q < -8, (q & 15 ^ 8) - 8, q))


@believes("Only values that are too small are refused", about="pack_int4")
def checks_below_alone(q):
    """8 does not fit either."""
    return solved.pack_int4(torch.where(q > 7, (q & 15 ^ 8) - 8, q))


@believes("Values that do not fit change the sum if they saturate", about="pack_int4")
def compares_sums(q):
    """Not if one is as much too low as another is too high: compare each value."""
    if (q.clamp(-8, 7).sum(-1) != q.sum(-1)).any():
        raise ValueError("int4 holds -8 to 7")
    return cuts_to_four_bits(q)


@believes("int4 goes from -7 to 7", about="pack_int4")
def refuses_minus_8(q):
    """A symmetric scale may not use -8, but four bits can hold it."""
    if (q == -8).any():
        raise ValueError("-8")
    return solved.pack_int4(q)


@believes("Four bits can hold 8", about="pack_int4")
def takes_8(q):
    """The codes are -8 to 7."""
    return solved.pack_int4(torch.where(q == 8, -8, q).to(torch.int8))


@believes("The bytes are int8, as the values are", about="pack_int4")
def packs_into_int8(q):
    """They are uint8: a byte with two values is not a number itself."""
    return solved.pack_int4(q).view(torch.int8)


@believes("q may be cut to four bits in place", about="pack_int4")
def cuts_q_in_place(q):
    """It belongs to the caller: q & 15 makes a new tensor."""
    packed = solved.pack_int4(q)
    q &= 15
    return packed


# unpack_int4


@believes("The first value is in the high half", about="unpack_int4")
def high_first(packed, size):
    """It is in the low half."""
    return solved.unpack_int4(_swapped(packed), size)


@believes("Four bits stand for 0 to 15", about="unpack_int4")
def no_negative_ones(packed, size):
    """They are two's complement: 8 to 15 stand for -8 to -1."""
    return solved.unpack_int4(packed, size) & 15


@believes("8 is subtracted from the four bits", about="unpack_int4")
def subtracts_8(packed, size):
    """They are two's complement: 0 stands for 0, and 15 for -1."""
    return (solved.unpack_int4(packed, size) & 15) - 8


@believes("The highest of the four bits is only a sign", about="unpack_int4")
def reads_a_sign_bit(packed, size):
    """They are two's complement: 0b1001 is -7, and not -1."""
    values = solved.unpack_int4(packed, size)
    return torch.where(values < 0, -8 - values, values)


@believes("Only the high half has a sign", about="unpack_int4")
def low_without_sign(packed, size):
    """A shift of an int8 extends the sign of the high half; the low half needs the same."""
    values = solved.unpack_int4(packed, size)
    values[..., ::2] &= 15
    return values


@believes("Only the low half has a sign", about="unpack_int4")
def high_without_sign(packed, size):
    """A shift of a uint8 fills with zeros: 8 to 15 stand for -8 to -1 in both halves."""
    values = solved.unpack_int4(packed, size)
    values[..., 1::2] &= 15
    return values


@believes("Every half of a byte is a value", about="unpack_int4")
def gives_all_halves(packed, size):
    """An odd row has one value fewer: return size values."""
    solved.unpack_int4(packed, size)
    return solved.unpack_int4(packed, 2 * packed.shape[-1])


@believes("All low halves come first, and then all high halves", about="unpack_int4")
def low_halves_first(packed, size):
    """They alternate: low, high, low, high."""
    solved.unpack_int4(packed, size)
    values = solved.unpack_int4(packed, 2 * packed.shape[-1])
    return torch.cat([values[..., ::2], values[..., 1::2]], -1)[..., :size]


@believes("More bytes than needed do no harm", about="unpack_int4")
def takes_more_bytes(packed, size):
    """They show that size is wrong: raise ValueError."""
    return solved.unpack_int4(packed[..., : -(-size // 2)], size)


@believes("Missing values are 0", about="unpack_int4")
def fills_up_with_0(packed, size):
    """Too few bytes show that size is wrong: raise ValueError."""
    return solved.unpack_int4(F.pad(packed, (0, max(-(-size // 2) - packed.shape[-1], 0))), size)


@believes("There are size // 2 bytes", about="unpack_int4")
def rounds_bytes_down(packed, size):
    """An odd last value has a byte too."""
    if packed.shape[-1] != size // 2:
        raise ValueError("bytes")
    return solved.unpack_int4(F.pad(packed, (0, size % 2)), size)


@believes("The half that is not used is 0", about="unpack_int4")
def refuses_what_is_unused(packed, size):
    """It may hold anything."""
    if size % 2 and (packed[..., -1:] > 15).any():
        raise ValueError("unused")
    return solved.unpack_int4(packed, size)


@believes("An odd last value is the whole last byte", about="unpack_int4")
def reads_the_last_byte_whole(packed, size):
    """It is the low half, and the other half may hold anything."""
    values = solved.unpack_int4(packed, size)
    if size % 2:
        values[..., -1] = packed[..., -1].view(torch.int8)
    return values


@believes("Values are returned as uint8", about="unpack_int4")
def returns_uint8(packed, size):
    """uint8 has no negative numbers: return int8."""
    return solved.unpack_int4(packed, size).view(torch.uint8)


@believes("packed may be shifted in place", about="unpack_int4")
def shifts_packed(packed, size):
    """It belongs to the caller: packed >> 4 makes a new tensor."""
    values = solved.unpack_int4(packed, size)
    packed >>= 4
    return values
