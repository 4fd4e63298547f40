"""Wrong answers that people give to kata 11 about groups of parameters."""
# mypy: ignore-errors

from torch import nn

from dojo.judging.diagnose import believes, solution

solved = solution("11_optimizers")


def _split(model, weight_decay, decays):
    """Two groups of (name, parameter): those that decay by this test, and all others."""
    solved.decay_groups(model, weight_decay)  # it refuses a negative decay
    named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    return [
        {"params": [p for name, p in named if decays(name, p)], "weight_decay": weight_decay},
        {"params": [p for name, p in named if not decays(name, p)], "weight_decay": 0.0},
    ]


@believes("All but the biases decay", about="decay_groups")
def spares_biases_alone(model, weight_decay):
    """The weight of a norm is a vector too, and does not decay. Look at the dimensions and not at the name."""
    return _split(model, weight_decay, lambda name, p: "bias" not in name)


@believes("What is called weight decays", about="decay_groups")
def decays_what_is_called_weight(model, weight_decay):
    """The weight of a LayerNorm is a vector, and a matrix may have any name. Look at the dimensions."""
    return _split(model, weight_decay, lambda name, p: name.endswith("weight"))


@believes("Only linear layers decay", about="decay_groups")
def decays_linear_layers_alone(model, weight_decay):
    """Embeddings, kernels and parameters of the model itself decay as well: all with two dimensions or more."""
    linear = [layer.weight for layer in model.modules() if isinstance(layer, nn.Linear)]
    return _split(model, weight_decay, lambda name, p: any(p is weight for weight in linear))


@believes("What belongs to a norm does not decay", about="decay_groups")
def spares_norms_and_biases(model, weight_decay):
    """Mostly true, because norms hold vectors. But it is the dimensions that decide: a matrix in a norm decays."""
    norms = [p for layer in model.modules() if "Norm" in type(layer).__name__ for p in layer.parameters()]
    return _split(model, weight_decay, lambda name, p: "bias" not in name and all(p is not x for x in norms))


@believes("Embeddings do not decay", about="decay_groups")
def spares_embeddings(model, weight_decay):
    """Some recipes spare them; here a matrix is a matrix, and an Embedding has one."""
    tables = [layer.weight for layer in model.modules() if isinstance(layer, nn.Embedding)]
    return _split(model, weight_decay, lambda name, p: p.ndim > 1 and all(p is not table for table in tables))


@believes("A matrix has two dimensions", about="decay_groups")
def decays_two_dimensions_alone(model, weight_decay):
    """The kernel of a convolution has four, and decays as well: two or more."""
    return _split(model, weight_decay, lambda name, p: p.ndim == 2)


@believes("All but scalars decay", about="decay_groups")
def decays_vectors(model, weight_decay):
    """Vectors do not decay either: biases, and what norms multiply by."""
    return _split(model, weight_decay, lambda name, p: p.ndim > 0)


@believes("A matrix of one row is a vector", about="decay_groups")
def spares_single_rows(model, weight_decay):
    """It has two dimensions, whatever their sizes are."""
    return _split(model, weight_decay, lambda name, p: p.squeeze().ndim > 1)


@believes("Everything decays", about="decay_groups")
def decays_everything(model, weight_decay):
    """Vectors and scalars do not: a norm's weight of 0 would switch off what it multiplies."""
    return _split(model, weight_decay, lambda name, p: True)


@believes("Vectors decay and matrices do not", about="decay_groups")
def swaps_the_groups(model, weight_decay):
    """It is the other way round: decay is there to keep the products of matrices small."""
    return _split(model, weight_decay, lambda name, p: p.ndim < 2)


@believes("A model can be iterated over", about="decay_groups")
def iterates_over_the_layers(model, weight_decay):
    """An nn.Sequential can, other modules cannot. model.parameters() gives the parameters of any model."""
    parameters = [*model.parameters(recurse=False), *(p for layer in model for p in layer.parameters())]
    trained = [p for p in dict.fromkeys(parameters) if p.requires_grad]
    solved.decay_groups(model, weight_decay)
    return [
        {"params": [p for p in trained if p.ndim > 1], "weight_decay": weight_decay},
        {"params": [p for p in trained if p.ndim < 2], "weight_decay": 0.0},
    ]


@believes("A set holds each parameter once, and so is a group", about="decay_groups")
def groups_in_sets(model, weight_decay):
    """A set has no order, and torch refuses it: states are saved by their place. Use a list."""
    return [group | {"params": set(group["params"])} for group in solved.decay_groups(model, weight_decay)]


@believes("A group without an entry does not decay", about="decay_groups")
def leaves_it_to_the_default(model, weight_decay):
    """It takes the optimizer's default, which is 0.01 for AdamW. The entry has to be there, and 0."""
    decayed, others = solved.decay_groups(model, weight_decay)
    return [decayed, {"params": others["params"]}]


@believes("Only the group that does not decay needs an entry", about="decay_groups")
def names_the_zero_alone(model, weight_decay):
    """The optimizer's default is another number than weight_decay. Every group has an entry of its own."""
    decayed, others = solved.decay_groups(model, weight_decay)
    return [{"params": decayed["params"]}, others]


@believes("A frozen parameter may be in a group", about="decay_groups")
def keeps_the_frozen(model, weight_decay):
    """A frozen parameter would not move, but a count of what is trained would include it. It is in no group."""
    solved.decay_groups(model, weight_decay)
    parameters = list(model.parameters())
    return [
        {"params": [p for p in parameters if p.ndim > 1], "weight_decay": weight_decay},
        {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
    ]


@believes("A parameter with two names is two parameters", about="decay_groups")
def holds_tied_weights_twice(model, weight_decay):
    """It is one tensor, and torch refuses to move it twice in a step. named_parameters() gives it once."""
    solved.decay_groups(model, weight_decay)
    named = [p for _, p in model.named_parameters(remove_duplicate=False) if p.requires_grad]
    return [
        {"params": [p for p in named if p.ndim > 1], "weight_decay": weight_decay},
        {"params": [p for p in named if p.ndim < 2], "weight_decay": 0.0},
    ]


@believes("All parameters belong to layers", about="decay_groups")
def forgets_the_models_own(model, weight_decay):
    """A model may have parameters of its own beside its layers: a gain, a table."""
    groups = solved.decay_groups(model, weight_decay)
    own = list(model.parameters(recurse=False))
    return [group | {"params": [p for p in group["params"] if all(p is not x for x in own)]} for group in groups]


@believes("Any decay will do", about="decay_groups")
def accepts_a_negative_decay(model, weight_decay):
    """A negative decay lets weights grow in each step: it is refused with a ValueError."""
    return [
        group | {"weight_decay": weight_decay * (group["weight_decay"] > 0)}
        for group in solved.decay_groups(model, 1.0)
    ]


@believes("A matrix of one column is a vector", about="decay_groups")
def spares_single_columns(model, weight_decay):
    """It has two dimensions, whatever their sizes are."""
    return _split(model, weight_decay, lambda name, p: p.ndim > 1 and p.shape[-1] != 1)


@believes("A parameter of one number is a scalar", about="decay_groups")
def spares_single_numbers(model, weight_decay):
    """With the shape (1, 1) it has two dimensions, whatever their sizes are."""
    return _split(model, weight_decay, lambda name, p: p.ndim > 1 and p.numel() != 1)


@believes("No parameter has more than four dimensions", about="decay_groups")
def spares_five_dimensions(model, weight_decay):
    """The kernel of an nn.Conv3d has five, and decays as well: two or more."""
    return _split(model, weight_decay, lambda name, p: p.ndim in (2, 3, 4))


@believes("A group needs an lr", about="decay_groups")
def gives_groups_an_lr(model, weight_decay):
    """A group without one takes the optimizer's. With one of its own it would not follow what the caller asks for."""
    return [group | {"lr": 1e-3} for group in solved.decay_groups(model, weight_decay)]


@believes("Every model has a matrix", about="decay_groups")
def wants_matrices(model, weight_decay):
    """A LayerNorm has vectors alone. They are in a group all the same, and no error is needed."""
    groups = solved.decay_groups(model, weight_decay)
    if not groups[0]["params"]:
        raise ValueError("nothing decays")
    return groups


@believes("Every model has a vector", about="decay_groups")
def wants_vectors(model, weight_decay):
    """A linear layer without a bias has a matrix alone. It is in a group all the same, and no error is needed."""
    groups = solved.decay_groups(model, weight_decay)
    if not groups[1]["params"]:
        raise ValueError("everything decays")
    return groups


@believes("Groups may come one by one", about="decay_groups")
def yields_groups(model, weight_decay):
    """A function with yield runs only where its groups are asked for: its error comes late. Return a list."""
    if weight_decay < 0:
        raise ValueError(weight_decay)
    yield from solved.decay_groups(model, weight_decay)


@believes("Whatever is in the model is trained", about="decay_groups")
def trains_the_frozen(model, weight_decay):
    """What is frozen was frozen on purpose: read requires_grad, and leave it as it is."""
    groups = solved.decay_groups(model, weight_decay)
    model.requires_grad_(True)
    return groups
