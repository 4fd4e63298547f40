"""Kata 22: touch memory once. The lesson is in README.md beside this file.

A program is a list of operations (name, inputs). Each operation makes the tensor of that name from the tensors listed
as its inputs, element by element. All tensors have `numel` elements of `itemsize` bytes. A name that no operation makes
is an outside tensor: it is in memory when the program begins. Each operation has one or more inputs, and may list one
twice. A name is made only once, not after an operation has used it, and not by an operation that uses it itself.
Anything else is invalid and raises ValueError.

Counts are exact integers, however large. Blocks of 1 or more need not divide what they cut, and may be larger than it.
Lists that are passed are not changed.
"""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

Program = list[tuple[str, list[str]]]


def eager_bytes(program: Program, numel: int, itemsize: int) -> int:
    """Return the bytes that are read and written if each operation is a kernel.

    Each operation reads each distinct operand once and writes its result, whatever made or needs them.

    eager_bytes([("a", ["x", "y"]), ("b", ["a"])], 10, 4)   ->  200: two tensors and one are read, a and b are written
    eager_bytes([("a", ["x", "x"])], 10, 4)                 ->  80: x is read once

    Raises ValueError for an invalid program.
    """
    raise NotImplementedError("eager_bytes")


def fused_bytes(program: Program, outputs: list[str], numel: int, itemsize: int) -> int:
    """Return the bytes that are read and written if the program is one kernel, and only the outputs are needed later.

    Each outside tensor that an output needs is read once, each output is written once, and nothing else is read or
    written. What no output needs is not computed. An output that is listed twice counts once. Without outputs there is
    nothing to do.

    fused_bytes([("a", ["x", "y"]), ("b", ["a"])], ["b"], 10, 4)        ->  120: x, y and b
    fused_bytes([("a", ["x", "y"]), ("b", ["a"])], ["b", "a"], 10, 4)   ->  160: a is written, and not read again
    fused_bytes([("a", ["x"]), ("b", ["y"])], ["b"], 10, 4)             ->  80: nobody needs a

    Raises ValueError for an invalid program, even if no output needs the invalid part, and for an output that no
    operation makes.
    """
    raise NotImplementedError("fused_bytes")


def fuse(ops: list[tuple[str, list[int]]]) -> list[list[int]]:
    """Return the fewest kernels for these operations. Each is a list of operation numbers; all are in running order.

    An operation is ("pointwise" or "other", numbers of earlier operations whose results it needs). It may need none.
    Each operation is in exactly one kernel. An "other" operation has a kernel to itself. Pointwise operations may share
    one, whether they need each other or not. What an operation needs is in an earlier kernel, or before it in its own.
    Any answer with as few kernels as possible is right. There are at most 8 operations, and there may be none.

    fuse([("pointwise", []), ("pointwise", [0]), ("other", [1])])      ->  [[0, 1], [2]]
    fuse([("pointwise", []), ("other", []), ("pointwise", [1])])       ->  [[1], [0, 2]]
    fuse([])                                                           ->  []

    Raises ValueError for any other word, and for a number that is negative or not that of an earlier operation.
    """
    raise NotImplementedError("fuse")


def tiled_matmul_bytes(m: int, k: int, n: int, block_m: int, block_n: int, itemsize: int) -> int:
    """Return the bytes moved for (m, k) @ (k, n) if each tile of the result reads its strips and is written once.

    A tile has block_m rows and block_n columns, fewer at the edges. It reads its rows of the first matrix, all k
    numbers of each, and its columns of the second. No tile can use what another one has read.

    tiled_matmul_bytes(4, 3, 6, 2, 3, 4)   ->  336: 4 tiles, each with 2 * 3 + 3 * 3 numbers read and 2 * 3 written
    tiled_matmul_bytes(2, 3, 5, 4, 4, 4)   ->  148: tiles of 2 * 4 and 2 * 1; 6 + 12 + 6 + 3 read, 8 + 2 written

    m and n are 1 or more; k may be 0. Raises ValueError if block_m or block_n is below 1.
    """
    raise NotImplementedError("tiled_matmul_bytes")


def online_logsumexp(blocks: Iterable[Tensor]) -> Tensor:
    """Return log(sum(exp(x))) over the elements of all blocks, as a 0-d tensor. Each block comes once, in turn.

    online_logsumexp(iter([torch.tensor([0.0, 1.0]), torch.tensor([2.0])]))   ->  tensor(2.4076)
    online_logsumexp([])                                                      ->  tensor(-inf)

    blocks: any iterable of 1-D tensors, all on one device and of one dtype: float64, float32, bfloat16 or float16. A
    block may be empty. Elements are from -3000 to 3000, or -inf; all elements of a block may be -inf. NaN and inf do
    not occur. Blocks are not changed. The result is float32 or float64, whatever dtype the blocks have, and accurate to
    1e-5, of itself where it is beyond ±1.

    A block must be gone from memory when the next block but one, or the end in its place, is requested: the block
    itself, whatever shares its memory, and any copy. One or two numbers of each block may be kept. No operation makes a
    tensor with more elements than the largest block has or than there are blocks, whichever is more.
    """
    raise NotImplementedError("online_logsumexp")


def add_kernel(tl: Any, x: Any, y: Any, out: Any, n: int, block: int) -> None:
    """Run one program of out = x + y, for n numbers in blocks of `block`. n is 1 or more, block is a power of two.

    The kernel runs cdiv(n, block) times or more, as one program each time. Surplus programs have nothing to do. A
    program stores one block at most. Together, the programs load each number of x and of y once, and nothing else, and
    store each number of out exactly once.

    x, y and out are pointers, each to the first of n numbers: x + 3 is the address of the fourth. A pointer plus an int
    is a pointer to one address. A pointer plus a tensor of integers, of any shape, is a pointer to as many addresses as
    the tensor has elements. int + pointer and tensor + pointer mean the same. `tl` has the functions below. Values are
    torch tensors (float32, integers or bools) with all of torch's operators and methods.

    tl.program_id(axis)                       which program of the grid this is along that axis: an int from 0 on
    tl.num_programs(axis)                     how many there are along it, 1 where the grid has no such axis (up to 2)
    tl.arange(start, end)                     the integers from start to end - 1, a power of two of them
    tl.load(pointer, mask=None, other=None)   the numbers at these addresses. Where mask is False nothing is loaded,
                                              and the value is other, or undefined if that is None: NaN
    tl.store(pointer, value, mask=None)       write value there, where mask is True
    tl.zeros(shape)                           zeros: shape is an int or a tuple, there is no dtype
    tl.dot(a, b)                              the product of two matrices
    tl.cdiv(a, b)                             a / b rounded up, of ints

    mask, other and value may be numbers or tensors, and broadcast with the addresses. An address outside what the
    pointer points to raises IndexError, unless it is masked out. A load counts only the numbers that its mask lets
    through.
    """
    raise NotImplementedError("add_kernel")


def matmul_kernel(tl: Any, a: Any, b: Any, c: Any, m: int, k: int, n: int, block: int) -> None:
    """Run one program of c = a @ b, making one tile of (block, block), less at the edges. tl is that of add_kernel.

    a, b and c point to the first numbers of matrices (m, k), (k, n) and (m, n), stored row by row: row i, column j of a
    is at a + (i * k + j). m, k and n are 1 or more. The grid is (cdiv(m, block), cdiv(n, block)); axis 0 goes over
    rows.

    A program stores one tile at most. Together, the programs load no more numbers, those of c included, than
    tiled_matmul_bytes says that tiles of (block, block) read. They store each number of c exactly once, and nothing
    else.
    """
    raise NotImplementedError("matmul_kernel")


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    """Return softmax(q @ k.mT / sqrt(d)) @ v, without a table of all scores.

    The shapes are (…, n, d), (…, s, d), (…, s, e) -> (…, n, e). With causal, a query sees no key after its own place:
    column j is hidden from row i if j > i, even if n is not s.

    n, s, d and e are 1 or more. The leading dimensions are the same in all three, and there may be none. All three have
    one dtype, float64 or float32, and the result has the same. It is accurate to 1e-9 or 1e-5, in float32 to 0.01 if
    scores are large. Scores may be 1000 or -1000. q, k and v may have any strides, and are not changed. A later call
    does not change the result of an earlier one. Gradients are not tested.

    No operation makes a tensor with more elements than the largest of q, k, v, the result and one block of scores,
    which has batch * min(block, n) * min(block, s) elements; batch is the product of the leading dimensions. Nor are
    blocks of scores kept: what is in memory at any time, apart from q, k and v, is less than half a table (tested with
    n = s = 64, block 8, and d = e = 2).

    Scores are in blocks of `block` queries and `block` keys that begin at 0, fewer at the edges. Blocks that causal
    hides entirely are not computed. For each other block there are at most 2 * batch * rows * columns * (d + e) FLOPs
    in products.

    Raises ValueError if block is below 1.
    """
    raise NotImplementedError("flash_attention")


def clip_norm(x: Tensor, limit: float) -> Tensor:
    """Return x, or if its norm is above limit, x scaled down to a norm of limit.

    clip_norm(tensor([3.0, 4.0]), 1.0)   ->  tensor([0.6000, 0.8000])
    clip_norm(tensor([3.0, 4.0]), 9.0)   ->  tensor([3.0, 4.0])

    x: float32 or float64, of any shape, including 0-d, and any strides; the result has the same shape and dtype. The
    norm is the square root of the sum of the squares of all elements together. A norm of 0 gives x, even if x has no
    elements. limit is above 0 and finite. The result is accurate to 1e-5; norms are 0 or from 0.5 to 1e5. x is not
    changed, and may itself be returned. Gradients are not tested.

    torch.compile(clip_norm, fullgraph=True) makes one graph of it: no Python decision depends on a number in a tensor,
    and no number is taken out of a tensor, by .item() or float().
    """
    raise NotImplementedError("clip_norm")
