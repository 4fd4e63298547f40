"""The figure of lesson 04: the products of a training step, one by one."""

from itertools import pairwise
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from dojo.figures import BLUE, FAINT, GREEN, ORANGE

ROWS, WIDTHS = 64, (256, 512, 128, 32)


class Products(TorchDispatchMode):
    """Notes the shapes and the FLOPs of each product that torch computes, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[list[Any]] = []

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Count one operation."""
        with FlopCounterMode(display=False) as counter:
            result = function(*args, **(kwargs or {}))
        if flops := counter.get_total_flops():
            self.found.append([*(list(x.shape) for x in args), flops])
        return result


def measure() -> dict[str, Any]:
    """Let torch count the products of a step, then those of a step that asks for the gradient of the data too."""
    found = {}
    for name, asked in (("step", False), ("with the gradient of the data", True)):
        data = torch.ones(ROWS, WIDTHS[0], requires_grad=asked)
        weights = [torch.ones(d, e, requires_grad=True) for d, e in pairwise(WIDTHS)]
        with Products() as forward:
            loss = _through(data, weights).sum()
        with Products() as backward:
            loss.backward()
        found[name] = {"forward": forward.found, "backward": backward.found}
    return found


def _through(x: Tensor, weights: list[Tensor]) -> Tensor:
    for weight in weights:
        x = x @ weight
    return x


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw a bar for each product in order, and one that is empty for what is not computed."""
    step, more = numbers["step"], numbers["with the gradient of the data"]
    saved = [product for product in more["backward"] if product not in step["backward"]]
    weights = [product[1] for product in step["forward"]]
    bars = [(f"forward: y{i} = y{i - 1} @ w{i}", product, BLUE) for i, product in enumerate(step["forward"], 1)]
    for product in [*step["backward"], *saved]:
        result = [product[0][0], product[1][1]]
        if result in weights:
            bars.append((f"gradient of w{weights.index(result) + 1}", product, ORANGE))
        else:
            name = f"y{WIDTHS.index(result[1])}" if result[1] != WIDTHS[0] else "the data y0"
            bars.append((f"gradient of {name}", product, GREEN))
    figure.set_figheight(3.7)
    axes = figure.add_subplot()
    for place, (_, (a, b, flops), colour) in enumerate(bars):
        computed = place < len(bars) - len(saved)
        axes.barh(place, flops / 1e6, color=colour if computed else "none", edgecolor=colour, linewidth=1.2)
        words = f"{flops / 1e6:.2f}: ({a[0]}, {a[1]}) @ ({b[0]}, {b[1]}){'' if computed else ', not computed'}"
        axes.text(flops / 1e6 + 0.2, place, words, va="center", **({} if computed else {"color": FAINT}))
    axes.set_yticks(range(len(bars)), [name for name, *_ in bars])
    axes.invert_yaxis()
    axes.set_xlim(0, 37)
    axes.set_xlabel("10⁶ FLOPs")
    forward, backward = (sum(product[-1] for product in step[way]) / 1e6 for way in ("forward", "backward"))
    less = saved[0][-1] / 1e6
    axes.set_title(f"10⁶ FLOPs: forward {forward:.2f}, backward {backward:.2f} = 2 · {forward:.2f} − {less:.2f}")
