"""Changes of a pattern, as a mistaken reader makes them."""

import re

from dojo.judging.diagnose import solution

solved = solution("08_axes")

DIM = re.compile(r"\([^()]*\)|[^\s()]+")
"""A dimension of a side: a group, a name, a 1 or dots."""


def names_of(side):
    """The names and dots of a side."""
    return [name for name in re.findall(r"[^\s()]+", side) if name != "1"]


def turned(side):
    """The same side with the names in each group the other way round."""
    return re.sub(r"\(([^()]*)\)", lambda group: f"({' '.join(reversed(group[1].split()))})", side)


def with_one_1_removed(side):
    """The same side, in which the second 1 of a group is a name: one."""

    def change(group):
        first, *more = re.split(r"(?<!\w)1(?!\w)", group[0])
        return f"{first}1{'one'.join(more)}" if more else first

    return re.sub(r"\([^()]*\)", change, side)


def with_shape(names, shape, sizes, change):
    """The sizes for a shape in which each dimension is what `change` makes of its names and itself."""
    dims = DIM.findall(names)
    if len(dims) == len(shape):
        shape = tuple(change(names_of(dim), size) for dim, size in zip(dims, shape, strict=True))
    return solved.axis_sizes(names, shape, sizes)


def renamed(pattern, sizes, change):
    """The pattern and the sizes with other names; ValueError where two are the same then."""
    found = {name: change(name) for name in [*names_of(pattern.replace("->", " ").replace(",", " ")), *sizes]}
    found["..."] = "..."
    if len({*found.values()}) < len(found):
        raise ValueError("a name twice")
    pattern = re.sub(r"[A-Za-z_]\w*", lambda name: found[name[0]], pattern)
    return pattern, {found[name]: size for name, size in sizes.items()}


def without_ones(pattern, shape, sizes):
    """The pattern with a 1 in place of each name of size 1 that the right side lacks."""
    left, right = solved._sides(pattern)
    lost = {*names_of(left)} - {*names_of(right)} - {"..."}
    if not lost:
        return pattern, sizes
    _, _, size_of = solved._read(f"{left} -> {right} {' '.join(lost)}", shape, sizes, gains=True)
    if any(size_of[name] != 1 for name in lost):
        raise ValueError("a name is lost")
    for name in lost:
        left = re.sub(rf"(?<!\w){name}(?!\w)", "1", left)
    return f"{left} -> {right}", {name: size for name, size in sizes.items() if name not in lost}


def filled_in(pattern, shape, sizes):
    """Write the size of each name into sizes."""
    sizes.update(solved._read(pattern, shape, sizes, loses=True, gains=True)[2])


def written_to(x):
    """What writes to x where it has elements."""
    x.copy_(x.flip(-1) if x.ndim and x.shape[-1] > 1 else x + 1)
