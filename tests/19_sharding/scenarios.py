"""Programs that run a learner's function on all ranks of a group, each rank with its own copy of the learner's file."""

from __future__ import annotations

import contextlib
import gc
import itertools
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

from dojo.seam.scenario import runs

from ..shared.groups import Group, Together, grouped, in_group
from ..shared.held import held_bytes
from ..shared.living import Living
from ..shared.ranks import modules
from ..shared.shapes import Shape
from ..shared.threads import one_thread
from . import described, typed

Grads = list[list[list[Tensor | None]]]
"""Of each rank, step by step, those of all parameters."""


def _on_each(module: ModuleType, size: int, work: Callable[[Any, Group], Any]) -> Together:
    """Run it on each rank, with the learner's file as this rank has run it."""
    works = [lambda group, own=own: work(own, group) for own in modules(module, size)]
    with one_thread():
        return grouped(works)


@runs(lambda function, *given: (function, typed.listed(function, *given)))
def listed(module: ModuleType, function: str, name: str, given: list[Any], refused: bool) -> Any:
    """The list that a function was given, as it has left it, also where it should refuse."""
    with contextlib.suppress(*[ValueError] * refused):
        getattr(module, function)(*given)
    return {name: given[0]}


@runs(
    lambda *given: ("ShardedAdam", typed.adam(*given)),
    limits=lambda params, grads, settings, apart: described.adam_limits(params, grads),
)
def adam(module: ModuleType, params: list[Tensor], grads: Grads, settings: dict[str, Any], apart: bool) -> Any:
    """The parameters of each rank after its steps, of one optimizer or several; the gradients, and what was sent."""
    own = [[p.clone().requires_grad_() for p in params] for _ in grads]
    places = [[p.data_ptr() for p in mine] for mine in own]
    left: list[Any] = [None] * len(grads)
    off = []

    def work(file: Any, group: Group) -> None:
        mine = own[group.rank]
        optimizers = [_made(file, some, group, own) for some, own in described.optimizers(mine, settings, apart)]
        left[group.rank] = [_stepped(optimizers, mine, step) for step in grads[group.rank]]
        if not torch.is_grad_enabled():
            off.append(group.rank)

    ranks = _on_each(module, len(grads), work)
    moved = [
        [index for index, (p, place) in enumerate(zip(mine, old, strict=True)) if p.data_ptr() != place]
        for mine, old in zip(own, places, strict=True)
    ]
    return {
        "params": [[p.detach() for p in mine] for mine in own],
        "those of params that lie elsewhere than before": moved,
        "requires_grad of params": [[p.requires_grad for p in mine] for mine in own],
        "ranks whose step leaves gradients turned off": sorted(off),
        "grads": left,
        **described.counted(ranks.calls, described.adam_limits(params, grads)),
    }


def _made(file: Any, params: list[Tensor], group: Group, settings: dict[str, Any]) -> Any:
    return file.ShardedAdam(list(params), group, **settings)


def _stepped(optimizers: list[Any], params: list[Tensor], grads: list[Tensor | None]) -> list[Tensor | None]:
    """The gradients as a step of each optimizer has left them."""
    for p, grad in zip(params, grads, strict=True):
        p.grad = None if grad is None else grad.clone()
    for optimizer in optimizers:
        optimizer.step()
    return [None if p.grad is None else p.grad.clone() for p in params]


@runs(
    lambda *given: ("ShardedAdam", typed.kept(*given)),
    limits=lambda size, shapes, steps, settings: described.kept_limits(size, shapes),
)
def kept(module: ModuleType, size: int, shapes: list[Shape], steps: int, settings: dict[str, Any]) -> Any:
    """The bytes that stay alive on each rank beside parameters, after all steps, when gradients are cleared."""

    def work(file: Any, group: Group) -> int:
        params = [torch.ones(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
        with Living(params) as living:
            optimizer = _made(file, params, group, settings)
            for _ in range(steps):
                for p in params:
                    # A view of more, as of a bucket of DDP: whoever keeps it keeps more than a copy.
                    p.grad = torch.ones(2, *p.shape).double()[0]
                optimizer.step()
            for p in params:
                p.grad = None
            gc.collect(0)  # what is left in a circle
            return living.bytes + held_bytes(living, optimizer, params, file)

    collects = gc.isenabled()
    gc.disable()  # so that what one run leaves is all young
    try:
        results = _on_each(module, size, work).results
        return dict(zip(described.of_ranks(size), results, strict=True))
    finally:
        if collects:
            gc.enable()


@runs(
    lambda *given: ("fully_sharded_step", typed.step(*given)),
    limits=lambda shapes, shards, xs, targets, lr, graded: described.step_limits(shapes),
)
def step(
    module: ModuleType,
    shapes: list[Shape],
    shards: list[list[Tensor]],
    xs: list[Tensor],
    targets: list[Tensor],
    lr: float,
    graded: bool,
) -> Any:
    """The new shards of each rank, the arguments, and what was called. graded: whether all have a .grad before."""
    each, off = [list(shapes) for _ in shards], []
    places = [set(map(_place, own)) - {0} for own in shards]
    for t in itertools.chain(*shards, xs, targets) if graded else ():
        t.grad = torch.ones_like(t)

    def work(file: Any, group: Group) -> Any:
        rank = group.rank
        new = file.fully_sharded_step(group, each[rank], shards[rank], xs[rank], targets[rank], lr)
        if not torch.is_grad_enabled():
            off.append(rank)
        return new

    ranks = _on_each(module, len(shards), work)
    results = [[t for t in new if type(t) is Tensor] if type(new) is list else [] for new in ranks.results]
    return {
        "ranks.results": ranks.results,
        "shards": shards,
        "xs": xs,
        "targets": targets,
        "shapes": next((one for one in each if one != shapes), shapes),
        "those of shards, xs and targets that require grad or have another .grad than before": [
            name
            for name, held in (("shards", itertools.chain(*shards)), ("xs", xs), ("targets", targets))
            if any(type(t) is Tensor and (t.requires_grad or _has_other_grad(t, graded)) for t in held)
        ],
        "ranks whose results have a graph": [rank for rank, new in enumerate(results) if any(t.grad_fn for t in new)],
        "ranks whose results share memory with shards": [
            rank for rank, new in enumerate(results) if not places[rank].isdisjoint(map(_place, new))
        ],
        "ranks whose step leaves gradients turned off": sorted(off),
        **described.counted(ranks.calls, described.step_limits(shapes)),
    }


def _has_other_grad(t: Tensor, graded: bool) -> bool:
    """Whether a tensor has another .grad than the ones, or none, that it had before."""
    return t.grad is None or not t.grad.equal(torch.ones_like(t)) if graded else t.grad is not None


def _place(x: Tensor) -> int:
    """Where the memory of a tensor begins, or 0 if it has none."""
    return x.untyped_storage().data_ptr()


@runs(lambda seed: ("fully_sharded_step", typed.deep(seed)), limits=lambda seed: described.DEEP_LIMITS)
def deep(module: ModuleType, seed: int) -> Any:
    """How many whole weights could lie in what is alive on each rank, at most; and the new shards."""
    weights, xs, targets = described.deep(seed)
    shards = described.sharded(weights, len(xs))
    shapes = [tuple(w.shape) for w in weights]
    del weights

    def work(file: Any, group: Group) -> tuple[int, Any]:
        x, target = xs[group.rank], targets[group.rank]
        with Living([*shards[group.rank], x, target]) as living:
            new = file.fully_sharded_step(group, list(shapes), shards[group.rank], x, target, 0.5)
        return living.peak // described.WHOLE, new

    results = _on_each(module, len(xs), work).results
    peaks = dict(zip(described.of_ranks(len(xs)), (peak for peak, _ in results), strict=True))
    return peaks | {
        "what fully_sharded_step returns": [new for _, new in results],
    }


@runs(lambda *given: ("tensor_parallel_mlp", typed.parallel(*given)))
def parallel(module: ModuleType, size: int, tensors: list[Tensor], grad: Tensor, elsewhere: float, again: str) -> Any:
    """The output and the gradients of each rank, the arguments, and what was called in the forward and after it."""
    each = described.parts(tensors, size)
    held: list[Any] = [None] * size

    def work(file: Any, group: Group) -> list[Tensor | None]:
        mine = [t.clone().requires_grad_() for t in each[group.rank]]
        x = 1 * mine[0] if elsewhere and not again else mine[0]
        ys = [file.tensor_parallel_mlp(group, x, *mine[1:])]
        if again:
            ys.append(file.tensor_parallel_mlp(group, 2 * mine[0], *mine[1:]))
        if again == "summed":
            ys = [ys[0] + ys[1]]
        result = sum(y.detach() for y in ys)
        first, *others = ys
        if elsewhere:
            ((first * grad).sum() + elsewhere * x.sum()).backward()
        else:
            first.backward(grad.clone())
        for y in others:
            y.backward(grad.clone())
        held[group.rank] = [t.detach() for t in mine]
        return [result, *(t.grad for t in mine)]

    ranks = _on_each(module, size, work)
    return {
        "ranks.results": ranks.results,
        "mine": held,
        "ranks.calls": [[call, list(shape)] for call, shape in ranks.calls],
    }


def warm_up() -> None:
    """Make what the first threads and the first backward make."""

    def work(group: Group) -> None:
        with Living():
            x = torch.ones(2, requires_grad=True)
            x.sum().backward()
            group.all_reduce(x)

    in_group(2, work)
