"""The properties of kata 20 about numbers in 8 bits."""

import torch
from hypothesis import strategies as st

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect, expect_each, expect_error, grades
from dojo.seam.data import shown

from ..shared.described import tensor
from . import scenarios
from .strategies_blocks import blocks, coded, no_block_sizes, not_coded
from .strategies_steps import MODE

# There are few kinds of these cases, and each is drawn often.
HALF, FEW = one_in(2), one_in(5)

SCALE, CODE = 1e-6, 1e-4
"""How far a scale may be off, and an element beyond half a scale, as shares of themselves."""


def tensor_of(seen, name, dtype, count):
    """Return a tensor that a program left; raise a Mismatch if it is something else."""
    got = seen.get(name) if type(seen) is dict else seen
    if type(got) is not torch.Tensor or got.dtype != dtype or got.shape != (count,):
        raise Mismatch(got, f"{str(dtype).removeprefix('torch.')}, of shape ({count},)", "should be", of=name)
    return got


def near(flat, block_size):
    """Return the largest |element| of each block, and codes that are right if no element is halfway between two."""
    blocks = [block for block in flat.split(block_size) if len(block)]
    largest = [block.abs().amax().item() for block in blocks]
    codes = [
        round(number * 127 / most) if most else 0
        for block, most in zip(blocks, largest, strict=True)
        for number in block.tolist()
    ]
    return torch.tensor(largest, dtype=torch.float64), torch.tensor(codes, dtype=torch.int8)


@grades("quantize")
@given(case=blocks())
def test_quantize_is_within_half_a_step(kata, device, case):
    """Each code times its scale is within half a scale of the element, and the largest of a block has code ±127."""
    seen = kata.run(scenarios.program, "quantize", case.lines, ["x", "codes", "scales", MODE], device)
    x = tensor(case.made)
    flat = x.double().flatten()
    largest, codes = near(flat, case.block_size)
    got = tensor_of(seen, "scales", torch.float32, len(largest)).cpu().double()
    room = torch.where(largest > 0, SCALE * largest / 127, torch.inf)
    if not got.isfinite().all() or not ((got - largest / 127).abs() <= room).all():
        raise Mismatch(seen["scales"], shown((largest / 127).float()), "should be", of="scales")
    each, scale = (numbers.repeat_interleave(case.block_size)[: case.numel] for numbers in (largest, got))
    code = tensor_of(seen, "codes", torch.int8, case.numel).cpu().double()
    holds = ((code * scale - flat).abs() <= each / 254 * (1 + CODE)) & (code.abs() <= 127)
    holds &= (code.abs() == 127) | (flat.abs() < each) | (each == 0)
    if not holds.all():
        raise Mismatch(seen["codes"], shown(codes), "for example", of="codes")
    expect_each(seen, {"x": x.to(device), MODE: case.enabled}, "should still be")


@grades("quantize")
@FEW
@given(case=blocks())
def test_quantize_keeps_a_byte_an_element_and_four_a_block(kata, device, case):
    """The storages of codes and scales hold nothing else: a byte per element, and four bytes per block."""
    count = -(-case.numel // case.block_size)
    watched = ["codes.untyped_storage().nbytes()", "scales.untyped_storage().nbytes()"]
    seen = kata.run(scenarios.program, "quantize", case.lines, watched, device)
    expect_each(seen, dict(zip(watched, (case.numel, 4 * count), strict=True)), "should be")


@grades("quantize")
@FEW
@given(case=no_block_sizes())
def test_quantize_refuses_what_is_no_block_size(kata, case):
    """A block_size below 1 raises a ValueError."""
    because = f"block_size is {case.block_size}"
    expect_error(ValueError, kata.quantize, torch.tensor(case.numbers), case.block_size, because=because)


@grades("dequantize")
@given(case=coded())
def test_dequantize_multiplies_by_the_scale_of_the_block(kata, device, case):
    """Each value is the code times the scale of its block, in float32: one product, rounded once."""
    codes, scales, block_size = case.tensors
    values = [code * scales[place // block_size].item() for place, code in enumerate(case.codes)]
    answer = kata.dequantize(codes.to(device), scales.to(device), block_size)
    expect(answer, torch.tensor(values, dtype=torch.float32, device=device), "should be")


@grades("dequantize")
@HALF
@given(case=not_coded())
def test_dequantize_refuses_what_does_not_fit(kata, case):
    """A block_size below 1, or a number of scales that is not the number of blocks, raises a ValueError."""
    because = f"block_size is {case.block_size}"
    if case.block_size > 0:
        because = f"{len(case.scales)} scales, and {case.blocks} blocks"
    expect_error(ValueError, kata.dequantize, *case.tensors, because=because)


@grades("dequantize")
@FEW
@given(case=coded(), enabled=st.booleans())
def test_dequantize_leaves_codes_and_scales(kata, device, case, enabled):
    """codes and scales stay as they are."""
    lines = [f"codes = torch.tensor({case.codes}, dtype=torch.int8)"]
    lines += [f"scales = torch.tensor({case.scales}, dtype=torch.float32)"]
    lines += ["torch.set_grad_enabled(False)"] * (not enabled)
    lines += [f"values = dequantize(codes, scales, {case.block_size})"]
    seen = kata.run(scenarios.program, "dequantize", lines, ["codes", "scales", MODE], device)
    codes, scales, _ = case.tensors
    expect_each(seen, {"codes": codes.to(device), "scales": scales.to(device), MODE: enabled}, "should still be")
