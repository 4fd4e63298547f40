"""Run mutmut over the solutions, and write tests/strength/mutants.md. Run: python -m tests.strength.mutants [03 06]

It needs `pip install -e '.[test,mutants]'`, and takes some ten minutes on two cores for all katas. The status is 1
where a mutant survives that tests/strength/equivalent.toml gives no reason for.
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
from tests.strength import measured

REASONS = ROOT / "tests" / "strength" / "equivalent.toml"
KILLED = {"killed", "timeout"}
HEADING = "Equivalent mutants\n"


def main(numbers: Sequence[str]) -> int:
    """Measure these katas, or all; the others keep what stands in the table."""
    os.chdir(ROOT)
    chosen = [find(number) for number in numbers] or list(katas().values())
    digests = {kata.slug: measured.digest(kata) for kata in chosen}
    shutil.rmtree("mutants", ignore_errors=True)  # mutmut would keep the verdicts of older properties
    mutmut = Path(sys.executable).parent / "mutmut"
    if not mutmut.exists():
        raise SystemExit("mutmut is not there: pip install -e '.[test,mutants]'")
    subprocess.run([mutmut, "run", *(f"solutions.{kata.slug}.*" for kata in chosen)], check=True)
    table, below = measured.rows(), sections(measured.survivors())
    unexplained = []
    for kata in chosen:
        statuses, survived = results(kata)
        reasons = explained(kata)
        unexplained += [(kata.slug, *mutant) for mutant in survived if mutant[2] not in reasons]
        killed = sum(status in KILLED for status in statuses)
        if killed + len(survived) != len(statuses):
            raise SystemExit(f"{kata.slug}: mutants that are neither killed nor survive: {set(statuses)}")
        for unused in reasons.keys() - {becomes for _, _, becomes in survived}:
            print(f"{kata.slug}: {REASONS.name} explains {unused}, which does not survive")
        count = {"mutants": len(statuses), "killed": killed, "surviving": len(survived)}
        row = {"kata": kata.slug, "of": digests[kata.slug], **{name: str(number) for name, number in count.items()}}
        table[kata.slug] = table.get(kata.slug, {}) | row
        below[kata.slug] = [
            "| function | was | becomes | why it is the same |",
            "| --- | --- | --- | --- |",
            *(row_of(*mutant, reasons[mutant[2]]) for mutant in survived if mutant[2] in reasons),
        ]
    for mutant in unexplained:
        print("survives, and nothing says why it may:", *mutant, sep="\n  ")
    if not unexplained:
        parts = ["\n".join([f"\n### {slug}\n", *below[slug], ""]) for slug in katas() if below.get(slug)]
        measured.write(table, HEADING + "".join(parts))
    return 1 if unexplained else 0


def results(kata: Kata) -> tuple[list[str], list[tuple[str, str, str]]]:
    """The status of each mutant of a solution, and of each that survived: function, what was, what it becomes."""
    from mutmut.mutation.data import SourceFileMutationData  # only this command needs what comes with .[mutants]
    from mutmut.mutation.diff_apply import get_diff_for_mutant
    from mutmut.stats import status_by_exit_code

    path = kata.source(ROOT / "solutions").relative_to(ROOT)
    data = SourceFileMutationData(path=path)
    data.load()
    statuses = {name: status_by_exit_code[code] for name, code in data.exit_code_by_key.items()}
    survived = []
    for name in (name for name, status in statuses.items() if status == "survived"):
        lines = get_diff_for_mutant(name, path=path).splitlines()
        was, becomes = (
            " ".join(line[1:].strip() for line in lines if line.startswith(sign) and not line.startswith(sign * 3))
            for sign in "-+"
        )
        function = name.rpartition(".")[2].partition("__mutmut")[0].removeprefix("x").strip("_ǁ").replace("ǁ", ".")
        survived.append((function, was, becomes))
    return list(statuses.values()), survived


def explained(kata: Kata) -> dict[str, str]:
    """Why a mutant is equivalent, by the line that it becomes."""
    reasons = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    return {becomes: why for why, lines in reasons.get(kata.slug, {}).items() for becomes in lines}


def row_of(function: str, was: str, becomes: str, why: str) -> str:
    """One line of the table of survivors."""
    cells = (f"`{function}`", f"`{was}`", f"`{becomes}`", why)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def sections(text: str) -> dict[str, list[str]]:
    """The lines of each kata's table of survivors, as they stand."""
    found: dict[str, list[str]] = {}
    for part in text.split("\n### ")[1:]:
        slug, _, lines = part.partition("\n")
        found[slug] = lines.strip("\n").splitlines()
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
