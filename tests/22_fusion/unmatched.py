"""Wrong answers to kata 22 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("22_fusion")


@answers("eager_bytes")
def eager_bytes_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.eager_bytes(n)


@answers("fused_bytes")
def fused_bytes_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.fused_bytes(n)


@answers("fuse")
def fuse_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.fuse(n)


@answers("tiled_matmul_bytes")
def tiled_matmul_bytes_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.tiled_matmul_bytes(n)


@answers("online_logsumexp")
def online_logsumexp_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.online_logsumexp(n)


@answers("add_kernel")
def add_kernel_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.add_kernel(n)


@answers("matmul_kernel")
def matmul_kernel_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.matmul_kernel(n)


@answers("flash_attention")
def flash_attention_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.flash_attention(n)


@answers("clip_norm")
def clip_norm_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.clip_norm(n)
