"""What a report draws beside a failing example of kata 17: times by name, and the trials by their work."""

from __future__ import annotations

from dojo.judging.pictures import Terms
from dojo.seam.data import shown


def by_name(answer: object, right: dict[str, int]) -> Terms | None:
    """The times of each name; none where the answer has none."""
    if type(answer) is not dict or not right:
        return None
    rows = [(name, shown(answer[name]) if name in answer else "—", shown(time)) for name, time in right.items()]
    rows += [(shown(name), shown(time), "—") for name, time in answer.items() if name not in right]
    counts = [time for time in answer.values() if type(time) is int]
    return Terms(rows, ("in all", shown(sum(counts)), shown(sum(right.values()))), "", "by name")
