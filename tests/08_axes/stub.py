"""Kata 08: name the dimensions of a tensor. The lesson is in README.md beside this file.

Write a small einops, without einops, numpy, torch.einsum, torch.tensordot and torch's own attention. A pattern such as
"batch (heads hidden) -> batch heads hidden" has two sides. Each side names the dimensions, from left to right:

name    one dimension. Names are Python identifiers of any length: seq1 and seq2 are two names, and so are b and B
(a b)   on the left, one dimension of size a · b, with a outside (slower) and b inside; on the right, the dimension that
        a and b are merged into, in the same order. A group may hold any number of names, and (a) is the same as a
1, ()   a dimension of size 1, which has no name; inside a group, a 1 changes nothing
...     any number of dimensions, including none; at most once on a side, and inside a group only on the right

Blanks are spaces, any number of them. There is at least one between two names; none is needed around "->", a comma and
parentheses. Names that begin or end with an underscore or are not ASCII, Python keywords and numbers other than 1 are
not tested.

`sizes` gives the sizes of names: {"heads": 2}. In each group at most one name may be missing from it; the size of that
name is computed. A size in `sizes` is 1 or more; a dimension may have size 0. Tensors are float64, and may be
non-contiguous except in the last three functions. A result has the dtype and the device of the input. Neither the input
tensors nor `sizes` are changed, even if a call raises. Whether a result is a view of an input tensor is up to you. A
call does not depend on earlier calls, and does not change what they returned.
"""

from torch import Tensor

Shape = tuple[int, ...]


def axis_sizes(names: str, shape: Shape, sizes: dict[str, int]) -> dict[str, int]:
    """Return the size of each name on one side of a pattern, where `shape` is the shape that the side describes.

    "batch seq (heads hidden)", (2, 3, 8), {"heads": 2}   ->  {"batch": 2, "seq": 3, "heads": 2, "hidden": 4}
    "batch (seq 1) ()", (0, 3, 1), {}                     ->  {"batch": 0, "seq": 3}
    "(a b)", (0,), {"a": 2}                               ->  {"a": 2, "b": 0}
    "", (), {}                                            ->  {}

    Raises ValueError for a name that occurs twice; for more or fewer dimensions than the shape has; for a
    group whose sizes do not divide its dimension or do not multiply to it, or with two or more names that are not in
    `sizes`; for a name outside groups that has another size in `sizes`; for 1 or () if the dimension has another size;
    for a name in `sizes` that is not on the side; for parentheses that are left open, closed twice or nested; and for
    dots.
    """
    raise NotImplementedError("axis_sizes")


def rearrange_shape(pattern: str, shape: Shape, sizes: dict[str, int]) -> Shape:
    """Return the shape that rearrange (below) gives a tensor of this shape, exactly, even if no memory could hold it.

    A tensor has fewer than 2**63 elements.

    "batch seq (heads hidden) -> batch heads seq hidden", (2, 3, 8), {"heads": 2}   ->  (2, 2, 3, 4)
    "... hidden -> hidden (...)", (2, 3, 8), {}                                     ->  (8, 6)
    "a b -> (a b)", (50000, 60000), {}                                              ->  (3000000000,)

    Raises ValueError whenever rearrange does.
    """
    raise NotImplementedError("rearrange_shape")


def rearrange(x: Tensor, pattern: str, sizes: dict[str, int]) -> Tensor:
    """Split, permute and merge the dimensions of x as the pattern says. Both sides have the same names.

    x is not changed.

    x = [0, 1, 2, 3, 4, 5]
    "(a b) -> a b", {"a": 2}     ->  [[0, 1, 2], [3, 4, 5]]
    "(a b) -> b a", {"a": 2}     ->  [[0, 3], [1, 4], [2, 5]]
    "(a b) -> (b a)", {"a": 2}   ->  [0, 3, 1, 4, 2, 5]
    "a -> 1 a ()", {}            ->  shape (1, 6, 1)
    "... -> ... 1", {}           ->  shape (6, 1); the dots may also stand for no dimension

    Raises ValueError for no "->" or two; for a name on only one side, or twice on one; for dots on only one side, even
    if they stand for no dimension, for dots twice on a side, and for dots in a group on the left; and for everything
    that axis_sizes refuses in the left side, and in the parentheses of the right side.
    """
    raise NotImplementedError("rearrange")


def reduce(x: Tensor, pattern: str, op: str, sizes: dict[str, int]) -> Tensor:
    """Rearrange x, and reduce over each name that the right side lacks, by "sum", "mean", "max" or "min".

    x = [[0, 1, 2], [3, 4, 5]]
    "a b -> b", "max"                     ->  [3, 4, 5]
    "... b -> ...", "sum"                 ->  [3, 12]: as x.sum(-1)
    "a b -> 1 b", "sum"                   ->  [[3, 5, 7]]
    "a b -> ", "sum"                      ->  15, without dimensions
    "a ... -> a", "mean"                  ->  [1, 4]: dots that the right side lacks are reduced too
    "(a 1) b -> b a", "min"               ->  [[0, 3], [1, 4], [2, 5]]: nothing to reduce

    A sum of no numbers is 0 and a mean of none is NaN; their max and min are not tested. A mean is compared up to
    rounding, all others exactly. x is not changed.

    Raises ValueError for any other op, even if nothing is reduced; for no "->" or two; for a name on the right only, or
    twice on one side; for dots on the right only, twice on a side, and in a group on the left; and for everything that
    axis_sizes refuses in the left side, and in the parentheses of the right side.
    """
    raise NotImplementedError("reduce")


def repeat(x: Tensor, pattern: str, sizes: dict[str, int]) -> Tensor:
    """Rearrange x, and repeat it along each new name (one that the left side lacks), as often as `sizes` says.

    x = [0, 1]
    "a -> a b", {"b": 3}     ->  [[0, 0, 0], [1, 1, 1]]
    "a -> (a b)", {"b": 3}   ->  [0, 0, 0, 1, 1, 1]
    "a -> (b a)", {"b": 3}   ->  [0, 1, 0, 1, 0, 1]

    x is not changed.

    Raises ValueError for a name on the left only, or new and not in `sizes`; for no "->" or two; for a name twice on
    one side; for dots on only one side, even if they stand for no dimension, for dots twice on a side, and for dots in
    a group on the left; and for everything that axis_sizes refuses in the left side, and in the parentheses of the
    right side. A size of 1 is not stretched: "a b -> a b" with {"b": 3} is refused if b has size 1.
    """
    raise NotImplementedError("repeat")


def einsum(x: Tensor, y: Tensor, pattern: str) -> Tensor:
    """Multiply x and y along dimensions of the same name, and sum over the names that the right side lacks.

    x (2, 3), y (3, 4), "i j, j k -> i k"        ->  x @ y
    x (2, 3), y (3, 4), "i j, j k -> k i"        ->  its transpose: the right side says the order
    x (2, 3), y (2, 3), "i j, i j -> i j"        ->  x * y: what the right side names is kept
    x (2, 3), y (4,), "i j, k -> "               ->  x.sum() * y.sum(), without dimensions
    x (5, 2, 3), y (3,), "... i j, j -> ... i"   ->  x @ y, whatever the dots stand for

    The left side has two operands, separated by a comma. Each has at least one name, none of them twice, and there are
    no groups and no 1. Dots may be in one operand or in both, and are then on the right side too. If they are in both,
    their dimensions broadcast as torch's do: aligned from the right, even if one operand has more of them, and a 1 goes
    with any size. Sizes may be 0, and a sum of no numbers is 0. x and y are not changed.

    Raises ValueError for any number of operands but two; for no "->" or two; for more or fewer dimensions than an
    operand has; for a name with two sizes, neither of them 1 (a 1 is not tested); for a name on the right that
    no operand has, or that is there twice; and for dots that do not broadcast.
    """
    raise NotImplementedError("einsum")


def per_head(x: Tensor, w: Tensor) -> Tensor:
    """Multiply each head of x by w, and merge the heads again.

    x is (..., heads · d_in): the heads are one after the other in the last dimension, and there may be any number of
    other dimensions, including none. w is (d_in, d_out), the same for all heads, and the result is
    (..., heads · d_out). Sizes are 1 or more. x and w are contiguous, and are not changed.

    x [1, 2, 3, 4], w [[1, 1], [0, 1]]   ->  [1, 3, 3, 7]: two heads, [1, 2] @ w and [3, 4] @ w

    Raises ValueError if the last dimension of x is not a multiple of d_in.
    """
    raise NotImplementedError("per_head")


def patchify(images: Tensor, patch: int) -> Tensor:
    """Cut images (batch, channels, height, width) into squares: (batch, patches, channels · patch · patch).

    Patches come row by row. Within a patch the channel is slowest, then the row, and the column is fastest: (c h w).
    Sizes are 1 or more. The images are contiguous, and are not changed.

    (1, 1, 2, 4), [[[[0, 1, 2, 3], [4, 5, 6, 7]]]], 2   ->  [[[0, 1, 4, 5], [2, 3, 6, 7]]]
    (8, 3, 32, 64), 16                                  ->  shape (8, 8, 768)

    Raises ValueError if `patch` does not divide the height or the width.
    """
    raise NotImplementedError("patchify")


def grouped_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Compute attention in which heads / kv_heads neighboring heads of q share one head of k and v.

    q is (batch, heads, q_len, d), k and v are (batch, kv_heads, kv_len, d), and the result has the shape of q. For each
    head it is softmax(q · k / sqrt(d)) over the keys, times v, without a mask. Scores may be so large that their exp is
    inf. Sizes are 1 or more. All three inputs are contiguous, and are not changed.

    heads 4, kv_heads 2   ->  heads 0 and 1 use k[:, 0] and v[:, 0], heads 2 and 3 use k[:, 1] and v[:, 1]

    The result is compared up to rounding. Raises ValueError if kv_heads does not divide heads.
    """
    raise NotImplementedError("grouped_attention")
