"""Kata 20, solved: the same result in less memory."""

import contextlib
import itertools
import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.nn import functional as F

SAVES_INPUT = ("sin", "cos", "square")
SAVES_RESULT = ("exp", "tanh", "sigmoid", "relu")
SAVES_NOTHING = ("neg", "add", "mul")
IN_PLACE = tuple(f"{name}_" for name in SAVES_INPUT + SAVES_RESULT + SAVES_NOTHING)
OPERATIONS = (*SAVES_INPUT, *SAVES_RESULT, *SAVES_NOTHING, *IN_PLACE, "view", "detach", "product")


def peak_bytes(events: list[tuple[Any, ...]]) -> int:
    """Count a storage as long as some name stands for it."""
    storage_of: dict[str, int] = {}
    sizes: dict[int, int] = {}
    peak = 0
    for index, (word, name, *rest) in enumerate(events):
        if word not in ("new", "view", "del") or (name in storage_of) != (word == "del"):
            raise ValueError(f"{word!r} of {name!r}")
        if word == "del":
            del storage_of[name]
        elif word == "view":
            if rest[0] not in storage_of:
                raise ValueError(f"{rest[0]!r} is not alive")
            storage_of[name] = storage_of[rest[0]]
        else:
            if rest[0] < 0:
                raise ValueError(f"{rest[0]} bytes")
            storage_of[name], sizes[index] = index, rest[0]
        peak = max(peak, sum(sizes[storage] for storage in set(storage_of.values())))
    return peak


def released(references: dict[str, list[str]], held: list[str]) -> tuple[list[str], list[str]]:
    """Keep what something held leads to; let what a cycle in the rest leads to wait."""
    if not references.keys() >= {*held, *itertools.chain(*references.values())}:
        raise ValueError("a name is no object")

    def reached(names: Iterable[str]) -> set[str]:
        found: set[str] = set()
        left = list(names)
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += references[name]
        return found

    gone = references.keys() - reached(held)
    waiting = gone & reached(name for name in gone if name in reached(references[name]))
    return sorted(gone - waiting), sorted(waiting)


def overwritten(program: list[tuple[str, ...]]) -> list[int]:
    """Give each memory a version, which each write increases, and note the version with whatever is saved."""
    tensors = {"x": (-1, True)}  # which memory, and whether it needs a gradient
    versions: Counter[int] = Counter()
    saved = []
    for index, (target, operation, *sources) in enumerate(program):
        if operation not in OPERATIONS or not tensors.keys() >= set(sources):
            raise ValueError(f"{operation} of {sources}")
        memory, needs = tensors[sources[0]]
        plain = operation.removesuffix("_")
        if operation in IN_PLACE:
            if [target] != sources or tensors[target] == (-1, True):
                raise ValueError(f"{operation} of {sources} to {target}")
            versions[memory] += 1
            if needs and plain in SAVES_RESULT:
                saved.append((index, memory, versions[memory]))
            continue
        if operation == "product":
            other, other_needs = tensors[sources[1]]
            saved += [(index, memory, versions[memory])] * other_needs + [(index, other, versions[other])] * needs
            needs = needs or other_needs
        if needs and operation in SAVES_INPUT:
            saved.append((index, memory, versions[memory]))
        if needs and operation in SAVES_RESULT:
            saved.append((index, index, 0))
        shares = operation in ("view", "detach")
        tensors[target] = (memory if shares else index, needs and operation != "detach")
    return sorted({index for index, memory, version in saved if versions[memory] > version})


class _File:
    """A tensor in a file that is removed with this object."""

    def __init__(self, folder: str, tensor: Tensor) -> None:
        handle, self.path = tempfile.mkstemp(dir=folder)
        with open(handle, "wb") as file:
            torch.save(tensor.detach().clone(memory_format=torch.contiguous_format), file)

    def __del__(self) -> None:
        os.remove(self.path)


@contextlib.contextmanager
def offload_to_disk(folder: str, keep: Sequence[Tensor] = ()) -> Iterator[None]:
    """Let the graph hold an object that holds the file."""
    kept = {tensor.untyped_storage()._cdata for tensor in keep}

    def pack(tensor: Tensor) -> Tensor | _File:
        return tensor if tensor.untyped_storage()._cdata in kept else _File(folder, tensor)

    def unpack(packed: Tensor | _File) -> Tensor:
        return packed if isinstance(packed, Tensor) else torch.load(packed.path)

    with saved_tensors_hooks(pack, unpack):
        yield


def quantize(x: Tensor, block_size: int) -> tuple[Tensor, Tensor]:
    """Compute in float64, with blocks as rows."""
    if block_size < 1:
        raise ValueError(f"blocks of {block_size}")
    rows = F.pad(x.detach().double().flatten(), (0, -x.numel() % block_size)).view(-1, block_size)
    scales = rows.abs().amax(1) / 127
    codes = (rows / scales.where(scales > 0, 1)[:, None]).round().to(torch.int8)
    return codes.flatten()[: x.numel()].clone(), scales.float()


def dequantize(codes: Tensor, scales: Tensor, block_size: int) -> Tensor:
    """Repeat each scale for every code of its block."""
    if block_size < 1 or len(scales) != -(-len(codes) // block_size):
        raise ValueError(f"{len(scales)} scales for {len(codes)} codes in blocks of {block_size}")
    return codes * scales.repeat_interleave(block_size)[: len(codes)]


class SGD8bit:
    """SGD whose momentum is kept as codes and scales."""

    def __init__(self, params: Iterable[Tensor], lr: float = 0.01, momentum: float = 0.9, block_size: int = 64) -> None:
        self.params = list(params)
        self.lr, self.momentum, self.block_size = lr, momentum, block_size
        self.kept: dict[int, tuple[Tensor, Tensor]] = {}

    @torch.no_grad()
    def step(self) -> None:
        """Take one step."""
        for place, p in enumerate(self.params):
            if p.grad is not None:
                m = p.grad
                if place in self.kept:
                    m = m + self.momentum * dequantize(*self.kept[place], self.block_size).view(p.shape)
                p.sub_(m, alpha=self.lr)
                self.kept[place] = quantize(m, self.block_size)


class _Handles:
    """Several hook handles as one."""

    def __init__(self, handles: list[Any]) -> None:
        self.handles = handles

    def remove(self) -> None:
        """Remove all of them."""
        for handle in self.handles:
            handle.remove()


def attach_sgd(params: Iterable[Tensor], lr: float) -> _Handles:
    """Use each gradient as soon as it is complete, and drop it."""

    def step(p: Tensor) -> None:
        with torch.no_grad():
            p.sub_(p.grad, alpha=lr)  # type: ignore[arg-type]
        p.grad = None

    learned = dict.fromkeys(p for p in params if p.requires_grad)
    return _Handles([p.register_post_accumulate_grad_hook(step) for p in learned])


class FactoredAdaGrad:
    """AdaGrad whose sums are an outer product."""

    def __init__(self, params: Iterable[Tensor], lr: float = 0.01, eps: float = 1e-10) -> None:
        self.params, self.lr, self.eps = list(params), lr, eps
        self.sums: dict[int, list[Tensor]] = {}

    @torch.no_grad()
    def step(self) -> None:
        """Take one step."""
        for place, p in enumerate(self.params):
            if p.grad is not None:
                squares = p.grad.square()
                new = [squares] if p.ndim < 2 else [squares.sum(dim, keepdim=True) for dim in (-1, -2)]
                old = self.sums.get(place, [0] * len(new))
                self.sums[place] = new = [a + b for a, b in zip(old, new, strict=True)]
                if p.ndim < 2:
                    (mean,) = new
                else:
                    rows, columns = new
                    total = rows.sum(-2, keepdim=True)
                    mean = rows * columns / total.where(total > 0, 1)
                p.sub_(p.grad / (mean.sqrt() + self.eps), alpha=self.lr)
