"""Kata 16 by the worked examples of its stub and its lesson."""

from typing import Any

import torch

from dojo.judging.expect import expect_error

from . import scenarios

BECAUSE = "the example says so"
INF = float("inf")


def seen(kata: Any, function: str, lines: list[str], *watched: str) -> Any:
    """What these expressions are worth after the lines."""
    values = kata.run(scenarios.program, function, lines, list(watched), "cpu")
    return [values[name] for name in watched]


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    x = torch.tensor([[896.0, -2.0], [7.0, 0.0]])
    assert kata.amax_scale(x[0]).tolist() == 2.0
    assert kata.amax_scale(x, (1, 2)).tolist() == [[2.0], [0.015625]]
    assert kata.amax_scale(torch.tensor([[448.0, 1.0, 896.0]]), (2, 2)).tolist() == [[1.0, 2.0]]
    assert kata.amax_scale(torch.tensor([57344.0]), None, torch.float8_e5m2).tolist() == 1.0
    for numbers, scale, stored in (
        ([6.4, 17.0], 1.0, [6.5, 16.0]),
        ([6.4, 17.5], 0.25, [26.0, 72.0]),
        ([1000.0, -INF], 1.0, [448.0, -448.0]),
    ):
        lines = [f"q = quantize(torch.tensor({numbers}), torch.tensor({scale}))".replace("inf", "float('inf')")]
        assert seen(kata, "quantize", lines, "q.float().tolist()") == [stored]
    lines = ["q = torch.tensor([1.5, -448.0], dtype=torch.float8_e4m3fn)", "y = dequantize(q, 2.0)"]
    assert seen(kata, "dequantize", lines, "y.tolist()") == [[3.0, -896.0]]
    lines = ["q = torch.tensor([-128, 0, 127], dtype=torch.int8)", "y = dequantize(q, 0.5, 100)"]
    assert seen(kata, "dequantize", lines, "y.tolist()") == [[-114.0, -50.0, 13.5]]
    codes, scale, zero_point = kata.quantize_int8(torch.tensor([3.0, 5.1]), False)
    assert (codes.tolist(), zero_point) == ([22, 127], -128)
    assert type(scale) is float
    assert round(scale, 6) == 0.02
    _bytes(kata)
    assert kata.delayed_scales([448.0, 896.0, 1344.0, 0.0], 2) == [1.0, 1.0, 2.0, 3.0]
    assert kata.delayed_scales([448.0, INF, 896.0, 1.0], 1) == [1.0, 1.0, 1.0, 2.0]
    assert kata.delayed_scales([448.0, 0.0, 224.0, 1.0], 1) == [1.0, 1.0, 1.0, 0.5]
    expect_error(ValueError, kata.delayed_scales, [1.0], 0, because=BECAUSE)
    _product(kata)


def _bytes(kata: Any) -> None:
    q = torch.tensor([[1, 2, -1], [7, 0, 3]], dtype=torch.int8)
    packed = torch.tensor([[33, 15], [7, 3]], dtype=torch.uint8)
    assert kata.pack_int4(q).tolist() == packed.tolist()
    assert kata.unpack_int4(packed[0], 3).tolist() == [1, 2, -1]
    assert kata.unpack_int4(packed[0], 4).tolist() == [1, 2, -1, 0]
    expect_error(ValueError, kata.unpack_int4, packed, 5, because=BECAUSE)
    expect_error(ValueError, kata.pack_int4, q + 1, because=BECAUSE)
    assert kata.quantized_bytes((2, 3), 4) == 6  # 2 · 2 + 2
    assert kata.quantized_bytes((2, 3), 4, 2) == 12  # 2 · (2 + 2 · 2)
    assert kata.quantized_bytes((2, 3), 4, 2, 1) == 8
    assert kata.quantized_bytes((4096, 11008), 4, 32) == 25_362_432


def _product(kata: Any) -> None:
    lines = ["x = torch.tensor([[896.0, 1.0], [0.5, 0.001]])", "weight = torch.tensor([[0.0, 1.0]])"]
    lines += ["mm = strict_mm()", "result = fp8_linear(x, weight, mm)"]
    (result,) = seen(kata, "fp8_linear", lines, "result.tolist()")
    assert [round(row[0], 7) for row in result] == [1.0, 0.0009766]
