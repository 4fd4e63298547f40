"""Wrong answers that people give to kata 08 about sizes, shapes and tensors that are rearranged."""

import math
import re

from dojo.judging.diagnose import believes, solution

from .misread import DIM, names_of, renamed, turned, with_shape, without_ones, written_to

solved = solution("08_axes")


# axis_sizes


@believes("What is left over in a division is dropped", about="axis_sizes")
def rounds_down(names, shape, sizes):
    """A dimension of 7 is not made of two heads: // rounds down silently, so look at % first."""

    def change(group, size):
        known = math.prod(sizes.get(name, 1) for name in group)
        return size - size % known if any(name not in sizes for name in group) else size

    return with_shape(names, shape, sizes, change)


@believes("A group whose sizes are all given needs no look at the shape", about="axis_sizes")
def trusts_full_groups(names, shape, sizes):
    """The sizes have to make the dimension: their product is compared with it."""

    def change(group, size):
        full = len(group) > 1 and all(name in sizes for name in group)
        return math.prod(sizes[name] for name in group) if full else size

    return with_shape(names, shape, sizes, change)


@believes("A name alone has the size of its dimension, whatever sizes says", about="axis_sizes")
def reads_single_names_off_the_shape(names, shape, sizes):
    """A size that is given is a promise, and one that the shape breaks is an error."""
    alone = [names_of(dim)[0] for dim in DIM.findall(names) if len(names_of(dim)) == 1]
    return solved.axis_sizes(names, shape, {name: size for name, size in sizes.items() if name not in alone})


@believes("A name has the size that sizes gives it, whatever the shape says", about="axis_sizes")
def reads_single_names_off_the_sizes(names, shape, sizes):
    """Sizes and shape have to say the same; einops stretches nothing."""

    def change(group, size):
        return sizes.get(group[0], size) if len(group) == 1 else size

    return with_shape(names, shape, sizes, change)


@believes("A 1 goes with any size", about="axis_sizes")
def broadcasts_ones(names, shape, sizes):
    """That is broadcasting. In a pattern a 1 says that the dimension has size 1, and any other is an error."""
    return with_shape(names, shape, sizes, lambda group, size: size if group else 1)


@believes("A size of a name that is not there does no harm", about="axis_sizes")
def ignores_other_sizes(names, shape, sizes):
    """It is mostly a slip of the pen, and then another name has no size: einops refuses it."""
    return solved.axis_sizes(names, shape, {name: size for name, size in sizes.items() if name in names_of(names)})


@believes("A name that comes twice is one and the same dimension", about="axis_sizes")
def takes_names_twice(names, shape, sizes):
    """In einsum it would be a diagonal; here each name has a dimension of its own, and twice is an error."""
    counts = {name: names_of(names).count(name) for name in names_of(names)}
    twice = [name for name, count in counts.items() if count > 1]
    if not twice:
        return solved.axis_sizes(names, shape, sizes)
    for name in twice:
        names = re.sub(rf"(?<!\w){name}(?!\w)", f"{name}_again", names, count=1)
    given = {f"{name}_again": sizes[name] for name in twice if name in sizes}
    found = solved.axis_sizes(names, shape, sizes | given)
    return {name: size for name, size in found.items() if not name.endswith("_again")}


@believes("Of two names without a size the first is as large as can be", about="axis_sizes")
def gives_all_to_the_first(names, shape, sizes):
    """Nothing says how to share a dimension between two names, so that is an error."""
    more = {name: 1 for dim in DIM.findall(names) for name in [name for name in names_of(dim) if name not in sizes][1:]}
    return solved.axis_sizes(names, shape, sizes | more)


@believes("Names and dimensions are paired as far as both go", about="axis_sizes")
def pairs_what_there_is(names, shape, sizes):
    """zip stops silently at the shorter one; give it strict=True, or compare the lengths first."""
    dims = DIM.findall(names)
    if re.sub(r"\([^()]*\)", "", names).strip("() ") != re.sub(r"\([^()]*\)", "", names).strip():
        return solved.axis_sizes(names, shape, sizes)
    count = min(len(dims), len(shape))
    return solved.axis_sizes(" ".join(dims[:count]), shape[:count], sizes)


@believes("A parenthesis that is left open ends with the side", about="axis_sizes")
def closes_at_the_end(names, shape, sizes):
    """A pattern that can be read in two ways is an error: what is opened has to be closed."""
    missing = names.count("(") - names.count(")")
    return solved.axis_sizes(names + ")" * missing, shape, sizes)


@believes("Parentheses in parentheses are one group", about="axis_sizes")
def flattens_groups(names, shape, sizes):
    """A group has names and ones and nothing else: one level, no nesting."""
    flat, depth = "", 0
    for letter in names:
        before, depth = depth, depth + (letter == "(") - (letter == ")")
        if depth < 0:
            return solved.axis_sizes(names, shape, sizes)
        flat += " " if max(before, depth) > 1 and letter in "()" else letter
    return solved.axis_sizes(flat if "()" not in flat.replace(" ", "") else names, shape, sizes)


@believes("Dots are names for what is left over here too", about="axis_sizes")
def reads_dots(names, shape, sizes):
    """Dots have no sizes to be returned, so a side with dots is refused here; who needs them names them first."""
    if "..." not in names or "..." in " ".join(re.findall(r"\([^()]*\)", names)):
        return solved.axis_sizes(names, shape, sizes)
    count = len(shape) - len(DIM.findall(names)) + 1
    found = solved.axis_sizes(names.replace("...", " ".join(f"_{n}" for n in range(count))), shape, sizes)
    return {name: size for name, size in found.items() if name[0] != "_"}


@believes("Names are the same in upper and lower case", about="axis_sizes")
def lowers_names(names, shape, sizes):
    """Names are Python's: b and B are two of them."""
    renamed(names, sizes, str.lower)
    return solved.axis_sizes(names, shape, sizes)


# rearrange_shape


@believes("A group is as large as the sum of its names", about="rearrange_shape")
def adds_up_groups(pattern, shape, sizes):
    """A group of 2 heads of 4 numbers has 2 · 4 = 8 places: each number of one with each of the other."""
    _, right, size_of = solved._read(pattern, shape, sizes)
    return tuple(sum(size_of[name] for name in group) if group else 1 for group in right)


@believes("A float holds any size", about="rearrange_shape")
def multiplies_floats(pattern, shape, sizes):
    """A float holds whole numbers exactly up to 2**53 only; Python's int has no limit."""
    _, right, size_of = solved._read(pattern, shape, sizes)
    return tuple(int(math.prod(float(size_of[name]) for name in group)) for group in right)


@believes("Dots stay several dimensions in a group too", about="rearrange_shape")
def keeps_dots_apart(pattern, shape, sizes):
    """A group is one dimension, whatever stands in it: (... a) is all of them made one."""
    solved.rearrange_shape(pattern, shape, sizes)
    left, right = solved._sides(pattern)
    apart = re.sub(
        r"\(([^()]*)\.\.\.([^()]*)\)",
        lambda group: f"... ({group[1]} {group[2]})" if names_of(group[1] + group[2]) else "...",
        right,
    )
    return solved.rearrange_shape(f"{left}->{apart}", shape, sizes)


@believes("A 1 on the right is only written for the eye", about="rearrange_shape")
def drops_ones(pattern, shape, sizes):
    """It is a dimension of size 1, as unsqueeze makes one."""
    solved.rearrange_shape(pattern, shape, sizes)
    left, right = solved._sides(pattern)
    return solved.rearrange_shape(f"{left}->{' '.join(d for d in DIM.findall(right) if names_of(d))}", shape, sizes)


@believes("The right side says how to group, and the order is that of the left", about="rearrange_shape")
def keeps_the_order(pattern, shape, sizes):
    """The right side says both: names may change places, and the dimensions go with them."""
    left, right, size_of = solved._read(pattern, shape, sizes)
    names = iter(solved._flat(left))
    return tuple(math.prod(size_of[next(names)] for _ in group) for group in right)


@believes("A name of size 1 may be left out", about="rearrange_shape")
def forgets_names_of_size_one(pattern, shape, sizes):
    """No number would be lost, but the pattern has to hold for every size: a name on one side alone is refused."""
    pattern, sizes = without_ones(pattern, shape, sizes)
    return solved.rearrange_shape(pattern, shape, sizes)


@believes("A name that has a size may be new", about="rearrange_shape")
def lets_names_be_new(pattern, shape, sizes):
    """repeat has new names. rearrange moves what is there, and makes nothing more of it."""
    _, right, size_of = solved._read(pattern, shape, sizes, gains=True)
    return solved._shape(right, size_of)


@believes("Dots that stand for no dimension may be left out", about="rearrange_shape")
def forgets_dots_of_nothing(pattern, shape, sizes):
    """Today they stand for none, and for the next tensor for two: dots on one side alone are refused."""
    left, right = solved._sides(pattern)
    if "..." in left and "..." not in right and "..." not in " ".join(re.findall(r"\([^()]*\)?", left)):
        left = left.replace("...", "", 1)
    return solved.rearrange_shape(f"{left}->{right}", shape, sizes)


@believes("Only what stands before the first arrow and behind the last one counts", about="rearrange_shape")
def skips_what_is_between_arrows(pattern, shape, sizes):
    """A pattern has two sides; with two arrows nobody knows which ones are meant."""
    sides = pattern.split("->")
    return solved.rearrange_shape("->".join([sides[0], *sides[1:][-1:]]), shape, sizes)


@believes("The first letter of a name is enough to tell it", about="rearrange_shape")
def tells_names_by_their_first_letter(pattern, shape, sizes):
    """Letters are those of torch.einsum; here seq1 and seq2 are two names, and so are heads and hidden."""
    pattern, sizes = renamed(pattern, sizes, lambda name: name[0])
    return solved.rearrange_shape(pattern, shape, sizes)


# rearrange


@believes("In a group on the left the first name runs fastest", about="rearrange")
def splits_the_other_way(x, pattern, sizes):
    """Row-major, as in memory: in (a b) a is outside and slow, b is inside and fast."""
    solved.rearrange(x, pattern, sizes)
    left, right = solved._sides(pattern)
    return solved.rearrange(x, f"{turned(left)} -> {right}", sizes)


@believes("In a group on the right the first name runs fastest", about="rearrange")
def joins_the_other_way(x, pattern, sizes):
    """The same way round as on the left: in (a b) a is outside and slow, b is inside and fast."""
    solved.rearrange(x, pattern, sizes)
    left, right = solved._sides(pattern)
    return solved.rearrange(x, f"{left} -> {turned(right)}", sizes)


@believes("A reshape to the shape of the right side is enough", about="rearrange")
def only_reshapes(x, pattern, sizes):
    """A reshape keeps the order of all numbers. Where names change places it takes a permute in between."""
    return x.reshape(solved.rearrange_shape(pattern, tuple(x.shape), sizes))


@believes("permute takes the place to which each dimension goes", about="rearrange")
def permutes_the_other_way(x, pattern, sizes):
    """permute(dims) takes where each dimension of the result comes from."""
    left, right, size_of = solved._read(pattern, tuple(x.shape), sizes)
    names, goal = solved._flat(left), solved._flat(right)
    split = x.reshape([size_of[name] for name in names])
    return split.permute([goal.index(name) for name in names]).reshape(solved._shape(right, size_of))


@believes("What is permuted can still be viewed", about="rearrange")
def views_all_the_way(x, pattern, sizes):
    """view refuses where no strides can show the result, and a group of axes that are not neighbours needs a copy."""
    left, right, size_of = solved._read(pattern, tuple(x.shape), sizes)
    names = solved._flat(left)
    split = x.view([size_of[name] for name in names])
    return split.permute([names.index(n) for n in solved._flat(right)]).view(solved._shape(right, size_of))


@believes("The numbers of x lie in memory as its shape says", about="rearrange")
def reads_the_storage(x, pattern, sizes):
    """A transposed or sliced x has strides of its own: go by its indices, as reshape and permute do."""
    strides = [math.prod(x.shape[dim + 1 :]) for dim in range(x.ndim)]
    return solved.rearrange(x.as_strided(x.shape, strides) if x.numel() else x, pattern, sizes)


@believes("Dots stay several dimensions in a group too", about="rearrange")
def leaves_dots_apart(x, pattern, sizes):
    """A group is one dimension, whatever stands in it: (... a) is all of them made one."""
    made = solved.rearrange(x, pattern, sizes)
    return made.reshape(keeps_dots_apart(pattern, tuple(x.shape), sizes))


@believes("Dots stand for the first dimensions, wherever they are written", about="rearrange")
def puts_dots_first(x, pattern, sizes):
    """On the left they stand for the dimensions that are left over just there; on the right that is where these go."""
    solved.rearrange(x, pattern, sizes)
    left, right = solved._sides(pattern)
    return solved.rearrange(x, f"... {left.replace('...', '')} -> {right}" if "..." in left else pattern, sizes)


@believes("torch's own error will do where a group does not fit", about="rearrange")
def lets_reshape_refuse(x, pattern, sizes):
    """reshape raises a RuntimeError about shapes that the caller never wrote; the stub promises a ValueError."""
    try:
        return solved.rearrange(x, pattern, sizes)
    except ValueError as error:
        if "cannot be made of" in str(error):
            raise RuntimeError("shape is invalid for input") from None
        raise


@believes("x may be sorted anew in place", about="rearrange")
def rearranges_in_place(x, pattern, sizes):
    """The tensor belongs to whoever called, and may be used again: make a new one, or a view."""
    made = solved.rearrange(x, pattern, sizes).clone()
    written_to(x)
    return made
