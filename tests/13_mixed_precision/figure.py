"""The figure of lesson 13: which gradients float16 loses, by the scale of the loss."""

from typing import Any

import torch
from torch import nn

from dojo.figures import BLUE, GREEN, ORANGE

LAYERS, WIDTH, ROWS = 7, 64, 256
EXPONENTS = range(0, 41, 2)


def measure() -> dict[str, Any]:
    """Cast the gradients of a model with sigmoids, scaled: the share of them that is 0, and that is not finite."""
    # In float64 they are the same on each machine, to a rounding that no cast sees.
    gradients = _gradients().float()
    zeros, overflows = [], []
    for exponent in EXPONENTS:
        stored = (gradients * 2.0**exponent).half()
        zeros.append(round((stored == 0).double().mean().item(), 4))
        overflows.append(round((~stored.isfinite()).double().mean().item(), 4))
    narrow = (gradients.bfloat16() == 0).double().mean().item()
    return {"zeros": zeros, "overflows": overflows, "zeros in bfloat16": round(narrow, 4)}


def _gradients() -> torch.Tensor:
    generator = torch.Generator().manual_seed(13)
    layers: list[nn.Module] = []
    for _ in range(LAYERS):
        layer = nn.Linear(WIDTH, WIDTH, dtype=torch.float64)
        layer.weight.data.copy_(torch.randn(WIDTH, WIDTH, generator=generator, dtype=torch.float64) * 0.35 / WIDTH**0.5)
        layer.bias.data.zero_()
        layers += [layer, nn.Sigmoid()]
    model = nn.Sequential(*layers[:-1])
    x = torch.randn(ROWS, WIDTH, generator=generator, dtype=torch.float64)
    nn.functional.cross_entropy(model(x), x.argmax(-1)).backward()
    return torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw both shares over the scale."""
    figure.set_figheight(2.6)
    axes = figure.add_subplot()
    axes.plot(EXPONENTS, numbers["zeros"], "o-", color=BLUE, markersize=3, label="float16: become 0")
    axes.plot(EXPONENTS, numbers["overflows"], "s-", color=ORANGE, markersize=3, label="float16: become inf")
    told = "bfloat16 without a scale: become 0"
    axes.plot(0, numbers["zeros in bfloat16"], "^", color=GREEN, markersize=7, label=told, clip_on=False)
    axes.set_title("share of all gradients that is lost")
    axes.set_xlabel("scale of the loss")
    axes.set_xticks(range(0, 41, 8), ["1", "2⁸", "2¹⁶", "2²⁴", "2³²", "2⁴⁰"])
    axes.set_xlim(0, 40)
    axes.set_ylim(-0.02, 1.02)
    axes.legend(loc="upper center", fontsize=8)
