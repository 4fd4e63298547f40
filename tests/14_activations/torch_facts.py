"""What the properties of kata 14 take for granted of torch: a new torch breaks a test, and no verdict."""

import math
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.multiprocessing.reductions import StorageWeakRef
from torch.nn import functional as F

from ..shared.collector import without_collector
from . import truth
from .strategies_chains import Step


def test_a_weak_reference_knows_when_a_storage_is_gone():
    """It knows this whatever views there are."""
    x = torch.ones(3)
    view = x[1:]
    ref = StorageWeakRef(x.untyped_storage())
    del x
    assert not ref.expired()
    del view
    assert ref.expired()


def test_identity_of_a_storage_is_that_of_its_views():
    """A transposed weight is in the same storage."""
    x = torch.ones(2, 3)
    assert x.untyped_storage()._cdata == x.mT[1:].untyped_storage()._cdata


def test_layer_norm_keeps_statistics_of_its_own_dtype_on_the_cpu():
    """On CUDA, those of bfloat16 are float32, so bfloat16 is not tested."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        x = torch.ones(2, 3, dtype=dtype, requires_grad=True)
        assert truth.saved_bytes(partial(F.layer_norm, x, (3,))) == (6 + 4) * dtype.itemsize


def test_meta_keeps_what_the_cpu_keeps():
    """Huge sizes are measured on meta."""
    for op, run in truth.OPS.items():
        kept = []
        for place in ("cpu", "meta"):
            x = torch.ones(3, 4, device=place, requires_grad=True)
            kept.append(truth.saved_bytes(partial(run, x)))
        assert kept[0] == kept[1], op


def test_the_fused_kernel_of_the_cpu_keeps_a_float32_for_each_query():
    """For float64 it would be a float64, so that is not tested."""
    for dtype, size in ((torch.float32, 4), (torch.bfloat16, 4), (torch.float64, 8)):
        q, k, v = (torch.ones(1, 2, length, 4, dtype=dtype, requires_grad=True) for length in (3, 5, 5))
        fused = truth.saved_bytes(partial(F.scaled_dot_product_attention, q, k, v))
        assert fused == (2 * q.numel() + 2 * k.numel()) * dtype.itemsize + 2 * 3 * size


def test_heads_that_are_views_are_copied():
    """That is why q, k and v are contiguous in this kata."""
    plain = [torch.ones(2, 2, 3, 4, requires_grad=True) for _ in range(3)]
    views = [torch.ones(2, 3, 2, 4, requires_grad=True).transpose(1, 2) for _ in range(3)]

    def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return (q @ k.mT / 2).softmax(-1) @ v

    assert truth.saved_bytes(lambda: attention(*plain), plain) == 2 * 2 * 3 * 3 * 4
    assert truth.saved_bytes(lambda: attention(*views), views) == (2 * 2 * 3 * 3 + 3 * 2 * 2 * 3 * 4) * 4


def test_torch_stops_a_recomputation_early():
    """That is why the full count and the peak are measured without early stop."""
    n, segment = 4, 2
    assert truth.peak_activations(n, segment) == 3
    assert truth.step_flops(Step(2, (3, 4, 5), (1,)), "cpu") == 336 + 80


def test_the_data_and_the_last_result_do_not_count():
    """A layer saves its input for its weight; of two layers, only what is between them is computed."""
    last, x = nn.Linear(4, 5), torch.ones(2, 3)
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), last)
    assert truth.saved_bytes(lambda: model(x), [x, *model.parameters()]) == 2 * 4 * 4
    assert truth.saved_bytes(lambda: model(x)) == 2 * 4 * 4 + x.nbytes + last.weight.nbytes


def test_torchs_own_cut_leaves_the_rest_to_the_last_run():
    """Seven layers in four runs are cut into 1, 1, 1 and 4, and the last run is not recomputed."""
    order: list[int] = []

    def layer(place: int) -> Any:
        def run(x: Tensor) -> Tensor:
            order.append(place)
            return x.sin()

        return run

    from torch.utils.checkpoint import checkpoint_sequential

    with without_collector():
        x = torch.ones(1, requires_grad=True)
        checkpoint_sequential([layer(place) for place in range(7)], 4, x, use_reentrant=False).sum().backward()
    assert order[7:] == [2, 1, 0]


def test_an_error_of_the_second_run_comes_out_of_backward_as_it_is():
    """A KeyError stays a KeyError."""
    calls: list[int] = []

    def f(x: Tensor) -> Tensor:
        calls.append(1)
        if len(calls) > 1:
            raise KeyError("lost")
        return x.exp().exp()

    y = truth.recomputing(f, torch.ones(2, requires_grad=True))
    with pytest.raises(KeyError, match="lost"):
        y.sum().backward()
    assert len(calls) == 2


def test_the_root_rounded_up_or_to_the_next_is_a_best_segment():
    """Rounded down, it is not: 8 layers have a peak of 5 in segments of 2, and of 4 in segments of 3."""
    for n in range(1, 17):
        peaks = {segment: truth.peak_activations(n, segment) for segment in range(1, n + 1)}
        assert peaks[math.isqrt(n - 1) + 1] == peaks[round(math.sqrt(n))] == min(peaks.values())
    assert (truth.peak_activations(8, 2), truth.peak_activations(8, 3)) == (5, 4)
