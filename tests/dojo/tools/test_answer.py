"""`dojo answer`: the questions of the path, by functions that are done and by no others."""

import pytest

from dojo import progress
from dojo.catalog import ROOT, find
from dojo.progress import State
from dojo.report.console import screen
from dojo.seam.local import for_file
from dojo.tools import CommandError
from dojo.tools import answer as tool

KATA = find("04")


@pytest.fixture
def known(monkeypatch):
    """What is known of kata 04, whose solution stands in for the learner's file."""
    states = dict.fromkeys(KATA.functions, State("to do"))
    recorded = progress.read(KATA)
    monkeypatch.setattr(progress, "read", lambda kata: progress.Progress(kata, states, recorded.file))
    monkeypatch.setattr(tool, "for_file", lambda kata, tree, name: for_file(kata, ROOT / "solutions", name))
    return states


def answered(capsys, *numbers):
    """What is printed, without the spaces at the ends of lines."""
    tool.answer(screen(), *numbers)
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_the_questions_of_the_path_are_answered_by_what_is_done(known, capsys):
    """A function that is not done is named, with what to do about it."""
    known["training_days"] = State("done")
    asked = [
        "How long do 70e9 parameters train on 15e12 tokens, on 1024 H100s?",
        "What is the largest model that AdamW trains in float32 on 1024 H100s?",
    ]
    assert answered(capsys, 70e9, 15e12, 1024) == [
        asked[0],
        "  answer        143.9 days, at half of the 989.5e12 FLOP/s that each promises",
        "  computed by   training_days of 04_backward_flops",
        asked[1],
        "  missing       largest_model of 04_backward_flops is to do",
        "  lesson        katas/04_backward_flops/README.md",
    ]
    known["training_days"], known["largest_model"] = State("done", stale=True), State("done")
    assert answered(capsys, 70e9, 15e12, 8)[1:] == [
        "  not judged    training_days of 04_backward_flops: run pytest",
        "                katas/04_backward_flops",
        asked[1].replace("1024", "8"),
        "  answer        40e9 parameters, at 16 bytes each, before any activation",
        "  computed by   largest_model of 04_backward_flops",
    ]


@pytest.mark.parametrize("numbers", [(0, 1, 1), (1, -1, 1), (1, 1, 0), (float("nan"), 1, 1), (float("inf"), 1, 1)])
def test_a_number_that_is_none_is_one_line(numbers):
    """Which it is, and what came."""
    with pytest.raises(CommandError, match=r"\A(PARAMETERS|TOKENS|GPUS) must be a number above 0, got "):
        tool.answer(screen(), *numbers)
