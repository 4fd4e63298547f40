"""What the properties of kata 20 take for granted of torch and Python: a new one breaks a test, and no verdict."""

import gc
import weakref
from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks

from ..shared.alive import Alive
from ..shared.collector import without_collector
from . import scenarios, truth


def test_the_object_of_a_storage_lives_as_long_as_the_storage():
    """So a weak reference to it says when the memory is gone."""
    x = torch.ones(3)
    ref = weakref.ref(x.untyped_storage())
    view = x[1:]
    del x
    assert ref() is not None
    del view
    assert ref() is None


def test_what_is_alive_is_seen_wherever_it_hangs():
    """On an attribute of a parameter, in a closure, in a view; what is gone is not, and neither is what was there."""
    scenarios.warm_up()
    there, hidden = torch.ones(8), torch.ones(2)
    with Alive() as alive:
        hidden.state = there * 2  # type: ignore[attr-defined]
        (there * 3).sum()
        kept = (there * 4)[:1]
        there.add_(1)
    assert alive.bytes() == 2 * there.nbytes
    assert alive.bytes([kept]) == there.nbytes


def test_what_python_keeps_is_seen_in_large_pieces():
    """An array of numpy is; a small object is not, since they come and go with every call."""
    scenarios.warm_up()
    x = torch.ones(10_000)
    with Alive() as alive:
        kept = x.numpy().copy(), {"small": 1}
    assert x.nbytes <= alive.python < x.nbytes + 1024
    with Alive() as alive:
        x.numpy().copy()
    assert alive.python == 0
    del kept


def test_a_node_raises_where_what_it_saved_was_written_to():
    """Without a backward pass."""
    y = torch.ones(2, requires_grad=True).exp()
    node = y.grad_fn
    assert node is not None
    node._saved_result  # type: ignore[attr-defined]  # noqa: B018
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        node._saved_result  # type: ignore[attr-defined]  # noqa: B018


def test_detach_shares_the_version_and_data_does_not():
    """What is written by .data is not noticed, and gives wrong gradients without a word; no property asks for it."""
    x = torch.ones(2)
    x.detach().add_(1)
    assert x._version == 1
    x.data.add_(1)
    assert x._version == 1


def test_sin_in_place_saves_a_copy():
    """So no later write overwrites it."""
    assert truth.overwritten([("y", "add", "x"), ("y", "sin_", "y"), ("y", "add_", "y")]) == []
    assert truth.overwritten([("y", "add", "x"), ("y", "exp_", "y"), ("y", "add_", "y")]) == [1]


def test_a_hook_behind_the_gradient_fires_once_for_a_tied_weight():
    """With the whole gradient; and one that requires no grad refuses it."""
    w, calls = torch.ones(2, 2, requires_grad=True), []
    w.register_post_accumulate_grad_hook(lambda p: calls.append(1))
    (torch.ones(1, 2) @ w @ w).sum().backward()
    assert calls == [1]
    with pytest.raises(RuntimeError):
        torch.ones(2).register_post_accumulate_grad_hook(lambda p: None)


def test_the_collector_of_the_youngest_finds_cycles_just_made():
    """A full one takes a thousand times as long."""
    thing = truth.Thing()
    thing.refers_to.append(thing)
    gone = weakref.ref(thing)
    with without_collector():
        del thing
        assert gone() is not None
        gc.collect(0)
        assert gone() is None


def test_hooks_get_parameters_views_of_them_and_expanded_tensors(tmp_path: Path):
    """On the storages that these have; and torch.save of a slice writes all of its storage."""
    w, x = (torch.ones(3, 3, requires_grad=True) for _ in range(2))
    found: list[Tensor] = []
    with saved_tensors_hooks(lambda t: found.append(t.detach()), lambda t: t):
        _ = (x @ w.mT) * w.sum().expand(3, 3)
    assert any(t.untyped_storage()._cdata == w.untyped_storage()._cdata and t.stride() == (1, 3) for t in found)
    assert any(t.stride() == (0, 0) for t in found)
    large = torch.ones(10_000)
    torch.save(large[:1], tmp_path / "slice")
    assert (tmp_path / "slice").stat().st_size > large.nbytes
