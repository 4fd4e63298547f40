"""Right answers to kata 08 in styles that the solution does not use."""

from dojo.judging.diagnose import answers


@answers("axis_sizes")
def axis_sizes_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("rearrange_shape")
def rearrange_shape_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("rearrange")
def rearrange_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("reduce")
def reduce_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("repeat")
def repeat_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("einsum")
def einsum_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("per_head")
def per_head_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("patchify")
def patchify_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("grouped_attention")
def grouped_attention_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can
