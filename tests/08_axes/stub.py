"""Kata 08: name the dimensions of a tensor. The lesson is in README.md beside this file.

You write a small einops, without einops, numpy, torch.einsum, torch.tensordot and torch's own attention. A pattern such
as "batch (heads hidden) -> batch heads hidden" has two sides, and a side names each dimension, from left to right:

name    a dimension of its own. Names are Python identifiers of any length: seq1 and seq2 are two names, b and B as well
(a b)   on the left one dimension of size a · b, of which a is outside (slower) and b inside; on the right the dimension
        that a and b are made into, the same way round. Any number of names may stand there, and (a) is a
1, ()   a dimension of size 1, which has no name; inside of a group a 1 changes nothing
...     once on a side, any number of dimensions, none too; on the right also inside of a group, on the left never

Blanks are spaces, any number of them: at least one between two names, none is needed around "->", a comma and
parentheses. Nothing is asked of names that begin or end with an underscore, of Python's keywords, and of other numbers.

`sizes` says how large names are: {"heads": 2}. In each group at most one name is not in it, and is computed. A size
there is 1 or more, and a dimension may have size 0. Tensors hold float64 and may be non-contiguous, but for those of
the last three functions. A result has the dtype and the device of what came in; no tensor that came in is changed, nor
is `sizes`; and whether a result is a view of a tensor that came in is up to you.
"""

from torch import Tensor

Shape = tuple[int, ...]


def axis_sizes(names: str, shape: Shape, sizes: dict[str, int]) -> dict[str, int]:
    """The size of each name on one side of a pattern, where `shape` is what the side describes.

    "batch seq (heads hidden)", (2, 3, 8), {"heads": 2}   ->  {"batch": 2, "seq": 3, "heads": 2, "hidden": 4}
    "batch (seq 1) ()", (0, 3, 1), {}                     ->  {"batch": 0, "seq": 3}
    "(a b)", (0,), {"a": 2}                               ->  {"a": 2, "b": 0}
    "", (), {}                                            ->  {}

    Raises ValueError for a name that comes twice; for another number of dimensions than the shape has; for a group
    whose sizes do not divide its dimension or do not make it, and one of two names or more that are not in `sizes`; for
    a name alone whose size is another one in `sizes`; for 1 or () where the dimension has another size; for a name in
    `sizes` that is not there; for parentheses that are left open, closed twice or nested; and for dots.
    """
    raise NotImplementedError("axis_sizes")


def rearrange_shape(pattern: str, shape: Shape, sizes: dict[str, int]) -> Shape:
    """The shape of what rearrange (below) makes of a tensor of this shape, exactly, also where no memory could hold it.

    "batch seq (heads hidden) -> batch heads seq hidden", (2, 3, 8), {"heads": 2}   ->  (2, 2, 3, 4)
    "... hidden -> hidden (...)", (2, 3, 8), {}                                     ->  (8, 6)
    "a b -> (a b)", (50000, 60000), {}                                              ->  (3000000000,)

    Raises ValueError where rearrange does.
    """
    raise NotImplementedError("rearrange_shape")


def rearrange(x: Tensor, pattern: str, sizes: dict[str, int]) -> Tensor:
    """x with its dimensions split, permuted and made one as the pattern says. Both sides have the same names.

    x is not changed.

    x = [0, 1, 2, 3, 4, 5]
    "(a b) -> a b", {"a": 2}     ->  [[0, 1, 2], [3, 4, 5]]
    "(a b) -> b a", {"a": 2}     ->  [[0, 3], [1, 4], [2, 5]]
    "(a b) -> (b a)", {"a": 2}   ->  [0, 3, 1, 4, 2, 5]
    "a -> 1 a ()", {}            ->  shape (1, 6, 1)
    "... -> ... 1", {}           ->  shape (6, 1); the dots may also be no dimension

    Raises ValueError for no "->" or two; for a name that is on one side alone, or twice on one; for dots on one side
    alone, even where they are no dimension, for dots twice on a side, and in a group on the left; and for all that
    axis_sizes refuses of the left side, and of parentheses on the right.
    """
    raise NotImplementedError("rearrange")


def reduce(x: Tensor, pattern: str, op: str, sizes: dict[str, int]) -> Tensor:
    """x rearranged, where each name that the right side lacks is reduced away: by the "sum", "mean", "max" or "min".

    x = [[0, 1, 2], [3, 4, 5]]
    "a b -> b", "max"                     ->  [3, 4, 5]
    "... b -> ...", "sum"                 ->  [3, 12]: as x.sum(-1)
    "a b -> 1 b", "sum"                   ->  [[3, 5, 7]]
    "a b -> ", "sum"                      ->  15, without a dimension
    "a ... -> a", "mean"                  ->  [1, 4]: dots that the right side lacks are reduced away too
    "(a 1) b -> b a", "min"               ->  [[0, 3], [1, 4], [2, 5]]: nothing to reduce

    A sum of no numbers is 0 and a mean of none is NaN; their max and min are not asked. A mean is compared up to
    rounding, all others exactly. x is not changed.

    Raises ValueError for another op, also where nothing is reduced away; for no "->" or two; for a name that is on the
    right alone, or twice on one side; for dots on the right alone, twice on a side, and in a group on the left; and for
    all that axis_sizes refuses of the left side, and of parentheses on the right.
    """
    raise NotImplementedError("reduce")


def repeat(x: Tensor, pattern: str, sizes: dict[str, int]) -> Tensor:
    """x rearranged, where each name that the left side lacks is new: x is repeated along it, as often as `sizes` says.

    x = [0, 1]
    "a -> a b", {"b": 3}     ->  [[0, 0, 0], [1, 1, 1]]
    "a -> (a b)", {"b": 3}   ->  [0, 0, 0, 1, 1, 1]
    "a -> (b a)", {"b": 3}   ->  [0, 1, 0, 1, 0, 1]

    x is not changed.

    Raises ValueError for a name that is on the left alone, or new and not in `sizes`; for no "->" or two; for a name
    twice on one side; for dots on one side alone, even where they are no dimension, for dots twice on a side, and in a
    group on the left; and for all that axis_sizes refuses of the left side, and of parentheses on the right. A size of
    1 is not stretched: "a b -> a b" with {"b": 3} is refused where b has size 1.
    """
    raise NotImplementedError("repeat")


def einsum(x: Tensor, y: Tensor, pattern: str) -> Tensor:
    """The product of x and y in which dimensions of one name run together, and what the right side lacks is summed.

    x (2, 3), y (3, 4), "i j, j k -> i k"        ->  x @ y
    x (2, 3), y (3, 4), "i j, j k -> k i"        ->  its transpose: the right side says the order
    x (2, 3), y (2, 3), "i j, i j -> i j"        ->  x * y: what the right side names is kept
    x (2, 3), y (4,), "i j, k -> "               ->  x.sum() * y.sum(), without a dimension
    x (5, 2, 3), y (3,), "... i j, j -> ... i"   ->  x @ y, whatever the dots are

    The left side has two operands, parted by a comma. Each has a name, none of them twice, and there are no groups and
    no 1. Dots may stand in one operand or in both, and then on the right side too. Where they do in both, their
    dimensions broadcast as torch's do: aligned from the right, also where there are more of them in one, and a 1 goes
    with any size. Sizes may be 0, and a sum of no numbers is 0. x and y are not changed.

    Raises ValueError for another number of operands than two; for no "->" or two; for another number of dimensions than
    an operand has; for two sizes of a name, of which none is 1 (that is not asked); for a name on the right that no
    operand has, or twice there; and for dots that do not broadcast.
    """
    raise NotImplementedError("einsum")


def per_head(x: Tensor, w: Tensor) -> Tensor:
    """Each head of x times w, and the heads together again.

    x is (..., heads · d_in): the heads lie one after the other in the last dimension, and there may be any number of
    other dimensions, none too. w is (d_in, d_out), one for all heads, and the result (..., heads · d_out). Sizes are 1
    or more. x and w are contiguous, and are not changed.

    x [1, 2, 3, 4], w [[1, 1], [0, 1]]   ->  [1, 3, 3, 7]: two heads, [1, 2] @ w and [3, 4] @ w

    Raises ValueError where the last dimension of x is no multiple of d_in.
    """
    raise NotImplementedError("per_head")


def patchify(images: Tensor, patch: int) -> Tensor:
    """Cut images (batch, channels, height, width) into squares: (batch, patches, channels · patch · patch).

    Patches come row by row. Within a patch the channel is slowest, then the row, and the column is fastest: (c h w).
    Sizes are 1 or more. The images are contiguous, and are not changed.

    (1, 1, 2, 4), [[[[0, 1, 2, 3], [4, 5, 6, 7]]]], 2   ->  [[[0, 1, 4, 5], [2, 3, 6, 7]]]
    (8, 3, 32, 64), 16                                  ->  shape (8, 8, 768)

    Raises ValueError where `patch` does not divide the height, or the width.
    """
    raise NotImplementedError("patchify")


def grouped_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Attention in which heads / kv_heads neighbouring heads of q share one of k and v.

    q is (batch, heads, q_len, d), k and v are (batch, kv_heads, kv_len, d), and the result has the shape of q. For each
    head it is softmax(q · k / sqrt(d)) over the keys, times v, without a mask. Sizes are 1 or more. All three
    are contiguous, and are not changed.

    heads 4, kv_heads 2   ->  heads 0 and 1 use k[:, 0] and v[:, 0], heads 2 and 3 use k[:, 1] and v[:, 1]

    Compared up to rounding. Raises ValueError where kv_heads does not divide heads.
    """
    raise NotImplementedError("grouped_attention")
