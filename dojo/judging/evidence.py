"""The evidence behind a verdict: how a function answers more examples of the property that it failed."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis.errors import HypothesisException

from dojo.judging import examples
from dojo.judging.expect import Mismatch
from dojo.judging.outcomes import Outcome
from dojo.judging.profiles import quick
from dojo.judging.verdict import Verdict, fixtures
from dojo.seam.deadline import Gone
from dojo.seam.seam import FIRST, RECORD, Call, Seam, Stopped, Untouched

EXAMPLES = 30
SEED = 0
MORE = 40
"""How many more are drawn, from the next seed, if each call is one line, which is cheap, or if fewer than FAILURES
failed: a single failure may have any cause."""
FAILURES = 3
# The verdict is already settled: a health check could only cut the evidence short.
PROFILE = settings(quick(EXAMPLES), suppress_health_check=list(HealthCheck))


def gather(
    test: Any, seam: Seam, device: str, verdict: Verdict, look: Callable[[Exception], object] = lambda failure: None
) -> None:
    """Replace the record of a property that failed with the failing calls and the answers to other examples.

    The failing call of the run comes first. The other examples come from fixed seeds, so the same failing call gets the
    same diagnosis in every run, however many examples that run drew. Failures are swallowed, because the verdict is
    settled. A state machine, or a property without examples, keeps the record of its run after the failing call. look:
    called with each failure among the first EXAMPLES.

    A function that seems to be still to do is asked until it answers: a run ends at the simplest example if that fails,
    and so says nothing about the others.
    """
    if verdict.outcome == Outcome.HELD or verdict.call is None:
        return
    if not hasattr(test, "strategies"):
        seam.calls.appendleft(verdict.call)
        return
    inner, ended, more = test.hypothesis.inner_test, False, False
    failed: list[Call | None] = []
    to_do = verdict.function if verdict.outcome == Outcome.TO_DO else None

    @functools.wraps(inner)
    def swallowing(**drawn: Any) -> None:
        nonlocal ended
        if ended or to_do in seam.answered:
            return
        begun = len(seam.calls)
        try:
            inner(**drawn)
            seam.accepted += itertools.islice(seam.calls, begun, None)
        except (Mismatch, Stopped) as failure:  # a wrong answer is an answer
            failed.append(getattr(failure, "call", None))
            if not more:
                look(failure)
        except Untouched:
            pass
        except HypothesisException:
            raise
        except Exception:  # the property cannot deal with this answer: the earlier ones have to do
            ended = True
        except Gone:
            ended = True

    seam.calls.clear()
    seam.accepted.clear()
    given = fixtures(test, seam, device)
    examples.run(test, given, profile=PROFILE, seed=SEED, inner=swallowing)
    more = len(failed) < FAILURES or all("\n" not in call.written for call in seam.calls)
    if more:
        examples.run(test, given, profile=settings(PROFILE, max_examples=MORE), seed=SEED + 1, inner=swallowing)
    if to_do is None:
        first = [verdict.call, *filter(None, failed[: FIRST - 1])]
        others = [call for call in seam.calls if not any(call is one for one in first)]
        seam.calls.clear()
        seam.calls.extend([*first, *others][:RECORD])
