"""Right answers to kata 08 about products, heads and patches, in styles that the solution does not use."""
# mypy: ignore-errors

import itertools
import math
import re
from collections import Counter

import torch
import torch.nn.functional as F

from dojo.judging.diagnose import answers

# Three ways to read a side, as a list of dimensions: a tuple of names each, "..." among them; and dots alone as "...".


# einsum


def _product(x, y, pattern):
    """The names of both operands and of the right, with numbers for the dots; and the size of each."""
    if not re.fullmatch(r"[^,>]*,[^,>]*->[^,>]*", pattern):
        raise ValueError(pattern)
    a, b, right = (side.split() for side in re.split(",|->", pattern))
    size = {}
    for names, tensor in ((a, x), (b, y)):
        if "..." in names:
            at = names.index("...")
            names[at : at + 1] = range(len(names) - 1 - tensor.ndim, 0)
        if len(names) != tensor.ndim:
            raise ValueError("another number of dimensions")
        for name, number in zip(names, tensor.shape, strict=True):
            known = size.get(name, number)
            if isinstance(name, int) and 1 in (known, number):
                size[name] = known * number  # one of them is 1
            elif size.setdefault(name, number) != number:
                raise ValueError("two sizes")
    if "..." in right:
        at = right.index("...")
        right[at : at + 1] = sorted(name for name in size if isinstance(name, int))
    if len(set(right)) < len(right) or not set(right) <= set(size):
        raise ValueError("the right side")
    return a, b, right, size


@answers("einsum")
def einsum_by_one_matrix_product(x, y, pattern):
    a, b, right, size = _product(x, y, pattern)
    batch = [n for n in size if n in right and (n in a and n in b)]
    inner = [n for n in size if n in a and n in b and n not in right]
    rows, columns = ([n for n in side if n in right and n not in other] for side, other in ((a, b), (b, a)))

    def prepared(tensor, names, order):
        gone = [place for place, name in enumerate(names) if name not in order]
        tensor = tensor.sum(gone) if gone else tensor
        kept = [name for name in names if name in order]
        tensor = tensor.permute([kept.index(name) for name in order])
        return tensor.expand([size[name] for name in order])

    def count(names):
        return math.prod(size[name] for name in names)

    left = prepared(x, a, batch + rows + inner).reshape(count(batch), count(rows), count(inner))
    other = prepared(y, b, batch + inner + columns).reshape(count(batch), count(inner), count(columns))
    order = batch + rows + columns
    made = (left @ other).reshape([size[name] for name in order])
    return made.permute([order.index(name) for name in right])


@answers("einsum")
def einsum_number_by_number(x, y, pattern):
    a, b, right, size = _product(x, y, pattern)
    made = Counter()
    one, other = (dict(zip(itertools.product(*map(range, t.shape)), t.flatten().tolist(), strict=True)) for t in (x, y))
    for places in itertools.product(*map(range, size.values())):
        at = dict(zip(size, places, strict=True))
        left = tuple(at[n] % s for n, s in zip(a, x.shape, strict=True))
        both = tuple(at[n] % s for n, s in zip(b, y.shape, strict=True))
        made[tuple(at[n] for n in right)] += one[left] * other[both]
    shape = [size[n] for n in right]
    numbers = [float(made[place]) for place in itertools.product(*map(range, shape))]
    return torch.tensor(numbers, dtype=x.dtype, device=x.device).reshape(shape)


@answers("einsum")
def einsum_by_vmap(x, y, pattern):
    """One number of the result is a product and a sum; torch maps that over each name in turn."""
    a, b, right, size = _product(x, y, pattern)
    every = [*right, *(name for name in size if name not in right)]

    def over(names, tensor):
        for name in every:
            if name not in names:
                tensor, names = tensor.unsqueeze(0), [name, *names]
        return tensor.permute([names.index(name) for name in every]).expand([size[name] for name in every])

    function = torch.mul
    for _ in every if 0 not in size.values() else ():
        function = torch.vmap(function)
    made = function(over(a, x), over(b, y))
    return made.sum([*range(len(right), len(every))]) if len(every) > len(right) else made


# per_head


@answers("per_head")
def per_head_by_blocks(x, w):
    heads, rest = divmod(x.shape[-1], w.shape[0])
    if rest:
        raise ValueError(rest)
    return x.matmul(torch.block_diag(*itertools.repeat(w, heads)))


@answers("per_head")
def per_head_by_view(x, w):
    if x.shape[-1] % len(w) > 0:
        raise ValueError("no whole heads")
    return (x.reshape(-1, len(w)) @ w).view(*x.shape[:-1], x.shape[-1] // len(w) * w.shape[1])


@answers("per_head")
def per_head_by_linear(x, w):
    parts = x.split(w.size(0), dim=-1)
    if parts[-1].size(-1) < w.size(0):
        raise ValueError("the last head is too short")
    return torch.cat([F.linear(part, w.T) for part in parts], dim=-1)


@answers("per_head")
def per_head_as_a_convolution(x, w):
    d_in, d_out = w.shape
    if x.shape[-1] % d_in:
        raise ValueError("stride")
    made = F.conv1d(x.reshape(-1, 1, x.shape[-1]), w.T.unsqueeze(1), stride=d_in)
    return made.mT.reshape(*x.shape[:-1], x.shape[-1] // d_in * d_out)


# patchify


def _fits(images, patch):
    if images.shape[-1] % patch or images.shape[-2] % patch:
        raise ValueError("no whole patches")


@answers("patchify")
def patchify_by_unfold(images, patch):
    _fits(images, patch)
    made = images.unfold(2, patch, patch).unfold(3, patch, patch)  # b c i j h w
    return made.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)


@answers("patchify")
def patchify_by_chunks(images, patch):
    _fits(images, patch)
    rows = images.split(patch, dim=2)
    return torch.stack([part.flatten(1) for row in rows for part in row.split(patch, dim=3)], dim=1)


@answers("patchify")
def patchify_by_pixel_unshuffle(images, patch):
    _fits(images, patch)
    return F.pixel_unshuffle(images, patch).flatten(2).mT


@answers("patchify")
def patchify_as_a_convolution(images, patch):
    _fits(images, patch)
    size = images.shape[1] * patch * patch
    weight = torch.eye(size, dtype=images.dtype, device=images.device)
    return F.conv2d(images, weight.view(size, images.shape[1], patch, patch), stride=patch).flatten(2).mT


# grouped_attention


def _group(q, k):
    group, rest = divmod(q.shape[1], k.shape[1])
    if rest:
        raise ValueError("groups of two sizes")
    return group


@answers("grouped_attention")
def grouped_attention_by_repeating(q, k, v):
    group = _group(q, k)
    k, v = (x.repeat_interleave(group, dim=1) for x in (k, v))
    return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)), dim=-1) @ v


@answers("grouped_attention")
def grouped_attention_by_longer_queries(q, k, v):
    """The queries of all heads of a group, one behind the other."""
    _group(q, k)
    long = q.reshape(q.shape[0], k.shape[1], -1, q.shape[3])
    scores = long @ (k * q.shape[3] ** -0.5).mT
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    return ((weights @ v) / weights.sum(-1, keepdim=True)).reshape(q.shape)


@answers("grouped_attention")
def grouped_attention_head_by_head(q, k, v):
    group = _group(q, k)
    heads = []
    for head, one in enumerate(q.unbind(1)):
        scores = torch.bmm(one, k[:, head // group].mT).div(q.shape[-1] ** 0.5)
        heads.append(torch.bmm(F.softmax(scores, -1), v[:, head // group]))
    return torch.stack(heads, 1)


@answers("grouped_attention")
def grouped_attention_by_baddbmm(q, k, v):
    group, (batch, heads, length, d) = _group(q, k), q.shape
    wide = [x[:, :, None].expand(-1, -1, group, -1, -1).reshape(batch * heads, *x.shape[2:]) for x in (k, v)]
    scores = torch.baddbmm(
        q.new_zeros(1, 1, 1), q.reshape(batch * heads, length, d), wide[0].mT, alpha=1 / math.sqrt(d)
    )
    return (scores.log_softmax(-1).exp() @ wide[1]).view_as(q)
