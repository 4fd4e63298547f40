"""What a report draws beside a failing example of kata 01: storages with their tensors."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable

from torch import Tensor

from dojo.judging.pictures import Extents

from ..shared import described
from ..shared.views import MOST, places


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
        starts = [(int(x.storage_offset()), int(x.storage_offset()) + int(last) + 1)]
    else:
        starts = [(place, place + 1) for place in sorted(set(places(x.shape, x.stride(), int(x.storage_offset()))))]
    return [(first * size, end * size) for first, end in starts]
