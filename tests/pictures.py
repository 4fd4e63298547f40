"""What a report draws beside a failing example: views in their storage, storages with their tensors, sums."""

from __future__ import annotations

import ast
import contextlib
import functools
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch import Tensor

from dojo.data import shown
from dojo.kata import Stopped
from dojo.pictures import Cells, Extents, Terms
from tests import described, truth, truth_training
from tests.described import View
from tests.strategies import Shape

MOST = 100
"""A view of more elements is not drawn."""
FAR = 10**9
"""Nor is one that reaches further."""
NUMBERED = "The number in a cell is the element of the view that lies there."

# Storage cells


def views(*named: tuple[str, object]) -> Cells | None:
    """Views (shape, strides, offset) in one storage; a value that is none is left out.

    None where there is nothing to see: no elements, nothing to compare yours with, or torch's lies the same.
    """
    drawable = [(name, view) for name, view in named if _is_view(view)]
    rows = [(name, found, "") for name, view in drawable if all(map(_is_near, found := places(*view)))]
    there = {name: places for name, places, _ in rows}
    if there.keys() <= {"yours"} or not any(there.values()) or there.get("yours") == there.get("torch's", ()):
        return None
    return Cells(rows, NUMBERED)


def places(shape: Sequence[int], strides: Sequence[int], offset: int = 0) -> list[int]:
    """Where each element of a view lies, in the order of the elements."""
    if 0 in shape:
        return []  # whatever the other sizes are: they may be huge
    steps = ([index * stride for index in range(size)] for size, stride in zip(shape, strides, strict=True))
    return [offset + sum(step) for step in itertools.product(*steps)]


def extents(view: View, answer: object, right: int) -> Cells | None:
    """A view, and storages of as many cells as it is said to need."""
    sizes = {"yours": answer, "torch's": right}
    rows = [(name, list(range(size)), "■") for name, size in sizes.items() if type(size) is int and 0 <= size <= MOST]
    return Cells([("the view", places(*view), ""), *rows], f"{NUMBERED} ■ is storage.") if _is_view(view) else None


def reads(answer: object, right: int) -> Cells:
    """The cell that is read, and the one that should be."""
    read = {"yours": answer, "torch's": right}
    return Cells([(name, [place], "×") for name, place in read.items() if _is_near(place)], "× is what is read.")


def _is_near(place: object) -> bool:
    return type(place) is int and abs(place) <= FAR


def _is_view(value: object) -> bool:
    if type(value) is not tuple or len(value) != 3:
        return False
    shape, strides, offset = value
    if type(shape) is not tuple or type(strides) is not tuple or len(shape) != len(strides):
        return False
    if not all(type(number) is int for number in (*shape, *strides, offset)):
        return False
    return all(size >= 0 for size in shape) and math.prod(shape) <= MOST


# Storages


def views_of(bases: list[str], views: str, device: str) -> Extents:
    """The storages behind some views of some tensors."""
    expressions = ast.parse(f"[{views}]", mode="eval").body
    assert isinstance(expressions, ast.List)
    return storages(zip(map(ast.unparse, expressions.elts), described.tensors(bases, views, device), strict=True))


def of_model(lines: list[str], device: str) -> Extents:
    """The storages of the parameters and buffers of the model that these lines make, under each of their names."""
    model = described.model(lines, device)
    named = model.named_parameters(remove_duplicate=False), model.named_buffers(remove_duplicate=False)
    return storages(itertools.chain(*named))


def storages(named: Iterable[tuple[str, Tensor]]) -> Extents:
    """The storages of these tensors, each once, and which of their bytes each tensor shows."""
    found: dict[int, tuple[int, list[tuple[str, list[tuple[int, int]]]]]] = {}
    for name, x in named:
        storage = x.untyped_storage()
        tensors = found.setdefault(storage._cdata, (storage.nbytes(), []))[1]
        tensors.append((name, _shown_bytes(x)))
    return Extents(list(found.values()))


def _shown_bytes(x: Tensor) -> list[tuple[int, int]]:
    """The ranges of bytes that a tensor shows; one from the first to the last where its elements are many."""
    size = x.element_size()
    if x.numel() == 0:
        return []
    if x.numel() > MOST or x.is_contiguous():
        last = sum((length - 1) * stride for length, stride in zip(x.shape, x.stride(), strict=True))
        starts = [(x.storage_offset(), x.storage_offset() + last + 1)]
    else:
        starts = [(place, place + 1) for place in sorted(set(places(x.shape, x.stride(), int(x.storage_offset()))))]
    return [(first * size, end * size) for first, end in starts]


# Sums

Ask = Callable[[], object]
ALIKE = 3
"""Where more terms than this are as large as what is missing, to name them says nothing."""


def terms(counted: dict[str, int], answer: object, alone: dict[str, Ask] | None = None, how: str = "") -> Terms | None:
    """A sum term by term, torch's beside the learner's.

    counted: what torch measures of each term. answer: what the learner's function returned for all of them. alone:
    asks it for one term, where it can be asked; `how` says how.
    """
    total = sum(counted.values())
    yours = {name: _asked(ask) for name, ask in (alone or {}).items()}
    said = [how] if yours else []
    if type(answer) is int and answer != total:
        off = abs(answer - total)
        alike = [name for name, term in counted.items() if term == off]
        if 0 < len(alike) <= ALIKE:
            names = " or ".join(f'"{name}"' for name in alike)
            said.append(f"Yours is {off:,} {'less' if answer < total else 'more'}: as much as {names}.")
    rows = [(name, yours.get(name, ""), shown(term)) for name, term in counted.items()]
    return Terms(rows, ("in all", shown(answer), shown(total)), " ".join(said)) if rows else None


def _asked(ask: Ask) -> str:
    with contextlib.suppress(Stopped):
        return shown(ask())
    return "—"


LAYER_ALONE = "Each of yours is what it returns for that layer alone."


def products(kata: Any, answer: object, device: str, a_shape: Shape, b_shape: Shape) -> Terms | None:
    """A batch of matrix products: one of them, and all. None where there is one product alone."""
    if min(len(a_shape), len(b_shape)) < 2:
        return None
    count = math.prod(torch.broadcast_shapes(a_shape[:-2], b_shape[:-2]))
    one = (a_shape[-2:], b_shape[-2:])
    if count < 2:
        return None
    total = truth.matmul_flops(device, a_shape, b_shape)
    row = (f"one of {count} products", _asked(lambda: kata.matmul_flops(*one)), shown(truth.matmul_flops(device, *one)))
    return Terms([row], ("in all", shown(answer), shown(total)), f"One product is {one[0]} @ {one[1]}.")


def layers(kata: Any, answer: object, device: str, batch: int, dims: Shape) -> Terms | None:
    """The forward pass of some layers, layer by layer."""
    pairs = {f"layer {index}: {pair[0]} to {pair[1]}": pair for index, pair in enumerate(itertools.pairwise(dims))}
    counted = {name: truth.mlp_flops(device, batch, pair) for name, pair in pairs.items()}
    alone = {name: functools.partial(kata.mlp_flops, batch, pair) for name, pair in pairs.items()}
    return terms(counted, answer, alone, LAYER_ALONE)


def attention(
    answer: object, device: str, batch: int, heads: int, q_len: int, kv_len: int, head_dim: int
) -> Terms | None:
    """The two products of attention."""
    q, k, scores = ((batch, heads, *sizes) for sizes in ((q_len, head_dim), (head_dim, kv_len), (q_len, kv_len)))
    v = (batch, heads, kv_len, head_dim)
    counted = {"the scores": truth.matmul_flops(device, q, k), "their sum of v": truth.matmul_flops(device, scores, v)}
    return terms(counted, answer)


def ratio(answer: object, right: float, parts: dict[str, int]) -> Terms:
    """FLOPs, and the bytes that they are divided by."""
    return Terms(
        [(name, "", shown(part)) for name, part in parts.items()], ("FLOPs per byte", shown(answer), shown(right)), ""
    )


def layer_gradients(
    kata: Any, answer: object, device: str, case: tuple[int, int, int], needs: tuple[bool, bool]
) -> Terms | None:
    """The gradients of one layer that are needed."""
    batch, *pair = case
    flags = {"gradient of the input": (True, False), "gradient of the weight": (False, True)}
    needed = {name: flag for (name, flag), need in zip(flags.items(), needs, strict=True) if need}
    counted = {
        name: truth_training.backward_flops(device, batch, tuple(pair), of_input, () if of_weight else (0,))
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
                counted[name] = truth_training.backward_flops(device, batch, pair, *flags)
                alone[name] = functools.partial(kata.mlp_backward_flops, batch, pair, *flags)
        needed = needed or trained
    return terms(counted, answer, alone, "Each of yours is what it returns for that gradient alone.")


def step(answer: object, device: str, batch: int, dims: Shape) -> Terms | None:
    """A training step, pass by pass and layer by layer; nobody needs the gradient of the data."""
    counted: dict[str, int] = {}
    for index, pair in enumerate(itertools.pairwise(dims)):
        counted[f"layer {index}: forward"] = truth.mlp_flops(device, batch, pair)
        counted[f"layer {index}: gradient of the weight"] = truth_training.backward_flops(device, batch, pair, False)
        if index:
            name = f"layer {index}: gradient of the input"
            counted[name] = truth_training.backward_flops(device, batch, pair, True, (0,))
    return terms(counted, answer)


def passes(answer: object, device: str, batch: int, dims: Shape) -> Terms | None:
    """The training of layers whose inputs all need a gradient, pass by pass."""
    every = tuple(range(len(dims) - 1))
    pairs = list(itertools.pairwise(dims))
    counted = {
        "forward": truth.mlp_flops(device, batch, dims),
        "gradients of the weights": sum(truth_training.backward_flops(device, batch, pair, False) for pair in pairs),
        "gradients of the inputs": truth_training.backward_flops(device, batch, dims, True, every),
    }
    return terms(counted, answer)
