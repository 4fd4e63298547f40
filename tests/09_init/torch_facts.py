"""What the properties of kata 09 take for granted of torch: a new torch breaks a test, and no verdict."""

import math

import pytest
import torch
from torch import nn

from ..shared import chance
from . import samples, truth

SHAPES = [(3, 4), (1, 1), (2, 5, 1), (3, 4, 5), (4, 2, 3, 3), (2, 3, 1, 7), (2, 3, 2, 1, 3)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_fans_are_counted_as_torch_computes_them(shape):
    """So torch's own function can be asked about kernels that are too large to count."""
    assert truth.fans(shape) == nn.init._calculate_fan_in_and_fan_out(torch.empty(shape, device="meta"))


def test_the_fans_of_a_wide_kernel_are_torchs():
    """12 places and more."""
    assert truth.fans((2, 3, 4, 3)) == (36, 24)


def test_what_torch_draws_by_is_seen_on_meta_as_on_the_cpu():
    """And a standard deviation of exactly 1 as well, which the dispatcher leaves out."""
    for device in ("cpu", "meta"):
        with truth.Handed() as handed:
            nn.init.xavier_normal_(torch.empty(1, 1, device=device))
            nn.init.kaiming_normal_(torch.empty(3, 8, device=device))
            nn.init.xavier_uniform_(torch.empty(1, 1, device=device), gain=2.0)
        assert handed.calls == [[0.0, 1.0], [0.0, 0.5], [-2 * math.sqrt(3), 2 * math.sqrt(3)]]


def test_the_schemes_by_hand():
    """18 inputs and 72 outputs."""
    shape = (8, 2, 3, 3)
    assert truth.init_std(shape, "scaled") == pytest.approx(1 / math.sqrt(18), rel=1e-14)
    assert truth.init_std(shape, "xavier") == pytest.approx(math.sqrt(2 / 90), rel=1e-14)
    assert truth.init_std(shape, "kaiming") == pytest.approx(math.sqrt(2 / 18), rel=1e-14)


@pytest.mark.parametrize("cut", [0.1, 0.5, 1.0, 3.0, 8.0])
def test_trapezoids_are_near_the_closed_form(cut):
    """Ten times as near as what is asked."""
    density, kept = math.exp(-cut * cut / 2) / math.sqrt(2 * math.pi), math.erf(cut / math.sqrt(2))
    assert truth.truncated_std(cut) == pytest.approx(math.sqrt(1 - 2 * cut * density / kept), rel=1e-7)


def test_the_share_up_to_a_place_by_hand():
    """From 0 at one end to 1 at the other."""
    z = torch.tensor([-9.0, -2.0, 0.0, 1.0, 2.0, 9.0], dtype=torch.float64)
    kept = math.erf(math.sqrt(2))
    right = [0.0, 0.0, 0.5, 0.5 + math.erf(math.sqrt(0.5)) / kept / 2, 1.0, 1.0]
    assert truth.share(z, 2.0).tolist() == pytest.approx(right, abs=1e-15)


@pytest.mark.parametrize("dims", [(4,), (4, 9), (9, 4), (16, 5, 3, 8, 12), (2, 2, 2), (1, 7), (7, 1)], ids=str)
def test_orthonormal_layers_keep_what_is_predicted(dims):
    """Where none that narrows comes behind one that widens, whatever the numbers of the matrices are."""
    stds = [0.25 * (place + 1) for place in range(len(dims) - 1)]
    right = math.prod(std * math.sqrt(size) for size, std in zip(dims, stds, strict=False))
    assert truth.output_std(dims, stds) == pytest.approx(right, rel=1e-11)  # it is rounded to 12 digits


def test_torchs_own_truncated_normal_has_the_distribution():
    """By its absolute bounds; and for ±3 it cuts nothing where the standard deviation is small."""
    generator = torch.Generator().manual_seed(0)
    for cut in (0.5, 1.5, 3.0):
        x = nn.init.trunc_normal_(torch.empty(64, 128), 0.0, 0.5, -cut / 2, cut / 2, generator=generator)
        samples.expect_sample(x, "x", 0.5, cut)
    far = nn.init.trunc_normal_(torch.empty(64, 1024), std=1 / 128, a=-3.0, b=3.0, generator=generator)
    assert far.abs().max() * 128 > 3


def test_a_state_dict_of_torchs_layer_has_one_entry():
    """Without a bias: the weight, as (out_features, in_features)."""
    assert {name: tuple(w.shape) for name, w in truth.linear(3, 2).state_dict().items()} == {"weight": (2, 3)}


def test_equal_numbers_are_rare():
    """Of 2**13 normal numbers in float32 some two pairs: the bound on repeats has room for hundreds."""
    repeats = 0
    for seed in range(20):
        x = torch.randn(2**13, generator=torch.Generator().manual_seed(seed))
        repeats += 2**13 - x.unique().numel()
    assert repeats < 200
    assert chance.counts(2**13, 2**13 / 2**20)[1] < (1 - samples.DISTINCT) * 2**13
