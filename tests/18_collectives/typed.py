"""How the programs of kata 18 are typed: what a failing example shows can be run as it stands."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from dojo.seam.data import shown

from ..shared.described import Lines

IMPORT = "from tests.shared.ranks import on_ranks"


def collective(function: str, xs: Sequence[Tensor], root: int | None, again: bool = False) -> Lines:
    """One tensor for each rank; of broadcast, the one at root. A root that is not named is None.

    again: it is called once more, with twice the numbers.
    """
    if function == "broadcast":
        made = f"x = {shown(xs[root or 0])}"
        named = "" if root is None else f", {root}"
        given = f"{{}}x if comm.rank == {root or 0} else None{named}"
    else:
        made, given = f"xs = {shown(list(xs))}", "{}xs[comm.rank]"
    call = f"on_ranks({len(xs)}, lambda comm: {function}(comm, {given}))"
    return [IMPORT, made, f"ranks = {call.format('')}", *([f"later = {call.format('2 * ')}"] if again else [])]


def buckets(sizes: Sequence[int], cap: int) -> Lines:
    """Buckets that are emptied, as they are when they have left."""
    return [f"sizes = {shown(list(sizes))}", f"for bucket in gradient_buckets(sizes, {cap}):", "    bucket.clear()"]


def models(call: str, size: int, lines: Lines, before: str = "", between: Lines | None = None) -> Lines:
    """A model for each rank, made by these lines from `rank`, and a function that is called with it.

    before: a call that comes first, with what happens between the two to the `model` of each `rank`.
    """
    made = ["def made(rank):", *(f"    {line}" for line in lines), "    return model"]
    every = f"models = [made(rank) for rank in range({size})]"
    first = [f"on_ranks({size}, lambda comm: {before})", "for rank, model in enumerate(models):"] if before else []
    first += [f"    {line}" for line in between or []]
    return ["import math", IMPORT, *made, every, *first, f"ranks = on_ranks({size}, lambda comm: {call})"]
