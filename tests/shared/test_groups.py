"""Tests of groups of ranks, and of the memory measured in them."""

import gc
import weakref
from typing import Any

import pytest
import torch
from torch import nn

from tests.shared.groups import Group, in_group
from tests.shared.held import held_bytes
from tests.shared.living import Living
from tests.shared.network import Deadlock


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.int32, torch.bool])
@pytest.mark.parametrize("shape", [(2, 3), (), (0, 2)])
def test_collectives_give_each_rank_its_own(dtype: torch.dtype, shape: tuple[int, ...]):
    """Every rank gets new tensors of the right shape and dtype."""

    def work(group: Group) -> list[Any]:
        x = torch.full(shape, group.rank + 1).to(dtype)
        every = group.all_gather(x)
        assert all(one.untyped_storage() is not x.untyped_storage() for one in every)
        summed = [] if dtype == torch.bool else [group.all_reduce(x), group.reduce_scatter([x, 2 * x])]
        return [every, summed]

    one, two = (torch.full(shape, n).to(dtype) for n in (1, 2))
    for rank, (every, summed) in enumerate(in_group(2, work).results):
        assert all(map(torch.equal, every, (one, two)))
        assert not summed or torch.equal(summed[0], one + two)
        assert not summed or torch.equal(summed[1], (rank + 1) * (one + two))


def test_no_collective_carries_a_gradient():
    """A parameter may be sent too."""

    def work(group: Group) -> bool:
        x = nn.Parameter(torch.ones(2))
        return any(y.requires_grad for y in (*group.all_gather(x), group.all_reduce(x), group.all_reduce(x * 2)))

    assert in_group(2, work).results == [False, False]


def test_calls_are_noted_once_with_their_shape():
    """The log has them in the order in which they were made."""

    def work(group: Group) -> None:
        group.all_reduce(torch.ones(2, 3))
        group.reduce_scatter([torch.ones(4)] * 3)
        group.all_gather(torch.ones(()))

    assert in_group(3, work).calls == [("all_reduce", (2, 3)), ("reduce_scatter", (4,)), ("all_gather", ())]


@pytest.mark.parametrize(
    "work",
    [
        lambda group: group.all_gather(torch.ones(group.rank + 1)),
        lambda group: group.all_reduce(torch.ones(2, group.rank + 1)),
        lambda group: group.all_reduce(torch.ones(2, dtype=(torch.int32, torch.int64)[group.rank])),
        lambda group: group.reduce_scatter([torch.ones(2), torch.ones(3)]),
        lambda group: group.reduce_scatter([torch.ones(2)]),
        lambda group: group.reduce_scatter([]),
        lambda group: group.reduce_scatter([torch.ones(2)] * (group.rank + 2)),
    ],
    ids=["gather", "reduce", "dtype", "scatter", "too few", "none", "too many at one"],
)
def test_other_shapes_are_refused(work: Any):
    """Every rank raises ValueError, as for torch's all_gather."""

    def told(group: Group) -> str:
        with pytest.raises(ValueError, match="takes") as info:
            work(group)
        return type(info.value).__name__

    assert in_group(2, told).results == ["ValueError", "ValueError"]


@pytest.mark.parametrize(
    "work",
    [
        lambda group: group.all_reduce(torch.ones(2)) if group.rank else group.all_gather(torch.ones(2)),
        lambda group: group.all_reduce(torch.ones(2)) if group.rank else None,
        lambda group: None if group.rank else group.all_reduce(torch.ones(2)),
    ],
    ids=["another call", "rank 0 is done", "rank 1 is done"],
)
def test_calls_that_do_not_fit_are_a_deadlock(work: Any):
    """A rank that catches the error does not hide it."""

    def caught(group: Group) -> None:
        with pytest.raises(Deadlock, match=r"rank . waits in all_"):
            work(group)

    with pytest.raises(Deadlock, match=r"rank . waits in all_"):
        in_group(2, work)
    with pytest.raises(BaseException, match=r"rank . waits in all_|DID NOT RAISE"):
        in_group(2, caught)


def test_an_error_of_one_rank_is_told_before_the_deadlock_of_others():
    """That error caused the deadlock."""

    def work(group: Group) -> None:
        if group.rank == 1:
            raise LookupError("here")
        group.all_reduce(torch.ones(2))

    with pytest.raises(LookupError, match="here"):
        in_group(3, work)


def test_living_counts_what_is_held_and_nothing_that_goes_over_the_wire():
    """Views count once. Known tensors and freed ones do not count."""

    def work(group: Group) -> list[int]:
        x = torch.ones(10, dtype=torch.float64)
        with Living([x]) as living:
            y = x + 1
            z = y[2:]
            first = living.bytes
            every = group.all_gather(x[:5])
            second = living.bytes
            del y, every
            third = living.bytes
            del z
            return [first, second, third, living.bytes, living.peak]

    assert in_group(2, work).results == [[80, 160, 80, 0, 160]] * 2


def test_living_sees_the_backward():
    """It counts gradients, and temporary tensors on the way to them."""
    x = torch.ones(10, requires_grad=True)
    with Living([x]) as living:
        (x * x).sum().backward()
    assert living.bytes == 40
    assert living.peak > 40


class Holder:
    """An object to hang things on."""


def test_held_bytes_finds_numbers_that_no_operation_shows():
    """They are found in arrays, lists, closures, bound methods, and attributes of parameters and of the class."""
    numbers = [float(n) / 3 for n in range(10)]
    p = nn.Parameter(torch.ones(2))
    living = Living([p])
    hidden = torch.tensor(numbers, dtype=torch.float64)
    for put in (
        lambda holder: setattr(holder, "unseen", [hidden, p]),
        lambda holder: setattr(holder, "same", [hidden, hidden.numpy()[2:]]),
        lambda holder: setattr(holder, "numbers", numbers),
        lambda holder: setattr(holder, "step", lambda: numbers),
        lambda holder: setattr(holder, "step", {"deep": [numbers]}.get),
        lambda holder: setattr(p, "numbers", tuple(numbers)),
        lambda holder: setattr(type(holder), "numbers", numbers),
        lambda holder: setattr(holder, "array", torch.tensor(numbers, dtype=torch.float64).numpy().copy()[::2]),
    ):
        kind = type("Kind", (Holder,), {})
        holder = kind()
        assert held_bytes(living, holder, [p]) == 0
        put(holder)
        assert held_bytes(living, holder, [p]) == 80
        vars(p).clear()
        gone = weakref.ref(holder)
        del holder
        gc.collect()
        assert gone() is None
