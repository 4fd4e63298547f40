"""A program in a report of kata 23 runs where it is pasted, beside the learner's file."""

import io

import pytest
import torch
from torch import nn

from dojo.catalog import find
from dojo.judging import gates
from dojo.judging.diagnose import Variant, solution, with_variant

KATA = find("23")


def fit(model, tokens, context, flops, nbytes):
    """Learns nothing: what is asked is whether the program gets so far."""


@pytest.mark.parametrize("function", ["param_groups", "train_step", "Trainer", "fit"])
def test_a_program_brings_what_it_uses(function):
    """With torch, nn and io imported, which programs of every kata take as given."""
    answer = fit if function == "fit" else getattr(solution(KATA.slug), function)
    for test in gates.properties(KATA, function):
        seam = with_variant(KATA, Variant(function, answer))
        gates.ask(test, seam, seed=0, examples=1)
        for call in {call.scenario: call for call in seam.calls if call.scenario is not None}.values():
            try:
                exec(call.written, {"torch": torch, "nn": nn, "io": io, function: answer})
            except ValueError:  # which is what some of them are about
                assert "refuses" in test.__name__
