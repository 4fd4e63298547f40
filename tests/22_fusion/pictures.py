"""What a report draws beside a failing example of kata 22: kernels, tiles, and what each program of a grid did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dojo.judging.pictures import Cells, Terms

PROGRAMS = 6
"""Most programs that are drawn."""


def kernels(ops: Sequence[Any], right: Sequence[Any], answer: Sequence[Any], note: str) -> Terms:
    """The operations, and in which kernel each is."""
    rows = [
        (f"{number}: {kind}{f' of {list(needs)}' if needs else ''}", _place(answer, number), _place(right, number))
        for number, (kind, needs) in enumerate(ops)
    ]
    return Terms(rows, ("kernels", str(len(answer)), str(len(right))), f"{note[0].upper()}{note[1:]}.", "kernel by op")


def _place(kernels: Sequence[Sequence[int]], number: int) -> str:
    return ", ".join(str(place) for place, kernel in enumerate(kernels) if number in kernel) or "—"


def tiles(case: Any) -> Terms:
    """What the tiles read and write, in bytes."""
    rows, columns = -(-case.m // case.block_m), -(-case.n // case.block_n)
    size = case.itemsize
    parts = {
        f"a, by {columns} column{'s' * (columns > 1)} of tiles": columns * case.m * case.k * size,
        f"b, by {rows} row{'s' * (rows > 1)} of tiles": rows * case.k * case.n * size,
        "the result": case.m * case.n * size,
    }
    terms = [(name, "", f"{number}") for name, number in parts.items()]
    return Terms(terms, ("bytes", "", str(sum(parts.values()))), "", "term by term")


def programs(seen: Any, name: str, size: int) -> Cells | None:
    """To which numbers of the result each program stores, and how much it loads; none where nothing ran."""
    if type(seen) is not dict or type(seen.get("programs")) is not list:
        return None
    works = seen["programs"]
    rows = [(f"({', '.join(map(str, place))})", stores, "×") for place, _, stores in works[:PROGRAMS]]
    loads = [
        f"({', '.join(map(str, place))}) loads {', '.join(f'{many} of {one}' for one, many in loads.items())}"
        for place, loads, _ in works[:PROGRAMS]
    ]
    more = f"; {len(works) - PROGRAMS} programs more" if len(works) > PROGRAMS else ""
    return Cells([*rows, (name, list(range(size)), "")], f"Programs, where each stores. {'; '.join(loads)}{more}.")
