"""Wrong answers that people give to kata 22 about eager_bytes."""
# mypy: ignore-errors

from dojo.judging.diagnose import believes, solution

solved = solution("22_fusion")


def _bytes(tensors, numel, itemsize):
    return tensors * numel * itemsize


@believes("An operand that is listed twice is read twice", about="eager_bytes")
def reads_operands_twice(program, numel, itemsize):
    """x + x reads x once: a kernel keeps the number that it has loaded."""
    solved.eager_bytes(program, numel, itemsize)
    return _bytes(sum(len(inputs) + 1 for _, inputs in program), numel, itemsize)


@believes("A result need not be read by the next operation", about="eager_bytes")
def keeps_the_last_result(program, numel, itemsize):
    """Each kernel writes its result to memory, and the next one reads it from there."""
    solved.eager_bytes(program, numel, itemsize)
    before = [None, *(name for name, _ in program)]
    count = sum(len({*inputs} - {last}) + 1 for last, (_, inputs) in zip(before, program, strict=False))
    return _bytes(count, numel, itemsize)


@believes("Only outside tensors are read from memory", about="eager_bytes")
def reads_outside_tensors_alone(program, numel, itemsize):
    """Results are written to memory, and each operation that needs one reads it from there."""
    solved.eager_bytes(program, numel, itemsize)
    made = {name for name, _ in program}
    return _bytes(sum(len({*inputs} - made) + 1 for _, inputs in program), numel, itemsize)


@believes("Only results that nothing reads later are written", about="eager_bytes")
def writes_last_results_alone(program, numel, itemsize):
    """Each operation is a kernel of its own, so every result goes through memory."""
    solved.eager_bytes(program, numel, itemsize)
    read = {one for _, inputs in program for one in inputs}
    return _bytes(sum(len({*inputs}) + (name not in read) for name, inputs in program), numel, itemsize)


@believes("A tensor is read once, however many operations need it", about="eager_bytes")
def reads_each_tensor_once(program, numel, itemsize):
    """Each operation reads its operands again: kernels share nothing but memory."""
    solved.eager_bytes(program, numel, itemsize)
    return _bytes(len({one for _, inputs in program for one in inputs}) + len(program), numel, itemsize)


@believes("Only reads count", about="eager_bytes")
def forgets_the_writes(program, numel, itemsize):
    """Each operation writes its result as well."""
    solved.eager_bytes(program, numel, itemsize)
    return _bytes(sum(len({*inputs}) for _, inputs in program), numel, itemsize)


@believes("Only writes count", about="eager_bytes")
def forgets_the_reads(program, numel, itemsize):
    """Each operation reads its operands as well, each distinct one once."""
    solved.eager_bytes(program, numel, itemsize)
    return _bytes(len(program), numel, itemsize)


@believes("An element has four bytes", about="eager_bytes")
def takes_float32_for_granted(program, numel, itemsize):
    """It has itemsize bytes: two in bfloat16, eight in float64."""
    return solved.eager_bytes(program, numel, 4)


@believes("A count of bytes fits into 32 bits", about="eager_bytes")
def counts_in_32_bits(program, numel, itemsize):
    """Beyond 4 GiB it does not; Python's own integers have no limit."""
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


@believes("An operation may have no inputs, as zeros has", about="eager_bytes")
def makes_of_nothing(program, numel, itemsize):
    """Here each operation has an input or more: raise ValueError."""
    _checked(program, nothing=False)
    return _counted(program, numel, itemsize)


@believes("A name that is made again is a new tensor", about="eager_bytes")
def makes_names_again(program, numel, itemsize):
    """In Python it would be; here a name is made once: raise ValueError the second time."""
    _checked(program, twice=False)
    return _counted(program, numel, itemsize)


@believes("The name of an outside tensor may be made later", about="eager_bytes")
def makes_outside_tensors(program, numel, itemsize):
    """A name that an operation has used is taken: raise ValueError."""
    _checked(program, after=False)
    return _counted(program, numel, itemsize)


@believes("An operation may use its own name, as in x = x + 1", about="eager_bytes")
def makes_of_itself(program, numel, itemsize):
    """The name would be used before it is made: raise ValueError."""
    _checked(program, itself=False)
    return _counted(program, numel, itemsize)


@believes("The program may be used up", about="eager_bytes")
def uses_the_program_up(program, numel, itemsize):
    """It belongs to the caller, who may want to fuse it next: iterate over it."""
    solved.eager_bytes(program, numel, itemsize)
    tensors = 0
    while program:
        _, inputs = program.pop(0)
        tensors += len({*inputs}) + 1
    return _bytes(tensors, numel, itemsize)


@believes("A name may be added to the inputs that it is made of", about="eager_bytes")
def adds_names_to_inputs(program, numel, itemsize):
    """The lists belong to the caller: build a new set or list."""
    solved.eager_bytes(program, numel, itemsize)
    tensors = 0
    for name, inputs in program:
        inputs.append(name)
        tensors += len({*inputs})
    return _bytes(tensors, numel, itemsize)


@believes("Inputs may be sorted in place", about="eager_bytes")
def sorts_inputs(program, numel, itemsize):
    """The lists belong to the caller: sorted(inputs) makes a new one, and set(inputs) needs no order."""
    for _, inputs in program:
        inputs.sort()
    return solved.eager_bytes(program, numel, itemsize)
