"""Wrong answers that people give to kata 20 about numbers in 8 bits."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("20_memory_savers")

# quantize


class Coding:
    """The answer in parts, all of them right."""

    steps = 127.0

    def __init__(self, x, block_size):
        self.x, self.block_size = x, block_size

    def run(self):
        """Codes and scales."""
        self.check()
        blocks = [block for block in self.flat().split(self.block_size) if len(block)]
        scales = [self.largest(block) / self.steps for block in blocks]
        codes = [self.codes(block, scale) for block, scale in zip(blocks, scales, strict=True)]
        return torch.cat([*codes, torch.zeros(0, dtype=torch.int8)]), torch.tensor(scales, dtype=torch.float32)

    def check(self):
        """Refuse what is no length."""
        if self.block_size < 1:
            raise ValueError(self.block_size)

    def flat(self):
        """In float64, row by row."""
        return self.x.detach().double().flatten()

    def largest(self, block):
        """The largest element, without its sign."""
        return block.abs().max().item()

    def codes(self, block, scale):
        """The nearest ones."""
        return (block / scale if scale else block).round().to(torch.int8)


@believes("The scale is absmax / 128", about="quantize")
def takes_128_steps(x, block_size):
    """The largest int8 is 127: with absmax / 128 the largest element would need the code 128."""

    class Steps(Coding):
        steps = 128

        def codes(self, block, scale):
            return (block / scale if scale else block).round().clamp(-128, 127).to(torch.int8)

    return Steps(x, block_size).run()


@believes("The scale is absmax / 127.5", about="quantize")
def takes_127_and_a_half(x, block_size):
    """The codes reach from -127 to 127: absmax / 127."""

    class Steps(Coding):
        steps = 127.5

        def codes(self, block, scale):
            return (block / scale if scale else block).round().clamp(-127, 127).to(torch.int8)

    return Steps(x, block_size).run()


@believes("One scale is enough for all blocks", about="quantize")
def takes_one_scale(x, block_size):
    """Blocks of small elements would become zeros beside a block of large ones: each block has a scale."""

    class One(Coding):
        def largest(self, block):
            return self.flat().abs().max().item()

    return One(x, block_size).run()


@believes("The cast to int8 rounds", about="quantize")
def truncates(x, block_size):
    """It drops what is after the decimal point: round first, or the error is up to a whole scale."""

    class Cutting(Coding):
        def codes(self, block, scale):
            return (block / scale if scale else block).to(torch.int8)

    return Cutting(x, block_size).run()


@believes("The largest element of a block is above 0", about="quantize")
def divides_by_0(x, block_size):
    """In a block of zeros it is 0, and 0 / 0 is NaN: divide by 1 there."""

    class Dividing(Coding):
        def check(self):
            super().check()
            if not all(block.any() for block in self.flat().split(self.block_size) if len(block)):
                raise ZeroDivisionError("float division by zero")

    return Dividing(x, block_size).run()


@believes("A scale below 1e-12 has to be raised", about="quantize")
def lifts_small_scales(x, block_size):
    """Elements may be as small as 1e-30, and so is their scale: only a scale of 0 is a special case."""

    class Lifting(Coding):
        def largest(self, block):
            return max(super().largest(block), 127e-12 if block.any() else 0)

    return Lifting(x, block_size).run()


@believes("The scale may be computed in the dtype of x", about="quantize")
def computes_narrow(x, block_size):
    """bfloat16 has 8 bits, so such a scale is off by far more than 1e-6: compute in float32 or wider."""

    class Narrow(Coding):
        def flat(self):
            return self.x.detach().flatten()

        def largest(self, block):
            return (block.abs().max() / 127).item() * 127

    return Narrow(x, block_size).run()


@believes("Elements are cut in the order of memory", about="quantize")
def cuts_in_the_order_of_memory(x, block_size):
    """In a transposed tensor that is not row by row: use flatten()."""
    return solved.quantize(x if x.is_contiguous() else x.mT.contiguous(), block_size)


@believes("A slice frees what it cuts off", about="quantize")
def keeps_the_padding(x, block_size):
    """A slice keeps the whole storage, with the padding: clone it."""
    codes, scales = solved.quantize(x, block_size)
    return torch.nn.functional.pad(codes, (0, -len(codes) % block_size + 1))[: len(codes)], scales


@believes("The last block is filled up", about="quantize")
def fills_the_last_block(x, block_size):
    """There are as many codes as elements: the last block may be shorter."""
    codes, scales = solved.quantize(x, block_size)
    return torch.nn.functional.pad(codes, (0, -len(codes) % block_size)), scales


@believes("Elements that do not fill a block are dropped", about="quantize")
def drops_the_last_block(x, block_size):
    """They are a shorter block, with a scale of its own."""
    codes, scales = solved.quantize(x, block_size)
    whole = len(codes) // block_size
    return codes[: whole * block_size].clone(), scales[:whole].clone()


@believes("block_size need not be checked", about="quantize")
def takes_any_block_size(x, block_size):
    """Below 1 there are no blocks: raise ValueError."""
    return solved.quantize(x, max(block_size, 1))


@believes("Where nothing is to be cut, block_size need not be checked", about="quantize")
def checks_only_if_there_are_elements(x, block_size):
    """Below 1 it is wrong for an empty tensor as well: check it first, and raise ValueError."""
    return solved.quantize(x, block_size if x.numel() else max(block_size, 1))


@believes("The codes span the range from the smallest to the largest element", about="quantize")
def shifts_zero(x, block_size):
    """Then the zero point has to be kept as well: here the code of 0 is 0, and code · scale is the value."""

    class Shifted(Coding):
        def largest(self, block):
            return (block.max() - block.min()).item() / 2

        def codes(self, block, scale):
            return super().codes(block.clamp(-127 * scale, 127 * scale), scale)

    return Shifted(x, block_size).run()


@believes("The largest element is x.max()", about="quantize")
def forgets_negative_elements(x, block_size):
    """Of -3 and 2 it is -3: take the largest absolute value."""

    class Signed(Coding):
        def largest(self, block):
            return max(block.max().item(), 0.0) or super().largest(block)

        def codes(self, block, scale):
            return super().codes(block.clamp(-127 * scale, 127 * scale), scale)

    return Signed(x, block_size).run()


@believes("x may be overwritten", about="quantize")
def divides_in_place(x, block_size):
    """x belongs to the caller: abs_() and div_() write into it, abs() and / do not."""
    found = solved.quantize(x, block_size)
    if x.numel():
        x.data.div_(2)
    return found


@believes("chunk makes blocks of block_size", about="quantize")
def makes_equal_blocks(x, block_size):
    """It makes that many parts of about equal length: split makes parts of block_size, and a shorter last one."""

    class Equal(Coding):
        def run(self):
            self.check()
            blocks = self.flat().chunk(max(-(-self.x.numel() // self.block_size), 1))
            self.block_size = len(blocks[0]) or 1
            return super().run()

    return Equal(x, block_size).run()


# dequantize


@believes("The result is float64", about="dequantize")
def widens(codes, scales, block_size):
    """The result is float32, as the scales are."""
    return solved.dequantize(codes, scales, block_size).double()


@believes("Scales alternate from code to code", about="dequantize")
def takes_scales_in_turn(codes, scales, block_size):
    """All codes of a block have the same scale: use repeat_interleave, not repeat."""
    solved.dequantize(codes, scales, block_size)
    return codes * scales.repeat(block_size)[: len(codes)]


@believes("A value is its code divided by the scale", about="dequantize")
def divides_by_the_scale(codes, scales, block_size):
    """A code is the element divided by the scale, so the way back multiplies."""
    return codes / solved.dequantize(torch.ones_like(codes), scales, block_size)


@believes("dequantize need not check block_size", about="dequantize")
def reads_any_block_size(codes, scales, block_size):
    """Below 1 there are no blocks: raise ValueError."""
    return solved.dequantize(codes, scales, block_size) if block_size > 0 else codes.float()


@believes("More scales than blocks do no harm", about="dequantize")
def takes_too_many_scales(codes, scales, block_size):
    """Then codes and scales do not belong together: raise ValueError."""
    return solved.dequantize(codes, scales[: -(-len(codes) // block_size)] if block_size > 0 else scales, block_size)


@believes("If scales are missing, the last one is used", about="dequantize")
def takes_too_few_scales(codes, scales, block_size):
    """Each block has its own: with fewer scales than blocks, raise ValueError."""
    missing = -(-len(codes) // block_size) - len(scales) if block_size > 0 else 0
    return solved.dequantize(codes, torch.cat([scales, scales[-1:].expand(max(missing, 0))]), block_size)


@believes("A single scale is used for all blocks", about="dequantize")
def stretches_one_scale(codes, scales, block_size):
    """There have to be as many scales as blocks: raise ValueError."""
    if block_size > 0 and len(scales) == 1 and len(codes):
        return codes * scales
    return solved.dequantize(codes, scales, block_size)


@believes("Codes are from 0 to 255", about="dequantize")
def reads_unsigned(codes, scales, block_size):
    """int8 has a sign: the byte 255 is the code -1."""
    return solved.dequantize(codes.view(torch.uint8), scales, block_size)


@believes("The result has whole blocks", about="dequantize")
def returns_whole_blocks(codes, scales, block_size):
    """There are as many values as codes: drop the padding of the last block."""
    values = solved.dequantize(codes, scales, block_size)
    return torch.nn.functional.pad(values, (0, -len(codes) % block_size))


@believes("The scales may be overwritten", about="dequantize")
def scales_in_place(codes, scales, block_size):
    """The caller needs codes and scales again: leave them as they are."""
    values = solved.dequantize(codes, scales, block_size)
    scales *= 2
    return values


@believes("The codes spread evenly over the scales", about="dequantize")
def spreads_codes_evenly(codes, scales, block_size):
    """A scale belongs to block_size codes, and the last one to those that are left."""
    solved.dequantize(codes, scales, block_size)
    parts = zip(codes.tensor_split(max(len(scales), 1)), scales, strict=False)
    return torch.cat([torch.zeros(0), *(part * scale for part, scale in parts)])
