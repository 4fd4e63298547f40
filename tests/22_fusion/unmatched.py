"""Wrong answers to kata 22 that no belief in misconceptions.py explains."""

import torch

from dojo.judging.diagnose import answers, solution

solved = solution("22_fusion")


@answers("eager_bytes")
def counts_a_page_more(program, numel, itemsize):
    """For each operation."""
    return solved.eager_bytes(program, numel, itemsize) + 4096 * len(program)


@answers("fused_bytes")
def triples_what_is_fused(program, outputs, numel, itemsize):
    """Three times as much."""
    return 3 * solved.fused_bytes(program, outputs, numel, itemsize)


@answers("fuse")
def leaves_the_first_out(ops):
    """As if it ran on its own."""
    return [kept for kernel in solved.fuse(ops) if (kept := [number for number in kernel if number])]


@answers("tiled_matmul_bytes")
def moves_a_row_more(m, k, n, block_m, block_n, itemsize):
    """One row and one column."""
    return solved.tiled_matmul_bytes(m + 1, k, n + 1, block_m, block_n, itemsize)


@answers("online_logsumexp")
def takes_the_base_of_2(blocks):
    """A logarithm all the same."""
    return solved.online_logsumexp(blocks) * 1.4426950408889634


@answers("add_kernel")
def adds_half_of_y(tl, x, y, out, n, block):
    """The mean of x and the sum."""
    places = tl.program_id(0) * block + tl.arange(0, block)
    tl.store(out + places, tl.load(x + places, places < n) + tl.load(y + places, places < n) / 2, places < n)


@answers("matmul_kernel")
def triples_the_tile(tl, a, b, c, m, k, n, block):
    """Each number three times as large."""
    rows, columns = (tl.program_id(axis) * block + tl.arange(0, block) for axis in (0, 1))
    tile = tl.zeros((block, block))
    for inner in range(k):
        left = tl.load(a + (rows * k + inner), rows < m)
        tile = tile + 3 * left[:, None] * tl.load(b + (columns + inner * n), columns < n)[None, :]
    tl.store(c + (rows[:, None] * n + columns), tile, (rows < m)[:, None] & (columns < n))


@answers("flash_attention")
def halves_the_scores(q, k, v, block, causal=False):
    """A temperature of 2."""
    return solved.flash_attention(q / 2, k, v, block, causal)


@answers("clip_norm")
def clips_at_half(x, limit):
    """To half of the limit."""
    return solved.clip_norm(x, limit / 2)


@answers("clip_norm")
def turns_what_is_too_long(x, limit):
    """It comes back from the other side."""
    return torch.where(x.norm() > limit, -1.0, 1.0) * solved.clip_norm(x, limit)
