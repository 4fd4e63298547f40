"""Look for false alarms: right answers that are rejected. Run: python -m tests.strength.nightly [--seeds 20] [03 06]

Every property of the katas (of all where none is named) draws 10,000 examples in each seed, and asks the solution and
all wheats each of them. After each seed the figures are written to [nightly] of each kata's measured.toml. The status
is 1 where one of them was rejected. Bounds on random numbers (tests/shared/chance.py) are counted: each turns a right
answer away with a probability that is known, and the sum of these is what chance can have added to the false alarms.

--first 2 goes on after the seeds 0 and 1, in another run: their figures are added to, if the code is still the same.
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
    """How many answers of one kata's one property were judged, and what was said of those that were rejected.

    bounds: how many bounds on random numbers they were held against.
    """

    kata: str
    judged: int
    bounds: int
    alarms: list[str]

    def figures(self) -> Counter[str]:
        """The numbers, by their names in measured.toml."""
        return Counter({"answers": self.judged, "bounds": self.bounds, "false_alarms": len(self.alarms)})


class Counted(Local):
    """The seam for one right answer; it has a name, and counts its examples."""

    name = ""
    examples = 0


def main(numbers: Sequence[str], seeds: Sequence[int], examples: int, jobs: int | None) -> int:
    """Run seed after seed, and write the figures of what was run."""
    chosen = [find(number) for number in numbers] or list(katas().values())
    digests = {kata.slug: measured.digest(kata) for kata in chosen}  # of what is asked, whatever is saved later
    totals = {kata.slug: before(kata, min(seeds, default=0), examples) for kata in chosen}
    spawned = get_context("spawn")  # threads of autograd's do not outlive a fork
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
    """The figures of the seeds before the first one, where they are known of this code and as many examples."""
    figures = measured.read(kata).get("nightly", {})
    asked = {"seeds": first, "examples": examples, "digest": measured.digest(kata)}
    if not (first > 0 and asked.items() <= figures.items()):
        return Counter()
    return Counter({name: figures.get(name, 0) for name in ("answers", "seeds", "bounds", "false_alarms")})


def by_chance(bounds: int) -> str:
    """Say how likely it is at most that one of so many bounds on random numbers turns a right answer away."""
    return f"; one by chance with a probability of {bounds * chance.ALPHA:.0e} at most" if bounds else ""


def prepare(examples: int) -> None:
    """Load the profile before the properties are imported: those that draw a share take it of this one's examples."""
    torch.set_num_threads(1)
    profiles.register()
    settings.register_profile("nightly", settings(settings.get_profile("grade"), max_examples=examples))
    settings.load_profile("nightly")


def names(kata: Kata) -> list[str]:
    """The properties of a kata that mean something without CUDA."""
    properties = marked(imported(kata))
    return [test.__name__ for test in properties if test.only_device in ("", "cpu")]


def look(slug: str, name: str, seed: int) -> Found:
    """Ask one property about the solution and every wheat of its functions."""
    kata = find(slug)
    test = getattr(imported(kata), name)
    seams = list(right_answers(kata, test.grades))
    before = chance.asked.total()
    profile = settings.get_profile("nightly")
    alarms = []
    while seams:  # a rejected one is told and left out, and the others are asked again
        rejected = all_at_once(test, seams, seed, profile)
        if rejected is None:
            break
        seam, verdict = rejected
        alarms.append(f"{slug} {name}, seed {seed}: {seam.name} {verdict}")
        seams.remove(seam)
    bounds = chance.asked.total() - before
    return Found(slug, sum(seam.examples for seam in seams) + len(alarms), bounds, alarms)


def right_answers(kata: Kata, functions: Sequence[str]) -> Iterator[Counted]:
    """A seam for the solution, and one for each wheat about one of these functions."""
    wheats = [wheat for wheat in gates.wheats(kata) if wheat.about in functions]
    yield counted("the solution", kata, gates.original(kata, functions[0]))
    yield from (counted(wheat.name, kata, wheat) for wheat in wheats)


def counted(name: str, kata: Kata, variant: Variant) -> Counted:
    """The seam for one answer, under this name."""
    plain = with_variant(kata, variant)
    seam = Counted(plain.answers, plain.forbidden)
    seam.name = name
    return seam


def all_at_once(test: Any, seams: Sequence[Counted], seed: int, profile: settings) -> tuple[Counted, Verdict] | None:
    """Draw each example once for all of them; the one that was rejected, and why."""
    for seam in seams:
        seam.examples = 0
    handle = getattr(test, "hypothesis", None)
    if handle is None:  # a state machine: it asks each by itself
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
