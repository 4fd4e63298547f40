"""What a report draws beside a failing example of kata 23: plans beside their budget, and what was spent of one."""

from __future__ import annotations

from dojo.judging.pictures import Spent


def spent(parts: dict[str, int], flops: int, peak: int, nbytes: int) -> Spent:
    """FLOPs by what they were spent on, and bytes."""
    return Spent([("FLOPs", flops, [*parts.items()]), ("bytes saved", nbytes, [("at most", peak)])])


def of_plans(
    plans: dict[tuple[int, int], tuple[int, int]], budget: int, answer: object, right: tuple[int, int] | None
) -> Spent | None:
    """What the learner's plan and the right one save of the budget; none where neither is a plan."""
    shown = [("yours", answer)] * (answer != right) + [("right", right)]
    parts = [(name, nbytes) for name, plan in shown for one, (nbytes, _) in plans.items() if one == plan]
    return Spent([(name, budget, [("saves", nbytes)]) for name, nbytes in parts]) if parts and budget > 0 else None
