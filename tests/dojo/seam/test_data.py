"""What a scenario is given is a copy."""

from collections import OrderedDict

import numpy as np
import torch

from dojo.seam.data import copied, shown


def test_what_is_changed_in_a_copy_stays_as_it_was():
    """Tensors and containers of any depth, and what is no plain data."""
    ones, words = torch.ones(2, 3).T, np.zeros(2)
    value = [("a", OrderedDict(w=ones), {"kept": [1.5, None]}), words]
    copy = copied(value)
    (_, state, kept), array = copy
    assert torch.equal(state["w"], ones)
    assert type(state) is OrderedDict
    state["w"].zero_()
    state["b"] = kept["kept"].pop()
    array += 1
    assert value == [("a", OrderedDict(w=ones), {"kept": [1.5, None]}), words]
    assert ones.sum() == 6
    assert not words.any()


def test_a_tensor_that_needs_a_gradient_is_shown_by_its_numbers():
    """Alone, and among others."""
    x = torch.ones(2, requires_grad=True) * 2
    assert shown((x, [x[0]])) == "(torch.tensor([2.0, 2.0]), [torch.tensor(2.0)])"
