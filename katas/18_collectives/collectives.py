"""Kata 18: how many workers add up their gradients. The lesson is in README.md beside this file.

Every rank runs the same function at the same time, each with its own `comm`; here a rank is a thread. A send returns
when the other rank has received it. If all wait, none can ever continue: the network notices, and raises Deadlock in
every rank that waits. An answer that catches it has failed all the same.

Nothing else passes between ranks. Each has run this file separately, so ranks share no globals. The network counts
bytes: a rank must receive, number by number, all that it returns and cannot know by itself. What a function has
returned stays as it is when that function is called again.
"""

from typing import Protocol

import torch
from torch import Tensor, nn


class Comm(Protocol):
    """One rank's end of the network; it is given, and every rank has its own. There are 1 to 8 ranks."""

    rank: int
    """The number of this rank, from 0."""
    size: int
    """The number of ranks."""

    def send(self, x: Tensor, to: int) -> None:
        """Send x to the rank `to`, and return when that rank has received it.

        Raises ValueError for a rank that does not exist, and for this rank itself.
        """

    def recv(self, source: int) -> Tensor:
        """Wait for what the rank `source` sends. Return a new tensor of that shape and dtype, without requires_grad.

        Raises ValueError for a rank that does not exist, and for this rank itself.
        """
        ...


def ring_seconds(nbytes: float, world: int, bandwidth: float, latency: float = 0.0) -> float:
    """Return the seconds that an all-reduce of nbytes bytes takes around a ring of `world` ranks.

    It is a reduce-scatter and an all-gather. In each step every rank passes one of `world` equal parts on to the next
    rank, on all links at once. A step costs latency + its part's bytes / bandwidth, with latency in s and bandwidth in
    byte/s.

    ring_seconds(12.0, 4, 3.0)         ->  6 steps of 3 bytes, 1 s each: 6.0
    ring_seconds(12.0, 4, 3.0, 0.5)    ->  9.0

    nbytes may be a fraction. For one rank there is nothing to do: 0.0. The result may be off by rounding, by 1e-12 of
    itself.

    Raises ValueError for world < 1 and for bandwidth <= 0, even if there is nothing to send.
    """
    raise NotImplementedError("ring_seconds")


def stuck_ranks(programs: list[list[tuple[str, int]]]) -> list[int]:
    """Return the ranks that never finish, in increasing order, if each rank r does the steps of programs[r] in order.

    ("send", to) returns when rank `to` is at its ("recv", r), and ("recv", source) when rank `source` is at its
    ("send", r). A rank that is done no longer answers. The ranks are those of programs. None sends to itself. Leave
    programs as they are.

    [[("send", 1)], [("recv", 0)]]                                    ->  []
    [[("send", 1), ("recv", 1)], [("send", 0), ("recv", 0)]]          ->  [0, 1]
    [[("send", 1)], [("recv", 0), ("recv", 0)], []]                   ->  [1]
    """
    raise NotImplementedError("stuck_ranks")


def broadcast(comm: Comm, x: Tensor | None, root: int = 0) -> Tensor:
    """Return root's x on every rank. On the other ranks x is None.

    x may have any shape, including () and empty ones, and the result has its shape and dtype. Leave x as it is; whether
    root returns x itself is left to you.

    Each message takes one unit of the time of both its ranks; messages of other ranks can pass meanwhile. The last one
    arrives after at most ⌈log₂ size⌉ units: 3 for 5 to 8 ranks, for any root.
    """
    raise NotImplementedError("broadcast")


def reduce_scatter(comm: Comm, x: Tensor) -> Tensor:
    """Return part `rank` of the sum of all ranks' x, where the parts are those of torch.tensor_split(x, size).

    2 ranks with [1, 2, 3] and [10, 20, 30]    ->  [11, 22] on rank 0, [33] on rank 1

    x has the same shape and dtype on all ranks: int32, int64, float32 or float64, one dimension or more. It is cut
    along dimension 0, whose size may be 0 or less than the number of ranks: then there are empty parts. The result has
    x's dtype, in which no sum of whole numbers is rounded or overflows. Leave x as it is.

    Each rank sends at most (size - 1) times the bytes of the largest part.
    """
    raise NotImplementedError("reduce_scatter")


def all_gather(comm: Comm, x: Tensor) -> Tensor:
    """Return all ranks' x, in the order of ranks, joined along dimension 0.

    2 ranks with [1, 2] and [30]    ->  [1, 2, 30] on both

    x has one dimension or more, and the same dtype on all ranks. Only the size of dimension 0 may differ; it may be 0.
    The result has x's dtype. Leave x as it is.

    All ranks together send at most (size - 1) times the bytes of the result.
    """
    raise NotImplementedError("all_gather")


def all_reduce(comm: Comm, x: Tensor) -> Tensor:
    """Return the sum of all ranks' x, on every rank.

    2 ranks with [1, 2, 3] and [10, 20, 30]    ->  [11, 22, 33] on both

    x has the same shape and dtype on all ranks; the shape may be () or empty. The result has that shape and dtype, in
    which no sum of whole numbers is rounded or overflows. Leave x as it is. All ranks return the same bits (-0.0 is not
    0.0), although floats added in another order may differ.

    Each rank sends at most 2 · (size - 1) times the bytes of the largest part of torch.tensor_split(x, size); an x of
    shape () is one number, and one part.
    """
    raise NotImplementedError("all_reduce")


def gradient_buckets(sizes: list[int], cap: int) -> list[list[int]]:
    """Return which gradients travel together: the indices of each bucket, in the order in which gradients come.

    sizes are in bytes, 0 or more, in the order of the parameters. Gradients come from the last parameter to the first.
    A bucket is full, and closed, once it holds cap bytes or more; cap is 1 or more. The last bucket may hold less.
    Leave sizes as they are. Each call returns new lists.

    gradient_buckets([4, 8, 8, 4], 12)    ->  [[3, 2], [1, 0]]
    gradient_buckets([4, 4, 20], 12)      ->  [[2], [1, 0]]
    gradient_buckets([], 12)              ->  []
    """
    raise NotImplementedError("gradient_buckets")


def start_alike(comm: Comm, model: nn.Module) -> None:
    """Give every rank's model the parameters and buffers of rank 0's model.

    Copy all of them exactly, including frozen parameters, buffers of whole numbers and of bools, and buffers that are
    in no state_dict. They may hold inf. A buffer that is None stays None. Write into the same memory, since an
    optimizer may hold it: parameters stay the same objects, tied ones stay tied, and requires_grad stays what it is.
    Nothing of rank 0's model changes, neither gradients nor the mode of any module.
    """
    raise NotImplementedError("start_alike")


def average_gradients(comm: Comm, model: nn.Module, samples: int) -> None:
    """Make each .grad the gradient of the mean loss over all ranks' samples.

    Before, it is that of the mean over this rank's `samples` samples, or None if they did not use the parameter. Ranks
    may have different numbers of samples, few or millions, at least 1 in total. All models have the same parameters, in
    float64 and of any shape, including () and empty ones. A tied parameter is one parameter.

    grad 2.0 of 1 sample, 6.0 of 3, and NaN of 0    ->  (1 · 2.0 + 3 · 6.0) / 4 = 5.0 on all three ranks

    A rank with 0 samples adds nothing, whatever its .grad holds: NaN, or numbers from an earlier step. It gets the
    average like the others. So does a rank whose .grad is None, if another rank with samples has a gradient; it adds
    zeros there. NaN on a rank with samples makes the average NaN. A .grad that is None on every rank stays None. If
    only ranks with 0 samples have one, it becomes zeros or None. Frozen parameters (requires_grad is False) keep their
    .grad, and no parameter changes.

    The average may be off by rounding, by 1e-10 or by 1e-10 of itself.
    """
    raise NotImplementedError("average_gradients")
