"""Tensors of kata 19 from what hypothesis draws: parameters, gradients, weights and batches."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from ..shared.shapes import Shape

DOUBLE = torch.float64

CALLS = {call: f"calls of {call}" for call in ("all_reduce", "all_gather", "reduce_scatter")}
ELEMENTS = {call: f"elements in all calls of {call}" for call in ("all_gather", "reduce_scatter")}


def counted(calls: Sequence[tuple[str, Shape]], limits: Mapping[str, int]) -> dict[str, int]:
    """Of what has limits: how often each collective was called, and with how many elements of a tensor in all."""
    numels = {each: [math.prod(shape) for call, shape in calls if call == each] for each in CALLS}
    counts = {name: len(numels[call]) for call, name in CALLS.items()}
    counts |= {name: sum(numels[call]) for call, name in ELEMENTS.items()}
    return {name: counts[name] for name in limits}


class Adam(NamedTuple):
    """Parameters of these shapes on so many ranks. steps: whether each parameter has a gradient, step by step.

    Parameters hold eighths, gradients tenths. If `last` is a number, the gradients of the last step hold it on the
    first `of` ranks, where there was one before. apart: each parameter has an optimizer of its own, at another rate.
    """

    size: int
    shapes: list[Shape]
    steps: list[list[bool]]
    seed: int
    settings: dict[str, Any]
    last: float | None = None
    of: int = 0
    apart: bool = False

    @property
    def params(self) -> list[Tensor]:
        """As they are at first, on every rank."""
        numbers = random.Random(self.seed)
        return [_parts(8, [numbers.randint(-16, 16) for _ in range(math.prod(s))], s) for s in self.shapes]

    @property
    def again(self) -> list[bool]:
        """Whether each parameter has a gradient in the last step, and had one before."""
        return [column[-1] and any(column[:-1]) for column in zip(*self.steps, strict=True)]

    def grads(self, rank: int) -> list[list[Tensor | None]]:
        """Those of a rank, step by step: tenths, of one sign on all ranks, so that a mean is 0 or far from it."""
        signs, numbers = random.Random(self.seed), random.Random(f"{self.seed} {rank}")
        found: list[list[Tensor | None]] = []
        for has in self.steps:
            found.append([])
            for shape, some in zip(self.shapes, has, strict=True):
                sizes = [numbers.randint(1, 16) * signs.choice((1, -1)) for _ in range(math.prod(shape))]
                found[-1].append(_parts(10, sizes, shape) if some else None)
        if self.last is not None and rank < self.of:
            for index in itertools.compress(itertools.count(), self.again):
                found[-1][index] = torch.full(self.shapes[index], self.last, dtype=DOUBLE)
        return found


def _parts(of: int, numbers: Sequence[int], shape: Shape) -> Tensor:
    return torch.tensor([number / of for number in numbers], dtype=DOUBLE).reshape(shape)


def optimizers(
    params: Sequence[Tensor], settings: Mapping[str, Any], apart: bool
) -> list[tuple[list[Tensor], dict[str, Any]]]:
    """What is given to each optimizer: all parameters, or one, and settings."""
    if not apart:
        return [(list(params), dict(settings))]
    rate = settings.get("lr", 1e-3)
    return [([p], {**settings, "lr": rate + index / 4}) for index, p in enumerate(params)]


def adam_limits(params: Sequence[Tensor], grads: Sequence[Sequence[Sequence[Tensor | None]]]) -> dict[str, int]:
    """What the steps of an optimizer may send, from the gradients of each rank, step by step."""
    pieces = [
        -(-p.numel() // len(grads)) for step in grads[0] for p, g in zip(params, step, strict=True) if g is not None
    ]
    return {CALLS["all_reduce"]: 0} | {
        name: most
        for call in ("all_gather", "reduce_scatter")
        for name, most in ((CALLS[call], len(pieces)), (ELEMENTS[call], sum(pieces)))
    }


def kept_limits(size: int, shapes: Sequence[Shape]) -> dict[str, int]:
    """Bytes that each rank may keep: two numbers an element of its pieces, steps of each parameter, and settings."""
    state = sum(2 * 8 * -(-math.prod(shape) // size) + 16 for shape in shapes)
    return dict.fromkeys(of_ranks(size), state + 64)


def of_ranks(size: int) -> list[str]:
    """The names of what each rank returns."""
    return [f"ranks.results[{rank}]" for rank in range(size)]


class Mlp(NamedTuple):
    """An MLP of these widths on so many ranks, each with so many samples. graded: whether arguments have a .grad."""

    size: int
    dims: tuple[int, ...]
    rows: int
    seed: int
    lr: float
    graded: bool = False

    @property
    def shapes(self) -> list[Shape]:
        """Those of the whole weights."""
        return [(d_out, d_in) for d_in, d_out in itertools.pairwise(self.dims)]


def step_limits(shapes: Sequence[Shape]) -> dict[str, int]:
    """How often a step may call each collective."""
    return {CALLS["all_reduce"]: 0, CALLS["all_gather"]: 2 * len(shapes), CALLS["reduce_scatter"]: len(shapes)}


class Tensors(NamedTuple):
    """Whole weights, and what each rank has of the batch."""

    weights: list[Tensor]
    xs: list[Tensor]
    targets: list[Tensor]


def mlp(case: Mlp) -> Tensors:
    """Numbers of two digits, and none of them such that a relu is asked of what is 0 but for rounding."""
    for attempt in itertools.count():
        numbers = random.Random(f"{case.seed} {attempt}")
        weights = [_decimals(numbers, shape) for shape in case.shapes]
        xs = [_decimals(numbers, (case.rows, case.dims[0])) for _ in range(case.size)]
        targets = [_decimals(numbers, (case.rows, case.dims[-1])) for _ in range(case.size)]
        if _is_clear(weights, torch.cat(xs)):
            return Tensors(weights, xs, targets)
    raise AssertionError


def _decimals(numbers: random.Random, shape: Shape) -> Tensor:
    values = [numbers.randint(1, 200) / 100 * numbers.choice((1, -1)) for _ in range(math.prod(shape))]
    return torch.tensor(values, dtype=DOUBLE).reshape(shape)


def _is_clear(weights: Sequence[Tensor], h: Tensor) -> bool:
    for w in weights[:-1]:
        if (((h @ w.T).abs() < 1e-6) & (h != 0).any(1, keepdim=True)).any():
            return False
        h = (h @ w.T).relu()
    return True


def forward(weights: Sequence[Tensor], x: Tensor) -> Tensor:
    """A relu between the layers."""
    for w in weights[:-1]:
        x = (x @ w.T).relu()
    return x @ weights[-1].T


def sharded(weights: Sequence[Tensor], size: int) -> list[list[Tensor]]:
    """The rows of each rank: the chunks that torch makes, and as many empty ones as it takes."""
    chunks = [[*torch.chunk(w.detach(), size), *[w.detach()[:0]] * size][:size] for w in weights]
    return [[cut[rank].clone() for cut in chunks] for rank in range(size)]


DEEP_SIZE, DEEP_DIM, DEEP_LAYERS = 6, 12, 32

WHOLE = DEEP_DIM * DEEP_DIM * 8
"""Bytes of a whole weight of the deep one."""

DEEP_LIMITS = dict.fromkeys(of_ranks(DEEP_SIZE), 32)
"""Whole weights. A step by hand takes 10 to 12, one with an autograd.Function per layer 17, all weights 37 or more."""

DEEP_LINES = [
    f"shapes = [({DEEP_DIM}, {DEEP_DIM})] * {DEEP_LAYERS}",
    "draw = torch.Generator().manual_seed({})",
    "numbers = dict(dtype=torch.float64, generator=draw)",
    f"weights = [torch.randn(shape, **numbers) / {DEEP_DIM // 2}**0.5 for shape in shapes]",
    f"xs = torch.randn({DEEP_SIZE}, 1, {DEEP_DIM}, **numbers)",
    f"targets = torch.randn({DEEP_SIZE}, 1, {DEEP_DIM}, **numbers)",
]
"""A deep MLP, for 6 ranks of one sample each, from a seed."""


def deep(seed: int) -> Tensors:
    """What these lines make."""
    scope: dict[str, Any] = {"torch": torch}
    exec("\n".join(DEEP_LINES).format(seed), scope)
    return Tensors(scope["weights"], list(scope["xs"]), list(scope["targets"]))


class Parallel(NamedTuple):
    """A split MLP: ranks, hidden features of each, and batch, in and out.

    is_shared: x has a gradient from elsewhere too, as by a residual connection; in one call it is then no leaf. again:
    the MLP is applied to 2 · x as well, before any backward; the two results are "summed", or have a backward each, "in
    turn". idle: whether all weights of the first rank are 0, so that x gets no gradient from there.
    """

    size: int
    width: int
    batch: int
    d_in: int
    d_out: int
    seed: int
    is_shared: bool = False
    again: str = ""
    idle: bool = False

    @property
    def tensors(self) -> list[Tensor]:
        """x, w1, b1, w2 and b2, whole."""
        hidden, numbers = self.size * self.width, random.Random(self.seed)
        shapes: list[Shape] = [(self.batch, self.d_in), (hidden, self.d_in), (hidden,), (self.d_out, hidden)]
        x, w1, b1, w2, b2 = (_decimals(numbers, shape) for shape in (*shapes, (self.d_out,)))
        if self.idle:
            w1[: self.width] = 0
        return [x, w1, b1, w2, b2]

    @property
    def grad(self) -> Tensor:
        """The gradient of y."""
        return _decimals(random.Random(f"{self.seed} y"), (self.batch, self.d_out))

    @property
    def elsewhere(self) -> float:
        """The gradient that each number of x has from elsewhere."""
        return 3.0 if self.is_shared else 0.0


def parts(tensors: Sequence[Tensor], size: int) -> list[list[Tensor]]:
    """What each rank has of x, w1, b1, w2 and b2, or of their gradients."""
    x, w1, b1, w2, b2 = tensors
    return [[x, *own, b2] for own in zip(w1.chunk(size), b1.chunk(size), w2.chunk(size, 1), strict=True)]
