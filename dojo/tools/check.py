"""`dojo check`: list what a kata lacks, run the gates, then run the other tests of the kata."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import groupby

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dojo.catalog import ROOT, Kata
from dojo.judging.classes import FEWEST, rare, shares
from dojo.judging.kata_folder import imported
from dojo.judging.property import marked
from dojo.report.console import screen
from dojo.tools.bar import bar
from dojo.tools.completeness import gaps
from dojo.tools.gap import Gap
from dojo.tools.gates import GATES, WANTED, Answer, Question, answers, questions

EXAMPLES = 1000
"""Number of examples of each property from which the shares of classes are computed."""


def check(katas: Sequence[Kata]) -> bool:
    """Print the gaps of each kata, a table of the gates, and each problem in words. Return whether there is none."""
    sys.path.insert(0, str(ROOT))  # import the gates and the properties from the clone
    console = screen()
    found = {kata.slug: gaps(kata) for kata in katas}
    for slug, mine in found.items():
        _print_gaps(console, slug, mine)
    ready = [kata for kata in katas if not any(gap.blocks for gap in found[kata.slug])]
    if not ready:
        return False
    given = _given([question for kata in ready for question in questions(kata)])
    wrong = [(answer.question, complaint) for answer in given for complaint in answer.complaints]
    console.print(_table(ready, given))
    for question, complaint in wrong:
        _print(console, f"{question.slug} · {question.gate}", complaint)
    rarely = [line for kata in ready for line in _print_classes(console, kata)]
    failed = [] if wrong or rarely else _failed(ready)
    if failed:
        _print(console, "pytest", "\n".join(failed))
    return not wrong and not rarely and not failed and not any(found.values())


def _print_gaps(console: Console, slug: str, found: Sequence[Gap]) -> None:
    """Print each file with its gaps below it, in the order to fill them."""
    if not found:
        return
    count = "1 gap" if len(found) == 1 else f"{len(found)} gaps"
    console.print(Text(f"{slug} · {count}", style="bold"))
    order = list(dict.fromkeys(gap.place for gap in found))
    for place, mine in groupby(sorted(found, key=lambda gap: order.index(gap.place)), key=lambda gap: gap.place):
        lines = [f"  {f'line {gap.line}: ' if gap.line else ''}{gap.text}" for gap in mine]
        console.print(Text("\n".join([f"\n{place}", *lines])), soft_wrap=True)
    console.print()


def _given(asked: Sequence[Question]) -> list[Answer]:
    given: list[Answer] = []
    with bar(sys.stderr) as progress:
        task = progress.add_task("asking", total=len(asked))
        for answer in answers(asked):
            given.append(answer)
            about = f"{answer.question.slug} {answer.question.gate}"
            progress.update(task, advance=1, description=about, refresh=True)
    return sorted(given, key=lambda answer: (answer.question.slug, answer.question.gate, answer.question.about))


def _failed(katas: Sequence[Kata]) -> list[str]:
    """Run the tests in the katas' folders, and those of tests/dojo/ that run once per kata. Return those that fail.

    The gates are left out, because they were checked before.
    """
    slugs = " or ".join(kata.slug for kata in katas)
    command = [sys.executable, "-m", "pytest", "tests", "-q", "-rfE", "--tb=no", "-k", slugs]
    command += ["-p", "no:cacheprovider", "--ignore", "tests/dojo/judging/test_gates.py"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    found = re.findall(r"^(?:FAILED|ERROR) (.+)$", done.stdout, re.MULTILINE)
    return found or ([done.stdout + done.stderr] if done.returncode else [])


def _table(katas: Sequence[Kata], given: Sequence[Answer]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("", no_wrap=True)
    for gate in GATES:
        table.add_column(f"{gate}\n{WANTED[gate]}")
    for kata in katas:
        table.add_row(kata.slug, *(_cell(kata, gate, given) for gate in GATES))
    return table


def _print_classes(console: Console, kata: Kata) -> list[str]:
    """Print the share of each class that the strategies draw. Print and return a line for each that is too rare."""
    found = shares(marked(imported(kata)), EXAMPLES)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(f"{kata.slug}: classes of cases", overflow="fold")
    table.add_column(f"share of {EXAMPLES:,}", justify="right", no_wrap=True)
    for strategy, classes in groupby(found.items(), key=lambda each: each[0].strategy):
        table.add_row(strategy, style="dim")
        for one, share in classes:
            table.add_row(f"  {one.name}", Text(f"{share:.1%}", style="red" if share < FEWEST else "green"))
    console.print()
    console.print(table)
    rarely = rare(found)
    if rarely:
        _print(console, f"{kata.slug} · classes", "\n".join(rarely))
    return rarely


def _cell(kata: Kata, gate: str, given: Sequence[Answer]) -> Text:
    mine = [answer for answer in given if (answer.question.slug, answer.question.gate) == (kata.slug, gate)]
    things = sum(answer.question.things for answer in mine)
    bad = sum(len(answer.complaints) if answer.question.things > 1 else bool(answer.complaints) for answer in mine)
    return Text(f"{things - bad} of {things}", style="red" if bad else "green")


def _print(console: Console, title: str, text: str) -> None:
    console.print(Text(f"\n{title}", style="bold"))
    console.print(Text(text), soft_wrap=True)  # not wrapped, so that it can be copied
