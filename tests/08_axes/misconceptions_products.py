"""Wrong answers that people give to kata 08 about einsum and heads."""

import torch

from dojo.judging.diagnose import believes, solution

from .misread import renamed, written_to

solved = solution("08_axes")


# einsum


def _operands(pattern):
    left, right = solved._sides(pattern)
    if left.count(",") != 1:
        raise ValueError("not two operands")
    return [side.split() for side in left.split(",")], right.split()


@believes("Only a name of both operands can be summed", about="einsum")
def refuses_sums_of_one_operand(x, y, pattern):
    """What the right side does not name is summed, whoever has it: the sum of a row needs no partner."""
    (a, b), right = _operands(pattern)
    if any(name not in right for name in {*a} ^ {*b}):
        raise ValueError("a name of one operand that the right side lacks")
    return solved.einsum(x, y, pattern)


@believes("A name of both operands is always summed", about="einsum")
def refuses_batches(x, y, pattern):
    """It is summed where the right side lacks it; where that has it, the operands meet and nothing is summed."""
    (a, b), right = _operands(pattern)
    if ({*a} & {*b} & {*right}) - {"..."}:
        raise ValueError("a name of both on the right")
    return solved.einsum(x, y, pattern)


@believes("The result has its dimensions in the order in which the names come up", about="einsum")
def orders_by_appearance(x, y, pattern):
    """The right side says what is kept and in which order."""
    solved.einsum(x, y, pattern)
    (a, b), right = _operands(pattern)
    left, _ = solved._sides(pattern)
    return solved.einsum(x, y, f"{left} -> {' '.join(n for n in dict.fromkeys(a + b) if n in right)}")


@believes("Dimensions run together by their place, not by their name", about="einsum")
def pairs_by_place(x, y, pattern):
    """The names say which dimensions meet: in "i j, j i" the first of x meets the second of y."""
    solved.einsum(x, y, pattern)
    (a, b), right = _operands(pattern)
    shared = iter([name for name in a if name in b and name != "..."])
    placed = [next(shared) if name in a and name != "..." else name for name in b]
    return solved.einsum(x, y, f"{' '.join(a)}, {' '.join(placed)} -> {' '.join(right)}")


def _dots(x, names):
    """The dimensions of x that its dots stand for, and where they begin."""
    place = names.index("...")
    return x.shape[place : place + x.ndim - len(names) + 1], place


@believes("Dots are aligned from the left", about="einsum")
def aligns_dots_on_the_left(x, y, pattern):
    """They broadcast as torch's shapes do, from the right: the last of one meets the last of the other."""
    made = solved.einsum(x, y, pattern)
    (a, b), _ = _operands(pattern)
    if "..." in a and "..." in b:
        (mine, at), (theirs, there) = _dots(x, a), _dots(y, b)
        missing = [1] * abs(len(mine) - len(theirs))
        if len(mine) < len(theirs):
            x = x.reshape([*x.shape[: at + len(mine)], *missing, *x.shape[at + len(mine) :]])
        elif missing:
            y = y.reshape([*y.shape[: there + len(theirs)], *missing, *y.shape[there + len(theirs) :]])
        return solved.einsum(x, y, pattern)
    return made


@believes("Dots stand for the same sizes in both operands", about="einsum")
def refuses_to_broadcast(x, y, pattern):
    """They broadcast: one operand may have fewer dimensions there, and a 1 goes with any size."""
    made = solved.einsum(x, y, pattern)
    (a, b), _ = _operands(pattern)
    if "..." in a and "..." in b and _dots(x, a)[0] != _dots(y, b)[0]:
        raise ValueError("dots of two shapes")
    return made


@believes("Dots have to stand in both operands", about="einsum")
def needs_dots_in_both(x, y, pattern):
    """An operand without them, such as a weight, is the same for all that the dots stand for."""
    (a, b), right = _operands(pattern)
    if "..." in right and ("..." not in a or "..." not in b):
        raise ValueError("dots in one operand alone")
    return solved.einsum(x, y, pattern)


@believes("Dots come first in the result", about="einsum")
def puts_dots_in_front(x, y, pattern):
    """They come where the right side has them."""
    made = solved.einsum(x, y, pattern)
    left, _ = solved._sides(pattern)
    _, right = _operands(pattern)
    if "..." not in right:
        return made
    return solved.einsum(x, y, f"{left} -> ... {' '.join(name for name in right if name != '...')}")


@believes("What one operand alone has and the right side lacks is averaged", about="einsum")
def averages_what_one_operand_has(x, y, pattern):
    """It is summed like everything else that the right side does not name."""
    made = solved.einsum(x, y, pattern)
    (a, b), right = _operands(pattern)
    for tensor, names, others in ((x, a, b), (y, b, a)):
        front = names.index("...") if "..." in names else len(names)
        for place, name in enumerate(names):
            if name not in (*others, *right, "..."):
                made = made / max(tensor.shape[place if place < front else place - len(names)], 1)
    return made


@believes("A name with two sizes goes as far as the shorter one", about="einsum")
def stops_at_the_shorter_size(x, y, pattern):
    """zip would stop there; dimensions of one name have one size, and anything else is an error."""
    (a, b), _ = _operands(pattern)
    if "..." not in a + b and len(a) == x.ndim and len(b) == y.ndim:
        for name in {*a} & {*b}:
            least = min(x.shape[a.index(name)], y.shape[b.index(name)])
            x, y = x.narrow(a.index(name), 0, least), y.narrow(b.index(name), 0, least)
    return solved.einsum(x, y, pattern)


@believes("A name on the right that no operand has is a dimension of size 1", about="einsum")
def adds_dimensions(x, y, pattern):
    """einsum has no new names: what an operand should be repeated along, repeat does."""
    (a, b), right = _operands(pattern)
    new = [name for name in right if name not in a + b]
    left, _ = solved._sides(pattern)
    if "..." in right or not new:
        return solved.einsum(x, y, pattern)
    made = solved.einsum(x, y, f"{left} -> {' '.join(name for name in right if name not in new)}")
    return made.reshape([1 if name in new else -1 for name in right]) if made.ndim < 2 else made


@believes("The first letter of a name is enough to tell it", about="einsum")
def reads_letters(x, y, pattern):
    """Letters are those of torch.einsum; here seq1 and seq2 are two names, and so are heads and hidden."""
    return solved.einsum(x, y, renamed(pattern, {}, lambda name: name[0])[0])


@believes("The product may be made in x", about="einsum")
def multiplies_in_place(x, y, pattern):
    """Both operands belong to whoever called, and may be used again."""
    made = solved.einsum(x, y, pattern).clone()
    written_to(x)
    return made


# per_head


def _whole_heads(x, w):
    if x.shape[-1] % w.shape[0]:
        raise ValueError("the last dimension is no multiple of d_in")


@believes("The heads are inside: every n-th number belongs to one", about="per_head")
def takes_heads_apart_by_steps(x, w):
    """(heads d_in): the numbers of a head are neighbours, one head lies behind the other."""
    _whole_heads(x, w)
    return solved.per_head(solved.rearrange(x, "... (d heads) -> ... (heads d)", {"d": w.shape[0]}), w)


@believes("In the result the heads run fastest", about="per_head")
def puts_heads_together_by_steps(x, w):
    """(heads d_out), as they came: one head behind the other."""
    return solved.rearrange(solved.per_head(x, w), "... (heads d) -> ... (d heads)", {"d": w.shape[1]})


@believes("A weight is (d_out, d_in), as in nn.Linear", about="per_head")
def transposes_w(x, w):
    """nn.Linear computes x @ w.T; here w is (d_in, d_out), and it is x @ w."""
    _whole_heads(x, w)
    return solved.per_head(x, w.T)


@believes("The heads are added up", about="per_head")
def adds_heads_up(x, w):
    """Each head has numbers of its own in the result; a matrix that mixes them comes after, in attention."""
    made = solved.per_head(x, w)
    return solved.reduce(made, "... (heads d) -> ... d", "sum", {"d": w.shape[1]})


@believes("The heads keep a dimension of their own", about="per_head")
def keeps_the_heads_apart(x, w):
    """At the end they are one dimension again: (..., heads · d_out)."""
    return solved.rearrange(solved.per_head(x, w), "... (heads d) -> ... heads d", {"d": w.shape[1]})


@believes("Only the first head is multiplied", about="per_head")
def multiplies_the_first_head(x, w):
    """w is the same for all heads: give them a dimension of their own, and the product runs over it."""
    made = solved.per_head(x, w)
    first = torch.zeros_like(made)
    first[..., : w.shape[1]] = made[..., : w.shape[1]]
    return first


@believes("Numbers that make no whole head are left out", about="per_head")
def leaves_out_the_rest(x, w):
    """They would be lost without a word: a last dimension that d_in does not divide is refused."""
    return solved.per_head(x[..., : x.shape[-1] // w.shape[0] * w.shape[0]], w)


@believes("x has a batch and a sequence", about="per_head")
def wants_three_dimensions(x, w):
    """Any number of dimensions may stand before the last: "..." or x.shape[:-1] takes them all."""
    _whole_heads(x, w)
    batch, seq, _ = x.shape
    return solved.per_head(x, w).reshape(batch, seq, -1)


@believes("torch's own error will do", about="per_head")
def lets_torch_refuse_heads(x, w):
    """It is a RuntimeError about a shape that the caller never wrote; the stub promises a ValueError."""
    if x.shape[-1] % w.shape[0]:
        raise RuntimeError("shape is invalid for input")
    return solved.per_head(x, w)


@believes("The product may be written into x", about="per_head")
def overwrites_heads(x, w):
    """x belongs to whoever called, and may be used again."""
    made = solved.per_head(x, w)
    written_to(x)
    return made
