"""What a report draws beside a failing example of kata 04: sums term by term."""

from __future__ import annotations

import functools
import itertools
from typing import Any

from dojo.judging.pictures import Terms

from ..shared.flops import mlp_flops
from ..shared.shapes import Shape
from ..shared.sums import Ask, terms
from . import truth


def layer_gradients(
    kata: Any, answer: object, device: str, case: tuple[int, int, int], needs: tuple[bool, bool]
) -> Terms | None:
    """The gradients of one layer that are needed."""
    batch, *pair = case
    flags = {"gradient of the input": (True, False), "gradient of the weight": (False, True)}
    needed = {name: flag for (name, flag), need in zip(flags.items(), needs, strict=True) if need}
    counted = {
        name: truth.backward_flops(device, batch, tuple(pair), of_input, () if of_weight else (0,))
        for name, (of_input, of_weight) in needed.items()
    }
    alone = {name: functools.partial(kata.linear_backward_flops, *case, *flag) for name, flag in needed.items()}
    return terms(counted, answer, alone, "Each of yours is what it returns where that gradient alone is needed.")


def gradients(
    kata: Any, answer: object, device: str, batch: int, dims: Shape, input_needs_grad: bool, frozen: Shape
) -> Terms | None:
    """The backward pass of some layers, gradient by gradient."""
    counted: dict[str, int] = {}
    alone: dict[str, Ask] = {}
    needed = input_needs_grad
    for index, pair in enumerate(itertools.pairwise(dims)):
        trained = index not in frozen
        for of, wanted, flags in (("input", needed, (True, (0,))), ("weight", trained, (False, ()))):
            if wanted:
                name = f"layer {index}: gradient of the {of}"
                counted[name] = truth.backward_flops(device, batch, pair, *flags)
                alone[name] = functools.partial(kata.mlp_backward_flops, batch, pair, *flags)
        needed = needed or trained
    return terms(counted, answer, alone, "Each of yours is what it returns for that gradient alone.")


def step(answer: object, device: str, batch: int, dims: Shape) -> Terms | None:
    """A training step, pass by pass and layer by layer; nobody needs the gradient of the data."""
    counted: dict[str, int] = {}
    for index, pair in enumerate(itertools.pairwise(dims)):
        counted[f"layer {index}: forward"] = mlp_flops(device, batch, pair)
        counted[f"layer {index}: gradient of the weight"] = truth.backward_flops(device, batch, pair, False)
        if index:
            name = f"layer {index}: gradient of the input"
            counted[name] = truth.backward_flops(device, batch, pair, True, (0,))
    return terms(counted, answer)


def passes(answer: object, device: str, batch: int, dims: Shape) -> Terms | None:
    """The training of layers whose inputs all need a gradient, pass by pass."""
    every = tuple(range(len(dims) - 1))
    pairs = list(itertools.pairwise(dims))
    counted = {
        "forward": mlp_flops(device, batch, dims),
        "gradients of the weights": sum(truth.backward_flops(device, batch, pair, False) for pair in pairs),
        "gradients of the inputs": truth.backward_flops(device, batch, dims, True, every),
    }
    return terms(counted, answer)
