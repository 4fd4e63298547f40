"""Wrong answers that people give to kata 08, each with the belief behind it."""

import math
import re

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("08_axes")

DIM = re.compile(r"\([^()]*\)|[^\s()]+")
"""A dimension of a side: a group, a name, a 1 or dots."""


def _names(side):
    return [name for name in re.findall(r"[^\s()]+", side) if name != "1"]


def _turned(side):
    """The same side with the names in each group the other way round."""
    return re.sub(r"\(([^()]*)\)", lambda group: f"({' '.join(reversed(group[1].split()))})", side)


def _with_shape(names, shape, sizes, change):
    """The sizes for a shape in which each dimension is what `change` makes of its names and itself."""
    dims = DIM.findall(names)
    if len(dims) == len(shape):
        shape = tuple(change(_names(dim), size) for dim, size in zip(dims, shape, strict=True))
    return solved.axis_sizes(names, shape, sizes)


def _renamed(pattern, sizes, change):
    """The pattern and the sizes with other names; ValueError where two are the same then."""
    found = {name: change(name) for name in [*_names(pattern.replace("->", " ").replace(",", " ")), *sizes]}
    found["..."] = "..."
    if len({*found.values()}) < len(found):
        raise ValueError("a name twice")
    pattern = re.sub(r"[A-Za-z_]\w*", lambda name: found[name[0]], pattern)
    return pattern, {found[name]: size for name, size in sizes.items()}


def _spare(pattern, shape, sizes):
    """The pattern with a 1 in place of each name of size 1 that the right side lacks."""
    left, right = solved._sides(pattern)
    lost = {*_names(left)} - {*_names(right)} - {"..."}
    if not lost:
        return pattern, sizes
    _, _, size_of = solved._read(f"{left} -> {right} {' '.join(lost)}", shape, sizes, gains=True)
    if any(size_of[name] != 1 for name in lost):
        raise ValueError("a name is lost")
    for name in lost:
        left = re.sub(rf"(?<!\w){name}(?!\w)", "1", left)
    return f"{left} -> {right}", {name: size for name, size in sizes.items() if name not in lost}


def _written_to(x):
    """What writes to x where it has elements."""
    x.copy_(x.flip(-1) if x.ndim and x.shape[-1] > 1 else x + 1)


# axis_sizes


@believes("What is left over in a division is dropped", about="axis_sizes")
def rounds_down(names, shape, sizes):
    """A dimension of 7 is not made of two heads: // rounds down silently, so look at % first."""

    def change(group, size):
        known = math.prod(sizes.get(name, 1) for name in group)
        return size - size % known if any(name not in sizes for name in group) else size

    return _with_shape(names, shape, sizes, change)


@believes("A group whose sizes are all given needs no look at the shape", about="axis_sizes")
def trusts_full_groups(names, shape, sizes):
    """The sizes have to make the dimension: their product is compared with it."""

    def change(group, size):
        full = len(group) > 1 and all(name in sizes for name in group)
        return math.prod(sizes[name] for name in group) if full else size

    return _with_shape(names, shape, sizes, change)


@believes("A name alone has the size of its dimension, whatever sizes says", about="axis_sizes")
def reads_single_names_off_the_shape(names, shape, sizes):
    """A size that is given is a promise, and one that the shape breaks is an error."""
    alone = [_names(dim)[0] for dim in DIM.findall(names) if len(_names(dim)) == 1]
    return solved.axis_sizes(names, shape, {name: size for name, size in sizes.items() if name not in alone})


@believes("A name has the size that sizes gives it, whatever the shape says", about="axis_sizes")
def reads_single_names_off_the_sizes(names, shape, sizes):
    """Sizes and shape have to say the same; einops stretches nothing."""

    def change(group, size):
        return sizes.get(group[0], size) if len(group) == 1 else size

    return _with_shape(names, shape, sizes, change)


@believes("A 1 goes with any size", about="axis_sizes")
def broadcasts_ones(names, shape, sizes):
    """That is broadcasting. In a pattern a 1 says that the dimension has size 1, and any other is an error."""
    return _with_shape(names, shape, sizes, lambda group, size: size if group else 1)


@believes("A size of a name that is not there does no harm", about="axis_sizes")
def ignores_other_sizes(names, shape, sizes):
    """It is mostly a slip of the pen, and then another name has no size: einops refuses it."""
    return solved.axis_sizes(names, shape, {name: size for name, size in sizes.items() if name in _names(names)})


@believes("A name that comes twice is one and the same dimension", about="axis_sizes")
def takes_names_twice(names, shape, sizes):
    """In einsum it would be a diagonal; here each name has a dimension of its own, and twice is an error."""
    counts = {name: _names(names).count(name) for name in _names(names)}
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
    more = {name: 1 for dim in DIM.findall(names) for name in [name for name in _names(dim) if name not in sizes][1:]}
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
    _renamed(names, sizes, str.lower)
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
        lambda group: f"... ({group[1]} {group[2]})" if _names(group[1] + group[2]) else "...",
        right,
    )
    return solved.rearrange_shape(f"{left}->{apart}", shape, sizes)


@believes("A 1 on the right is only written for the eye", about="rearrange_shape")
def drops_ones(pattern, shape, sizes):
    """It is a dimension of size 1, as unsqueeze makes one."""
    solved.rearrange_shape(pattern, shape, sizes)
    left, right = solved._sides(pattern)
    return solved.rearrange_shape(f"{left}->{' '.join(d for d in DIM.findall(right) if _names(d))}", shape, sizes)


@believes("The right side says how to group, and the order is that of the left", about="rearrange_shape")
def keeps_the_order(pattern, shape, sizes):
    """The right side says both: names may change places, and the dimensions go with them."""
    left, right, size_of = solved._read(pattern, shape, sizes)
    names = iter(solved._flat(left))
    return tuple(math.prod(size_of[next(names)] for _ in group) for group in right)


@believes("A name of size 1 may be left out", about="rearrange_shape")
def forgets_names_of_size_one(pattern, shape, sizes):
    """No number would be lost, but the pattern has to hold for every size: a name on one side alone is refused."""
    pattern, sizes = _spare(pattern, shape, sizes)
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
    pattern, sizes = _renamed(pattern, sizes, lambda name: name[0])
    return solved.rearrange_shape(pattern, shape, sizes)


# rearrange


@believes("In a group on the left the first name runs fastest", about="rearrange")
def splits_the_other_way(x, pattern, sizes):
    """Row-major, as in memory: in (a b) a is outside and slow, b is inside and fast."""
    solved.rearrange(x, pattern, sizes)
    left, right = solved._sides(pattern)
    return solved.rearrange(x, f"{_turned(left)} -> {right}", sizes)


@believes("In a group on the right the first name runs fastest", about="rearrange")
def joins_the_other_way(x, pattern, sizes):
    """The same way round as on the left: in (a b) a is outside and slow, b is inside and fast."""
    solved.rearrange(x, pattern, sizes)
    left, right = solved._sides(pattern)
    return solved.rearrange(x, f"{left} -> {_turned(right)}", sizes)


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
    _written_to(x)
    return made


# reduce


def _reduced(x, pattern, op, sizes, change):
    """reduce with another way to reduce these dimensions."""
    solved.reduce(x, pattern, op, sizes)
    left, right, size_of = solved._read(pattern, tuple(x.shape), sizes, loses=True)
    names, kept = solved._flat(left), solved._flat(right)
    x = solved._split(x, left, size_of)
    lost = [place for place, name in enumerate(names) if name not in kept]
    x = change(x, lost)
    return solved._ordered(x, [name for name in names if name in kept], right, size_of)


@believes("The right side says what is reduced away", about="reduce")
def reduces_what_is_named(x, pattern, op, sizes):
    """What is named stays, as in einsum: the right side says what the result looks like."""
    left, right, size_of = solved._read(pattern, tuple(x.shape), sizes, loses=True)
    solved.reduce(x, pattern, op, sizes)
    names, kept = solved._flat(left), solved._flat(right)
    rest = [name for name in names if name not in kept]
    if any(size_of[name] == 0 for name in kept) and op in ("max", "min"):
        raise ValueError("nothing to reduce")
    short = f"{' '.join(names)} -> {' '.join(rest)}"
    return solved.reduce(solved._split(x, left, size_of), short, op, {})


@believes("A dimension that is reduced away stays with size 1", about="reduce")
def keeps_dimensions(x, pattern, op, sizes):
    """That is keepdim=True. In a pattern a 1 on the right says so where it is wanted."""
    made = solved.reduce(x, pattern, op, sizes)
    left, right, _ = solved._read(pattern, tuple(x.shape), sizes, loses=True)
    lost = {*solved._flat(left)} - {*solved._flat(right)}
    return made.reshape([*made.shape, *[1] * len(lost)])


@believes("Without a dimension to reduce, torch reduces none", about="reduce")
def reduces_all_for_nothing(x, pattern, op, sizes):
    """x.sum(dim=[]) sums all of x: where no name is lost, leave x as it is."""

    def change(split, lost):
        return solved.OPS[op](split, lost or [*range(split.ndim)])

    return _reduced(x, pattern, op, sizes, change)


@believes("The largest number is at least 0", about="reduce")
def starts_from_zero(x, pattern, op, sizes):
    """Begin with the first number, or with minus infinity: a maximum of negative numbers is negative."""
    made = solved.reduce(x, pattern, op, sizes)
    return made.clamp(min=0) if op == "max" else made


@believes("min and max look at the size of a number without its sign", about="reduce")
def compares_magnitudes(x, pattern, op, sizes):
    """-3 is less than 2; torch.amax and torch.amin compare with the sign."""
    return solved.reduce(x.abs() if op in ("max", "min") else x, pattern, op, sizes)


@believes("The mean of no numbers is 0", about="reduce")
def takes_the_mean_of_nothing_for_zero(x, pattern, op, sizes):
    """0 divided by 0 numbers is no number: torch says NaN."""
    return solved.reduce(x, pattern, op, sizes).nan_to_num(0.0)


@believes("A mean is a sum over the number of all elements", about="reduce")
def divides_by_all(x, pattern, op, sizes):
    """Divide by how many numbers make one of the result: by the sizes of what is reduced away alone."""
    made = solved.reduce(x, pattern, op, sizes)
    return solved.reduce(x, pattern, "sum", sizes) / x.numel() if op == "mean" and x.numel() else made


@believes("Where nothing is reduced away, any op will do", about="reduce")
def looks_at_the_op_when_it_needs_it(x, pattern, op, sizes):
    """A wrong word is a slip that shows up only later, with another pattern: refuse it each time."""
    left, right, _ = solved._read(pattern, tuple(x.shape), sizes, loses=True)
    nothing = {*solved._flat(left)} <= {*solved._flat(right)}
    return solved.reduce(x, pattern, op if op in solved.OPS or not nothing else "sum", sizes)


@believes("An op that nobody knows is a sum", about="reduce")
def sums_by_default(x, pattern, op, sizes):
    """A default hides a slip such as "avg": refuse what is none of the four."""
    return solved.reduce(x, pattern, op if op in solved.OPS else "sum", sizes)


@believes("Dots cannot be reduced away", about="reduce")
def needs_dots_on_the_right(x, pattern, op, sizes):
    """They are like names here: what the right side lacks goes, and "a ... -> a" is a fine pattern."""
    left, right = solved._sides(pattern)
    if "..." in left and "..." not in right:
        raise ValueError("dots on the left alone")
    return solved.reduce(x, pattern, op, sizes)


@believes("A name on the right that has a size is new", about="reduce")
def repeats_as_well(x, pattern, op, sizes):
    """repeat has new names. reduce makes less of x, and refuses a name that the left side lacks."""
    left, right = solved._sides(pattern)
    new = [name for name in _names(right) if name not in _names(left) and name in sizes]
    if not new:
        return solved.reduce(x, pattern, op, sizes)
    fewer = {name: size for name, size in sizes.items() if name not in new}
    kept = " ".join(name for name in _names(right) if name not in new)
    made = solved.reduce(x, f"{left} -> {kept}", op, fewer)
    return solved.repeat(made, f"{kept} -> {right}", {name: sizes[name] for name in new})


@believes("What is left keeps its order", about="reduce")
def reduces_without_a_permute(x, pattern, op, sizes):
    """The right side also says in which order the rest comes, and how it is grouped: go on as rearrange does."""
    right = solved.reduce(x, pattern, op, sizes)
    left, names = solved._sides(pattern)
    kept = [name for name in _names(left) if name in _names(names)]
    return solved.reduce(x, f"{left} -> {' '.join(kept)}", op, sizes).reshape(right.shape)


@believes("x may be reduced in place", about="reduce")
def reduces_in_place(x, pattern, op, sizes):
    """The tensor belongs to whoever called, and may be used again."""
    made = solved.reduce(x, pattern, op, sizes).clone()
    _written_to(x)
    return made


# repeat


def _repeated(x, pattern, sizes, last):
    """repeat with the new names of each group on the right last, or first."""
    solved.repeat(x, pattern, sizes)
    left, right = solved._sides(pattern)
    mine = _names(left)

    def group(found):
        return f"({' '.join(sorted(_names(found[1]), key=lambda name: (name in mine) != last))})"

    grouped = re.sub(r"\(([^()]*)\)", group, right)
    return solved.repeat(x, f"{left} -> {grouped}", sizes)


@believes("x is laid down as a whole, once more and once more", about="repeat")
def tiles(x, pattern, sizes):
    """That is torch's repeat, (new a). In (a new) each number is repeated before the next one comes."""
    return _repeated(x, pattern, sizes, last=False)


@believes("Each number is repeated before the next one comes", about="repeat")
def interleaves(x, pattern, sizes):
    """That is repeat_interleave, (a new). In (new a) all of a comes, and then all of it again."""
    return _repeated(x, pattern, sizes, last=True)


@believes("New dimensions come first", about="repeat")
def puts_new_names_first(x, pattern, sizes):
    """They come where the right side names them."""
    solved.repeat(x, pattern, sizes)
    left, right = solved._sides(pattern)
    mine = _names(left)
    dims = sorted(DIM.findall(right), key=lambda dim: not _names(dim) or any(name in mine for name in _names(dim)))
    return solved.repeat(x, f"{left} -> {' '.join(dims)}", sizes)


@believes("A dimension of size 1 can be made larger", about="repeat")
def stretches_ones(x, pattern, sizes):
    """That is broadcasting. Here a name has one size, and what is repeated gets a name of its own."""
    left, _ = solved._sides(pattern)
    dims = DIM.findall(left)
    if len(dims) == x.ndim:
        for place, dim in enumerate(dims):
            if len(_names(dim)) == 1 and x.shape[place] == 1:
                x = x.expand([sizes.get(_names(dim)[0], 1) if at == place else n for at, n in enumerate(x.shape)])
    return solved.repeat(x, pattern, sizes)


@believes("A new name without a size is there once", about="repeat")
def gives_new_names_size_one(x, pattern, sizes):
    """A 1 says that. A name without a size was mostly forgotten, and is refused."""
    left, right = solved._sides(pattern)
    new = {name: 1 for name in _names(right) if name not in _names(left) and name not in sizes and name != "..."}
    return solved.repeat(x, pattern, sizes | new)


@believes("A name of size 1 may be left out", about="repeat")
def loses_names_of_size_one(x, pattern, sizes):
    """The pattern has to hold for every size: repeat loses no name, and reduce does."""
    return solved.repeat(x, *_spare(pattern, tuple(x.shape), sizes))


@believes("What is repeated is added up", about="repeat")
def shares_out(x, pattern, sizes):
    """Every copy is the number itself; nothing is shared out among the copies."""
    made = solved.repeat(x, pattern, sizes)
    return made * (x.numel() / made.numel() if made.numel() else 1.0)


@believes("x may be made larger in place", about="repeat")
def repeats_in_place(x, pattern, sizes):
    """The tensor belongs to whoever called, and may be used again."""
    made = solved.repeat(x, pattern, sizes).clone()
    _written_to(x)
    return made


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
    return solved.einsum(x, y, _renamed(pattern, {}, lambda name: name[0])[0])


@believes("The product may be made in x", about="einsum")
def multiplies_in_place(x, y, pattern):
    """Both operands belong to whoever called, and may be used again."""
    made = solved.einsum(x, y, pattern).clone()
    _written_to(x)
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
    _written_to(x)
    return made


# patchify


def _by(images, patch, pattern):
    solved.patchify(images, patch)
    return solved.rearrange(images, pattern, {"h": patch, "w": patch})


@believes("The channel runs fastest, as in a picture file", about="patchify")
def puts_channels_last(images, patch):
    """(c h w), the order of a convolution's weights: all of one channel, then all of the next."""
    return _by(images, patch, "b c (i h) (j w) -> b (i j) (h w c)")


@believes("Patches come column by column", about="patchify")
def walks_down(images, patch):
    """They come as one reads: along a row, and then the next row."""
    return _by(images, patch, "b c (i h) (j w) -> b (j i) (c h w)")


@believes("Within a patch the row runs fastest", about="patchify")
def turns_patches(images, patch):
    """The column is fastest, as everywhere in torch: (c h w)."""
    return _by(images, patch, "b c (i h) (j w) -> b (i j) (c w h)")


@believes("A patch is every n-th row and column", about="patchify")
def takes_every_nth(images, patch):
    """The rows of a patch are neighbours, so its number is outside: (i h), not (h i)."""
    return _by(images, patch, "b c (h i) (w j) -> b (i j) (c h w)")


@believes("A reshape to the right shape is enough", about="patchify")
def only_reshapes_images(images, patch):
    """The numbers of a patch are not neighbours in memory: split, permute, and only then put together."""
    return images.reshape(solved.patchify(images, patch).shape)


@believes("The result is (batch, numbers, patches), as unfold has it", about="patchify")
def swaps_patches_and_numbers(images, patch):
    """unfold gives a column for each patch; here each patch is a row, like a token."""
    return solved.patchify(images, patch).transpose(1, 2)


@believes("What makes no whole patch is cut off", about="patchify")
def crops(images, patch):
    """The edge of the picture would be lost without a word: a side that patch does not divide is refused."""
    height, width = (size // patch * patch for size in images.shape[2:])
    return solved.patchify(images[:, :, :height, :width], patch)


@believes("What makes no whole patch is filled up with zeros", about="patchify")
def pads(images, patch):
    """Nobody asked for numbers that are not there: a side that patch does not divide is refused."""
    height, width = images.shape[2:]
    return solved.patchify(torch.nn.functional.pad(images, (0, -width % patch, 0, -height % patch)), patch)


@believes("It is enough that the height fits", about="patchify")
def looks_at_the_height_alone(images, patch):
    """Height and width are two sizes, and patch has to divide both."""
    if images.shape[2] % patch == 0:
        images = images[..., : images.shape[3] // patch * patch]
    return solved.patchify(images, patch)


@believes("torch's own error will do", about="patchify")
def lets_torch_refuse_patches(images, patch):
    """It is a RuntimeError about a shape that the caller never wrote; the stub promises a ValueError."""
    if images.shape[2] % patch or images.shape[3] % patch:
        raise RuntimeError("shape is invalid for input")
    return solved.patchify(images, patch)


@believes("The images may be cut up in place", about="patchify")
def overwrites_images(images, patch):
    """They belong to whoever called, and may be used again."""
    made = solved.patchify(images, patch).clone()
    _written_to(images)
    return made


# grouped_attention


def _attention(q, k, v, weigh=lambda scores: scores.softmax(-1), scale=None):
    """Attention in which k and v have as many heads as q, with other weights."""
    return weigh(q @ k.mT / (q.shape[-1] ** 0.5 if scale is None else scale)) @ v


def _shared(q, k):
    if q.shape[1] % k.shape[1]:
        raise ValueError("kv_heads does not divide heads")
    return q.shape[1] // k.shape[1]


@believes("Heads take turns: head h uses head h % kv_heads of k and v", about="grouped_attention")
def takes_turns(q, k, v):
    """Neighbours share one: head h uses head h // group. k has to be repeated head by head, not as a whole."""
    group = _shared(q, k)
    return _attention(q, k.repeat(1, group, 1, 1), v.repeat(1, group, 1, 1))


@believes("Scores need no scale", about="grouped_attention")
def forgets_the_scale(q, k, v):
    """A sum of d products grows with the root of d; divided by it, the softmax stays as soft whatever d is."""
    group = _shared(q, k)
    return _attention(q, k.repeat_interleave(group, 1), v.repeat_interleave(group, 1), scale=1.0)


@believes("Scores are divided by d", about="grouped_attention")
def divides_by_d(q, k, v):
    """By its root: the spread of a sum of d products grows with sqrt(d)."""
    group = _shared(q, k)
    return _attention(q, k.repeat_interleave(group, 1), v.repeat_interleave(group, 1), scale=q.shape[-1])


@believes("d is the width of all heads together", about="grouped_attention")
def divides_by_the_root_of_all(q, k, v):
    """Each head is an attention of its own, and d is what its own products run over."""
    group = _shared(q, k)
    scale = (q.shape[1] * q.shape[-1]) ** 0.5
    return _attention(q, k.repeat_interleave(group, 1), v.repeat_interleave(group, 1), scale=scale)


@believes("The softmax runs over the queries", about="grouped_attention")
def weighs_queries(q, k, v):
    """Each query shares out a weight of 1 among the keys: softmax over the last dimension of the scores."""
    group = _shared(q, k)
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)
    return _attention(q, k, v, lambda scores: scores.softmax(-2))


@believes("A query sees only the keys up to its own place", about="grouped_attention")
def masks_the_future(q, k, v):
    """That is the mask of a language model. Here there is none, and q and k may differ in length."""
    group = _shared(q, k)
    k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)

    def weigh(scores):
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu(1)
        return scores.masked_fill(hidden, -torch.inf).softmax(-1)

    return _attention(q, k, v, weigh)


@believes("Groups of different sizes are no harm", about="grouped_attention")
def lets_the_last_group_be_short(q, k, v):
    """A head of k and v is shared by as many heads of q each; a number that does not divide is refused."""
    group = -(-q.shape[1] // k.shape[1])
    k, v = (x.repeat_interleave(group, 1)[:, : q.shape[1]] for x in (k, v))
    return _attention(q, k, v)


@believes("torch's own error will do", about="grouped_attention")
def lets_torch_refuse_groups(q, k, v):
    """It is a RuntimeError about a shape that the caller never wrote; the stub promises a ValueError."""
    if q.shape[1] % k.shape[1]:
        raise RuntimeError("shape is invalid for input")
    return solved.grouped_attention(q, k, v)


@believes("q may be scaled in place", about="grouped_attention")
def scales_in_place(q, k, v):
    """q belongs to whoever called, and may be used again: q / sqrt(d) makes a new tensor, q /= sqrt(d) does not."""
    made = solved.grouped_attention(q, k, v)
    q.div_(2.0)
    return made
