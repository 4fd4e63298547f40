"""Judge the properties of a kata one after another, without pytest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dojo.catalog import Kata
from dojo.judging.findings import Finding, is_spared, last_printed
from dojo.judging.property import Property, properties
from dojo.judging.telling import choose
from dojo.judging.verdict import Verdict, unjudged
from dojo.seam.seam import Seam

Ask = Callable[[Property], Verdict | None]
"""Runs a property and returns its verdict; None if it is not run."""


def judged(
    kata: Kata, function: str, seam: Seam, ask: Ask, printed: Callable[[], str], *, tree: str, devices: Sequence[str]
) -> Iterator[Finding]:
    """Yield the finding of each property of a function, or of all if it is "", in the order of their file.

    printed: returns what the learner's code has printed since it was last called.
    """
    findings: list[Finding] = []
    for property in properties(kata, devices, function):
        verdict = None if is_spared(property, findings) else ask(property)
        if verdict is None:
            continue
        words = printed()
        try:
            verdict, is_new = choose(property.test, seam, property.device, verdict)
            later = printed()  # ends with what the chosen example printed, if it is a new one
            words = later if is_new else words
            finding = Finding.of(property, seam, verdict, tree=tree, earlier=findings)
        except Exception as error:
            seam.calls.clear()
            finding = Finding.of(property, seam, unjudged(error), tree=tree, earlier=findings)
        finding.printed = last_printed(words)
        findings.append(finding)
        yield finding
