"""Measure how many wrong answers properties and fixed examples catch. Run: python -m benchmarks.power

For each kata, this prints the share of its misconceptions that the properties reject at 100 examples, the median number
of examples until one did, the share that the worked examples of the stub and the lesson reject (examples.py of its
folder in tests/), and how many milliseconds a wrong answer took on each side. --write stores the figures in
measured.toml of that folder, for `dojo tables`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

from dojo.catalog import Kata, find, katas
from dojo.judging import gates
from dojo.judging.diagnose import Variant, with_variant
from dojo.judging.kata_folder import imported
from dojo.judging.outcomes import Outcome
from dojo.seam.local import Local
from dojo.seam.seam import Functions, Stopped
from dojo.tools import measured

KEYS = ("wrong", "by_properties", "by_examples", "median_call", "ms_properties", "ms_examples")
"""The names of the columns in measured.toml."""


class Counting(Local):
    """The local seam, with a count of its calls. A property makes one call per example, and fails with the last."""

    made = 0

    def _perform(self, *call: Any) -> object:
        self.made += 1
        return super()._perform(*call)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="store the figures in measured.toml of each kata")
    parser.add_argument("katas", nargs="*", help="01 03: only these")
    options = parser.parse_args()
    columns = ["wrong answers", "killed by properties", "killed by examples", "median call that showed it"]
    columns += ["ms, properties", "ms, examples"]
    print(f"| kata | {' | '.join(columns)} |", f"| --- |{' ---: |' * len(columns)}", sep="\n")
    for kata in [find(word) for word in options.katas] or katas().values():
        wrong = gates.misconceptions(kata)
        calls, by_properties, properties_took = [], 0, 0.0
        by_examples, examples_took = 0, 0.0
        for variant in wrong:
            begin = time.perf_counter()
            found = first_call(kata, variant)
            properties_took += time.perf_counter() - begin
            if found:
                by_properties += 1
                calls.append(found)
            begin = time.perf_counter()
            by_examples += not survives_examples(kata, variant)
            examples_took += time.perf_counter() - begin
        shares = [by_properties / len(wrong), by_examples / len(wrong)]
        times = [1000 * took / len(wrong) for took in (properties_took, examples_took)]
        figures = [len(wrong), *(round(share, 4) for share in shares), statistics.median(calls)]
        figures += [float(f"{time:.3g}") for time in times]
        cells = [f"{len(wrong)}", *(f"{share:.0%}" for share in shares), *(f"{figure:g}" for figure in figures[3:])]
        print(f"| {' | '.join([kata.slug, *cells])} |", flush=True)
        if options.write:
            measured.write(kata, "power", dict(zip(KEYS, figures, strict=True)))


def first_call(kata: Kata, variant: Variant) -> int:
    """Return how many examples the function's properties take, in order, to reject the variant, or 0 if they do not."""
    made = 0
    for test in gates.properties(kata, variant.about):
        plain = with_variant(kata, variant)
        seam = Counting(plain.answers, plain.forbidden)
        verdict = gates.ask(test, seam, seed=0, examples=100)
        if verdict.outcome != Outcome.HELD and verdict.function in ("", variant.about):
            return made + seam.made
        made += seam.made
    return 0


def survives_examples(kata: Kata, variant: Variant) -> bool:
    """Return whether every worked example holds for the variant."""
    examples: Any = imported(kata, "examples")
    try:
        examples.check(Functions(with_variant(kata, variant)))
    except (AssertionError, Stopped):
        return False
    return True


if __name__ == "__main__":
    main()
