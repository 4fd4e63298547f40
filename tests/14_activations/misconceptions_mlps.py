"""Wrong answers that people give to kata 14 about what linear layers save."""

import itertools

from dojo.judging.diagnose import believes, solution

solved = solution("14_activations")

# mlp_saved_bytes


@believes("The data counts as an activation", about="mlp_saved_bytes")
def counts_the_data(batch, dims, activation="relu", bytes_per_value=4):
    """It is saved, but it existed before, and is left out: count only what is between the layers."""
    kept = solved.mlp_saved_bytes(batch, dims, activation, bytes_per_value)
    return kept + batch * dims[0] * bytes_per_value if len(dims) > 1 else kept


@believes("The last result is saved too", about="mlp_saved_bytes")
def counts_the_last_result(batch, dims, activation="relu", bytes_per_value=4):
    """No layer comes after it that would save it."""
    kept = solved.mlp_saved_bytes(batch, dims, activation, bytes_per_value)
    return kept + batch * dims[-1] * bytes_per_value if len(dims) > 1 else kept


@believes("Every width counts", about="mlp_saved_bytes")
def counts_every_width(batch, dims, activation="relu", bytes_per_value=4):
    """The first is that of the data, and the last is that of the result: only those between them count."""
    kept = solved.mlp_saved_bytes(batch, dims, activation, bytes_per_value)
    return kept + batch * (dims[0] + dims[-1]) * bytes_per_value


@believes("GELU keeps one tensor, as ReLU does", about="mlp_saved_bytes")
def keeps_one_of_gelu(batch, dims, activation="relu", bytes_per_value=4):
    """GELU saves its input, and the next layer saves GELU's result: two tensors."""
    return solved.mlp_saved_bytes(batch, dims, "relu" if activation == "gelu" else activation, bytes_per_value)


@believes("SiLU keeps one tensor, as ReLU does", about="mlp_saved_bytes")
def keeps_one_of_silu(batch, dims, activation="relu", bytes_per_value=4):
    """SiLU saves its input, and the next layer saves SiLU's result: two tensors."""
    return solved.mlp_saved_bytes(batch, dims, "relu" if activation == "silu" else activation, bytes_per_value)


@believes("Every activation keeps one tensor", about="mlp_saved_bytes")
def keeps_one_of_all(batch, dims, activation="relu", bytes_per_value=4):
    """GELU and SiLU need their input, which the next layer does not keep."""
    solved.mlp_saved_bytes(batch, dims, activation, bytes_per_value)
    return solved.mlp_saved_bytes(batch, dims, "relu", bytes_per_value)


@believes("Every activation keeps two tensors: its input and its result", about="mlp_saved_bytes")
def keeps_two_of_all(batch, dims, activation="relu", bytes_per_value=4):
    """ReLU and tanh save only their result, which the next layer also saves: one storage."""
    kept = solved.mlp_saved_bytes(batch, dims, activation, bytes_per_value)
    return 2 * kept if activation in ("relu", "tanh") else kept


@believes("ReLU keeps its input besides what the next layer keeps", about="mlp_saved_bytes")
def keeps_two_of_relu(batch, dims, activation="relu", bytes_per_value=4):
    """ReLU's gradient needs only the result, which the next layer also saves: one storage."""
    return solved.mlp_saved_bytes(batch, dims, "gelu" if activation == "relu" else activation, bytes_per_value)


@believes("tanh keeps its input besides what the next layer keeps", about="mlp_saved_bytes")
def keeps_two_of_tanh(batch, dims, activation="relu", bytes_per_value=4):
    """The derivative 1 - tanh² needs only the result, which the next layer also saves: one storage."""
    return solved.mlp_saved_bytes(batch, dims, "gelu" if activation == "tanh" else activation, bytes_per_value)


@believes("ReLU keeps a mask of bools besides the next layer's input", about="mlp_saved_bytes")
def adds_a_mask(batch, dims, activation="relu", bytes_per_value=4):
    """torch keeps ReLU's result, and that is the next layer's input."""
    kept = solved.mlp_saved_bytes(batch, dims, activation, bytes_per_value)
    return kept + batch * sum(dims[1:-1]) if activation == "relu" else kept


@believes("Without an activation, nothing is kept", about="mlp_saved_bytes")
def keeps_nothing_without(batch, dims, activation="relu", bytes_per_value=4):
    """Each layer but the first keeps its input, whatever made it."""
    return 0 if activation == "none" else solved.mlp_saved_bytes(batch, dims, activation, bytes_per_value)


@believes("SiLU also keeps its sigmoid", about="mlp_saved_bytes")
def keeps_three_of_silu(batch, dims, activation="relu", bytes_per_value=4):
    """SiLU is one operation, and saves only its input; the next layer saves its result."""
    kept = solved.mlp_saved_bytes(batch, dims, activation, bytes_per_value)
    return kept * 3 // 2 if activation == "silu" else kept


@believes("Weights also count as activations", about="mlp_saved_bytes")
def counts_the_weights(batch, dims, activation="relu", bytes_per_value=4):
    """They are saved, but parameters are left out."""
    weights = sum(a * b for a, b in itertools.pairwise(dims[1:]))
    return solved.mlp_saved_bytes(batch, dims, activation, bytes_per_value) + weights * bytes_per_value


@believes("A number takes 4 bytes", about="mlp_saved_bytes")
def takes_4_bytes(batch, dims, activation="relu", bytes_per_value=4):
    """bytes_per_value says how many."""
    return solved.mlp_saved_bytes(batch, dims, activation)


@believes("Activations do not grow with the batch", about="mlp_saved_bytes")
def forgets_the_batch(batch, dims, activation="relu", bytes_per_value=4):
    """Parameters do not, but each row of the batch has its own activations."""
    return solved.mlp_saved_bytes(1, dims, activation, bytes_per_value)


@believes("Only the widest layer counts", about="mlp_saved_bytes")
def keeps_the_widest(batch, dims, activation="relu", bytes_per_value=4):
    """The results of all layers are held until the backward reaches them: add them up."""
    widest = max(dims[1:-1], default=0)
    return solved.mlp_saved_bytes(batch, (1, widest, 1), activation, bytes_per_value)


@believes("An unknown activation keeps one tensor", about="mlp_saved_bytes")
def knows_every_activation(batch, dims, activation="relu", bytes_per_value=4):
    """There is no such activation: raise ValueError."""
    known = activation if activation in ("none", "relu", "tanh", "gelu", "silu") else "relu"
    return solved.mlp_saved_bytes(batch, dims, known, bytes_per_value)


@believes("If the MLP has no activation, any name will do", about="mlp_saved_bytes")
def checks_where_there_is_one(batch, dims, activation="relu", bytes_per_value=4):
    """The name is still wrong: check it first."""
    return solved.mlp_saved_bytes(batch, dims, activation, bytes_per_value) if len(dims) > 2 else 0


@believes("What has relu in its name keeps as much as ReLU", about="mlp_saved_bytes")
def knows_relatives_of_relu(batch, dims, activation="relu", bytes_per_value=4):
    """There are five activations, and the name has to be one of them: raise ValueError."""
    return solved.mlp_saved_bytes(batch, dims, "relu" if "relu" in activation else activation, bytes_per_value)
