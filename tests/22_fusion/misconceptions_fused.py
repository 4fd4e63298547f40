"""Wrong answers that people give to kata 22 about fused_bytes."""

from dojo.judging.diagnose import believes, solution

from .misconceptions_eager import _checked

solved = solution("22_fusion")


def _needed(program, outputs):
    found = {*outputs}
    for name, inputs in reversed(program):
        if name in found:
            found.update(inputs)
    return found


def _parts(program, outputs):
    """Return what is read and what is written, as sets of names."""
    made = {name for name, _ in program}
    return _needed(program, outputs) - made, {*outputs}


@believes("The whole program runs, whatever the outputs need", about="fused_bytes")
def runs_dead_code(program, outputs, numel, itemsize):
    """What no output needs is not computed, and its inputs are not read."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    made = {name for name, _ in program}
    read = {one for _, inputs in program for one in inputs} - made
    return (len(read) + len({*outputs})) * numel * itemsize


@believes("An output that is listed twice is written twice", about="fused_bytes")
def writes_outputs_twice(program, outputs, numel, itemsize):
    """It is one tensor, and written once."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    return (len(_parts(program, outputs)[0]) + len(outputs)) * numel * itemsize


@believes("An output is read again by operations that need it", about="fused_bytes")
def reads_outputs_again(program, outputs, numel, itemsize):
    """The kernel still has its numbers: the output is only written."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    needed = _needed(program, outputs)
    again = {one for name, inputs in program if name in needed for one in inputs} & {*outputs}
    read, written = _parts(program, outputs)
    return (len(read) + len(written) + len(again)) * numel * itemsize


@believes("An output that another operation needs is not written", about="fused_bytes")
def keeps_outputs_inside(program, outputs, numel, itemsize):
    """It is needed after the kernel: each output is written."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    needed = _needed(program, outputs)
    inside = {one for name, inputs in program if name in needed for one in inputs}
    read, written = _parts(program, outputs)
    return (len(read) + len(written - inside)) * numel * itemsize


@believes("Each operation in the kernel reads its outside tensors", about="fused_bytes")
def reads_at_each_use(program, outputs, numel, itemsize):
    """The kernel reads an outside tensor once, however many of its operations need it."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    needed = _needed(program, outputs)
    read, written = _parts(program, outputs)
    uses = sum(len({*inputs} & read) for name, inputs in program if name in needed)
    return (uses + len(written)) * numel * itemsize


@believes("Intermediate results are written as well", about="fused_bytes")
def writes_all_results(program, outputs, numel, itemsize):
    """Only outputs are written: intermediate results stay in registers."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    return len(_needed(program, outputs)) * numel * itemsize


@believes("A kernel has one output", about="fused_bytes")
def writes_one_result(program, outputs, numel, itemsize):
    """It writes each output."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    read, written = _parts(program, outputs)
    return (len(read) + min(1, len(written))) * numel * itemsize


@believes("Only the direct inputs of the outputs are needed", about="fused_bytes")
def looks_one_step_back(program, outputs, numel, itemsize):
    """What these are made of is needed as well, back to the outside tensors."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    made = {name for name, _ in program}
    read = {one for name, inputs in program if name in outputs for one in inputs} - made
    return (len(read) + len({*outputs})) * numel * itemsize


@believes("Without outputs the last result is written", about="fused_bytes")
def takes_the_last_for_an_output(program, outputs, numel, itemsize):
    """An empty list means that nothing is needed: nothing is read or written."""
    return solved.fused_bytes(program, outputs or [name for name, _ in program[-1:]], numel, itemsize)


@believes("Writing an output costs nothing", about="fused_bytes")
def forgets_to_write_outputs(program, outputs, numel, itemsize):
    """Each output is written to memory once."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    return len(_parts(program, outputs)[0]) * numel * itemsize


@believes("An element has four bytes", about="fused_bytes")
def fuses_float32(program, outputs, numel, itemsize):
    """An element has itemsize bytes."""
    return solved.fused_bytes(program, outputs, numel, 4)


def _counted(program, outputs, numel, itemsize):
    if not {*outputs} <= {name for name, _ in program}:
        raise ValueError("an output that nobody makes")
    read, written = _parts(program, outputs)
    return (len(read) + len(written)) * numel * itemsize


@believes("Dead code need not be checked", about="fused_bytes")
def checks_what_is_needed(program, outputs, numel, itemsize):
    """The whole program is checked before anything is left out."""
    needed = _needed(program, outputs)
    _checked([operation for operation in program if operation[0] in needed])
    return _counted(program, outputs, numel, itemsize)


@believes("An operation may have no inputs", about="fused_bytes")
def fuses_what_is_made_of_nothing(program, outputs, numel, itemsize):
    """Each operation has an input or more: raise ValueError."""
    _checked(program, nothing=False)
    return _counted(program, outputs, numel, itemsize)


@believes("A name may be made twice", about="fused_bytes")
def fuses_what_is_made_twice(program, outputs, numel, itemsize):
    """A name is made once: raise ValueError the second time."""
    _checked(program, twice=False)
    return _counted(program, outputs, numel, itemsize)


@believes("The name of an outside tensor may be made later", about="fused_bytes")
def fuses_what_was_used(program, outputs, numel, itemsize):
    """A name that an operation has used is taken: raise ValueError."""
    _checked(program, after=False)
    return _counted(program, outputs, numel, itemsize)


@believes("An operation may use its own name", about="fused_bytes")
def fuses_what_is_made_of_itself(program, outputs, numel, itemsize):
    """An operation with its own name among its inputs raises a ValueError."""
    _checked(program, itself=False)
    return _counted(program, outputs, numel, itemsize)


@believes("An outside tensor may be an output", about="fused_bytes")
def copies_outside_tensors(program, outputs, numel, itemsize):
    """An output has to be made by an operation: raise ValueError."""
    _checked(program)
    used = {one for _, inputs in program for one in inputs}
    if not {*outputs} <= used | {name for name, _ in program}:
        raise ValueError("a name that the program does not know")
    read, written = _parts(program, outputs)
    return (len(read) + len(written)) * numel * itemsize


@believes("An output that no operation makes is ignored", about="fused_bytes")
def leaves_unknown_outputs_out(program, outputs, numel, itemsize):
    """It is a mistake of the caller: raise ValueError."""
    _checked(program)
    made = {name for name, _ in program}
    return _counted(program, [name for name in outputs if name in made], numel, itemsize)


@believes("The program may be reversed in place", about="fused_bytes")
def reverses_the_program(program, outputs, numel, itemsize):
    """It belongs to the caller: reversed(program) leaves it as it is."""
    fused = solved.fused_bytes(program, outputs, numel, itemsize)
    program.reverse()
    return fused


@believes("outputs may serve as the list of what is left to do", about="fused_bytes")
def uses_the_outputs_up(program, outputs, numel, itemsize):
    """It belongs to the caller: begin with a copy, list(outputs)."""
    fused = solved.fused_bytes(program, outputs, numel, itemsize)
    outputs.clear()
    return fused


@believes("Outputs may be sorted in place", about="fused_bytes")
def sorts_the_outputs(program, outputs, numel, itemsize):
    """The list belongs to the caller: sorted(outputs) makes a new one, and set(outputs) needs no order."""
    outputs.sort()
    return solved.fused_bytes(program, outputs, numel, itemsize)


@believes("What an operation needs may be added to outputs", about="fused_bytes")
def adds_to_the_outputs(program, outputs, numel, itemsize):
    """The list belongs to the caller: keep what is needed in a set of your own."""
    fused = solved.fused_bytes(program, outputs, numel, itemsize)
    made = dict(program)
    for name in outputs:
        outputs.extend(one for one in made.get(name, []) if one not in outputs)
    return fused
