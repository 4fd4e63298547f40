"""What the properties of kata 12 take for granted of torch: a new torch breaks a test, and no verdict."""

import math
import random
import weakref

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from ..shared.collector import without_collector
from . import truth


def test_torchs_schedules_are_those_of_the_stub():
    """The warm-up ends at max_lr, the cosine begins there, and the two meet without a step between."""
    for warmup, total in ((0, 8), (1, 2), (1, 8), (3, 103), (10, 11)):
        for step, rate in enumerate(truth.schedule(0.5, warmup, total, 0.125)):
            down = 0.125 + 0.375 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup))) / 2
            assert rate == pytest.approx(0.5 * (step + 1) / warmup if step < warmup else down, rel=1e-12)


def test_torchs_cosine_rises_again_beyond_its_end():
    """So nothing is asked of it there."""
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)
    for _ in range(6):
        optimizer.step()
        cosine.step()
    assert cosine.get_last_lr()[0] == pytest.approx(0.5)


def test_torch_adds_1e_6_to_the_norm():
    """A norm of exactly max_norm is shortened by it."""
    p = nn.Parameter(torch.zeros(2, dtype=torch.float64))
    p.grad = torch.tensor([3.0, 4.0], dtype=torch.float64)
    assert nn.utils.clip_grad_norm_([p], 5.0).item() == 5
    assert p.grad[0].item() == pytest.approx(3 * 5 / (5 + 1e-6), rel=1e-14)


def test_torch_turns_gradients_round_for_a_negative_norm():
    """Without a word; the kata refuses it."""
    p = nn.Parameter(torch.zeros(1))
    p.grad = torch.ones(1)
    nn.utils.clip_grad_norm_([p], -1.0)
    assert p.grad.item() < 0


def test_torch_measures_no_gradients_as_0():
    """And inf leaves them as they are."""
    assert float(nn.utils.clip_grad_norm_([nn.Parameter(torch.zeros(1))], 1.0)) == 0.0
    p = nn.Parameter(torch.zeros(1))
    p.grad = torch.ones(1)
    assert nn.utils.clip_grad_norm_([p], math.inf).item() == p.grad.item() == 1


def test_cross_entropy_of_no_rows_is_nan():
    """So all rows ignored is left open."""
    assert F.cross_entropy(torch.zeros(0, 3), torch.zeros(0, dtype=torch.int64)).isnan()
    assert F.cross_entropy(torch.zeros(1, 3), torch.tensor([-100])).isnan()


def test_cross_entropy_holds_at_the_logits_that_are_drawn():
    """Its value and its gradient are finite, in float32 too."""
    for dtype in (torch.float64, torch.float32):
        logits = torch.tensor([[1e4, -1e4, -1e30], [0.25, 1e4, -1e30]], dtype=dtype, requires_grad=True)
        loss = F.cross_entropy(logits, torch.tensor([1, 0]))
        loss.backward()
        assert loss.item() == pytest.approx((2e4 + 1e4 - 0.25) / 2)
        assert logits.grad is not None
        assert logits.grad.tolist() == [[0.5, -0.5, 0.0], [-0.5, 0.5, 0.0]]


def test_numpy_takes_fewer_seeds_than_random_and_torch():
    """So the seed has to be looked at before any of them moves."""
    random.Random(2**32), torch.Generator().manual_seed(2**32)
    for seed in (2**32, -1):
        with pytest.raises(ValueError, match="between 0 and 2"):
            np.random.RandomState(seed)


def test_a_seed_drops_what_gauss_and_randn_keep():
    """The second number of a pair."""
    for source in (random.Random(1), np.random.RandomState(1)):
        draw = source.gauss if isinstance(source, random.Random) else source.normal
        first = draw(0, 1)
        source.seed(1)
        assert draw(0, 1) == first


@pytest.mark.parametrize("inner", [(), (3,)])
@pytest.mark.parametrize("retain", [False, True])
def test_a_graph_holds_what_a_layer_is_given_until_it_goes_backward(inner, retain):
    """Whoever keeps the loss keeps it only if the graph is retained, and the garbage collector plays no part."""
    model, held = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1)), []
    model[-1].register_forward_pre_hook(lambda module, inputs: held.append(weakref.ref(inputs[0])))
    with without_collector():
        loss = model(torch.ones(2, *inner, 2)).square().mean()
        assert held[0]() is not None
        loss.backward(retain_graph=retain)
        assert (held[0]() is not None) == retain
        del loss
        assert held[0]() is None


def test_zero_grad_leaves_none():
    """At what is frozen too."""
    model = nn.Linear(1, 1).requires_grad_(False)
    model.weight.grad = torch.ones(1, 1)
    model.zero_grad()
    assert model.weight.grad is None


def test_a_loss_may_be_inf_where_its_gradient_is_not():
    """The absolute difference from inf, for one."""
    p = torch.zeros(2, requires_grad=True)
    loss = (p - torch.tensor([1.0, math.inf])).abs().mean()
    loss.backward()
    assert loss.isinf()
    assert p.grad is not None
    assert p.grad.tolist() == [-0.5, -0.5]
