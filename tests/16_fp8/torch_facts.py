"""What the properties of kata 16 take for granted of torch: a new torch breaks a test, and no verdict."""

import importlib
import math

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from . import truth
from .scenarios import WrongDtype, WrongLayout, WrongScales, WrongSize, strict_mm

scaled_mm = torch._scaled_mm
solved = importlib.import_module("solutions.16_fp8.fp8")
F8 = torch.float8_e4m3fn


@pytest.mark.parametrize("dtype", truth.FP8)
def test_a_cast_rounds_to_nearest_and_ties_to_even(dtype):
    """Of all codes, between each two neighbours, and beside the middle."""
    numbers, even = truth.codes(dtype)
    low, high = numbers[:-1], numbers[1:]
    tie = ((low + high) / 2).float()
    assert tie.to(dtype).double().tolist() == torch.where(even[:-1], low, high).tolist()
    infinite = torch.full_like(tie, math.inf)
    assert torch.nextafter(tie, infinite).to(dtype).double().tolist() == high.tolist()
    assert torch.nextafter(tie, -infinite).to(dtype).double().tolist() == low.tolist()


def test_the_codes_are_those_of_finfo():
    """Their least, their largest, and how many there are."""
    for dtype, count in zip(truth.FP8, (253, 247), strict=True):
        numbers, _ = truth.codes(dtype)
        limits = torch.finfo(dtype)
        assert (numbers[-1].item(), len(numbers)) == (limits.max, count)
        assert numbers[numbers > 0][0].item() == limits.smallest_normal * limits.eps


def test_what_is_clamped_keeps_nan_and_saturates():
    """In both dtypes, on each version."""
    for dtype in truth.FP8:
        largest = torch.finfo(dtype).max
        stored = torch.tensor([math.inf, -math.inf, math.nan, 2 * largest]).clamp(-largest, largest).to(dtype).float()
        assert stored[[0, 1, 3]].tolist() == [largest, -largest, largest]
        assert stored[2].isnan()


def test_a_cast_to_e5m2_gives_inf():
    """So a property about saturation has teeth."""
    assert torch.tensor(61440.0).to(torch.float8_e5m2).float().item() == math.inf


def test_a_bfloat16_over_a_0_d_float32_is_bfloat16():
    """And over one of one element it is float32."""
    x = torch.ones(2, dtype=torch.bfloat16)
    assert (x / torch.tensor(3.0)).dtype == torch.bfloat16
    assert (x / torch.tensor([3.0])).dtype == torch.float32


def operands(m=3, k=32, n=16):
    """Two matrices, and scales of rows and columns."""
    a, b = torch.randn(m, k).to(F8), torch.randn(n, k).to(F8).T
    return a, b, torch.rand(m, 1) + 1, torch.rand(1, n) + 1


def test_mm_is_torchs_product():
    """On the CPU, which takes any layout, with scales of rows and with one."""
    a, b, scale_a, scale_b = operands()
    pairs: tuple[tuple[torch.Tensor, torch.Tensor], ...] = (
        (scale_a, scale_b),
        (torch.tensor(0.5), torch.tensor(3.0)),
    )
    for first, second in pairs:
        got = strict_mm([])(a, b, first, second)
        right = scaled_mm(a, b, first, second, out_dtype=torch.float32)
        assert got.dtype == torch.float32
        assert torch.allclose(got, right, rtol=1e-5, atol=1e-4)


def row_major(b):
    """The same matrix, row by row."""
    return b.float().contiguous().to(F8)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        pytest.param(lambda a, b, s, t: (a, row_major(b), s, t), WrongLayout, id="b is row-major"),
        pytest.param(lambda a, b, s, t: (row_major(a.T).T, b, s, t), WrongLayout, id="a is column-major"),
        pytest.param(lambda a, b, s, t: (a, b, torch.ones(3, 2)[:, :1], t), WrongLayout, id="a scale with gaps"),
        pytest.param(lambda a, b, s, t: (a[:, :20], b[:20], s, t), WrongSize, id="k of 20"),
        pytest.param(lambda a, b, s, t: (a, b[:, :3], s, t[:, :3]), WrongSize, id="n of 3"),
        pytest.param(lambda a, b, s, t: (a, b[:16], s, t), WrongSize, id="k that differs"),
        pytest.param(lambda a, b, s, t: (a.to(torch.float8_e5m2), b, s, t), WrongDtype, id="e5m2"),
        pytest.param(lambda a, b, s, t: (a, b, s.double(), t), WrongDtype, id="float64 scales"),
        pytest.param(lambda a, b, s, t: (a, b, s, t.T), WrongScales, id="scales of b in a column"),
        pytest.param(lambda a, b, s, t: (a, b, s.flatten(), t.flatten()), WrongScales, id="scales in one dimension"),
        pytest.param(lambda a, b, s, t: (a, b, s, torch.ones(())), WrongScales, id="scales of both kinds"),
    ],
)
def test_mm_refuses_what_a_gpu_refuses(change, error):
    """By a ValueError of its own kind each."""
    with pytest.raises(error):
        strict_mm([])(*change(*operands()))
    assert issubclass(error, ValueError)


def test_m_is_free():
    """One row is multiplied as well."""
    assert strict_mm([], torch.bfloat16, 2.0)(*operands(m=1)).dtype == torch.bfloat16


def test_torch_counts_the_flops_of_a_scaled_product():
    """2 · m · k · n, as of any product."""
    a, b, scale_a, scale_b = operands()
    with FlopCounterMode(display=False) as counter:
        scaled_mm(a, b, scale_a, scale_b, out_dtype=torch.float32)
    assert counter.get_total_flops() == 2 * 3 * 32 * 16


def test_the_rounding_of_int8_is_that_of_torchs_fake_quantization():
    """But at ties of the quotient, where the order of operations decides."""
    x = torch.tensor([-1.0, 0.0, 0.3, 1.55])
    for symmetric in (True, False):
        codes, scale, zero_point = solved.quantize_int8(x, symmetric)
        least = -127 if symmetric else -128
        fake = torch.fake_quantize_per_tensor_affine(x, scale, zero_point, least, 127)
        assert torch.allclose((codes - float(zero_point)) * scale, fake)


def test_what_fp8_lacks():
    """As the lesson says."""
    x = torch.ones(16, 16).to(F8)
    for call in (lambda: x + x, lambda: x / 2, lambda: x.clamp(0.0, 1.0), x.amax, lambda: torch.equal(x, x)):
        with pytest.raises(RuntimeError, match="not implemented"):
            call()
