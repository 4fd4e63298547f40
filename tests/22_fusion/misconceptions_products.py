"""Wrong answers that people give to kata 22 about matmul_kernel."""

from dojo.judging.diagnose import believes, solution

solved = solution("22_fusion")


class Seen:
    """A tl with some methods replaced."""

    def __init__(self, tl, **methods):
        self.tl, self.methods = tl, methods

    def __getattr__(self, name):
        return self.methods.get(name) or getattr(self.tl, name)


def _sides(tl, block, swapped=False):
    rows, columns = (tl.program_id(axis) * block + tl.arange(0, block) for axis in ((1, 0) if swapped else (0, 1)))
    return rows[:, None], columns[None, :]


def _product(tl, a, b, c, m, k, n, block, **changes):
    """Compute one tile; changes say what is done differently."""
    rows, columns = _sides(tl, block, changes.get("swapped", False))
    wide, deep, long = changes.get("wide", k), changes.get("deep", n), changes.get("long", n)
    steps = tl.arange(0, block)
    tile = tl.zeros((block, block))
    other = changes.get("other", 0)
    for start in range(0, changes.get("end", k), block):
        inner = start + steps
        inside = inner < (changes.get("inside", k))
        left = tl.load(a + rows * wide + inner, (rows < m) & inside, other)
        inside = inside[:, None]
        right = tl.load(b + inner[:, None] * deep + columns * changes.get("step", 1), inside & (columns < n), other)
        part = tl.dot(left, right)
        tile = part if changes.get("last") else tile + part
        if changes.get("each"):
            tl.store(c + rows * long + columns, tile, (rows < m) & (columns < n))
    if not changes.get("each"):
        tl.store(c + rows * long + columns, tile, changes.get("mask", (rows < m) & (columns < n)))


@believes("Axis 0 of the grid goes over columns", about="matmul_kernel")
def swaps_the_axes(tl, a, b, c, m, k, n, block):
    """The grid is (cdiv(m, block), cdiv(n, block)): axis 0 goes over rows, and axis 1 over columns."""
    _product(tl, a, b, c, m, k, n, block, swapped=True)


@believes("A masked load gives 0", about="matmul_kernel")
def takes_masked_for_0(tl, a, b, c, m, k, n, block):
    """Its value is undefined without other, and so are products with it: load with other=0."""
    _product(tl, a, b, c, m, k, n, block, other=None)


@believes("Inner numbers beyond k need no mask", about="matmul_kernel")
def masks_rows_and_columns_alone(tl, a, b, c, m, k, n, block):
    """After a row of a comes the next row, and after the last row nothing: mask inner numbers too."""
    _product(tl, a, b, c, m, k, n, block, inside=10**9)


@believes("k is a multiple of the block", about="matmul_kernel")
def drops_the_last_inner_block(tl, a, b, c, m, k, n, block):
    """It need not be: the last inner block is smaller, and needs a mask."""
    _product(tl, a, b, c, m, k, n, block, end=k // block * block)


@believes("One block of inner numbers is enough", about="matmul_kernel")
def takes_one_inner_block(tl, a, b, c, m, k, n, block):
    """A tile needs all k numbers of its rows and columns: loop over k in blocks, and add up."""
    _product(tl, a, b, c, m, k, n, block, end=min(k, block))


@believes("The product of the last inner block is the result", about="matmul_kernel")
def forgets_to_add_up(tl, a, b, c, m, k, n, block):
    """Each inner block gives a part of the sum: add them up."""
    _product(tl, a, b, c, m, k, n, block, last=True)


@believes("Rows of a are n numbers apart", about="matmul_kernel")
def strides_a_by_n(tl, a, b, c, m, k, n, block):
    """a is (m, k): its rows are k numbers apart."""
    _product(tl, a, b, c, m, k, n, block, wide=n)


@believes("Rows of b are k numbers apart", about="matmul_kernel")
def strides_b_by_k(tl, a, b, c, m, k, n, block):
    """b is (k, n): its rows are n numbers apart."""
    _product(tl, a, b, c, m, k, n, block, deep=k)


@believes("Rows of c are m numbers apart", about="matmul_kernel")
def strides_c_by_m(tl, a, b, c, m, k, n, block):
    """c is (m, n): its rows are n numbers apart."""
    _product(tl, a, b, c, m, k, n, block, long=m)


@believes("The columns of b are contiguous", about="matmul_kernel")
def reads_b_by_columns(tl, a, b, c, m, k, n, block):
    """The rows are: column j of row i is at i * n + j."""
    _product(tl, a, b, c, m, k, n, block, deep=1, step=k)


@believes("Rows of a are block numbers apart", about="matmul_kernel")
def strides_a_by_block(tl, a, b, c, m, k, n, block):
    """a is not cut into blocks in memory: its rows are k numbers apart."""
    _product(tl, a, b, c, m, k, n, block, wide=block)


@believes("Partial sums may be stored in c after each step", about="matmul_kernel")
def stores_each_step(tl, a, b, c, m, k, n, block):
    """Keep them in a value, and store each number of c once."""
    _product(tl, a, b, c, m, k, n, block, each=True)


@believes("c may be used to add up", about="matmul_kernel")
def adds_up_in_c(tl, a, b, c, m, k, n, block):
    """That loads and stores it in each step: add up in a tile of tl.zeros."""
    rows, columns = _sides(tl, block)
    inside, places = (rows < m) & (columns < n), c + rows * n + columns
    tl.store(places, 0.0, inside)
    for inner in range(k):
        left = tl.load(a + rows * k + inner, rows < m, 0)
        right = tl.load(b + inner * n + columns, columns < n, 0)
        tl.store(places, tl.load(places, inside) + left * right, inside)


@believes("Each number of a tile loads its own row and column", about="matmul_kernel")
def loads_for_each_number(tl, a, b, c, m, k, n, block):
    """One load of a row serves a whole row of the tile: load blocks, and multiply those."""
    rows, columns = _sides(tl, block)
    inside = (rows < m) & (columns < n)
    tile = tl.zeros((block, block))
    for inner in range(k):
        tile += tl.load(a + rows * k + inner + 0 * columns, inside, 0) * tl.load(
            b + inner * n + columns + 0 * rows, inside, 0
        )
    tl.store(c + rows * n + columns, tile, inside)


@believes("The store needs no mask where the loads have one", about="matmul_kernel")
def stores_the_whole_tile(tl, a, b, c, m, k, n, block):
    """A tile at the edge ends beyond c, or in its next row: mask the store by rows and columns."""
    _product(tl, a, b, c, m, k, n, block, mask=None)


@believes("The mask of the store only has to keep within the size of c", about="matmul_kernel")
def masks_the_store_by_size(tl, a, b, c, m, k, n, block):
    """After the last column of a row comes the next row: mask by rows and columns."""
    rows, columns = _sides(tl, block)
    _product(tl, a, b, c, m, k, n, block, mask=rows * n + columns < m * n)


@believes("Each program computes the whole product", about="matmul_kernel")
def computes_all_tiles(tl, a, b, c, m, k, n, block):
    """It computes one tile: the other programs compute the others."""
    for row in range(tl.cdiv(m, block)):
        for column in range(tl.cdiv(n, block)):
            place = (row, column)
            _product(Seen(tl, program_id=place.__getitem__), a, b, c, m, k, n, block)


@believes("The first program of a row computes all its tiles", about="matmul_kernel")
def makes_a_row_of_tiles(tl, a, b, c, m, k, n, block):
    """Each program stores one tile at most, so that all of them can run in parallel."""
    if tl.program_id(1) == 0:
        for column in range(tl.cdiv(n, block)):
            place = (tl.program_id(0), column)
            _product(Seen(tl, program_id=place.__getitem__), a, b, c, m, k, n, block)


@believes("Places in a tile are places in the matrix", about="matmul_kernel")
def forgets_where_the_tile_begins(tl, a, b, c, m, k, n, block):
    """A tile begins at row program_id(0) * block and column program_id(1) * block."""
    _product(Seen(tl, program_id=lambda axis: 0), a, b, c, m, k, n, block)
