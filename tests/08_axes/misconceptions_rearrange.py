"""Wrong answers that people give to kata 08 about sizes, shapes and tensors that are rearranged."""

import math
import re

from dojo.judging.diagnose import believes, solution

from .misread import DIM, filled_in, names_of, renamed, turned, with_one_1_removed, with_shape, without_ones, written_to

solved = solution("08_axes")


# axis_sizes


@believes("The remainder of a division is dropped", about="axis_sizes")
def rounds_down(names, shape, sizes):
    """A dimension of 7 does not consist of two heads: // rounds down silently, so check with % first."""

    def change(group, size):
        known = math.prod(sizes.get(name, 1) for name in group)
        return size - size % known if any(name not in sizes for name in group) else size

    return with_shape(names, shape, sizes, change)


@believes("A group whose sizes are all given need not be checked", about="axis_sizes")
def trusts_full_groups(names, shape, sizes):
    """Their product has to be the size of the dimension: compare them."""

    def change(group, size):
        full = len(group) > 1 and all(name in sizes for name in group)
        return math.prod(sizes[name] for name in group) if full else size

    return with_shape(names, shape, sizes, change)


@believes("A name outside a group has the size of its dimension, whatever sizes says", about="axis_sizes")
def reads_single_names_off_the_shape(names, shape, sizes):
    """If sizes has the name, both have to agree: otherwise raise ValueError."""
    alone = [names_of(dim)[0] for dim in DIM.findall(names) if len(names_of(dim)) == 1]
    return solved.axis_sizes(names, shape, {name: size for name, size in sizes.items() if name not in alone})


@believes("A name has the size that sizes gives it, whatever the shape says", about="axis_sizes")
def reads_single_names_off_the_sizes(names, shape, sizes):
    """Both have to agree: otherwise raise ValueError."""

    def change(group, size):
        return sizes.get(group[0], size) if len(group) == 1 else size

    return with_shape(names, shape, sizes, change)


@believes("A 1 matches any size", about="axis_sizes")
def broadcasts_ones(names, shape, sizes):
    """In a pattern it means a dimension of size 1: raise ValueError for any other size."""
    return with_shape(names, shape, sizes, lambda group, size: size if group else 1)


@believes("A name in sizes that is not in the pattern is ignored", about="axis_sizes")
def ignores_other_sizes(names, shape, sizes):
    """It is usually a typo, and then the real name has no size: raise ValueError."""
    return solved.axis_sizes(names, shape, {name: size for name, size in sizes.items() if name in names_of(names)})


@believes("A name may occur twice, for the same dimension", about="axis_sizes")
def takes_names_twice(names, shape, sizes):
    """Each name has a dimension of its own: raise ValueError."""
    counts = {name: names_of(names).count(name) for name in names_of(names)}
    twice = [name for name, count in counts.items() if count > 1]
    if not twice:
        return solved.axis_sizes(names, shape, sizes)
    for name in twice:
        names = re.sub(rf"(?<!\w){name}(?!\w)", f"{name}_again", names, count=1)
    given = {f"{name}_again": sizes[name] for name in twice if name in sizes}
    found = solved.axis_sizes(names, shape, sizes | given)
    return {name: size for name, size in found.items() if not name.endswith("_again")}


@believes("If two names have no size, the first one takes all", about="axis_sizes")
def gives_all_to_the_first(names, shape, sizes):
    """Nothing says how to split a dimension between two such names: raise ValueError."""
    more = {name: 1 for dim in DIM.findall(names) for name in [name for name in names_of(dim) if name not in sizes][1:]}
    return solved.axis_sizes(names, shape, sizes | more)


@believes("Names and dimensions may differ in number", about="axis_sizes")
def pairs_what_there_is(names, shape, sizes):
    """zip silently stops at the shorter one: use strict=True, or compare the lengths first."""
    dims = DIM.findall(names)
    if re.sub(r"\([^()]*\)", "", names).strip("() ") != re.sub(r"\([^()]*\)", "", names).strip():
        return solved.axis_sizes(names, shape, sizes)
    count = min(len(dims), len(shape))
    return solved.axis_sizes(" ".join(dims[:count]), shape[:count], sizes)


@believes("An open parenthesis ends with its side", about="axis_sizes")
def closes_at_the_end(names, shape, sizes):
    """Each one has to be closed: raise ValueError."""
    missing = names.count("(") - names.count(")")
    return solved.axis_sizes(names + ")" * missing, shape, sizes)


@believes("Nested parentheses are one group", about="axis_sizes")
def flattens_groups(names, shape, sizes):
    """A group holds only names and ones: raise ValueError."""
    flat, depth = "", 0
    for letter in names:
        before, depth = depth, depth + (letter == "(") - (letter == ")")
        if depth < 0:
            return solved.axis_sizes(names, shape, sizes)
        flat += " " if max(before, depth) > 1 and letter in "()" else letter
    return solved.axis_sizes(flat if "()" not in flat.replace(" ", "") else names, shape, sizes)


@believes("Each parenthesis begins a dimension, inside another group too", about="axis_sizes")
def begins_dimensions_inside_groups(names, shape, sizes):
    """A group holds only names and ones: raise ValueError for a parenthesis inside one."""
    flat = re.sub(r"\(([^()]+)\(([^()]+)\) *\)", r"(\1) (\2)", names)
    return solved.axis_sizes(flat, shape, sizes)


@believes("axis_sizes accepts dots", about="axis_sizes")
def reads_dots(names, shape, sizes):
    """Dots have no size to return: axis_sizes raises a ValueError for them."""
    if "..." not in names or "..." in " ".join(re.findall(r"\([^()]*\)", names)):
        return solved.axis_sizes(names, shape, sizes)
    count = len(shape) - len(DIM.findall(names)) + 1
    found = solved.axis_sizes(names.replace("...", " ".join(f"_{n}" for n in range(count))), shape, sizes)
    return {name: size for name, size in found.items() if name[0] != "_"}


@believes("Upper and lower case make no difference", about="axis_sizes")
def lowers_names(names, shape, sizes):
    """Names are Python identifiers: b and B are two names."""
    renamed(names, sizes, str.lower)
    return solved.axis_sizes(names, shape, sizes)


@believes("Blanks alone separate names and groups", about="axis_sizes")
def cuts_at_blanks(names, shape, sizes):
    """Parentheses do as well: "heads(seq batch)" is a name and a group."""
    parts = re.findall(r"\([^)]*\)|\S+", names)
    joined = {part: f"joined{place}" for place, part in enumerate(parts) if re.search(r"^[^(]+[()]", part)}
    found = solved.axis_sizes(" ".join(joined.get(part, part) for part in parts), shape, sizes)
    return {next((part for part in joined if joined[part] == name), name): size for name, size in found.items()}


@believes("A 1 is a name, which may occur only once", about="axis_sizes")
def counts_ones_as_names(names, shape, sizes):
    """It has no name: each 1 is a dimension of its own, and there may be several."""
    if names.replace("(", " ").replace(")", " ").split().count("1") > 1:
        raise ValueError("1 twice")
    return solved.axis_sizes(names, shape, sizes)


@believes("list.remove takes every 1 out of a group", about="axis_sizes")
def removes_one_1(names, shape, sizes):
    """It removes only the first, and "(1 a 1)" has two: keep all words that are not 1."""
    found = solved.axis_sizes(with_one_1_removed(names), shape, sizes)
    return {"1" if name == "one" else name: size for name, size in found.items()}


@believes("A side has at least one dimension", about="axis_sizes")
def needs_a_dimension(names, shape, sizes):
    """An empty side describes the shape (), that of a single number: there are no sizes, and nothing is wrong."""
    if not names.strip():
        raise ValueError("an empty side")
    return solved.axis_sizes(names, shape, sizes)


@believes("sizes may be filled in", about="axis_sizes")
def fills_in_sizes(names, shape, sizes):
    """It belongs to the caller, who may use it for the next tensor: fill in a copy, dict(sizes)."""
    sizes.update(solved.axis_sizes(names, shape, sizes))
    return sizes


# rearrange_shape


@believes("The size of a group is the sum of its sizes", about="rearrange_shape")
def adds_up_groups(pattern, shape, sizes):
    """It is their product: a group of 2 heads of 4 has 2 · 4 = 8 elements."""
    _, right, size_of = solved._read(pattern, shape, sizes)
    return tuple(sum(size_of[name] for name in group) if group else 1 for group in right)


@believes("A float can hold any size", about="rearrange_shape")
def multiplies_floats(pattern, shape, sizes):
    """A float holds whole numbers exactly only up to 2**53; Python's int has no limit."""
    _, right, size_of = solved._read(pattern, shape, sizes)
    return tuple(int(math.prod(float(size_of[name]) for name in group)) for group in right)


@believes("Dots in a group stay several dimensions", about="rearrange_shape")
def keeps_dots_apart(pattern, shape, sizes):
    """A group is one dimension, whatever is in it: (... a) merges all of them."""
    solved.rearrange_shape(pattern, shape, sizes)
    left, right = solved._sides(pattern)
    apart = re.sub(
        r"\(([^()]*)\.\.\.([^()]*)\)",
        lambda group: f"... ({group[1]} {group[2]})" if names_of(group[1] + group[2]) else "...",
        right,
    )
    return solved.rearrange_shape(f"{left}->{apart}", shape, sizes)


@believes("A 1 on the right has no effect", about="rearrange_shape")
def drops_ones(pattern, shape, sizes):
    """It adds a dimension of size 1, as unsqueeze does."""
    solved.rearrange_shape(pattern, shape, sizes)
    left, right = solved._sides(pattern)
    return solved.rearrange_shape(f"{left}->{' '.join(d for d in DIM.findall(right) if names_of(d))}", shape, sizes)


@believes("The order on the right is the same as on the left", about="rearrange_shape")
def keeps_the_order(pattern, shape, sizes):
    """The right side gives the order too: names may change places, and their dimensions with them."""
    left, right, size_of = solved._read(pattern, shape, sizes)
    names = iter(solved._flat(left))
    return tuple(math.prod(size_of[next(names)] for _ in group) for group in right)


@believes("A name of size 1 may be left out", about="rearrange_shape")
def forgets_names_of_size_one(pattern, shape, sizes):
    """A pattern has to hold for every size: raise ValueError for a name on only one side."""
    pattern, sizes = without_ones(pattern, shape, sizes)
    return solved.rearrange_shape(pattern, shape, sizes)


@believes("A name with a size may be new on the right", about="rearrange_shape")
def lets_names_be_new(pattern, shape, sizes):
    """Only repeat takes new names: rearrange raises a ValueError."""
    _, right, size_of = solved._read(pattern, shape, sizes, gains=True)
    return solved._shape(right, size_of)


@believes("Dots may be on only one side if they stand for no dimension", about="rearrange_shape")
def forgets_dots_of_nothing(pattern, shape, sizes):
    """For another tensor they may stand for two: raise ValueError for dots on only one side."""
    left, right = solved._sides(pattern)
    if "..." in left and "..." not in right and "..." not in " ".join(re.findall(r"\([^()]*\)?", left)):
        left = left.replace("...", "", 1)
    return solved.rearrange_shape(f"{left}->{right}", shape, sizes)


@believes("Anything between two arrows is ignored", about="rearrange_shape")
def skips_what_is_between_arrows(pattern, shape, sizes):
    """A pattern has two sides and one arrow: raise ValueError."""
    sides = pattern.split("->")
    return solved.rearrange_shape("->".join([sides[0], *sides[1:][-1:]]), shape, sizes)


@believes("Names are told apart by their first letter", about="rearrange_shape")
def tells_names_by_their_first_letter(pattern, shape, sizes):
    """torch.einsum uses single letters; here seq1 and seq2 are two names, and so are heads and hidden."""
    pattern, sizes = renamed(pattern, sizes, lambda name: name[0])
    return solved.rearrange_shape(pattern, shape, sizes)


@believes("The right side has at least one dimension", about="rearrange_shape")
def needs_a_right_side(pattern, shape, sizes):
    """If it is empty, the result has no dimensions, as in "1 -> ": its shape is ()."""
    if not solved._sides(pattern)[1].strip():
        raise ValueError("nothing on the right")
    return solved.rearrange_shape(pattern, shape, sizes)


@believes("No pattern has a name that was made up for the dots", about="rearrange_shape")
def makes_up_names_that_are_there(pattern, shape, sizes):
    """It may have any name: make up names that are no identifiers, or look which ones are free."""
    made = solved.rearrange_shape(pattern, shape, sizes)
    left, _ = solved._sides(pattern)
    if "..." not in left:
        return made
    dots = " ".join(f"dim{place}" for place in range(len(shape) - len(solved._groups(left)) + 1))
    return solved.rearrange_shape(pattern.replace("...", dots), shape, sizes)


@believes("sizes may be filled in", about="rearrange_shape")
def fills_in_sizes_of_a_shape(pattern, shape, sizes):
    """It belongs to the caller, who may use it for the next tensor: fill in a copy, dict(sizes)."""
    made = solved.rearrange_shape(pattern, shape, sizes)
    filled_in(pattern, shape, sizes)
    return made


# rearrange


@believes("In a group on the left the first name is fastest", about="rearrange")
def splits_the_other_way(x, pattern, sizes):
    """The order is row-major, as in memory: in (a b), a is slow and b is fast."""
    solved.rearrange(x, pattern, sizes)
    left, right = solved._sides(pattern)
    return solved.rearrange(x, f"{turned(left)} -> {right}", sizes)


@believes("In a group on the right the first name is fastest", about="rearrange")
def joins_the_other_way(x, pattern, sizes):
    """As on the left, the order is row-major: in (a b), a is slow and b is fast."""
    solved.rearrange(x, pattern, sizes)
    left, right = solved._sides(pattern)
    return solved.rearrange(x, f"{left} -> {turned(right)}", sizes)


@believes("A reshape to the shape of the right side is enough", about="rearrange")
def only_reshapes(x, pattern, sizes):
    """A reshape keeps the order of all elements. If names change places, permute first."""
    return x.reshape(solved.rearrange_shape(pattern, tuple(x.shape), sizes))


@believes("permute takes the place where each dimension goes", about="rearrange")
def permutes_the_other_way(x, pattern, sizes):
    """permute(dims) says where each dimension of the result comes from."""
    left, right, size_of = solved._read(pattern, tuple(x.shape), sizes)
    names, goal = solved._flat(left), solved._flat(right)
    split = x.reshape([size_of[name] for name in names])
    return split.permute([goal.index(name) for name in names]).reshape(solved._shape(right, size_of))


@believes("A permuted tensor can always be viewed", about="rearrange")
def views_all_the_way(x, pattern, sizes):
    """view fails if no strides can express the result: use reshape, which then copies."""
    left, right, size_of = solved._read(pattern, tuple(x.shape), sizes)
    names = solved._flat(left)
    split = x.view([size_of[name] for name in names])
    return split.permute([names.index(n) for n in solved._flat(right)]).view(solved._shape(right, size_of))


@believes("The elements of x lie in memory in the order of its shape", about="rearrange")
def reads_the_storage(x, pattern, sizes):
    """A transposed or sliced x has other strides: go by its indices, as reshape and permute do."""
    strides = [math.prod(x.shape[dim + 1 :]) for dim in range(x.ndim)]
    return solved.rearrange(x.as_strided(x.shape, strides) if x.numel() else x, pattern, sizes)


@believes("Dots in a group stay several dimensions", about="rearrange")
def leaves_dots_apart(x, pattern, sizes):
    """A group is one dimension, whatever is in it: (... a) merges all of them."""
    made = solved.rearrange(x, pattern, sizes)
    return made.reshape(keeps_dots_apart(pattern, tuple(x.shape), sizes))


@believes("Dots stand for the first dimensions, wherever they are", about="rearrange")
def puts_dots_first(x, pattern, sizes):
    """They stand for the dimensions at their place in the pattern, on the left and on the right."""
    solved.rearrange(x, pattern, sizes)
    left, right = solved._sides(pattern)
    return solved.rearrange(x, f"... {left.replace('...', '')} -> {right}" if "..." in left else pattern, sizes)


@believes("torch's own error is enough if a group does not fit", about="rearrange")
def lets_reshape_refuse(x, pattern, sizes):
    """reshape raises a RuntimeError about internal shapes: raise ValueError."""
    try:
        return solved.rearrange(x, pattern, sizes)
    except ValueError as error:
        if "cannot be made of" in str(error):
            raise RuntimeError("shape is invalid for input") from None
        raise


@believes("A pattern has at least one name", about="rearrange")
def needs_a_name_to_rearrange(x, pattern, sizes):
    """It may have none: "-> 1" makes a single number a tensor of shape (1,), and dots alone are a side too."""
    if not re.search(r"[A-Za-z]", pattern):
        raise ValueError("no name")
    return solved.rearrange(x, pattern, sizes)


@believes("x may be rearranged in place", about="rearrange")
def rearranges_in_place(x, pattern, sizes):
    """x belongs to the caller: return a new tensor, or a view."""
    made = solved.rearrange(x, pattern, sizes).clone()
    written_to(x)
    return made


@believes("sizes may be filled in", about="rearrange")
def fills_in_sizes_of_x(x, pattern, sizes):
    """It belongs to the caller, who may use it for the next tensor: fill in a copy, dict(sizes)."""
    made = solved.rearrange(x, pattern, sizes)
    filled_in(pattern, tuple(x.shape), sizes)
    return made
