"""Wrong answers that people give to kata 22 about eager_bytes."""
# mypy: ignore-errors

from dojo.judging.diagnose import believes, solution

solved = solution("22_fusion")


def _bytes(tensors, numel, itemsize):
    return tensors * numel * itemsize


@believes("An operand that comes twice is read twice", about="eager_bytes")
def reads_operands_twice(program, numel, itemsize):
    """x + x reads x once: a kernel has the number at hand when it needs it again."""
    solved.eager_bytes(program, numel, itemsize)
    return _bytes(sum(len(inputs) + 1 for _, inputs in program), numel, itemsize)


@believes("What an operation has just made is still at hand for the next", about="eager_bytes")
def keeps_the_last_result(program, numel, itemsize):
    """Each kernel ends with its result in memory, and the next one reads it from there."""
    solved.eager_bytes(program, numel, itemsize)
    before = [None, *(name for name, _ in program)]
    count = sum(len({*inputs} - {last}) + 1 for last, (_, inputs) in zip(before, program, strict=False))
    return _bytes(count, numel, itemsize)


@believes("A result of the program's own is not read from memory", about="eager_bytes")
def reads_outside_tensors_alone(program, numel, itemsize):
    """It was written to memory, and each operation that needs it reads it from there."""
    solved.eager_bytes(program, numel, itemsize)
    made = {name for name, _ in program}
    return _bytes(sum(len({*inputs} - made) + 1 for _, inputs in program), numel, itemsize)


@believes("A result that is read later need not be written", about="eager_bytes")
def writes_last_results_alone(program, numel, itemsize):
    """Where each operation is a kernel, memory is the only way from one to the next: each result is written."""
    solved.eager_bytes(program, numel, itemsize)
    read = {one for _, inputs in program for one in inputs}
    return _bytes(sum(len({*inputs}) + (name not in read) for name, inputs in program), numel, itemsize)


@believes("A tensor is read once, however many operations need it", about="eager_bytes")
def reads_each_tensor_once(program, numel, itemsize):
    """Each operation reads its operands anew: nothing stays from one kernel to the next."""
    solved.eager_bytes(program, numel, itemsize)
    return _bytes(len({one for _, inputs in program for one in inputs}) + len(program), numel, itemsize)


@believes("Memory traffic is what is read", about="eager_bytes")
def forgets_the_writes(program, numel, itemsize):
    """Each operation writes its result as well."""
    solved.eager_bytes(program, numel, itemsize)
    return _bytes(sum(len({*inputs}) for _, inputs in program), numel, itemsize)


@believes("Memory traffic is what is written", about="eager_bytes")
def forgets_the_reads(program, numel, itemsize):
    """Each operation reads its operands as well, each distinct one once."""
    solved.eager_bytes(program, numel, itemsize)
    return _bytes(len(program), numel, itemsize)


@believes("An element is four bytes", about="eager_bytes")
def takes_float32_for_granted(program, numel, itemsize):
    """It has itemsize bytes: two in bfloat16, eight in float64."""
    return solved.eager_bytes(program, numel, 4)


@believes("Byte counts fit into 32 bits", about="eager_bytes")
def counts_in_32_bits(program, numel, itemsize):
    """Beyond 4 GiB they do not; Python's own integers have no limit."""
    return solved.eager_bytes(program, numel, itemsize) % 2**32


def _counted(program, numel, itemsize):
    return _bytes(sum(len({*inputs}) + 1 for _, inputs in program), numel, itemsize)


def _checked(program, *, nothing=True, twice=True, after=True, itself=True):
    made, used = set(), set()
    for name, inputs in program:
        if nothing and not inputs:
            raise ValueError(f"{name} is made of nothing")
        if twice and name in made:
            raise ValueError(f"{name} is made twice")
        if after and name in used - made:
            raise ValueError(f"{name} was used")
        if itself and name in inputs:
            raise ValueError(f"{name} is made of itself")
        made.add(name)
        used.update(inputs)


@believes("An operation may be made of nothing, as zeros are", about="eager_bytes")
def makes_of_nothing(program, numel, itemsize):
    """In these programs each operation has an input or more; without one it is a ValueError."""
    _checked(program, nothing=False)
    return _counted(program, numel, itemsize)


@believes("A name that is made again is a new tensor", about="eager_bytes")
def makes_names_again(program, numel, itemsize):
    """In Python's own programs it is; here a name is made once, and the second time is a ValueError."""
    _checked(program, twice=False)
    return _counted(program, numel, itemsize)


@believes("An outside tensor may be made anew later", about="eager_bytes")
def makes_outside_tensors(program, numel, itemsize):
    """A name that was used as an outside tensor is taken: whoever makes it afterwards raises ValueError."""
    _checked(program, after=False)
    return _counted(program, numel, itemsize)


@believes("An operation may be made of its own result, as in x = x + 1", about="eager_bytes")
def makes_of_itself(program, numel, itemsize):
    """Its own name is used before it is made, so that is a ValueError."""
    _checked(program, itself=False)
    return _counted(program, numel, itemsize)
