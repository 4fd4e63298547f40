"""Look for false alarms: right answers that are rejected. Run: python -m tests.strength.nightly [--seeds 20] [03 06]

Every property of these katas, or of all, draws 10,000 examples in each seed and judges the solution and all wheats by
them. After each seed the figures are written to [nightly] of each kata's measured.toml. The exit status is 1 if a
right answer was rejected. Bounds on random numbers (tests/shared/chance.py) are counted. Each rejects a right answer
with a known probability, and the sum of these bounds how likely it is that a false alarm came by chance.

--first 2 continues after the seeds 0 and 1 of an earlier run, and adds to its figures if the code is still the same.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import torch
from hypothesis import settings

from dojo.catalog import Kata, find, katas
from dojo.judging import gates, profiles
from dojo.judging.diagnose import Variant, with_variant
from dojo.judging.kata_folder import imported
from dojo.judging.outcomes import Outcome
from dojo.judging.property import marked
from dojo.judging.verdict import Verdict, run
from dojo.seam.local import Local
from dojo.seam.seam import Functions
from dojo.tools import measured
from tests.shared import chance

EXAMPLES = 10_000


@dataclass
class Found:
    """The result of one property in one seed: the number of answers judged, and a message for each one rejected.

    bounds: how many bounds on random numbers were checked.
    """

    kata: str
    judged: int
    bounds: int
    alarms: list[str]

    def figures(self) -> Counter[str]:
        """Return the numbers, by their names in measured.toml."""
        return Counter({"answers": self.judged, "bounds": self.bounds, "false_alarms": len(self.alarms)})


class Counted(Local):
    """The seam for one right answer, with its name and a count of its examples."""

    name = ""
    examples = 0


def main(numbers: Sequence[str], seeds: Sequence[int], examples: int, jobs: int | None) -> int:
    """Run the seeds one after the other, and write the figures after each. Return the exit status."""
    chosen = [find(number) for number in numbers] or list(katas().values())
    digests = {kata.slug: measured.digest(kata) for kata in chosen}  # of the code that runs, whatever is saved later
    totals = {kata.slug: before(kata, min(seeds, default=0), examples) for kata in chosen}
    spawned = get_context("spawn")  # autograd's threads do not survive a fork
    with ProcessPoolExecutor(jobs, mp_context=spawned, initializer=prepare, initargs=(examples,)) as pool:
        for seed in seeds:
            tasks = [(kata.slug, name, seed) for kata in chosen for name in names(kata)]
            for found in pool.map(look, *zip(*tasks, strict=True)):
                totals[found.kata] += found.figures()
                for alarm in found.alarms:
                    print(alarm, flush=True)
            for kata in chosen:
                total = totals[kata.slug]
                total["seeds"] += 1
                figures = {"answers": total["answers"], "seeds": total["seeds"], "examples": examples}
                figures |= {"bounds": total["bounds"]} if total["bounds"] else {}
                figures |= {"false_alarms": total["false_alarms"]}
                measured.write(kata, "nightly", figures | {"digest": digests[kata.slug]})
                counts = f"{total['answers']:,} answers in {total['seeds']} seeds, {total['false_alarms']} false alarms"
                print(f"{kata.slug}: {counts}{by_chance(total['bounds'])}", flush=True)
    return 1 if any(total["false_alarms"] for total in totals.values()) else 0


def before(kata: Kata, first: int, examples: int) -> Counter[str]:
    """Return the figures of the seeds before `first`, if they are known for this code and number of examples."""
    figures = measured.read(kata).get("nightly", {})
    asked = {"seeds": first, "examples": examples, "digest": measured.digest(kata)}
    if not (first > 0 and asked.items() <= figures.items()):
        return Counter()
    return Counter({name: figures.get(name, 0) for name in ("answers", "seeds", "bounds", "false_alarms")})


def by_chance(bounds: int) -> str:
    """Say how likely it is, at most, that one of this many bounds on random numbers rejects a right answer."""
    return f"; one by chance with a probability of {bounds * chance.ALPHA:.0e} at most" if bounds else ""


def prepare(examples: int) -> None:
    """Load the profile before properties are imported, because some draw a share of its examples."""
    torch.set_num_threads(1)
    profiles.register()
    settings.register_profile("nightly", settings(settings.get_profile("grade"), max_examples=examples))
    settings.load_profile("nightly")


def names(kata: Kata) -> list[str]:
    """Return the names of the properties of a kata that run without CUDA."""
    properties = marked(imported(kata))
    return [test.__name__ for test in properties if test.only_device in ("", "cpu")]


def look(slug: str, name: str, seed: int) -> Found:
    """Judge the solution, and every wheat of its functions, by one property."""
    kata = find(slug)
    test = getattr(imported(kata), name)
    seams = list(right_answers(kata, test.grades))
    before = chance.asked.total()
    profile = settings.get_profile("nightly")
    alarms = []
    while seams:  # report and drop an answer that is rejected, and judge the others again
        rejected = all_at_once(test, seams, seed, profile)
        if rejected is None:
            break
        seam, verdict = rejected
        alarms.append(f"{slug} {name}, seed {seed}: {seam.name} {verdict}")
        seams.remove(seam)
    bounds = chance.asked.total() - before
    return Found(slug, sum(seam.examples for seam in seams) + len(alarms), bounds, alarms)


def right_answers(kata: Kata, functions: Sequence[str]) -> Iterator[Counted]:
    """Yield a seam for the solution, and one for each wheat about one of these functions."""
    wheats = [wheat for wheat in gates.wheats(kata) if wheat.about in functions]
    yield counted("the solution", kata, gates.original(kata, functions[0]))
    yield from (counted(wheat.name, kata, wheat) for wheat in wheats)


def counted(name: str, kata: Kata, variant: Variant) -> Counted:
    """Return the seam for one answer, with this name."""
    plain = with_variant(kata, variant)
    seam = Counted(plain.answers, plain.forbidden)
    seam.name = name
    return seam


def all_at_once(test: Any, seams: Sequence[Counted], seed: int, profile: settings) -> tuple[Counted, Verdict] | None:
    """Draw each example once, for all seams. Return the seam that was rejected and its verdict, or None."""
    for seam in seams:
        seam.examples = 0
    handle = getattr(test, "hypothesis", None)
    if handle is None:  # a state machine, which judges one seam at a time
        for seam in seams:
            verdict = run(test, seam, device="cpu", seed=seed, profile=profile)
            seam.examples = profile.max_examples
            if verdict.outcome != Outcome.HELD:
                return seam, verdict
        return None
    inner = handle.inner_test
    asked = seams[0]

    def each(kata: Functions, *args: Any, **drawn: Any) -> None:
        nonlocal asked
        for asked in seams:
            asked.examples += 1
            asked.calls.clear()
            inner(Functions(asked), *args, **drawn)

    handle.inner_test = each
    try:
        verdict = run(test, seams[0], device="cpu", seed=seed, profile=profile)
    finally:
        handle.inner_test = inner
    return None if verdict.outcome == Outcome.HELD else (asked, verdict)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.strength.nightly")
    parser.add_argument("katas", nargs="*", help="01, 02 and so on; all where none is named")
    parser.add_argument("--seeds", type=int, default=20, help="how many (20)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0), after those that are known")
    parser.add_argument("--examples", type=int, default=EXAMPLES, help=f"of each property in each seed ({EXAMPLES:,})")
    parser.add_argument("--jobs", type=int, help="processes (one for each core)")
    arguments = parser.parse_args()
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    sys.exit(main(arguments.katas, seeds, arguments.examples, arguments.jobs))
