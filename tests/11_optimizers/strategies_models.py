"""What hypothesis draws for kata 11 of models: the lines of a program that makes one, with something to train."""

from __future__ import annotations

import functools
from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dojo.judging.classes import classes

from ..shared.shapes import integers, pick

Case = tuple[list[str], float]

LAYERS = (
    "nn.LayerNorm({a})",
    "nn.Embedding({a}, {b})",
    "nn.Conv2d({a}, {b}, 2)",
    "nn.BatchNorm1d({a})",
    "nn.RMSNorm({a})",
    "nn.PReLU()",
    "nn.LSTM({a}, {b})",
    "nn.Bilinear({a}, {b}, 2)",
    "nn.Linear({a}, {b}, bias=False)",
    "nn.Sequential(nn.Linear({a}, {b}), nn.LayerNorm({b}))",
)

BARE = ("nn.LayerNorm({a})", "nn.Linear({a}, {b}, bias=False)")
"""Layers that have vectors alone, and a matrix alone."""

CHANGES = {
    "two scalars": (
        "model.gain = nn.Parameter(torch.ones(()))",
        "model.bend = nn.Parameter(torch.ones((), dtype=torch.float64))",
    ),
    "an empty vector and an empty matrix": (
        "model.none = nn.Parameter(torch.ones(0))",
        "model.empty = nn.Parameter(torch.ones(0, 2))",
    ),
    "a vector called weight": ("model.weight = nn.Parameter(torch.ones(3))",),
    "a matrix called bias": ("model.bias = nn.Parameter(torch.ones(2, 3))",),
    "a matrix of one row": ("model.scale = nn.Parameter(torch.ones(1, 3))",),
    "a matrix of one column": ("model.column = nn.Parameter(torch.ones(3, 1))",),
    "a matrix of one number": ("model.number = nn.Parameter(torch.ones(1, 1))",),
    "a tensor of three dimensions": ("model.heads = nn.Parameter(torch.ones(2, 3, 4))",),
    "a tensor of five dimensions": ("model.video = nn.Parameter(torch.ones(1, 2, 1, 2, 2))",),
    "a matrix that a norm has": ("model.norm = nn.LayerNorm((2, 3))",),
    "a frozen matrix": ("model.table = nn.Parameter(torch.ones(2, 3), requires_grad=False)",),
    "a frozen vector": ("model.still = nn.Parameter(torch.ones(3), requires_grad=False)",),
    "a frozen layer": ("model[1].requires_grad_(False)",),
    "a layer used twice": ("model.append(model[0])",),
    "tied weights": (
        "model.tokens, model.head = nn.Embedding(5, 4), nn.Linear(4, 5)",
        "model.head.weight = model.tokens.weight",
    ),
}
OF_SEVERAL = ("model[1].requires_grad_(False)", "model.append(model[0])")
"""Changes of a model that has several layers."""


def _is_call(line: str) -> bool:
    return line.startswith("decay_groups(")


def _has(line: str) -> Callable[[Case], bool]:
    return lambda case: line in case[0]


@functools.cache
@classes(
    {
        **{name: _has(lines[-1]) for name, lines in CHANGES.items()},
        "a single layer": lambda case: "Sequential" not in case[0][0],
        "vectors alone": lambda case: case[0][0].startswith("model = nn.LayerNorm") and len(case[0]) == 1,
        "a matrix alone": lambda case: (
            case[0][0].startswith("model = nn.Linear") and "bias" in case[0][0] and len(case[0]) == 1
        ),
        "a norm": lambda case: "Norm(" in case[0][0],
        "an embedding": lambda case: "Embedding" in case[0][0],
        "a kernel": lambda case: "Conv2d" in case[0][0],
        "a layer of many names": lambda case: "LSTM" in case[0][0],
        "no decay at all": lambda case: case[1] == 0,
        "groups are made before the model changes too": lambda case: any(map(_is_call, case[0])),
    }
)
@st.composite
def models(draw: DrawFn) -> Case:
    """The lines that make a model, and a decay; some make groups of it and then change it."""
    others = [pick(draw, LAYERS) for _ in range(draw(st.integers(1, 2)))]
    sizes = [(draw(integers(2, 4, 2)), draw(integers(3, 4, 2))) for _ in range(1 + len(others))]
    bare: str = pick(draw, ("",) * 12 + BARE * 2)
    first = bare or "nn.Linear({a}, {b})"
    layers = [layer.format(a=a, b=b) for layer, (a, b) in zip((first, *others), sizes, strict=True)]
    changes = [] if bare else draw(st.lists(st.sampled_from(list(CHANGES.values())), max_size=5, unique=True))
    alone: bool = bool(bare) or pick(draw, (False, False, False, True))
    made = f"model = {layers[0]}" if alone else f"model = nn.Sequential({', '.join(layers)})"
    lines = [line for change in changes for line in change if not (alone and line in OF_SEVERAL)]
    weight_decay = pick(draw, (0.5, 0.25, 0.1, 2.0, 0.5, 0.25, 0.1, 0.0))
    twice: bool = pick(draw, (False, False, False, True))
    before = [f"decay_groups(model, {weight_decay})"] if lines and twice else []
    return [made, *before, *lines], weight_decay


@functools.cache
@classes({"by much": lambda case: case[1] < -0.1, "by a little": lambda case: case[1] == -1e-10})
@st.composite
def refused_decays(draw: DrawFn) -> Case:
    """The lines that make a model, and a decay that is negative."""
    lines, _ = draw(models())
    return [line for line in lines if not _is_call(line)], -pick(draw, (0.5, 1.0, 1e-10))
