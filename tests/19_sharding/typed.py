"""How the programs of kata 19 are typed: what a failing example shows can be run as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from dojo.seam.data import shown

from ..shared.described import Lines
from ..shared.shapes import Shape
from .described import DEEP_LINES, DEEP_SIZE, WHOLE

IMPORT = "from tests.shared.groups import in_group"
LIVING = "from tests.shared.living import Living"
HELD = "from tests.shared.held import held_bytes"


def _each(values: object) -> Lines:
    """A list of a few tensors in one line, one of lists in a line for each."""
    assert isinstance(values, list)
    return [f"    {shown(value)}," for value in values]


def listed(function: str, name: str, given: list[Any], refused: bool) -> Lines:
    """A call with a list that has a name; it may be refused."""
    call = f"{function}({', '.join([name, *map(shown, given[1:])])})"
    lines = ["try:", f"    {call}", "except ValueError:", "    pass"] if refused else [call]
    return [f"{name} = {shown(given[0])}", *lines]


def _given(settings: dict[str, Any]) -> str:
    return "".join(f", {name}={value}" for name, value in settings.items())


def adam(params: list[Tensor], grads: list[Any], settings: dict[str, Any], apart: bool) -> Lines:
    """The same parameters on all ranks; grads of each rank, step by step."""
    made = [f"{shown(p)[:-1]}, requires_grad=True)" for p in params]
    lines = [IMPORT, "params = [[", *(f"    {line}," for line in made), f"] for rank in range({len(grads)})]"]
    lines += ["grads = [", *_each(grads), "]", "def work(group):"]
    rates = settings | {"lr": f"{settings.get('lr', 1e-3)} + index / 4"}
    lines += [
        f"    optimizers = [ShardedAdam([p], group{_given(rates)}) for index, p in enumerate(params[group.rank])]"
        if apart
        else f"    optimizer = ShardedAdam(params[group.rank], group{_given(settings)})",
        "    for step in grads[group.rank]:",
        "        for p, grad in zip(params[group.rank], step):",
        "            p.grad = grad",
        *["        for optimizer in optimizers:", "            optimizer.step()"][: 2 * apart],
        *["        optimizer.step()"][apart:],
    ]
    named = ["from math import nan"] if any("nan" in line for line in lines) else []
    return [*named, *lines, f"ranks = in_group({len(grads)}, work)"]


def kept(size: int, shapes: list[Shape], steps: int, settings: dict[str, Any]) -> Lines:
    """Parameters and gradients of ones, and what lives beside the parameters."""
    lines = [IMPORT, LIVING, HELD, "def work(group):"]
    lines += [
        f"    params = [torch.ones(shape, dtype=torch.float64, requires_grad=True) for shape in {shapes}]",
        "    with Living(params) as living:",
        f"        optimizer = ShardedAdam(params, group{_given(settings)})",
        f"        for step in range({steps}):",
        "            for p in params:",
        "                p.grad = torch.ones(2, *p.shape).double()[0]",
        "            optimizer.step()",
        "        for p in params:",
        "            p.grad = None",
        "    return living.bytes + held_bytes(living, optimizer, params)",
    ]
    return [*lines, f"ranks = in_group({size}, work)"]


def step(shapes: object, shards: object, xs: object, targets: object, lr: float, graded: bool) -> Lines:
    """A list of shards, and a batch, for each rank; all of them may have a .grad before."""
    assert isinstance(shards, list)
    lines = [IMPORT, f"shapes = {shown(shapes)}"]
    for name, values in (("shards", shards), ("xs", xs), ("targets", targets)):
        lines += [f"{name} = [", *_each(values), "]"]
    lines += ["def work(group):", "    mine = shards[group.rank], xs[group.rank], targets[group.rank]"]
    if graded:
        lines += ["    for t in (*mine[0], *mine[1:]):", "        t.grad = torch.ones_like(t)"]
    return [
        *lines,
        f"    return fully_sharded_step(group, shapes, *mine, {lr})",
        f"ranks = in_group({len(shards)}, work)",
    ]


def deep(seed: int) -> Lines:
    """One of 32 layers."""
    lines = [IMPORT, LIVING, *(line.format(seed) for line in DEEP_LINES), "def work(group):"]
    lines += [
        f"    shards = [w.chunk({DEEP_SIZE})[group.rank].clone() for w in weights]",
        "    x, target = xs[group.rank], targets[group.rank]",
        "    with Living([*shards, x, target]) as living:",
        "        fully_sharded_step(group, shapes, shards, x, target, 0.5)",
        f"    return living.peak // {WHOLE}  # whole weights",
    ]
    return [*lines, f"ranks = in_group({DEEP_SIZE}, work)"]


NAMES = ("x", "w1", "b1", "w2", "b2")


def parallel(size: int, tensors: Sequence[Tensor], grad: Tensor, elsewhere: float, again: str) -> Lines:
    """Whole tensors, of which each rank takes its part; x may have a gradient from elsewhere, or from a second call."""
    width, in_turn = len(tensors[1]) // size, again == "in turn"
    no_leaf = elsewhere and not again
    first = "product" if no_leaf else "mine[0]"
    lines = [IMPORT, *(f"{name} = {shown(t)}" for name, t in zip(NAMES, tensors, strict=True))]
    lines += [f"grad = {shown(grad)}"]
    lines += [
        "def work(group):",
        f"    part = slice({width} * group.rank, {width} * (group.rank + 1))",
        "    mine = [t.clone().requires_grad_() for t in (x, w1[part], b1[part], w2[:, part], b2)]",
        *["    product = 1 * mine[0]", "    y = tensor_parallel_mlp(group, product, *mine[1:])"] * bool(no_leaf),
        *["    y = tensor_parallel_mlp(group, *mine)"] * (not no_leaf),
        *["    y = y + tensor_parallel_mlp(group, 2 * mine[0], *mine[1:])"] * (again == "summed"),
        *["    other = tensor_parallel_mlp(group, 2 * mine[0], *mine[1:])"] * in_turn,
        f"    ((y * grad).sum() + {elsewhere} * {first}.sum()).backward()" if elsewhere else "    y.backward(grad)",
        *["    other.backward(grad)"] * in_turn,
        f"    return y{' + other' * in_turn}, *[t.grad for t in mine]",
    ]
    return [*lines, f"ranks = in_group({size}, work)"]
