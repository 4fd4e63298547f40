"""Wrong answers that people give to kata 05 about the memory of training."""

from dojo.judging.diagnose import believes, solution

solved = solution("05_adagrad")


# training_memory


def counted(dim, num_layers, batch_size):
    """Return the number of parameters and the number of activations."""
    return num_layers * dim**2 + dim, num_layers * batch_size * dim


@believes("A gradient is gone once it was used", about="training_memory")
def forgets_the_gradients(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """All gradients still exist when the step is taken: one value for each parameter."""
    params, activations = counted(dim, num_layers, batch_size)
    return bytes_per_value * (params * (1 + states_per_param) + activations)


@believes("Every optimizer keeps one value for each parameter", about="training_memory")
def always_counts_one_state(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """AdaGrad keeps one, plain SGD none and Adam two: states_per_param says how many."""
    return solved.training_memory(dim, num_layers, batch_size, bytes_per_value, 1)


@believes("The optimizer's states are float32, whatever the model is", about="training_memory")
def keeps_states_in_float32(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """Here every value takes bytes_per_value bytes, and the states are values like any others."""
    params, activations = counted(dim, num_layers, batch_size)
    return bytes_per_value * (params * 2 + activations) + 4 * params * states_per_param


@believes("A value takes 2, 4 or 8 bytes", about="training_memory")
def refuses_one_byte(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """In float8 it takes one: bytes_per_value is a number to multiply by, and no list of dtypes is complete."""
    if bytes_per_value not in (2, 4, 8):
        raise ValueError(bytes_per_value)
    return solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)


@believes("Values are float32", about="training_memory")
def counts_four_bytes(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """Four bytes is only the default: a value takes 2 in bfloat16, and 8 in float64."""
    return solved.training_memory(dim, num_layers, batch_size, 4, states_per_param)


@believes("The data is an activation too", about="training_memory")
def counts_the_data(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """The backward pass does need the data, but the data exists anyway: only results of the layers are counted."""
    right = solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)
    return right + bytes_per_value * batch_size * dim


@believes("The result of every layer is kept, including the last one's", about="training_memory")
def counts_the_last_result(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """The backward pass of a product needs its operands, not its result. The last result is no layer's operand."""
    right = solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)
    return right + bytes_per_value * batch_size


@believes("The last layer's operand is not kept, since the backward pass starts there", about="training_memory")
def forgets_the_last_operand(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """The gradient of the last weight is a product with that layer's input, so that input has to be kept."""
    right = solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)
    return right - bytes_per_value * batch_size * dim * (num_layers > 0)


@believes("Only one activation exists at a time", about="training_memory")
def keeps_one_activation(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """That is true without a backward pass. With one, each layer's result is kept until the pass comes back to it."""
    params, activations = counted(dim, num_layers, batch_size)
    activations //= max(num_layers, 1)
    return bytes_per_value * (params * (2 + states_per_param) + activations)


@believes("The gradient of each activation is kept", about="training_memory")
def counts_gradients_of_activations(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """Such a gradient is passed to the layer before and freed. Only the gradients of parameters are kept."""
    params, activations = counted(dim, num_layers, batch_size)
    return bytes_per_value * (params * (2 + states_per_param) + 2 * activations)


@believes("The number of activations depends on the model alone", about="training_memory")
def forgets_the_batch(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """Each row of the batch has its own activations, so they grow with the batch; the parameters do not."""
    return solved.training_memory(dim, num_layers, 1, bytes_per_value, states_per_param)


@believes("The last layer is one of the num_layers", about="training_memory")
def forgets_the_last_layer(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """There are num_layers layers of (dim, dim), and after them one more of (dim, 1), with dim parameters."""
    right = solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)
    return right - bytes_per_value * dim * (2 + states_per_param)


@believes("The last layer is as wide as the others", about="training_memory")
def widens_the_last_layer(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """The last layer has one output: its weight is (dim, 1), with dim parameters, not dim · dim."""
    params, activations = (num_layers + 1) * dim**2, num_layers * batch_size * dim
    return bytes_per_value * (params * (2 + states_per_param) + activations)


@believes("A layer has a bias", about="training_memory")
def counts_biases(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """This model has none: its layers are matrices and nothing else."""
    right = solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)
    return right + bytes_per_value * (num_layers * dim + 1) * (2 + states_per_param)


@believes("A count may be a float", about="training_memory")
def returns_a_float(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """Bytes are counted in whole numbers: a float loses the last digits of a large count."""
    return float(solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param))


@believes("A float holds any count of bytes", about="training_memory")
def counts_in_floats(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """A float is exact up to 2**53, which is 9 petabytes; integers in Python have no limit."""
    return int(float(solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)))


@believes("64 bits hold any count of bytes", about="training_memory")
def counts_in_64_bits(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """numpy and torch count in 64 bits, and wrap around beyond 2**63 - 1; integers in Python have no limit."""
    right = solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)
    return (right + 2**63) % 2**64 - 2**63
