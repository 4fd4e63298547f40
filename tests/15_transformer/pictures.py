"""What a report draws beside a failing example of kata 15: sums and quotients by their parts."""

from __future__ import annotations

from dojo.judging.pictures import Terms
from dojo.seam.data import shown

from ..shared.sums import terms


def parts(counted: dict[str, int], answer: object) -> Terms | None:
    """A sum by its parts; none where they are too many digits to be read."""
    return terms(counted, answer) if sum(counted.values()) < READABLE else None


READABLE = 10**15


def ratio(answer: object, right: float, flops: int, matrices: int, cache: int) -> Terms:
    """FLOPs, and the bytes that they are divided by."""
    rows = {"FLOPs": flops, "bytes of matrices": matrices, "bytes of keys, values": cache}
    total = ("FLOPs per byte", shown(answer), shown(right))
    return Terms([(name, "", shown(part)) for name, part in rows.items()], total, "")
