"""What is said of a kata that is done."""

from dataclasses import replace

from dojo import progress
from dojo.catalog import find, katas
from dojo.progress import State
from dojo.report import blocks


def test_a_kata_that_is_done_says_how_far_the_learner_is(monkeypatch):
    """How many functions of how many, the one that took the most tries, what the lesson measured, and what is next."""
    kata = find("03")
    every = [
        replace(one, states=dict.fromkeys(one.states, State("done" if one.kata == kata else "to do")))
        for one in progress.everything()
    ]
    monkeypatch.setattr(progress, "everything", lambda: every)
    tries = dict.fromkeys(kata.functions, 1)
    monkeypatch.setattr(progress, "tries", lambda _: tries)
    total = sum(len(other.functions) for other in katas().values())
    said = dict(blocks._finished(kata))
    assert said["done"] == f"all 9 functions of this kata, 9 of {total} of all katas"
    assert said["the lesson"].startswith("You should have seen 48 and 0. The 0 is a blind spot")
    assert (said["compare"], said["next"]) == ("dojo solution 03", "katas/04_backward_flops/README.md")
    assert "most tries" not in said, "each was right at once"
    tries["einsum_flops"] = 7
    assert dict(blocks._finished(kata))["most tries"] == "einsum_flops, 7"
    last = list(katas().values())[-1]
    assert "next" not in dict(blocks._finished(last))
