"""The failing example that tells most: the smallest one is often made of zeros and ones, and teaches to catch those."""

from __future__ import annotations

import functools
import re
from typing import Any

from hypothesis import Phase, settings

from dojo.judging import examples
from dojo.judging.evidence import PROFILE, SEED, gather
from dojo.judging.expect import Mismatch
from dojo.judging.outcomes import Outcome
from dojo.judging.verdict import Verdict, fixtures, verdict
from dojo.seam.seam import Gone, Seam, Stopped

Vagueness = tuple[bool, bool]

HUGE = 10_000
"""A size from here on is not taken in at a glance."""

NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?")
SHAPE = re.compile(r"(?<!\w)\(\)|\((\d+(?:, \d+)*),?\)")


def vagueness(found: Verdict) -> Vagueness:
    """Return what keeps a failing call from showing the mistake; the smallest tells most.

    First: its first shape has a 0, or 0 is right, or a number is huge. Second: its first shape is (), or no two numbers
    above 1 differ, by which they could be recognized. A program of several lines is told by its lines.
    """
    call = found.call
    if call is None or "\n" in call.written:
        return False, False
    text = "\n".join((*call.setup, call.written))
    numbers = {float(number) for number in NUMBER.findall(text)}
    shape = SHAPE.search(text)
    sizes = (shape[1] or "").split(", ") if shape else []
    nothing = "0" in sizes or (type(found.wanted) in (int, float) and not found.wanted)
    return nothing or max(numbers, default=0) >= HUGE, sizes == [""] or len(numbers - {0, 1}) < 2


def choose(test: Any, seam: Seam, device: str, found: Verdict) -> tuple[Verdict, bool]:
    """Gather the evidence behind a verdict; return the verdict by the failing call that tells most, and if it is new.

    Where an example of the evidence tells more than the one that was found, hypothesis draws the same examples again,
    and makes the one small that tells most.
    """

    def rank(failure: BaseException) -> Vagueness | None:
        other = verdict(failure, seam)
        alike = other and (other.outcome, other.function, other.note) == (Outcome.WRONG, found.function, "")
        return vagueness(other) if other and alike else None

    ranks = [vagueness(found)]
    gather(test, seam, device, found, lambda failure: ranks.append(rank(failure) or ranks[0]))
    if (found.outcome, found.note) != (Outcome.WRONG, "") or min(ranks) == ranks[0]:
        return found, False
    evidence, inner, chosen = list(seam.calls), test.hypothesis.inner_test, found

    @functools.wraps(inner)
    def telling(**drawn: Any) -> None:
        try:
            inner(**drawn)
        except (Mismatch, Stopped) as failure:
            if rank(failure) == min(ranks):
                raise

    try:
        profile = settings(PROFILE, phases=(Phase.generate, Phase.shrink))
        examples.run(test, fixtures(test, seam, device), profile=profile, seed=SEED, inner=telling)
    except Gone:
        pass
    except Exception as failure:
        chosen = (rank(failure) and verdict(failure, seam)) or found
    seam.calls.clear()
    seam.calls.extend([chosen.call, *evidence] if chosen.call and chosen is not found else evidence)
    return chosen, chosen is not found
