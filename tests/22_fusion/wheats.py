"""Right answers to kata 22 in styles that the solution does not use."""

from dojo.judging.diagnose import answers


@answers("eager_bytes")
def eager_bytes_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("fused_bytes")
def fused_bytes_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("fuse")
def fuse_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("tiled_matmul_bytes")
def tiled_matmul_bytes_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("online_logsumexp")
def online_logsumexp_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("add_kernel")
def add_kernel_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("matmul_kernel")
def matmul_kernel_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("flash_attention")
def flash_attention_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("clip_norm")
def clip_norm_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can
