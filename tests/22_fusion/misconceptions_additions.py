"""Wrong answers that people give to kata 22 about add_kernel."""

from dojo.judging.diagnose import believes, solution

solved = solution("22_fusion")


def _add(tl, x, y, out, places, inside):
    tl.store(out + places, tl.load(x + places, inside) + tl.load(y + places, inside), inside)


def _places(tl, block):
    return tl.program_id(0) * block + tl.arange(0, block)


@believes("A load beyond the end does no harm", about="add_kernel")
def loads_without_a_mask(tl, x, y, out, n, block):
    """It reads other memory, or crashes: mask the loads as well as the store."""
    places = _places(tl, block)
    tl.store(out + places, tl.load(x + places) + tl.load(y + places), places < n)


@believes("A store beyond the end has no effect", about="add_kernel")
def stores_without_a_mask(tl, x, y, out, n, block):
    """It overwrites other memory: mask the store as well as the loads."""
    places = _places(tl, block)
    inside = places < n
    tl.store(out + places, tl.load(x + places, inside, 0) + tl.load(y + places, inside, 0))


@believes("Addresses beyond the end may be clamped to the last one", about="add_kernel")
def clamps_addresses(tl, x, y, out, n, block):
    """Then the last number is loaded and stored many times: use a mask instead."""
    places = _places(tl, block).clamp(max=n - 1)
    tl.store(out + places, tl.load(x + places) + tl.load(y + places))


@believes("Each program adds all numbers", about="add_kernel")
def adds_all_in_each_program(tl, x, y, out, n, block):
    """Then each program does the whole work: it should only add the numbers of its own block."""
    for start in range(0, n, block):
        places = start + tl.arange(0, block)
        _add(tl, x, y, out, places, places < n)


@believes("The first program does all the work", about="add_kernel")
def adds_all_in_the_first_program(tl, x, y, out, n, block):
    """Then nothing runs in parallel: each program stores its own block, and no more."""
    if tl.program_id(0) == 0:
        adds_all_in_each_program(tl, x, y, out, n, block)


@believes("The last place is n", about="add_kernel")
def masks_up_to_n(tl, x, y, out, n, block):
    """It is n - 1, since places begin at 0: the mask is places < n."""
    places = _places(tl, block)
    _add(tl, x, y, out, places, places <= n)


@believes("The last place is n - 2", about="add_kernel")
def masks_before_the_last(tl, x, y, out, n, block):
    """Places go from 0 to n - 1: the mask is places < n."""
    places = _places(tl, block)
    _add(tl, x, y, out, places, places < n - 1)


@believes("Program i begins at place i", about="add_kernel")
def begins_at_its_number(tl, x, y, out, n, block):
    """It begins at i * block, after the blocks of the programs before it."""
    places = tl.program_id(0) + tl.arange(0, block)
    _add(tl, x, y, out, places, places < n)


@believes("The mask compares places within the block with n", about="add_kernel")
def masks_within_the_block(tl, x, y, out, n, block):
    """It has to compare places in x, which begin at program_id(0) * block."""
    steps = tl.arange(0, block)
    _add(tl, x, y, out, tl.program_id(0) * block + steps, steps < n)


@believes("A last block that is not full is dropped", about="add_kernel")
def drops_the_last_block(tl, x, y, out, n, block):
    """Its numbers have to be added too, under a mask."""
    places = _places(tl, block)
    _add(tl, x, y, out, places, places < n // block * block)


@believes("tl.arange takes any length", about="add_kernel")
def aranges_what_is_left(tl, x, y, out, n, block):
    """It takes a power of two, fixed when the kernel is compiled: use the whole block, and a mask."""
    start = tl.program_id(0) * block
    if start < n:
        places = tl.arange(start, min(start + block, n))
        _add(tl, x, y, out, places, None)


@believes("There are exactly as many programs as blocks", about="add_kernel")
def divides_by_the_grid(tl, x, y, out, n, block):
    """There may be more, with nothing to do: compute places from block, not from num_programs."""
    step = tl.cdiv(n, tl.num_programs(0))
    for start in range(tl.program_id(0) * step, (tl.program_id(0) + 1) * step):
        tl.store(out + start, tl.load(x + start, start < n) + tl.load(y + start, start < n), True)


@believes("The sum may be stored in x first", about="add_kernel")
def adds_in_place(tl, x, y, out, n, block):
    """x is only loaded: store the sum in out, once."""
    places = _places(tl, block)
    inside = places < n
    tl.store(x + places, tl.load(x + places, inside) + tl.load(y + places, inside), inside)
    tl.store(out + places, tl.load(x + places, inside), inside)


@believes("out holds zeros at first", about="add_kernel")
def adds_to_what_is_there(tl, x, y, out, n, block):
    """Its numbers are undefined: add the loaded values, and store once."""
    places = _places(tl, block)
    inside = places < n
    for each in (x, y):
        tl.store(out + places, tl.load(out + places, inside) + tl.load(each + places, inside), inside)


@believes("A sum of 0 need not be stored", about="add_kernel")
def stores_no_zeros(tl, x, y, out, n, block):
    """The numbers of out are undefined at first, and not 0: store each sum."""
    places = _places(tl, block)
    total = tl.load(x + places, places < n, 0) + tl.load(y + places, places < n, 0)
    tl.store(out + places, total, total != 0)


@believes("A number may be stored twice", about="add_kernel")
def stores_twice(tl, x, y, out, n, block):
    """Each store is memory traffic: store each number once."""
    places = _places(tl, block)
    inside = places < n
    first = tl.load(x + places, inside)
    tl.store(out + places, first, inside)
    tl.store(out + places, first + tl.load(y + places, inside), inside)


@believes("A number may be loaded again where it is needed", about="add_kernel")
def loads_twice(tl, x, y, out, n, block):
    """Each load is memory traffic: load each number once, and keep the value."""
    places = _places(tl, block)
    tl.load(x + places, places < n)
    _add(tl, x, y, out, places, places < n)


@believes("y comes right after x in memory", about="add_kernel")
def takes_y_from_behind_x(tl, x, y, out, n, block):
    """y is a pointer of its own: its numbers are at y + places."""
    places = _places(tl, block)
    inside = places < n
    tl.store(out + places, tl.load(x + places, inside) + tl.load(x + (places + n), inside), inside)
