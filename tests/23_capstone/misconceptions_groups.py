"""Wrong answers that people give to kata 23 about the groups of an optimizer."""
# mypy: ignore-errors

import functools

import torch
from torch import nn

from dojo.judging.diagnose import believes, solution

solved = solution("23_capstone")


def split(model, weight_decay, decays):
    """Return two groups of the trained parameters; decays says which of them decay, by name and parameter."""
    named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    groups = [[p for name, p in named if bool(decays(name, p)) == which] for which in (True, False)]
    return [{"params": groups[0], "weight_decay": weight_decay}, {"params": groups[1], "weight_decay": 0.0}]


@believes("All parameters decay", about="param_groups")
def decays_all(model, weight_decay):
    """Biases and norms do not: only parameters of 2 dimensions or more decay."""
    return split(model, weight_decay, lambda name, p: True)


@believes("Whatever is named weight decays", about="param_groups")
def goes_by_the_name_weight(model, weight_decay):
    """The weight of a norm or a PReLU is a vector: look at the dimensions."""
    return split(model, weight_decay, lambda name, p: "weight" in name)


@believes("Whatever is not named bias or norm decays", about="param_groups")
def goes_by_the_name_bias(model, weight_decay):
    """A model may name its parameters in any way: look at the dimensions."""
    return split(model, weight_decay, lambda name, p: "bias" not in name and "norm" not in name)


@believes("Whatever is not named bias or norm decays", about="param_groups")
def goes_by_the_last_name(model, weight_decay):
    """A model may name its parameters in any way: look at the dimensions."""
    return split(model, weight_decay, lambda name, p: not name.endswith("bias") and "norm" not in name.lower())


@believes("Embeddings do not decay", about="param_groups")
def spares_embeddings(model, weight_decay):
    """They have 2 dimensions and decay like any matrix; here they are also the head."""
    tables = [part.weight for part in model.modules() if isinstance(part, nn.Embedding)]
    return split(model, weight_decay, lambda name, p: p.ndim > 1 and not any(p is table for table in tables))


@believes("Only linear layers decay", about="param_groups")
def decays_linear_layers(model, weight_decay):
    """Embeddings, convolutions and matrices that are parameters of the model itself decay too."""
    weights = [part.weight for part in model.modules() if isinstance(part, nn.Linear)]
    return split(model, weight_decay, lambda name, p: any(p is weight for weight in weights))


@believes("Only parameters of exactly two dimensions decay", about="param_groups")
def decays_two_dimensions(model, weight_decay):
    """The weight of a convolution has three or more, and decays as well."""
    return split(model, weight_decay, lambda name, p: p.ndim == 2)


@believes("All parameters except single numbers decay", about="param_groups")
def spares_numbers(model, weight_decay):
    """Vectors do not decay either: a parameter needs 2 dimensions or more."""
    return split(model, weight_decay, lambda name, p: p.ndim > 0)


@believes("The weight of a norm never decays", about="param_groups")
def spares_norms(model, weight_decay):
    """The dimensions decide: LayerNorm((2, 3)) has a weight of two."""
    norms = [p for part in model.modules() if "Norm" in type(part).__name__ for p in part.parameters(recurse=False)]
    return split(model, weight_decay, lambda name, p: p.ndim > 1 and not any(p is norm for norm in norms))


@believes("A frozen parameter may be in a group", about="param_groups")
def groups_frozen_ones(model, weight_decay):
    """If it still has a gradient, the optimizer moves it: a parameter that requires no grad is in no group."""
    groups = [[p for p in model.parameters() if (p.ndim > 1) == which] for which in (True, False)]
    return [{"params": groups[0], "weight_decay": weight_decay}, {"params": groups[1], "weight_decay": 0.0}]


@believes("A group without a weight_decay does not decay", about="param_groups")
def leaves_the_other_group_open(model, weight_decay):
    """It takes the optimizer's, which is 0.01 by default in AdamW: write 0.0."""
    decaying, others = solved.param_groups(model, weight_decay)
    return [decaying, {"params": others["params"]}]


@believes("Parameters that do not decay need no group", about="param_groups")
def leaves_out_the_other_group(model, weight_decay):
    """Then the optimizer never moves them: biases and norms would not be trained."""
    return solved.param_groups(model, weight_decay)[:1]


@believes("Biases decay and matrices do not", about="param_groups")
def swaps_the_groups(model, weight_decay):
    """It is the other way around."""
    return split(model, weight_decay, lambda name, p: p.ndim < 2)


@believes("Each module has parameters of its own", about="param_groups")
def goes_through_modules(model, weight_decay):
    """A shared weight is found in each module that has it, but goes into a group once: collect model.parameters()."""
    found = [p for part in model.modules() for p in part._parameters.values() if p is not None and p.requires_grad]
    groups = [[p for p in found if (p.ndim > 1) == which] for which in (True, False)]
    return [{"params": groups[0], "weight_decay": weight_decay}, {"params": groups[1], "weight_decay": 0.0}]


@believes("Parameters with equal values are the same", about="param_groups")
def merges_equal_ones(model, weight_decay):
    """Two biases of zeros are equal, and still two parameters: compare objects, not values."""
    found = []
    for p in model.parameters():
        if p.requires_grad and not any(p.shape == q.shape and torch.equal(p, q) for q in found):
            found.append(p)
    groups = [[p for p in found if (p.ndim > 1) == which] for which in (True, False)]
    return [{"params": groups[0], "weight_decay": weight_decay}, {"params": groups[1], "weight_decay": 0.0}]


@believes("A default argument is made anew in each call", about="param_groups")
def remembers_what_it_has_seen(model, weight_decay, seen=set()):  # noqa: B006 - it is the mistake
    """It is made once, with the function, so parameters of the first call are missing from the second."""
    new = [p for p in model.parameters() if p.requires_grad and p not in seen]
    seen.update(new)
    groups = [[p for p in new if (p.ndim > 1) == which] for which in (True, False)]
    return [{"params": groups[0], "weight_decay": weight_decay}, {"params": groups[1], "weight_decay": 0.0}]


@believes("The groups of a model can be cached", about="param_groups")
def caches_the_groups(model, weight_decay):
    """The optimizer writes its options into these dicts, and parameters may be frozen later: make new groups."""
    return _cached(model, weight_decay)


@functools.lru_cache(maxsize=8)
def _cached(model, weight_decay):
    return solved.param_groups(model, weight_decay)
