"""The properties of a kata, judged one after another without pytest."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dojo.catalog import Kata
from dojo.judging.evidence import gather
from dojo.judging.findings import Finding, find, last_printed
from dojo.judging.kata_folder import imported
from dojo.judging.verdict import Verdict, properties_of, unjudged
from dojo.seam.seam import Seam

Ask = Callable[[Any, str], Verdict | None]
"""What becomes of a property on a device; None where it is not run."""


def judged(
    kata: Kata, function: str, seam: Seam, ask: Ask, printed: Callable[[], str], *, tree: str, devices: Sequence[str]
) -> Iterator[Finding]:
    """What becomes of each property of a function, or of all where it is "", in the order of their file.

    printed: what the learner's code has printed since it was last called.
    """
    properties = properties_of(imported(kata))
    tests = [test for test in properties if test.only_device in ("", *devices)]
    total = {name: sum(name in test.grades for test in tests) for name in kata.functions}
    findings: list[Finding] = []
    for test in tests:
        if function not in ("", *test.grades):
            continue
        for device in devices if "device" in inspect.signature(test).parameters else ("",):
            verdict = ask(test, device)
            if verdict is None:
                continue
            words = last_printed(printed())
            about: Any = {"test": test, "place": properties.index(test), "device": device, "total": total}
            try:
                gather(test, seam, device, verdict)
                printed()  # not by the example that failed
                finding = find(kata, seam, verdict, tree=tree, earlier=findings, **about)
            except Exception as error:
                seam.calls.clear()
                finding = find(kata, seam, unjudged(error), tree=tree, earlier=findings, **about)
            finding.printed = words
            findings.append(finding)
            yield finding
