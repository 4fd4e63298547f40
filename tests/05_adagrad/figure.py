"""The figure of lesson 05: two optimizers on a stretched bowl, and what training keeps in memory."""

import math
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.optim import SGD, Adagrad, Adam, Optimizer

from dojo.figures import BLUE, FAINT, GREEN, INK, ORANGE, PURPLE

STRETCH, START, STEPS = 25, (-4.0, 1.5), 25
OPTIMIZERS: dict[str, tuple[type[Optimizer], float]] = {"SGD": (SGD, 0.07), "AdaGrad": (Adagrad, 0.9)}
WIDTH, LAYERS, BATCH = 4, 2, 8


def measure() -> dict[str, Any]:
    """Take real steps of torch's optimizers, and ask for the storages that a training step keeps."""
    return {
        **{f"path of {name}": _path(kind, lr) for name, (kind, lr) in OPTIMIZERS.items()},
        **{f"memory of {name}": _memory(kind) for name, kind in (("SGD", SGD), ("AdaGrad", Adagrad), ("Adam", Adam))},
    }


def _bowl(x: Any, y: Any) -> Any:
    return (x**2 + STRETCH * y**2) / 2


def _path(kind: Any, lr: float) -> list[list[float]]:
    point = torch.tensor(START, requires_grad=True)
    optimizer = kind([point], lr=lr)
    path = [point.tolist()]
    for _ in range(STEPS):
        optimizer.zero_grad()
        _bowl(*point).backward()
        optimizer.step()
        path.append(point.tolist())
    return [[round(x, 4), round(y, 4)] for x, y in path]


def _memory(kind: Any) -> dict[str, int]:
    """Count the bytes of the storages of each part after one step of the deep linear model, less its data."""
    data = torch.ones(BATCH, WIDTH)
    weights = [torch.ones(WIDTH, n, requires_grad=True) for n in (*[WIDTH] * LAYERS, 1)]
    optimizer = kind(weights, lr=0.1)
    saved: list[Tensor] = []
    x = data
    with saved_tensors_hooks(lambda x: saved.append(x) or x, lambda x: x):  # type: ignore[func-returns-value]
        for weight in weights:
            x = x @ weight
        x.sum().backward()
    optimizer.step()
    states = [item for weight in weights for item in optimizer.state[weight].items() if isinstance(item[1], Tensor)]
    parts = {
        "parameters": weights,
        "gradients": [weight.grad for weight in weights],
        "states": [state for name, state in states if name != "step"],
        "activations": saved,
        "counts of steps": [state for name, state in states if name == "step"],
    }
    seen = {data.untyped_storage().data_ptr()}
    return {name: _bytes(tensors, seen) for name, tensors in parts.items()}


def _bytes(tensors: Any, seen: set[int]) -> int:
    storages = {x.untyped_storage().data_ptr(): x.untyped_storage().nbytes() for x in tensors}
    new: int = sum(size for storage, size in storages.items() if storage not in seen)
    seen.update(storages)
    return new


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the paths over the level lines of the bowl, and below them the memory."""
    figure.set_figheight(4.6)
    above, below = figure.subplots(2, 1, height_ratios=(3, 2))
    _draw_paths(above, numbers)
    _draw_memory(below, numbers)


def _draw_paths(axes: Any, numbers: dict[str, Any]) -> None:
    turns = [2 * math.pi * turn / 60 for turn in range(61)]
    for level in (0.5, 2, 5, 10, 20, 35):
        x, y = math.sqrt(2 * level), math.sqrt(2 * level / STRETCH)
        axes.plot([x * math.cos(t) for t in turns], [y * math.sin(t) for t in turns], color=FAINT, linewidth=0.4)
    for (name, (_, lr)), marker, colour in zip(OPTIMIZERS.items(), "o^", (BLUE, ORANGE), strict=True):
        path = numbers[f"path of {name}"]
        axes.plot(
            *zip(*path, strict=True), marker=marker, color=colour, markersize=3.5, linewidth=1, label=f"{name}, lr {lr}"
        )
    axes.plot(0, 0, "+", color=INK, markersize=10)
    axes.set_xlim(-4.5, 1.6)
    axes.set_ylim(-1.8, 1.8)
    axes.set_title(f"{STEPS} steps on (x² + {STRETCH} · y²) / 2, to the + at its lowest point")
    axes.set_xlabel("x")
    axes.set_ylabel("y", rotation=0)
    axes.legend(loc="upper right")


def _draw_memory(axes: Any, numbers: dict[str, Any]) -> None:
    names = [name.removeprefix("memory of ") for name in numbers if name.startswith("memory")]
    for place, name in enumerate(names):
        left = 0
        parts = numbers[f"memory of {name}"]
        for (part, size), colour in zip(parts.items(), (BLUE, GREEN, ORANGE, PURPLE, INK), strict=True):
            axes.barh(
                place, size, left=left, color=colour, alpha=0.45, edgecolor=colour, label=part if not place else None
            )
            if size >= 100:
                axes.text(left + size / 2, place, f"{part} {size}", ha="center", va="center", size=8)
            left += size
        axes.text(
            left + 8, place, f"{left} = {left - parts['counts of steps']} + {parts['counts of steps']}", va="center"
        )
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(0, 990)
    axes.set_title(f"bytes that training keeps, D = {WIDTH}, L = {LAYERS}, B = {BATCH}; grey and last: counts of steps")
