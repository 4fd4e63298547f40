"""Run a function on every rank, each with its own copy of the learner's file, and raise one of their errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import CodeType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from . import network
from .network import Comm, Deadlock, Run

_own: WeakKeyDictionary[ModuleType, list[ModuleType]] = WeakKeyDictionary()


def modules(module: Any, size: int) -> list[Any]:
    """Return a module for each rank, made by running the learner's file once per rank, so that ranks share no globals.

    The modules are kept, as a process keeps its modules. If `module` is not a learner's file, all ranks get it itself.
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
    """Run a function on this number of ranks at once. Return the results by rank, and the traffic between them."""
    return together([function] * size)


def calling(function: Callable[..., Any], *args: Any) -> network.Work:
    """Return the work of a rank: call the function with the rank's comm and these arguments of its own."""
    return lambda comm: function(comm, *args)


def together(works: Sequence[network.Work]) -> Run:
    """Run each function on a rank. Raise an error that they raised: NotImplementedError first, a deadlock last."""
    done = network.run(works)
    raised = [error for error in done.errors if error is not None]
    if done.stuck and not raised:  # a rank that catches a deadlock was still in one
        raise Deadlock(done.stuck)
    if raised:
        raise min(raised, key=_rank_of)
    return done


def _rank_of(error: BaseException) -> int:
    """Return the order in which an error is raised. A deadlock is last, because other errors cause it."""
    return 0 if isinstance(error, NotImplementedError) else 2 if isinstance(error, Deadlock) else 1
