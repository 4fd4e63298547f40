"""Tests of the global random states: they are restored, and their next numbers are known."""

import random

import numpy as np
import torch

from . import random_states


def test_global_states_are_those_of_generators_of_ones_own():
    """The numbers after a seed are known without the global states, which a program leaves as they were."""

    def states():
        """Return the states of torch, numpy and Python."""
        return torch.get_rng_state().tolist(), repr(np.random.get_state(legacy=False)), random.getstate()

    before = states()
    with random_states.seeded():
        torch.manual_seed(7), np.random.seed(7), random.seed(7)
        seen = [torch.rand(2).tolist(), np.random.rand(2).tolist(), random.random()]
    assert seen == list(random_states.next_numbers(7).values())
    assert states() == before


def test_a_program_is_seeded_as_it_says():
    """On the CPU without torch.manual_seed, and with it on a device that has its own states."""
    line = "torch.manual_seed(7)"
    with random_states.seeded():
        torch.manual_seed(7)
        wanted = torch.get_rng_state()
        torch.manual_seed(8)
        exec("\n".join(random_states.seeding([line], "cpu")))
        assert torch.equal(torch.get_rng_state(), wanted)
    assert random_states.seeding([line], "cuda") == [line]
