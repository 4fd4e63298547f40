"""Wrong answers that people give to kata 08 about tensors that are reduced and repeated."""

import re

from dojo.judging.diagnose import believes, solution

from .misread import DIM, filled_in, names_of, without_ones, written_to

solved = solution("08_axes")


# reduce


def _reduced(x, pattern, op, sizes, change):
    """Run reduce with another way to reduce these dimensions."""
    solved.reduce(x, pattern, op, sizes)
    left, right, size_of = solved._read(pattern, tuple(x.shape), sizes, loses=True)
    names, kept = solved._flat(left), solved._flat(right)
    x = solved._split(x, left, size_of)
    lost = [place for place, name in enumerate(names) if name not in kept]
    x = change(x, lost)
    return solved._ordered(x, [name for name in names if name in kept], right, size_of)


@believes("The right side names what is reduced", about="reduce")
def reduces_what_is_named(x, pattern, op, sizes):
    """It names what is kept: everything else is reduced."""
    left, right, size_of = solved._read(pattern, tuple(x.shape), sizes, loses=True)
    solved.reduce(x, pattern, op, sizes)
    names, kept = solved._flat(left), solved._flat(right)
    rest = [name for name in names if name not in kept]
    if any(size_of[name] == 0 for name in kept) and op in ("max", "min"):
        raise ValueError("nothing to reduce")
    short = f"{' '.join(names)} -> {' '.join(rest)}"
    return solved.reduce(solved._split(x, left, size_of), short, op, {})


@believes("A reduced dimension stays with size 1", about="reduce")
def keeps_dimensions(x, pattern, op, sizes):
    """keepdim=True does that. Here a reduced dimension is gone, unless the right side has a 1."""
    made = solved.reduce(x, pattern, op, sizes)
    left, right, _ = solved._read(pattern, tuple(x.shape), sizes, loses=True)
    lost = {*solved._flat(left)} - {*solved._flat(right)}
    return made.reshape([*made.shape, *[1] * len(lost)])


@believes("torch reduces nothing for an empty list of dimensions", about="reduce")
def reduces_all_for_nothing(x, pattern, op, sizes):
    """x.sum(dim=[]) sums over all of x: if every name is kept, do not reduce."""

    def change(split, lost):
        return solved.OPS[op](split, lost or [*range(split.ndim)])

    return _reduced(x, pattern, op, sizes, change)


@believes("A maximum is at least 0", about="reduce")
def starts_from_zero(x, pattern, op, sizes):
    """The maximum of negative numbers is negative: start with the first number, or with -inf."""
    made = solved.reduce(x, pattern, op, sizes)
    return made.clamp(min=0) if op == "max" else made


@believes("min and max compare absolute values", about="reduce")
def compares_magnitudes(x, pattern, op, sizes):
    """They compare with the sign, as torch.amin and torch.amax do: -3 is less than 2."""
    return solved.reduce(x.abs() if op in ("max", "min") else x, pattern, op, sizes)


@believes("The mean of no numbers is 0", about="reduce")
def takes_the_mean_of_nothing_for_zero(x, pattern, op, sizes):
    """It is 0 / 0, which is NaN."""
    return solved.reduce(x, pattern, op, sizes).nan_to_num(0.0)


@believes("A mean is divided by the number of all elements", about="reduce")
def divides_by_all(x, pattern, op, sizes):
    """It is divided by the number of elements behind each result: the product of the reduced sizes."""
    made = solved.reduce(x, pattern, op, sizes)
    return solved.reduce(x, pattern, "sum", sizes) / x.numel() if op == "mean" and x.numel() else made


@believes("If nothing is reduced, any op is accepted", about="reduce")
def looks_at_the_op_when_it_needs_it(x, pattern, op, sizes):
    """A typo would show up only later, with another pattern: check op first."""
    left, right, _ = solved._read(pattern, tuple(x.shape), sizes, loses=True)
    nothing = {*solved._flat(left)} <= {*solved._flat(right)}
    return solved.reduce(x, pattern, op if op in solved.OPS or not nothing else "sum", sizes)


@believes("An unknown op is a sum", about="reduce")
def sums_by_default(x, pattern, op, sizes):
    """A typo would go unnoticed: raise ValueError for any op but the four."""
    return solved.reduce(x, pattern, op if op in solved.OPS else "sum", sizes)


@believes("Dots cannot be reduced", about="reduce")
def needs_dots_on_the_right(x, pattern, op, sizes):
    """They can, like names: in "a ... -> a" they are reduced."""
    left, right = solved._sides(pattern)
    if "..." in left and "..." not in right:
        raise ValueError("dots on the left alone")
    return solved.reduce(x, pattern, op, sizes)


@believes("A name with a size may be new on the right", about="reduce")
def repeats_as_well(x, pattern, op, sizes):
    """Only repeat takes new names: reduce raises a ValueError."""
    left, right = solved._sides(pattern)
    new = [name for name in names_of(right) if name not in names_of(left) and name in sizes]
    if not new:
        return solved.reduce(x, pattern, op, sizes)
    fewer = {name: size for name, size in sizes.items() if name not in new}
    kept = " ".join(name for name in names_of(right) if name not in new)
    made = solved.reduce(x, f"{left} -> {kept}", op, fewer)
    return solved.repeat(made, f"{kept} -> {right}", {name: sizes[name] for name in new})


@believes("The dimensions that are left keep their order", about="reduce")
def reduces_without_a_permute(x, pattern, op, sizes):
    """The right side also gives their order and groups: continue as rearrange does."""
    right = solved.reduce(x, pattern, op, sizes)
    left, names = solved._sides(pattern)
    kept = [name for name in names_of(left) if name in names_of(names)]
    return solved.reduce(x, f"{left} -> {' '.join(kept)}", op, sizes).reshape(right.shape)


@believes("x may be overwritten", about="reduce")
def reduces_in_place(x, pattern, op, sizes):
    """x belongs to the caller: return a new tensor."""
    made = solved.reduce(x, pattern, op, sizes).clone()
    written_to(x)
    return made


@believes("sizes may be filled in", about="reduce")
def fills_in_sizes_to_reduce(x, pattern, op, sizes):
    """It belongs to the caller, who may use it for the next tensor: fill in a copy, dict(sizes)."""
    made = solved.reduce(x, pattern, op, sizes)
    filled_in(pattern, tuple(x.shape), sizes)
    return made


# repeat


def _repeated(x, pattern, sizes, last):
    """Run repeat with the new names of each group on the right last, or first."""
    solved.repeat(x, pattern, sizes)
    left, right = solved._sides(pattern)
    mine = names_of(left)

    def group(found):
        return f"({' '.join(sorted(names_of(found[1]), key=lambda name: (name in mine) != last))})"

    grouped = re.sub(r"\(([^()]*)\)", group, right)
    return solved.repeat(x, f"{left} -> {grouped}", sizes)


@believes("x is repeated as a whole", about="repeat")
def tiles(x, pattern, sizes):
    """That is (new a), as torch's repeat does. In (a new) each element is repeated before the next one."""
    return _repeated(x, pattern, sizes, last=False)


@believes("Each element is repeated before the next one", about="repeat")
def interleaves(x, pattern, sizes):
    """That is (a new), as repeat_interleave does. In (new a) x is repeated as a whole."""
    return _repeated(x, pattern, sizes, last=True)


@believes("New dimensions come first", about="repeat")
def puts_new_names_first(x, pattern, sizes):
    """They go where the right side puts them."""
    solved.repeat(x, pattern, sizes)
    left, right = solved._sides(pattern)
    mine = names_of(left)
    dims = sorted(DIM.findall(right), key=lambda dim: not names_of(dim) or any(name in mine for name in names_of(dim)))
    return solved.repeat(x, f"{left} -> {' '.join(dims)}", sizes)


@believes("A dimension of size 1 can be enlarged", about="repeat")
def stretches_ones(x, pattern, sizes):
    """A name has one size: raise ValueError, and use a new name to repeat x."""
    left, _ = solved._sides(pattern)
    dims = DIM.findall(left)
    if len(dims) == x.ndim:
        for place, dim in enumerate(dims):
            if len(names_of(dim)) == 1 and x.shape[place] == 1:
                x = x.expand([sizes.get(names_of(dim)[0], 1) if at == place else n for at, n in enumerate(x.shape)])
    return solved.repeat(x, pattern, sizes)


@believes("A new name without a size has size 1", about="repeat")
def gives_new_names_size_one(x, pattern, sizes):
    """A 1 in the pattern means that. A new name has to be in sizes: raise ValueError."""
    left, right = solved._sides(pattern)
    new = {name: 1 for name in names_of(right) if name not in names_of(left) and name not in sizes and name != "..."}
    return solved.repeat(x, pattern, sizes | new)


@believes("A name of size 1 may be left out", about="repeat")
def loses_names_of_size_one(x, pattern, sizes):
    """A pattern has to hold for every size: repeat raises a ValueError for a name that the right side lacks."""
    return solved.repeat(x, *without_ones(pattern, tuple(x.shape), sizes))


@believes("The left side has at least one name", about="repeat")
def needs_a_name_to_repeat(x, pattern, sizes):
    """It may have none: "-> a" repeats a single number, and all names are new."""
    if not re.search(r"[A-Za-z]", solved._sides(pattern)[0]):
        raise ValueError("no name on the left")
    return solved.repeat(x, pattern, sizes)


@believes("The copies add up to the original", about="repeat")
def shares_out(x, pattern, sizes):
    """Each copy is the number itself."""
    made = solved.repeat(x, pattern, sizes)
    return made * (x.numel() / made.numel() if made.numel() else 1.0)


@believes("x may be overwritten", about="repeat")
def repeats_in_place(x, pattern, sizes):
    """x belongs to the caller: return a new tensor."""
    made = solved.repeat(x, pattern, sizes).clone()
    written_to(x)
    return made


@believes("sizes may be filled in", about="repeat")
def fills_in_sizes_to_repeat(x, pattern, sizes):
    """It belongs to the caller, who may use it for the next tensor: fill in a copy, dict(sizes)."""
    made = solved.repeat(x, pattern, sizes)
    filled_in(pattern, tuple(x.shape), sizes)
    return made
