"""Kata 20: the same result in less memory. The lesson is in README.md beside this file.

torch.optim's own optimizers, gc and torch.autograd.graph.save_on_cpu are not available. Arguments are left unchanged,
except for what an optimizer does to its parameters. Afterwards, gradients are enabled or disabled as they were before.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import Tensor


def peak_bytes(events: list[tuple[Any, ...]]) -> int:
    """Return the largest number of bytes that are alive at one time.

    ("new", name, nbytes)   a storage of nbytes, 0 or more, under this name
    ("view", name, of)      another name for the storage of `of`
    ("del", name)           that name goes, and a storage goes with its last one

    [("new", "a", 8), ("new", "b", 4), ("del", "a")]                     ->  12
    [("new", "a", 8), ("view", "v", "a"), ("del", "a"), ("new", "b", 4)] ->  12: v keeps a's storage
    []                                                                   ->  0

    A name is any text, and a deleted name may be used again. nbytes may be 10**18.

    Raises ValueError for "new" or "view" under a name that is alive, "view" of or "del" of a name that is not, nbytes
    below 0, and any other word.
    """
    raise NotImplementedError("peak_bytes")


def released(references: dict[str, list[str]], held: list[str]) -> tuple[list[str], list[str]]:
    """Return what dies at once when all names but the held ones are deleted, and what waits for the garbage collector.

    references: each object and what it refers to, perhaps itself, perhaps one object twice. held: the objects that keep
    their names; one may be listed twice.

    An object dies at once if reference counts alone free it. It waits if nothing held leads to it, and it is on a cycle
    or a cycle that nothing held leads to leads to it. Each list is sorted. An object that is held, or that something
    held leads to, is in neither list.

    {"a": ["b"], "b": [], "c": ["c"]}, []              ->  (["a", "b"], ["c"])
    {"a": ["a", "b"], "b": [], "c": ["a"]}, []         ->  (["c"], ["a", "b"]): b waits with a
    {"a": ["b"], "b": ["a"], "c": []}, ["b"]           ->  (["c"], [])

    Raises ValueError for a name that is referred to or held, but is not a key of references.
    """
    raise NotImplementedError("released")


def overwritten(program: list[tuple[str, ...]]) -> list[int]:
    """Return the sorted indices of the operations that saved, for the backward pass, what was written to later.

    A line is (target, operation, source, …). It gives the result of the operation the name target, which is any text
    and may already be in use. "x" exists from the start: a leaf that requires grad, and the only one.

    sin cos square               save their input
    exp tanh sigmoid relu        save their result
    neg add mul                  (add 1, multiply by 2) save nothing
    product                      of two sources saves each of them, if the other one needs a gradient
    view detach                  share the memory of their source, and save nothing
    sin_ cos_ square_ exp_ tanh_ sigmoid_ relu_ neg_ add_ mul_
                                 write to their source, which is the target as well. exp_ tanh_ sigmoid_ relu_ save
                                 the result that they write; sin_ cos_ square_ a copy of their own, neg_ add_ mul_
                                 nothing

    What is detached needs no gradient, and neither does what is computed from it alone; an operation on it saves
    nothing. Writing to it still counts: a tensor, its views and what is detached from it share one memory.

    [("y", "exp", "x"), ("y", "add_", "y")]            ->  [0]
    [("y", "sin", "x"), ("y", "add_", "y")]            ->  []: sin has saved x, not y
    [("y", "sin", "x"), ("d", "detach", "x"), ("d", "mul_", "d")]        ->  [0]

    Raises ValueError for a source that has no name yet, an operation that is not listed here, an in-place operation
    whose target is not its source, and one on the leaf or a view of it (not on what is detached from it).
    """
    raise NotImplementedError("overwritten")


def offload_to_disk(folder: str, keep: Sequence[Tensor] = ()) -> AbstractContextManager[Any]:
    """Return a context manager: what autograd saves inside it is in files, not in memory, until the backward pass.

    with offload_to_disk(folder):
        loss = model(x)
    loss.backward()

    Each tensor that is saved goes to a file of its own, directly in folder, which already exists. The backward pass
    reads it from there. If a tensor is saved twice, one file and two are both right, unless it was written to in
    between. Tensors on the storage of a tensor in keep, such as views of parameters, are saved as usual, without a
    file. Parameters that are not in keep have files. Gradients are the same as without offloading.

    Tensors are float32, float64, bfloat16 or integers, and have any shape, including () and empty ones. They may be
    transposed, sliced or expanded. A file takes the bytes of its tensor, not those of the storage that the tensor is a
    slice of, and at most 4096 bytes more.

    After the forward pass, nothing that was computed inside is in memory except what is returned. A graph may go
    backward twice (retain_graph=True); in between, its tensors are in their files only. The files of a graph, and
    whatever else is kept for it, such as open files, are gone once the graph is, even before the block ends, with or
    without a backward pass, and without the garbage collector. Several graphs may be made in one block, and have their
    files in one folder at the same time.

    What is saved after the block is saved as usual, even if an error ended the block; the error goes on to the caller.
    If one block is inside another, the inner one handles what is saved inside it, with its own folder and keep.
    """
    raise NotImplementedError("offload_to_disk")


def quantize(x: Tensor, block_size: int) -> tuple[Tensor, Tensor]:
    """Return 8-bit codes and a scale for each block, so that code · scale is near x.

    x has any shape, including () and empty ones, and may be transposed. Its dtype is float16, bfloat16, float32 or
    float64. It is flattened row by row and cut into blocks of block_size elements; the last block may be shorter. The
    largest |element| of a block is 0 or from 1e-30 to 1e30. x is left unchanged.

    codes: int8, (numel,), from -127 to 127. scales: float32, (blocks,). A scale is the largest |element| / 127, to a
    relative accuracy of 1e-6. For a block of zeros, the codes are 0 and the scale is any finite number. The storages of
    codes and scales hold nothing else.

    [1.0, -2.0, 0.5, 254.0], 2                         ->  codes [64, -127, 0, 127], scales [2 / 127, 2.0]

    |code · scale - element| is at most half a scale, to a relative accuracy of 1e-4. The largest element has the code
    127 or -127.

    Raises ValueError for block_size below 1.
    """
    raise NotImplementedError("quantize")


def dequantize(codes: Tensor, scales: Tensor, block_size: int) -> Tensor:
    """Return each code times the scale of its block, as float32 of shape (numel,).

    codes: int8, (numel,), as quantize returns them. scales: float32, (blocks,). Both are left unchanged.

    [1, 2, 3], [0.5, 10.0], 2                          ->  [0.5, 1.0, 30.0]

    Raises ValueError for block_size below 1, and if the number of scales is not the number of blocks.
    """
    raise NotImplementedError("dequantize")


class SGD8bit:
    """SGD whose momentum is kept in 8 bits.

    params: an iterable of float32 tensors. A step does this for each parameter p that has a gradient g, and leaves the
    others alone:

    m = g the first time, later momentum · (what was kept) + g
    p = p - lr · m, in place: with m as it is, before it is rounded
    then m is kept as quantize(m, block_size) gives it

    Each optimizer keeps its own: a new one begins anew, even with parameters that another one has had.

    p may have any shape, and may be transposed or sliced. Gradients are left unchanged. Between steps, when each .grad
    is set to None, what is kept takes at most one byte per element, 4 per block and 8 per parameter, wherever it is.
    """

    def __init__(self, params: Iterable[Tensor], lr: float = 0.01, momentum: float = 0.9, block_size: int = 64) -> None:
        raise NotImplementedError("SGD8bit")

    def step(self) -> None:
        """Take one step."""
        raise NotImplementedError("SGD8bit.step")


def attach_sgd(params: Iterable[Tensor], lr: float) -> Any:
    """Let each parameter take its step, p - lr · gradient, inside backward(); return a handle with remove().

    handle = attach_sgd(model.parameters(), 0.1)
    loss.backward()                                    the parameters have moved, and each .grad is None
    handle.remove()
    loss.backward()                                    fills .grad, and moves nothing

    While backward() runs, when a gradient arrives, no other parameter's gradient is in memory. After backward(), none
    is. Parameters may be transposed or sliced, several of them from one tensor, and are written to in place. A
    parameter that is used in several places takes one step, with the whole gradient; so does one that is listed twice.
    A parameter that requires no grad, or is not used, is left alone. backward() may be called repeatedly. There may be
    several handles at a time, for different parameters. remove() ends only the steps of its own handle; other hooks
    stay. After it, the parameters may be attached again.
    """
    raise NotImplementedError("attach_sgd")


class FactoredAdaGrad:
    """AdaGrad that keeps a sum for each row and each column, not for each element.

    params: an iterable of float32 or float64 tensors. A step does this for each parameter p that has a gradient g, and
    leaves the others alone:

    p = p - lr · g / (√S + eps), in place

    S is computed from all g so far. If p has no dimension or one, S is the sum of g². Otherwise, R is the sum of g² in
    each row (over the last dimension), C the sum in each column (over the last but one), ΣR the sum of R, and
    S = R · C / ΣR for the element in that row and that column. Every other dimension is a batch of matrices, each with
    its own sums. Where ΣR is 0, nothing moves. Each optimizer keeps its own sums: a new one begins anew, even with
    parameters that another one has had.

    p may be transposed or sliced. Gradients are left unchanged. Between steps, when each .grad is set to None, what is
    kept takes at most one number, of the dtype of p, for each row and each column of each matrix (for each element, if
    p has no dimension or one), and 8 bytes for each parameter.
    """

    def __init__(self, params: Iterable[Tensor], lr: float = 0.01, eps: float = 1e-10) -> None:
        raise NotImplementedError("FactoredAdaGrad")

    def step(self) -> None:
        """Take one step."""
        raise NotImplementedError("FactoredAdaGrad.step")
