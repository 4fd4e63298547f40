"""Choose the failing example that tells most: the smallest is often all zeros and ones, and invites special cases."""

from __future__ import annotations

import functools
import re
from typing import Any

from hypothesis import Phase, settings

from dojo.judging import examples
from dojo.judging.evidence import PROFILE, SEED, gather
from dojo.judging.expect import Mismatch
from dojo.judging.kinds import is_program
from dojo.judging.outcomes import Outcome
from dojo.judging.property import CPU
from dojo.judging.verdict import Verdict, fixtures, verdict
from dojo.seam.deadline import Gone
from dojo.seam.seam import Seam, Stopped, Untouched

CLEAR = 0
ALIKE = 1
"""The first shape is (), or no two numbers other than 0 and 1 differ, so they cannot be recognized in the result."""
NOTHING = 2
"""The first shape has a 0, the right answer is 0, or a number is huge."""

HUGE = 10_000
"""A number this large or larger cannot be taken in at a glance."""

NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?")
SHAPE = re.compile(r"(?<!\w)\(\)|\((\d+(?:, \d+)*),?\)")


def vagueness(found: Verdict) -> int:
    """Return how little a failing call shows of the mistake; a program of several lines is always clear."""
    call = found.call
    if call is None or is_program(call):
        return CLEAR
    text = "\n".join((*call.setup, call.written))
    numbers = {float(number) for number in NUMBER.findall(text)}
    shape = SHAPE.search(text)
    sizes = (shape[1] or "").split(", ") if shape else []
    if "0" in sizes or (type(found.wanted) in (int, float) and not found.wanted) or max(numbers, default=0) >= HUGE:
        return NOTHING
    return ALIKE if sizes == [""] or len(numbers - {0, 1}) < 2 else CLEAR


def choose(test: Any, seam: Seam, device: str, found: Verdict) -> tuple[Verdict, bool]:
    """Gather the evidence behind a verdict. Return the verdict on the failing call that tells most, and if it is new.

    If an example of the evidence tells more than the one that was found, hypothesis draws the same examples again and
    shrinks the one that tells most. A failure on CUDA is told as it was found, and its evidence comes from the CPU.
    """

    if device not in CPU:
        _gather_on_cpu(test, seam, found)
        return found, False

    def told(failure: BaseException) -> Verdict:
        other = verdict(failure, seam)
        alike = other and (other.outcome, other.function, other.note) == (Outcome.WRONG, found.function, "")
        return other if other and alike else found

    ranks = [vagueness(found)]
    gather(test, seam, device, found, lambda failure: ranks.append(vagueness(told(failure))))
    least = min(ranks)
    if (found.outcome, found.note) != (Outcome.WRONG, "") or least == ranks[0]:
        return found, False
    evidence, inner, chosen = list(seam.calls), test.hypothesis.inner_test, found

    shrinking = examples.Shrinking()  # the verdict is settled: its example need not be the smallest

    @functools.wraps(inner)
    def telling(**drawn: Any) -> None:
        with shrinking.asking(drawn) as asks:
            try:
                if asks:
                    inner(**drawn)
            except (Mismatch, Stopped) as failure:
                if vagueness(told(failure)) == least:
                    raise

    try:
        profile = settings(PROFILE, phases=(Phase.generate, Phase.shrink))
        examples.run(test, fixtures(test, seam, device), profile=profile, seed=SEED, inner=telling)
    except (Gone, Untouched):
        pass
    except Exception as failure:
        chosen = told(failure)
    seam.calls.clear()
    seam.calls.extend([chosen.call, *evidence] if chosen.call and chosen is not found else evidence)
    return chosen, chosen is not found


def _gather_on_cpu(test: Any, seam: Seam, found: Verdict) -> None:
    """Gather the evidence behind a verdict on CUDA; none if no example fails on the CPU.

    A wrong answer can end CUDA for the process, and so can a belief that is tried on the same call.
    """
    failures: list[Exception] = []
    gather(test, seam, "cpu", found, failures.append)
    calls = [call for call in seam.calls if call is not found.call] if failures else []
    seam.calls.clear()
    seam.calls.extend(calls)
