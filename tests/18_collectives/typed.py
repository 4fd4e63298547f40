"""How the programs of kata 18 are typed: what a failing example shows can be run as it stands."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from dojo.seam.data import shown

from ..shared.described import Lines

IMPORT = "from tests.shared.ranks import on_ranks"


def collective(function: str, xs: Sequence[Tensor], root: int | None) -> Lines:
    """One tensor for each rank; of broadcast, the one at root. A root that is not named is None."""
    size = len(xs)
    if function != "broadcast":
        made = f"xs = {shown(list(xs))}"
        return [IMPORT, made, f"ranks = on_ranks({size}, lambda comm: {function}(comm, xs[comm.rank]))"]
    named = "" if root is None else f", {root}"
    call = f"broadcast(comm, x if comm.rank == {root or 0} else None{named})"
    return [IMPORT, f"x = {shown(xs[root or 0])}", f"ranks = on_ranks({size}, lambda comm: {call})"]


def models(call: str, size: int, lines: Lines, before: str = "", between: Lines | None = None) -> Lines:
    """A model for each rank, made by these lines from `rank`, and a function that is called with it.

    before: a call that comes first, with what happens between the two to the `model` of each `rank`.
    """
    made = ["def made(rank):", *(f"    {line}" for line in lines), "    return model"]
    every = f"models = [made(rank) for rank in range({size})]"
    first = [f"on_ranks({size}, lambda comm: {before})", "for rank, model in enumerate(models):"] if before else []
    first += [f"    {line}" for line in between or []]
    return ["import math", IMPORT, *made, every, *first, f"ranks = on_ranks({size}, lambda comm: {call})"]
