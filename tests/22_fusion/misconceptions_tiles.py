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
    """They end where the matrix ends: only numbers that are there are read and written."""
    _check(block_m, block_n)
    count = _tiles(m, block_m) * _tiles(n, block_n)
    return count * (block_m * k + k * block_n + block_m * block_n) * itemsize


@believes("What does not fill a tile is left out", about="tiled_matmul_bytes")
def drops_edges(m, k, n, block_m, block_n, itemsize):
    """The last tile of a row or column is smaller, and has to be computed as well: round up."""
    _check(block_m, block_n)
    return ((n // block_n) * m * k + (m // block_m) * k * n + m * n) * itemsize


@believes("m // block + 1 tiles cover m rows", about="tiled_matmul_bytes")
def counts_a_tile_too_many(m, k, n, block_m, block_n, itemsize):
    """Where block divides m it is one too many: -(-m // block) rounds up."""
    _check(block_m, block_n)
    return ((n // block_n + 1) * m * k + (m // block_m + 1) * k * n + m * n) * itemsize


@believes("Division and ceil are exact for integers", about="tiled_matmul_bytes")
def rounds_up_by_floats(m, k, n, block_m, block_n, itemsize):
    """Beyond 2**53 a float leaves integers out: -(-m // block) rounds up in integers."""
    _check(block_m, block_n)
    return (math.ceil(n / block_n) * m * k + math.ceil(m / block_m) * k * n + m * n) * itemsize


@believes("Each matrix is read once", about="tiled_matmul_bytes")
def reads_each_matrix_once(m, k, n, block_m, block_n, itemsize):
    """Each tile reads its own strips: the first matrix comes once for each column of tiles, the second for each row."""
    _check(block_m, block_n)
    return (m * k + k * n + m * n) * itemsize


@believes("The first matrix is read once for each row of tiles", about="tiled_matmul_bytes")
def swaps_the_strips(m, k, n, block_m, block_n, itemsize):
    """A row of tiles reads its rows as often as there are columns of tiles: it is the other way round."""
    _check(block_m, block_n)
    return (_tiles(m, block_m) * m * k + _tiles(n, block_n) * k * n + m * n) * itemsize


@believes("A tile keeps its rows for the next tile of the row", about="tiled_matmul_bytes")
def keeps_rows_for_the_next_tile(m, k, n, block_m, block_n, itemsize):
    """No tile knows what another one has read: the rows are read again for each tile."""
    _check(block_m, block_n)
    return (m * k + _tiles(m, block_m) * k * n + m * n) * itemsize


@believes("A tile keeps its columns for the next tile of the column", about="tiled_matmul_bytes")
def keeps_columns_for_the_next_tile(m, k, n, block_m, block_n, itemsize):
    """No tile knows what another one has read: the columns are read again for each tile."""
    _check(block_m, block_n)
    return (_tiles(n, block_n) * m * k + k * n + m * n) * itemsize


@believes("Each number of the result reads its row and its column", about="tiled_matmul_bytes")
def reads_for_each_number(m, k, n, block_m, block_n, itemsize):
    """A tile reads its strips once for all its numbers: that is what tiles are for."""
    _check(block_m, block_n)
    return (2 * m * n * k + m * n) * itemsize


@believes("The result is read before it is written", about="tiled_matmul_bytes")
def reads_the_result(m, k, n, block_m, block_n, itemsize):
    """A tile is summed up on the chip, and written once."""
    return solved.tiled_matmul_bytes(m, k, n, block_m, block_n, itemsize) + m * n * itemsize


@believes("Only what is read counts", about="tiled_matmul_bytes")
def forgets_the_result(m, k, n, block_m, block_n, itemsize):
    """Each tile is written once, which are m * n numbers in all."""
    return solved.tiled_matmul_bytes(m, k, n, block_m, block_n, itemsize) - m * n * itemsize


@believes("Numbers are moved, whatever their size", about="tiled_matmul_bytes")
def counts_numbers(m, k, n, block_m, block_n, itemsize):
    """A number has itemsize bytes."""
    return solved.tiled_matmul_bytes(m, k, n, block_m, block_n, 1)


@believes("A tile is square", about="tiled_matmul_bytes")
def takes_square_tiles(m, k, n, block_m, block_n, itemsize):
    """It has block_m rows and block_n columns."""
    _check(block_m, block_n)
    return solved.tiled_matmul_bytes(m, k, n, block_m, block_m, itemsize)


@believes("Without inner numbers there is nothing to move", about="tiled_matmul_bytes")
def moves_nothing_without_inner_numbers(m, k, n, block_m, block_n, itemsize):
    """A sum of nothing is 0, and that is written: the result has m * n numbers also where k is 0."""
    moved = solved.tiled_matmul_bytes(m, k, n, block_m, block_n, itemsize)
    return moved if k else 0


@believes("A block of 0 is one for all", about="tiled_matmul_bytes")
def takes_0_for_all(m, k, n, block_m, block_n, itemsize):
    """A block below 1 is a ValueError."""
    if block_m < 0 or block_n < 0:
        raise ValueError("a block below 0")
    return solved.tiled_matmul_bytes(m, k, n, block_m or m, block_n or n, itemsize)


@believes("Division by 0 is the only block that cannot be", about="tiled_matmul_bytes")
def refuses_0_alone(m, k, n, block_m, block_n, itemsize):
    """A negative block cuts nothing either: a ValueError as well."""
    if block_m == 0 or block_n == 0:
        raise ValueError("a block of 0")
    return (_tiles(n, block_n) * m * k + _tiles(m, block_m) * k * n + m * n) * itemsize
