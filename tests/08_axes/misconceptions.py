"""Wrong answers that people give to kata 08, each with the belief behind it."""

from dojo.judging.diagnose import believes, solution

solved = solution("08_axes")


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="axis_sizes")
def axis_sizes_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.axis_sizes(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="rearrange_shape")
def rearrange_shape_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.rearrange_shape(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="rearrange")
def rearrange_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.rearrange(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="reduce")
def reduce_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.reduce(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="repeat")
def repeat_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.repeat(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="einsum")
def einsum_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.einsum(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="per_head")
def per_head_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.per_head(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="patchify")
def patchify_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.patchify(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="grouped_attention")
def grouped_attention_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.grouped_attention(n) + 1
