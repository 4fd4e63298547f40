"""Wrong answers that people give to kata 11 about bytes of states."""
# mypy: ignore-errors

import math

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("11_optimizers")

COUNTING = ("Adagrad", "RMSprop", "Adam", "AdamW")


def _numel(shapes):
    return sum(math.prod(shape) for shape in shapes)


@believes("An optimizer keeps averages and nothing else", about="state_bytes")
def forgets_the_counts(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """All but SGD and Muon count the steps of each parameter, in a float32 of 4 bytes."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return right - 4 * len(shapes) * (optimizer in COUNTING)


@believes("The count of steps has the parameter's dtype", about="state_bytes")
def counts_in_the_dtype(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """It is a float32 whatever the parameter is: bfloat16 would stop counting at 256."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return right + (dtype.itemsize - 4) * len(shapes) * (optimizer in COUNTING)


@believes("The count of steps is an int64", about="state_bytes")
def counts_in_int64(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """torch keeps it as a float32: 4 bytes, not 8."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return right + 4 * len(shapes) * (optimizer in COUNTING)


@believes("There is one count of steps for all parameters", about="state_bytes")
def counts_once(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """Each parameter has its own: one without a gradient takes no step."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return right - 4 * max(len(shapes) - 1, 0) * (optimizer in COUNTING)


@believes("Every optimizer counts its steps", about="state_bytes")
def counts_for_everyone(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """SGD and Muon correct nothing and have nothing to count for."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return right + 4 * len(shapes) * (optimizer not in COUNTING)


@believes("Only Adam and AdamW count their steps", about="state_bytes")
def counts_for_adam_alone(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """Adagrad and RMSprop keep a count as well: 4 bytes for each parameter."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return right - 4 * len(shapes) * (optimizer in ("Adagrad", "RMSprop"))


@believes("States are float32, whatever the model is", about="state_bytes")
def keeps_states_in_float32(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """torch makes the states in the dtype of the parameter: those of a bfloat16 model are bfloat16."""
    return solved.state_bytes(optimizer, shapes, torch.float32, momentum, amsgrad)


@believes("A dtype has 8, 4 or 2 bytes", about="state_bytes")
def takes_a_float8_for_a_half(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """There are dtypes of 1 byte as well. dtype.itemsize says it of any."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    counts = 4 * len(shapes) * (optimizer in COUNTING)
    size = {torch.float64: 8, torch.float32: 4}.get(dtype, 2)
    return (right - counts) // dtype.itemsize * size + counts


@believes("SGD keeps a buffer in any case", about="state_bytes")
def gives_sgd_a_buffer(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """Without momentum it remembers nothing."""
    return solved.state_bytes(optimizer, shapes, dtype, 0.5 if optimizer == "SGD" else momentum, amsgrad)


@believes("SGD keeps nothing", about="state_bytes")
def gives_sgd_nothing(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """With momentum it keeps a buffer as large as the parameter."""
    return solved.state_bytes(optimizer, shapes, dtype, 0.0 if optimizer == "SGD" else momentum, amsgrad)


@believes("A momentum is below 1", about="state_bytes")
def forgets_a_momentum_of_1_or_more(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """torch accepts 1 and more: whatever is not 0 needs a buffer."""
    return solved.state_bytes(optimizer, shapes, dtype, momentum if momentum < 1 else 0.0, amsgrad)


@believes("A momentum near 0 is none", about="state_bytes")
def forgets_a_tiny_momentum(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """However small it is, torch keeps the buffer: only 0 itself needs none."""
    return solved.state_bytes(optimizer, shapes, dtype, momentum if momentum > 1e-3 else 0.0, amsgrad)


@believes("RMSprop keeps an average, with momentum or without", about="state_bytes")
def gives_rmsprop_one_state(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """With momentum there is a buffer beside the average."""
    return solved.state_bytes(optimizer, shapes, dtype, 0.0 if optimizer == "RMSprop" else momentum, amsgrad)


@believes("RMSprop always has momentum", about="state_bytes")
def gives_rmsprop_two_states(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """Only a momentum that is not 0 adds a second state. Without momentum there is the average alone."""
    return solved.state_bytes(optimizer, shapes, dtype, 0.5 if optimizer == "RMSprop" else momentum, amsgrad)


@believes("amsgrad changes how the states are used, and not how many there are", about="state_bytes")
def ignores_amsgrad(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """It keeps the largest v beside v: one more state."""
    return solved.state_bytes(optimizer, shapes, dtype, momentum, False)


@believes("amsgrad is for every optimizer", about="state_bytes")
def gives_amsgrad_to_all(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """Only Adam and AdamW have it; for others the argument does not matter."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return right + dtype.itemsize * _numel(shapes) * (amsgrad and not optimizer.startswith("Adam"))


@believes("Momentum costs a buffer, whatever the optimizer is", about="state_bytes")
def gives_momentum_to_all(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """Only for SGD and RMSprop does momentum add a state. Adam always keeps two, and Muon always one."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return right + dtype.itemsize * _numel(shapes) * (momentum != 0 and optimizer not in ("SGD", "RMSprop"))


@believes("Adam keeps one state", about="state_bytes")
def gives_adam_one_state(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """It keeps two averages: of the gradients, and of their squares."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return right - dtype.itemsize * _numel(shapes) * optimizer.startswith("Adam")


@believes("AdamW keeps the decay beside its averages", about="state_bytes")
def gives_adamw_a_third_state(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """A decay needs no memory: it is a share of the parameter as it is."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return right + dtype.itemsize * _numel(shapes) * (optimizer == "AdamW")


@believes("Muon keeps what Adam keeps", about="state_bytes")
def gives_muon_two_states(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """Muon keeps only a momentum buffer: it scales each matrix without remembering anything about it."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return right + dtype.itemsize * _numel(shapes) * (optimizer == "Muon")


@believes("Muon without momentum keeps nothing", about="state_bytes")
def gives_muon_nothing(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """torch keeps Muon's buffer in any case."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return 0 if optimizer == "Muon" and momentum == 0 else right


@believes("The gradient is part of the optimizer's state", about="state_bytes")
def counts_the_gradients(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """It is in p.grad, and is there without an optimizer too."""
    return solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad) + dtype.itemsize * _numel(shapes)


@believes("An empty parameter has no state", about="state_bytes")
def skips_the_empty(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """Its averages are empty, and its steps are counted all the same: 4 bytes."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return right - 4 * sum(0 in shape for shape in shapes) * (optimizer in COUNTING)


@believes("A shape without sizes has no elements", about="state_bytes")
def takes_a_number_for_nothing(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """() is the shape of one number: a product over nothing is 1."""
    shapes = [shape if shape or optimizer == "Muon" else (0,) for shape in shapes]
    return solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)


@believes("A count may be a float", about="state_bytes")
def returns_a_float(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """Bytes are counted in whole numbers: a float loses the last digits of a large count."""
    return float(solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad))


@believes("A float holds any count of bytes", about="state_bytes")
def counts_in_floats(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """A float is exact up to 2**53, which is 9 petabytes; integers in Python have no limit."""
    return int(float(solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)))


@believes("64 bits hold any count of bytes", about="state_bytes")
def counts_in_64_bits(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """numpy and torch count in 64 bits, and wrap around beyond 2**63 - 1; integers in Python have no limit."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return (right + 2**63) % 2**64 - 2**63


@believes("Capitals do not matter in a name", about="state_bytes")
def ignores_capitals(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """They do: torch.optim.adam is a module and torch.optim.Adam a class."""
    names = {name.lower(): name for name in ("SGD", "Muon", *COUNTING)}
    return solved.state_bytes(names.get(optimizer.lower(), optimizer), shapes, dtype, momentum, amsgrad)


@believes("An unknown optimizer keeps nothing", about="state_bytes")
def gives_strangers_nothing(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """Nobody knows what it keeps: refuse the name with a ValueError."""
    known = optimizer in ("SGD", "Muon", *COUNTING)
    return solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad) if known else 0


@believes("Muon takes any parameter", about="state_bytes")
def gives_muon_anything(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """It orthogonalizes, and only matrices can be: torch refuses every other shape."""
    if optimizer == "Muon":
        return dtype.itemsize * _numel(shapes)
    return solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)


@believes("Muon flattens a kernel to a matrix", about="state_bytes")
def gives_muon_kernels(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """Some versions do. torch's refuses whatever has not exactly two dimensions."""
    if optimizer == "Muon" and all(len(shape) > 1 for shape in shapes):
        return dtype.itemsize * _numel(shapes)
    return solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)


SIZES = {torch.float64: 8, torch.float32: 4, torch.float16: 2, torch.bfloat16: 2, torch.float8_e4m3fn: 1}


@believes("The dtypes that I know are all there are", about="state_bytes")
def looks_the_dtype_up(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """torch has others, such as float8_e5m2, and new ones come. dtype.itemsize says it of any."""
    return solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad) if SIZES[dtype] else 0


@believes("A dtype that I do not know has 4 bytes", about="state_bytes")
def takes_unknown_dtypes_for_float32(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """torch has several dtypes of 1 byte, such as float8_e5m2. dtype.itemsize says it of any."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    counts = 4 * len(shapes) * (optimizer in COUNTING)
    return (right - counts) // dtype.itemsize * SIZES.get(dtype, 4) + counts


@believes("Any optimizer of torch's may be asked about", about="state_bytes")
def counts_for_more_names(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """Only the six of the stub: any other name raises a ValueError, even if torch has it."""
    if optimizer in ("Adamax", "NAdam", "RAdam", "Adadelta"):
        return 2 * dtype.itemsize * _numel(shapes) + 4 * len(shapes)
    return solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
