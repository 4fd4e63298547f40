"""Tests of the network of ranks."""

import _thread
import functools
import signal
import time
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import nn

from tests.shared.network import Closed, Comm, Deadlock, run
from tests.shared.ranks import modules, on_ranks, together


def test_a_message_is_a_copy_of_what_was_sent():
    """The copy has the same dtype, shape and numbers, and does not require grad."""
    x = nn.Parameter(torch.arange(6.0, dtype=torch.float64).reshape(2, 3))

    def work(comm: Comm):
        if comm.rank == 0:
            comm.send(x.mT, 1)
            return None
        got = comm.recv(0)
        got += 1
        return got

    got = on_ranks(2, work).results[1]
    assert not got.requires_grad
    assert torch.equal(got, x.detach().mT + 1)
    assert torch.equal(x, torch.arange(6.0, dtype=torch.float64).reshape(2, 3))


def test_a_send_returns_when_the_other_has_received():
    """What the sender does next comes after that."""
    order = []

    def work(comm: Comm):
        if comm.rank == 0:
            comm.send(torch.ones(()), 1)
            order.append("sent")
        else:
            order.append("not yet")
            comm.recv(0)

    on_ranks(2, work)
    assert order == ["not yet", "sent"]


def test_bytes_and_rounds_are_counted():
    """A message takes both of its ranks one unit of time. One without elements has no bytes."""

    def work(comm: Comm):
        if comm.rank < 2:
            comm.send(torch.zeros(3, dtype=torch.int64), comm.rank + 2)
            comm.send(torch.zeros(0, 5), 4)
        elif comm.rank < 4:
            comm.recv(comm.rank - 2)
        else:
            comm.recv(0), comm.recv(1)

    done = run([work] * 5)
    assert (done.sent, done.received, done.rounds) == ([24, 24, 0, 0, 0], [0, 0, 24, 24, 0], 3)


def test_a_deadlock_is_told_to_all_that_wait():
    """The error says which ranks wait for which, and which are done."""

    def work(comm: Comm):
        if comm.rank < 2:
            comm.send(torch.ones(()), 1 - comm.rank)
        elif comm.rank == 2:
            comm.recv(3)

    done = run([work] * 4)
    told = "rank 0 waits to send to 1; rank 1 waits to send to 0; rank 2 waits to receive from 3; rank 3 is done"
    assert [str(error) for error in done.errors] == [told] * 3 + ["None"]
    assert all(isinstance(error, Deadlock) for error in done.errors[:3])


def test_a_deadlock_that_is_caught_is_one_all_the_same():
    """A rank that continues gets no more messages through."""

    def work(comm: Comm):
        for _ in range(2):
            try:
                comm.send(torch.ones(()), 1 - comm.rank)
            except Deadlock as error:
                last = str(error)
        return last

    assert run([work] * 2).results == ["rank 0 waits to send to 1; rank 1 waits to send to 0"] * 2
    with pytest.raises(Deadlock):
        together([work] * 2)


@pytest.mark.parametrize("peer", [1, -1, 3])
def test_a_rank_has_no_end_to_itself_and_none_beyond_the_ranks(peer):
    """Such a rank raises ValueError, and so does a negative one."""

    def work(comm: Comm):
        if comm.rank == 1:
            with pytest.raises(ValueError, match="no other rank"):
                comm.send(torch.ones(()), peer)
            with pytest.raises(ValueError, match="no other rank"):
                comm.recv(peer)

    on_ranks(3, work)


def test_only_tensors_are_sent():
    """Lists are refused, and so are subclasses of Tensor."""

    class More(torch.Tensor):
        pass

    def work(comm: Comm):
        if comm.rank == 0:
            things: list[Any] = [[1], 1, None, torch.ones(1).as_subclass(More)]
            for thing in things:
                with pytest.raises(TypeError):
                    comm.send(thing, 1)

    on_ranks(2, work)


def test_what_is_to_do_is_told_first_and_a_deadlock_last():
    """A deadlock is the consequence of what another rank raised."""
    errors = {1: KeyError("later"), 2: NotImplementedError("first")}

    def work(comm: Comm, among):
        if comm.rank in among:
            raise errors[comm.rank]
        comm.recv((comm.rank + 1) % 3)

    for among, first in (((1, 2), NotImplementedError), ((1,), KeyError), ((), Deadlock)):
        with pytest.raises(first):
            on_ranks(3, functools.partial(work, among=among))


def test_what_interrupts_the_network_ends_the_ranks():
    """It ends those that wait, the one that runs, and the one that has not begun."""
    ended = []

    def work(comm: Comm):
        try:
            if comm.rank == 0:
                comm.recv(1)
            while True:
                pass
        except Closed:
            ended.append(comm.rank)
            raise

    def stop(number, frame):
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, 0.05)
    threads = _thread._count()
    try:
        with pytest.raises(TimeoutError):
            run([work] * 3)
    finally:
        signal.signal(signal.SIGPROF, before)
    for _ in range(500):
        if _thread._count() == threads:
            break
        time.sleep(0.01)
    assert _thread._count() == threads
    assert sorted(ended) == [0, 1]


def test_a_rank_that_outlives_its_network_is_told_so():
    """It does not wait forever."""
    kept = on_ranks(2, lambda comm: comm).results
    with pytest.raises(Closed):
        kept[0].recv(1)


def test_each_rank_has_a_copy_of_the_learners_file():
    """The copies are kept. A module that is not a learner's file is the same for all."""
    module = ModuleType("learners")
    module.__spec__ = ModuleSpec("learners", None, loader_state=compile("seen = []", "learners.py", "exec"))
    module.__file__ = "learners.py"
    own = modules(module, 3)
    assert len({id(one.seen) for one in own}) == 3
    assert modules(module, 2) == own[:2]
    assert modules(pytest, 2) == [pytest, pytest]
