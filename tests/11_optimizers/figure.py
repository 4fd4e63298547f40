"""The figure of lesson 11: four optimizers on one stretched bowl."""

import math
from typing import Any

import torch
from torch.optim import SGD, Adam, Optimizer, RMSprop

from dojo.figures import BLUE, FAINT, GREEN, INK, ORANGE, PURPLE

STRETCH, START, STEPS = 25, (-4.0, 1.5), 30
OPTIMIZERS: dict[str, tuple[type[Optimizer], dict[str, float]]] = {
    "SGD": (SGD, {"lr": 0.03}),
    "SGD, momentum 0.8": (SGD, {"lr": 0.03, "momentum": 0.8}),
    "RMSprop": (RMSprop, {"lr": 0.2, "alpha": 0.9}),
    "Adam": (Adam, {"lr": 0.5}),
}


def measure() -> dict[str, Any]:
    """Take real steps of torch's optimizers."""
    return {f"path of {name}": _path(kind, settings) for name, (kind, settings) in OPTIMIZERS.items()}


def _bowl(x: Any, y: Any) -> Any:
    return (x**2 + STRETCH * y**2) / 2


def _path(kind: Any, settings: dict[str, float]) -> list[list[float]]:
    point = torch.tensor(START, requires_grad=True)
    optimizer = kind([point], **settings)
    path = [point.tolist()]
    for _ in range(STEPS):
        optimizer.zero_grad()
        _bowl(*point).backward()
        optimizer.step()
        path.append(point.tolist())
    return [[round(x, 4), round(y, 4)] for x, y in path]


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the paths over the level lines of the bowl."""
    figure.set_figheight(3.2)
    axes = figure.add_subplot()
    turns = [2 * math.pi * turn / 60 for turn in range(61)]
    for level in (0.5, 2, 5, 10, 20, 35):
        x, y = math.sqrt(2 * level), math.sqrt(2 * level / STRETCH)
        axes.plot([x * math.cos(t) for t in turns], [y * math.sin(t) for t in turns], color=FAINT, linewidth=0.4)
    colours = BLUE, ORANGE, GREEN, PURPLE
    for (name, (_, settings)), marker, colour in zip(OPTIMIZERS.items(), "os^d", colours, strict=True):
        path, told = numbers[f"path of {name}"], f"{name}, lr {settings['lr']}"
        axes.plot(*zip(*path, strict=True), marker=marker, color=colour, markersize=3, linewidth=1, label=told)
    axes.plot(0, 0, "+", color=INK, markersize=10)
    axes.set_xlim(-4.5, 4.2)
    axes.set_ylim(-1.8, 1.8)
    axes.set_title(f"{STEPS} steps on (x² + {STRETCH} · y²) / 2, to the + at its lowest point")
    axes.set_xlabel("x")
    axes.set_ylabel("y", rotation=0)
    axes.legend(loc="upper right")
