"""Run mutmut on the solutions, and write [mutants] of each kata's measured.toml.

Run: python -m tests.strength.mutants [03 06]. It needs `pip install -e '.[test,mutants]'`, and takes five to twenty
minutes of two cores for most katas. If a mutant survives without a reason in equivalent.toml, or a reason has no
survivor, then nothing is written for that kata, and the exit status is 1.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from dojo.catalog import ROOT, Kata, find, katas
from dojo.tools import measured

KILLED = {"killed", "timeout"}


def main(numbers: Sequence[str]) -> int:
    """Measure these katas, or all. Return the exit status."""
    os.chdir(ROOT)
    chosen = [find(number) for number in numbers] or list(katas().values())
    digests = {kata.slug: measured.digest(kata) for kata in chosen}
    shutil.rmtree("mutants", ignore_errors=True)  # else mutmut would keep verdicts of older properties
    mutmut = Path(sys.executable).parent / "mutmut"
    if not mutmut.exists():
        raise SystemExit("mutmut is not there: pip install -e '.[test,mutants]'")
    subprocess.run([mutmut, "run", *(f"solutions.{kata.slug}.*" for kata in chosen)], check=True)
    slow = [name for kata in chosen for name, status in statuses(kata).items() if status == "timeout"]
    if slow:  # on a busy machine, other processes may have caused the timeout
        subprocess.run([mutmut, "run", "--max-children", "1", *slow], check=True)
    failed = [kata for kata in chosen if not explains(kata, digests[kata.slug])]
    return 1 if failed else 0


def explains(kata: Kata, digest: str) -> bool:
    """Write the figures of a kata if each survivor has a reason and each reason a survivor. Return whether they do."""
    found, survived = list(statuses(kata).values()), survivors(kata)
    reasons = explained(kata)
    killed = sum(status in KILLED for status in found)
    if killed + len(survived) != len(found):
        raise SystemExit(f"{kata.slug}: mutants that are neither killed nor survive: {set(found)}")
    unexplained = [mutant for mutant in survived if mutant[2] not in reasons]
    unused = reasons.keys() - {becomes for _, _, becomes in survived}
    for mutant in unexplained:
        print(f"{kata.slug}: survives, and equivalent.toml has no reason for it:", *mutant, sep="\n  ")
    for line in sorted(unused):
        print(f"{kata.slug}: equivalent.toml has a reason for a mutant that does not survive:", line, sep="\n  ")
    if unexplained or unused:
        return False
    figures = {"count": len(found), "killed": killed, "surviving": len(survived), "digest": digest}
    measured.write(kata, "mutants", figures)
    print(f"{kata.slug}: {len(found)} mutants, {killed} killed, {len(survived)} surviving")
    return True


def statuses(kata: Kata) -> dict[str, str]:
    """Return the status of each mutant of a solution, by name."""
    from mutmut.mutation.data import SourceFileMutationData  # late: only this command needs the extra [mutants]
    from mutmut.stats import status_by_exit_code

    data = SourceFileMutationData(path=_solution(kata))
    data.load()
    return {name: status_by_exit_code[code] for name, code in data.exit_code_by_key.items()}


def survivors(kata: Kata) -> list[tuple[str, str, str]]:
    """Return the function, the old line and the new line of each mutant that survived."""
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    survived = []
    for name in (name for name, status in statuses(kata).items() if status == "survived"):
        lines = get_diff_for_mutant(name, path=_solution(kata)).splitlines()
        was, becomes = (
            " ".join(line[1:].strip() for line in lines if line.startswith(sign) and not line.startswith(sign * 3))
            for sign in "-+"
        )
        function = name.rpartition(".")[2].partition("__mutmut")[0].removeprefix("x").strip("_ǁ").replace("ǁ", ".")
        survived.append((function, was, becomes))
    return survived


def _solution(kata: Kata) -> Path:
    return kata.source(ROOT / "solutions").relative_to(ROOT)


def explained(kata: Kata) -> dict[str, str]:
    """Return the reasons why mutants are equivalent, by their new line."""
    path = kata.judge / "equivalent.toml"
    reasons = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {becomes: why for why, lines in reasons.items() for becomes in lines}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
