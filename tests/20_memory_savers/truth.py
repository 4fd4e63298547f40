"""What torch and Python do: real storages, real objects, real graphs, and torch's own optimizers."""

from __future__ import annotations

import contextlib
import gc
import os
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks

from ..shared.collector import without_collector
from ..shared.described import Lines
from . import scenarios
from .strategies_lines import Line
from .strategies_names import Events

SMALL = 10_000
"""Storages of more bytes than this are made on meta, where they take none."""


def peak_bytes(events: Events) -> int:
    """Make tensors and views, and look at their storages after each event."""
    there: dict[str, Tensor] = {}
    peak = 0
    for word, name, *rest in events:
        if word == "new":
            there[name] = torch.empty(rest[0], dtype=torch.uint8, device="cpu" if rest[0] <= SMALL else "meta")
        elif word == "view":
            there[name] = there[rest[0]][:]
        else:
            del there[name]
        storages = {tensor.untyped_storage()._cdata: tensor.untyped_storage() for tensor in there.values()}
        peak = max(peak, sum(storage.nbytes() for storage in storages.values()))
    return peak


class Thing:
    """An object that refers to others."""

    def __init__(self) -> None:
        self.refers_to: list[Thing] = []


def released(references: dict[str, list[str]], held: list[str]) -> tuple[list[str], list[str]]:
    """Make the objects, let go of their names, and look who is gone; then ask the collector, and look again."""
    with without_collector():
        gc.collect(0)
        things = {name: Thing() for name in references}
        for name, names in references.items():
            things[name].refers_to += [things[other] for other in names]
        gone = {name: weakref.ref(thing) for name, thing in things.items()}
        kept = [things[name] for name in held]
        del things
        at_once = sorted(name for name, ref in gone.items() if ref() is None)
        gc.collect(0)
        waited = sorted(name for name, ref in gone.items() if ref() is None and name not in at_once)
        del kept
    return at_once, waited


def overwritten(program: Sequence[Line]) -> list[int]:
    """Run the lines, and ask each node of the graph for what it has saved: where that was written to it raises."""
    tensors = {"x": torch.ones(2, requires_grad=True)}
    nodes: list[tuple[int, Any]] = []
    for index, (target, operation, *sources) in enumerate(program):
        inputs = [tensors[source] for source in sources]
        result = RUN[operation](*inputs)
        tensors[target] = result
        if result.requires_grad and operation.removesuffix("_") not in ("view", "detach", *NUMBERS):
            nodes.append((index, result.grad_fn))
    return [index for index, node in nodes if _raises(node)]


NUMBERS = {"add": 1, "mul": 2}
RUN: dict[str, Any] = {
    "view": lambda t: t.view(t.shape),
    "detach": lambda t: t.detach(),
    "product": lambda t, other: t * other,
    "add": lambda t: t + 1,
    "mul": lambda t: t * 2,
    "add_": lambda t: t.add_(1),
    "mul_": lambda t: t.mul_(2),
}
for _name in ("sin", "cos", "square", "exp", "tanh", "sigmoid", "relu", "neg"):
    RUN[_name] = getattr(torch, _name)
    RUN[f"{_name}_"] = getattr(Tensor, f"{_name}_")


def _raises(node: Any) -> bool:
    for name in ("_saved_self", "_saved_result", "_saved_other"):
        try:
            getattr(node, name, None)
        except RuntimeError:
            return True
    return False


def program(function: str, lines: Lines, watched: Lines, device: str, instead: Any) -> dict[str, Any]:
    """What the watched expressions are worth after these lines, with this in place of the learner's."""
    found: dict[str, Any] = scenarios.program(SimpleNamespace(**{function: instead}), function, lines, watched, device)
    return found


def not_offloaded(folder: str, keep: Sequence[Tensor] = ()) -> contextlib.AbstractContextManager[None]:
    """Everything stays in memory."""
    return contextlib.nullcontext()


class Mark:
    """An empty file that is there as long as this object."""

    def __init__(self, folder: str) -> None:
        handle, self.path = tempfile.mkstemp(dir=folder)
        os.close(handle)

    def __del__(self) -> None:
        os.remove(self.path)


def marked(folder: str, keep: Sequence[Tensor] = ()) -> saved_tensors_hooks:
    """Everything stays in memory, and an empty file stands for each tensor that is saved and not kept."""
    kept = {tensor.untyped_storage()._cdata for tensor in keep}

    def pack(tensor: Tensor) -> tuple[Tensor, Mark | None]:
        return tensor, None if tensor.untyped_storage()._cdata in kept else Mark(folder)

    return saved_tensors_hooks(pack, lambda packed: packed[0])


class Saved(NamedTuple):
    """How many tensors were saved that are not kept, how many different ones with elements, and the bytes of all."""

    tensors: int
    different: int
    nbytes: int


def saved(lines: Lines, device: str) -> Saved:
    """What autograd saves inside of the context manager of these lines."""
    seen: list[tuple[Any, Any, int]] = []

    @contextlib.contextmanager
    def looking(folder: str, keep: Sequence[Tensor] = ()) -> Iterator[None]:
        kept = {tensor.untyped_storage()._cdata for tensor in keep}

        def pack(tensor: Tensor) -> Tensor:
            if tensor.untyped_storage()._cdata not in kept:
                place = (tensor.storage_offset(), tensor.shape, tensor.stride())
                seen.append((tensor.untyped_storage(), place, tensor.nbytes))
            return tensor

        with saved_tensors_hooks(pack, lambda tensor: tensor):
            yield

    program("offload_to_disk", lines, [], device, looking)
    different = {(storage._cdata, place) for storage, place, nbytes in seen if nbytes}
    return Saved(len(seen), len(different), sum(nbytes for _, _, nbytes in seen))


class Momentum:
    """torch's own SGD in float64, and how far the same with a momentum in 8 bits may be from it."""

    def __init__(self, params: Any, lr: float = 0.01, momentum: float = 0.9, block_size: int = 64) -> None:
        self.params = list(params)
        self.exact = [p.detach().double() for p in self.params]
        self.optimizer = torch.optim.SGD(self.exact, lr=lr, momentum=momentum)
        self.lr, self.momentum, self.block_size = lr, momentum, block_size
        self.errors = [torch.zeros(p.numel(), dtype=torch.float64, device=p.device) for p in self.params]
        self.rooms = [torch.zeros_like(p, dtype=torch.float64) for p in self.params]

    def step(self) -> None:
        """One step of torch's; what the momentum may be off by then, and the parameters with it."""
        for p, exact in zip(self.params, self.exact, strict=True):
            exact.grad = None if p.grad is None else p.grad.double()
        self.optimizer.step()
        for place, exact in enumerate(self.exact):
            if exact.grad is not None:
                error = self.errors[place]
                self.rooms[place] += self.lr * error.view(exact.shape)
                buffer = self.optimizer.state[exact].get("momentum_buffer")
                blocks = (exact.grad if buffer is None else buffer).abs().flatten().split(self.block_size)
                largest = [block.amax().expand(len(block)) for block in blocks if len(block)]
                if largest:
                    error += (torch.cat(largest) + error) / 254
                    error *= self.momentum
            self.params[place].data.copy_(exact)


class Attached:
    """torch's own SGD for parameters that are listed once, to be called behind each backward pass."""

    def __init__(self, params: Any, lr: float) -> None:
        self.optimizer = torch.optim.SGD([*dict.fromkeys(params)], lr=lr)
        self.removed = False

    def remove(self) -> None:
        """Take no more steps."""
        self.removed = True

    def step(self) -> None:
        """Take a step, and drop the gradients."""
        if not self.removed:
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)


def attached(lines: Lines, watched: Lines, device: str) -> dict[str, Any]:
    """What becomes of these lines with a step behind each backward pass."""
    handles = [name for name in ("handle", "other") if any(line.startswith(f"{name} = ") for line in lines)]
    steps = [f"{name}.step()" for name in handles]
    stepping = [part for line in lines for part in ([line, *steps] if line == "loss.backward()" else [line])]
    return program("attach_sgd", stepping, watched, device, Attached)


def adagrad(params: Any, lr: float = 0.01, eps: float = 1e-10) -> Any:
    """torch's own AdaGrad."""
    return torch.optim.Adagrad(list(params), lr=lr, eps=eps)
