"""`dojo check`: the gates of one kata or of all, and of a kata that is not complete the next thing to write."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dojo.catalog import ROOT, Kata
from dojo.report.console import screen
from dojo.tools.bar import bar
from dojo.tools.gates import GATES, WANTED, Answer, Question, answers, questions
from dojo.tools.rooms import missing


def check(katas: Sequence[Kata]) -> bool:
    """Print a table of the gates, and what is wrong in words; whether nothing is."""
    sys.path.insert(0, str(ROOT))  # the gates and the properties are the clone's
    lacking = {kata.slug: next(missing(kata), None) for kata in katas}
    asked = [question for kata in katas if lacking[kata.slug] is None for question in questions(kata)]
    given = _given(asked)
    wrong = [(answer.question, complaint) for answer in given for complaint in answer.complaints]
    console = screen()
    if asked:
        console.print(_table([kata for kata in katas if lacking[kata.slug] is None], given))
    for question, complaint in wrong:
        _say(console, f"{question.slug} · {question.gate}", complaint)
    for slug, lack in lacking.items():
        if lack is not None:
            _say(console, f"{slug} · not complete", lack)
    return not wrong and not any(lacking.values())


def _given(asked: Sequence[Question]) -> list[Answer]:
    given: list[Answer] = []
    if asked:
        with bar(sys.stderr) as progress:
            task = progress.add_task("asking", total=len(asked))
            for answer in answers(asked):
                given.append(answer)
                about = f"{answer.question.slug} {answer.question.gate}"
                progress.update(task, advance=1, description=about, refresh=True)
    return sorted(given, key=lambda answer: (answer.question.slug, answer.question.gate, answer.question.about))


def _table(katas: Sequence[Kata], given: Sequence[Answer]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("", no_wrap=True)
    for gate in GATES:
        table.add_column(f"{gate}\n{WANTED[gate]}")
    for kata in katas:
        table.add_row(kata.slug, *(_cell(kata, gate, given) for gate in GATES))
    return table


def _cell(kata: Kata, gate: str, given: Sequence[Answer]) -> Text:
    mine = [answer for answer in given if (answer.question.slug, answer.question.gate) == (kata.slug, gate)]
    things = sum(answer.question.things for answer in mine)
    bad = sum(len(answer.complaints) if answer.question.things > 1 else bool(answer.complaints) for answer in mine)
    return Text(f"{things - bad} of {things}", style="red" if bad else "green")


def _say(console: Console, title: str, words: str) -> None:
    console.print(Text(f"\n{title}", style="bold"))
    console.print(Text(words), soft_wrap=True)  # whole, to be copied
