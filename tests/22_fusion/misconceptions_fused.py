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
    """What is read and what is written, as sets of names."""
    made = {name for name, _ in program}
    return _needed(program, outputs) - made, {*outputs}


@believes("The whole program runs, whatever is needed of it", about="fused_bytes")
def runs_dead_code(program, outputs, numel, itemsize):
    """What no output needs is not computed, and what only that would read is not read."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    made = {name for name, _ in program}
    read = {one for _, inputs in program for one in inputs} - made
    return (len(read) + len({*outputs})) * numel * itemsize


@believes("An output that is listed twice is written twice", about="fused_bytes")
def writes_outputs_twice(program, outputs, numel, itemsize):
    """It is one tensor, and written once."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    return (len(_parts(program, outputs)[0]) + len(outputs)) * numel * itemsize


@believes("An output that another operation needs is read again", about="fused_bytes")
def reads_outputs_again(program, outputs, numel, itemsize):
    """The kernel has its numbers at hand when they are needed: it is written, and that is all."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    needed = _needed(program, outputs)
    again = {one for name, inputs in program if name in needed for one in inputs} & {*outputs}
    read, written = _parts(program, outputs)
    return (len(read) + len(written) + len(again)) * numel * itemsize


@believes("An output that another operation needs stays inside", about="fused_bytes")
def keeps_outputs_inside(program, outputs, numel, itemsize):
    """Whoever asks for it afterwards finds it in memory: each output is written."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    needed = _needed(program, outputs)
    inside = {one for name, inputs in program if name in needed for one in inputs}
    read, written = _parts(program, outputs)
    return (len(read) + len(written - inside)) * numel * itemsize


@believes("Each operation of a kernel reads its outside tensors", about="fused_bytes")
def reads_at_each_use(program, outputs, numel, itemsize):
    """The kernel reads an outside tensor once, however many of its operations need it."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    needed = _needed(program, outputs)
    read, written = _parts(program, outputs)
    uses = sum(len({*inputs} & read) for name, inputs in program if name in needed)
    return (uses + len(written)) * numel * itemsize


@believes("What a kernel computes on the way is written as well", about="fused_bytes")
def writes_all_results(program, outputs, numel, itemsize):
    """Only outputs are written; what lies between stays in registers."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    return len(_needed(program, outputs)) * numel * itemsize


@believes("A kernel has one result", about="fused_bytes")
def writes_one_result(program, outputs, numel, itemsize):
    """It writes each output."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    read, written = _parts(program, outputs)
    return (len(read) + min(1, len(written))) * numel * itemsize


@believes("Inputs of the outputs are all that is needed", about="fused_bytes")
def looks_one_step_back(program, outputs, numel, itemsize):
    """What they are made of is needed as well, back to the outside tensors."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    made = {name for name, _ in program}
    read = {one for name, inputs in program if name in outputs for one in inputs} - made
    return (len(read) + len({*outputs})) * numel * itemsize


@believes("Without outputs the last result is the output", about="fused_bytes")
def takes_the_last_for_an_output(program, outputs, numel, itemsize):
    """An empty list says that nothing is needed: nothing is read or written."""
    return solved.fused_bytes(program, outputs or [name for name, _ in program[-1:]], numel, itemsize)


@believes("Writing costs nothing where the result is on its way out", about="fused_bytes")
def forgets_to_write_outputs(program, outputs, numel, itemsize):
    """Each output is written to memory once."""
    solved.fused_bytes(program, outputs, numel, itemsize)
    return len(_parts(program, outputs)[0]) * numel * itemsize


@believes("Every tensor has float32's four bytes", about="fused_bytes")
def fuses_float32(program, outputs, numel, itemsize):
    """An element has itemsize bytes."""
    return solved.fused_bytes(program, outputs, numel, 4)


def _counted(program, outputs, numel, itemsize):
    if not {*outputs} <= {name for name, _ in program}:
        raise ValueError("an output that nobody makes")
    read, written = _parts(program, outputs)
    return (len(read) + len(written)) * numel * itemsize


@believes("Dead code need not be right", about="fused_bytes")
def checks_what_is_needed(program, outputs, numel, itemsize):
    """The whole program is checked, before anything is left out of it."""
    needed = _needed(program, outputs)
    _checked([operation for operation in program if operation[0] in needed])
    return _counted(program, outputs, numel, itemsize)


@believes("A kernel may make numbers of nothing", about="fused_bytes")
def fuses_what_is_made_of_nothing(program, outputs, numel, itemsize):
    """An operation without inputs is a ValueError."""
    _checked(program, nothing=False)
    return _counted(program, outputs, numel, itemsize)


@believes("A kernel may make a name twice", about="fused_bytes")
def fuses_what_is_made_twice(program, outputs, numel, itemsize):
    """A name is made once: it would not say which tensor is meant."""
    _checked(program, twice=False)
    return _counted(program, outputs, numel, itemsize)


@believes("A kernel may overwrite an outside tensor that it has read", about="fused_bytes")
def fuses_what_was_used(program, outputs, numel, itemsize):
    """A name that was used is taken: making it afterwards is a ValueError."""
    _checked(program, after=False)
    return _counted(program, outputs, numel, itemsize)


@believes("A kernel may update a tensor by itself", about="fused_bytes")
def fuses_what_is_made_of_itself(program, outputs, numel, itemsize):
    """An operation that has its own name among its inputs is a ValueError."""
    _checked(program, itself=False)
    return _counted(program, outputs, numel, itemsize)


@believes("An outside tensor that is an output is read and written", about="fused_bytes")
def copies_outside_tensors(program, outputs, numel, itemsize):
    """An output is what an operation makes; all else is a ValueError."""
    _checked(program)
    used = {one for _, inputs in program for one in inputs}
    if not {*outputs} <= used | {name for name, _ in program}:
        raise ValueError("a name that the program does not know")
    read, written = _parts(program, outputs)
    return (len(read) + len(written)) * numel * itemsize


@believes("An output that nobody makes is not written, and that is all", about="fused_bytes")
def leaves_unknown_outputs_out(program, outputs, numel, itemsize):
    """It is a mistake of the caller's, and a ValueError."""
    _checked(program)
    made = {name for name, _ in program}
    return _counted(program, [name for name in outputs if name in made], numel, itemsize)
