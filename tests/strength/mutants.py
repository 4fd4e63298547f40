"""Run mutmut on the solutions, and write [mutants] of each kata's measured.toml.

Run: python -m tests.strength.mutants [--all] [03 06]. It needs `pip install -e '.[test,mutants]'`. Only the functions
of the solution are run whose code, or properties, have changed since; --all runs all, which takes five to twenty
minutes of two cores for most katas. If a mutant survives without a reason in equivalent.toml, or a reason has no
survivor, then nothing is written for that kata, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from dojo.catalog import ROOT, Kata, find, katas
from dojo.tools import measured, reachability

KILLED = {"killed", "timeout"}


def main(numbers: Sequence[str], every: bool) -> int:
    """Measure what is new in these katas, or in all; or every function. Return the exit status."""
    os.chdir(ROOT)
    chosen = [find(number) for number in numbers] or list(katas().values())
    digests = {kata.slug: reachability.digests(kata) for kata in chosen}
    asked = {
        kata.slug: [*now] if every else reachability.outdated(kata, now)
        for kata, now in zip(chosen, digests.values(), strict=True)
    }
    chosen = [kata for kata in chosen if asked[kata.slug]]
    if not chosen:
        print("all figures are up to date")
        return 0
    shutil.rmtree("mutants", ignore_errors=True)  # else mutmut would keep verdicts of older properties
    mutmut = Path(sys.executable).parent / "mutmut"
    if not mutmut.exists():
        raise SystemExit("mutmut is not there: pip install -e '.[test,mutants]'")
    subprocess.run([mutmut, "run", *(one for kata in chosen for one in patterns(kata, asked[kata.slug]))], check=True)
    slow = [name for kata in chosen for name, status in statuses(kata).items() if status == "timeout"]
    if slow:  # on a busy machine, other processes may have caused the timeout
        subprocess.run([mutmut, "run", "--max-children", "1", *slow], check=True)
    failed = [kata for kata in chosen if not explains(kata, asked[kata.slug], digests[kata.slug])]
    return 1 if failed else 0


def patterns(kata: Kata, parts: Iterable[str]) -> Iterator[str]:
    """Yield mutmut's names of the mutants of these functions and classes."""
    module = f"solutions.{kata.slug}.{kata.source(ROOT).stem}"
    for part in parts:
        yield f"{module}.x_{part}__mutmut_*"
        yield f"{module}.xǁ{part}ǁ*"


def part_of(mutant: str) -> str:
    """Return the function or the class that a mutant is of, by mutmut's name of the mutant."""
    name = mutant.rpartition(".")[2].partition("__mutmut_")[0]
    return name.split("ǁ")[1] if "ǁ" in name else name.removeprefix("x_")


def explains(kata: Kata, asked: Collection[str], digests: Mapping[str, str]) -> bool:
    """Write the figures of a kata if each survivor has a reason and each reason a survivor. Return whether they do.

    asked: the functions and classes whose mutants were run. The figures of the others are kept, and so are the reasons
    that theirs may need.
    """
    found = {name: status for name, status in statuses(kata).items() if part_of(name) in asked}
    lines = changes(kata)
    survived = [name for name, status in found.items() if status == "survived"]
    if wrong := {*found.values()} - KILLED - {"survived"}:
        raise SystemExit(f"{kata.slug}: mutants that are neither killed nor survive: {wrong}")
    reasons = explained(kata)
    needed = {lines[name][1] for name in lines if name in survived or part_of(name) not in asked}
    unexplained = [name for name in survived if lines[name][1] not in reasons]
    unused = sorted(reasons.keys() - needed)
    for name in unexplained:
        print(
            f"{kata.slug}: survives, and equivalent.toml has no reason for it:", part_of(name), *lines[name], sep="\n  "
        )
    for line in unused:
        print(f"{kata.slug}: equivalent.toml has a reason for a mutant that does not survive:", line, sep="\n  ")
    if unexplained or unused:
        return False
    before = measured.read(kata).get("mutants", {})
    figures = {part: _figures(part, found, digests[part]) if part in asked else before[part] for part in digests}
    measured.write(kata, "mutants", figures)
    count, killed, surviving = (measured.total(figures, key) for key in ("count", "killed", "surviving"))
    print(f"{kata.slug}: {len(found)} mutants run; {count} mutants, {killed} killed, {surviving} surviving")
    return True


def _figures(part: str, found: Mapping[str, str], digest: str) -> dict[str, int | str]:
    mine = [status for name, status in found.items() if part_of(name) == part]
    killed = sum(status in KILLED for status in mine)
    return {"count": len(mine), "killed": killed, "surviving": len(mine) - killed, "digest": digest}


def statuses(kata: Kata) -> dict[str, str]:
    """Return the status of each mutant of a solution, by name."""
    from mutmut.mutation.data import SourceFileMutationData  # late: only this command needs the extra [mutants]
    from mutmut.stats import status_by_exit_code

    data = SourceFileMutationData(path=_solution(kata))
    data.load()
    return {name: status_by_exit_code[code] for name, code in data.exit_code_by_key.items()}


def changes(kata: Kata) -> dict[str, tuple[str, str]]:
    """Return the old line and the new line of each mutant, by its name."""
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    found = {}
    for name in statuses(kata):
        lines = get_diff_for_mutant(name, path=_solution(kata)).splitlines()
        was, becomes = (
            " ".join(line[1:].strip() for line in lines if line.startswith(sign) and not line.startswith(sign * 3))
            for sign in "-+"
        )
        found[name] = was, becomes
    return found


def _solution(kata: Kata) -> Path:
    return kata.source(ROOT / "solutions").relative_to(ROOT)


def explained(kata: Kata) -> dict[str, str]:
    """Return the reasons why mutants are equivalent, by their new line."""
    path = kata.judge / "equivalent.toml"
    reasons = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {becomes: why for why, lines in reasons.items() for becomes in lines}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.strength.mutants")
    parser.add_argument("katas", nargs="*", help="01, 02 and so on; all where none is named")
    parser.add_argument("--all", action="store_true", help="run what is up to date, too")
    arguments = parser.parse_args()
    sys.exit(main(arguments.katas, arguments.all))
