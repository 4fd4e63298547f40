"""Kata 19: who holds what. The lesson is in README.md beside this file.

Every rank runs the same code at the same time, each with a `group` of its own; here a rank is a thread. Nothing else
passes between ranks: each has run this file for itself, so a global of one is none of another's. If the calls of the
ranks do not fit together, nobody ever goes on: Deadlock is raised wherever one waits, and whoever catches it has failed
all the same. torch.distributed and torch's own optimizers are absent.

A stage says what is sharded: 0 nothing (DDP), 1 the optimizer's state, 2 the gradients too, 3 the parameters too.
"""

from typing import Protocol

import torch
from torch import Tensor

Shape = tuple[int, ...]


class Group(Protocol):
    """One rank's end of the group; it is given, and every rank has its own. All make the same calls in the same order.

    What it returns is new, and has no graph: no collective carries a gradient. Tensors have one dtype on all ranks and,
    as torch has it, one shape: each of the three raises a ValueError otherwise, on every rank.
    """

    rank: int
    """Which one this is, from 0 on."""
    size: int
    """How many there are."""

    def all_gather(self, x: Tensor) -> list[Tensor]:
        """[x of rank 0, x of rank 1, …] on every rank."""
        ...

    def reduce_scatter(self, xs: list[Tensor]) -> Tensor:
        """The sum over the ranks of xs[rank]; xs holds `size` tensors of one shape, else it is a ValueError."""
        ...

    def all_reduce(self, x: Tensor) -> Tensor:
        """The sum over the ranks of x, on every rank."""
        ...


def shard_slices(size: int, world_size: int) -> list[tuple[int, int]]:
    """(start, stop) along dimension 0, rank by rank: which of `size` rows each rank holds.

    The rows are cut as torch.chunk and FSDP2 cut them, in chunks of ⌈size / world_size⌉. So the last ranks may hold
    less, or nothing. There is one entry for each rank; an empty one is (size, size).

    shard_slices(9, 4)    ->  [(0, 3), (3, 6), (6, 9), (9, 9)]
    shard_slices(9, 7)    ->  [(0, 2), (2, 4), (4, 6), (6, 8), (8, 9), (9, 9), (9, 9)]
    shard_slices(0, 2)    ->  [(0, 0), (0, 0)]

    Exact, however large size is. Raises ValueError for world_size < 1 and for size < 0.
    """
    raise NotImplementedError("shard_slices")


def flat_shard(numels: list[int], rank: int, world_size: int) -> tuple[list[tuple[int, int]], int]:
    """Which part of each parameter lies in this rank's shard of the flat parameter, and how much of it is padding.

    FSDP1 lays all parameters, flattened, one after the other: numels says how many elements each has. With
    S = ⌈total / world_size⌉ rank r holds r · S up to r · S + S, and what of these lies beyond the end is its padding.
    A part is (start, stop), counted in the parameter's own elements, and (0, 0) where nothing of it is here.

    flat_shard([3, 4, 5], 1, 3)    ->  ([(0, 0), (1, 4), (0, 1)], 0)       S = 4: it holds 4 to 8
    flat_shard([3, 4, 2], 3, 4)    ->  ([(0, 0), (0, 0), (0, 0)], 3)       S = 3: 9 to 12 are beyond the end
    flat_shard([3, 4, 2], 1, 2)    ->  ([(0, 0), (2, 4), (0, 2)], 1)       S = 5: 5 to 10

    Parameters of 0 elements are fine, and so is no parameter at all: ([], 0). Exact, however large they are. numels
    is left as it is. Raises ValueError for a negative number in numels, world_size < 1, and a rank that is not one of
    0 … world_size - 1.
    """
    raise NotImplementedError("flat_shard")


def rank_bytes(
    shapes: list[Shape], world_size: int, stage: int, param_bytes: int = 2, grad_bytes: int = 2, state_bytes: int = 12
) -> list[tuple[int, int, int]]:
    """(parameters, gradients, optimizer state) in bytes, rank by rank, of parameters of these shapes.

    Each element takes param_bytes, grad_bytes and state_bytes: by default those of mixed precision Adam, 2 + 2 +
    (4 + 4 + 4). What the stage shards is cut along dimension 0 of each parameter, as by shard_slices; padding is not
    counted. What it does not shard, every rank has whole.

    rank_bytes([(3, 4), (2,)], 2, 0)    ->  [(28, 28, 168), (28, 28, 168)]
    rank_bytes([(3, 4), (2,)], 2, 1)    ->  [(28, 28, 108), (28, 28, 60)]      rows 2 and 1 of 4, and 1 and 1
    rank_bytes([(3, 4), (2,)], 2, 3)    ->  [(18, 18, 108), (10, 10, 60)]

    Exact ints. shapes are left as they are. Raises ValueError for a stage other than 0, 1, 2 and 3, and at every stage
    for a parameter of shape (): fully_shard refuses it.
    """
    raise NotImplementedError("rank_bytes")


def largest_sharded_model(
    num_gpus: int, bytes_per_gpu: int, stage: int, param_bytes: int = 4, grad_bytes: int = 4, state_bytes: int = 8
) -> int:
    """How many parameters at most fit on GPUs of bytes_per_gpu each, if all are one flat parameter.

    Each takes param_bytes + grad_bytes + state_bytes bytes. Of n elements that the stage shards the fullest rank has
    ⌈n / num_gpus⌉; what it does not shard, every rank has whole. Activations are left out.

    largest_sharded_model(4, 100, 0)    ->   6      16 bytes each on every rank
    largest_sharded_model(4, 100, 1)    ->   9      8 · 9 + 8 · ⌈9 / 4⌉ = 96; of 10 it is 104
    largest_sharded_model(4, 100, 3)    ->  24      16 · ⌈24 / 4⌉ = 96; of 25 it is 112

    An exact int, however large; 0 where not even one fits. Raises ValueError for num_gpus < 1, a stage other than 0, 1,
    2 and 3, a negative number of bytes of a parameter, a gradient or a state, and where these three are all 0.
    """
    raise NotImplementedError("largest_sharded_model")


def comm_elements(numel: int, world_size: int, stage: int) -> int:
    """Elements that each rank sends in one step of a model of numel elements, by collectives around a ring.

    In one all-gather, or one reduce-scatter, each rank sends world_size - 1 pieces of ⌈numel / world_size⌉ elements,
    padding included. Stage 0 makes one all-reduce of the gradients, which is both of them. Stages 1 and 2
    reduce-scatter the gradients, and all-gather the new parameters. Stage 3 all-gathers the parameters in the forward
    pass, once more in the backward pass, and reduce-scatters the gradients.

    comm_elements(10, 4, 0)    ->  18      2 · 3 pieces of 3
    comm_elements(10, 4, 3)    ->  27
    comm_elements(10, 1, 3)    ->   0

    An exact int. Raises ValueError for a stage other than 0, 1, 2 and 3.
    """
    raise NotImplementedError("comm_elements")


class ShardedAdam:
    """Adam of which each rank keeps the state of its slice only: ZeRO-1.

    params: a list of float64 parameters, contiguous and of any shape, () and empty ones too, alike on all ranks at
    first. Each is cut flat, into group.size pieces of ⌈numel / size⌉ elements, with zeros at the end.

    optimizer = ShardedAdam(params, group, lr=0.1)      on every rank
    optimizer.step()                                    after .grad is set

    On each rank there stay alive, for each parameter, at most 2 · ⌈numel / size⌉ elements of state, and 16 bytes for a
    step count; 64 bytes more for settings. Nothing else, and nowhere: no copy of a parameter or a gradient, in the
    optimizer, a closure, a global, or an attribute of a parameter.
    """

    def __init__(
        self,
        params: list[Tensor],
        group: Group,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
    ) -> None:
        """Keep what is needed; params and group are held as they are."""
        raise NotImplementedError("ShardedAdam")

    def step(self) -> None:
        """One step of torch.optim.Adam on the mean over the ranks of .grad, without weight decay.

        m = β₁ · m + (1 - β₁) · g;  v = β₂ · v + (1 - β₂) · g²;  p -= lr · m / (1 - β₁ᵗ) / (√(v / (1 - β₂ᵗ)) + eps)

        t counts the steps of each parameter. One whose .grad is None, on all ranks alike, is left alone in that step,
        and its steps are not counted. Parameters are changed in place, still require grad, and are the same on all
        ranks afterwards; gradients are left as they are.

        For each parameter with a gradient it takes one reduce_scatter and one all_gather of a piece each, at most, and
        no all_reduce. May be off by rounding, by 1e-9.
        """
        raise NotImplementedError("ShardedAdam")


def fully_sharded_step(
    group: Group, shapes: list[Shape], shards: list[Tensor], x: Tensor, target: Tensor, lr: float
) -> list[Tensor]:
    """This rank's shards after one step of SGD of an MLP, of which no rank ever holds all weights: ZeRO-3.

    shapes: (out, in) of each whole weight W, layer by layer; one layer or more, without biases. shards: the rows of
    each that this rank has by shard_slices, perhaps none. x: (batch, in), this rank's own samples; target: (batch,
    out). All are float64, and batch is the same on all ranks.

    h = relu(h @ W.T) for each layer, from h = x on; the last one has no relu, and makes y. The loss is the mean of
    (y - target)² over all elements of all ranks. A step takes lr · its gradient off each weight.

    Returns new shards, of the shapes of the old ones, and leaves its arguments alone. Of L layers it makes at most
    2 · L all_gathers, L reduce_scatters, and no all_reduce. Few whole weights are alive at a time: of 32 layers of
    12 × 12, with one sample on each of 6 ranks, all tensors that are made here hold at no time more than 32 whole
    weights: 8, 16 of three sets of shards, 8 of three activations a layer. May be off by rounding, by 1e-9.
    """
    raise NotImplementedError("fully_sharded_step")


def tensor_parallel_mlp(group: Group, x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    """y = gelu(x @ W1.T + b1) @ W2.T + b2, whole on every rank, of an MLP that is split over the ranks.

    x: (batch, in), whole on every rank, and it requires grad. W1 is (hidden, in), as nn.Linear has it: w1 and b1 are
    this rank's rows of it, hidden / size of them. w2 has as many columns of W2, (out, hidden). b2 is whole. gelu is the
    exact one. All are float64. x may be used elsewhere too, as by a residual connection: the gradient that it has from
    there is not summed over the ranks.

    Forward it makes one all_reduce, of a tensor like y. All ranks then call backward with the same gradient of y, which
    makes one all_reduce, of a tensor like x, and nothing else. It leaves on every rank the whole gradients of x and b2,
    those of the unsplit MLP, and of w1, b1 and w2 its own part of theirs: nothing is multiplied by size.

    Leaves its arguments as they are. May be off by rounding, by 1e-9.
    """
    raise NotImplementedError("tensor_parallel_mlp")
