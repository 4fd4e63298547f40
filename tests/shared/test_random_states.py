"""The global random states are kept, and what they give next is known."""

import random

import numpy as np
import torch

from . import random_states


def test_global_states_are_those_of_generators_of_ones_own():
    """What a seed gives next is known without asking the global state, which a program leaves as it was."""

    def states():
        """Those of torch, numpy and Python."""
        return torch.get_rng_state().tolist(), repr(np.random.get_state(legacy=False)), random.getstate()

    before = states()
    with random_states.seeded():
        torch.manual_seed(7), np.random.seed(7), random.seed(7)
        seen = [torch.rand(2).tolist(), np.random.rand(2).tolist(), random.random()]
    assert seen == list(random_states.next_numbers(7).values())
    assert states() == before


def test_a_program_is_seeded_as_it_says():
    """Without torch.manual_seed on the CPU, and with it where another device has states of its own."""
    line = "torch.manual_seed(7)"
    with random_states.seeded():
        torch.manual_seed(7)
        wanted = torch.get_rng_state()
        torch.manual_seed(8)
        exec("\n".join(random_states.seeding([line], "cpu")))
        assert torch.equal(torch.get_rng_state(), wanted)
    assert random_states.seeding([line], "cuda") == [line]
