"""The progress bar of `dojo grade-all`, as a terminal gets it."""

import io
import re

import pytest
from rich.console import Console

from dojo.grade import progress_bar
from dojo.grade.progress_bar import Bar
from dojo.grade.queue import Graded
from tests.dojo.grade.queued import made

SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
"""What rich sends to move and to colour."""


@pytest.fixture
def terminal(monkeypatch):
    """What a terminal of 100 columns is sent."""
    sent = io.StringIO()

    def console(stderr, **named):
        return Console(file=sent, force_terminal=True, width=100, **named)

    monkeypatch.setattr(progress_bar, "Console", console)
    return sent


def test_names_rate_and_time_left_are_shown(terminal):
    """Of those that are graded at the time; what was known before has no part in it."""
    with Bar(5) as bar:
        bar.end(Graded("known", made(Graded("known")), fresh=False))
        for name in ("ann", "bob", "cid"):
            bar.begin(name)
        bar._progress.refresh()
        bar.end(Graded("ann", made(Graded("ann"))))
        bar.end(Graded("bob", trouble="it cannot be read"))
        bar._progress.refresh()
    shown = SEQUENCE.sub("", terminal.getvalue())
    assert "ann  1 of 1\n" in shown
    assert "bob  it cannot be read\n" in shown
    assert "known" not in shown
    assert "0/4 -/min -:--:-- ann, bob, cid" in re.sub(" +", " ", shown)
    assert re.search(r"2/4 \d+\.\d/min 0:00:\d\d cid", shown)


def test_a_submission_that_was_graded_alone_is_said_to_have_been(terminal):
    """Where it has a grade; where it has none its line says why."""
    with Bar(2) as bar:
        bar.end(Graded("ann", made(Graded("ann")), alone=True))
        bar.end(Graded("bob", trouble="died", alone=True))
    shown = SEQUENCE.sub("", terminal.getvalue())
    assert "ann  1 of 1, graded alone, since processes that graded it died\n" in shown
    assert "bob  died\n" in shown


@pytest.mark.parametrize(
    "name", ["\x1b]0;owned\x07", "a\nb", "\u202ereversed", "[red]x[/red]", "x" * 255, "::error::x"]
)
def test_a_name_does_nothing_to_the_terminal(terminal, name):
    """Neither in its line nor in the bar; a long one is cut off there."""
    with Bar(1) as bar:
        bar.begin(name)
        bar._progress.refresh()
        bar.end(Graded(name, trouble=name))
    shown = SEQUENCE.sub("", terminal.getvalue())
    assert not set(shown) & {"\x1b", "\x07", "\u202e"}
    assert "[red]" in shown or "[" not in name
    assert not re.search(r"^\s*::", shown, re.MULTILINE)
    assert all(len(line) <= 100 for line in re.split(r"[\r\n]", shown) if "/min" in line)
