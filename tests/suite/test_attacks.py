"""Submissions that try to get a grade they have not earned, or to do harm: tests/attacks/ holds them."""

from __future__ import annotations

import pytest

from dojo.grade.grading import grade
from dojo.grade.levels import choose
from tests.attacks.bait import bait
from tests.attacks.harness import SEED, attacks

ATTACKS = attacks()


def test_every_attack_says_what_it_attacks():
    """The harness refuses a file whose first lines do not."""
    assert len(ATTACKS) >= 40
    assert all(attack.attacked for attack in ATTACKS.values())


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_gets_nothing(name: str, tmp_path, long: bool):
    """No credit for what it attacks, and full credit for the honest functions beside it."""
    if not long:
        pytest.skip("all of them take a quarter of an hour: asked with --long")
    attack = ATTACKS[name]
    with bait() as laid:
        handed = attack.hand_in(tmp_path, laid)
        given = grade(handed, katas=[attack.kata], seed=SEED, level=choose(), limits=attack.limits)
        assert not laid.touched()
    scores = {function.name: function.score for function in given.katas[0].functions}
    assert not any(scores[function] for function in attack.attacked)
    assert all(scores[function] == attack.kata.functions[function].points for function in attack.honest)
