"""What the properties of kata 11 take for granted of torch: a new torch breaks a test, and no verdict."""

import math

import pytest
import torch

from . import truth


def after(optimizer, gradients, **settings):
    """Where 1.0 is after these gradients by torch's optimizer of that name."""
    p = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    made = getattr(torch.optim, optimizer)([p], **settings)
    for gradient in gradients:
        p.grad = torch.tensor(gradient, dtype=torch.float64)
        made.step()
    return p.item()


def test_sgds_first_buffer_is_the_gradient_undamped():
    """Later ones are damped; nesterov looks ahead by momentum times the buffer."""
    assert after("SGD", [8.0, 4.0], lr=0.5, momentum=0.5, dampening=0.25) == 1 - 0.5 * 8 - 0.5 * (4 + 0.75 * 4)
    assert after("SGD", [8.0, 4.0], lr=0.5, momentum=0.5, nesterov=True) == 1 - 0.5 * 12 - 0.5 * 8


def test_rmsprop_of_torch_is_the_one_of_the_lesson():
    """The decay in the gradient, eps outside of the root, no lr in the buffer, nothing corrected."""
    settings = {"lr": 0.5, "alpha": 0.75, "eps": 0.25, "weight_decay": 0.5, "momentum": 0.5}
    p, v, b = 1.0, 0.0, 0.0
    for gradient in (1.5, -2.0, 0.5):
        g = gradient + 0.5 * p
        v = 0.75 * v + 0.25 * g * g
        b = 0.5 * b + g / (math.sqrt(v) + 0.25)
        p -= 0.5 * b
    assert after("RMSprop", [1.5, -2.0, 0.5], **settings) == pytest.approx(p, rel=1e-14)


def test_adam_and_adamw_of_torch_are_those_of_the_lesson():
    """The decay in the gradient or beside it, both averages corrected, eps outside of the root."""
    for name in ("Adam", "AdamW"):
        p, m, v = 1.0, 0.0, 0.0
        for t, gradient in enumerate((1.5, -2.0, 0.5), 1):
            g = gradient + (0.25 * p if name == "Adam" else 0)
            p *= 1 if name == "Adam" else 1 - 0.5 * 0.25
            m, v = 0.75 * m + 0.25 * g, 0.5 * v + 0.5 * g * g
            p -= 0.5 * m / (1 - 0.75**t) / (math.sqrt(v / (1 - 0.5**t)) + 0.125)
        settings = {"lr": 0.5, "betas": (0.75, 0.5), "eps": 0.125, "weight_decay": 0.25}
        assert after(name, [1.5, -2.0, 0.5], **settings) == pytest.approx(p, rel=1e-14)


def test_a_gradient_of_zeros_is_a_step_and_none_is_not():
    """AdamW decays with the first, and leaves the parameter alone with the second."""
    p = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.AdamW([p], lr=0.5, weight_decay=0.5)
    optimizer.step()
    assert p.item() == 1
    p.grad = torch.zeros(1)
    optimizer.step()
    assert p.item() == 0.75


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        *(("SGD", {setting: -1e-10}) for setting in ("lr", "momentum", "weight_decay")),
        ("SGD", {"nesterov": True}),
        ("SGD", {"nesterov": True, "momentum": 0.5, "dampening": 0.25}),
        *(("RMSprop", {setting: -1e-10}) for setting in ("lr", "alpha", "eps", "weight_decay", "momentum")),
        *((name, {setting: -1e-10}) for name in ("Adam", "AdamW") for setting in ("lr", "eps", "weight_decay")),
        *((name, {"betas": betas}) for name in ("Adam", "AdamW") for betas in ((1.0, 0.5), (0.5, 1.0), (-0.125, 0.5))),
    ],
)
def test_torch_refuses_what_is_no_setting(name, settings):
    """In its constructor."""
    with pytest.raises(ValueError, match=r"Invalid|Nesterov"):
        getattr(torch.optim, name)([torch.ones(1)], **settings)


def test_sgd_that_takes_all_at_once_steps_ahead_in_the_gradients():
    """Nesterov's step is added to .grad itself, which is what a GPU does by default; one by one, .grad stays."""
    for foreach, grad in ((True, 1.5), (False, 1.0)):
        p = torch.zeros(1, dtype=torch.float64, requires_grad=True)
        p.grad = torch.ones(1, dtype=torch.float64)
        torch.optim.SGD([p], momentum=0.5, nesterov=True, foreach=foreach).step()
        assert p.grad.item() == grad


def test_steps_are_counted_in_a_float32_of_each_parameter():
    """Whatever its dtype and its size are; SGD and Muon count none."""
    for dtype in (torch.bfloat16, torch.float64):
        kept = truth.state_bytes("Adam", [(2, 3), (0,), ()], dtype)
        assert kept == {"step": 12, "exp_avg": 7 * dtype.itemsize, "exp_avg_sq": 7 * dtype.itemsize}
    assert truth.state_bytes("SGD", [(2, 3)]) == {}
    assert truth.state_bytes("Muon", [(2, 3)], momentum=0.0) == {"momentum_buffer": 24}


def test_muon_refuses_what_is_no_matrix():
    """Vectors and kernels."""
    for shape in ((3,), (2, 3, 4)):
        with pytest.raises(ValueError, match="2D"):
            torch.optim.Muon([torch.ones(shape)])


def test_muons_iteration_is_that_of_the_lesson_in_bfloat16():
    """Its step without momentum goes along the orthogonalized gradient, up to some roundings of bfloat16."""
    grad = torch.tensor([[3.0, 1.0, 0.5], [-1.0, 2.0, 0.25]])
    p = torch.zeros(2, 3, requires_grad=True)
    p.grad = grad.clone()
    torch.optim.Muon([p], lr=1.0, momentum=0.0, nesterov=False, weight_decay=0.0, adjust_lr_fn="match_rms_adamw").step()
    right = -0.2 * math.sqrt(3) * truth.orthogonalized(grad.double(), 5)
    assert torch.allclose(p.detach().double(), right, atol=0.02)


def test_five_steps_bring_singular_values_near_to_1():
    """Those of at least 0.0015 of the norm, and not to 1; smaller ones lag behind."""
    values = torch.linspace(0.0015, 1.0, 5000, dtype=torch.float64)
    for _ in range(5):
        values = 3.4445 * values - 4.7750 * values**3 + 2.0315 * values**5
    assert values.min() > 0.67
    assert values.max() < 1.21
