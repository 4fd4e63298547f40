"""A function on every rank, each rank with its own copy of the learner's file, and one error of all that they raise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import CodeType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from . import network
from .network import Comm, Deadlock, Run

_own: WeakKeyDictionary[ModuleType, list[ModuleType]] = WeakKeyDictionary()


def modules(module: Any, size: int) -> list[Any]:
    """A module for each rank, made by running the learner's file once for each: nothing is global to two ranks.

    They are kept, as a process keeps its modules. What is no learner's file is the same for all.
    """
    code = getattr(getattr(module, "__spec__", None), "loader_state", None)
    if type(module) is not ModuleType or type(code) is not CodeType:
        return [module] * size
    own = _own.setdefault(module, [])
    while len(own) < size:
        copy = ModuleType(module.__name__)
        copy.__file__, copy.__spec__ = module.__file__, module.__spec__
        exec(code, vars(copy))
        own.append(copy)
    return own[:size]


def on_ranks(size: int, function: Callable[[Comm], Any]) -> Run:
    """Run a function on so many ranks at once: its results, in the order of ranks, and what went over the wire."""
    return together([function] * size)


def calling(function: Callable[..., Any], *args: Any) -> network.Work:
    """What a rank runs: this function with its comm, and with arguments that no other rank is given."""
    return lambda comm: function(comm, *args)


def together(works: Sequence[network.Work]) -> Run:
    """Run a function on each rank; raise what one of them raised, what is still to do first, a deadlock last."""
    done = network.run(works)
    raised = [error for error in done.errors if error is not None]
    if done.stuck and not raised:  # a rank that goes on after a deadlock was in one all the same
        raise Deadlock(done.stuck)
    if raised:
        raise min(raised, key=_rank_of)
    return done


def _rank_of(error: BaseException) -> int:
    """How late an error is told: others cause a deadlock, and a deadlock causes none."""
    return 0 if isinstance(error, NotImplementedError) else 2 if isinstance(error, Deadlock) else 1
