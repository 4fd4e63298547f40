"""Wrong answers that people give to kata 08 about what a call leaves behind, refused or not."""

import re

import torch

from dojo.judging.diagnose import believes, solution

from .misread import names_of

solved = solution("08_axes")

_buffers: dict[tuple[int, ...], torch.Tensor] = {}


def _in_a_buffer(made):
    """The buffer of that shape, filled with these numbers."""
    key = tuple(made.shape)
    if key not in _buffers or _buffers[key].device != made.device:
        _buffers[key] = torch.empty_like(made, memory_format=torch.contiguous_format)
    return _buffers[key].copy_(made)


@believes("sizes has to be restored only if the call succeeds", about="axis_sizes")
def leaves_sizes_changed(names, shape, sizes):
    """A caller who catches the ValueError still has sizes: work on a copy, dict(sizes)."""
    before = dict(sizes)
    for name in names_of(names):
        sizes.setdefault(name, 1)
    found = solved.axis_sizes(names, shape, before)
    sizes.clear()
    sizes.update(before)
    return found


@believes("The next call may write into the same result", about="rearrange")
def rearranges_into_a_buffer(x, pattern, sizes):
    """The caller may still use the earlier result: make a new tensor for each call."""
    return _in_a_buffer(solved.rearrange(x, pattern, sizes))


@believes("sizes has to be restored only if the call succeeds", about="repeat")
def leaves_sizes_without_new_names(x, pattern, sizes):
    """A caller who catches the ValueError still has sizes: take the new names out of a copy, dict(sizes)."""
    before = dict(sizes)
    left, _, right = pattern.partition("->")
    for name in before:
        if name in re.findall(r"\w+", right) and name not in re.findall(r"\w+", left):
            del sizes[name]
    made = solved.repeat(x, pattern, before)
    sizes.clear()
    sizes.update(before)
    return made


@believes("The next call may write into the same result", about="per_head")
def multiplies_heads_into_a_buffer(x, w):
    """The caller may still use the earlier result: make a new tensor for each call."""
    return _in_a_buffer(solved.per_head(x, w))
