"""A network of ranks, each of which runs its own function and exchanges tensors with the others.

Ranks are threads. Only one runs at a time, until it waits, so the result does not depend on the machine. The state of
the network is in the thread that runs it. From a rank, only its own mailbox can be reached.
"""

from __future__ import annotations

import _thread
import ctypes
import operator
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor, nn

Work = Callable[["Comm"], Any]
"""What a rank runs."""


MOMENT = 0.2
"""Seconds after which the thread of the network looks for signals, such as the one that ends an endless loop."""


class Deadlock(RuntimeError):
    """No rank runs, and at least one waits."""


class Closed(BaseException):
    """The network is gone, and a rank still runs. Not an Exception, so that a rank that catches those ends too."""


class Comm:
    """A rank's end of the network: `rank`, `size`, `send(x, to)` and `recv(source)`.

    A send returns when the other rank has received the tensor.
    """

    __slots__ = ("rank", "recv", "send", "size")

    def __init__(self, rank: int, size: int, ask: Callable[..., Any]):
        def send(x: Tensor, to: int) -> None:
            if type(x) not in (Tensor, nn.Parameter):
                raise TypeError(f"send takes a tensor; got a {type(x).__name__}")
            ask("send to", _other(to, rank, size), x)

        def recv(source: int) -> Tensor:
            received: Tensor = ask("receive from", _other(source, rank, size), None)
            return received

        self.rank = rank
        self.size = size
        self.send = send
        self.recv = recv


def _other(peer: int, rank: int, size: int) -> int:
    peer = operator.index(peer)
    if not 0 <= peer < size or peer == rank:
        raise ValueError(f"rank {rank} of {size} has no other rank {peer}")
    return peer


@dataclass(frozen=True)
class Run:
    """The outcome of all ranks. A rank has a result or an error; the other one is None.

    sent, received: bytes of each rank. rounds: the time at which the last message arrived, if each message takes both
    of its ranks one unit of time. stuck: which ranks waited for which in a deadlock, or "" if there was none.
    """

    results: list[Any]
    errors: list[BaseException | None]
    sent: list[int]
    received: list[int]
    rounds: int
    stuck: str


@dataclass
class _Mailbox:
    """Where a rank leaves a request and finds the answer. Its thread holds only this mailbox."""

    held: deque[Any] = field(default_factory=deque)
    go: Any = field(default_factory=lambda: _locked())
    back: Any = field(default_factory=lambda: _locked())
    closed: bool = False

    def ask(self, *request: Any) -> Any:
        """Send a request to the network, and wait for the answer. Called in the thread of the rank."""
        if self.closed:
            raise Closed("this network is gone")
        self.held.append(request)
        self.back.release()
        self.go.acquire()
        answer = self.held.pop()
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def work(self, comm: Comm, function: Work) -> None:
        """Run the function. This is all that the thread of the rank does."""
        self.go.acquire()
        try:
            told = self.held.pop()
            if told is not None:
                raise told
            ending = "done", None, function(comm)
        except BaseException as error:
            ending = "failed", None, error
        self.held.append(ending)
        self.back.release()


def _locked() -> Any:
    lock = _thread.allocate_lock()
    lock.acquire()
    return lock


def run(works: Sequence[Work]) -> Run:
    """Run each function on its own rank, and return the outcome of all of them."""
    size = len(works)
    boxes = [_Mailbox() for _ in works]
    threads = [
        _thread.start_new_thread(box.work, (Comm(rank, size, box.ask), work))
        for rank, (box, work) in enumerate(zip(boxes, works, strict=True))
    ]
    network = _Network(boxes)
    try:
        network.serve()
    finally:
        network.close()
        if network.running is not None:
            ident = ctypes.c_ulong(threads[network.running])
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(Closed))
    endings = [network.ended[rank] for rank in range(size)]
    return Run(
        [value if how == "done" else None for how, value in endings],
        [value if how == "failed" else None for how, value in endings],
        network.sent,
        network.received,
        max(network.clock, default=0),
        network.stuck,
    )


class _Network:
    """The state of the network: which ranks wait for which. Used in the thread that runs it."""

    def __init__(self, boxes: list[_Mailbox]):
        self.boxes = boxes
        self.ready: deque[tuple[int, Any]] = deque((rank, None) for rank in range(len(boxes)))
        self.waiting: dict[int, tuple[str, int, Any]] = {}
        self.ended: dict[int, tuple[str, Any]] = {}
        self.sent = [0] * len(boxes)
        self.received = [0] * len(boxes)
        self.clock = [0] * len(boxes)
        self.running: int | None = None
        self.stuck = ""  # once set, no more messages are passed

    def serve(self) -> None:
        """Let one rank run at a time, until all have ended."""
        while self.ready:
            rank, told = self.ready.popleft()
            self.running = rank
            self.answer(rank, told)
            while not self.boxes[rank].back.acquire(timeout=MOMENT):
                pass  # Python handles signals here
            self.running = None
            how, peer, value = self.boxes[rank].held.pop()
            if how in ("done", "failed"):
                self.ended[rank] = how, value
            elif self.stuck:
                self.ready.append((rank, Deadlock(self.stuck)))
            else:
                self.waiting[rank] = how, peer, value
                self.meet(rank, peer)
            if not self.ready and self.waiting:
                self.stuck = self.told()
                self.ready.extend((stuck, Deadlock(self.stuck)) for stuck in sorted(self.waiting))
                self.waiting.clear()

    def answer(self, rank: int, told: Any) -> None:
        """Give a rank an answer, and let it continue."""
        self.boxes[rank].held.append(told)
        self.boxes[rank].go.release()

    def close(self) -> None:
        """End all ranks that still wait, and refuse all further requests."""
        for rank, box in enumerate(self.boxes):
            box.closed = True
            if rank not in self.ended and rank != self.running:
                self.answer(rank, Closed("this network is gone"))

    def meet(self, rank: int, peer: int) -> None:
        """Deliver the message if the two ranks wait for each other."""
        how, _, mine = self.waiting[rank]
        other, back, theirs = self.waiting.get(peer, (how, rank, None))
        if back != rank or other == how:
            return
        source, to = (rank, peer) if how == "send to" else (peer, rank)
        x = (theirs if mine is None else mine).detach().clone()
        self.sent[source] += x.numel() * x.element_size()
        self.received[to] += x.numel() * x.element_size()
        self.clock[source] = self.clock[to] = max(self.clock[source], self.clock[to]) + 1
        del self.waiting[source], self.waiting[to]
        self.ready.extend(((source, None), (to, x)))

    def told(self) -> str:
        """Describe in words which ranks wait for what."""
        waits = [f"rank {rank} waits to {how} {peer}" for rank, (how, peer, _) in sorted(self.waiting.items())]
        done = sorted({peer for _, peer, _ in self.waiting.values() if peer in self.ended})
        return "; ".join([*waits, *(f"rank {rank} is done" for rank in done)])
