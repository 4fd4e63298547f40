"""Right answers to kata 22 that run in the simulator."""
# mypy: ignore-errors

import torch

from dojo.judging.diagnose import answers

# add_kernel


@answers("add_kernel")
def add_kernel_by_moved_pointers(tl, x, y, out, n, block):
    start = block * tl.program_id(axis=0)
    steps = tl.arange(0, block)
    left = steps < (n - start)
    x, y, out = (start + pointer + steps for pointer in (x, y, out))
    total = tl.load(pointer=x, mask=left, other=0.0)
    total += tl.load(y, left, other=tl.zeros((block,)))
    tl.store(pointer=out, value=total, mask=left)


@answers("add_kernel")
def add_kernel_one_by_one(tl, x, y, out, n, block):
    first = tl.program_id(0) * block
    for place in range(first, min(first + block, n)):
        tl.store(place + out, tl.load(x + place) + tl.load(y + place))


@answers("add_kernel")
def add_kernel_by_strides_of_the_grid(tl, x, y, out, n, block):
    start = tl.program_id(0) * block
    while start < n:
        places = tl.arange(start, start + block)
        inside = places.lt(n)
        tl.store(places + out, tl.load(places + x, mask=inside) + tl.load(places + y, mask=inside), mask=inside)
        start += tl.num_programs(0) * block


@answers("add_kernel")
def add_kernel_in_columns(tl, x, y, out, n, block):
    if tl.program_id(0) >= tl.cdiv(n, block):
        return
    places = (tl.program_id(0) * block + torch.arange(block)).unsqueeze(-1)
    known = places[places < n]
    tl.store(out + known, tl.load(x + known) + tl.load(y + known))


# matmul_kernel


@answers("matmul_kernel")
def matmul_kernel_by_moved_pointers(tl, a, b, c, m, k, n, block):
    row = tl.program_id(0) * block + tl.arange(0, block)
    column = tl.program_id(1) * block + tl.arange(0, block)
    step = tl.arange(0, block)
    left = a + (row[:, None] * k + step[None, :])
    right = b + (step[:, None] * n + column[None, :])
    tile = tl.zeros((block, block))
    for number in range(tl.cdiv(k, block)):
        rest = k - number * block
        x = tl.load(left, mask=(row[:, None] < m) & (step[None, :] < rest), other=0.0)
        y = tl.load(right, mask=(step[:, None] < rest) & (column[None, :] < n), other=0.0)
        tile = tile + tl.dot(x, y)
        left += block
        right += block * n
    inside = (row[:, None] < m) & (column[None, :] < n)
    tl.store(c + row[:, None] * n + column[None, :], tile, mask=inside)


@answers("matmul_kernel")
def matmul_kernel_by_outer_products(tl, a, b, c, m, k, n, block):
    rows = tl.program_id(0) * block + tl.arange(0, block)
    columns = tl.program_id(1) * block + tl.arange(0, block)
    tile = tl.zeros([block, block])
    for inner in range(k):
        left = tl.load(a + inner + rows * k, rows < m)
        right = tl.load(b + (columns + inner * n), columns < n)
        tile = tile + left[:, None] * right[None, :]
    tl.store(c + (rows[:, None] * n + columns), tile, (rows < m)[:, None] & (columns < n)[None, :])


@answers("matmul_kernel")
def matmul_kernel_row_by_row(tl, a, b, c, m, k, n, block):
    top, first = tl.program_id(0) * block, tl.program_id(1) * block
    columns = tl.arange(first, first + block)
    right = [tl.load(b + (inner * n + columns), columns < n, 0) for inner in range(k)]
    for row in range(top, min(top + block, m)):
        total = tl.zeros(block)
        for inner in range(k):
            total = total + tl.load(a + (row * k + inner)) * right[inner]
        tl.store(c + (row * n + columns), total, columns < n)


@answers("matmul_kernel")
def matmul_kernel_in_one_go(tl, a, b, c, m, k, n, block):
    """All inner numbers at once, up to the next power of two."""
    long = 1 << (k - 1).bit_length()
    inner = tl.arange(0, long)
    rows = tl.program_id(0) * block + tl.arange(0, block).reshape(-1, 1)
    columns = tl.program_id(1) * block + tl.arange(0, block)
    left = tl.load(a + rows * k + inner, mask=(rows < m).logical_and(inner < k), other=0)
    right = tl.load(b + inner[:, None] * n + columns, mask=(inner[:, None] < k).logical_and(columns < n), other=0)
    tl.store(c + rows * n + columns, torch.einsum("ik,kj->ij", left, right), mask=(rows < m) * (columns < n))
