"""What crosses the seam is a copy: what a scenario is given, and what an answer holds."""

from collections import OrderedDict, defaultdict
from typing import NamedTuple

import numpy as np
import pytest
import torch

from dojo.seam.data import copied, plain, same, shown, unlike


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


def test_of_long_values_the_first_item_that_differs_is_told():
    """In lists and in tensors; what is short is told whole, and so is what differs in length."""
    rows, others = ([[number, number + 1] for number in range(200)] for _ in range(2))
    others[120][1] = 0
    assert unlike(others, rows) == ("[120]", [120, 0], [120, 121])
    assert unlike(others[120:122], rows[120:122]) == ("", others[120:122], rows[120:122])
    assert unlike(rows[1:], rows)[0] == ""
    numbers, rounded = torch.zeros(300), torch.full((300,), 1e-7)
    rounded[7] = 1
    assert unlike([numbers, rounded], [numbers, numbers], rel=1e-6) == ("[1][7]", torch.tensor(1.0), torch.tensor(0.0))


def test_whole_numbers_in_tensors_are_the_same_only_if_equal():
    """A tolerance is for what is rounded."""
    assert same(torch.tensor([1.0 + 1e-9]), torch.tensor([1.0]), rel=1e-6)
    assert not same(torch.tensor([2**60 + 1]), torch.tensor([2**60]), rel=1e-6)


def test_what_would_be_shown_alike_is_taken_apart():
    """So many elements are not written out: only the item says what differs."""
    numbers = torch.zeros(2, 10_001)
    place, got, want = unlike((numbers, 1), (numbers + torch.eye(2, 10_001), 1))
    assert (place, float(got), float(want)) == ("[0][0][0]", 0.0, 1.0)


class Pair(NamedTuple):
    """Two values, which its own iterator says otherwise."""

    first: object
    second: object

    def __iter__(self):
        """Another iterator than a tuple's."""
        return iter((0, 0))


class Rounded(float):
    """A float that says another number of itself than it is."""

    def __float__(self):
        """Another number."""
        return 1.0


class Fallback(dict[str, object]):
    """A dict that says other things of itself than it holds."""

    def items(self):
        """Other items."""
        return {"other": 1}.items()


@pytest.mark.parametrize(
    ("value", "held"),
    [
        (Pair(1, [2.0]), (1, [2.0])),
        (torch.Size((2, 3)), (2, 3)),
        (type("Row", (list,), {})([1, 2]), [1, 2]),
        (OrderedDict(a=1, b=(2,)), {"a": 1, "b": (2,)}),
        (defaultdict(int, a=1), {"a": 1}),
        (Fallback(a=Pair(1, 2)), {"a": (1, 2)}),
        (np.float64(0.1), 0.1),
        (Rounded(0.75), 0.75),
    ],
)
def test_of_a_subclass_what_it_holds_is_kept(value, held):
    """A named tuple is a tuple, a defaultdict a dict, a numpy.float64 a float; no method of its own is asked."""
    assert repr(plain(value)) == repr(held)
    assert same(plain(value), held)
