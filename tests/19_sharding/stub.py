"""Kata 19: who holds what. The lesson is in README.md beside this file.

All ranks run the same code at the same time, each with its own `group`. Here a rank is a thread. Nothing else passes
between ranks: each has run this file for itself, so a global of one rank is not a global of another. If the ranks'
calls do not match, no rank can ever continue: Deadlock is raised wherever one waits, and catching it is a failure all
the same. torch.distributed and torch's own optimizers are not available.

A stage says what is sharded: 0 nothing (DDP), 1 the optimizer state, 2 the gradients too, 3 the parameters too.
"""

from typing import Protocol

import torch
from torch import Tensor

Shape = tuple[int, ...]


class Group(Protocol):
    """One rank's end of the group. It is given, and every rank has its own. All make the same calls in the same order.

    What it returns is new and has no graph: no collective carries a gradient. Tensors have the same dtype and, as in
    torch, the same shape on all ranks. Otherwise each of the three methods raises a ValueError on every rank.
    """

    rank: int
    """The number of this rank, from 0."""
    size: int
    """The number of ranks."""

    def all_gather(self, x: Tensor) -> list[Tensor]:
        """Return [x of rank 0, x of rank 1, …] on every rank."""
        ...

    def reduce_scatter(self, xs: list[Tensor]) -> Tensor:
        """Return the sum over the ranks of xs[rank]. xs holds `size` tensors of one shape, else it is a ValueError."""
        ...

    def all_reduce(self, x: Tensor) -> Tensor:
        """Return the sum over the ranks of x, on every rank."""
        ...


def shard_slices(size: int, world_size: int) -> list[tuple[int, int]]:
    """Return (start, stop) along dimension 0, rank by rank: which of the `size` rows each rank holds.

    The rows are cut as torch.chunk and FSDP2 cut them, in chunks of ⌈size / world_size⌉. So the last ranks may hold
    fewer rows, or none. There is one entry for each rank; an empty one is (size, size).

    shard_slices(9, 4)    ->  [(0, 3), (3, 6), (6, 9), (9, 9)]
    shard_slices(9, 7)    ->  [(0, 2), (2, 4), (4, 6), (6, 8), (8, 9), (9, 9), (9, 9)]
    shard_slices(0, 2)    ->  [(0, 0), (0, 0)]

    The result is exact, however large size is. Raises ValueError for world_size < 1 and for size < 0.
    """
    raise NotImplementedError("shard_slices")


def flat_shard(numels: list[int], rank: int, world_size: int) -> tuple[list[tuple[int, int]], int]:
    """Return which part of each parameter is in this rank's shard of the flat parameter, and the shard's padding.

    FSDP1 flattens all parameters and puts them one after the other; numels is the number of elements of each. With
    S = ⌈total / world_size⌉, rank r holds elements r · S up to r · S + S. Those beyond the end are its padding, which
    is returned as their number. A part is (start, stop), counted in the parameter's own elements, or (0, 0) if nothing
    of the parameter is in the shard.

    flat_shard([3, 4, 5], 1, 3)    ->  ([(0, 0), (1, 4), (0, 1)], 0)       S = 4: it holds 4 to 8
    flat_shard([3, 4, 2], 3, 4)    ->  ([(0, 0), (0, 0), (0, 0)], 3)       S = 3: 9 to 12 are beyond the end
    flat_shard([3, 4, 2], 1, 2)    ->  ([(0, 0), (2, 4), (0, 2)], 1)       S = 5: 5 to 10

    Parameters of 0 elements are fine, and so is an empty numels, which gives ([], 0). The result is exact, however
    large the numbers are. Raises ValueError for a negative number in numels, world_size < 1, and a rank that is not one
    of 0 … world_size - 1. numels is left unchanged, also when an error is raised.
    """
    raise NotImplementedError("flat_shard")


def rank_bytes(
    shapes: list[Shape], world_size: int, stage: int, param_bytes: int = 2, grad_bytes: int = 2, state_bytes: int = 12
) -> list[tuple[int, int, int]]:
    """Return (parameters, gradients, optimizer state) in bytes, rank by rank, for parameters of these shapes.

    Each element takes param_bytes, grad_bytes and state_bytes. The defaults are those of mixed-precision Adam: 2 + 2 +
    (4 + 4 + 4). What the stage shards is cut along dimension 0 of each parameter, as by shard_slices. Padding is not
    counted. What the stage does not shard is whole on every rank.

    rank_bytes([(3, 4), (2,)], 2, 0)    ->  [(28, 28, 168), (28, 28, 168)]
    rank_bytes([(3, 4), (2,)], 2, 1)    ->  [(28, 28, 108), (28, 28, 60)]      rows 2 and 1 of 4, and 1 and 1
    rank_bytes([(3, 4), (2,)], 2, 3)    ->  [(18, 18, 108), (10, 10, 60)]

    The results are exact ints, however large. Raises ValueError for a stage other than 0, 1, 2 and 3, and, at every
    stage, for a parameter of shape (): fully_shard refuses it. shapes is left unchanged, also when an error is raised.
    """
    raise NotImplementedError("rank_bytes")


def largest_sharded_model(
    num_gpus: int, bytes_per_gpu: int, stage: int, param_bytes: int = 4, grad_bytes: int = 4, state_bytes: int = 8
) -> int:
    """Return the largest number of parameters that fits on GPUs of bytes_per_gpu each, as one flat parameter.

    Each takes param_bytes + grad_bytes + state_bytes bytes. If the stage shards n elements, the fullest rank holds
    ⌈n / num_gpus⌉ of them. What the stage does not shard is whole on every rank. Activations are not counted.

    largest_sharded_model(4, 100, 0)    ->   6      16 bytes each on every rank
    largest_sharded_model(4, 100, 1)    ->   9      8 · 9 + 8 · ⌈9 / 4⌉ = 96; of 10 it is 104
    largest_sharded_model(4, 100, 3)    ->  24      16 · ⌈24 / 4⌉ = 96; of 25 it is 112

    The result is an exact int, however large, and 0 if not even one fits. Raises ValueError for num_gpus < 1, a stage
    other than 0, 1, 2 and 3, a negative number of bytes for a parameter, a gradient or a state, and if these three are
    all 0.
    """
    raise NotImplementedError("largest_sharded_model")


def comm_elements(numel: int, world_size: int, stage: int) -> int:
    """Return how many elements each rank sends in one step of a model of numel elements, with ring collectives.

    In one all-gather or one reduce-scatter, each rank sends world_size - 1 pieces of ⌈numel / world_size⌉ elements,
    padding included. Stage 0 makes one all-reduce of the gradients, which is one of each. Stages 1 and 2 reduce-scatter
    the gradients and all-gather the new parameters. Stage 3 all-gathers the parameters in the forward pass and again in
    the backward pass, and reduce-scatters the gradients.

    comm_elements(10, 4, 0)    ->  18      2 · 3 pieces of 3
    comm_elements(10, 4, 3)    ->  27
    comm_elements(10, 1, 3)    ->   0

    The result is an exact int. Raises ValueError for a stage other than 0, 1, 2 and 3.
    """
    raise NotImplementedError("comm_elements")


class ShardedAdam:
    """Adam where each rank keeps only the state of its slice: ZeRO-1.

    params: a list of contiguous float64 parameters of any shape, including () and empty ones. At first they are the
    same on all ranks. Each is cut flat into group.size pieces of ⌈numel / size⌉ elements, with zeros at the end.

    optimizer = ShardedAdam(params, group, lr=0.1)      on every rank
    optimizer.step()                                    after .grad is set

    Other parameters may have an optimizer of their own at the same time, with other settings.

    On each rank, at most 2 · ⌈numel / size⌉ elements of state and 16 bytes for a step count stay alive for each
    parameter, and 64 bytes in total for settings, however many steps are taken. Nothing else stays alive anywhere: no
    copy of a parameter or a gradient, and no gradient that its parameter no longer has, whether in the optimizer, a
    closure, a global, or an attribute of a parameter.
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
        """Take one step of torch.optim.Adam on the mean of .grad over the ranks, without weight decay.

        m = β₁ · m + (1 - β₁) · g;  v = β₂ · v + (1 - β₂) · g²;  p -= lr · m / (1 - β₁ᵗ) / (√(v / (1 - β₂ᵗ)) + eps)

        t counts the steps of each parameter. If a parameter's .grad is None, it is None on all ranks; the parameter is
        then left alone, and the step is not counted for it. Parameters are changed in place, still require grad, and
        are the same on all ranks afterwards. Gradients are left unchanged, and autograd is not left turned off.

        For each parameter with a gradient, the step makes at most one reduce_scatter and one all_gather, of a piece
        each, and no all_reduce. Rounding errors up to 1e-9 are allowed.
        """
        raise NotImplementedError("ShardedAdam")


def fully_sharded_step(
    group: Group, shapes: list[Shape], shards: list[Tensor], x: Tensor, target: Tensor, lr: float
) -> list[Tensor]:
    """Return this rank's shards after one SGD step of an MLP of which no rank ever holds all weights: ZeRO-3.

    shapes: (out, in) of each whole weight W, layer by layer; one or more layers, without biases. shards: the rows of
    each weight that this rank has by shard_slices, perhaps none. x: (batch, in), this rank's own samples. target:
    (batch, out). All tensors are float64, and batch is the same on all ranks.

    Each layer computes h = relu(h @ W.T), starting from h = x. The last one has no relu and makes y. The loss is the
    mean of (y - target)² over all elements of all ranks. A step subtracts lr · its gradient from each weight.

    Returns new shards with the shapes of the old ones, which share no memory with them and have no graph. Arguments are
    left unchanged, down to a .grad that they may have, and autograd is not left turned off. For L layers the step makes
    at most 2 · L all_gathers, L reduce_scatters, and no all_reduce. Rounding errors up to 1e-9 are allowed.

    Few whole weights are alive at a time: with 32 layers of 12 × 12 and one sample on each of 6 ranks, all tensors that
    are made here never take more room than 32 whole weights: 8 as such, 16 for three sets of shards, and 8 for three
    activations per layer.
    """
    raise NotImplementedError("fully_sharded_step")


def tensor_parallel_mlp(group: Group, x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    """Return y = gelu(x @ W1.T + b1) @ W2.T + b2, whole on every rank, for an MLP that is split over the ranks.

    x: (batch, in), whole on every rank, and it requires grad. W1 is (hidden, in), as in nn.Linear. w1 and b1 are this
    rank's hidden / size rows of the first layer. w2 is as many columns of W2, which is (out, hidden). b2 is whole. gelu
    is the exact one. All tensors are float64. x may be the result of other operations. It may also be used elsewhere,
    as by a residual connection: the gradient that it gets from there is not summed over the ranks. There may be several
    calls before a backward pass, also with the same weights, and the results may have backward passes of their own, in
    any order.

    The forward pass makes one all_reduce, of a tensor like y. All ranks then call backward with the same gradient of y.
    It makes one all_reduce, of a tensor like x, and nothing else. It leaves on every rank the whole gradients of x and
    b2, which are those of the unsplit MLP, and for w1, b1 and w2 this rank's own part of the unsplit gradients. Nothing
    is multiplied by size. A single rank may leave out both sums.

    Arguments are left unchanged. Rounding errors up to 1e-9 are allowed.
    """
    raise NotImplementedError("tensor_parallel_mlp")
