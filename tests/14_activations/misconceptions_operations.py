"""Wrong answers that people give to kata 14 about what one operation saves."""

import math

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("14_activations")

# op_saved_bytes


def _x(shape, dtype):
    """Return the bytes of x."""
    return math.prod(shape) * dtype.itemsize


def _rows(shape):
    return math.prod(shape[:-1])


@believes("Every operation saves its input", about="op_saved_bytes")
def saves_every_input(op, shape, dtype=torch.float32):
    """The gradients of add, scale and sum need no input."""
    kept = solved.op_saved_bytes(op, shape, dtype)
    return max(kept, _x(shape, dtype)) if op in ("add", "scale", "sum") else kept


@believes("ReLU keeps a bit or a bool for each element", about="op_saved_bytes")
def keeps_a_mask_of_relu(op, shape, dtype=torch.float32):
    """torch saves the result, in the dtype of x: the next layer usually saves it anyway."""
    return math.prod(shape) if op == "relu" else solved.op_saved_bytes(op, shape, dtype)


@believes("exp is its own derivative, so nothing is kept", about="op_saved_bytes")
def keeps_nothing_of_exp(op, shape, dtype=torch.float32):
    """Its gradient is grad · exp(x): the result is kept."""
    return 0 if op == "exp" else solved.op_saved_bytes(op, shape, dtype)


@believes("tanh keeps its input and its result", about="op_saved_bytes")
def keeps_both_of_tanh(op, shape, dtype=torch.float32):
    """The derivative 1 - tanh² needs only the result."""
    return 2 * _x(shape, dtype) if op == "tanh" else solved.op_saved_bytes(op, shape, dtype)


@believes("softmax keeps its input and its result", about="op_saved_bytes")
def keeps_both_of_softmax(op, shape, dtype=torch.float32):
    """Its gradient is computed from the result alone."""
    return 2 * _x(shape, dtype) if op == "softmax" else solved.op_saved_bytes(op, shape, dtype)


@believes("softmax keeps a sum for each row", about="op_saved_bytes")
def keeps_sums_of_softmax(op, shape, dtype=torch.float32):
    """Fused attention does; softmax itself keeps its whole result."""
    return _rows(shape) * dtype.itemsize if op == "softmax" else solved.op_saved_bytes(op, shape, dtype)


@believes("GELU keeps its input and its result", about="op_saved_bytes")
def keeps_both_of_gelu(op, shape, dtype=torch.float32):
    """Its derivative is computed from x alone."""
    return 2 * _x(shape, dtype) if op == "gelu" else solved.op_saved_bytes(op, shape, dtype)


@believes("square is x · x, so x is kept twice", about="op_saved_bytes")
def keeps_x_twice(op, shape, dtype=torch.float32):
    """It is one storage, which counts once."""
    return 2 * _x(shape, dtype) if op == "square" else solved.op_saved_bytes(op, shape, dtype)


@believes("A product keeps one of its factors", about="op_saved_bytes")
def keeps_one_factor(op, shape, dtype=torch.float32):
    """The gradient of each factor needs the other one, and both require grad."""
    return _x(shape, dtype) if op == "mul" else solved.op_saved_bytes(op, shape, dtype)


@believes("A product keeps its result as well", about="op_saved_bytes")
def keeps_the_product(op, shape, dtype=torch.float32):
    """Its two factors are enough."""
    return 3 * _x(shape, dtype) if op == "mul" else solved.op_saved_bytes(op, shape, dtype)


@believes("add keeps both of its operands", about="op_saved_bytes")
def keeps_the_summands(op, shape, dtype=torch.float32):
    """The gradient of a sum is grad, whatever was added."""
    return 2 * _x(shape, dtype) if op == "add" else solved.op_saved_bytes(op, shape, dtype)


@believes("2 · x keeps x", about="op_saved_bytes")
def keeps_what_is_scaled(op, shape, dtype=torch.float32):
    """The gradient is 2 · grad, and 2 is not a tensor."""
    return _x(shape, dtype) if op == "scale" else solved.op_saved_bytes(op, shape, dtype)


@believes("sum keeps x", about="op_saved_bytes")
def keeps_what_is_summed(op, shape, dtype=torch.float32):
    """It only has to know the shape, to expand grad to it."""
    return _x(shape, dtype) if op == "sum" else solved.op_saved_bytes(op, shape, dtype)


@believes("Layer norm keeps only its input", about="op_saved_bytes")
def keeps_no_statistics(op, shape, dtype=torch.float32):
    """It also keeps a mean and a 1/σ for each row."""
    return _x(shape, dtype) if op == "layer_norm" else solved.op_saved_bytes(op, shape, dtype)


@believes("Layer norm keeps the normalized values", about="op_saved_bytes")
def keeps_the_normalized(op, shape, dtype=torch.float32):
    """It keeps its input, a mean and a 1/σ for each row, and computes the normalized values again."""
    kept = solved.op_saved_bytes(op, shape, dtype)
    return kept + _x(shape, dtype) if op == "layer_norm" else kept


@believes("Layer norm has statistics for each feature", about="op_saved_bytes")
def keeps_statistics_of_features(op, shape, dtype=torch.float32):
    """Batch norm has. Layer norm has a mean and a 1/σ for each row."""
    wrong = _x(shape, dtype) + 2 * (shape or (0,))[-1] * dtype.itemsize
    return wrong if op == "layer_norm" else solved.op_saved_bytes(op, shape, dtype)


@believes("Layer norm keeps one number for each row", about="op_saved_bytes")
def keeps_one_statistic(op, shape, dtype=torch.float32):
    """It keeps two: a mean and a 1/σ."""
    wrong = _x(shape, dtype) + _rows(shape) * dtype.itemsize
    return wrong if op == "layer_norm" else solved.op_saved_bytes(op, shape, dtype)


@believes("The statistics of layer norm are float32", about="op_saved_bytes")
def keeps_float32_statistics(op, shape, dtype=torch.float32):
    """They are in the dtype of x: float64 for a float64 x."""
    wrong = _x(shape, dtype) + 8 * _rows(shape)
    return wrong if op == "layer_norm" else solved.op_saved_bytes(op, shape, dtype)


@believes("max keeps x, to compare it with the maxima", about="op_saved_bytes")
def keeps_x_of_max(op, shape, dtype=torch.float32):
    """It keeps the indices of the maxima: an int64 for each row."""
    return _x(shape, dtype) if op == "max" else solved.op_saved_bytes(op, shape, dtype)


@believes("max keeps the largest values", about="op_saved_bytes")
def keeps_the_maxima(op, shape, dtype=torch.float32):
    """It keeps their indices: an int64 for each row, whatever the dtype of x."""
    return _rows(shape) * dtype.itemsize if op == "max" else solved.op_saved_bytes(op, shape, dtype)


@believes("An index takes 4 bytes", about="op_saved_bytes")
def keeps_indices_of_4_bytes(op, shape, dtype=torch.float32):
    """torch's indices are int64."""
    return 4 * _rows(shape) if op == "max" else solved.op_saved_bytes(op, shape, dtype)


@believes("max keeps one index", about="op_saved_bytes")
def keeps_one_index(op, shape, dtype=torch.float32):
    """It keeps one index for each row, because the maximum is over the last dimension."""
    return 8 if op == "max" else solved.op_saved_bytes(op, shape, dtype)


@believes("A mask has the dtype of x", about="op_saved_bytes")
def keeps_a_mask_like_x(op, shape, dtype=torch.float32):
    """masked_fill keeps the bools that it gets."""
    return _x(shape, dtype) if op == "masked_fill" else solved.op_saved_bytes(op, shape, dtype)


@believes("A bool takes one bit", about="op_saved_bytes")
def keeps_bits(op, shape, dtype=torch.float32):
    """torch stores each bool in a byte."""
    return -(-math.prod(shape) // 8) if op == "masked_fill" else solved.op_saved_bytes(op, shape, dtype)


@believes("A number takes 4 bytes, whatever its dtype", about="op_saved_bytes")
def ignores_the_dtype(op, shape, dtype=torch.float32):
    """dtype.itemsize says how many."""
    return solved.op_saved_bytes(op, shape, torch.float32)


@believes("An unknown op saves nothing", about="op_saved_bytes")
def knows_every_operation(op, shape, dtype=torch.float32):
    """There is no such op: raise ValueError."""
    try:
        return solved.op_saved_bytes(op, shape, dtype)
    except ValueError:
        return 0


@believes("An empty x saves nothing, whatever the op is", about="op_saved_bytes")
def saves_nothing_of_an_empty_x(op, shape, dtype=torch.float32):
    """The op is still wrong: check it first."""
    return 0 if math.prod(shape) == 0 else solved.op_saved_bytes(op, shape, dtype)


@believes("Other operations are answered like the listed ones", about="op_saved_bytes")
def answers_other_operations(op, shape, dtype=torch.float32):
    """Only the listed ones are known here, and a guess may be wrong: raise ValueError for any other."""
    like = {"sqrt": "exp", "sigmoid": "tanh", "log": "square", "sin": "square", "abs": "square", "neg": "scale"}
    like |= {"sub": "add", "mean": "sum", "min": "max", "view": "scale"}
    return solved.op_saved_bytes(like.get(op, op), shape, dtype)
