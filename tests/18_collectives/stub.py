"""Kata 18: how many workers add up their gradients. The lesson is in README.md beside this file.

Every rank runs the same function at the same time, each with a `comm` of its own; here a rank is a thread. A send
returns when the other has received it. If all wait, nobody ever goes on: the network notices, and raises Deadlock
wherever one waits. Whoever catches that has failed all the same.

Nothing else passes between ranks. Each has run this file for itself, so a global of one is none of another's. The
network counts bytes: what a rank gives back and cannot know by itself it has to receive, number by number. What a
function has returned stays as it is when that function is called again.
"""

from typing import Protocol

import torch
from torch import Tensor, nn


class Comm(Protocol):
    """One rank's end of the network; it is given, and every rank has its own. There are 1 to 8 ranks."""

    rank: int
    """Which one this is, from 0 on."""
    size: int
    """How many there are."""

    def send(self, x: Tensor, to: int) -> None:
        """Pass x to the rank `to`, and return when it has received it.

        Raises ValueError for a rank that is not there, and for oneself.
        """

    def recv(self, source: int) -> Tensor:
        """Wait for what the rank `source` sends: a new tensor of that shape and dtype, without requires_grad.

        Raises ValueError for a rank that is not there, and for oneself.
        """
        ...


def ring_seconds(nbytes: float, world: int, bandwidth: float, latency: float = 0.0) -> float:
    """Seconds of an all-reduce of nbytes bytes around a ring of `world` ranks.

    It is a reduce-scatter and an all-gather. In each step every rank passes one of `world` equal parts on to the next,
    all links at once, and a step costs latency + its part's bytes / bandwidth, latency in s and bandwidth in byte/s.

    ring_seconds(12.0, 4, 3.0)         ->  6 steps of 3 bytes, 1 s each: 6.0
    ring_seconds(12.0, 4, 3.0, 0.5)    ->  9.0

    One rank has nothing to do: 0.0. The result may be off by rounding, by 1e-12 of itself.

    Raises ValueError for world < 1 and for bandwidth <= 0, also where nothing is to be sent.
    """
    raise NotImplementedError("ring_seconds")


def stuck_ranks(programs: list[list[tuple[str, int]]]) -> list[int]:
    """The ranks that never finish, in increasing order, if rank r does programs[r], one after the other.

    ("send", to) returns when rank `to` is at its ("recv", r), and ("recv", source) when rank `source` is at its
    ("send", r). A rank that is done answers no more. Ranks are those of programs, and none sends to itself.

    [[("send", 1)], [("recv", 0)]]                                    ->  []
    [[("send", 1), ("recv", 1)], [("send", 0), ("recv", 0)]]          ->  [0, 1]
    [[("send", 1)], [("recv", 0), ("recv", 0)], []]                   ->  [1]
    """
    raise NotImplementedError("stuck_ranks")


def broadcast(comm: Comm, x: Tensor | None, root: int = 0) -> Tensor:
    """Root's x on every rank. On the others x is None.

    x has any shape, () and empty ones too, and the result has its shape and its dtype. x is left as it is; whether
    root returns x itself is open.

    Each message takes one unit of the time of both its ranks, and messages of other ranks go on meanwhile. The last one
    arrives after ⌈log₂ size⌉ units at most: 3 for 5 to 8 ranks, for any root.
    """
    raise NotImplementedError("broadcast")


def reduce_scatter(comm: Comm, x: Tensor) -> Tensor:
    """Part `rank` of the sum of all ranks' x, where the parts are those of torch.tensor_split(x, size).

    2 ranks with [1, 2, 3] and [10, 20, 30]    ->  [11, 22] on rank 0, [33] on rank 1

    x has the same shape and dtype everywhere: int32, int64, float32 or float64, one dimension or more. It is cut along
    dimension 0, which may be 0 or less than the ranks: then parts are empty. The result has x's dtype, in which no sum
    of whole numbers is rounded or overflows, and x is left as it is.

    Each rank sends at most (size - 1) times the bytes of the largest part.
    """
    raise NotImplementedError("reduce_scatter")


def all_gather(comm: Comm, x: Tensor) -> Tensor:
    """All ranks' x, in the order of ranks, joined along dimension 0.

    2 ranks with [1, 2] and [30]    ->  [1, 2, 30] on both

    x has one dimension or more and one dtype everywhere, and only the size of dimension 0 may differ; it may be 0. The
    result has x's dtype, and x is left as it is.

    All ranks together send at most (size - 1) times the bytes of the result.
    """
    raise NotImplementedError("all_gather")


def all_reduce(comm: Comm, x: Tensor) -> Tensor:
    """The sum of all ranks' x, on every rank.

    2 ranks with [1, 2, 3] and [10, 20, 30]    ->  [11, 22, 33] on both

    x has the same shape and dtype everywhere, () and empty ones too, and so has the result, in which no sum of whole
    numbers is rounded or overflows; x is left as it is. All ranks have the same bits (-0.0 is not 0.0), although floats
    added in another order may differ.

    Each rank sends at most 2 · (size - 1) times the bytes of the largest part of torch.tensor_split(x, size); an x of
    shape () is one number, and one part.
    """
    raise NotImplementedError("all_reduce")


def gradient_buckets(sizes: list[int], cap: int) -> list[list[int]]:
    """Which gradients travel together: the indices of each bucket, in the order in which gradients come.

    sizes are bytes, 0 or more, in the order of the parameters; gradients come from the last parameter to the first. A
    bucket is full, and closed, once it holds cap bytes or more; cap is 1 or more. The last bucket may hold less. Each
    call returns new lists.

    gradient_buckets([4, 8, 8, 4], 12)    ->  [[3, 2], [1, 0]]
    gradient_buckets([4, 4, 20], 12)      ->  [[2], [1, 0]]
    gradient_buckets([], 12)              ->  []
    """
    raise NotImplementedError("gradient_buckets")


def start_alike(comm: Comm, model: nn.Module) -> None:
    """Give every rank's model the parameters and buffers of rank 0's.

    All of them, exactly: frozen parameters, buffers of whole numbers, and buffers that no state_dict has. They may hold
    inf. Numbers are written into the same memory, since an optimizer may hold it: parameters stay the same objects,
    tied ones stay tied, and requires_grad stays what it is. Nothing of rank 0's model changes, neither gradients nor
    the mode of any module.
    """
    raise NotImplementedError("start_alike")


def average_gradients(comm: Comm, model: nn.Module, samples: int) -> None:
    """Make each .grad the gradient of the mean loss over all ranks' samples.

    Before, it is that of the mean over this rank's `samples` samples, or None where they did not use the parameter.
    Ranks may have different numbers of samples, together 1 at least. All models have the same parameters, of float64.

    grad 2.0 of 1 sample, 6.0 of 3, and NaN of 0    ->  (1 · 2.0 + 3 · 6.0) / 4 = 5.0 on all three ranks

    A rank of 0 samples adds nothing, whatever its .grad holds: NaN, or numbers of an earlier step; it gets the average
    like the others. So does a rank whose .grad is None, if another one with samples has a gradient; there it adds
    zeros. NaN of a rank with samples makes the average NaN. A .grad that is None on every rank stays None. Where only
    ranks of 0 samples have one, it becomes zeros or None. Frozen parameters (requires_grad is False) keep their .grad,
    and no parameter changes.

    May be off by rounding, by 1e-10 or by 1e-10 of itself.
    """
    raise NotImplementedError("average_gradients")
