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


@believes("8 bits are 128 steps", about="quantize")
def takes_128_steps(x, block_size):
    """An int8 ends at 127: with absmax / 128 the largest element would have a code that is not there."""

    class Steps(Coding):
        steps = 128

        def codes(self, block, scale):
            return (block / scale if scale else block).round().clamp(-128, 127).to(torch.int8)

    return Steps(x, block_size).run()


@believes("255 codes are 127.5 on each side", about="quantize")
def takes_127_and_a_half(x, block_size):
    """From -127 to 127 they are 127 on each side of 0."""

    class Steps(Coding):
        steps = 127.5

        def codes(self, block, scale):
            return (block / scale if scale else block).round().clamp(-127, 127).to(torch.int8)

    return Steps(x, block_size).run()


@believes("One scale is enough for all", about="quantize")
def takes_one_scale(x, block_size):
    """Small blocks beside a large one would be all zeros: each block has its own."""

    class One(Coding):
        def largest(self, block):
            return self.flat().abs().max().item()

    return One(x, block_size).run()


@believes("To make it int8 rounds", about="quantize")
def truncates(x, block_size):
    """It cuts off what is behind the point: round first, or the error is a whole step."""

    class Cutting(Coding):
        def codes(self, block, scale):
            return (block / scale if scale else block).to(torch.int8)

    return Cutting(x, block_size).run()


@believes("Every block has something in it", about="quantize")
def divides_by_0(x, block_size):
    """A block of zeros has a largest element of 0, and 0 / 0 is NaN: divide by 1 there."""

    class Dividing(Coding):
        def check(self):
            super().check()
            if not all(block.any() for block in self.flat().split(self.block_size) if len(block)):
                raise ZeroDivisionError("float division by zero")

    return Dividing(x, block_size).run()


@believes("A scale below 1e-12 is none", about="quantize")
def lifts_small_scales(x, block_size):
    """A block of numbers near 1e-30 has a scale as good as any: only 0 is to be stepped around."""

    class Lifting(Coding):
        def largest(self, block):
            return max(super().largest(block), 127e-12 if block.any() else 0)

    return Lifting(x, block_size).run()


@believes("The dtype of x is good enough to compute in", about="quantize")
def computes_narrow(x, block_size):
    """bfloat16 has three digits, and a scale of that is off by more than 1e-6: compute in float32 or wider."""

    class Narrow(Coding):
        def flat(self):
            return self.x.detach().flatten()

        def largest(self, block):
            return (block.abs().max() / 127).item() * 127

    return Narrow(x, block_size).run()


@believes("Elements are cut as they lie in memory", about="quantize")
def cuts_in_the_order_of_memory(x, block_size):
    """A transposed tensor lies otherwise than its rows: flatten() goes row by row."""
    return solved.quantize(x if x.is_contiguous() else x.mT.contiguous(), block_size)


@believes("What is cut off a tensor is gone", about="quantize")
def keeps_the_padding(x, block_size):
    """A slice keeps the whole storage, padding and all: clone it."""
    codes, scales = solved.quantize(x, block_size)
    return torch.nn.functional.pad(codes, (0, -len(codes) % block_size + 1))[: len(codes)], scales


@believes("Every block is a whole one", about="quantize")
def fills_the_last_block(x, block_size):
    """There are as many codes as elements, and the last block may have fewer."""
    codes, scales = solved.quantize(x, block_size)
    return torch.nn.functional.pad(codes, (0, -len(codes) % block_size)), scales


@believes("What does not fill a block is left out", about="quantize")
def drops_the_last_block(x, block_size):
    """It is a block like the others, with a scale of its own."""
    codes, scales = solved.quantize(x, block_size)
    whole = len(codes) // block_size
    return codes[: whole * block_size].clone(), scales[:whole].clone()


@believes("A block size needs no check", about="quantize")
def takes_any_block_size(x, block_size):
    """Below 1 there is nothing to cut into: ValueError."""
    return solved.quantize(x, max(block_size, 1))


@believes("The codes reach from the smallest to the largest element", about="quantize")
def shifts_zero(x, block_size):
    """Then 0 has no code of its own, and a second number would have to be kept: here 0 is 0."""

    class Shifted(Coding):
        def largest(self, block):
            return (block.max() - block.min()).item() / 2

        def codes(self, block, scale):
            return super().codes(block.clamp(-127 * scale, 127 * scale), scale)

    return Shifted(x, block_size).run()


@believes("The largest element is the maximum", about="quantize")
def forgets_negative_elements(x, block_size):
    """Of -3 and 2 it is -3: take absolute values first."""

    class Signed(Coding):
        def largest(self, block):
            return max(block.max().item(), 0.0) or super().largest(block)

        def codes(self, block, scale):
            return super().codes(block.clamp(-127 * scale, 127 * scale), scale)

    return Signed(x, block_size).run()


@believes("x is not needed any more", about="quantize")
def divides_in_place(x, block_size):
    """It belongs to the caller: abs_() and div_() write into it, abs() and / do not."""
    found = solved.quantize(x, block_size)
    if x.numel():
        x.data.div_(2)
    return found


# dequantize


@believes("What is computed is in float64", about="dequantize")
def widens(codes, scales, block_size):
    """The values are asked to be float32, as the scales are."""
    return solved.dequantize(codes, scales, block_size).double()


@believes("Scales follow each other from code to code", about="dequantize")
def takes_scales_in_turn(codes, scales, block_size):
    """All codes of a block have one scale: repeat_interleave, not repeat."""
    solved.dequantize(codes, scales, block_size)
    return codes * scales.repeat(block_size)[: len(codes)]


@believes("Codes are x times scale", about="dequantize")
def divides_by_the_scale(codes, scales, block_size):
    """They are x divided by it, so the way back multiplies."""
    return codes / solved.dequantize(torch.ones_like(codes), scales, block_size)


@believes("A way back needs no check of the block size", about="dequantize")
def reads_any_block_size(codes, scales, block_size):
    """Below 1 there are no blocks: ValueError."""
    return solved.dequantize(codes, scales, block_size) if block_size > 0 else codes.float()


@believes("Scales beyond the last block do no harm", about="dequantize")
def takes_too_many_scales(codes, scales, block_size):
    """They say that codes and scales do not belong together: ValueError."""
    return solved.dequantize(codes, scales[: -(-len(codes) // block_size)] if block_size > 0 else scales, block_size)


@believes("Where scales end the last one goes on", about="dequantize")
def takes_too_few_scales(codes, scales, block_size):
    """Each block has its own: fewer than blocks are a ValueError."""
    missing = -(-len(codes) // block_size) - len(scales) if block_size > 0 else 0
    return solved.dequantize(codes, torch.cat([scales, scales[-1:].expand(max(missing, 0))]), block_size)


@believes("A single scale is for all blocks", about="dequantize")
def stretches_one_scale(codes, scales, block_size):
    """Then there would be one block: as many scales as blocks, or a ValueError."""
    if block_size > 0 and len(scales) == 1 and len(codes):
        return codes * scales
    return solved.dequantize(codes, scales, block_size)


@believes("A byte is a number from 0 to 255", about="dequantize")
def reads_unsigned(codes, scales, block_size):
    """An int8 has a sign: 255 is -1."""
    return solved.dequantize(codes.view(torch.uint8), scales, block_size)


@believes("What comes back has whole blocks", about="dequantize")
def returns_whole_blocks(codes, scales, block_size):
    """There are as many values as codes: cut off what the last block has too many."""
    values = solved.dequantize(codes, scales, block_size)
    return torch.nn.functional.pad(values, (0, -len(codes) % block_size))


@believes("Scales are used up", about="dequantize")
def scales_in_place(codes, scales, block_size):
    """Whoever keeps codes and scales needs them again: leave them as they are."""
    values = solved.dequantize(codes, scales, block_size)
    scales *= 2
    return values
