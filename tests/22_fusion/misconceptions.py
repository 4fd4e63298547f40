"""Wrong answers that people give to kata 22, each with the belief behind it."""

from dojo.judging.diagnose import believes, solution

solved = solution("22_fusion")


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="eager_bytes")
def eager_bytes_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.eager_bytes(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="fused_bytes")
def fused_bytes_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.fused_bytes(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="fuse")
def fuse_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.fuse(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="tiled_matmul_bytes")
def tiled_matmul_bytes_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.tiled_matmul_bytes(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="online_logsumexp")
def online_logsumexp_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.online_logsumexp(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="add_kernel")
def add_kernel_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.add_kernel(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="matmul_kernel")
def matmul_kernel_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.matmul_kernel(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="flash_attention")
def flash_attention_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.flash_attention(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="clip_norm")
def clip_norm_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.clip_norm(n) + 1
