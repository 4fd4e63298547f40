"""The figure of lesson 20: gradients in memory during a backward pass, and what optimizers keep of a matrix."""

from typing import Any

import torch

from dojo.figures import BLUE, ORANGE
from dojo.judging.diagnose import solution

from ..shared.alive import Alive
from ..shared.collector import without_collector

LAYERS, WIDTH = 24, 64
SIZES = (64, 128, 192, 256, 320, 384)


def measure() -> dict[str, Any]:
    """Bytes when each gradient arrives, with and without steps inside backward; and states, by the size of a matrix."""
    solved = solution("20_memory_savers")
    made = {
        "momentum": lambda p: torch.optim.SGD([p], lr=0.1, momentum=0.9),
        "in 8 bits": lambda p: solved.SGD8bit([p]),
        "factored": lambda p: solved.FactoredAdaGrad([p]),
    }
    with without_collector():
        return {
            "at the end": _gradients(lambda weights: None),
            "inside": _gradients(lambda weights: solved.attach_sgd(weights, 0.1)),
            **{name: [_state(optimizer, size) for size in SIZES] for name, optimizer in made.items()},
        }


def _gradients(attach: Any) -> list[int]:
    weights = [torch.ones(WIDTH, WIDTH, requires_grad=True) for _ in range(LAYERS)]
    alive, in_memory = Alive(), []
    for weight in weights:
        weight.register_hook(lambda gradient: in_memory.append(alive.bytes()))
    handle = attach(weights)
    h = torch.ones(1, WIDTH)
    for weight in weights:
        h = (h @ weight).tanh()
    with alive:
        h.sum().backward()
    del handle
    return in_memory


def _state(make: Any, size: int) -> int:
    p = torch.ones(size, size, requires_grad=True)
    p.grad = torch.ones(size, size)
    alive = Alive()
    with alive:
        optimizer = make(p)
        optimizer.step()
    return alive.bytes([p, p.grad])


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the gradients, and beside them the states."""
    figure.set_figheight(2.6)
    left, right = figure.subplots(1, 2)
    places = range(1, LAYERS + 1)
    for name, colour, label in (("at the end", ORANGE, "step at the end"), ("inside", BLUE, "step inside backward")):
        left.plot(places, [size / 1024 for size in numbers[name]], color=colour, label=label)
    left.set_title(f"KiB of gradients, {LAYERS} layers")
    left.set_xlabel("gradients that have arrived")
    left.set_xlim(1, LAYERS)
    left.set_ylim(0)
    left.legend(fontsize=8)
    for name, colour, line in (
        ("momentum", ORANGE, "-"),
        ("in 8 bits", BLUE, "-"),
        ("factored", BLUE, ":"),
    ):
        right.plot(SIZES, [size / 1024 for size in numbers[name]], color=colour, linestyle=line, label=name)
    right.set_title("KiB of state of a square matrix")
    right.set_xlabel("rows")
    right.set_xlim(SIZES[0], SIZES[-1])
    right.set_ylim(0)
    right.legend(fontsize=8)
