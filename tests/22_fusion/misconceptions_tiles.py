"""Wrong answers that people give to kata 22 about tiled_matmul_bytes."""

import math

from dojo.judging.diagnose import believes, solution

solved = solution("22_fusion")


def _check(block_m, block_n):
    if block_m < 1 or block_n < 1:
        raise ValueError(f"tiles of ({block_m}, {block_n})")


def _tiles(size, block):
    return -(-size // block)


@believes("Tiles at the edge are as large as all others", about="tiled_matmul_bytes")
def fills_edges_up(m, k, n, block_m, block_n, itemsize):
    """They end where the matrix ends: only numbers inside it are read and written."""
    _check(block_m, block_n)
    count = _tiles(m, block_m) * _tiles(n, block_n)
    return count * (block_m * k + k * block_n + block_m * block_n) * itemsize


@believes("Rows and columns that do not fill a tile are left out", about="tiled_matmul_bytes")
def drops_edges(m, k, n, block_m, block_n, itemsize):
    """The last tile of a row or column is smaller, but has to be computed too: round up."""
    _check(block_m, block_n)
    return ((n // block_n) * m * k + (m // block_m) * k * n + m * n) * itemsize


@believes("m // block + 1 tiles cover m rows", about="tiled_matmul_bytes")
def counts_a_tile_too_many(m, k, n, block_m, block_n, itemsize):
    """If block divides m, that is one too many: -(-m // block) rounds up."""
    _check(block_m, block_n)
    return ((n // block_n + 1) * m * k + (m // block_m + 1) * k * n + m * n) * itemsize


@believes("math.ceil(m / block) is exact", about="tiled_matmul_bytes")
def rounds_up_by_floats(m, k, n, block_m, block_n, itemsize):
    """Beyond 2**53 a float cannot hold every integer: use -(-m // block)."""
    _check(block_m, block_n)
    return (math.ceil(n / block_n) * m * k + math.ceil(m / block_m) * k * n + m * n) * itemsize


@believes("Each matrix is read once", about="tiled_matmul_bytes")
def reads_each_matrix_once(m, k, n, block_m, block_n, itemsize):
    """Each tile reads its own strips: the first matrix is read once per column of tiles, the second once per row."""
    _check(block_m, block_n)
    return (m * k + k * n + m * n) * itemsize


@believes("The first matrix is read once for each row of tiles", about="tiled_matmul_bytes")
def swaps_the_strips(m, k, n, block_m, block_n, itemsize):
    """It is read once for each column of tiles, and the second matrix once for each row of tiles."""
    _check(block_m, block_n)
    return (_tiles(m, block_m) * m * k + _tiles(n, block_n) * k * n + m * n) * itemsize


@believes("A tile's rows are kept for the next tile in its row", about="tiled_matmul_bytes")
def keeps_rows_for_the_next_tile(m, k, n, block_m, block_n, itemsize):
    """Tiles share nothing: the rows are read again for each tile."""
    _check(block_m, block_n)
    return (m * k + _tiles(m, block_m) * k * n + m * n) * itemsize


@believes("A tile's columns are kept for the next tile in its column", about="tiled_matmul_bytes")
def keeps_columns_for_the_next_tile(m, k, n, block_m, block_n, itemsize):
    """Tiles share nothing: the columns are read again for each tile."""
    _check(block_m, block_n)
    return (_tiles(n, block_n) * m * k + k * n + m * n) * itemsize


@believes("Each number of the result reads its row and its column", about="tiled_matmul_bytes")
def reads_for_each_number(m, k, n, block_m, block_n, itemsize):
    """A tile reads its strips once for all its numbers."""
    _check(block_m, block_n)
    return (2 * m * n * k + m * n) * itemsize


@believes("The result is read before it is written", about="tiled_matmul_bytes")
def reads_the_result(m, k, n, block_m, block_n, itemsize):
    """A tile is summed up on the chip, and written once."""
    return solved.tiled_matmul_bytes(m, k, n, block_m, block_n, itemsize) + m * n * itemsize


@believes("Only what is read counts", about="tiled_matmul_bytes")
def forgets_the_result(m, k, n, block_m, block_n, itemsize):
    """Each tile is written once: m * n numbers in all."""
    return solved.tiled_matmul_bytes(m, k, n, block_m, block_n, itemsize) - m * n * itemsize


@believes("The result counts numbers, not bytes", about="tiled_matmul_bytes")
def counts_numbers(m, k, n, block_m, block_n, itemsize):
    """Each number has itemsize bytes."""
    return solved.tiled_matmul_bytes(m, k, n, block_m, block_n, 1)


@believes("Tiles are square", about="tiled_matmul_bytes")
def takes_square_tiles(m, k, n, block_m, block_n, itemsize):
    """They have block_m rows and block_n columns."""
    _check(block_m, block_n)
    return solved.tiled_matmul_bytes(m, k, n, block_m, block_m, itemsize)


@believes("With k = 0 nothing is moved", about="tiled_matmul_bytes")
def moves_nothing_without_inner_numbers(m, k, n, block_m, block_n, itemsize):
    """The result is still written: it has m * n zeros."""
    moved = solved.tiled_matmul_bytes(m, k, n, block_m, block_n, itemsize)
    return moved if k else 0


@believes("A block of 0 means the whole matrix", about="tiled_matmul_bytes")
def takes_0_for_all(m, k, n, block_m, block_n, itemsize):
    """A block below 1 raises a ValueError."""
    if block_m < 0 or block_n < 0:
        raise ValueError("a block below 0")
    return solved.tiled_matmul_bytes(m, k, n, block_m or m, block_n or n, itemsize)


@believes("Only a block of 0 is refused", about="tiled_matmul_bytes")
def refuses_0_alone(m, k, n, block_m, block_n, itemsize):
    """A negative block raises a ValueError as well."""
    if block_m == 0 or block_n == 0:
        raise ValueError("a block of 0")
    return (_tiles(n, block_n) * m * k + _tiles(m, block_m) * k * n + m * n) * itemsize
