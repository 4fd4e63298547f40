"""Programs that run a learner's function on all ranks at once, each rank with its own copy of the learner's file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

from dojo.seam.data import plain, same, shown
from dojo.seam.scenario import calls, runs

from ..shared.described import Lines, execute
from ..shared.random_states import seeded, seeding
from ..shared.ranks import calling, modules, on_ranks, together
from ..shared.threads import one_thread
from . import typed


def _typed(function: str, xs: Sequence[Tensor], root: int | None, again: bool = False) -> tuple[str, Lines]:
    return function, typed.collective(function, xs, root, again)


@runs(_typed)
def collective(module: ModuleType, function: str, xs: list[Tensor], root: int | None, again: bool = False) -> Any:
    """Return what each rank gets, and what the arguments have become.

    again: also return what it gets later, when the function is called once more with twice the numbers.
    """
    ranks = _run(module, function, xs, root)
    later = {"later.results": _run(module, function, [2 * x for x in xs], root).results} if again else {}
    return {"ranks.results": ranks.results, **later, "x" if function == "broadcast" else "xs": xs}


@runs(_typed)
def traffic(module: ModuleType, function: str, xs: list[Tensor], root: int | None) -> Any:
    """Return what went over the wire: bytes of each rank, and rounds."""
    ranks = _run(module, function, xs, root)
    return {"ranks.sent": ranks.sent, "ranks.received": ranks.received, "ranks.rounds": ranks.rounds}


def _run(module: ModuleType, function: str, xs: list[Tensor], root: int | None) -> Any:
    works = []
    for rank, own in enumerate(modules(module, len(xs))):
        mine = None if function == "broadcast" and rank != (root or 0) else xs[rank]
        named = () if root is None else (root,)
        works.append(calling(getattr(own, function), mine, *named))
    with one_thread():
        return together(works)


def _typed_programs(programs: list[list[tuple[str, int]]]) -> tuple[str, Lines]:
    return "stuck_ranks", [f"programs = {shown(programs)}", "stuck = stuck_ranks(programs)"]


@runs(_typed_programs)
def programs_after(module: ModuleType, programs: list[list[tuple[str, int]]]) -> Any:
    """Return what the programs have become after a call."""
    module.stuck_ranks(programs)
    return {"programs": programs}


@calls("gradient_buckets(sizes, {1})", setup=typed.buckets)
def buckets_again(module: ModuleType, sizes: list[int], cap: int) -> Any:
    """Return the buckets of a second call with the same list, after those of the first were emptied.

    The first ones are filled again at the end, so that a list that the learner's file keeps spoils no other example.
    """
    buckets = module.gradient_buckets(sizes, cap)
    left = [[*bucket] for bucket in buckets]
    for bucket in buckets:
        bucket.clear()
    found = plain(module.gradient_buckets(sizes, cap))
    for bucket, indices in zip(buckets, left, strict=True):
        bucket.extend(indices)
    return found


START = "start_alike(comm, models[comm.rank])"
MOVED = "for p in model.parameters(): p.data.add_(1.0 + rank)"
"""What takes models apart again that have started alike."""


def _typed_start(size: int, lines: Lines, again: bool = False, least: Sequence[int] = ()) -> tuple[str, Lines]:
    return "start_alike", typed.models(START, size, lines, *((START, [MOVED]) if again else ()))


@runs(_typed_start)
def start(module: ModuleType, size: int, lines: Lines, again: bool = False, least: Sequence[int] = ()) -> Any:
    """Return the models of all ranks after they start alike; again: after they move and start alike once more.

    least: bytes that each rank must receive. More are not told, since right answers differ in them.
    """
    models = [made(rank, lines) for rank in range(size)]
    before = [tensors(model) for model in models]
    places = [_places(model) for model in models]
    flags = [[p.requires_grad for p in model.parameters()] for model in models]
    kept = _kept(models[0])
    works = [calling(own.start_alike, model) for own, model in zip(modules(module, size), models, strict=True)]
    with one_thread():
        ranks = together(works)
        if again:
            for rank, model in enumerate(models):
                move(rank, model)
            ranks = together(works)
    moved = [
        [name for name, place in _places(model).items() if place != old.get(name)]
        for model, old in zip(models, places, strict=True)
    ]
    replaced = [
        [name for name, p in model.named_parameters(remove_duplicate=False) if p is not old.get(name)]
        for model, old in zip(models, before, strict=True)
    ]
    asks = [[p.requires_grad for p in model.parameters()] for model in models]
    return {
        "the tensors of models": [told(each) for each in before],
        "those of models that lie elsewhere than before": moved,
        "those of models that are other parameters than before": replaced,
        "requires_grad of models": "as before" if asks == flags else asks,
        "changed of models[0]": [name for name, value in _kept(models[0]).items() if not same(value, kept[name])],
        "ranks.received": list(map(min, ranks.received, least or ranks.received)),
    }


@torch.no_grad()
def move(rank: int, model: nn.Module) -> None:
    """Do what MOVED says."""
    for p in model.parameters():
        p.add_(1.0 + rank)


def tensors(model: nn.Module) -> dict[str, Tensor]:
    """Its parameters and buffers, under each name that one has."""
    return dict((*model.named_parameters(remove_duplicate=False), *model.named_buffers(remove_duplicate=False)))


def _places(model: nn.Module) -> dict[str, int]:
    return {name: tensor.data_ptr() for name, tensor in tensors(model).items()}


def _kept(model: nn.Module) -> dict[str, Any]:
    """Gradients and modes of a model, each under the expression that shows it."""
    grads = told({f"{name}.grad": p.grad for name, p in model.named_parameters()})
    return grads | {f"{name or 'model'}.training": part.training for name, part in model.named_modules()}


def told(tensors: dict[str, Any]) -> dict[str, Any]:
    """Their numbers, as they are now."""
    return {name: None if tensor is None else tensor.detach().clone() for name, tensor in tensors.items()}


AVERAGE = "average_gradients(comm, models[comm.rank], {}[comm.rank])"
MADE = "for p, other in zip(model.parameters(), made(rank).parameters()):"
ANEW = "    p.grad = other.grad"
IN_PLACE = "    p.grad = other.grad if p.grad is None or other.grad is None else p.grad.copy_(other.grad)"
"""What puts the gradients of a backward pass in the place of those that were averaged, or into their memory."""


def _typed_average(
    samples: list[int],
    lines: Lines,
    before: list[int] | None = None,
    in_place: bool = False,
    least: Sequence[int] = (),
) -> tuple[str, Lines]:
    first = (AVERAGE.format(before), [MADE, IN_PLACE if in_place else ANEW]) if before else ()
    return "average_gradients", typed.models(AVERAGE.format(samples), len(samples), lines, *first)


@runs(_typed_average)
def average(
    module: ModuleType,
    samples: list[int],
    lines: Lines,
    before: list[int] | None = None,
    in_place: bool = False,
    least: Sequence[int] = (),
) -> Any:
    """The gradients of all ranks' models after they were averaged, and their parameters.

    before: samples of an earlier call, after which the models get the gradients of these lines once more. in_place:
    they are written into the memory of those that were averaged. least: as of `start`.
    """
    with one_thread():
        models = [made(rank, lines) for rank in range(len(samples))]
        functions = [own.average_gradients for own in modules(module, len(samples))]
        if before:
            together(list(map(calling, functions, models, before)))
            for rank, model in enumerate(models):
                for p, other in zip(model.parameters(), made(rank, lines).parameters(), strict=True):
                    if in_place and p.grad is not None and other.grad is not None and not p.grad.is_inference():
                        p.grad.copy_(other.grad)
                    else:
                        p.grad = other.grad
        ranks = together(list(map(calling, functions, models, samples)))
    grads = [{name: p.grad for name, p in model.named_parameters()} for model in models]
    parameters = [dict(model.named_parameters()) for model in models]
    return {
        "gradients": list(map(told, grads)),
        "parameters": list(map(told, parameters)),
        "ranks.received": list(map(min, ranks.received, least or ranks.received)),
    }


def made(rank: int, lines: Lines) -> nn.Module:
    """Return the model that a rank makes from these lines."""
    with seeded():
        values = execute(seeding([f"rank = {rank}", *lines], "cpu"), ["model"], {"math": math})
    model: nn.Module = values["model"]
    return model


def warm_up() -> None:
    """Set up what the first threads and the first backward set up."""

    def work(comm: Any) -> None:
        torch.ones(2, requires_grad=True).sum().backward()
        if comm.rank:
            comm.send(torch.ones(1), 0)
        else:
            comm.recv(1)

    on_ranks(2, work)
