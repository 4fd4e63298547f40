"""Kata 20: the same result in less memory. The lesson is in README.md beside this file.

torch.optim's own optimizers, gc and torch.autograd.graph.save_on_cpu are absent. Arguments are left as they are, but
for what an optimizer does to its parameters. Gradients are enabled or not, as they were, afterwards.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import Tensor


def peak_bytes(events: list[tuple[Any, ...]]) -> int:
    """The most bytes that are alive at one time.

    ("new", name, nbytes)   a storage of nbytes, 0 or more, under this name
    ("view", name, of)      another name for the storage of `of`
    ("del", name)           that name goes, and a storage goes with its last one

    [("new", "a", 8), ("new", "b", 4), ("del", "a")]                     ->  12
    [("new", "a", 8), ("view", "v", "a"), ("del", "a"), ("new", "b", 4)] ->  12: v keeps a's storage
    []                                                                   ->  0

    A name is any text, and one that was deleted may be used again. nbytes may be 10**18.

    Raises ValueError for "new" or "view" under a name that is alive, "view" of or "del" of one that is not, nbytes
    below 0, and any other word.
    """
    raise NotImplementedError("peak_bytes")


def released(references: dict[str, list[str]], held: list[str]) -> tuple[list[str], list[str]]:
    """What dies at once when all names but the held ones are deleted, and what waits for the garbage collector.

    references: each object, and what it refers to: perhaps itself, perhaps one object twice. held: the objects that
    keep their names; one may be named twice.

    At once: reference counts alone free it. Waits: nothing held leads to it, and it is on a cycle, or a cycle that
    nothing held leads to leads to it. Each list is sorted; what is held, or what something held leads to, is in none.

    {"a": ["b"], "b": [], "c": ["c"]}, []              ->  (["a", "b"], ["c"])
    {"a": ["a", "b"], "b": [], "c": ["a"]}, []         ->  (["c"], ["a", "b"]): b waits with a
    {"a": ["b"], "b": ["a"], "c": []}, ["b"]           ->  (["c"], [])

    Raises ValueError for a name, referred to or held, that is no key of references.
    """
    raise NotImplementedError("released")


def overwritten(program: list[tuple[str, ...]]) -> list[int]:
    """Indices, sorted, of the operations that saved for the backward pass what was written to afterwards.

    A line is (target, operation, source, …): it gives the result of the operation the name target, any text, which may
    be a name that is there already. "x" is there: a leaf that requires grad, and the only one.

    sin cos square               save their input
    exp tanh sigmoid relu        save their result
    neg add mul                  (add 1, multiply by 2) save nothing
    product                      of two sources saves each of them, if the other one needs a gradient
    view detach                  share the memory of their source, and save nothing
    sin_ cos_ square_ exp_ tanh_ sigmoid_ relu_ neg_ add_ mul_
                                 write to their source, which is the target as well. exp_ tanh_ sigmoid_ relu_ save
                                 the result that they write; sin_ cos_ square_ a copy of their own, neg_ add_ mul_
                                 nothing

    What is detached needs no gradient, and neither does what is computed of it alone; an operation on it saves nothing.
    Writing to it counts all the same: a tensor, its views and what is detached of it are one memory.

    [("y", "exp", "x"), ("y", "add_", "y")]            ->  [0]
    [("y", "sin", "x"), ("y", "add_", "y")]            ->  []: sin has saved x, not y
    [("y", "sin", "x"), ("d", "detach", "x"), ("d", "mul_", "d")]        ->  [0]

    Raises ValueError for a source that has no name yet, an operation that is not named here, an in-place operation
    whose target is not its source, and one on the leaf or a view of it (not on what is detached of it).
    """
    raise NotImplementedError("overwritten")


def offload_to_disk(folder: str, keep: Sequence[Tensor] = ()) -> AbstractContextManager[Any]:
    """A context manager: what autograd saves inside lies in files until the backward pass, and not in memory.

    with offload_to_disk(folder):
        loss = model(x)
    loss.backward()

    Each tensor that is saved goes to a file of its own, directly in folder, which is there, and the backward pass reads
    it from there. If one is saved twice, one file or two are both right. Tensors on the storage of a tensor in keep,
    such as views of parameters, are saved as ever, without a file; parameters that are not in keep have files.
    Gradients are those that come without offloading.

    Tensors are of float32, float64, bfloat16 or integers, of any shape, () and empty ones too; they may be transposed,
    sliced or expanded. A file takes the bytes of its tensor, not those of a storage that this is a slice of, and 4096
    bytes more at most.

    After the forward pass nothing that was computed inside is in memory but what is returned. A graph may go backward
    twice (retain_graph=True). The files of a graph, and whatever else is kept for it, go when the graph does, with a
    backward pass or without one, and without the garbage collector. Several graphs may have their files in one folder
    at a time.

    What is saved after the block is saved as ever, also where an error has ended the block; the error goes on to the
    caller. Of two blocks, one in the other, the inner one has what is saved inside it, with its own folder and keep.
    """
    raise NotImplementedError("offload_to_disk")


def quantize(x: Tensor, block_size: int) -> tuple[Tensor, Tensor]:
    """Codes of 8 bits, and a scale for each block: code · scale is near to x.

    x has any shape, () and empty ones too, and may be transposed; its dtype is float16, bfloat16, float32 or float64.
    It is flattened, row by row, and cut into blocks of block_size elements; the last one may be shorter. The largest
    |element| of a block is 0 or from 1e-30 to 1e30. x stays as it is.

    codes: int8, (numel,), from -127 to 127. scales: float32, (blocks,): the largest |element| / 127, to 1e-6 of itself;
    for a block of zeros, whose codes are 0, any finite number. Their storages hold nothing else.

    [1.0, -2.0, 0.5, 254.0], 2                         ->  codes [64, -127, 0, 127], scales [2 / 127, 2.0]

    |code · scale - element| is at most half a scale (to 1e-4 of it), and the largest element has the code 127 or -127.

    Raises ValueError for block_size below 1.
    """
    raise NotImplementedError("quantize")


def dequantize(codes: Tensor, scales: Tensor, block_size: int) -> Tensor:
    """code · scale of its block for each code, in float32, of shape (numel,).

    codes: int8, (numel,), as quantize returns them; scales: float32, (blocks,). Both stay as they are.

    [1, 2, 3], [0.5, 10.0], 2                          ->  [0.5, 1.0, 30.0]

    Raises ValueError for block_size below 1, and where scales are not as many as there are blocks.
    """
    raise NotImplementedError("dequantize")


class SGD8bit:
    """SGD whose momentum is kept in 8 bits.

    params: an iterable of float32 tensors. In a step, for each parameter p that has a gradient g, the others are left
    alone:

    m = g the first time, later momentum · (what was kept) + g
    p = p - lr · m, in place: with m as it is, before it is rounded
    then m is kept as quantize(m, block_size) gives it

    p may be of any shape, and transposed or sliced. Gradients stay as they are. Between steps, when each .grad is set
    to None, what is kept takes at most a byte for each element, 4 for each block and 8 for each parameter, wherever it
    is.
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

    While backward() runs, when a gradient arrives, no other parameter's is in memory, and after it none. Parameters are
    written in place. A parameter that is used in several places takes one step, with the whole gradient; so does one
    that is listed twice. One that requires no grad, or is not used, is left alone. backward() may be called again and
    again. Several handles, of different parameters, may be there at a time, and remove() ends the steps of its own
    alone; hooks of others stay. After it the parameters may be attached anew.
    """
    raise NotImplementedError("attach_sgd")


class FactoredAdaGrad:
    """AdaGrad that keeps a sum for each row and each column, not for each element.

    params: an iterable of tensors of float32 or float64. In a step, for each parameter p that has a gradient g, the
    others are left alone:

    p = p - lr · g / (√S + eps), in place

    S, of all g so far, is the sum of g² where p has no dimension or one. Else R is the sum of g² in each row (over the
    last dimension), C in each column (over the last but one), ΣR the sum of R, and S = R · C / ΣR for the element in
    that row and that column; every other dimension is a batch of matrices, each with sums of its own. Where ΣR is 0
    nothing moves.

    p may be transposed or sliced. Gradients stay as they are. Between steps, when each .grad is set to None, what is
    kept takes at most as many numbers, of the dtype of p, as there are rows and columns in each matrix (elements, where
    p has no dimension or one), and 8 bytes for each parameter.
    """

    def __init__(self, params: Iterable[Tensor], lr: float = 0.01, eps: float = 1e-10) -> None:
        raise NotImplementedError("FactoredAdaGrad")

    def step(self) -> None:
        """Take one step."""
        raise NotImplementedError("FactoredAdaGrad.step")
