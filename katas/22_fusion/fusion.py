"""Kata 22: touch memory once. The lesson is in README.md beside this file.

A program is a list of (name, inputs): each operation makes the tensor of that name from the tensors of these names,
element by element, all of `numel` elements of `itemsize` bytes. A name that no operation makes is an outside tensor:
it is in memory when the program begins. Each operation has one input or more, and may have one twice; a name is made
once, and not after an operation has used it, nor by one that uses it itself. All else raises ValueError.

Counts are exact integers, however large. Blocks of 1 or more need divide nothing, and may be larger than what they cut.
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

Program = list[tuple[str, list[str]]]


def eager_bytes(program: Program, numel: int, itemsize: int) -> int:
    """Bytes that are read and written where each operation is a kernel.

    Each reads each distinct operand once, and writes its result, whoever made or needs them.

    eager_bytes([("a", ["x", "y"]), ("b", ["a"])], 10, 4)   ->  200: two tensors and one are read, a and b are written
    eager_bytes([("a", ["x", "x"])], 10, 4)                 ->  80: x is read once

    Raises ValueError for what is no program.
    """
    raise NotImplementedError("eager_bytes")


def fused_bytes(program: Program, outputs: list[str], numel: int, itemsize: int) -> int:
    """Bytes that are read and written where the whole program is one kernel, after which only the outputs are needed.

    Each outside tensor that an output needs is read once, each output is written once, and nothing else is touched.
    What no output needs is not computed. An output that is listed twice is one; without outputs there is nothing to do.

    fused_bytes([("a", ["x", "y"]), ("b", ["a"])], ["b"], 10, 4)        ->  120: x, y and b
    fused_bytes([("a", ["x", "y"]), ("b", ["a"])], ["b", "a"], 10, 4)   ->  160: a is written, and not read again
    fused_bytes([("a", ["x"]), ("b", ["y"])], ["b"], 10, 4)             ->  80: nobody needs a

    Raises ValueError for what is no program, also in a part that no output needs, and for an output that no operation
    makes.
    """
    raise NotImplementedError("fused_bytes")


def fuse(ops: list[tuple[str, list[int]]]) -> list[list[int]]:
    """The fewest kernels for these operations, each a list of operations by number, in the order in which they run.

    An operation is ("pointwise" or "other", numbers of earlier operations whose results it needs); there may be none.
    Each operation is in exactly one kernel. One that is "other" has a kernel to itself; pointwise ones may share one,
    whether they need each other or not. What an operation needs is in an earlier kernel, or before it in its own. Any
    answer with as few kernels as possible is right. There are 8 operations at most, or none.

    fuse([("pointwise", []), ("pointwise", [0]), ("other", [1])])      ->  [[0, 1], [2]]
    fuse([("pointwise", []), ("other", []), ("pointwise", [1])])       ->  [[1], [0, 2]]
    fuse([])                                                           ->  []

    Raises ValueError for another word, and for a number that is negative or not that of an earlier operation.
    """
    raise NotImplementedError("fuse")


def tiled_matmul_bytes(m: int, k: int, n: int, block_m: int, block_n: int, itemsize: int) -> int:
    """Bytes that are moved for (m, k) @ (k, n) if each tile of the result reads its strips and is written once.

    A tile has block_m rows and block_n columns, fewer at the edges. It reads its rows of the first matrix, all k of
    each, and its columns of the second one. No tile knows what another one has read.

    tiled_matmul_bytes(4, 3, 6, 2, 3, 4)   ->  336: 4 tiles, each with 2 * 3 + 3 * 3 numbers read and 2 * 3 written
    tiled_matmul_bytes(2, 3, 5, 4, 4, 4)   ->  148: tiles of 2 * 4 and 2 * 1; 6 + 12 + 6 + 3 read, 8 + 2 written

    m and n are 1 or more, k may be 0. Raises ValueError if block_m or block_n is below 1.
    """
    raise NotImplementedError("tiled_matmul_bytes")


def online_logsumexp(blocks: Iterable[Tensor]) -> Tensor:
    """log(sum(exp(x))) over the elements of all blocks, which come one after the other, once: 0-d.

    online_logsumexp(iter([torch.tensor([0.0, 1.0]), torch.tensor([2.0])]))   ->  tensor(2.4076)
    online_logsumexp([])                                                      ->  tensor(-inf)

    blocks: any iterable of 1-D tensors, all on one device and of one dtype: float64, float32, bfloat16 or float16. A
    block may be empty, elements may be -inf, all of a block too, and go from -3000 to 3000. NaN and inf do not occur.
    The result is float32 or float64, whatever the blocks are, and right to 1e-5.

    When the next block but one is asked for, or the end, no block before is in memory: neither it nor what shares its
    memory, nor a copy. A number or two of each block may be kept. No operation makes a tensor of more elements than the
    largest block has, or than there are blocks.
    """
    raise NotImplementedError("online_logsumexp")


def add_kernel(tl: Any, x: Any, y: Any, out: Any, n: int, block: int) -> None:
    """One program of out = x + y, for n numbers, with blocks of `block` numbers. n: 1 or more. block: a power of two.

    It runs cdiv(n, block) times or more, one program each; of those that are too many nothing is left to do. A program
    stores one block at most. Together they load each number of x and of y once, and nothing else, and store each number
    of out exactly once.

    x, y and out are pointers, each to the first of n numbers: x + 3 is the address of the fourth one. A pointer plus an
    int, or plus a tensor of integers of any shape, is a pointer: to one address, or to as many as the tensor has. int +
    pointer and tensor + pointer are the same. What `tl` has, on values that are torch tensors (float32, or integers and
    bools, with all operators and methods of torch's):

    tl.program_id(axis)                       which program of the grid this is along that axis: an int from 0 on
    tl.num_programs(axis)                     how many there are along it, 1 where the grid has no such axis (up to 2)
    tl.arange(start, end)                     the integers from start to end - 1, a power of two of them
    tl.load(pointer, mask=None, other=None)   the numbers at these addresses. Where mask is False nothing is loaded,
                                              and the value is other, or undefined if that is None: NaN
    tl.store(pointer, value, mask=None)       write value there, where mask is True
    tl.zeros(shape)                           zeros: shape is an int or a tuple, there is no dtype
    tl.dot(a, b)                              the product of two matrices
    tl.cdiv(a, b)                             a / b rounded up, of ints

    mask, other and value may be numbers or tensors, and broadcast with the addresses. An address outside of what the
    pointer points to raises IndexError, unless it is masked. A load counts the numbers that its mask lets through.
    """
    raise NotImplementedError("add_kernel")


def matmul_kernel(tl: Any, a: Any, b: Any, c: Any, m: int, k: int, n: int, block: int) -> None:
    """One program of c = a @ b, which makes one tile of (block, block), less at the edges. tl is that of add_kernel.

    a, b and c point to the first number of (m, k), (k, n) and (m, n), row after row: row i, column j of a is at
    a + (i * k + j). m, k and n: 1 or more. The grid is (cdiv(m, block), cdiv(n, block)): axis 0 goes over rows.

    A program stores one tile at most. Together they load no more numbers than tiled_matmul_bytes says for tiles of
    (block, block), c included, and store each number of c exactly once, and nothing else.
    """
    raise NotImplementedError("matmul_kernel")


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    """softmax(q @ k.mT / sqrt(d)) @ v, without a table of all scores. (…, n, d), (…, s, d), (…, s, e) -> (…, n, e)

    With causal a query sees no key after its own place: column j is hidden from row i if j > i, also if n is not s.

    n, s, d and e are 1 or more; the leading dimensions are the same in all three, and there may be none. One dtype,
    float64 or float32, which the result has as well: right to 1e-9 or 1e-5, and in float32 to 0.01 where scores are
    large. Scores may be 1000 or -1000. q, k and v may have any strides, and stay as they are. Gradients are not asked
    for.

    No operation makes a tensor of more elements than the largest of q, k, v, the result and one block of scores,
    batch * min(block, n) * min(block, s), batch being the product of the leading dimensions. Nor are blocks of scores
    kept: what is in memory at any time, beside q, k and v, is less than half a table (asked where n = s is 64, block 8,
    and d = e = 2).

    Scores are in blocks of `block` queries and `block` keys from 0 on, fewer at the edges. Those that causal hides
    wholly are not computed: for each other one there are 2 * batch * rows * columns * (d + e) FLOPs in products at
    most.

    Raises ValueError if block is below 1.
    """
    raise NotImplementedError("flash_attention")


def clip_norm(x: Tensor, limit: float) -> Tensor:
    """x, or if its norm is above limit: x scaled down to that norm. The norm is the root of the sum of all squares.

    clip_norm(tensor([3.0, 4.0]), 1.0)   ->  tensor([0.6000, 0.8000])
    clip_norm(tensor([3.0, 4.0]), 9.0)   ->  tensor([3.0, 4.0])

    x: float32 or float64, of any shape, 0-d too, and any strides; the result has the same shape and dtype. The norm is
    one of all elements together. A norm of 0 gives x, also where x has no elements. limit is above 0, and finite.
    Right to 1e-5; norms are 0 or from 0.5 to 1e5. x stays as it is, and may be what comes back. Gradients are not
    asked for.

    torch.compile(clip_norm, fullgraph=True) makes one graph of it: no Python decision needs a number that is in a
    tensor, and none is taken out of one, by .item() or float().
    """
    raise NotImplementedError("clip_norm")
