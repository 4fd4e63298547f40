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


@believes("Only a name that both operands have can be summed over", about="einsum")
def refuses_sums_of_one_operand(x, y, pattern):
    """A name that is not on the right is summed over, even if only one operand has it."""
    (a, b), right = _operands(pattern)
    if any(name not in right for name in {*a} ^ {*b}):
        raise ValueError("a name of one operand that the right side lacks")
    return solved.einsum(x, y, pattern)


@believes("A name that both operands have is always summed over", about="einsum")
def refuses_batches(x, y, pattern):
    """It is summed over only if it is not on the right; otherwise it is kept as a batch dimension."""
    (a, b), right = _operands(pattern)
    if ({*a} & {*b} & {*right}) - {"..."}:
        raise ValueError("a name of both on the right")
    return solved.einsum(x, y, pattern)


@believes("The dimensions of the result are in the order of the operands' names", about="einsum")
def orders_by_appearance(x, y, pattern):
    """The right side says which names are kept, and in which order."""
    solved.einsum(x, y, pattern)
    (a, b), right = _operands(pattern)
    left, _ = solved._sides(pattern)
    return solved.einsum(x, y, f"{left} -> {' '.join(n for n in dict.fromkeys(a + b) if n in right)}")


@believes("Dimensions are matched by place, not by name", about="einsum")
def pairs_by_place(x, y, pattern):
    """Names are matched: in "i j, j i" the first dimension of x belongs with the second of y."""
    solved.einsum(x, y, pattern)
    (a, b), right = _operands(pattern)
    shared = iter([name for name in a if name in b and name != "..."])
    placed = [next(shared) if name in a and name != "..." else name for name in b]
    return solved.einsum(x, y, f"{' '.join(a)}, {' '.join(placed)} -> {' '.join(right)}")


def _dots(x, names):
    """Return the dimensions of x that its dots stand for, and where they begin."""
    place = names.index("...")
    return x.shape[place : place + x.ndim - len(names) + 1], place


@believes("Dots are aligned from the left", about="einsum")
def aligns_dots_on_the_left(x, y, pattern):
    """They broadcast as in torch, aligned from the right."""
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


@believes("Dots have to be in both operands", about="einsum")
def needs_dots_in_both(x, y, pattern):
    """An operand without dots, such as a weight, is the same along all their dimensions."""
    (a, b), right = _operands(pattern)
    if "..." in right and ("..." not in a or "..." not in b):
        raise ValueError("dots in one operand alone")
    return solved.einsum(x, y, pattern)


@believes("Dots come first in the result", about="einsum")
def puts_dots_in_front(x, y, pattern):
    """They go where the right side puts them."""
    made = solved.einsum(x, y, pattern)
    left, _ = solved._sides(pattern)
    _, right = _operands(pattern)
    if "..." not in right:
        return made
    return solved.einsum(x, y, f"{left} -> ... {' '.join(name for name in right if name != '...')}")


@believes("A name that only one operand has is averaged over", about="einsum")
def averages_what_one_operand_has(x, y, pattern):
    """It is summed over, like every other name that is not on the right."""
    made = solved.einsum(x, y, pattern)
    (a, b), right = _operands(pattern)
    for tensor, names, others in ((x, a, b), (y, b, a)):
        front = names.index("...") if "..." in names else len(names)
        for place, name in enumerate(names):
            if name not in (*others, *right, "..."):
                made = made / max(tensor.shape[place if place < front else place - len(names)], 1)
    return made


@believes("A name with two sizes ends with the shorter one", about="einsum")
def stops_at_the_shorter_size(x, y, pattern):
    """Dimensions of the same name must have the same size: raise ValueError."""
    (a, b), _ = _operands(pattern)
    if "..." not in a + b and len(a) == x.ndim and len(b) == y.ndim:
        for name in {*a} & {*b}:
            least = min(x.shape[a.index(name)], y.shape[b.index(name)])
            x, y = x.narrow(a.index(name), 0, least), y.narrow(b.index(name), 0, least)
    return solved.einsum(x, y, pattern)


@believes("The smaller of two sizes is repeated if it divides the larger one", about="einsum")
def repeats_the_smaller_size(x, y, pattern):
    """Only a 1 in the dots is stretched. Dimensions of the same name must have the same size: raise ValueError."""
    (a, b), _ = _operands(pattern)
    if "..." not in a + b and len(a) == x.ndim and len(b) == y.ndim:
        for name in {*a} & {*b}:
            here, there = a.index(name), b.index(name)
            one, other = x.shape[here], y.shape[there]
            if min(one, other) > 0 and max(one, other) % min(one, other) == 0:
                x = x.repeat_interleave(max(one, other) // one, here)
                y = y.repeat_interleave(max(one, other) // other, there)
    return solved.einsum(x, y, pattern)


@believes("A new name on the right is a dimension of size 1", about="einsum")
def adds_dimensions(x, y, pattern):
    """einsum takes no new names: raise ValueError."""
    (a, b), right = _operands(pattern)
    new = [name for name in right if name not in a + b]
    left, _ = solved._sides(pattern)
    if "..." in right or not new:
        return solved.einsum(x, y, pattern)
    made = solved.einsum(x, y, f"{left} -> {' '.join(name for name in right if name not in new)}")
    return made.reshape([1 if name in new else -1 for name in right]) if made.ndim < 2 else made


@believes("An operand without names is ignored", about="einsum")
def ignores_empty_operands(x, y, pattern):
    """A comma too many is a mistake: raise ValueError unless there are exactly two operands."""
    left, right = solved._sides(pattern)
    return solved.einsum(x, y, f"{','.join(side for side in left.split(',') if side.strip())} -> {right}")


@believes("Names are told apart by their first letter", about="einsum")
def reads_letters(x, y, pattern):
    """torch.einsum uses single letters; here seq1 and seq2 are two names, and so are heads and hidden."""
    return solved.einsum(x, y, renamed(pattern, {}, lambda name: name[0])[0])


@believes("torch reduces nothing for an empty list of dimensions", about="einsum")
def sums_all_for_nothing(x, y, pattern):
    """x.sum(dim=[]) sums over all of x: if the right side keeps every name, do not sum."""
    made = solved.einsum(x, y, pattern)
    (a, b), right = _operands(pattern)
    return made if {*a, *b} - {*right} else made.sum().permute([*range(len(right))])


@believes("The product may be written into x", about="einsum")
def multiplies_in_place(x, y, pattern):
    """Both operands belong to the caller: write into a new tensor."""
    made = solved.einsum(x, y, pattern).clone()
    written_to(x)
    return made


# per_head


def _whole_heads(x, w):
    if x.shape[-1] % w.shape[0]:
        raise ValueError("the last dimension is no multiple of d_in")


@believes("A head has every n-th element", about="per_head")
def takes_heads_apart_by_steps(x, w):
    """The order is (heads d_in): the elements of a head are neighbours."""
    _whole_heads(x, w)
    return solved.per_head(solved.rearrange(x, "... (d heads) -> ... (heads d)", {"d": w.shape[0]}), w)


@believes("In the result the heads are fastest", about="per_head")
def puts_heads_together_by_steps(x, w):
    """The order is (heads d_out): one head after the other."""
    return solved.rearrange(solved.per_head(x, w), "... (heads d) -> ... (d heads)", {"d": w.shape[1]})


@believes("A weight is (d_out, d_in), as in nn.Linear", about="per_head")
def transposes_w(x, w):
    """nn.Linear computes x @ w.T; here w is (d_in, d_out), and it is x @ w."""
    _whole_heads(x, w)
    return solved.per_head(x, w.T)


@believes("The results of the heads are added", about="per_head")
def adds_heads_up(x, w):
    """Each head keeps its own elements in the result, side by side."""
    made = solved.per_head(x, w)
    return solved.reduce(made, "... (heads d) -> ... d", "sum", {"d": w.shape[1]})


@believes("The heads are a dimension of the result", about="per_head")
def keeps_the_heads_apart(x, w):
    """They are merged into the last dimension: (..., heads · d_out)."""
    return solved.rearrange(solved.per_head(x, w), "... (heads d) -> ... heads d", {"d": w.shape[1]})


@believes("Only the first head is multiplied by w", about="per_head")
def multiplies_the_first_head(x, w):
    """All heads are: give them a dimension of their own, and multiply over the last one."""
    made = solved.per_head(x, w)
    first = torch.zeros_like(made)
    first[..., : w.shape[1]] = made[..., : w.shape[1]]
    return first


@believes("Elements that do not fill a whole head are left out", about="per_head")
def leaves_out_the_rest(x, w):
    """They would be silently lost: raise ValueError if d_in does not divide the last dimension."""
    return solved.per_head(x[..., : x.shape[-1] // w.shape[0] * w.shape[0]], w)


@believes("x has exactly three dimensions", about="per_head")
def wants_three_dimensions(x, w):
    """Any number of dimensions may come before the last: "..." or x.shape[:-1] takes them all."""
    _whole_heads(x, w)
    batch, seq, _ = x.shape
    return solved.per_head(x, w).reshape(batch, seq, -1)


@believes("torch's own error is enough", about="per_head")
def lets_torch_refuse_heads(x, w):
    """It is a RuntimeError about an internal shape: raise ValueError."""
    if x.shape[-1] % w.shape[0]:
        raise RuntimeError("shape is invalid for input")
    return solved.per_head(x, w)


@believes("The product may be written into x", about="per_head")
def overwrites_heads(x, w):
    """x belongs to the caller: write into a new tensor."""
    made = solved.per_head(x, w)
    written_to(x)
    return made
