"""Kata 08, solved."""

import math
import re

import torch
from torch import Tensor

Shape = tuple[int, ...]

Groups = list[list[str]]
"""The names of each dimension; one of size 1 has none."""

OPS = {"sum": torch.sum, "mean": torch.mean, "max": torch.amax, "min": torch.amin}


def axis_sizes(names: str, shape: Shape, sizes: dict[str, int]) -> dict[str, int]:
    """Compute at most one size per group, from the dimension and the other sizes in the group."""
    groups = _groups(names)
    if len(groups) != len(shape) or "..." in names:
        raise ValueError(f"{names!r} does not name the dimensions of {shape}")
    found: dict[str, int] = {}
    for group, size in zip(groups, shape, strict=True):
        known = math.prod(sizes.get(name, 1) for name in group)
        missing = [name for name in group if name not in sizes]
        if len(missing) > 1 or size % known or (not missing and size != known):
            raise ValueError(f"{group} cannot be made of a dimension of size {size}")
        found |= {name: sizes.get(name, size // known) for name in group}
    if not sizes.keys() <= found.keys():
        raise ValueError(f"{sizes} has names that {names!r} lacks")
    return found


def rearrange_shape(pattern: str, shape: Shape, sizes: dict[str, int]) -> Shape:
    """Multiply the sizes of each group on the right."""
    _, right, size_of = _read(pattern, shape, sizes)
    return _shape(right, size_of)


def rearrange(x: Tensor, pattern: str, sizes: dict[str, int]) -> Tensor:
    """Reshape so that every name has a dimension, permute, and reshape to the groups on the right."""
    left, right, size_of = _read(pattern, tuple(x.shape), sizes)
    return _ordered(_split(x, left, size_of), _flat(left), right, size_of)


def reduce(x: Tensor, pattern: str, op: str, sizes: dict[str, int]) -> Tensor:
    """Reduce the dimensions that the right side lacks, and rearrange what is left."""
    left, right, size_of = _read(pattern, tuple(x.shape), sizes, loses=True)
    if op not in OPS:
        raise ValueError(f"{op!r} is none of {', '.join(OPS)}")
    names, kept = _flat(left), _flat(right)
    x = _split(x, left, size_of)
    if lost := [place for place, name in enumerate(names) if name not in kept]:
        x = OPS[op](x, lost)
    return _ordered(x, [name for name in names if name in kept], right, size_of)


def repeat(x: Tensor, pattern: str, sizes: dict[str, int]) -> Tensor:
    """Expand x by a dimension for each new name, and rearrange it."""
    left, right, size_of = _read(pattern, tuple(x.shape), sizes, gains=True)
    names = _flat(left)
    new = [name for name in _flat(right) if name not in names]
    x = _split(x, left, size_of)
    x = x.expand([*(size_of[name] for name in new), *x.shape])
    return _ordered(x, [*new, *names], right, size_of)


def einsum(x: Tensor, y: Tensor, pattern: str) -> Tensor:
    """Give both operands a dimension for every name, multiply, and sum over those that the right side lacks."""
    left, right = _sides(pattern)
    if left.count(",") != 1:
        raise ValueError(f"{pattern!r} has not two operands")
    operands = []
    size_of: dict[str, int] = {}
    for tensor, side in zip((x, y), left.split(","), strict=True):
        names = _dotted(side, tensor.ndim - len(side.split()) + 1)
        if len(names) != tensor.ndim:
            raise ValueError(f"{side!r} does not name the dimensions of {tuple(tensor.shape)}")
        for name, size in zip(names, tensor.shape, strict=True):
            other = size_of.setdefault(name, size)
            if size != other and not (name.startswith("...") and 1 in (size, other)):
                raise ValueError(f"{name} has the sizes {size} and {other}")
        operands.append((tensor, names))
    kept = _dotted(right, sum(name.startswith("...") for name in size_of))
    if len(kept) != len({*kept}) or not size_of.keys() >= {*kept}:
        raise ValueError(f"{right!r} has names twice, or names that no operand has")
    every = [*kept, *(name for name in size_of if name not in kept)]
    a, b = (_aligned(tensor, names, every) for tensor, names in operands)
    summed = tuple(range(len(kept), len(every)))
    return (a * b).sum(summed) if summed else a * b


def per_head(x: Tensor, w: Tensor) -> Tensor:
    """Split the last dimension into heads, and contract over the inside of each."""
    heads = rearrange(x, "... (heads d_in) -> ... heads d_in", {"d_in": w.shape[0]})
    return rearrange(einsum(heads, w, "... d_in, d_in d_out -> ... d_out"), "... heads d_out -> ... (heads d_out)", {})


def patchify(images: Tensor, patch: int) -> Tensor:
    """Split height and width into patches and places inside each patch."""
    return rearrange(images, "b c (i h) (j w) -> b (i j) (c h w)", {"h": patch, "w": patch})


def grouped_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Split the heads of q by the head of k and v that they share."""
    q = rearrange(q, "batch (kv_heads group) ... -> batch kv_heads group ...", {"kv_heads": k.shape[1]})
    scores = einsum(q, k, "batch kv_heads group q d, batch kv_heads k d -> batch kv_heads group q k")
    weights = (scores / math.sqrt(q.shape[-1])).softmax(-1)
    mixed = einsum(weights, v, "batch kv_heads group q k, batch kv_heads k d -> batch kv_heads group q d")
    return rearrange(mixed, "batch kv_heads group ... -> batch (kv_heads group) ...", {})


def _sides(pattern: str) -> tuple[str, str]:
    """Return both sides of a pattern."""
    left, arrow, right = pattern.partition("->")
    if not arrow or "->" in right:
        raise ValueError(f"{pattern!r} has not one '->'")
    return left, right


def _groups(side: str) -> Groups:
    """Return the names of each dimension of a side; dots count as a name."""
    groups: Groups = []
    is_open = False
    for word in re.findall(r"[()]|[^\s()]+", side):
        if word in ("(", ")"):
            if is_open == (word == "("):
                raise ValueError(f"the parentheses of {side!r} are nested, or closed twice")
            is_open = not is_open
        if word == "(" or (word != ")" and not is_open):
            groups.append([])
        if word not in ("(", ")", "1"):
            groups[-1].append(word)
    if is_open or len(_flat(groups)) != len({*_flat(groups)}):
        raise ValueError(f"{side!r} has a parenthesis that is left open, or a name twice")
    return groups


def _read(
    pattern: str, shape: Shape, sizes: dict[str, int], *, loses: bool = False, gains: bool = False
) -> tuple[Groups, Groups, dict[str, int]]:
    """Return the groups of both sides, with a name for each dimension of the dots, and the size of every name."""
    left, right = _sides(pattern)
    mine, theirs = {*_flat(_groups(left))}, {*_flat(_groups(right))}
    new = theirs - mine
    if (mine - theirs and not loses) or not new <= (sizes.keys() if gains else set()):
        raise ValueError(f"{pattern!r} has names on one side alone")
    if re.search(r"\([^)]*\.\.\.", left):
        raise ValueError(f"{pattern!r} has dots in a group on the left")
    dots = " ".join(f"_{place}" for place in range(len(shape) - len(_groups(left)) + 1))
    left, right = (side.replace("...", dots) for side in (left, right))
    size_of = axis_sizes(left, shape, {name: size for name, size in sizes.items() if name not in new})
    return _groups(left), _groups(right), size_of | {name: sizes[name] for name in new}


def _flat(groups: Groups) -> list[str]:
    return [name for group in groups for name in group]


def _shape(groups: Groups, size_of: dict[str, int]) -> Shape:
    return tuple(math.prod(size_of[name] for name in group) for group in groups)


def _split(x: Tensor, groups: Groups, size_of: dict[str, int]) -> Tensor:
    """Return a view or a copy of x with a dimension for each name."""
    return x.reshape([size_of[name] for name in _flat(groups)])


def _ordered(x: Tensor, names: list[str], groups: Groups, size_of: dict[str, int]) -> Tensor:
    """Return x, whose dimensions have these names, with the dimensions of the groups."""
    return x.permute([names.index(name) for name in _flat(groups)]).reshape(_shape(groups, size_of))


def _dotted(side: str, count: int) -> list[str]:
    """Return the names of a side, with `count` names for the dots, numbered from the right as dimensions broadcast."""
    dots = [f"...{place}" for place in range(count, 0, -1)]
    return [name for word in side.split() for name in (dots if word == "..." else [word])]


def _aligned(x: Tensor, names: list[str], every: list[str]) -> Tensor:
    """Return x with a dimension for every name, of size 1 if x lacks the name."""
    x = x.permute([names.index(name) for name in every if name in names])
    for place, name in enumerate(every):
        if name not in names:
            x = x.unsqueeze(place)
    return x
